package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// ConvolveProbit returns the integral of PRML (4.152) in closed form,
//
//	∫ Φ(λa) N(a|μ, σ²) da = Φ(λμ/√(1 + λ²σ²)),
//
// for a mean μ, a variance σ² ≥ 0 and any λ. The book's form Φ(μ/√(λ⁻² + σ²)) is correct only for λ
// > 0. For λ < 0 the book's form is 1 minus the integral (erratum P31). For a negative variance or
// a NaN argument, ConvolveProbit returns NaN.
//
// Equations: PRML (4.152).
func ConvolveProbit(lambda, mu, variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	// Hypot avoids the overflow of λ²σ²
	return kernels.NormCDF(lambda * (mu / math.Hypot(1, lambda*math.Sqrt(variance))))
}

// ConvolveSigmoid returns ∫ σ(a) N(a|μ, σ²) da, PRML (4.151), to a relative error of about 10⁻¹³
// for any mean and any variance ≥ 0. The integral has no closed form. (4.153) approximates it by
// σ(Kappa(σ²)μ); see ModeratedSigmoid. For a negative variance or a NaN argument, ConvolveSigmoid
// returns NaN.
//
// Equations: PRML (4.146), (4.147), (4.151).
func ConvolveSigmoid(mu, variance float64) float64 {
	p, _ := kernels.SigmoidGaussian(mu, math.Sqrt(variance))
	return p
}

// ModeratedSigmoid returns σ(κ(σ²)μ), the approximation (4.153) of
// ConvolveSigmoid.
//
// Equations: PRML (4.153).
func ModeratedSigmoid(mu, variance float64) float64 {
	return kernels.Sigmoid(Kappa(variance) * mu)
}

// Kappa returns κ(σ²) = (1 + πσ²/8)^(−1/2), PRML (4.154). Multiplying the activation by κ accounts
// for the uncertainty of the activation and moves the posterior towards ½. Kappa returns NaN for a
// negative variance.
//
// Equations: PRML (4.154).
func Kappa(variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	return 1 / math.Hypot(1, math.Sqrt(math.Pi/8)*math.Sqrt(variance))
}
