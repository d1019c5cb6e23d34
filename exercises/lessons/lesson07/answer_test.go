package lesson07_test

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Epoch returns the weights of logistic regression after one epoch: it presents
// each pattern once, in the order of the rows.
//
//   - w has M entries.
//   - Phi is N×M, row n the features φ_n (a bias is one of its columns, if there is
//     one).
//   - t has N targets, each 0 or 1; eta > 0 is the rate.
//
// Activations may be as large as ±800. w, Phi and t stay unchanged.
func Epoch(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
	next := slices.Clone(w)
	for n, target := range t {
		phi := Phi.RawRowView(n)
		y := 1 / (1 + math.Exp(-floats.Dot(next, phi)))
		floats.AddScaled(next, eta*(target-y), phi)
	}
	return next
}
