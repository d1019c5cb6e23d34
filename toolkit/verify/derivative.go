package verify

import (
	"fmt"
	"math"
)

// Derivative estimates f′(x) by central differences with Richardson
// extrapolation (error O(h⁴)); h is a step relative to max(1, |x|), 0 for 1e-3.
// Its relative error is about 1e-11 for smooth functions of size 1. Of a nil f the
// derivative is NaN.
func Derivative(f func(float64) float64, x, h float64) float64 {
	if f == nil {
		return math.NaN()
	}
	if h == 0 {
		h = 1e-3
	}
	h *= math.Max(1, math.Abs(x))
	central := func(h float64) float64 { return (f(x+h) - f(x-h)) / (2 * h) }
	return (4*central(h/2) - central(h)) / 3
}

func noFunction() Finding { return Finding{Note: "a nil function", Miss: math.NaN()} }

// Gradient establishes that g is the gradient of f at w, against central
// differences in every component. The relative tolerance is taken of the largest
// component. f must not keep or change its argument.
func Gradient(f func(w []float64) float64, w, g []float64, tol Tolerance) Finding {
	if f == nil {
		return noFunction()
	}
	if len(g) != len(w) {
		return Finding{Note: fmt.Sprintf("%s where %d belong", count(len(g), "entry", "entries"), len(w)), Miss: math.NaN()}
	}
	want := make([]float64, len(w))
	for i := range w {
		at := append([]float64(nil), w...)
		want[i] = Derivative(func(v float64) float64 { at[i] = v; return f(at) }, w[i], 0)
	}
	return CloseSlice(g, want, tol)
}
