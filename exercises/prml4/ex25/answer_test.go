package ex25_test

import "math"

// LambdaSquared returns λ², where λ > 0 is the factor with which the slope of
// Φ(λa) at a = 0 equals that of σ(a). A number without unit, to full precision.
func LambdaSquared() float64 {
	// λ/√(2π) = 1/4
	lambda := math.Sqrt(2*math.Pi) / 4
	return lambda * lambda
}
