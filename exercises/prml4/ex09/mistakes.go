package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	priorsFunc     = func(labels []int, K int) []float64
	slopesFunc     = func(pi []float64, lambda float64, labels []int) []float64
	multiplierFunc = func(labels []int, K int) float64
)

var askPriors = &judge.Question[priorsFunc, problem]{
	Func: "Priors", Name: "π", Hint: 3, Per: "class", Right: problem.shares, Family: smoothed,
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: for {problem} your π are {off}. Rounded numbers or a search that stops early are not accurate enough."},
	Ask: func(priors priorsFunc, in *judge.Call, p problem) []float64 {
		return priors(in.Ints("labels", p.labels), p.k())
	},
	Length: func(p problem, n int) *verify.Verdict {
		switch n {
		case p.k() + 1:
			return judge.Fail("counted-from-1", 3,
				"For %v you returned K+1 numbers. The classes are counted from 0 to K−1.", p)
		case p.n():
			return judge.Fail("one-per-point", 2,
				"For %v you returned one number per data point. Return one per class, here %d.", p, p.k())
		}
		return nil
	},
	Mistakes: []judge.Mistake[priorsFunc]{
		{Key: "uniform", Answer: each(func(_, _, k float64) float64 { return 1 / k }), Hint: 1,
			Message: "All your π_k are 1/K, as if there were no data. You do not use the labels."},
		{Key: "counts", Answer: each(func(nk, _, _ float64) float64 { return nk }), Hint: 2,
			Message: "These are the numbers of points N_k. Probabilities must sum to 1, and the multiplier enforces this constraint."},
		{Key: "n-minus-1", Answer: each(func(nk, n, _ float64) float64 { return nk / max(1, n-1) }), Hint: 2,
			Message: "These are N_k/(N−1), and their sum is larger than 1. N−1 belongs to an unbiased variance."},
		{Key: "divided-by-k", Answer: each(func(nk, _, k float64) float64 { return nk / k }), Hint: 2,
			Message: "These are N_k/K. Divide the counts by the number of points, not by the number of classes."},
		{Key: "upside-down", Answer: each(func(nk, n, _ float64) float64 { return n / max(nk, 1e-3) }), Hint: 2,
			Message: "These are N/N_k, the reciprocals. They are the targets of section 4.1.5, not probabilities."},
		{Key: "inverse-frequency", Answer: unit(func(nk, _, _ float64) float64 { return 1 / max(nk, 1e-3) }), Hint: 2,
			Message: "Your π are proportional to 1/N_k, so a rare class is probable. Such weights balance classes; they do not estimate frequencies."},
		{Key: "softmax", Answer: unit(func(nk, n, _ float64) float64 { return math.Exp(nk / n) }), Hint: 2,
			Message: "This is a softmax of the shares. They are probabilities already."},
		{Key: "softmax", Answer: unit(func(nk, _, _ float64) float64 { return math.Exp(nk) }), Hint: 2,
			Message: "This is a softmax of the counts. The fractions N_k/N are already probabilities, so no softmax is needed."},
		{Key: "squares", Answer: unit(func(nk, _, _ float64) float64 { return nk * nk }), Hint: 2,
			Message: "Your π are proportional to N_k². The likelihood contains π_k to the power N_k, so the derivative of its logarithm is N_k/π_k."},
		{Key: "roots", Answer: unit(func(nk, _, _ float64) float64 { return math.Sqrt(nk) }), Hint: 2,
			Message: "Your π are proportional to √N_k. The constraint is Σπ = 1, and the condition of the multiplier is N_k/π_k = const."},
		{Key: "log-likelihood", Hint: 2,
			Message: "These are the logarithms of the probabilities. Return the π_k themselves.",
			Answer:  each(func(nk, n, _ float64) float64 { return math.Log(max(nk, 1e-3) / n) })},
		{Key: "all-zero", Hint: 3,
			Message: "All your numbers are 0. In Go the quotient of two integers is an integer, so convert to float64 before you divide.",
			Answer:  each(func(nk, n, _ float64) float64 { return float64(int(nk) / (int(n) + 1)) })},
		{Key: "most-frequent", Hint: 1,
			Message: "Your π is 1 for the most frequent class and 0 for the others. The labels of the other classes are then impossible, so the likelihood is 0.",
			Answer:  but(func(pi []float64, _ []int) { best := floats.MaxIdx(pi); clear(pi); pi[best] = 1 })},
		{Key: "reversed", Answer: but(func(pi []float64, _ []int) { slices.Reverse(pi) }), Hint: 3,
			Message: "Your shares are right but in reverse order. Entry k belongs to label k."},
		{Key: "shifted", Hint: 3,
			Message: "Your shares are one place too far to the right, and the last share is missing. Class numbers start at 0.",
			Answer:  but(func(pi []float64, _ []int) { copy(pi[1:], slices.Clone(pi)); pi[0] = 0 })},
		{Key: "shifted", Answer: but(func(pi []float64, _ []int) { copy(pi, pi[1:]); pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "Your shares are one place too far to the left, and the first share is missing. Class numbers start at 0."},
		{Key: "last-missing", Answer: but(func(pi []float64, _ []int) { pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "Your π of the last class is 0, although the class has data. Your loop ends one step too early."},
		{Key: "off-by-one-point", Hint: 3, Message: "You do not count the first data point.",
			Answer: but(func(pi []float64, labels []int) { pi[labels[0]] -= 1 / float64(len(labels)) })},
	},
}

var askSlopes = &judge.Question[slopesFunc, place]{
	Func: "Slopes", Name: "Slopes", Key: "slopes", Hint: 2, Per: "class",
	Ask: func(slopes slopesFunc, in *judge.Call, p place) []float64 {
		return slopes(in.Slice("pi", p.pi), p.lambda, in.Ints("labels", p.labels))
	},
	Right: func(p place) []float64 {
		return slope(func(nk, pi, l, _ float64) float64 { return nk/pi + l })(p.pi, p.lambda, p.labels)
	},
	Unit: func(p place, right []float64) []float64 {
		return slope(func(nk, pi, l, _ float64) float64 { return 1 + nk/pi + math.Abs(l) })(p.pi, p.lambda, p.labels)
	},
	Mistakes: []judge.Mistake[slopesFunc]{
		{Key: "multiplier-sign", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk/pi - l }), Hint: 2,
			Message: "You subtract λ. In this Lagrangian λ has a plus sign."},
		{Key: "no-multiplier", Answer: slope(func(nk, pi, _, _ float64) float64 { return nk / pi }), Hint: 2,
			Message: "The derivative of the constraint term λ(Σπ_k − 1) is missing."},
		{Key: "no-logarithm", Answer: slope(func(nk, _, l, _ float64) float64 { return nk + l }), Hint: 2,
			Message: "Your N_k lacks the factor 1/π_k, the derivative of ln π_k."},
		{Key: "multiplied", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*pi + l }), Hint: 2,
			Message: "You multiply N_k by π_k. The derivative of ln π_k is 1/π_k."},
		{Key: "no-count", Answer: slope(func(_, pi, l, _ float64) float64 { return 1/pi + l }), Hint: 2,
			Message: "The factor N_k is missing. Each of the N_k points of class k contributes ln π_k."},
		{Key: "all-points", Hint: 2, Message: "You use N, the number of all points, in place of N_k.",
			Answer: func(pi []float64, l float64, labels []int) []float64 {
				return slope(func(_, pi, l, _ float64) float64 { return float64(len(labels))/pi + l })(pi, l, labels)
			}},
		{Key: "not-differentiated", Hint: 2, Message: "These are the terms of the Lagrangian. Return their derivatives.",
			Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*math.Log(pi) + l*pi })},
		{Key: "constraint-not-differentiated",
			Answer: slope(func(nk, pi, l, sum float64) float64 { return nk/pi + l*(sum-1) }), Hint: 2,
			Message: "Your λ has the factor Σπ_k − 1. The derivative of λ(Σπ_k − 1) with respect to π_k is λ alone."},
		{Key: "times-prior", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk/pi + l*pi }), Hint: 2,
			Message: "Your λ has a factor π_k. The derivative of λ(Σπ_k − 1) with respect to π_k is λ alone."},
	},
}

