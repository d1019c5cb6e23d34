package ex08

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

type (
	posteriorFunc = func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64)
	termsFunc     = func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)
)

// take calls posterior with copies and returns the numbers of w, w0, or both. It returns nil if
// their shape or values are invalid.
func take(slopes, bias bool) func(f posteriorFunc, c *judge.Call, p problem) []float64 {
	return func(f posteriorFunc, c *judge.Call, p problem) (got []float64) {
		d := len(p.mu1)
		w, w0 := f(c.Slice("mu1", p.mu1), c.Slice("mu2", p.mu2), c.Sym("Sigma", p.Sigma), p.p1)
		if slopes {
			if len(w) == d+1 {
				c.Say(judge.Fail("bias-inside", 3,
					"Your w has D+1 entries. Return the bias separately, as w0. w has one entry per input."))
			}
			got = c.Vector("w", w, d, "entry of mu1")
		}
		if slopes && bias && (got == nil || math.IsNaN(w0) || math.IsInf(w0, 0)) {
			c.Say(judge.Fail("not-finite", 3,
				"For %v your w0 is %g. Check for a logarithm of 0, or for an inverse that does not exist.", p, w0))
			return nil
		}
		if bias {
			got = append(got, w0)
		}
		return got
	}
}

var askBoth = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w and w0", Hint: 3, Per: "input, and one", Ask: take(true, true),
	Right: func(p problem) []float64 { return append(weights(p), w0(p)) },
	Unit:  func(p problem, _ []float64) []float64 { return append(p.units(), p.size(p.origin())) },
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "classes-swapped", Hint: 1,
			Message: "For {problem} your σ(wᵀx + w0) is p(C2|x), the probability of the other class.",
			Answer:  both(func(p problem) ([]float64, float64) { return weights(exchanged(p)), w0(exchanged(p)) })},
	},
}

// units returns the size of each entry of w: the distance between the means in standard deviations,
// divided by the standard deviation of the input.
func (p problem) units() []float64 {
	far := math.Sqrt(p.quadratic(p.gap()))
	if far == 0 {
		far = 1
	}
	u := gauss.Roots(p.Sigma)
	for j, s := range u {
		u[j] = far / s
	}
	return u
}

