package kernels

import (
	"math"
	"testing"
)

// TestJaakkola: the values are tanh(ξ/2)/(4ξ) and ln σ(ξ) − ξ/2 + ξ tanh(ξ/2)/4 by
// mpmath with 40 digits.
func TestJaakkola(t *testing.T) {
	for _, c := range []struct{ xi, lambda, c float64 }{
		{0, 0.125, -0.69314718055994530942},
		{5e-5, 0.12499999997395833334, -0.69314718055994530945},
		{9.99e-5, 0.1249999998960415626, -0.69314718055994530994},
		{1.01e-4, 0.12499999989373958344, -0.69314718055994530996},
		{0.01, 0.12499895834374989459, -0.69314718061202794831},
		{1, 0.11552928931500243963, -0.69773239820322039442},
		{3, 0.075429021137072203187, -0.86972616134009223008},
		{40, 0.0062499999999999999469, -10.000000000000000089},
		{800, 0.0003125, -200},
		{1e150, 2.5e-151, -2.5e149},
	} {
		l, k := Jaakkola(c.xi)
		if math.Abs(l-c.lambda) > 4e-16*c.lambda || math.Abs(k-c.c) > 4e-16*math.Abs(c.c) {
			t.Errorf("Jaakkola(%v) = %v, %v, want %v, %v", c.xi, l, k, c.lambda, c.c)
		}
	}
	if l, k := Jaakkola(math.NaN()); !math.IsNaN(l) || !math.IsNaN(k) {
		t.Errorf("Jaakkola(NaN) = %v, %v", l, k)
	}
}

// TestJaakkolaBound: below ln σ(a) everywhere, and equal to it at ±ξ.
func TestJaakkolaBound(t *testing.T) {
	for _, xi := range []float64{0, 1e-6, 0.3, 2, 10, 50} {
		l, c := Jaakkola(xi)
		for a := -60.0; a <= 60; a += 0.25 {
			if gap := LogSigmoid(a) - (a/2 - l*a*a + c); gap < -1e-13*(1+math.Abs(a)) {
				t.Errorf("ξ = %v: above ln σ(%v) by %v", xi, a, -gap)
			}
		}
		for _, a := range []float64{xi, -xi} {
			if gap := LogSigmoid(a) - (a/2 - l*a*a + c); math.Abs(gap) > 1e-13*(1+xi) {
				t.Errorf("ξ = %v: %v away from ln σ(%v)", xi, gap, a)
			}
		}
	}
}
