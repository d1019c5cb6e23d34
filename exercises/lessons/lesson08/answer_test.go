package lesson08_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Step returns the weights after one step of iterative reweighted least squares from w.
//
//   - w has M entries.
//   - Phi is N×M with independent columns, row n the features φ_n (a bias is one of the
//     columns, if there is one).
//   - t has N targets, each 0 or 1.
//
// Activations are within ±15. w, Phi and t stay unchanged.
func Step(w []float64, Phi *mat.Dense, t []float64) []float64 {
	old, next := mat.NewVecDense(len(w), w), mat.NewVecDense(len(w), nil)
	H, v := mat.NewSymDense(len(w), nil), mat.NewVecDense(len(w), nil)
	for n, target := range t {
		phi := Phi.RowView(n)
		a := mat.Dot(old, phi)
		y := 1 / (1 + math.Exp(-a))
		r := y * (1 - y)
		z := a - (y-target)/r
		H.SymRankOne(H, r, phi)
		v.AddScaledVec(v, r*z, phi)
	}
	if err := next.SolveVec(H, v); err != nil {
		panic(err)
	}
	return next.RawVector().Data
}
