package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Jacobian establishes that j, with one row per entry of f and one column per
// entry of w, holds the derivatives ∂f_i/∂w_k at w, against central differences.
// With the gradient of a function for f it checks the Hessian. The relative
// tolerance is taken of the largest entry. f must not keep or change its
// argument, and returns a new slice of the same length each time.
func Jacobian(f func(w []float64) []float64, w []float64, j mat.Matrix, tol Tolerance) Finding {
	if f == nil {
		return noFunction()
	}
	rows := len(f(append([]float64(nil), w...)))
	if rows == 0 || len(w) == 0 {
		return Finding{Note: fmt.Sprintf("a function from %d to %d numbers, which has no derivatives", len(w), rows), Miss: math.NaN()}
	}
	want := mat.NewDense(rows, len(w), nil)
	for k := range w {
		// The step and the extrapolation of Derivative, for all entries of f at once.
		h := 1e-3 * math.Max(1, math.Abs(w[k]))
		wide, narrow := central(f, w, k, h), central(f, w, k, h/2)
		for i := range rows {
			want.Set(i, k, (4*narrow[i]-wide[i])/3)
		}
	}
	return CloseMat(j, want, tol)
}

// central is (f(w + h·e_k) − f(w − h·e_k)) / 2h.
func central(f func(w []float64) []float64, w []float64, k int, h float64) []float64 {
	at := append([]float64(nil), w...)
	at[k] = w[k] + h
	up := f(at)
	at = append([]float64(nil), w...)
	at[k] = w[k] - h
	down := f(at)
	out := make([]float64, len(up))
	for i := range out {
		out[i] = (up[i] - down[i]) / (2 * h)
	}
	return out
}
