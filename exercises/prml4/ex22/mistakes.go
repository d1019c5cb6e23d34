package ex22

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	evidenceFunc  = func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64
	expansionFunc = func(height float64, A *mat.SymDense, z []float64) float64
	volumeFunc    = func(A *mat.SymDense) float64
)

var ask = &judge.Question[evidenceFunc, problem]{
	Func: "LogEvidence", Name: "LogEvidence", Hint: 3,
	Ask: func(f evidenceFunc, c *judge.Call, p problem) []float64 {
		v := f(p.logLik, p.logPrior, c.Slice("mode", p.mode), c.Sym("A", p.A))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			bad := verify.Fail("not-finite", 3,
				"For %v you returned %g. A is positive definite and both logarithms are finite at the mode; is there the logarithm of a negative number, or θ of a wrong length handed to logLik?", p, v)
			if p.beyond {
				bad = verify.Fail("determinant-overflow", 3,
					"For %v you returned %g. The determinant of A is outside the range of a float64 here, while its logarithm is a moderate number: sum the logarithms of the factors (the Cholesky factorization has LogDet).", p, v)
			}
			c.Say(&bad)
		}
		return []float64{v}
	},
	Right: func(p problem) []float64 { return []float64{p.laplace} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your number is the log evidence times a constant. Which logarithm did you take, or is there a factor in front of the whole sum?"},
	Mistakes: []judge.Mistake[evidenceFunc]{
		{Key: "two-pi-missing", Hint: 2, Answer: sum(1, 1, 0, 1),
			Message: "The term with ln(2π) is missing: the integral of an M-dimensional Gaussian without its normalisation has M factors √(2π)."},
		{Key: "two-pi-sign", Hint: 2, Answer: sum(1, 1, -1, 1),
			Message: "The term with ln(2π) has the wrong sign. (2π)^{M/2} is part of the Gaussian's volume here, not of a density's normalisation."},
		{Key: "two-pi-once", Hint: 2, Answer: plus(func(t terms) float64 { return log2Pi/2 - t.twoPi }),
			Message: "½ ln(2π) stands in your sum once; every one of the M dimensions brings it in."},
		{Key: "two-pi-half", Hint: 2, Answer: sum(1, 1, 2, 1),
			Message: "M ln(2π) stands in your sum: each dimension brings in √(2π), so a ½ is missing."},
		{Key: "pi-for-two-pi", Hint: 2, Answer: sum(1, 1, math.Log(math.Pi)/log2Pi, 1),
			Message: "π stands where 2π belongs: the ½ in the Gaussian's exponent makes the 2."},
		{Key: "determinant-sign", Hint: 2, Answer: sum(1, 1, 1, -1),
			Message: "½ ln|A| is added where it is subtracted. A is a precision, a curvature: the larger it is, the narrower the posterior, and the smaller its volume. (It is +½ ln of the covariance's determinant.)"},
		{Key: "normaliser-inverted", Hint: 2, Answer: sum(1, 1, -1, -1),
			Message: "ln(2π) and ln|A| both have the wrong sign. The integral of e^{−½zᵀAz} is what a density is divided by: the inverse of the factor in front of a normal density."},
		{Key: "determinant-half", Hint: 2, Answer: sum(1, 1, 1, 2),
			Message: "ln|A| is subtracted whole: the volume has the root of the determinant, so a ½ is missing."},
		{Key: "determinant-missing", Hint: 2, Answer: sum(1, 1, 1, 0),
			Message: "For {problem} A does not occur in your number, or as the identity. (Does its determinant overflow?) The posterior's width decides how much of the prior survives."},
		{Key: "occam-missing", Hint: 2, Answer: sum(1, 1, 0, 0),
			Message: "This is the height of ln{p(D|θ)p(θ)} at the mode. The evidence is the integral: height times width, and the width is missing."},
		{Key: "best-fit-only", Hint: 1, Answer: sum(1, 0, 0, 0),
			Message: "This is the log likelihood at the mode. The evidence has a penalty, the Occam factor, for all that the parameters could also have been."},
		{Key: "prior-forgotten", Hint: 1, Answer: sum(1, 0, 1, 1),
			Message: "The log prior at the mode is missing. The integrand of the evidence is p(D|θ)p(θ)."},
		{Key: "prior-twice", Hint: 1, Answer: sum(1, 2, 1, 1),
			Message: "The prior is counted twice. logLik is ln p(D|θ) alone, without the prior."},
		{Key: "prior-sign", Hint: 1, Answer: sum(1, -1, 1, 1),
			Message: "The log prior is subtracted. Likelihood and prior are multiplied, so their logarithms add."},
		{Key: "likelihood-forgotten", Hint: 1, Answer: sum(0, 1, 1, 1),
			Message: "The likelihood is missing: this is the Occam factor of (4.137) alone."},
		{Key: "likelihood-twice", Hint: 1, Answer: sum(2, 1, 1, 1), Message: "The likelihood is counted twice."},
		{Key: "sign", Hint: 1, Answer: sum(-1, -1, -1, -1),
			Message: "This is the negative log evidence: the sign of the whole is turned."},
		{Key: "evidence-itself", Hint: 1, Answer: made(func(t terms) float64 { return math.Exp(t.sum(1, 1, 1, 1)) }),
			Message: "This is the evidence itself. Return its logarithm, which does not underflow."},
		{Key: "not-at-the-mode", Hint: 2,
			Answer:  plus(func(t terms) float64 { return t.lik0 + t.prior0 - t.lik - t.prior }),
			Message: "Both densities are evaluated at θ = 0. The expansion is about the mode."},
		{Key: "log-missing", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Exp(t.logDet)) / 2 }),
			Message: "The determinant stands in your sum without its logarithm."},
		{Key: "log-missing", Hint: 3, Answer: plus(func(t terms) float64 { return t.logDet/2 - math.Exp(t.logDet/2) }),
			Message: "The root of the determinant stands in your sum without its logarithm."},
		{Key: "diagonal-only", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - byLU(t.A.DiagView())) / 2 }),
			Message: "Only the diagonal of A is used. The product of the diagonal is the determinant of a triangular or diagonal matrix, and A is neither: factorize it first."},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - mat.Trace(t.A)) / 2 }),
			Message: "The trace of A stands where ln|A| belongs. (ln|A| is the trace of the matrix logarithm, not of A.)"},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Log(mat.Trace(t.A))) / 2 }),
			Message: "|A| is the determinant of A, the product of its eigenvalues; the trace, which you took, is their sum."},
		{Key: "cholesky-half", Hint: 3, Answer: sum(1, 1, 1, 0.5),
			Message: "A quarter of ln|A| is subtracted. The product of the Cholesky factor's diagonal is the root of the determinant already: was the ½ taken twice?"},
		{Key: "quadratic-kept", Hint: 2, Answer: plus(func(t terms) float64 { return -t.quad / 2 }),
			Message: "½ θᵀAθ at the mode is subtracted. The quadratic term has the distance from the mode in it, not θ, and the integral over that distance has used it up: what it leaves behind is the volume."},
		{Key: "prior-at-zero", Hint: 2, Answer: plus(func(t terms) float64 { return t.prior0 - t.prior }),
			Message: "The prior is evaluated at θ = 0, the likelihood at the mode. Both belong to the integrand, whose height is asked for at its maximum."},
		{Key: "whole-number-half", Hint: 4,
			Answer:  plus(func(t terms) float64 { return math.Floor(t.m/2)*log2Pi - t.twoPi }),
			Message: "For even M your number is right, for odd M it is not: in Go len(mode)/2 is a division of whole numbers. Turn M into a float64 first."},
		{Key: "first-entry", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Log(t.A.At(0, 0))) / 2 }),
			Message: "Of A only the entry in the first row and column is used: for one parameter it is all of A, for more it is not."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1, 1/math.Ln10),
			Message: "ln|A| is taken to base 10; logLik and logPrior are natural logarithms."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1/math.Ln10, 1/math.Ln10),
			Message: "ln(2π) and ln|A| are taken to base 10; logLik and logPrior are natural logarithms."},
	},
}

