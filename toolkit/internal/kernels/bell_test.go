package kernels

import (
	"math"
	"testing"
)

func TestBell(t *testing.T) {
	for _, c := range []struct{ r2, want float64 }{
		{0, 1},
		{2, 1 / math.E},
		{1e-300, 1},
		{1600, 0}, // exp(−800) is below the smallest number
		{math.Inf(1), 0},
	} {
		if got := Bell(c.r2); math.Abs(got-c.want) > 1e-16 {
			t.Errorf("Bell(%v) = %v, want %v", c.r2, got, c.want)
		}
	}
	// The ratio to the normal density is √(2π) at every distance.
	for _, a := range []float64{0.1, 1, 5, 20} {
		if got, want := Bell(a*a), NormPDF(a)/NormPDF(0); math.Abs(got/want-1) > 1e-13 {
			t.Errorf("Bell(%v²) = %v, want %v", a, got, want)
		}
	}
}
