package ex18_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Gradient returns the gradients of the multiclass cross-entropy (4.108) as the
// columns of a new M×K matrix: column j is ∇E with respect to w_j. E is a sum over
// the data, not a mean.
//
//   - W is M×K, column k the weight vector w_k.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of its
//     columns, if there is one).
//   - T is N×K, row n the 1-of-K target of data point n: one 1, the rest 0.
//
// Activations may be as large as ±800. All entries of the result are finite and
// accurate to ten digits of the sum of the |φ| in their column of Φ. W, Phi and T
// stay unchanged.
func Gradient(W, Phi, T *mat.Dense) *mat.Dense {
	var R, G mat.Dense // R is N×K: the activations, then the outputs, then Y − T
	R.Mul(Phi, W)
	n, _ := R.Dims()
	for i := range n {
		row := R.RawRowView(i)
		top := floats.Max(row)
		for k, a := range row {
			row[k] = math.Exp(a - top)
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	R.Sub(&R, T)
	G.Mul(Phi.T(), &R)
	return &G
}
