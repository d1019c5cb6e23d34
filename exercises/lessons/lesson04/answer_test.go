package lesson04_test

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Step returns the perceptron's weights after one presentation of the pattern phi
// with the target t, +1 or -1. w and phi have the same length, and eta > 0 is the
// rate. w and phi stay unchanged.
func Step(w, phi []float64, t, eta float64) []float64 {
	next := slices.Clone(w)
	if floats.Dot(w, phi)*t <= 0 {
		floats.AddScaled(next, eta*t, phi)
	}
	return next
}
