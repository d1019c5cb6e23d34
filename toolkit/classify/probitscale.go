package classify

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// ConvolveProbit returns the integral of PRML (4.152) in closed form,
//
//	∫ Φ(λa) N(a|μ, σ²) da = Φ(λμ/√(1 + λ²σ²)),
//
// for a mean mu, a variance ≥ 0 and any λ. The book's form Φ(μ/√(λ⁻² + σ²)) is right for λ > 0
// only. For λ < 0 the book's form gives the complement (erratum P31). A negative variance or a NaN
// argument gives NaN.
//
// Equations: PRML (4.152).
func ConvolveProbit(lambda, mu, variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	// Hypot does not overflow, but λ²σ² may.
	return kernels.NormCDF(lambda * (mu / math.Hypot(1, lambda*math.Sqrt(variance))))
}

// ConvolveSigmoid returns ∫ σ(a) N(a|μ, σ²) da, PRML (4.151), to a relative error of about 10⁻¹³
// for any mean and any variance ≥ 0. The integral has no closed form; (4.153) approximates the
// integral by σ(Kappa(σ²)μ), see ModeratedSigmoid. A negative variance or a NaN argument gives NaN.
//
// Equations: PRML (4.146), (4.147), (4.151).
func ConvolveSigmoid(mu, variance float64) float64 {
	p, _ := kernels.SigmoidGaussian(mu, math.Sqrt(variance))
	return p
}

// ModeratedSigmoid returns σ(κ(σ²)μ), the approximation (4.153) of
// ConvolveSigmoid.
//
// Equations: PRML (4.153).
func ModeratedSigmoid(mu, variance float64) float64 {
	return kernels.Sigmoid(Kappa(variance) * mu)
}

// Kappa returns κ(σ²) = (1 + πσ²/8)^(−1/2), PRML (4.154). The uncertainty of an activation shrinks
// the activation by this factor, which moves the posterior towards ½. Kappa returns NaN for a
// negative variance.
//
// Equations: PRML (4.154).
func Kappa(variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	return 1 / math.Hypot(1, math.Sqrt(math.Pi/8)*math.Sqrt(variance))
}

// ProbitScale is a λ for which Φ(λa) approximates σ(a), with the error of the approximation.
type ProbitScale struct {
	Lambda float64
	Gap    float64 // max over a of |σ(a) − Φ(λa)|
	At     float64 // an a > 0 with this gap; −a has the same gap
	Sign   int     // sign of σ(a) − Φ(λa) at At
}

// ProbitScaleEqualSlope returns the scale of PRML 4.5.2, λ² = π/8. With this scale σ(a) and Φ(λa)
// have the same slope at 0. The caption of fig. 4.9 calls π/8 the factor, but the factor is the
// square root, 0.6267 (erratum P24). The error of this scale is at most 0.0177. ProbitScaleMinimax
// is a better scale (erratum P25).
func ProbitScaleEqualSlope() ProbitScale {
	s, _ := NewProbitScale(math.Sqrt(math.Pi / 8))
	return s
}

// ProbitScaleMinimax returns the scale with the smallest maximal gap, λ = 0.58763, with an error of
// 0.00946. At this λ two gaps of opposite sign have the same size, and At is the outer gap.
func ProbitScaleMinimax() ProbitScale {
	// As λ falls from the square root of π/8, the outer gap falls and the inner gap rises.
	lo, hi := 0.5, 0.6
	for range 60 {
		λ := lo + (hi-lo)/2
		inner, outer := probitGaps(λ)
		if math.Abs(probitGap(λ, inner)) > math.Abs(probitGap(λ, outer)) {
			lo = λ
		} else {
			hi = λ
		}
	}
	s := ProbitScale{Lambda: hi, Sign: -1}
	_, s.At = probitGaps(hi)
	s.Gap = -probitGap(hi, s.At)
	return s
}

// NewProbitScale returns the scale lambda with the error of Φ(λa) as an approximation of σ(a). It
// returns an error if λ is not a number between 1e-6 and 1e6.
func NewProbitScale(lambda float64) (ProbitScale, error) {
	if !(lambda >= 1e-6 && lambda <= 1e6) {
		return ProbitScale{}, failure("NewProbitScale",
			fmt.Errorf("lambda is %v: want a number between 1e-6 and 1e6", lambda))
	}
	s := ProbitScale{Lambda: lambda}
	inner, outer := probitGaps(lambda)
	for _, a := range []float64{inner, outer} {
		if g := probitGap(lambda, a); math.Abs(g) > s.Gap {
			s.Gap, s.At, s.Sign = math.Abs(g), a, int(math.Copysign(1, g))
		}
	}
	return s, nil
}

// probitGap returns σ(a) − Φ(λa), computed from the complements, which are small.
func probitGap(lambda, a float64) float64 { return kernels.NormCDF(-lambda*a) - kernels.Sigmoid(-a) }

// probitGaps returns the two a > 0 at which the slopes of σ(a) and Φ(λa) agree, so that the gap is
// extremal. It returns 0 for an a that does not exist.
//
// f(a) = ln σ′(a) − ln λN(λa) has f′ = λ²a − tanh(a/2). f falls up to one point (0 if λ² ≥ ½) and
// then rises to infinity. f therefore has at most two zeros.
func probitGaps(lambda float64) (inner, outer float64) {
	l2 := lambda * lambda
	slope := func(a float64) float64 { return l2*a - math.Tanh(a/2) }
	f := func(a float64) float64 {
		return kernels.LogSigmoid(a) + kernels.LogSigmoid(-a) - math.Log(lambda) + l2*a*a/2 + kernels.Log2Pi/2
	}
	far := 2/l2 + 60/lambda
	var low float64
	if l2 < 0.5 {
		low = probitBisect(slope, 1e-9, far)
	}
	// With equal slopes f(0) is 0 up to rounding, and the only extremum near 0 is the trivial one
	// at 0.
	const same = 1e-14
	if f(0) > same && f(low) < 0 {
		inner = probitBisect(func(a float64) float64 { return -f(a) }, 0, low)
	}
	if f(low) < 0 {
		outer = probitBisect(f, low, far)
	}
	return inner, outer
}

// probitBisect returns the point between lo and hi at which f changes from negative to positive.
func probitBisect(f func(float64) float64, lo, hi float64) float64 {
	for range 200 {
		m := lo + (hi-lo)/2
		if m == lo || m == hi {
			break
		}
		if f(m) < 0 {
			lo = m
		} else {
			hi = m
		}
	}
	return lo + (hi-lo)/2
}
