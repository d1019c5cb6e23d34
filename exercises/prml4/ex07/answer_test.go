package ex07_test

import "math"

// Sigmoid returns σ(a) = 1/(1+e^−a), a number from 0 to 1 without unit, for any
// real a. For |a| ≤ 700 it is right to within 4 units in the last place, also in
// the left tail, where σ(a) is very small; further out it is never NaN.
func Sigmoid(a float64) float64 {
	return 1 / (1 + math.Exp(-a)) // for a → −∞ the exponential is Inf, and 1/Inf is 0
}

// Logit returns the a with σ(a) = y, the inverse function of Sigmoid, for
// 0 < y < 1. It is good to 12 digits (near y = ½ to 10⁻¹²), also for y very near 0,
// and near 1 as closely as y is known there. a has no unit.
func Logit(y float64) float64 {
	return math.Log(y / (1 - y))
}
