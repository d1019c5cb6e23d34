package ex26_test

import "math"

// Convolve returns the integral of Φ(λa) N(a|μ,σ²) over all a, a number from 0 to 1
// without unit.
//
//   - mu is the Gaussian's mean μ, from −1000 to 1000.
//   - sigma2 is its variance σ², from 0 to 10⁴; for 0 the Gaussian is a point mass
//     at μ.
//   - lambda is the scale λ of the probit function, from 0.01 to 100.
//
// Its error is at most 1e-8.
func Convolve(mu, sigma2, lambda float64) float64 {
	s := math.Sqrt(1/(lambda*lambda) + sigma2) // (λ⁻²+σ²)^½
	return math.Erfc(-mu/(s*math.Sqrt2)) / 2
}

// DerivativeMu returns the derivative with respect to μ of the integral of
// Convolve, for the same arguments. Its error is at most 1e-8 of its largest value,
// which it has at μ = 0.
func DerivativeMu(mu, sigma2, lambda float64) float64 {
	s := math.Sqrt(1/(lambda*lambda) + sigma2)
	u := mu / s
	return math.Exp(-u*u/2) / (s * math.Sqrt(2*math.Pi))
}

// Integrand returns the derivative with respect to μ of Φ(λμ+λσz) N(z|0,1), the
// integrand over z after the substitution a = μ+σz. mu, sigma2 and lambda are as in
// Convolve; z is any number. (An optional intermediate step, judged by CheckSteps.)
func Integrand(mu, sigma2, lambda, z float64) float64 {
	u := lambda * (mu + math.Sqrt(sigma2)*z)
	return lambda / (2 * math.Pi) * math.Exp(-u*u/2-z*z/2)
}

// Square completes the square in the exponent of the derivative that Integrand
// returns. It returns the three numbers for which λ²(μ+σz)² + z² = c(z−centre)² +
// rest for every z. (An optional intermediate step, judged by CheckSteps.)
func Square(mu, sigma2, lambda float64) (c, centre, rest float64) {
	l2 := lambda * lambda
	c = 1 + l2*sigma2
	centre = -l2 * mu * math.Sqrt(sigma2) / c
	rest = l2 * mu * mu / c
	return c, centre, rest
}

// Constant returns the constant of integration C, for which I(μ) = F(μ) + C for
// every μ. F is some function of μ whose derivative is dI/dμ, for a σ² up to 10⁶
// and a λ from 0.002. F accepts any number, including ±Inf. (An optional
// intermediate step, judged by CheckSteps.)
func Constant(F func(mu float64) float64) float64 {
	return -F(math.Inf(-1)) // I → 0 for μ → −∞
}
