package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleFitLeastSquares() {
	iris := datasets.Iris()
	m := toolkit.Must(classify.FitLeastSquares(iris.X, iris.Labels, iris.K(), classify.LeastSquaresOptions{}))
	wrong := 0
	for i, k := range toolkit.Must(m.Predict(iris.X)) {
		if k != iris.Labels[i] {
			wrong++
		}
	}
	fmt.Printf("rank %d, %d of %d rows wrong\n", m.Rank, wrong, iris.N())
	// Output: rank 5, 23 of 150 rows wrong
}

func ExampleFitLogistic() {
	two := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.FitLogistic(two.X, t, classify.LogisticOptions{}))
	fmt.Println(m.Converged, m.Trace[m.Iterations].Misclassified, "rows wrong")
	for i, se := range toolkit.Must(m.StandardErrors()) {
		fmt.Printf("w%d = %7.3f ± %.3f\n", i, m.W[i], se)
	}
	// Output:
	// true 2 rows wrong
	// w0 =  42.638 ± 25.708
	// w1 =   2.465 ± 2.394
	// w2 =   6.681 ± 4.480
	// w3 =  -9.429 ± 4.737
	// w4 = -18.286 ± 9.743
}

// Setosa is linearly separable from the other species: the likelihood has no
// maximum, and the model says so. A prior gives finite weights.
func ExampleFitLogistic_separable() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	t := toolkit.Must(iris.Target("setosa"))
	ml := toolkit.Must(classify.FitLogistic(iris.X, t, classify.LogisticOptions{}))
	fmt.Println(ml.Separable, ml.Converged)
	prior := classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}
	mp := toolkit.Must(classify.FitLogistic(iris.X, t, prior))
	fmt.Printf("%v %v %.3f\n", mp.Separable, mp.Converged, mp.W)
	// Output:
	// true false
	// false true [3.977 -1.152 -1.702]
}

func ExampleLogisticObjective() {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	t := []float64{0, 1, 0, 1}
	e := toolkit.Must(classify.LogisticObjective(x, t, nil))
	w := []float64{0, 0.5}
	fmt.Printf("E = %.4f, gradient %.4f\n", toolkit.Must(e.Value(w)), toolkit.Must(e.Gradient(w)))
	// Output: E = 2.5747, gradient [0.0000 0.1692]
}
