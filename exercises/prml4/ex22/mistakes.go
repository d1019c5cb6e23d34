package ex22

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
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
				"For %v you returned %g. A is positive definite and both log densities are finite at the mode. Check for the logarithm of a negative number, or a θ of the wrong length passed to logLik.", p, v)
			if p.beyond {
				bad = verify.Fail("determinant-overflow", 3,
					"For %v you returned %g. The determinant of A is outside the range of a float64 here, but its logarithm is not. Sum the logarithms of the factors, or use the method LogDet of the Cholesky factorization.", p, v)
			}
			c.Say(&bad)
		}
		return []float64{v}
	},
	Right: func(p problem) []float64 { return []float64{p.laplace} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your number is the log evidence times a constant. Use natural logarithms, and no factor in front of the sum."},
	Mistakes: []judge.Mistake[evidenceFunc]{
		{Key: "two-pi-missing", Hint: 2, Answer: sum(1, 1, 0, 1),
			Message: "The term with ln(2π) is missing. The integral of an unnormalised M-dimensional Gaussian contains M factors √(2π)."},
		{Key: "two-pi-sign", Hint: 2, Answer: sum(1, 1, -1, 1),
			Message: "The term with ln(2π) has the wrong sign. Here (2π)^{M/2} is a factor of the volume under the Gaussian, not of the normalisation of a density."},
		{Key: "two-pi-once", Hint: 2, Answer: plus(func(t terms) float64 { return log2Pi/2 - t.twoPi }),
			Message: "Your sum contains ½ ln(2π) only once. Add it for each of the M dimensions."},
		{Key: "two-pi-half", Hint: 2, Answer: sum(1, 1, 2, 1),
			Message: "Your sum contains M ln(2π). Each dimension contributes √(2π), so a factor ½ is missing."},
		{Key: "pi-for-two-pi", Hint: 2, Answer: sum(1, 1, math.Log(math.Pi)/log2Pi, 1),
			Message: "Your sum contains π in place of 2π. The 2 comes from the ½ in the exponent of the Gaussian."},
		{Key: "determinant-sign", Hint: 2, Answer: sum(1, 1, 1, -1),
			Message: "You add ½ ln|A|. Subtract it: A is a precision, and a larger precision means a narrower posterior with a smaller volume. (With the determinant of the covariance the sign is plus.)"},
		{Key: "normaliser-inverted", Hint: 2, Answer: sum(1, 1, -1, -1),
			Message: "ln(2π) and ln|A| both have the wrong sign. The integral of e^{−½zᵀAz} is the reciprocal of the factor in front of a normal density."},
		{Key: "determinant-half", Hint: 2, Answer: sum(1, 1, 1, 2),
			Message: "You subtract ln|A|. The volume contains the square root of the determinant, so subtract ½ ln|A|."},
		{Key: "determinant-missing", Hint: 2, Answer: sum(1, 1, 1, 0),
			Message: "For {problem} your number does not contain A, or its determinant overflows. The width of the posterior depends on A."},
		{Key: "occam-missing", Hint: 2, Answer: sum(1, 1, 0, 0),
			Message: "This is ln{p(D|θ)p(θ)} at the mode, the logarithm of the height. The evidence is the integral, height times width. The width is missing."},
		{Key: "best-fit-only", Hint: 1, Answer: sum(1, 0, 0, 0),
			Message: "This is the log likelihood at the mode. The Occam factor is missing, a penalty for all other values that the parameters could have."},
		{Key: "prior-forgotten", Hint: 1, Answer: sum(1, 0, 1, 1),
			Message: "The log prior at the mode is missing. The integrand of the evidence is p(D|θ)p(θ)."},
		{Key: "prior-twice", Hint: 1, Answer: sum(1, 2, 1, 1),
			Message: "The prior is counted twice. logLik is ln p(D|θ) alone, without the prior."},
		{Key: "prior-sign", Hint: 1, Answer: sum(1, -1, 1, 1),
			Message: "You subtract the log prior. The likelihood and the prior are multiplied, so add their logarithms."},
		{Key: "likelihood-forgotten", Hint: 1, Answer: sum(0, 1, 1, 1),
			Message: "This is the Occam factor of (4.137) alone. The likelihood is missing."},
		{Key: "likelihood-twice", Hint: 1, Answer: sum(2, 1, 1, 1), Message: "The likelihood is counted twice."},
		{Key: "sign", Hint: 1, Answer: sum(-1, -1, -1, -1),
			Message: "This is the negative log evidence. Change the sign."},
		{Key: "evidence-itself", Hint: 1, Answer: made(func(t terms) float64 { return math.Exp(t.sum(1, 1, 1, 1)) }),
			Message: "This is the evidence itself. Return its logarithm, which does not underflow."},
		{Key: "not-at-the-mode", Hint: 2,
			Answer:  plus(func(t terms) float64 { return t.lik0 + t.prior0 - t.lik - t.prior }),
			Message: "Both densities are evaluated at θ = 0. The expansion is about the mode."},
		{Key: "log-missing", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Exp(t.logDet)) / 2 }),
			Message: "Your sum contains the determinant without the logarithm."},
		{Key: "log-missing", Hint: 3, Answer: plus(func(t terms) float64 { return t.logDet/2 - math.Exp(t.logDet/2) }),
			Message: "Your sum contains the square root of the determinant without the logarithm."},
		{Key: "diagonal-only", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - byLU(t.A.DiagView())) / 2 }),
			Message: "You use only the diagonal of A. The product of the diagonal is the determinant only for a triangular matrix, so factorize A first."},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - mat.Trace(t.A)) / 2 }),
			Message: "Your sum contains the trace of A in place of ln|A|. (ln|A| is the trace of the matrix logarithm of A.)"},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Log(mat.Trace(t.A))) / 2 }),
			Message: "You use the trace of A, the sum of its eigenvalues. |A| is the determinant, the product of the eigenvalues."},
		{Key: "cholesky-half", Hint: 3, Answer: sum(1, 1, 1, 0.5),
			Message: "You subtract a quarter of ln|A|. The product of the diagonal of the Cholesky factor is already the square root of the determinant, so apply the ½ only once."},
		{Key: "quadratic-kept", Hint: 2, Answer: plus(func(t terms) float64 { return -t.quad / 2 }),
			Message: "You subtract ½ θᵀAθ at the mode. The quadratic term contains the displacement from the mode, not θ, and the integral over the displacement turns it into the volume."},
		{Key: "prior-at-zero", Hint: 2, Answer: plus(func(t terms) float64 { return t.prior0 - t.prior }),
			Message: "You evaluate the prior at θ = 0 and the likelihood at the mode. Evaluate both at the mode, where the integrand is largest."},
		{Key: "whole-number-half", Hint: 4,
			Answer:  plus(func(t terms) float64 { return math.Floor(t.m/2)*log2Pi - t.twoPi }),
			Message: "Your number is right for even M but wrong for odd M, because in Go len(mode)/2 is an integer division. Convert M to float64 first."},
		{Key: "first-entry", Hint: 3,
			Answer:  plus(func(t terms) float64 { return (t.logDet - math.Log(t.A.At(0, 0))) / 2 }),
			Message: "You use only the entry in the first row and column of A, which is right only for one parameter."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1, 1/math.Ln10),
			Message: "Your ln|A| has base 10, but logLik and logPrior are natural logarithms."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1/math.Ln10, 1/math.Ln10),
			Message: "Your ln(2π) and ln|A| have base 10, but logLik and logPrior are natural logarithms."},
	},
}

