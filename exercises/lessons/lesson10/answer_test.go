package lesson10_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Gradient returns ∇E(w), M numbers, of E(w) = −ln p(t|w) for labels that are wrong
// with probability eps: a sum over the data, not a mean.
//
//   - w has M entries, the point at which the gradient is taken.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n.
//   - t has N entries, each 0 or 1, the labels that were observed.
//   - eps is ε, from 0.01 to 0.49.
//
// Activations may be of any size up to ±800; the result is finite, and each entry is
// right to 1e-9, relative to the largest number in that column of Φ. w, Phi and t
// stay unchanged.
func Gradient(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
	g := make([]float64, len(w))
	for n := range t {
		phi := Phi.RawRowView(n)
		s := 1 / (1 + math.Exp(-floats.Dot(w, phi)))
		y := eps + (1-2*eps)*s
		slope := (1 - 2*eps) * s * (1 - s)
		floats.AddScaled(g, (y-t[n])/(y*(1-y))*slope, phi)
	}
	return g
}
