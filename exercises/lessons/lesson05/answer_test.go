package lesson05_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Spherical returns the weights of the log odds of two Gaussian classes with the means mu1
// and mu2 (of equal length) and the covariance λI, the bias first. p1 is the prior
// probability of class 1, between 0 and 1. mu1 and mu2 stay unchanged.
func Spherical(mu1, mu2 []float64, lambda, p1 float64) []float64 {
	w := make([]float64, len(mu1)+1)
	w[0] = (floats.Dot(mu2, mu2)-floats.Dot(mu1, mu1))/(2*lambda) + math.Log(p1/(1-p1))
	for i := range mu1 {
		w[i+1] = (mu1[i] - mu2[i]) / lambda
	}
	return w
}
