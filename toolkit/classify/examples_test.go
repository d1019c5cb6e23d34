package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
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

// A plane separates setosa from the other species, so the likelihood has no maximum. The model
// reports this in its field Separable. A prior gives finite weights.
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

func ExampleFitSoftmax() {
	iris := toolkit.Must(datasets.Iris().Columns("sepal_width", "petal_width"))
	prior := classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}
	m := toolkit.Must(classify.FitSoftmax(iris.X, iris.Labels, iris.K(), prior))
	fmt.Println(m.Converged, m.Trace[m.Iterations].Misclassified, "rows wrong")
	ref := toolkit.Must(m.Reference(2))
	fmt.Printf("setosa against virginica     %.2f\n", mat.Col(nil, 0, ref.W))
	fmt.Printf("versicolor against virginica %.2f\n", mat.Col(nil, 1, ref.W))
	// Output:
	// true 7 rows wrong
	// setosa against virginica     [3.50 5.54 -15.69]
	// versicolor against virginica [6.71 2.74 -8.92]
}

func ExampleFitSoftmaxTargets() {
	// Each row has three votes for classes. The target of a class is its share of the three votes.
	x := mat.NewDense(4, 1, []float64{-1, 0, 1, 2})
	t := mat.NewDense(4, 3, []float64{
		1, 0, 0,
		2. / 3, 1. / 3, 0,
		1. / 3, 1. / 3, 1. / 3,
		0, 1. / 3, 2. / 3,
	})
	m := toolkit.Must(classify.FitSoftmaxTargets(x, t, classify.SoftmaxOptions{}))
	fmt.Printf("%.2f\n", mat.Formatted(toolkit.Must(m.Posterior(x))))
	// Output:
	// ⎡0.96  0.04  0.00⎤
	// ⎢0.77  0.21  0.03⎥
	// ⎢0.25  0.47  0.27⎥
	// ⎣0.02  0.28  0.70⎦
}

func ExampleFitProbit() {
	two := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.FitProbit(two.X, t, classify.ProbitOptions{}))
	observed := toolkit.Must(m.StandardErrors())
	expected := toolkit.Must(m.ExpectedStandardErrors(two.X))
	for i, w := range m.W {
		fmt.Printf("w%d = %7.3f ± %.3f (expected %.3f)\n", i, w, observed[i], expected[i])
	}
	// Output:
	// w0 =  23.985 ± 14.443 (expected 13.844)
	// w1 =   1.440 ± 1.336 (expected 1.272)
	// w2 =   3.778 ± 2.578 (expected 2.556)
	// w3 =  -5.316 ± 2.508 (expected 2.436)
	// w4 = -10.486 ± 5.519 (expected 5.615)
}

// One row lies far from the boundary on the wrong side. It makes the weight of x negative in the
// logistic model. The label-flip model treats the row as mislabelled, so in this model the weight
// of x stays positive.
func ExampleFitLabelFlip() {
	x := mat.NewDense(9, 1, []float64{-3, -2, -1, 0.5, -0.5, 1, 2, 3, 60})
	t := []float64{0, 0, 0, 0, 1, 1, 1, 1, 0}
	logistic := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{}))
	flip := toolkit.Must(classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05, Start: []float64{0, 1}}))
	fmt.Printf("logistic   %.2f\n", logistic.W)
	fmt.Printf("label flip %.2f %v\n", flip.W, flip.Converged)
	// Output:
	// logistic   [-0.05 -0.04]
	// label flip [0.00 1.51] true
}

func ExampleFitGLM() {
	// The targets are counts. If x grows by 1, the count doubles.
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	t := []float64{1, 2, 4, 8, 16}
	m := toolkit.Must(classify.FitGLM(x, t, classify.PoissonTarget{}, classify.GLMOptions{}))
	fmt.Printf("%.3f %.3f\n", m.W, toolkit.Must(m.Mean(mat.NewDense(1, 1, []float64{5}))))
	// Output: [0.000 0.693] [32.000]
}

func ExampleFitSigmoidSquares() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	o := classify.SigmoidSquaresOptions{Seed: 1, Prior: classify.Isotropic{Alpha: 1e-3}}
	m := toolkit.Must(classify.FitSigmoidSquares(iris.X, iris.Labels, iris.K(), o))
	for k, out := range m.Outputs {
		fmt.Println(iris.ClassNames[k], out.Converged, out.Trace[len(out.Trace)-1].Misclassified)
	}
	// Output:
	// setosa true 0
	// versicolor true 33
	// virginica true 6
}

