package ex12_test

import "math"

// DSigmoid returns dσ/da at a, the derivative of σ(a) = 1/(1+e^−a) with respect
// to a; a number per unit of a, for any real a. It is right to 1e−15, and to 11
// digits where that is less, and never NaN, however far out a is.
func DSigmoid(a float64) float64 {
	// 1−σ(a) = σ(−a); with e = e^−|a| ≤ 1 the product is e/(1+e)² on both sides
	e := math.Exp(-math.Abs(a))
	return e / ((1 + e) * (1 + e))
}
