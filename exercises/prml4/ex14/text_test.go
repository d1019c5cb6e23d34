package ex14_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Newton's steps on the separable data of the text: after the first, the
// lengths that they add grow and become equal, one over the least margin.
func TestNewtonStepsBecomeEqual(t *testing.T) {
	Phi := mat.NewDense(6, 2, []float64{1, -2, 1, -1, 1, -0.5, 1, 0.5, 1, 1, 1, 2})
	E := func(c float64) float64 { return ErrorAlong([]float64{0, 1}, Phi, []float64{0, 0, 0, 1, 1, 1}, c) }
	c, before := 0.0, 0.0
	for step := range 8 {
		const h = 1e-3
		added := -(E(c+h) - E(c-h)) / (2 * h) / ((E(c+h) - 2*E(c) + E(c-h)) / (h * h))
		if step > 1 && added <= before {
			t.Errorf("step %d adds %.4f, the one before %.4f", step, added, before)
		}
		if step == 1 && math.Abs(added-1.095) > 0.001 || step == 7 && math.Abs(added-2) > 0.01 {
			t.Errorf("step %d adds %.4f, want 1.095 at step 1 and nearly 2 at step 7", step, added)
		}
		c, before = c+added, added
	}
}

// Quasi-separable data have no minimum: from every w the error falls strictly along
// the direction that leaves some points on the boundary and all others right.
func TestQuasiSeparableFallsFromEverywhere(t *testing.T) {
	Phi := mat.NewDense(4, 2, []float64{1, 0, 1, 0, 1, 1, 1, -1}) // two points at 0, of both classes
	targets := []float64{1, 0, 1, 0}
	if _, ok := SeparatingDirection(Phi, targets); ok {
		t.Fatal("the data are separable")
	}
	r := rand.New(rand.NewPCG(4, 14))
	for range 50 {
		w := []float64{3 * r.NormFloat64(), 3 * r.NormFloat64()}
		last := ErrorAlong(w, Phi, targets, 1)
		for _, c := range []float64{0.5, 1, 2, 4, 8} {
			e := ErrorAlong([]float64{w[0], w[1] + c}, Phi, targets, 1)
			if e >= last {
				t.Errorf("from w = %.3f, E(w+%g·u) = %g is not below %g", w, c, e, last)
			}
			last = e
		}
	}
	if e := ErrorAlong([]float64{0, 1}, Phi, targets, 500); math.Abs(e-2*math.Ln2) > 1e-12 {
		t.Errorf("far out E is %g, want ln 2 for each point on the boundary", e)
	}
}
