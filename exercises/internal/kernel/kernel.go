// Package kernel contains functions such as the softmax, which are difficult to compute accurately.
// The checks compare answers with the results of these functions. The package does not use the
// toolkit's functions, so an error in the toolkit cannot affect these results.
package kernel

import (
	"math"
	"math/cmplx"
)

// Sigmoid returns σ(a) = 1/(1+e^−a). It is accurate in the left tail, and never computes the
// exponential of a positive number, which could overflow.
func Sigmoid(a float64) float64 {
	e := math.Exp(-math.Abs(a))
	if a < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// LogSigmoid returns ln σ(a).
func LogSigmoid(a float64) float64 { return math.Min(a, 0) - math.Log1p(math.Exp(-math.Abs(a))) }

// CrossEntropy returns −t ln σ(a) − (1−t) ln(1−σ(a)), one term of PRML (4.90).
func CrossEntropy(a, t float64) float64 { return -t*LogSigmoid(a) - (1-t)*LogSigmoid(-a) }

// Softmax returns y_k = e^{a_k}/Σ_j e^{a_j} as a new slice. To avoid overflow it first subtracts
// the largest activation from all activations.
func Softmax(a []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range a {
		top = math.Max(top, v)
	}
	y := make([]float64, len(a))
	for k, v := range a {
		y[k] = math.Exp(v - top)
		sum += y[k]
	}
	for k := range y {
		y[k] /= sum
	}
	return y
}

// SoftmaxJacobian returns the K·K derivatives ∂y_k/∂a_j of the softmax, row by row. Each derivative
// is the imaginary part of y_k(a + ih·e_j)/h, where h is very small and e_j is the unit vector of
// entry j. The derivatives are exact up to rounding, and the computation does not use a formula for
// the derivative.
func SoftmaxJacobian(a []float64) []float64 {
	const h = 1e-30
	k, top := len(a), math.Inf(-1)
	for _, v := range a {
		top = math.Max(top, v)
	}
	out, e := make([]float64, k*k), make([]complex128, k)
	for j := range a {
		sum := complex(0, 0)
		for i, v := range a {
			z := complex(v-top, 0)
			if i == j {
				z = complex(v-top, h)
			}
			e[i] = cmplx.Exp(z)
			sum += e[i]
		}
		for i := range e {
			out[i*k+j] = imag(e[i]/sum) / h
		}
	}
	return out
}

// LogSumExp returns ln Σ_k e^{a_k}.
func LogSumExp(a []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range a {
		top = math.Max(top, v)
	}
	for _, v := range a {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// NormPDF returns the standard normal density N(a|0,1).
func NormPDF(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }

// NormCDF returns Φ(a), PRML (4.114), the cumulative distribution of the standard normal. It is
// accurate in the left tail.
func NormCDF(a float64) float64 { return math.Erfc(-a/math.Sqrt2) / 2 }
