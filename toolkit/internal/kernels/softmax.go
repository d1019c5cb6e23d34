package kernels

import "math"

// LogSumExp returns ln Σ exp(a_k), and −Inf for an empty slice. It divides the sum by its largest
// term, so that nothing overflows. It then computes ln(1+r), where r is the sum of all other terms
// divided by the largest term. This keeps the digits of the small terms.
func LogSumExp(a []float64) float64 {
	m, rest := maximumAndRest(a)
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	return m + math.Log1p(rest)
}

// Softmax writes y_k = exp(a_k)/Σ_j exp(a_j), PRML (4.62), (4.104), to dst and returns dst. The
// slices dst and a may be the same; if dst is nil, Softmax allocates a new slice. If some
// activations are +Inf, they share the whole probability equally. If all are −Inf, the result is
// uniform. Softmax panics if dst and a have different lengths.
//
// The derivatives of the softmax are ∂y_k/∂a_j = y_k(δ_kj − y_j). Alpaydin prints ∂a_k instead of
// ∂a_j (erratum A4).
//
// Equations: PRML (4.62); Alpaydin (10.29), (10.32); Gambosi (softmax-maximum).
func Softmax(dst, a []float64) []float64 {
	dst = sized(dst, a)
	if fillLimit(dst, a) {
		return dst
	}
	m, at := maximum(a)
	var rest float64
	for k, v := range a { // store each exponential in dst, so that it is computed only once
		dst[k] = math.Exp(v - m)
		if k != at {
			rest += dst[k]
		}
	}
	sum := 1 + rest
	for k := range dst {
		dst[k] /= sum
	}
	return dst
}

// LogSoftmax writes ln y_k = a_k − ln Σ_j exp(a_j) to dst and returns dst, with the same
// conventions as Softmax. For the largest activation it computes −ln(1+r), where r is the sum of
// all other exponentials divided by the largest exponential. This result is accurate even if the
// probability is so close to 1 that it is rounded to 1.
//
// Equations: PRML (4.62).
func LogSoftmax(dst, a []float64) []float64 {
	dst = sized(dst, a)
	if fillLimit(dst, a) {
		for k, v := range dst {
			dst[k] = math.Log(v)
		}
		return dst
	}
	m, rest := maximumAndRest(a)
	l := math.Log1p(rest)
	for k, v := range a {
		dst[k] = (v - m) - l
	}
	return dst
}

// maximum returns the largest activation m and its index. If all activations are −Inf, the index is
// −1. If any activation is NaN, m is NaN.
func maximum(a []float64) (m float64, at int) {
	m, at = math.Inf(-1), -1
	for k, v := range a {
		if math.IsNaN(v) {
			return v, k
		}
		if v > m {
			m, at = v, k
		}
	}
	return m, at
}

// maximumAndRest returns the largest activation m, and the sum of exp(a_k−m) over all other
// activations. If several activations equal m, it omits only one of them from the sum. If m is
// infinite, the sum is 0. If any activation is NaN, both results are NaN.
func maximumAndRest(a []float64) (m, rest float64) {
	m, at := maximum(a)
	if math.IsNaN(m) {
		return m, m
	}
	if math.IsInf(m, 0) {
		return m, 0
	}
	for k, v := range a {
		if k != at {
			rest += math.Exp(v - m)
		}
	}
	return m, rest
}

// fillLimit reports whether m, the largest activation, is infinite. If m is infinite, fillLimit
// writes the limits of the softmax to dst.
func fillLimit(dst, a []float64) bool {
	m, _ := maximum(a)
	if !math.IsInf(m, 0) {
		return false
	}
	count := 0
	for _, v := range a {
		if v == m {
			count++
		}
	}
	for k, v := range a {
		if v == m {
			dst[k] = 1 / float64(count)
		} else {
			dst[k] = 0
		}
	}
	return true
}

func sized(dst, a []float64) []float64 {
	if dst == nil {
		return make([]float64, len(a))
	}
	if len(dst) != len(a) {
		panic("kernels: softmax: dst and a differ in length")
	}
	return dst
}

// SoftmaxParts returns the parts of a softmax loss from one exponential per class. If the
// activations a_k are finite, it writes y_k, PRML (4.104), to y and the complements 1−y_k = Σ_{j≠k}
// y_j to c, all with full relative accuracy. It returns the largest activation m and a number l
// such that ln Σ_k exp(a_k) = m + l. Both terms of −ln y_k = l + (m − a_k) are then at least 0.
// SoftmaxParts panics if y or c is shorter than the slice a.
//
// Equations: PRML (4.104), (4.106).
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
			c[k] = 1 - y[k] // y[k] is at most ½, so 1 − y[k] loses no digits
		}
	}
	y[at], c[at] = 1/sum, rest/sum
	return m, math.Log1p(rest)
}