var log2Pi = math.Log(2 * math.Pi)

// terms holds the numbers that make up (4.137) and its mistaken forms.
type terms struct {
	lik, prior   float64 // at the mode
	lik0, prior0 float64 // at θ = 0
	twoPi        float64 // M/2 ln(2π)
	logDet       float64 // ln|A|
	quad         float64 // θᵀAθ at the mode
	m            float64
	A            *mat.SymDense
}

func termsOf(logLik, logPrior logDensity, mode []float64, A *mat.SymDense) terms {
	m, origin := float64(len(mode)), make([]float64, len(mode))
	return terms{logLik(mode), logPrior(mode), logLik(origin), logPrior(origin), m / 2 * log2Pi, byLU(A),
		gauss.Form(mode, A, mode), m, A}
}

// made is a learner's function defined by a formula of the terms.
func made(formula func(t terms) float64) evidenceFunc {
	return func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64 {
		return formula(termsOf(logLik, logPrior, mode, A))
	}
}

// sum returns (4.137) with each of its four terms multiplied by the given number.
func (t terms) sum(lik, prior, twoPi, det float64) float64 {
	return lik*t.lik + prior*t.prior + twoPi*t.twoPi - det*t.logDet/2
}

func sum(lik, prior, twoPi, det float64) evidenceFunc {
	return made(func(t terms) float64 { return t.sum(lik, prior, twoPi, det) })
}