func ExampleFitQuadraticLogistic() {
	// One class lies inside the other, so a line cannot separate the classes, but an ellipse can.
	x := mat.NewDense(8, 2, []float64{0, 0.5, 0.5, 0, -0.5, 0, 0, -0.5, 2, 0, 0, 2, -2, 0, 0, -2})
	labels := []int{0, 0, 0, 0, 1, 1, 1, 1}
	m := toolkit.Must(classify.FitQuadraticLogistic(x, labels, 2,
		classify.QuadraticLogisticOptions{Lambda: 0.1, Alpha: 0.1}))
	w, _, w0, _ := m.Coefficients(0)
	fmt.Printf("%.2f %+.2f(x1² + x2²), %v\n", w0, w.At(0, 0), toolkit.Must(m.Predict(x)))
	// Output: 2.32 -1.09(x1² + x2²), [0 0 0 0 1 1 1 1]
}

// The example follows Alpaydin's figure 10.7. Gradient descent begins at small random weights. The
// example shows the fit at the start, and after 10, 100 and 1000 iterations. The weights keep growing
// even when no row is misclassified any more.
func ExampleGradientDescent() {
	x := mat.NewDense(8, 1, []float64{0.5, 1, 1.2, 2, 2.4, 3, 3.5, 4})
	t := []float64{0, 0, 0, 0, 1, 1, 1, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{
		Solver:        classify.GradientDescent{Rate: 0.1, SmallStart: true, Seed: 1, Every: 1},
		MaxIterations: 1000,
	}))
	for _, n := range []int{0, 10, 100, 1000} {
		s := m.Trace[n]
		fmt.Printf("%4d: w = %6.2f, E = %.3f, %d rows wrong\n", s.Iteration, s.W[1], s.E, s.Misclassified)
	}
	fmt.Println("separable:", m.Separable)
	// Output:
	//    0: w =   0.00, E = 5.525, 4 rows wrong
	//   10: w =   0.72, E = 3.525, 1 rows wrong
	//  100: w =   2.29, E = 1.401, 0 rows wrong
	// 1000: w =   5.40, E = 0.608, 0 rows wrong
	// separable: true
}

// The solver Sequential updates the weights after each pattern. In this example its rate is constant.
// Without the option Corrected, the weights then only come near the optimum. With Corrected, they reach
// the optimum.
func ExampleSequential() {
	two := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(two.Target("versicolor"))
	z := toolkit.Must(classify.Features(two.X, toolkit.Must(classify.BasisStandard(two.X))))
	prior := classify.Isotropic{Alpha: 1}
	newton := toolkit.Must(classify.FitLogistic(z, t, classify.LogisticOptions{Prior: prior}))
	fmt.Printf("Newton:    %.3f\n", newton.W)
	for _, corrected := range []bool{false, true} {
		m := toolkit.Must(classify.FitLogistic(z, t, classify.LogisticOptions{
			Prior:  prior,
			Solver: classify.Sequential{Rate: 0.02, Shuffle: true, Seed: 1, Corrected: corrected},
		}))
		fmt.Printf("corrected %v: %.3f, converged %v\n", corrected, m.W, m.Converged)
	}
	// Output:
	// Newton:    [-0.088 0.281 0.593 -2.213 -2.388]
	// corrected false: [-0.090 0.290 0.600 -2.214 -2.388], converged false
	// corrected true: [-0.088 0.281 0.593 -2.213 -2.388], converged true
}

// The fit stops early, when the error on held-out rows stops falling.
func ExampleLBFGS() {
	two := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	train, held, err := two.Split(0.5, 1)
	if err != nil {
		panic(err)
	}
	stop := classify.Stopping{X: held.X, T: toolkit.Must(held.Target("versicolor")), Patience: 3}
	m := toolkit.Must(classify.FitLogistic(train.X, toolkit.Must(train.Target("versicolor")), classify.LogisticOptions{
		Solver: classify.LBFGS{Stop: stop},
	}))
	fmt.Println(m.Reason)
	// Output:
	// stopped early after 9 iterations of L-BFGS: the held-out error has not fallen for 3 iterations; W are the weights of iteration 6
}
