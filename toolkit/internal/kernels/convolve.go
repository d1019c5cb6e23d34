package kernels

import "math"

// SigmoidGaussian returns p = ∫ σ(a) N(a|μ, s²) da, PRML (4.151), and its complement c = 1 − p =
// ∫ σ(−a) N(a|μ, s²) da, for s ≥ 0. The relative errors of p and c are at most about 10⁻¹³, even for
// numbers near 10⁻³⁰⁰.
//
// Equations: PRML (4.151).
func SigmoidGaussian(mu, s float64) (p, c float64) {
	if math.IsNaN(mu) || math.IsNaN(s) || s < 0 {
		return math.NaN(), math.NaN()
	}
	p = math.Min(leftSigmoid(-math.Abs(mu), s), 0.5) // rounding errors must not move p above ½
	if mu > 0 {
		return 1 - p, p
	}
	return p, 1 - p
}

// maxTrapezoidStd is the largest standard deviation s for which SigmoidGaussian applies the
// trapezoidal rule to σ itself. For larger s, wideSigmoid writes σ as a step function plus a small
// difference and integrates the two separately.
const maxTrapezoidStd = 40

// leftSigmoid returns the result p of SigmoidGaussian for μ ≤ 0.
func leftSigmoid(mu, s float64) float64 {
	switch {
	case mu == 0:
		return 0.5 // the value ½ is exact, because σ(a) − ½ is odd
	case s == 0 || math.IsInf(mu, 0):
		return Sigmoid(mu)
	case math.IsInf(s, 0):
		return 0.5
	case s > maxTrapezoidStd:
		return wideSigmoid(-mu, s)
	case mu+s*s/2 < -760: // σ(a) < exp(a), and the mean of exp(a) is exp(μ+s²/2), which is below the smallest float64
		return 0
	}
	return trapezoidSigmoid(mu, s)
}

// trapezoidSigmoid integrates σ(μ+sz)N(z|0,1) over z = (a−μ)/s with the trapezoidal rule.
//
// In the complex plane, the integrand is analytic up to the poles of σ at z = ±iπ/s − μ/s, where
// the factor N has grown by exp(π²/2s²). To bound the error for the step size h, shift the line of
// integration in the imaginary direction. Shift it to the pole, or by 2π/h if this distance is
// smaller. The error is then about exp(−2π²/sh + π²/2s²) or exp(−2π²/h²). For the h of this
// function, both are under 10⁻¹⁶. The integrand is log-concave, so on either side of its peak the
// sum can stop at the first negligible term.
func trapezoidSigmoid(mu, s float64) float64 {
	h := math.Min(0.55, 0.42/s)
	// The peak of the integrand is the solution z of z = s·σ(−μ−sz), which lies between 0 and s.
	lo, hi := 0.0, s
	for range 12 {
		z := lo + (hi-lo)/2
		if z < s*Sigmoid(-mu-s*z) {
			lo = z
		} else {
			hi = z
		}
	}
	peak := lo
	top := math.Min(mu+s*peak, 0) - peak*peak/2
	term := func(z float64) float64 {
		a := mu + s*z
		// Each term of the sum is σ(a)exp(−z²/2−top). The code moves the factor exp(min(a,0)) of
		// σ(a) into the exponent.
		return math.Exp(math.Min(a, 0)-z*z/2-top) / (1 + math.Exp(-math.Abs(a)))
	}
	sum := term(peak)
	for _, d := range []float64{h, -h} {
		for k := 1.0; ; k++ {
			v := term(peak + k*d)
			sum += v
			if v < 1e-18*sum {
				break
			}
		}
	}
	return math.Exp(top+math.Log(sum*h)) * invSqrt2Pi
}

// wideSigmoid returns the result p of SigmoidGaussian for the mean −μ, where μ > 0 and s > 40. With
// the step function H, σ(a) = H(a) − sign(a)σ(−|a|). The mean of the second term can be written as
// an integral over a > 0, so p is
//
//	Φ(−μ/s) + ∫ σ(−a)·2 sinh(aμ/s²)·exp(−(a²+μ²)/2s²)/(s√2π) da.
//
// Both parts are positive, so their sum loses no digits to cancellation. The integral is computed
// with Gauss–Legendre rules on intervals of length 2. Such an interval is short enough, because
// even the nearest poles of σ, at ±iπ, are at distance π from the real axis.
func wideSigmoid(mu, s float64) float64 {
	step := NormCDF(-mu / s)
	if step == 0 {
		// The integral is below exp(−μ²/2s²) or below exp(−s²/2). It therefore underflows, too, or is
		// less than 20 times the smallest float64.
		return 0
	}
	b := mu / s / s
	outer := mu / s * (mu / s) / 2
	var sum float64
	for lo := 0.0; ; lo += 2 {
		var part float64
		for i, x := range legendreNode {
			for _, t := range [2]float64{1 - x, 1 + x} {
				a := lo + t
				// The integrand uses the identity 2·sinh(ab)σ(−a) = (exp(ab−a) −
				// exp(−ab−a))/(1+exp(−a)).
				f := math.Exp(a*b-a-a/s*(a/s)/2-outer) * -math.Expm1(-2*a*b) / (1 + math.Exp(-a))
				part += legendreWeight[i] * f
			}
		}
		sum += part
		// The integrand is largest at some a < 4. For larger a it falls about as fast as
		// exp(−(1−b)a), where b < 39/40 because μ/s < 39 and s > 40. The loop can therefore stop at the
		// first negligible part.
		if part <= 1e-17*(sum+step*s) {
			break
		}
	}
	return step + sum/s*invSqrt2Pi
}

// These arrays contain the positive nodes and the weights of the 16-point Gauss–Legendre rule on
// [−1,1] (Abramowitz and Stegun, table 25.4). TestSigmoidGaussian checks them.
var (
	legendreNode = [8]float64{
		0.0950125098376374401853193, 0.2816035507792589132304605,
		0.4580167776572273863424194, 0.6178762444026437484466718,
		0.7554044083550030338951012, 0.8656312023878317438804679,
		0.9445750230732325760779884, 0.9894009349916499325961542,
	}
	legendreWeight = [8]float64{
		0.1894506104550684962853967, 0.1826034150449235888667637,
		0.1691565193950025381893121, 0.1495959888165767320815017,
		0.1246289712555338720524763, 0.0951585116824927848099251,
		0.0622535239386478928628438, 0.0271524594117540948517806,
	}
)
