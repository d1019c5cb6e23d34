package classify_test

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A generator makes a million rows at every pass; none is kept.
func ExampleNewRows() {
	each := func(yield func(x []float64, t float64) bool) error {
		rng := rand.New(rand.NewPCG(1, 1)) // the same seed, so the same rows, at every pass
		x := make([]float64, 2)
		for range 1_000_000 {
			c := float64(rng.IntN(2))
			x[0], x[1] = rng.NormFloat64()+2*c, rng.NormFloat64()
			if !yield(x, c) {
				break
			}
		}
		return nil
	}
	rows := toolkit.Must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))
	m := toolkit.Must(rows.FitLDA(classify.LDAOptions{}))
	fmt.Println(rows.N(), "rows")
	fmt.Printf("the means are %.1f apart\n", m.Means.At(1, 0)-m.Means.At(0, 0))
	// Output:
	// 1000000 rows
	// the means are 2.0 apart
}

// The rows of a matrix, as a function that can be asked for them again.
func ExampleRowsOf() {
	x := mat.NewDense(3, 1, []float64{10, 20, 30})
	err := classify.RowsOf(x, []float64{1, 0, 1})(func(x []float64, t float64) bool {
		fmt.Println(x, t)
		return t == 1
	})
	fmt.Println(err)
	// Output:
	// [10] 1
	// [20] 0
	// <nil>
}

// sixRows have two columns of zeros and ones, and overlapping classes.
func sixRows() *classify.Rows {
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1})
	return toolkit.Must(classify.NewRows(classify.RowsOf(x, []float64{0, 0, 0, 1, 1, 1}), classify.RowsOptions{Classes: 2}))
}

func ExampleRows_N() {
	fmt.Println(sixRows().N(), "rows")
	// Output: 6 rows
}

func ExampleRows_D() {
	fmt.Println(sixRows().D(), "columns")
	// Output: 2 columns
}

func ExampleRows_FitLeastSquares() {
	m := toolkit.Must(sixRows().FitLeastSquares(classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f\n", m.SumSquare)
	// Output: 1.333
}

func ExampleRows_FitFisher() {
	m := toolkit.Must(sixRows().FitFisher(classify.FisherOptions{}))
	fmt.Printf("%.3f %s\n", m.Direction[0], m.Reason)
	// Output: -1.000 equal projected Gaussian densities
}

func ExampleRows_FitLDA() {
	m := toolkit.Must(sixRows().FitLDA(classify.LDAOptions{}))
	fmt.Printf("%.3f\n", toolkit.Must(m.TwoClass())[:2])
	// Output: [0.750 -1.500]
}

func ExampleRows_FitQDA() {
	m := toolkit.Must(sixRows().FitQDA(classify.QDAOptions{}))
	fmt.Printf("%.3f\n", m.LogDet)
	// Output: [-3.296 -3.296]
}

func ExampleRows_FitNaiveBayesGaussian() {
	m := toolkit.Must(sixRows().FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Variance))
	// Output:
	// ⎡0.222  0.222⎤
	// ⎣0.222  0.222⎦
}

func ExampleRows_FitNaiveBayesBernoulli() {
	m := toolkit.Must(sixRows().FitNaiveBayesBernoulli(classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Printf("%.1f\n", mat.Formatted(m.Mu))
	// Output:
	// ⎡0.4  0.6⎤
	// ⎣0.6  0.6⎦
}

func ExampleRows_FitNaiveBayesCategorical() {
	m := toolkit.Must(sixRows().FitNaiveBayesCategorical([]int{2, 2}, classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Mu[0]))
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
}

func ExampleRows_FitLogistic() {
	m := toolkit.Must(sixRows().FitLogistic(classify.LogisticOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.693 -1.386]
}

func ExampleRows_FitProbit() {
	m := toolkit.Must(sixRows().FitProbit(classify.ProbitOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.431 -0.861]
}

func ExampleRows_FitLabelFlip() {
	m := toolkit.Must(sixRows().FitLabelFlip(classify.LabelFlipOptions{Epsilon: 0.1}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.887 -1.775]
}

func ExampleRows_FitBayesLogistic() {
	m := toolkit.Must(sixRows().FitBayesLogistic(classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.083 -0.334]
}

func ExampleRows_FitSoftmax() {
	m := toolkit.Must(sixRows().FitSoftmax(classify.SoftmaxOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, mat.Formatted(m.W.Slice(0, 2, 0, 2), mat.Prefix("     ")))
	// Output:
	// true ⎡ 0.347  -0.347⎤
	//      ⎣-0.693   0.693⎦
}