var askWeights = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w", Hint: 3, Per: "input", Ask: take(true, false), Right: weights,
	Unit: func(p problem, _ []float64) []float64 { return p.units() },
	Nearly: judge.Wrong{Key: "w-nearly", Hint: 3,
		Message: "Nearly: for {problem} your w is {off}. Do not add a number to Sigma, and do not round intermediate results."},
	Sign: judge.Wrong{Key: "w-factor", Hint: 2,
		Message: "Your w is (4.66) times a negative number. In each exponent the two mixed terms xᵀΣ⁻¹μ have a minus inside the bracket and the factor −½ in front of it."},
	Factor: judge.Wrong{Key: "w-factor", Hint: 2,
		Message: "Your w is (4.66) times a constant factor. Each quadratic form contains two equal mixed terms xᵀΣ⁻¹μ, and the factor ½ leaves one of them."},
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "classes-swapped", Hint: 1,
			Message: "Your w is Σ⁻¹(μ2 − μ1), which belongs to p(C2|x). The log odds of p(C1|x) increase towards μ1.",
			Answer:  slope(func(p problem) []float64 { return p.solve(instance.Minus(p.mu2, p.mu1)) })},
		{Key: "sigma-for-inverse", Hint: 2,
			Message: "Your w is Σ(μ1 − μ2). The exponent of the density contains Σ⁻¹, so w is small in directions in which the classes spread widely.",
			Answer:  slope(func(p problem) []float64 { return gauss.Times(p.Sigma, p.gap()) })},
		{Key: "sigma-missing", Answer: slope(func(p problem) []float64 { return p.gap() }), Hint: 2,
			Message: "Your w is μ1 − μ2, which is right only for Σ = I. In general w = Σ⁻¹(μ1 − μ2)."},
		{Key: "half-of-inverse", Hint: 3,
			Message: "Your w is L⁻¹(μ1 − μ2) with the Cholesky factor L of Σ = LLᵀ. Multiply it by L⁻ᵀ to obtain Σ⁻¹(μ1 − μ2).",
			Answer: slope(func(p problem) []float64 {
				var chol mat.Cholesky
				var L mat.TriDense
				chol.Factorize(p.Sigma)
				chol.LTo(&L)
				return gauss.Solve(&L, p.gap())
			})},
		{Key: "half-of-inverse", Hint: 3,
			Message: "Your w is Σ^(−½)(μ1 − μ2), with the square root of the inverse. The exponent of the density contains the inverse itself.",
			Answer:  slope(func(p problem) []float64 { return gauss.Times(gauss.Power(p.Sigma, -0.5), p.gap()) })},
		{Key: "raw-data", Hint: 3,
			Message: "You use RawSymmetric().Data of Sigma as the whole matrix. A *mat.SymDense stores only the upper triangle, and the rest of Data is arbitrary: use At, or let a Cholesky factorization read it.",
			Answer: slope(func(p problem) []float64 {
				upper := mat.NewDense(len(p.mu1), len(p.mu1), nil)
				for i := range p.mu1 {
					for j := i; j < len(p.mu1); j++ {
						upper.Set(i, j, p.Sigma.At(i, j))
					}
				}
				return gauss.Solve(upper, p.gap())
			})},
		{Key: "inverse-twice", Answer: slope(func(p problem) []float64 { return p.solve(p.solve(p.gap())) }), Hint: 3,
			Message: "Your w is Σ⁻²(μ1 − μ2), with two inverses. Apply the inverse only once."},
		{Key: "unit-length", Hint: 2,
			Message: "Your w has length 1. The length of w determines how steep σ is along w. Scaling w and w0 leaves only the boundary unchanged.",
			Answer: slope(func(p problem) []float64 {
				w := weights(p)
				floats.Scale(1/math.Max(floats.Norm(w, 2), math.SmallestNonzeroFloat64), w) // 0 stays 0
				return w
			})},
		{Key: "diagonal-only", Hint: 2,
			Message: "You divide each entry of μ1 − μ2 by its own variance, as if Σ were diagonal. Use the inverse of the whole matrix.",
			Answer: slope(func(p problem) []float64 {
				w := p.gap()
				for j := range w {
					w[j] /= p.Sigma.At(j, j)
				}
				return w
			})},
		{Key: "entries-inverted", Hint: 2,
			Message: "You replace each entry of Σ by its reciprocal. The inverse of a matrix is not the matrix of reciprocals.",
			Answer: slope(func(p problem) []float64 {
				var inverted mat.Dense
				inverted.Apply(func(_, _ int, v float64) float64 { return 1 / v }, p.Sigma)
				return gauss.Times(&inverted, p.gap())
			})},
		{Key: "sum-of-means", Hint: 2,
			Message: "Your w is Σ⁻¹(μ1 + μ2). The log odds are the difference of two exponents, so the means are subtracted.",
			Answer:  slope(func(p problem) []float64 { return p.solve(floats.AddTo(p.origin(), p.mu1, p.mu2)) })},
		{Key: "one-mean", Answer: slope(func(p problem) []float64 { return p.solve(p.mu1) }), Hint: 2,
			Message: "Your w is Σ⁻¹μ1, which is w_1 of the K-class form (4.69). For two classes return the difference w_1 − w_2."},
	},
}

