package glm_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// TestSoftmaxMemory checks that a pass with second moments reuses the memory of merged accumulators.
// A pass uses 30 accumulators, each with 10·9/2 pairs of classes and 21·22/2 numbers per pair.
// Without reuse they need at least 2.4 MB.
func TestSoftmaxMemory(t *testing.T) {
	const n, d, k = 40_000, 20, 10
	rng := rand.New(rand.NewPCG(16, 3))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	for i := range labels {
		labels[i] = rng.IntN(k)
	}
	g := glm.NewSoftmax(block.NewDesign(block.NewSource(x), nil, nil), &glm.ClassTargets{K: k, Labels: labels})
	w := make([]float64, g.M)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	g.Evaluate(w, glm.WithGram)
	// The test takes the smallest result of ten passes, because with the race detector a sync.Pool
	// drops some of its items.
	least := math.Inf(1)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g.Evaluate(w, glm.WithGram)
		runtime.ReadMemStats(&after)
		least = min(least, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
	}
	if least > 2 {
		t.Errorf("the cheapest of ten passes after the first allocates %.1f MB, want at most 2 MB because the accumulators are reused",
			least)
	}
}
