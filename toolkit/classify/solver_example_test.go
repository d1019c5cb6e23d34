package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Alpaydin's figure 10.7: the line after 10, 100 and 1000 iterations of gradient
// descent from small random weights. The weights go on growing long after the
// last misclassified row.
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

// Patterns one at a time: a constant rate ends near the optimum, and the corrected
// steps at it.
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

func ExampleCoordinateAscent() {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	t := []float64{0, 1, 0, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{
		Solver: classify.CoordinateAscent{Rate: 0.2, EveryUpdate: true}, Start: []float64{1, 0}, MaxIterations: 2,
	}))
	for _, s := range m.Trace {
		fmt.Printf("w = %.3f, E = %.4f\n", s.W, s.E)
	}
	// Output:
	// w = [1.000 0.000], E = 3.2530
	// w = [0.815 0.000], E = 3.0960
	// w = [0.815 0.200], E = 2.9384
	// w = [0.664 0.200], E = 2.8337
	// w = [0.664 0.311], E = 2.7855
}

// Stopping early on rows kept out of the fit.
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
	// stopped early after 9 iterations of L-BFGS: the held-out error has not fallen for 3; W are the weights of iteration 6
}
