package verify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Derivative estimates f′(x) by central differences with Richardson extrapolation (error O(h⁴)); h
// is a step relative to max(1, |x|), 0 for 1e-3. Its relative error is about 1e-11 for smooth
// functions of size 1. It returns NaN if f is nil.
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

// Gradient establishes that g is the gradient of f at w, against central
// differences in every component. The relative tolerance is taken of the largest
// component. f must not keep or change its argument.
func Gradient(f func(w []float64) float64, w, g []float64, tol Tolerance) Finding {
	if f == nil {
		return wrong("a nil function")
	}
	if n := length(len(g), len(w), "entry", "entries"); !n.OK || len(w) == 0 {
		return n
	}
	return CloseSlice(g, derivatives(func(w []float64) []float64 { return []float64{f(w)} }, w, 1).RawRowView(0), tol)
}

// Jacobian establishes that j, with one row per entry of f and one column per
// entry of w, holds the derivatives ∂f_i/∂w_k at w, against central differences.
// With the gradient of a function for f it checks the Hessian. The relative
// tolerance is taken of the largest entry. f must not keep or change its
// argument, and returns a new slice of the same length each time.
func Jacobian(f func(w []float64) []float64, w []float64, j mat.Matrix, tol Tolerance) Finding {
	if f == nil {
		return wrong("a nil function")
	}
	rows := len(f(slices.Clone(w)))
	if rows == 0 || len(w) == 0 {
		return wrong("a function from %d to %d numbers, which has no derivatives", len(w), rows)
	}
	return CloseMat(j, derivatives(f, w, rows), tol)
}

// derivatives holds ∂f_i/∂w_k for all entries of f at once, by the differences of
// Derivative.
func derivatives(f func(w []float64) []float64, w []float64, rows int) *mat.Dense {
	out := mat.NewDense(rows, len(w), nil)
	for k, v := range w {
		at := func(v float64) []float64 {
			moved := slices.Clone(w)
			moved[k] = v
			return f(moved)
		}
		h := 1e-3 * math.Max(1, math.Abs(v))
		up, down, halfUp, halfDown := at(v+h), at(v-h), at(v+h/2), at(v-h/2)
		for i := range rows {
			wide, narrow := (up[i]-down[i])/(2*h), (halfUp[i]-halfDown[i])/h
			out.Set(i, k, (4*narrow-wide)/3)
		}
	}
	return out
}