var log2Pi = math.Log(2 * math.Pi)

// terms contains the numbers that (4.137) and its mistaken forms combine.
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

// made returns an answer that computes formula from the terms.
func made(formula func(t terms) float64) evidenceFunc {
	return func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64 {
		return formula(termsOf(logLik, logPrior, mode, A))
	}
}

// sum returns (4.137) with its four terms multiplied by lik, prior, twoPi and det.
func (t terms) sum(lik, prior, twoPi, det float64) float64 {
	return lik*t.lik + prior*t.prior + twoPi*t.twoPi - det*t.logDet/2
}

func sum(lik, prior, twoPi, det float64) evidenceFunc {
	return made(func(t terms) float64 { return t.sum(lik, prior, twoPi, det) })
}

// plus returns an answer that computes (4.137) plus the result of more.
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
			Message: "Your second-order term has the wrong sign. A contains the negative second derivatives, and ln f decreases away from the maximum."},
		{Key: "no-half", Hint: 2, Answer: parabola(1, 2), Message: "The factor ½ of the second-order term is missing."},
		{Key: "height-lost", Hint: 2, Answer: parabola(0, 1),
			Message: "The value at the maximum, the first term of the expansion, is missing."},
		{Key: "first-order", Hint: 2, Answer: parabola(1, 0),
			Message: "This is the expansion to first order, which is only the height because the gradient is 0 at a maximum. Add the second-order term."},
		{Key: "not-logarithm", Hint: 2, Answer: expanded(func(h, q float64) float64 { return math.Exp(h - q/2) }),
			Message: "This is the exponential of the expansion, an approximation of f. Return ln f."},
		{Key: "height-times-bump", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h * math.Exp(-q/2) }),
			Message: "You mix logarithm and exponential. The height is ln f at the maximum, so add the second-order term to it."},
		{Key: "linear", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h - math.Sqrt(q)/2 }),
			Message: "You take the square root of the second-order term. Leave out the root."},
		{Key: "identity", Hint: 2,
			Answer:  func(h float64, _ *mat.SymDense, z []float64) float64 { return h - floats.Dot(z, z)/2 },
			Message: "Your expansion does not contain A. The curvature depends on the direction."},
		{Key: "inverse", Hint: 2,
			Message: "Your expansion contains the inverse of A in place of A. A contains the negative second derivatives; its inverse is the covariance.",
			Answer: func(h float64, A *mat.SymDense, z []float64) float64 {
				return h - floats.Dot(z, gauss.Solve(A, z))/2
			}},
	},
}

