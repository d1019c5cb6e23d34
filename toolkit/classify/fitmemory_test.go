//go:build !race

// The build tag excludes this file if the race detector is on. A sync.Pool then drops items at random,
// so fits allocate more memory.

package classify_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestFitCopiesNothing checks that a fit does not copy rows or targets. If rows are added, a fit
// must allocate at most 6 bytes for each added row. A copy of the targets alone would need 8 bytes
// per row.
func TestFitCopiesNothing(t *testing.T) {
	const n, d = 20_000, 3
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // disable garbage collection, because it empties the pools
	allocated := func(rows int, fit string) float64 {
		x, target := twoClouds(rows, d, 0)
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
			_, err = classify.FitBayesLogistic(x, target,
				classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
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
	// Use the run that allocates least, because later runs reuse scratch memory.
	least := func(rows int, fit string) float64 {
		a := allocated(rows, fit)
		for range 4 {
			a = min(a, allocated(rows, fit))
		}
		return a
	}
	for _, fit := range []string{"logistic", "probit", "Laplace", "softmax", "least squares"} {
		if more := least(2*n, fit) - least(n, fit); more > 6*n {
			t.Errorf("%s: with %d additional rows the fit allocates %.0f more bytes, want at most %d (6 per row)", fit, n, more, 6*n)
		}
	}
}
