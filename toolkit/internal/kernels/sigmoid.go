package kernels

import "math"

// Exp returns exp(a). The models use it to compute a density from its logarithm.
func Exp(a float64) float64 { return math.Exp(a) }

// Bell returns exp(−r²/2), the Gaussian basis function of PRML (3.4). Its argument r² ≥ 0 is the
// squared distance from the centre, divided by the squared width. At a large distance, and at +Inf,
// it returns 0.
func Bell(r2 float64) float64 { return math.Exp(-r2 / 2) }

// Sigmoid returns the logistic sigmoid σ(a) = 1/(1+exp(−a)), PRML (4.59). If a is negative, it
// computes exp(a)/(1+exp(a)). Therefore exp never overflows, and even the smallest results keep
// their digits.
//
// Equations: PRML (4.59), (4.60); Alpaydin (10.15).
func Sigmoid(a float64) float64 {
	if a >= 0 {
		return 1 / (1 + math.Exp(-a))
	}
	e := math.Exp(a)
	return e / (1 + e)
}

// LogSigmoid returns ln σ(a) = −ln(1+exp(−a)). If a is far below 0, the result is close to a. If a
// is far above 0, it is close to −exp(−a).
func LogSigmoid(a float64) float64 {
	l := math.Log1p(math.Exp(-math.Abs(a)))
	if a < 0 {
		return a - l
	}
	return -l
}

// SigmoidParts returns the parts of a logistic loss, which it computes from a single exponential.
// They are y = σ(a), its complement c = 1−y = σ(−a) with full relative accuracy, and l =
// ln(1+exp(−|a|)). The derivative (4.88) is the product y·c. The losses are −ln σ(a) = l + max(−a, 0)
// and −ln(1−σ(a)) = l + max(a, 0).
//
// Equations: PRML (4.88).
func SigmoidParts(a float64) (y, c, l float64) {
	e := math.Exp(-math.Abs(a))
	big := 1 / (1 + e)
	l = math.Log1p(e)
	if a < 0 {
		return e * big, big, l
	}
	return big, e * big, l
}

// Logit returns ln(p/(1−p)) for p in [0,1], PRML (4.61). It is the inverse function of Sigmoid.
// Logit(0) is −Inf and Logit(1) is +Inf. For p outside [0,1], it returns NaN.
//
// For p near ½ the quotient p/(1−p) is close to 1, and its logarithm would lose digits. In this
// case Logit computes ln(1+(2p−1)/(1−p)), which keeps all digits because 2p−1 is exact.
//
// Equations: PRML (4.61).
func Logit(p float64) float64 {
	switch {
	case p < 0x1p-1000:
		// For such a small p, 1−p is rounded to 1, so the logit is ln p. Logit scales p up before
		// it takes the logarithm, because the assembly of package math computes wrong logarithms of
		// subnormal numbers on some processors.
		return math.Log(p*0x1p200) - 200*math.Ln2
	case p < 0.25:
		return math.Log(p / (1 - p))
	case p > 0.75:
		return -math.Log((1 - p) / p)
	}
	return math.Log1p((2*p - 1) / (1 - p))
}

// Jaakkola returns two numbers, λ and c, of the variational bound on the sigmoid. For a parameter ξ
// ≥ 0 the bound is, PRML (10.144) and (10.150),
//
//	σ(a) ≥ σ(ξ) exp{(a−ξ)/2 − λ(ξ)(a²−ξ²)}.
//
// Here λ(ξ) = (σ(ξ)−½)/(2ξ) = tanh(ξ/2)/(4ξ) decreases from ⅛ at ξ = 0, and c = ln σ(ξ) − ξ/2 +
// λξ². The bound is then ln σ(a) ≥ a/2 − λa² + c, with equality at a = ±ξ. Jaakkola computes λξ² as
// ξ tanh(ξ/2)/4, because ξ² could overflow.
func Jaakkola(xi float64) (lambda, c float64) {
	if xi < 1e-4 { // the series of λ and c are cut off with a relative error below 10⁻¹⁶
		q := xi * xi
		return 0.125 - q/96, -math.Ln2 - q*q/192
	}
	th := math.Tanh(xi / 2)
	return th / (4 * xi), -xi/2 - math.Log1p(math.Exp(-xi)) + xi/4*th
}
