package classify_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestBayesSoftmaxTwo: with two classes the difference of the weight vectors is a
// logistic model with half the precision; the draws agree with quadrature within
// 4.5 standard errors, which fall as 1/√Draws.
func TestBayesSoftmaxTwo(t *testing.T) {
	x, target := drawn(60, 2, 7)
	two := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.25}, Method: classify.Quadrature}))(t)
	want := must(two.Posterior(x))(t)
	var sums []float64
	for _, draws := range []int{200, 20000} {
		m := must(classify.FitBayesSoftmax(x, sidesOf(target), 2, classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.5}, Draws: draws, Seed: 5}))(t)
		errorIf(t, !m.Converged, "%s", m.Reason)
		nearly(t, "weights", contrastOf(m.W), two.W, 1e-9)
		// The evidence differs by the sum of the weights, whose posterior is its prior.
		within(t, m.LogEvidence(), two.LogEvidence(), 1e-9, "ln p(D)")
		p, se := must2(m.PosteriorError(x))(t)
		for i := range target {
			within(t, p.At(i, 0), want.At(i, 0), 4.5*se.At(i, 0)+1e-12, "%d draws, row %d", draws, i)
		}
		sums = append(sums, mat.Sum(se.ColView(0)))
	}
	within(t, sums[0]/sums[1], 10.5, 3.5, "the standard errors fall by")
}

// TestBayesSoftmaxEdges: an empty class and separable classes have a posterior under
// a prior.
func TestBayesSoftmaxEdges(t *testing.T) {
	x, labels := pointsOn(-3, -2, -0.5, 0.5, 2, 3), []int{0, 0, 1, 1, 2, 2}
	for k := 3; k <= 4; k++ { // class 3 has no rows
		m := must(classify.FitBayesSoftmax(x, labels, k, classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		p := must(m.Posterior(x))(t)
		errorIf(t, !m.Converged || m.LogEvidence() >= 0 || k == 4 && !(p.At(0, 3) > 0), "k = %d: %s", k, m.Reason)
	}
}

func ExampleFitBayesSoftmax() {
	iris := datasets.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	m := classify.Must(classify.FitBayesSoftmax(iris.X, iris.Labels, 3, classify.BayesSoftmaxOptions{Reestimate: true, Draws: 2000}))
	p, se, err := m.PosteriorError(mat.NewDense(1, 2, []float64{4.8, 1.7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("α = %.3f\n", m.Alpha)
	for k, name := range iris.ClassNames {
		fmt.Printf("%-10s %.2f ± %.3f\n", name, p.At(0, k), se.At(0, k))
	}
	// Output:
	// α = 0.002
	// setosa     0.06 ± 0.004
	// versicolor 0.44 ± 0.002
	// virginica  0.50 ± 0.002
}
