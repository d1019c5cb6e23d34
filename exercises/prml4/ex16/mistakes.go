package ex16

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type likelihoodFunc = func(p, pi []float64) float64

var askLikelihood = &judge.Question[likelihoodFunc, problem]{
	Func: "LogLikelihood", Name: "log likelihood", Hint: 2, Right: problem.scores,
	Ask: func(f likelihoodFunc, c *judge.Call, q problem) []float64 {
		l := make([]float64, len(q.p))
		for k, p := range q.p {
			l[k] = f(c.Slice("p", p), c.Slice("pi", q.pi))
			c.Say(q.beyond(p, l[k]))
			if q.impossible {
				l[k] = 0
			}
		}
		return l
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: "Nearly: for {problem} three digits are right, and not ten. Is something rounded, kept away from 0 and 1, or added under the logarithm?"},
	Sign:   judge.Wrong{Key: "sign", Hint: 2, Message: "Your number is the error, the negative log likelihood, or a multiple of it. The logarithm of a probability is never positive."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your number is the log likelihood times one number, the same for all data; it has no factor."},
	Mistakes: []judge.Mistake[likelihoodFunc]{
		{Key: "mixture", Hint: 2, Message: "This is Σ ln{πp + (1−π)(1−p)}, the logarithm of a mixture: the model of one single label that may have been flipped, as in (4.117). Asked for are many labels, a share π of them 1: the average of the logarithms, not the logarithm of the average.",
			Answer: sum(func(p, pi float64) float64 { return math.Log(pi*p + (1-pi)*(1-p)) })},
		{Key: "sign", Answer: constant(-1), Hint: 2, Message: "Your number is the error, the negative log likelihood. The logarithm of a probability is never positive."},
		{Key: "averaged", Answer: times(func(n float64) float64 { return 1 / n }), Hint: 2, Message: "Your number is divided by N. The likelihood is a product over the points, its logarithm their sum."},
		{Key: "averaged", Answer: times(func(n float64) float64 { return -1 / n }), Hint: 2, Message: "Your number is the error per point: the sign is turned, and it is divided by N. The log likelihood is a plain sum."},
		{Key: "base", Answer: constant(1 / math.Ln2), Hint: 2, Message: "Your logarithms are to base 2; asked for are natural ones (math.Log)."},
		{Key: "base", Answer: constant(1 / math.Ln10), Hint: 2, Message: "Your logarithms are to base 10; asked for are natural ones (math.Log)."},
		{Key: "likelihood", Hint: 2, Message: "Your number is the likelihood, not its logarithm.",
			Answer: func(p, pi []float64) float64 { return math.Exp(sum(term)(p, pi)) }},
		{Key: "one-term-only", Hint: 2, Message: "Only π ln p is in your sum. The share 1−π of the labels is 0, and has a probability under the model, too.",
			Answer: sum(func(p, pi float64) float64 { return weighted(pi, p) })},
		{Key: "one-term-only", Hint: 2, Message: "Only (1−π) ln(1−p) is in your sum. The share π of the labels is 1, and has a probability under the model, too.",
			Answer: sum(func(p, pi float64) float64 { return weighted(1-pi, 1-p) })},
		{Key: "inner-sign", Hint: 2, Message: "The second term has a minus: the logarithm of a product is a sum.",
			Answer: sum(func(p, pi float64) float64 { return weighted(pi, p) - weighted(1-pi, 1-p) })},
		{Key: "classes-swapped", Hint: 2, Message: "The weights are swapped: p is the probability of t = 1, and goes with π.",
			Answer: sum(func(p, pi float64) float64 { return weighted(1-pi, p) + weighted(pi, 1-p) })},
		{Key: "roles-swapped", Answer: sum(func(p, pi float64) float64 { return term(pi, p) }), Hint: 2, Message: "p and π have changed places: the labels' probabilities are the weights, the model's stand under the logarithm."},
		{Key: "no-weights", Hint: 1, Message: "Both logarithms come in with weight 1. The share of each label is its weight.",
			Answer: sum(func(p, _ float64) float64 { return math.Log(p) + math.Log(1-p) })},
		{Key: "thresholded", Hint: 1, Message: "π is rounded to a certain label. That throws away what is known about the doubt.",
			Answer: sum(func(p, pi float64) float64 { return term(p, math.Round(pi)) })},
		{Key: "squared-error", Hint: 1, Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels.",
			Answer: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) })},
		{Key: "squared-error", Hint: 1, Message: "This is a sum of squares: the error for Gaussian noise, not a log likelihood of labels.",
			Answer: sum(func(p, pi float64) float64 { return (p - pi) * (p - pi) })},
		{Key: "squared-error", Hint: 1, Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels.",
			Answer: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) / 2 })},
		{Key: "relative-entropy", Hint: 2, Message: "The entropy of π is added: this is minus the Kullback-Leibler divergence, which is greatest for the same model. The log likelihood itself contains logarithms of p only.",
			Answer: sum(func(p, pi float64) float64 { return term(p, pi) - term(pi, pi) })},
		{Key: "relative-entropy", Hint: 2, Message: "This is the Kullback-Leibler divergence of p from π: smallest for the same model, but the log likelihood has another sign, and logarithms of p only.",
			Answer: sum(func(p, pi float64) float64 { return term(pi, pi) - term(p, pi) })},
		{Key: "row-forgotten", Answer: part(func(n int) (int, int) { return 0, n - 1 }), Hint: 3, Message: "The last point is not in your sum: does the loop stop one too early?"},
		{Key: "row-forgotten", Answer: part(func(n int) (int, int) { return 1, n }), Hint: 3, Message: "The first point is not in your sum: indices begin at 0."},
		{Key: "one-row", Answer: part(func(n int) (int, int) { return n - 1, n }), Hint: 3, Message: "Only the last point is in your sum: each one replaces the one before."},
		{Key: "one-row", Answer: part(func(int) (int, int) { return 0, 1 }), Hint: 3, Message: "Only the first point is in your sum. Does the loop return too early?"},
		{Key: "zero", Answer: constant(0), Hint: 2, Message: "You returned 0: a log likelihood is 0 only where the model is certain, and right."},
		{Key: "thresholded", Hint: 1, Message: "π is rounded to a certain label. That throws away what is known about the doubt.",
			Answer: sum(func(p, pi float64) float64 { return term(p, math.Ceil(pi-0.5)) })},
		{Key: "half-left-out", Hint: 1, Message: "Points with π = ½ are not in your sum. Half of their labels are 1, half 0, and a model pays for being certain of either.",
			Answer: sum(func(p, pi float64) float64 {
				if pi == 0.5 {
					return 0
				}
				return term(p, pi)
			})},
		{Key: "doubt-discounted", Hint: 1, Message: "Each point comes in with a weight that is less the nearer π is to ½. Every point has as many labels as any other.",
			Answer: sum(func(p, pi float64) float64 { return math.Abs(2*pi-1) * term(p, pi) })},
	},
}

