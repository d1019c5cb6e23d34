package ex25_test

import "math"

// LambdaSquared returns λ², where λ > 0 is the factor for which the slope of Φ(λa)
// at a = 0 equals the slope of σ(a). It has no unit. Return it to full precision.
func LambdaSquared() float64 {
	// λ/√(2π) = 1/4
	lambda := math.Sqrt(2*math.Pi) / 4
	return lambda * lambda
}

// SigmoidSlope returns the slope of the sigmoid σ(a) at a = 0. (An optional
// intermediate step, judged by CheckSteps.)
func SigmoidSlope() float64 {
	return 1. / 4 // σ(0)(1−σ(0))
}

// ProbitSlope returns the slope of Φ(λa), as a function of a, at a = 0, for any
// lambda > 0. (An optional intermediate step, judged by CheckSteps.)
func ProbitSlope(lambda float64) float64 {
	return lambda / math.Sqrt(2*math.Pi)
}
