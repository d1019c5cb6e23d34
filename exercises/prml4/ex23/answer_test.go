package ex23_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// BIC returns the approximation (4.139) of the log evidence ln p(D): a number on
// the scale of the log likelihood, larger for a better model.
//
//   - logLik is ln p(D|θ_MAP).
//   - M is the number of parameters, N ≥ 1 the number of data points.
func BIC(logLik float64, M, N int) float64 {
	return logLik - float64(M)/2*math.Log(float64(N))
}

// Dropped returns the terms that the BIC leaves out: Laplace's approximation
// (4.137) of ln p(D) for the prior N(θ|m,V0), minus the BIC of the same model. It
// contains no further approximation, even if the prior is not broad.
//
//   - mode is θ_MAP and m the prior's mean, M entries each.
//   - V0 is the prior's covariance, M×M.
//   - H is −∇∇ ln p(D|θ) at mode, without the prior, M×M; for N < M it is singular.
//   - N is the number of data points.
//
// The arguments stay unchanged.
func Dropped(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
	var prior, posterior mat.Cholesky
	prior.Factorize(V0)
	d := mat.NewVecDense(len(m), nil)
	d.SubVec(mat.NewVecDense(len(m), mode), mat.NewVecDense(len(m), m))
	var solved mat.VecDense
	var A mat.SymDense // H + V0⁻¹
	if prior.SolveVecTo(&solved, d) != nil || prior.InverseTo(&A) != nil {
		return math.NaN()
	}
	A.AddSym(&A, H)
	posterior.Factorize(&A)
	M := float64(len(m))
	return -mat.Dot(d, &solved)/2 - prior.LogDet()/2 - posterior.LogDet()/2 + M/2*math.Log(float64(N))
}