// beyond is what to say of a number that is not finite, or is where it must not be.
func (q problem) beyond(p []float64, l float64) *verify.Verdict {
	edge, sure := false, true
	for i := range p {
		edge = edge || p[i] == 0 || p[i] == 1
		sure = sure && (q.pi[i] == 0 || q.pi[i] == 1)
	}
	nan, inf := math.IsNaN(l), math.IsInf(l, 0)
	switch {
	case q.impossible && math.IsInf(l, -1):
		return nil
	case edge && nan:
		return judge.Fail("zero-times-log", 3, "With %v you returned NaN. In Go 0·ln 0 is 0·(−Inf), which is NaN; leave a term out where its factor is 0.", q)
	case q.impossible:
		return judge.Fail("impossible-label", 3, "With %v a label occurs that the model calls impossible. The likelihood is 0 and its logarithm −Inf; you returned %g. Are the outputs clipped, or labels left out?", q, l)
	case edge && inf:
		return judge.Fail("label-that-never-occurs", 3, "With %v you returned %g. The model gives probability 0 only to labels that never occur: nothing is lost.", q, l)
	case sure && (nan || inf):
		return judge.Fail("log-of-zero", 3, "With π of 0 and 1, and p inside (0,1), you returned %g. Is there a logarithm of π? The labels' probabilities are weights; only the model's go under a logarithm.", l)
	case len(p) == 3000 && l == 0:
		return judge.Fail("underflow", 2, "For 3000 points you returned 0, which is certainty. A product of so many probabilities underflows; add their logarithms.")
	}
	return nil
}

// sum is a learner whose number is Σ r(p_n, π_n).
func sum(r func(p, pi float64) float64) likelihoodFunc {
	return func(p, pi []float64) float64 {
		s := 0.0
		for i := range p {
			s += r(p[i], pi[i])
		}
		return s
	}
}

// term is π ln p + (1−π) ln(1−p), without the terms whose factor is 0.
func term(p, pi float64) float64 { return weighted(pi, p) + weighted(1-pi, 1-p) }

func weighted(factor, p float64) float64 {
	if factor == 0 {
		return 0
	}
	return factor * math.Log(p)
}

// times is the right number times c(N).
func times(c func(n float64) float64) likelihoodFunc {
	return func(p, pi []float64) float64 { return c(float64(len(p))) * sum(term)(p, pi) }
}

func constant(c float64) likelihoodFunc { return times(func(float64) float64 { return c }) }

// part is the right number for some of the points.
func part(which func(n int) (from, to int)) likelihoodFunc {
	return func(p, pi []float64) float64 {
		i, j := which(len(p))
		return sum(term)(p[i:j], pi[i:j])
	}
}

func init() { judge.Known(exercise, askLikelihood, Check) }
