package classify_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleFitVariationalLogistic() {
	two := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_width"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.FitVariationalLogistic(two.X, t, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
	fmt.Printf("%v, ln p(t) ≥ %.3f\n", m.Converged, m.Bound)
	for j, w := range m.Mean {
		fmt.Printf("w%d = %6.2f ± %.2f\n", j, w, math.Sqrt(m.Covariance.At(j, j)))
	}
	// Output:
	// true, ln p(t) ≥ -25.354
	// w0 =  17.73 ± 1.31
	// w1 = -10.86 ± 0.79
}

func ExampleSampleLogistic() {
	two := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_width"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.SampleLogistic(two.X, t, classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}, Seed: 1}))
	fmt.Println(m.Converged)
	for j, w := range m.Mean {
		fmt.Printf("w%d = %3.0f ± %.0f\n", j, w, math.Sqrt(m.Covariance.At(j, j)))
	}
	// Output:
	// true
	// w0 =  18 ± 3
	// w1 = -11 ± 2
}

func ExampleCompareApproximations() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 0.5, 2, 3})
	t := []float64{0, 0, 0, 1, 1, 1} // separable: only the prior holds the slope
	ways := toolkit.Must(classify.FitApproximations(x, t, classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}, Method: classify.PredictiveQuadrature}))
	points := mat.NewDense(2, 1, []float64{0.5, -4})
	fmt.Print(toolkit.Must(classify.CompareApproximations(points, ways[:3]...)))
	exact := toolkit.Must(classify.CompareApproximations(points, ways[3])) // up to its Monte Carlo error
	fmt.Printf("%s: w1 = %.0f ± %.0f\n", exact.Names[0], exact.Mean.At(0, 1), exact.StdDev.At(0, 1))
	// Output:
	// way                     w0             w1  p(C₁|0.5)  p(C₁|-4)
	// MAP plug-in          0.406          2.411     0.8336    0.0001
	// Laplace      0.406 ± 1.680  2.411 ± 1.782     0.7282    0.1031
	// variational  0.478 ± 1.243  3.355 ± 0.764     0.8395    0.0003
	// sampling: w1 = 4 ± 2
}

// The exact answer is 0.858, by a sum over a grid of weights; the sampled one has
// a Monte Carlo error of about 0.003.
func ExampleFitApproximations() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 0.5, 2, 3})
	t := []float64{0, 0, 1, 0, 1, 1}
	for _, w := range toolkit.Must(classify.FitApproximations(x, t, classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}})) {
		p := toolkit.Must(w.Model.Posterior(mat.NewDense(1, 1, []float64{2})))
		fmt.Printf("%-12s %.2f\n", w.Name, p.At(0, 0))
	}
	// Output:
	// MAP plug-in  0.86
	// Laplace      0.77
	// variational  0.84
	// sampling     0.86
}
