package lesson12_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Moderated returns p(C₁|φ,t) ≃ σ(κ(σ_a²)μ_a), the predictive probability of Bayesian
// logistic regression under the Laplace approximation, to nine digits after the point.
//
//   - phi has M entries, the features φ of the new input.
//   - w has M entries, the mode w_MAP of the posterior.
//   - Phi is the design matrix Φ of the data, N×M.
//   - S0 is the covariance of the Gaussian prior, M×M, positive definite.
//
// Activations may be of any size up to ±800. The arguments stay unchanged.
func Moderated(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
	x, mode := mat.NewVecDense(len(phi), phi), mat.NewVecDense(len(w), w)
	var prior, posterior mat.Cholesky
	prior.Factorize(S0)
	A := mat.NewSymDense(len(w), nil)
	prior.InverseTo(A)
	for n := range Phi.RawMatrix().Rows {
		y := 1 / (1 + math.Exp(-mat.Dot(mode, Phi.RowView(n))))
		A.SymRankOne(A, y*(1-y), Phi.RowView(n))
	}
	posterior.Factorize(A)
	var Sx mat.VecDense
	posterior.SolveVecTo(&Sx, x)
	kappa := 1 / math.Sqrt(1+math.Pi*mat.Dot(x, &Sx)/8)
	return 1 / (1 + math.Exp(-kappa*mat.Dot(mode, x)))
}
