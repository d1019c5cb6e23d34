//go:build !race

// Under the race detector a sync.Pool loses some of what it is given, at random.

package classify_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestFitCopiesNothing: a fit copies neither rows nor targets, so that more rows allocate
// little more: a copy of the targets alone has 8 bytes for each.
func TestFitCopiesNothing(t *testing.T) {
	const n, d = 20_000, 3
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	allocated := func(rows int, fit string) float64 {
		x, target := mingled(rows, d, 0)
		labels := make([]int, rows)
		for i, v := range target {
			labels[i] = int(v)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var err error
		switch fit {
		case "logistic":
			_, err = classify.FitLogistic(x, target, classify.LogisticOptions{})
		case "probit":
			_, err = classify.FitProbit(x, target, classify.ProbitOptions{})
		case "Laplace":
			_, err = classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		case "softmax":
			_, err = classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{})
		case "least squares":
			_, err = classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{})
		}
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	least := func(rows int, fit string) float64 { // of some, which find the scratch memory of others
		a := allocated(rows, fit)
		for range 4 {
			a = min(a, allocated(rows, fit))
		}
		return a
	}
	for _, fit := range []string{"logistic", "probit", "Laplace", "softmax", "least squares"} {
		if more := least(2*n, fit) - least(n, fit); more > 6*n {
			t.Errorf("%s: %d rows more allocate %.0f bytes more, allowed are 6 for each", fit, n, more)
		}
	}
}