var askMultiplier = &judge.Question[multiplierFunc, problem]{
	Func: "Multiplier", Name: "Multiplier", Key: "multiplier", Hint: 2,
	Ask: func(multiplier multiplierFunc, in *judge.Call, p problem) []float64 {
		return []float64{multiplier(in.Ints("labels", p.labels), p.k())}
	},
	Right: func(p problem) []float64 { return []float64{-float64(p.n())} },
	Mistakes: []judge.Mistake[multiplierFunc]{
		{Key: "plus", Answer: number(func(n, _ float64) float64 { return n }), Hint: 2,
			Message: "The absolute value is right, but the sign is wrong. N_k/π_k is positive, so λ must be negative. (Your sign would be right for a Lagrangian with −λ.)"},
		{Key: "classes", Answer: number(func(_, k float64) float64 { return -k }), Hint: 2,
			Message: "This is −K. The sum of the conditions over the classes contains Σ N_k, which is the number of points N."},
		{Key: "classes", Answer: number(func(_, k float64) float64 { return k }), Hint: 2,
			Message: "This is K, the number of classes. The sum of the conditions contains Σ N_k = N. The sign is also wrong."},
		{Key: "inverse", Answer: number(func(n, _ float64) float64 { return -1 / n }), Hint: 2,
			Message: "This is −1/N, the reciprocal of the right value: π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "inverse", Answer: number(func(n, _ float64) float64 { return 1 / n }), Hint: 2,
			Message: "This is 1/N, the reciprocal with the wrong sign: π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "one", Answer: number(func(_, _ float64) float64 { return -1 }), Hint: 2,
			Message: "Your λ is −1 for all data. λ depends on the N_k: the constraint Σπ_k = 1 determines it."},
		{Key: "first-class", Answer: func(labels []int, K int) float64 { return -instance.Counts(labels, K)[0] },
			Hint:    2,
			Message: "This is −N_1, from one condition alone. All conditions share the same λ, so sum them over the classes."},
		{Key: "n-minus-1", Answer: number(func(n, _ float64) float64 { return 1 - n }), Hint: 2,
			Message: "This is −(N−1). The sum of the counts is Σ N_k = N."},
	},
}

