package kernels_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestProbitParts: the first two against the kernels tested by 50-digit tables;
// the curvature against the continued fraction in 300 bits on the left, and by
// differences of the hazard elsewhere.
func TestProbitParts(t *testing.T) {
	for _, a := range []float64{-1e9, -800, -100, -38, -20.5, -7, -5.001, -5, -4.999, -1, 0, 0.3, 1, 5, 9, 30, 38, 800} {
		l, h, c := kernels.ProbitParts(a)
		if want := kernels.LogNormCDF(a); l != want {
			t.Errorf("ln Φ(%v) = %v, want %v", a, l, want)
		}
		if want := kernels.InverseMills(a); math.Abs(h-want) > 1e-15*want {
			t.Errorf("hazard at %v is %v, want %v", a, h, want)
		}
		if !(c >= 0 && c <= 1) {
			t.Errorf("curvature at %v is %v", a, c)
		}
		if a > -5 {
			const d = 1e-5
			fd := (kernels.InverseMills(a-d) - kernels.InverseMills(a+d)) / (2 * d)
			if math.Abs(fd-c) > 1e-9*c+1e-10 {
				t.Errorf("curvature at %v is %v, the difference quotient %v", a, c, fd)
			}
			continue
		}
		num := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
		f := num(-a)
		for k := 2000; k >= 2; k-- {
			f.Add(num(-a), new(big.Float).Quo(num(float64(k)), f))
		}
		e := new(big.Float).Quo(num(1), f)
		want, _ := new(big.Float).Mul(e, new(big.Float).Add(num(-a), e)).Float64()
		if math.Abs(c-want) > 4e-16*want {
			t.Errorf("curvature at %v is %v, want %v", a, c, want)
		}
	}
	if l, h, c := kernels.ProbitParts(math.Inf(1)); l != 0 || h != 0 || c != 0 {
		t.Errorf("at +Inf: %v %v %v", l, h, c)
	}
	if l, h, c := kernels.ProbitParts(math.Inf(-1)); !math.IsInf(l, -1) || !math.IsInf(h, 1) || c != 1 {
		t.Errorf("at −Inf: %v %v %v", l, h, c)
	}
	if _, _, c := kernels.ProbitParts(math.NaN()); !math.IsNaN(c) {
		t.Errorf("at NaN: %v", c)
	}
}
