package ex04_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Direction returns the vector w of length 1, D entries, on which the projected
// class means are as far apart as possible: wᵀ(m2 − m1) is largest, with class 2
// on the positive side.
//
//   - X1 is N1×D, the points of class 1, one per row.
//   - X2 is N2×D, the points of class 2.
//
// The two class means are different. X1 and X2 stay unchanged.
func Direction(X1, X2 *mat.Dense) []float64 {
	mean := func(X *mat.Dense) []float64 {
		n, d := X.Dims()
		m := make([]float64, d)
		for i := range n {
			floats.AddScaled(m, 1/float64(n), X.RawRowView(i))
		}
		return m
	}
	w := mean(X2)
	floats.Sub(w, mean(X1))
	floats.Scale(1/floats.Norm(w, 2), w)
	return w
}
