package glm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// TestFlipLoss compares one call of Eval for all rows with a call of Row for each row. Some cases
// have too few rows for vector instructions, and the other cases have enough.
func TestFlipLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 117))
	for _, ε := range []float64{0, 1e-9, 0.1, 0.4} {
		for _, n := range []int{1, 5, 63, 64, 101} {
			l := glm.FlipLoss{Eps: ε}
			a, target, d1, d2 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], target[i] = 10*rng.NormFloat64(), []float64{0, 1, rng.Float64()}[rng.IntN(3)]
			}
			a[n/2] = 800
			var want, size float64
			e := l.Eval(a, target, d1, d2)
			for i, v := range a {
				r := l.Row(v, target[i])
				want, size = want+r.E, size+math.Abs(r.E)
				if math.Abs(d1[i]-r.A) > 4e-15*math.Max(math.Abs(r.A), target[i]*(1-target[i])) ||
					math.Abs(d2[i]-r.Expected) > 8e-15*r.Expected {
					t.Errorf("ε = %v: the derivatives are %v, %v at a = %v, t = %v, want %v, %v as for a single row",
						ε, d1[i], d2[i], v, target[i], r.A,
						r.Expected)
				}
			}
			if math.Abs(e-want) > 1e-14*size {
				t.Errorf("ε = %v: the loss of %d rows is %v, want %v, the sum of the losses of the single rows", ε, n, e, want)
			}
		}
	}
}
