package ex22_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// LogEvidence returns the Laplace approximation of ln p(D), the logarithm of the
// evidence of a model with M parameters θ, a number without unit.
//
//   - logLik is the log likelihood ln p(D|θ), logPrior the log prior density
//     ln p(θ), both normalised, as functions of θ (M entries).
//   - mode is θ_MAP, the maximum of the posterior, M entries.
//   - A is the symmetric positive definite M×M matrix −∇∇ ln{p(D|θ)p(θ)} at mode.
//
// The determinant of A may lie outside the range of a float64; the result is
// finite all the same. mode and A stay unchanged.
func LogEvidence(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64 {
	var chol mat.Cholesky
	if !chol.Factorize(A) {
		return math.NaN() // A is not positive definite, mode is no maximum
	}
	occam := float64(len(mode))/2*math.Log(2*math.Pi) - chol.LogDet()/2
	return logLik(mode) + logPrior(mode) + occam
}
