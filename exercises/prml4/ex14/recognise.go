package ex14

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// at is a mistaken error e(p, c) on the moderate lengths.
func at(e func(p problem, c float64) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		out := make([]float64, len(moderate))
		for i, c := range moderate {
			out[i] = e(p, c)
		}
		return out
	}
}

// right is E(c·w).
func right(p problem, c float64) float64 {
	return p.err(floats.ScaleTo(make([]float64, len(p.w)), c, p.w))
}

// terms is Σ r(c·a_n, t_n).
func terms(r func(a, t float64) float64) func(problem) []float64 {
	return at(func(p problem, c float64) float64 {
		e := 0.0
		for i, a := range instance.Activations(p.Phi, p.w) {
			e += r(c*a, p.t[i])
		}
		return e
	})
}

func times(factor func(n float64) float64) func(problem) []float64 {
	return at(func(p problem, c float64) float64 { return factor(float64(len(p.t))) * right(p, c) })
}

var mistakes = []learner.Mistake[problem]{
	{Key: "sign", Hint: 1, Value: times(func(float64) float64 { return -1 }),
		Message: "Your number is the log likelihood. E is its negative, a sum of positive terms, which falls to 0 and does not rise to it."},
	{Key: "averaged", Hint: 1, Value: times(func(n float64) float64 { return 1 / n }),
		Message: "Your error is divided by N. E in (4.90) is the sum over the data."},
	{Key: "base", Hint: 1, Value: times(func(float64) float64 { return 1 / math.Ln2 }),
		Message: "Your logarithms are to base 2; asked for are natural ones."},
	{Key: "factor", Hint: 1, Value: times(func(float64) float64 { return 0.5 }), Message: "A factor ½ stands in front; E in (4.90) has none."},
	{Key: "factor", Hint: 1, Value: times(func(float64) float64 { return 2 }), Message: "A factor 2 stands in front; E in (4.90) has none."},
	{Key: "error-scaled", Hint: 1, Value: at(func(p problem, c float64) float64 { return c * right(p, 1) }),
		Message: "This is c·E(w): the error is multiplied by c. Asked for is the error of the weights c·w."},
	{Key: "c-left-out", Hint: 1, Value: at(func(p problem, _ float64) float64 { return right(p, 1) }),
		Message: "Your number does not depend on c: it is E(w). Asked for is E(c·w)."},
	{Key: "bias-not-scaled", Hint: 3, Value: at(func(p problem, c float64) float64 {
		v := floats.ScaleTo(make([]float64, len(p.w)), c, p.w)
		v[0] = p.w[0]
		return p.err(v)
	}), Message: "The first weight is not multiplied by c. With all others growing the boundary would move; the whole of w is stretched, the bias with it."},
	{Key: "classes-swapped", Hint: 1, Value: terms(func(a, t float64) float64 { return kernel.CrossEntropy(-a, t) }),
		Message: "The classes are swapped: this is E(−c·w). y = σ(a) is the probability of t = 1."},
	{Key: "squared-error", Hint: 1, Value: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) }),
		Message: "This is a sum of squares (y − t)². The error of logistic regression is the cross-entropy (4.90)."},
	{Key: "squared-error", Hint: 1, Value: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) / 2 }),
		Message: "This is a sum of squares ½(y − t)². The error of logistic regression is the cross-entropy (4.90)."},
	{Key: "perceptron", Hint: 1, Value: terms(func(a, t float64) float64 { return math.Max(0, (1-2*t)*a) }),
		Message: "Only points on the wrong side are counted: the perceptron criterion, which is 0 for every separating w. In the cross-entropy each point counts."},
	{Key: "count", Hint: 1, Value: terms(func(a, t float64) float64 {
		if (2*t-1)*a <= 0 {
			return 1
		}
		return 0
	}), Message: "You count the points on the wrong side. The cross-entropy is a sum of logarithms."},
	{Key: "hinge", Hint: 1, Value: terms(func(a, t float64) float64 { return math.Max(0, 1-(2*t-1)*a) }),
		Message: "This is the hinge loss max(0, 1 − s), which is 0 from a margin of 1 on. The cross-entropy is never 0."},
	{Key: "one-term-only", Hint: 1, Value: terms(func(a, t float64) float64 { return t * kernel.CrossEntropy(a, 1) }),
		Message: "Only the points with t = 1 are in your sum."},
	{Key: "one-term-only", Hint: 1, Value: terms(func(a, t float64) float64 { return (1 - t) * kernel.CrossEntropy(a, 0) }),
		Message: "Only the points with t = 0 are in your sum."},
	{Key: "inner-sign", Hint: 1, Value: terms(func(a, t float64) float64 { return t*kernel.CrossEntropy(a, 1) - (1-t)*kernel.CrossEntropy(a, 0) }),
		Message: "The points with t = 0 come in with the wrong sign: both logarithms have a minus in front."},
	{Key: "likelihood", Hint: 1, Value: at(func(p problem, c float64) float64 { return math.Exp(-right(p, c)) }),
		Message: "Your number is the likelihood. E is minus its logarithm."},
	{Key: "prior", Hint: 1, Value: at(func(p problem, c float64) float64 { return right(p, c) + c*c*floats.Dot(p.w, p.w)/2 }),
		Message: "A penalty ½‖c·w‖² is added. That is the remedy, and it makes the minimum finite; asked for is E of (4.90) alone."},
}
