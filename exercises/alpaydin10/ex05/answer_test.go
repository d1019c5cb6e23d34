package ex05_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// GradientW returns the derivatives of the cross-entropy E, the sum over all
// points, with respect to the matrices W_i of the quadratic discriminants
//
//	g_i(x) = xᵀW_i x + w_iᵀx + w_i0,   y = softmax(g),
//
// as K new D×D matrices. Entry (j, l) of matrix i is ∂E/∂(W_i)_jl, where every
// entry of W_i is free (W_i need not be symmetric). The entries are finite and
// accurate to a millionth of Σ|x_j x_l|, even if scores reach ±1000.
//
//   - W contains the K matrices W_i, D×D each; w is D×K, column i the vector w_i;
//     w0 has K entries.
//   - X is N×D, one input per row. R is N×K; row t is 1 in the column of the class
//     of input t, and 0 elsewhere.
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
// softmax(g), with respect to its K scores g. r is 1 for the point's class and 0
// otherwise. Scores may be as large as ±1000. g and r stay unchanged. (An optional
// intermediate step, judged by CheckSteps.)
func ByScore(g, r []float64) []float64 {
	d := make([]float64, len(g))
	lse := floats.LogSumExp(g)
	for i := range g {
		d[i] = math.Exp(g[i]-lse) - r[i]
	}
	return d
}

// ByEntries returns the derivatives of the score xᵀWx + wᵀx + w0 with respect to
// the entries of W, each of them free, as a new D×D matrix. Entry (j, l) is the
// derivative with respect to W_jl. x has D entries and stays unchanged. (An
// optional intermediate step, judged by CheckSteps.)
func ByEntries(x []float64) *mat.Dense {
	v := mat.NewVecDense(len(x), x)
	var m mat.Dense
	m.Outer(1, v, v)
	return &m
}
