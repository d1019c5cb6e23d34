package ex13_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Gradient returns ∇E(w), M numbers: the gradient of the cross-entropy (4.90) of
// logistic regression, which is a sum over the data, not a mean.
//
//   - w has M entries, the point at which the gradient is taken.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of its
//     columns, if there is one).
//   - t has N entries, each 0 or 1.
//
// Activations may be of any size up to ±800. All entries of the result are finite,
// and the error of each is at most 1e-9 of the largest entry of its column of Φ. w,
// Phi and t stay unchanged.
func Gradient(w []float64, Phi *mat.Dense, t []float64) []float64 {
	g := make([]float64, len(w))
	for n := range t {
		phi := Phi.RawRowView(n)
		y := 1 / (1 + math.Exp(-floats.Dot(w, phi)))
		floats.AddScaled(g, y-t[n], phi)
	}
	return g
}

// ByOutput returns dE_n/dy, the derivative of one point's error −t ln y − (1−t)
// ln(1−y) with respect to its output y, 0 < y < 1, for a target t of 0 or 1, to
// nine digits. (An optional intermediate step, judged by CheckSteps.)
func ByOutput(y, t float64) float64 {
	return (y - t) / (y * (1 - y))
}

// ByActivation returns dE_n/da, the derivative of one point's error (see ByOutput)
// with respect to its activation a, where y = σ(a), for a target t of 0 or 1. It is
// finite for a up to ±800, with an error of at most 1e-9. (An optional intermediate
// step, judged by CheckSteps.)
func ByActivation(a, t float64) float64 {
	return 1/(1+math.Exp(-a)) - t
}