var askBias = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w0", Hint: 3, Ask: take(false, true),
	Right: func(p problem) []float64 { return []float64{w0(p)} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Nearly: judge.Wrong{Key: "w0-nearly", Hint: 3,
		Message: "Nearly: for {problem} your w0 is {off}. Do not add a number to Sigma or p1, and do not round intermediate results."},
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "prior-missing", Answer: combined(-0.5, 0.5, 0), Hint: 2,
			Message: "The prior is missing in your w0. A class that is rare is less probable at every x."},
		{Key: "prior-inverted", Answer: combined(-0.5, 0.5, -1), Hint: 2,
			Message: "Your ratio of the priors is inverted (as on one set of lecture slides). A frequent class 1 must raise w0."},
		{Key: "half-missing", Answer: combined(-1, 1, 1), Hint: 2,
			Message: "The ½ of the exponent is missing in the terms μᵀΣ⁻¹μ of your w0."},
		{Key: "half-on-all", Answer: combined(-0.5, 0.5, 0.5), Hint: 3,
			Message: "You also multiply the log ratio of the priors by ½. The ½ belongs only to the exponents."},
		{Key: "classes-swapped", Answer: combined(0.5, -0.5, -1), Hint: 1,
			Message: "Your w0 is the bias of p(C2|x). Change every sign."},
		{Key: "quadratic-sign", Answer: combined(0.5, -0.5, 1), Hint: 2,
			Message: "You exchanged the signs of the two terms μᵀΣ⁻¹μ. The term of class 1 has the factor −½."},
		{Key: "quadratic-sum", Answer: combined(-0.5, -0.5, 1), Hint: 2,
			Message: "You subtract both terms μᵀΣ⁻¹μ. Add the term of class 2, because its density is in the denominator of the ratio (4.58)."},
		{Key: "quadratic-sum", Answer: combined(0.5, 0.5, 1), Hint: 2,
			Message: "You add both terms μᵀΣ⁻¹μ. Subtract the term of class 1: its exponent is negative, and its density is in the numerator of the ratio (4.58)."},
		{Key: "quadratic-missing", Answer: combined(0, 0, 1), Hint: 2,
			Message: "Your w0 is the log ratio of the priors alone. The constant terms ∓½μᵀΣ⁻¹μ of the two exponents are missing."},
		{Key: "one-quadratic", Answer: combined(-0.5, 0, 1), Hint: 2,
			Message: "Your w0 contains only the term μᵀΣ⁻¹μ of class 1. The term of class 2 is missing."},
		{Key: "one-quadratic", Answer: combined(0, 0.5, 1), Hint: 2,
			Message: "Your w0 contains only the term μᵀΣ⁻¹μ of class 2. The term of class 1 is missing."},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains −½(μ1−μ2)ᵀΣ⁻¹(μ1−μ2). The difference of two squares a² − b² is not the square of the difference, (a − b)².",
			Answer:  bias(func(p problem) float64 { return -p.quadratic(p.gap())/2 + logRatio(p) })},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains ½(μ1−μ2)ᵀΣ⁻¹(μ1−μ2). The difference of two squares a² − b² is not the square of the difference, (a − b)².",
			Answer:  bias(func(p problem) float64 { return p.quadratic(p.gap())/2 + logRatio(p) })},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains −½(μ1+μ2)ᵀΣ⁻¹(μ1+μ2). The difference of two squares a² − b² is not the square of the sum.",
			Answer: bias(func(p problem) float64 {
				return -p.quadratic(floats.AddTo(p.origin(), p.mu1,
					p.mu2))/2 + logRatio(p)
			})},
		{Key: "prior-no-log", Answer: withPrior(func(p1 float64) float64 { return p1 / (1 - p1) }), Hint: 3,
			Message: "Your w0 contains the ratio of the priors without the logarithm."},
		{Key: "prior-no-log", Answer: withPrior(func(p1 float64) float64 { return p1 }), Hint: 3,
			Message: "Your w0 contains p1 itself. It must contain ln p1 minus the logarithm of the prior of class 2."},
		{Key: "prior-of-one", Answer: withPrior(func(p1 float64) float64 { return math.Log(p1) }), Hint: 2,
			Message: "Your w0 contains only ln p1. The prior of class 2 is missing."},
		{Key: "prior-of-one", Answer: withPrior(func(p1 float64) float64 { return -math.Log(1 - p1) }), Hint: 2,
			Message: "Your w0 contains only the prior of class 2. The prior of class 1 is missing."},
		{Key: "prior-sum", Hint: 2,
			Message: "You add both logarithms of the priors. Subtract the logarithm of the prior of class 2.",
			Answer:  withPrior(func(p1 float64) float64 { return math.Log(p1) + math.Log(1-p1) })},
		{Key: "prior-twice", Answer: withPrior(func(p1 float64) float64 { return 2 * math.Log(p1/(1-p1)) }), Hint: 2,
			Message: "Your w0 contains the log ratio of the priors twice."},
		{Key: "log-base", Answer: withPrior(func(p1 float64) float64 { return math.Log10(p1 / (1 - p1)) }), Hint: 3,
			Message: "Your log ratio of the priors has base 10. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "log-base", Answer: withPrior(func(p1 float64) float64 { return math.Log2(p1 / (1 - p1)) }), Hint: 3,
			Message: "Your log ratio of the priors has base 2. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "sigma-for-inverse", Hint: 2,
			Message: "The terms of your w0 are μᵀΣμ. The exponent of the density contains Σ⁻¹, so they must be μᵀΣ⁻¹μ.",
			Answer: bias(func(p problem) float64 {
				return (floats.Dot(p.mu2, gauss.Times(p.Sigma, p.mu2))-floats.Dot(p.mu1,
					gauss.Times(p.Sigma, p.mu1)))/2 + logRatio(p)
			})},
		{Key: "sigma-missing", Hint: 2, Message: "The terms of your w0 are μᵀμ, without Σ⁻¹, which is right only for Σ = I.",
			Answer: bias(func(p problem) float64 {
				return (floats.Dot(p.mu2, p.mu2)-floats.Dot(p.mu1,
					p.mu1))/2 + logRatio(p)
			})},
		{Key: "determinant-left", Answer: bias(func(p problem) float64 { return w0(p) - p.logDet()/2 }), Hint: 3,
			Message: "Your w0 contains a term ½ ln|Σ|. This term is equal for both classes, so it cancels."},
		{Key: "determinant-left", Answer: bias(func(p problem) float64 { return w0(p) + p.logDet()/2 }), Hint: 3,
			Message: "Your w0 contains a term +½ ln|Σ|. This term is equal for both classes, so it cancels."},
	},
}

