package ex07_test

import "math"

// Sigmoid returns σ(a) = 1/(1+e^−a), a number from 0 to 1 without unit, for any
// real a. For |a| ≤ 700 it is accurate to 4 units in the last place, even in the
// left tail, where σ(a) is very small. Further out it is never NaN.
func Sigmoid(a float64) float64 {
	return 1 / (1 + math.Exp(-a)) // for a → −∞ the exponential is Inf, and 1/Inf is 0
}

// Logit returns the a with σ(a) = y, the inverse function of Sigmoid, for 0 < y <
// 1. It is accurate to 12 digits (near y = ½ to 10⁻¹²), even for y very near 0.
// Near 1 it is as accurate as the rounding of y permits. a has no unit.
func Logit(y float64) float64 {
	return math.Log(y / (1 - y))
}
