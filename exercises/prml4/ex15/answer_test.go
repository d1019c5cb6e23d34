package ex15_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Hessian returns the second derivatives of the cross-entropy E(w) of logistic
// regression, (4.90), as a new M×M matrix.
//
//   - w has M entries, the point at which the derivatives are taken.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of its
//     columns, if there is one).
//
// Activations may be of any size, ±800 and beyond. All entries of the result are
// finite, and the error of each is at most 1e-9 of the largest product of its two
// features. w and Phi stay unchanged.
func Hessian(w []float64, Phi *mat.Dense) *mat.Dense {
	n, m := Phi.Dims()
	h := mat.NewDense(m, m, nil)
	for i := range n {
		phi := Phi.RawRowView(i)
		// R_nn = y(1−y) = σ(a)σ(−a), the same for a and −a; exp never overflows
		e := math.Exp(-math.Abs(floats.Dot(w, phi)))
		r := e / ((1 + e) * (1 + e))
		v := mat.NewVecDense(m, phi)
		h.RankOne(h, r, v, v)
	}
	return h
}

// NullDirection looks for a direction u ≠ 0, M entries, along which E(w + cu) does
// not depend on the number c, for any w and any targets. If there is one, it
// returns the direction with ok = true; length and sign of u are free. Otherwise it
// returns ok = false and any u. Phi is N×M, and N may be smaller than M. The
// entries of Phi may be large, small, or all 0. Phi stays unchanged.
func NullDirection(Phi *mat.Dense) (u []float64, ok bool) {
	_, m := Phi.Dims()
	var svd mat.SVD
	if !svd.Factorize(Phi, mat.SVDFullV) {
		panic("the singular values were not found")
	}
	if svd.Rank(1e-10) == m {
		return nil, false
	}
	var v mat.Dense // M×M, columns in descending order of the singular values
	svd.VTo(&v)
	return mat.Col(nil, m-1, &v), true
}

// Weight returns the second derivative of one point's error −t ln y − (1−t)
// ln(1−y), y = σ(a), with respect to its activation a. It is the same for both
// targets and finite for a up to ±800, with an error of at most 1e-9. (An optional
// intermediate step, judged by CheckSteps.)
func Weight(a float64) float64 {
	e := math.Exp(-math.Abs(a))
	return e / ((1 + e) * (1 + e))
}

// Curvature returns uᵀHu for a direction u, M entries: the curvature of E(w + cu)
// at c = 0. It is a sum over the points, so you need not compute H itself. w and
// Phi are as in Hessian; all stay unchanged. (An optional intermediate step, judged
// by CheckSteps.)
func Curvature(u, w []float64, Phi *mat.Dense) float64 {
	var a, s mat.VecDense // a and s have N entries, wᵀφ_n and uᵀφ_n
	a.MulVec(Phi, mat.NewVecDense(len(w), w))
	s.MulVec(Phi, mat.NewVecDense(len(u), u))
	sum := 0.0
	for n := range s.Len() {
		sum += Weight(a.AtVec(n)) * s.AtVec(n) * s.AtVec(n)
	}
	return sum
}