// plus returns (4.137) plus a number.
func plus(more func(t terms) float64) evidenceFunc {
	return made(func(t terms) float64 { return t.sum(1, 1, 1, 1) + more(t) })
}

// byLU returns ln|det A|.
func byLU(a mat.Matrix) float64 {
	l, _ := mat.LogDet(a)
	return l
}

var askExpansion = &judge.Question[expansionFunc, place]{
	Func: "Expansion", Name: "Expansion", Key: "expansion", Hint: 2,
	Ask: func(f expansionFunc, c *judge.Call, p place) []float64 {
		return []float64{f(p.joint(p.mode), c.Sym("A", p.A), c.Slice("z", p.z))}
	},
	Right: func(p place) []float64 {
		sum := p.joint(p.mode)
		for i, a := range p.z {
			for j, b := range p.z {
				sum -= a * p.A.At(i, j) * b / 2
			}
		}
		return []float64{sum}
	},
	Unit: func(p place, _ []float64) []float64 { return []float64{1 + gauss.Form(p.z, p.A, p.z)} },
	Mistakes: []judge.Mistake[expansionFunc]{
		{Key: "second-order-sign", Hint: 2, Answer: parabola(1, -1),
			Message: "The sign of the second-order term is turned: A holds the negative second derivatives, and away from a maximum the function falls."},
		{Key: "no-half", Hint: 2, Answer: parabola(1, 2), Message: "The second-order term has lost its ½."},
		{Key: "height-lost", Hint: 2, Answer: parabola(0, 1),
			Message: "The value at the maximum is missing: an expansion begins with it."},
		{Key: "first-order", Hint: 2, Answer: parabola(1, 0),
			Message: "This is the expansion to first order: at a maximum the gradient is 0, and only the height is left. One more order is asked for."},
		{Key: "not-logarithm", Hint: 2, Answer: expanded(func(h, q float64) float64 { return math.Exp(h - q/2) }),
			Message: "This is the expansion in an exponential: f itself. Return ln f."},
		{Key: "height-times-bump", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h * math.Exp(-q/2) }),
			Message: "Logarithm and exponential are mixed: the height is that of ln f, and the second-order term comes in as a sum."},
		{Key: "linear", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h - math.Sqrt(q)/2 }),
			Message: "The second-order term stands under a root."},
		{Key: "identity", Hint: 2,
			Answer:  func(h float64, _ *mat.SymDense, z []float64) float64 { return h - floats.Dot(z, z)/2 },
			Message: "A is not in it: the curvature differs from direction to direction."},
		{Key: "inverse", Hint: 2,
			Message: "The inverse of A stands where A belongs. A holds the second derivatives themselves; its inverse is the covariance.",
			Answer: func(h float64, A *mat.SymDense, z []float64) float64 {
				return h - floats.Dot(z, gauss.Solve(A, z))/2
			}},
	},
}

