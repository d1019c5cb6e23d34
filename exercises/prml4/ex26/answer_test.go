package ex26_test

import "math"

// Convolve returns the integral of Φ(λa) N(a|μ,σ²) over all a, a number from 0 to
// 1 without unit.
//
//   - mu is the Gaussian's mean μ, any finite number.
//   - sigma2 is its variance σ² ≥ 0; for 0 the Gaussian is a point mass at μ.
//   - lambda is the scale λ > 0 of the probit function.
//
// It is right to 9 decimals.
func Convolve(mu, sigma2, lambda float64) float64 {
	s := math.Sqrt(1/(lambda*lambda) + sigma2) // (λ⁻²+σ²)^½
	return math.Erfc(-mu/(s*math.Sqrt2)) / 2
}

// DerivativeMu returns the derivative of that integral with respect to μ, for the
// same arguments.
func DerivativeMu(mu, sigma2, lambda float64) float64 {
	s := math.Sqrt(1/(lambda*lambda) + sigma2)
	u := mu / s
	return math.Exp(-u*u/2) / (s * math.Sqrt(2*math.Pi))
}
