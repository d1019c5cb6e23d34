package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// Inputs inside a ring around the origin belong to C₁: no line in x separates
// them, one in the space of squares does (PRML figure 4.12).
func ExampleFitOnBasis() {
	x := mat.NewDense(8, 2, []float64{0.1, 0, 0, -0.5, -0.6, 0.3, 0.4, 0.4, 2, 0.1, -1.5, 1, 0.3, -1.9, -1, -1.2})
	t := []float64{1, 1, 1, 1, 0, 0, 0, 0}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisProducts(2)), func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}))
	fmt.Printf("weights of 1, x1, x2, x1², x2², x1x2: %.2f\n", m.Model.W)
	fmt.Println(toolkit.Must(m.Predict(mat.NewDense(3, 2, []float64{0, 0, 0, 3, -3, 0}))))
	// Output:
	// weights of 1, x1, x2, x1², x2², x1x2: [2.63 0.44 0.67 -1.87 -1.49 -0.07]
	// [0 1 1]
}

// A model without posterior probabilities, on the squares of its input: class 0
// lies between the others.
func ExampleFitOnBasis_leastSquares() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -0.5, 0.5, 2, 3})
	labels := []int{1, 1, 0, 0, 1, 1}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisPolynomial(1, 2)), func(phi mat.Matrix) (*classify.LeastSquares, error) {
		return classify.FitLeastSquares(phi, labels, 2, classify.LeastSquaresOptions{})
	}))
	fmt.Println(toolkit.Must(m.Predict(mat.NewDense(3, 1, []float64{-10, 0, 10}))))
	// Output: [1 0 1]
}

// A machine that only names classes.
func ExampleFitOnBasis_classes() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0}) // the exclusive or
	labels := []int{0, 0, 1, 1}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisProducts(2)), func(phi mat.Matrix) (*classify.OneVersusRest, error) {
		return classify.FitOneVersusRest(phi, labels, 2, func(x mat.Matrix, t []float64) (classify.Scorer, error) {
			return classify.FitPerceptron(x, t, classify.PerceptronOptions{})
		}, classify.OneVersusRestOptions{})
	}))
	fmt.Println(toolkit.Must(m.Predict(x)))
	// Output: [0 0 1 1]
}

func ExampleFeatures() {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	basis := toolkit.Must(classify.BasisJoin(
		toolkit.Must(classify.BasisColumns(2)),
		toolkit.Must(classify.BasisLog([]float64{0, 0, 1})),
		toolkit.Must(classify.BasisIndicator([]float64{-2, 1, 0})),
	))
	fmt.Printf("%.3f\n", mat.Formatted(toolkit.Must(classify.Features(x, basis))))
	// Output:
	// ⎡1.000  2.000  0.693  0.000⎤
	// ⎣3.000  4.000  1.386  1.000⎦
}

func ExampleBasisGaussian() {
	x := mat.NewDense(6, 1, []float64{0, 0.1, 0.2, 5, 5.1, 5.2})
	centres := toolkit.Must(classify.BasisCentresKMeans(x, 2, 1))
	basis := toolkit.Must(classify.BasisGaussian(centres, 1))
	fmt.Printf("centres %.1f\n", basis.Centres)
	// Output:
	// centres [[5.1] [0.1]]
}