// askTerms judges the three parts of an exponent. |xᵀΣ⁻¹μ| is at most the square root of the
// product of xᵀΣ⁻¹x and μᵀΣ⁻¹μ, so this root is the unit of the linear part.
var askTerms = &judge.Question[termsFunc, exponent]{
	Func: "Terms", Name: "Terms", Key: "terms", Hint: 2,
	Entries: []string{"quadratic part", "linear part", "constant part"},
	Ask: func(terms termsFunc, c *judge.Call, e exponent) []float64 {
		q, l, k := terms(c.Slice("x", e.x), c.Slice("mu", e.mu), c.Sym("Sigma", e.Sigma))
		return []float64{q, l, k}
	},
	Right: parts,
	Unit: func(e exponent, _ []float64) []float64 {
		xx, _, mm := e.inner()
		return []float64{1 + xx, 1 + math.Sqrt(xx*mm), 1 + mm}
	},
	Mistakes: []judge.Mistake[termsFunc]{
		{Key: "no-half", Answer: mixed(-1, 2, -1), Hint: 2,
			Message: "All your parts are twice the right values, because the factor ½ of the exponent is missing."},
		{Key: "linear-half", Answer: mixed(-0.5, 0.5, -0.5), Hint: 2,
			Message: "Your linear part is half of the right value. Both products xᵀΣ⁻¹μ and μᵀΣ⁻¹x are linear in x, and they are equal because Σ⁻¹ is symmetric."},
		{Key: "linear-sign", Answer: mixed(-0.5, -1, -0.5), Hint: 2,
			Message: "Your linear part has the wrong sign. The minus of −½ times the minus of x−μ is a plus."},
		{Key: "linear-double", Answer: mixed(-0.5, 2, -0.5), Hint: 2,
			Message: "Your linear part is twice the right value. The factor ½ also applies to the two equal products."},
		{Key: "linear-double-sign", Answer: mixed(-0.5, -2, -0.5), Hint: 2,
			Message: "Your linear part is −2xᵀΣ⁻¹μ, as inside the bracket. Multiply it by the factor −½ in front of the bracket."},
		{Key: "linear-lost", Answer: mixed(-0.5, 0, -0.5), Hint: 2,
			Message: "Your linear part is 0. (x−μ)ᵀΣ⁻¹(x−μ) contains two mixed products besides the two squares."},
		{Key: "constant-sign", Answer: mixed(-0.5, 1, 0.5), Hint: 2,
			Message: "Your constant part has the wrong sign. The square of μ is positive inside the bracket, and the factor before the bracket is −½."},
		{Key: "constant-lost", Answer: mixed(-0.5, 1, 0), Hint: 2,
			Message: "Your constant part is 0. The constant part is the exponent at x = 0."},
		{Key: "quadratic-sign", Answer: mixed(0.5, 1, -0.5), Hint: 2,
			Message: "Your quadratic part has the wrong sign. It must be negative, because the density decreases far from its mean."},
		{Key: "covariance", Hint: 3, Message: "Your parts contain Σ in place of Σ⁻¹.",
			Answer: func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
				u, v := gauss.Times(Sigma, x), gauss.Times(Sigma, mu)
				return -floats.Dot(x, u) / 2, floats.Dot(x, v), -floats.Dot(mu, v) / 2
			}},
		{Key: "no-covariance", Hint: 3, Message: "Σ⁻¹ is missing in your parts, which are right only for Σ = I.",
			Answer: func(x, mu []float64, _ *mat.SymDense) (q, l, c float64) {
				return -floats.Dot(x, x) / 2, floats.Dot(x, mu), -floats.Dot(mu, mu) / 2
			}},
	},
}

