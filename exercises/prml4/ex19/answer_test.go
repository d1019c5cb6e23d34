package ex19_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Gradient returns ∇L(w), M numbers: the gradient of the log likelihood of probit
// regression, p(t=1|a) = Φ(a), a sum over the data.
//
//   - w has M entries, the point at which the derivatives are taken.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of its
//     columns, if there is one).
//   - t has N entries, each 0 or 1.
//
// Activations may be as large as ±30. All entries of the result are finite, and the
// error of each is at most 1e-8 of the largest absolute value of its feature. w,
// Phi and t stay unchanged.
func Gradient(w []float64, Phi *mat.Dense, t []float64) []float64 {
	g := make([]float64, len(w))
	for n := range t {
		phi, s := Phi.RawRowView(n), 2*t[n]-1
		floats.AddScaled(g, s*ratio(s*floats.Dot(w, phi)), phi)
	}
	return g
}

// Hessian returns ∇∇L(w), a new M×M matrix: the second derivatives of the log
// likelihood of probit regression for the targets as observed. The arguments are as
// for Gradient. The error of each entry is at most 1e-8 of the product of the
// largest absolute values of its two features.
func Hessian(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
	H := mat.NewDense(len(w), len(w), nil)
	for n := range t {
		phi := mat.NewVecDense(len(w), Phi.RawRowView(n))
		x := (2*t[n] - 1) * floats.Dot(w, Phi.RawRowView(n))
		m := ratio(x)
		H.RankOne(H, -m*(x+m), phi, phi)
	}
	return H
}

// ratio is N(x|0,1)/Φ(x), the derivative of ln Φ(x).
//
//hyperplane:hidden
func ratio(x float64) float64 {
	density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
	return density / (math.Erfc(-x/math.Sqrt2) / 2)
}

// LogSlope returns d ln Φ(x)/dx, finite for x up to ±30, with an error of at most
// 1e-9·(1 + |x|). (An optional intermediate step, judged by CheckSteps.)
func LogSlope(x float64) float64 {
	return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / (math.Erfc(-x/math.Sqrt2) / 2)
}

// LogBend returns d² ln Φ(x)/dx², finite for x up to ±30, with an error of at most
// 1e-9·(1 + |x|). (An optional intermediate step, judged by CheckSteps.)
func LogBend(x float64) float64 {
	m := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / (math.Erfc(-x/math.Sqrt2) / 2)
	return -m * (x + m)
}
