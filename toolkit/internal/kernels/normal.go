package kernels

import "math"

const (
	// The sum of invSqrt2 and invSqrt2Lo is 1/√2 = 0.7071067811865475244008443621048490392848 (40
	// digits). invSqrt2 is the nearest float64, and invSqrt2Lo is the remainder.
	invSqrt2   = 0.7071067811865476
	invSqrt2Lo = -4.833646656726457e-17

	halfLog2Pi = 0.9189385332046727417803297364056176398614 // ½ ln 2π
	invSqrt2Pi = 0.3989422804014326779399460599343818684759 // 1/√(2π)
)

// NormPDF returns the standard normal density N(a|0,1). It computes the rounding error of a² with a
// fused multiply-add and corrects it. Without this correction, the relative error of the result
// would be a²/2 times the relative error of a².
func NormPDF(a float64) float64 {
	s := a * a
	if s > 1500 { // exp(−750) is below the smallest float64
		return 0
	}
	lo := math.FMA(a, a, -s)
	return invSqrt2Pi * math.Exp(-s/2) * (1 - lo/2)
}

// NormCDF returns Φ(a), the standard normal distribution function, PRML (4.114).
//
// PRML (4.115) and (4.116) define an erf that differs from the erf of numerical libraries. The
// formula Φ(a) = ½ erfc(−a/√2) holds for the libraries' function. For a ≤ −1, NormCDF corrects the
// rounding error of x = −a/√2 to first order. Without this correction, the relative error of erfc(x)
// would be about 2x² times the relative error of x.
//
// Equations: PRML (4.113)–(4.116).
func NormCDF(a float64) float64 {
	if a > -1 {
		return 0.5 * math.Erfc(-a*invSqrt2)
	}
	if a < -39 { // Φ(a) is below the smallest float64
		return 0
	}
	x := -a * invSqrt2
	dx := math.FMA(-a, invSqrt2, -x) - a*invSqrt2Lo
	return 0.5 * math.Erfc(x) * (1 - 2*x*dx)
}

// LogNormCDF returns ln Φ(a), even where Φ(a) underflows. If a is far below 0, the result is
// approximately −a²/2 − ln(−a√(2π)). If a is far above 0, it is approximately −(1−Φ(a)).
//
// Equations: PRML (4.114).
func LogNormCDF(a float64) float64 {
	switch {
	case a >= 0:
		return math.Log1p(-NormCDF(-a))
	case a > -20:
		return math.Log(NormCDF(a))
	case math.IsInf(a, -1):
		return a
	}
	// Φ(a) = N(a)·mills(−a)
	return -a*a/2 - halfLog2Pi + math.Log(mills(-a))
}

// InverseMills returns the quotient N(a|0,1)/Φ(a), which is the derivative of ln Φ(a). Probit
// regression needs this derivative. The result is about −a if a is far below 0, and about N(a) if a
// is far above 0.
func InverseMills(a float64) float64 {
	switch {
	case math.IsInf(a, -1):
		return math.Inf(1)
	case a > -5:
		return NormPDF(a) / NormCDF(a)
	}
	return 1 / mills(-a)
}

// mills returns (1−Φ(t))/N(t) for t ≥ 5. It evaluates Laplace's continued fraction
// 1/(t+1/(t+2/(t+3/(t+…)))).
func mills(t float64) float64 { return 1 / (t + fractionTail(t)) }

// fractionTail returns the part 1/(t+2/(t+3/(t+…))) of the fraction that the function mills
// evaluates. It cuts the fraction off after sixty levels and starts with the innermost level. At t =
// 5 the relative error is below 10⁻¹⁷, and for larger t it is smaller.
func fractionTail(t float64) float64 {
	f := t
	for k := 60; k >= 2; k-- {
		f = t + float64(k)/f
	}
	return 1 / f
}

// Log2Pi is ln 2π.
const Log2Pi = 1.837877066409345483560659472811235279722

// ProbitParts returns the parts of a probit loss. They are ln Φ(a), the first derivative h =
// N(a)/Φ(a), called the hazard, and c = h·(a+h), the negative of the second derivative. The number
// c is between 0 and 1. If a ≤ −5, the sum a+h would lose digits to cancellation: with t = −a, it is
// only 1/t − 2/t³ + …. In this case ProbitParts computes a+h from the inner part of Laplace's
// continued fraction.
func ProbitParts(a float64) (logPhi, h, c float64) {
	if a > -5 {
		h = InverseMills(a)
		if h == 0 {
			return LogNormCDF(a), 0, 0 // for a = +Inf, the product h·(a+h) would be NaN
		}
		return LogNormCDF(a), h, h * (a + h)
	}
	if math.IsInf(a, -1) {
		return a, math.Inf(1), 1
	}
	e := fractionTail(-a)
	h = -a + e
	return LogNormCDF(a), h, h * e
}