func (p problem) gap() []float64 { return instance.Minus(p.mu1, p.mu2) }

// solve returns Σ⁻¹v, and quadratic returns vᵀΣ⁻¹v.
func (p problem) solve(v []float64) []float64 { return gauss.Solve(p.Sigma, v) }

func (p problem) quadratic(v []float64) float64 { return floats.Dot(v, p.solve(v)) }

// weights returns (4.66), and w0 returns (4.67). logRatio returns ln{p1/(1−p1)}, the last term of
// w0.
func weights(p problem) []float64 { return p.solve(p.gap()) }

func w0(p problem) float64 { return (p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + logRatio(p) }

func logRatio(p problem) float64 { return math.Log(p.p1 / (1 - p.p1)) }

// both, slope and bias return wrong answers: f computes both results, only w, or only w0. combined
// computes w0 as a weighted sum of μ1ᵀΣ⁻¹μ1, μ2ᵀΣ⁻¹μ2 and the log ratio of the priors.
func both(f func(p problem) ([]float64, float64)) posteriorFunc {
	return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
		return f(problem{mu1: mu1, mu2: mu2, Sigma: Sigma, p1: p1})
	}
}

func slope(f func(p problem) []float64) posteriorFunc {
	return both(func(p problem) ([]float64, float64) { return f(p), w0(p) })
}

func bias(f func(p problem) float64) posteriorFunc {
	return both(func(p problem) ([]float64, float64) { return weights(p), f(p) })
}

func combined(q1, q2, prior float64) posteriorFunc {
	return bias(func(p problem) float64 { return q1*p.quadratic(p.mu1) + q2*p.quadratic(p.mu2) + prior*logRatio(p) })
}

// withPrior returns an answer whose w0 contains f(p1) in place of the log ratio.
func withPrior(f func(p1 float64) float64) posteriorFunc {
	return bias(func(p problem) float64 { return w0(p) - logRatio(p) + f(p.p1) })
}

// mixed returns an answer with the parts q·xᵀΣ⁻¹x, l·xᵀΣ⁻¹μ and c·μᵀΣ⁻¹μ.
func mixed(q, l, c float64) termsFunc {
	return func(x, mu []float64, Sigma *mat.SymDense) (float64, float64, float64) {
		xx, xm, mm := exponent{problem{Sigma: Sigma}, x, mu}.inner()
		return q * xx, l * xm, c * mm
	}
}

func init() {
	judge.Known(exercise, askBoth, Check)
	judge.Known(exercise, askWeights, Check)
	judge.Known(exercise, askBias, Check)
	judge.Known(exercise, askTerms, CheckSteps)
}