// These functions return wrong answers. each computes π_k from N_k, N and K, and unit also
// normalises the result. but changes the right answer. slope computes a derivative from N_k, π_k, λ
// and Σπ. number computes a multiplier from N and K.
func each(f func(nk, n, k float64) float64) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := instance.Counts(labels, K)
		for k, nk := range pi {
			pi[k] = f(nk, float64(len(labels)), float64(K))
		}
		return pi
	}
}

var shares = each(func(nk, n, _ float64) float64 { return nk / n })

func unit(f func(nk, n, k float64) float64) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := each(f)(labels, K)
		floats.Scale(1/floats.Sum(pi), pi)
		return pi
	}
}

func but(f func(pi []float64, labels []int)) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := shares(labels, K)
		f(pi, labels)
		return pi
	}
}

func slope(f func(nk, pi, lambda, sum float64) float64) slopesFunc {
	return func(pi []float64, lambda float64, labels []int) []float64 {
		g := instance.Counts(labels, len(pi))
		for k, nk := range g {
			g[k] = f(nk, pi[k], lambda, floats.Sum(pi))
		}
		return g
	}
}

func number(f func(n, k float64) float64) multiplierFunc {
	return func(labels []int, K int) float64 { return f(float64(len(labels)), float64(K)) }
}

// smoothed returns a verdict if π_k = (N_k + α)/(N + Kα) for some α > 0. It solves
// π_j(N + Kα) = N_j + α for α.
func smoothed(p problem, pi []float64) *verify.Verdict {
	k, n := float64(p.k()), float64(p.n())
	for j, c := range p.counts {
		alpha := (pi[j]*n - float64(c)) / (1 - k*pi[j])
		if math.Abs(1-k*pi[j]) < 1e-6 || !(alpha > 1e-9) {
			continue
		}
		smooth := each(func(nk, n, k float64) float64 { return (nk + alpha) / (n + k*alpha) })(p.labels, p.k())
		if verify.CloseSlice(pi, smooth, verify.Tolerance{Abs: 1e-9}).OK {
			which := "some α > 0"
			if math.Abs(alpha-1) < 1e-6 {
				which = "α = 1"
			}
			return judge.Fail("smoothed", 2,
				"Your π are (N_k + α)/(N + Kα) with %s, that is, Laplace smoothing with a Dirichlet prior. It helps with few data, but it does not maximise the likelihood.", which)
		}
	}
	return nil
}
