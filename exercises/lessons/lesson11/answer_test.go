package lesson11_test

import "math"

// Laplace approximates the density f(z)/Z on the whole line by the Gaussian at its
// mode. It returns the mode z0, the precision A of the Gaussian, and the
// approximate ln Z.
//
//   - logf is ln f, and first and second are its first and second derivatives.
//   - start is a starting point from which Newton's method converges within 20
//     steps.
//
// f itself may be too large or too small for a float64; ln f is not. All three
// results must be accurate to nine digits.
func Laplace(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
	z0 = start
	for range 20 {
		z0 -= first(z0) / second(z0)
	}
	A = -second(z0)
	return z0, A, logf(z0) + math.Log(2*math.Pi/A)/2
}
