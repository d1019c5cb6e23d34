package ex21_test

import "math"

// Probit returns Φ(a), the standard normal distribution function (4.114), for any
// a, including ±Inf: a probability, accurate to 12 decimals. math.Erf is the usual
// error function, with exp(−θ²) under the integral.
func Probit(a float64) float64 {
	return math.Erfc(-a/math.Sqrt2) / 2
}

// ErfPRML returns the function that (4.115) defines, with exp(−θ²/2) under the
// integral from 0 to a, for any a, including ±Inf. It is accurate to 12 decimals.
func ErfPRML(a float64) float64 {
	return math.Sqrt2 * (2*Probit(a) - 1)
}
