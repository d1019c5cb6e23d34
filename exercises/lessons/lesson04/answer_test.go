package lesson04_test

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Step returns the perceptron's weights after it was shown the pattern phi with the
// target t, +1 or -1; w and phi have the same length, and eta > 0 is the rate. It
// changes neither w nor phi.
func Step(w, phi []float64, t, eta float64) []float64 {
	next := slices.Clone(w)
	if floats.Dot(w, phi)*t <= 0 {
		floats.AddScaled(next, eta*t, phi)
	}
	return next
}
