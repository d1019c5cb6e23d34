package ex05_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// GradientW returns the derivatives of the cross-entropy E, the sum over all points,
// with respect to the matrices W_i of the quadratic discriminants
//
//	g_i(x) = xᵀW_i x + w_iᵀx + w_i0,   y = softmax(g),
//
// K new D×D matrices: entry (j, l) of matrix i is ∂E/∂(W_i)_jl, every entry of W_i
// being free (it need not be symmetric). They are finite, and exact to a millionth
// of Σ|x_j x_l|, also where scores reach ±1000.
//
//   - W holds the K matrices W_i, D×D each; w is D×K, column i the vector w_i; w0 has
//     K entries.
//   - X is N×D, one input per row. R is N×K, row t is 1 in the column of the class of
//     input t, and else 0.
//
// All arguments stay unchanged.
func GradientW(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	n, d := X.Dims()
	k := len(W)
	gradient := make([]*mat.Dense, k)
	for i := range gradient {
		gradient[i] = mat.NewDense(d, d, nil)
	}
	y := make([]float64, k)
	for t := range n {
		x := mat.NewVecDense(d, X.RawRowView(t))
		for i := range k {
			y[i] = mat.Inner(x, W[i], x) + mat.Dot(w.ColView(i), x) + w0[i]
		}
		lse := floats.LogSumExp(y)
		for i := range k {
			y[i] = math.Exp(y[i] - lse)
			gradient[i].RankOne(gradient[i], y[i]-R.At(t, i), x, x)
		}
	}
	return gradient
}

// ByScore returns the derivatives of one point's error −Σ_k r_k ln y_k, y =
// softmax(g), with respect to its K scores g; r is 1 in the place of the point's
// class, and else 0. g and r stay unchanged, and g may be of ±1000. (A step on the
// way, for CheckSteps; you may leave it.)
func ByScore(g, r []float64) []float64 {
	d := make([]float64, len(g))
	lse := floats.LogSumExp(g)
	for i := range g {
		d[i] = math.Exp(g[i]-lse) - r[i]
	}
	return d
}

// ByEntries returns the derivatives of the score xᵀWx + wᵀx + w0 with respect to the
// entries of W, each of them free: a new D×D matrix, entry (j, l) is that by W_jl. x
// has D entries and stays unchanged. (A step on the way, for CheckSteps; you may
// leave it.)
func ByEntries(x []float64) *mat.Dense {
	v := mat.NewVecDense(len(x), x)
	var m mat.Dense
	m.Outer(1, v, v)
	return &m
}
