package kernels_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestSoftmaxParts checks values and complements against the other kernels,
// which are tested against 50-digit tables, and complements against 200-bit sums.
func TestSoftmaxParts(t *testing.T) {
	for _, a := range [][]float64{
		{0}, {1, 1}, {0, 800}, {800, 0, -800}, {-800, -800, -800}, {40, 0, 3}, {1e-9, 0}, {-1e300, 1e300, 0}, {1, 2, 3, 4, 5, 4.5},
	} {
		y, c := make([]float64, len(a)), make([]float64, len(a))
		m, l := kernels.SoftmaxParts(y, c, a)
		want, lse := kernels.Softmax(nil, a), kernels.LogSumExp(a)
		if math.Abs(m+l-lse) > 2e-16*math.Abs(lse) {
			t.Errorf("%v: m+l = %v, want %v", a, m+l, lse)
		}
		for k := range a {
			if math.Abs(y[k]-want[k]) > 4e-16*want[k] {
				t.Errorf("%v: y_%d = %v, want %v", a, k, y[k], want[k])
			}
			sum := new(big.Float).SetPrec(200)
			for j, v := range y {
				if j != k {
					sum.Add(sum, big.NewFloat(v))
				}
			}
			other, _ := sum.Float64()
			if math.Abs(c[k]-other) > 1e-15*other {
				t.Errorf("%v: 1−y_%d = %v, the others sum to %v", a, k, c[k], other)
			}
		}
	}
}

func FuzzSoftmaxParts(f *testing.F) {
	f.Add(0.0, 1.0, 2.0)
	f.Add(-800.0, 800.0, 1e-300)
	f.Fuzz(func(t *testing.T, p, q, r float64) {
		a := []float64{p, q, r}
		for _, v := range a {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
		}
		y, c := make([]float64, 3), make([]float64, 3)
		_, l := kernels.SoftmaxParts(y, c, a)
		if !(l >= 0 && l <= math.Log(3)+1e-15) {
			t.Errorf("%v: l = %v", a, l)
		}
		for k := range a {
			if !(y[k] >= 0 && y[k] <= 1) || math.Abs(y[k]+c[k]-1) > 3e-16 {
				t.Errorf("%v: y_%d = %v, complement %v", a, k, y[k], c[k])
			}
		}
	})
}
