package kernels

import "math"

// SoftmaxParts returns from one exponential per class all that a softmax loss
// needs. For finite activations a it writes y_k, PRML (4.104), to y and the
// complements 1−y_k = Σ_{j≠k} y_j, each to full relative accuracy, to c, and
// returns the largest activation m and l with ln Σ_k exp(a_k) = m + l, so that
// −ln y_k = l + (m − a_k) is a sum of two terms that are never negative.
// It panics if y or c is shorter than a.
func SoftmaxParts(y, c, a []float64) (m, l float64) {
	at := 0
	for k, v := range a {
		if v > a[at] {
			at = k
		}
	}
	m = a[at]
	var rest float64
	for k, v := range a {
		if k != at {
			y[k] = math.Exp(v - m)
			rest += y[k]
		}
	}
	sum := 1 + rest
	for k := range a {
		if k != at {
			y[k] /= sum
			c[k] = 1 - y[k] // at least ½: no cancellation
		}
	}
	y[at], c[at] = 1/sum, rest/sum
	return m, math.Log1p(rest)
}
