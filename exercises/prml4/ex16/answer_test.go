package ex16_test

import "math"

// LogLikelihood returns the log likelihood (natural logarithm) of uncertain labels,
// a sum over the data points. It is accurate to ten digits, or to 1e-12 if its
// absolute value is below 1e-2.
//
//   - p has N entries in [0,1]: p[n] is the model's probability of t_n = 1.
//   - pi has N entries in [0,1]: pi[n] is the probability that t_n is 1, the share
//     of ones among the many labels of point n.
//
// It is math.Inf(-1) if the model assigns probability 0 to a label that occurs, and
// never NaN. p and pi stay unchanged.
func LogLikelihood(p, pi []float64) float64 {
	sum := 0.0
	for n := range p {
		if pi[n] > 0 {
			sum += pi[n] * math.Log(p[n])
		}
		if pi[n] < 1 {
			sum += (1 - pi[n]) * math.Log1p(-p[n])
		}
	}
	return sum
}
