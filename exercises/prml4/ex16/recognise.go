package ex16

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// sum is a mistake of the form Σ r(p_n, π_n).
func sum(r func(p, pi float64) float64) func(problem) []float64 {
	return func(q problem) []float64 {
		s := 0.0
		for i := range q.p {
			s += r(q.p[i], q.pi[i])
		}
		return []float64{s}
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
func times(c func(n float64) float64) func(problem) []float64 {
	return func(q problem) []float64 {
		n := float64(len(q.p))
		if c(n) == 1 {
			return nil
		}
		return []float64{c(n) * sum(term)(q)[0]}
	}
}

func constant(c float64) func(problem) []float64 { return times(func(float64) float64 { return c }) }

// uncertain makes a mistake count only where some π is neither 0 nor 1: elsewhere
// it agrees with the right answer.
func uncertain(value func(problem) []float64) func(problem) []float64 {
	return func(q problem) []float64 {
		for _, pi := range q.pi {
			if pi != 0 && pi != 1 {
				return value(q)
			}
		}
		return nil
	}
}

var mistakes = []learner.Mistake[problem]{
	{Key: "mixture", Hint: 2, Value: uncertain(sum(func(p, pi float64) float64 { return math.Log(pi*p + (1-pi)*(1-p)) })),
		Message: "This is Σ ln{πp + (1−π)(1−p)}, the logarithm of a mixture: the model of one single label that may have been flipped, as in (4.117). Asked for are many labels, a share π of them 1: the average of the logarithms, not the logarithm of the average."},
	{Key: "sign", Hint: 2, Value: constant(-1),
		Message: "Your number is the error, the negative log likelihood. The logarithm of a probability is never positive."},
	{Key: "averaged", Hint: 2, Value: times(func(n float64) float64 { return 1 / n }),
		Message: "Your number is divided by N. The likelihood is a product over the points, its logarithm their sum."},
	{Key: "averaged", Hint: 2, Value: times(func(n float64) float64 { return -1 / n }),
		Message: "Your number is the error per point: the sign is turned, and it is divided by N. The log likelihood is a plain sum."},
	{Key: "base", Hint: 2, Value: constant(1 / math.Ln2),
		Message: "Your logarithms are to base 2; asked for are natural ones (math.Log)."},
	{Key: "base", Hint: 2, Value: constant(1 / math.Ln10),
		Message: "Your logarithms are to base 10; asked for are natural ones (math.Log)."},
	{Key: "factor", Hint: 2, Value: constant(0.5), Message: "A factor ½ stands in front; the log likelihood has none."},
	{Key: "factor", Hint: 2, Value: constant(2), Message: "A factor 2 stands in front; the log likelihood has none."},
	{Key: "likelihood", Hint: 2, Value: func(q problem) []float64 { return []float64{math.Exp(sum(term)(q)[0])} },
		Message: "Your number is the likelihood, not its logarithm."},
	{Key: "one-term-only", Hint: 2, Value: sum(func(p, pi float64) float64 { return weighted(pi, p) }),
		Message: "Only π ln p is in your sum. The share 1−π of the labels is 0, and has a probability under the model, too."},
	{Key: "one-term-only", Hint: 2, Value: sum(func(p, pi float64) float64 { return weighted(1-pi, 1-p) }),
		Message: "Only (1−π) ln(1−p) is in your sum. The share π of the labels is 1, and has a probability under the model, too."},
	{Key: "inner-sign", Hint: 2, Value: sum(func(p, pi float64) float64 { return weighted(pi, p) - weighted(1-pi, 1-p) }),
		Message: "The second term has a minus: the logarithm of a product is a sum."},
	{Key: "classes-swapped", Hint: 2, Value: sum(func(p, pi float64) float64 { return weighted(1-pi, p) + weighted(pi, 1-p) }),
		Message: "The weights are swapped: p is the probability of t = 1, and goes with π."},
	{Key: "roles-swapped", Hint: 2, Value: sum(func(p, pi float64) float64 { return term(pi, p) }),
		Message: "p and π have changed places: the labels' probabilities are the weights, the model's stand under the logarithm."},
	{Key: "no-weights", Hint: 1, Value: sum(func(p, _ float64) float64 { return math.Log(p) + math.Log(1-p) }),
		Message: "Both logarithms come in with weight 1. The share of each label is its weight."},
	{Key: "thresholded", Hint: 1, Value: uncertain(sum(func(p, pi float64) float64 { return term(p, math.Round(pi)) })),
		Message: "π is rounded to a certain label. That throws away what is known about the doubt."},
	{Key: "squared-error", Hint: 1, Value: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) }),
		Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels."},
	{Key: "squared-error", Hint: 1, Value: sum(func(p, pi float64) float64 { return (p - pi) * (p - pi) }),
		Message: "This is a sum of squares: the error for Gaussian noise, not a log likelihood of labels."},
	{Key: "squared-error", Hint: 1, Value: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) / 2 }),
		Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels."},
	{Key: "relative-entropy", Hint: 2, Value: uncertain(sum(func(p, pi float64) float64 { return term(p, pi) - term(pi, pi) })),
		Message: "The entropy of π is added: this is minus the Kullback-Leibler divergence, which is greatest for the same model. The log likelihood itself contains logarithms of p only."},
	{Key: "relative-entropy", Hint: 2, Value: uncertain(sum(func(p, pi float64) float64 { return term(pi, pi) - term(p, pi) })),
		Message: "This is the Kullback-Leibler divergence of p from π: smallest for the same model, but the log likelihood has another sign, and logarithms of p only."},
	{Key: "row-forgotten", Hint: 3, Value: part(func(n int) (int, int) { return 0, n - 1 }),
		Message: "The last point is not in your sum: does the loop stop one too early?"},
	{Key: "row-forgotten", Hint: 3, Value: part(func(n int) (int, int) { return 1, n }),
		Message: "The first point is not in your sum: indices begin at 0."},
	{Key: "one-row", Hint: 3, Value: part(func(n int) (int, int) { return n - 1, n }),
		Message: "Only the last point is in your sum: each one replaces the one before."},
	{Key: "one-row", Hint: 3, Value: part(func(int) (int, int) { return 0, 1 }),
		Message: "Only the first point is in your sum. Does the loop return too early?"},
	{Key: "zero", Hint: 2, Value: constant(0), Message: "You returned 0: a log likelihood is 0 only where the model is certain, and right."},
}

// part is the right number for some of the points; a single point tells nothing.
func part(which func(n int) (from, to int)) func(problem) []float64 {
	return func(q problem) []float64 {
		if len(q.p) == 1 {
			return nil
		}
		i, j := which(len(q.p))
		return sum(term)(problem{q.p[i:j], q.pi[i:j]})
	}
}
