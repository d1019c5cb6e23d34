package ex22_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// LogEvidence returns the Laplace approximation of ln p(D), the logarithm of the
// evidence of a model with M parameters θ, a number without unit.
//
//   - logLik is the log likelihood ln p(D|θ), logPrior the log prior density ln
//     p(θ), both normalised, as functions of θ (M entries).
//   - mode is θ_MAP, the maximum of the posterior, M entries.
//   - A is the symmetric positive definite M×M matrix −∇∇ ln{p(D|θ)p(θ)} at mode.
//
// The determinant of A may lie outside the range of a float64; the result must
// still be finite. mode and A stay unchanged.
func LogEvidence(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64 {
	var chol mat.Cholesky
	if !chol.Factorize(A) {
		return math.NaN() // A is not positive definite, so mode is not a maximum
	}
	occam := float64(len(mode))/2*math.Log(2*math.Pi) - chol.LogDet()/2
	return logLik(mode) + logPrior(mode) + occam
}

// Expansion returns the expansion to second order of ln f(θ) about its maximum, at
// the displacement z from the maximum (M entries). height is ln f at the maximum,
// and A is the M×M matrix −∇∇ ln f there. z and A stay unchanged. (An optional
// intermediate step, judged by CheckSteps.)
func Expansion(height float64, A *mat.SymDense, z []float64) float64 {
	v := mat.NewVecDense(len(z), z)
	return height - mat.Inner(v, A, v)/2
}

// LogVolume returns the logarithm of ∫ exp(−½ zᵀAz) dz over all z, for a symmetric
// positive definite M×M matrix A, whose determinant may lie outside the range of a
// float64. A stays unchanged. (An optional intermediate step, judged by
// CheckSteps.)
func LogVolume(A *mat.SymDense) float64 {
	var chol mat.Cholesky
	chol.Factorize(A)
	return float64(A.SymmetricDim())/2*math.Log(2*math.Pi) - chol.LogDet()/2
}