// expanded returns an answer to Expansion that computes f from the height and zᵀAz.
func expanded(f func(h, q float64) float64) expansionFunc {
	return func(height float64, A *mat.SymDense, z []float64) float64 { return f(height, gauss.Form(z, A, z)) }
}

var askVolume = &judge.Question[volumeFunc, curvature]{
	Func: "LogVolume", Name: "LogVolume", Key: "volume", Hint: 3,
	Ask: func(f volumeFunc, c *judge.Call, p curvature) []float64 {
		v := f(c.Sym("A", p.A))
		if p.wide && (math.IsNaN(v) || math.IsInf(v, 0)) {
			c.Say(judge.Fail("volume-far-not-finite", 3,
				"For %v LogVolume is %g. The determinant of A is outside the range of a float64 here, but its logarithm is not.", p, v))
		}
		return []float64{v}
	},
	Right: func(c curvature) []float64 { return []float64{volume(1, 1)(c.A)} },
	Unit:  func(c curvature, _ []float64) []float64 { return []float64{float64(c.A.SymmetricDim())} },
	Mistakes: []judge.Mistake[volumeFunc]{
		{Key: "determinant-sign", Hint: 2, Answer: volume(1, -1),
			Message: "½ ln|A| has the wrong sign: a larger curvature means a narrower peak. (For the covariance A⁻¹ the sign would be plus.)"},
		{Key: "no-root", Hint: 3, Answer: volume(1, 2),
			Message: "Your ln|A| lacks the factor ½. In one dimension the integral is √(2π/A)."},
		{Key: "two-pi-missing", Hint: 3, Answer: volume(0, 1),
			Message: "The powers of 2π are missing. Each dimension contributes √(2π)."},
		{Key: "two-pi-once", Hint: 3, Answer: measured(func(_, d float64) float64 { return log2Pi/2 - d/2 }),
			Message: "Your sum contains ½ ln 2π only once. Add it for each of the M dimensions."},
		{Key: "two-pi-whole", Hint: 3, Answer: volume(2, 1),
			Message: "Your sum contains ln 2π for each dimension. Each dimension contributes √(2π), so add ½ ln 2π."},
		{Key: "pi", Hint: 3, Answer: measured(func(m, d float64) float64 { return m/2*math.Log(math.Pi) - d/2 }),
			Message: "Each dimension contributes √π in your sum, which belongs to exp(−zᵀAz). With the ½ in the exponent it is √(2π)."},
		{Key: "normaliser", Hint: 2, Answer: volume(-1, -1),
			Message: "This is the logarithm of the factor in front of a normal density. The volume is the reciprocal of this factor."},
		{Key: "not-logarithm", Hint: 3,
			Answer:  measured(func(m, d float64) float64 { return math.Exp(m/2*log2Pi - d/2) }),
			Message: "This is the integral itself. Return its logarithm, which does not overflow for many dimensions."},
	},
}

// parabola returns an answer that computes the sum of the height and −½zᵀAz, multiplied by height
// and square.
func parabola(height, square float64) expansionFunc {
	return expanded(func(h, q float64) float64 { return height*h - square*q/2 })
}

// measured returns an answer to LogVolume that computes f from M and ln|A|.
func measured(f func(m, logDet float64) float64) volumeFunc {
	return func(A *mat.SymDense) float64 { return f(float64(A.SymmetricDim()), logDet(A)) }
}

// volume returns an answer that computes the sum of M/2 ln(2π) and −½ ln|A|, multiplied by twoPi
// and det.
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