// expanded is a learner's Expansion defined by a formula of the height and zᵀAz.
func expanded(f func(h, q float64) float64) expansionFunc {
	return func(height float64, A *mat.SymDense, z []float64) float64 { return f(height, gauss.Form(z, A, z)) }
}

var askVolume = &judge.Question[volumeFunc, curvature]{
	Func: "LogVolume", Name: "LogVolume", Key: "volume", Hint: 3,
	Ask: func(f volumeFunc, c *judge.Call, p curvature) []float64 {
		v := f(c.Sym("A", p.A))
		if p.wide && (math.IsNaN(v) || math.IsInf(v, 0)) {
			c.Say(judge.Fail("volume-far-not-finite", 3,
				"For %v LogVolume is %g. The determinant of A is outside the range of a float64 here; its logarithm is a moderate number.", p, v))
		}
		return []float64{v}
	},
	Right: func(c curvature) []float64 { return []float64{volume(1, 1)(c.A)} },
	Unit:  func(c curvature, _ []float64) []float64 { return []float64{float64(c.A.SymmetricDim())} },
	Mistakes: []judge.Mistake[volumeFunc]{
		{Key: "determinant-sign", Hint: 2, Answer: volume(1, -1),
			Message: "The sign of ½ ln|A| is turned: the larger the curvature, the narrower the bump. (With the covariance A⁻¹ for the matrix it would be plus.)"},
		{Key: "no-root", Hint: 3, Answer: volume(1, 2),
			Message: "ln|A| has no ½: in one dimension the integral is √(2π/A), with a root over all of it."},
		{Key: "two-pi-missing", Hint: 3, Answer: volume(0, 1),
			Message: "The powers of 2π are missing: each dimension brings √(2π)."},
		{Key: "two-pi-once", Hint: 3, Answer: measured(func(_, d float64) float64 { return log2Pi/2 - d/2 }),
			Message: "½ ln 2π is there once. Each of the M dimensions brings it."},
		{Key: "two-pi-whole", Hint: 3, Answer: volume(2, 1),
			Message: "Each dimension brings ln 2π, twice too much: 2π stands under a root."},
		{Key: "pi", Hint: 3, Answer: measured(func(m, d float64) float64 { return m/2*math.Log(math.Pi) - d/2 }),
			Message: "Each dimension brings √π: that belongs to exp(−zᵀAz). The ½ in the exponent makes it √(2π)."},
		{Key: "normaliser", Hint: 2, Answer: volume(-1, -1),
			Message: "This is the logarithm of the factor in front of a normal density. The volume is what such a density is divided by: the reciprocal."},
		{Key: "not-logarithm", Hint: 3,
			Answer:  measured(func(m, d float64) float64 { return math.Exp(m/2*log2Pi - d/2) }),
			Message: "This is the integral itself. Return its logarithm, which stays moderate for many dimensions."},
	},
}

// parabola returns the sum of the height and −½zᵀAz, each multiplied by the given number.
func parabola(height, square float64) expansionFunc {
	return expanded(func(h, q float64) float64 { return height*h - square*q/2 })
}

// measured is a learner's LogVolume defined by a formula of M and ln|A|.
func measured(f func(m, logDet float64) float64) volumeFunc {
	return func(A *mat.SymDense) float64 { return f(float64(A.SymmetricDim()), logDet(A)) }
}

// volume returns the sum of M/2 ln(2π) and −½ ln|A|, each multiplied by the given number.
func volume(twoPi, det float64) volumeFunc {
	return measured(func(m, d float64) float64 { return twoPi*m/2*log2Pi - det*d/2 })
}

// logDet returns ln|A|, computed from the eigenvalues.
func logDet(a *mat.SymDense) float64 {
	var e mat.EigenSym
	e.Factorize(a, false)
	sum := 0.0
	for _, v := range e.Values(nil) {
		sum += math.Log(v)
	}
	return sum
}

func init() {
	judge.Known(exercise, ask, Check)
	judge.Known(exercise, askExpansion, func(f expansionFunc) *verify.Report { return CheckSteps(f, volume(1, 1)) })
	judge.Known(exercise, askVolume, func(f volumeFunc) *verify.Report { return CheckSteps(parabola(1, 1), f) })
}
