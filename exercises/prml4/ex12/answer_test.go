package ex12_test

import "math"

// DSigmoid returns dσ/da at a, the derivative of σ(a) = 1/(1+e^−a) with respect to
// a, for any real a. It is a number per unit of a. Its error is at most 1e−15 or
// one unit in the 11th digit, whichever is larger, and it is never NaN.
func DSigmoid(a float64) float64 {
	// 1−σ(a) = σ(−a); with e = e^−|a| ≤ 1 the product is e/(1+e)², for a and for −a
	e := math.Exp(-math.Abs(a))
	return e / ((1 + e) * (1 + e))
}
