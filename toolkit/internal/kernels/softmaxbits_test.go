package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSoftmaxBits: each probability is exp(a_k−m)/(1+rest), bit for bit, also in place.
func TestSoftmaxBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 104))
	for k := 1; k < 8; k++ {
		for range 100 {
			a := make([]float64, k)
			for i := range a {
				a[i] = 10 * rng.NormFloat64()
			}
			m, rest := shifted(a)
			y := Softmax(nil, a)
			for i, v := range a {
				if want := math.Exp(v-m) / (1 + rest); y[i] != want {
					t.Fatalf("class %d of %v: %v, want %v", i, a, y[i], want)
				}
			}
			Softmax(a, a)
			for i := range a {
				if a[i] != y[i] {
					t.Fatalf("in place %v, else %v", a, y)
				}
			}
		}
	}
	for i, v := range Softmax(nil, []float64{1, math.NaN(), math.Inf(1)}) {
		if !math.IsNaN(v) {
			t.Errorf("class %d beside a NaN: %v", i, v)
		}
	}
}
