package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
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
		Message: "Nearly: for {problem} you are {off}. Was something rounded, or a search stopped early?"},
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
			Message: "All classes get 1/K. That is what one would say without having seen any data; the labels are not used."},
		{Key: "counts", Answer: each(func(nk, _, _ float64) float64 { return nk }), Hint: 2,
			Message: "These are the numbers of points N_k. To be probabilities they have to sum to 1: that is what the multiplier is for."},
		{Key: "n-minus-1", Answer: each(func(nk, n, _ float64) float64 { return nk / max(1, n-1) }), Hint: 2,
			Message: "These are N_k/(N−1). The N−1 belongs to an unbiased variance; here it makes the sum larger than 1."},
		{Key: "divided-by-k", Answer: each(func(nk, _, k float64) float64 { return nk / k }), Hint: 2,
			Message: "These are N_k/K: the counts are divided by the number of classes instead of that of the points."},
		{Key: "upside-down", Answer: each(func(nk, n, _ float64) float64 { return n / max(nk, 1e-3) }), Hint: 2,
			Message: "These are N/N_k, the reciprocals. They are the targets of section 4.1.5, not probabilities."},
		{Key: "inverse-frequency", Answer: unit(func(nk, _, _ float64) float64 { return 1 / max(nk, 1e-3) }), Hint: 2,
			Message: "Your π are proportional to 1/N_k, so that a rare class is probable: weights that balance classes, not an estimate of how frequent they are."},
		{Key: "softmax", Answer: unit(func(nk, n, _ float64) float64 { return math.Exp(nk / n) }), Hint: 2,
			Message: "This is a softmax of the shares. They are probabilities already."},
		{Key: "softmax", Answer: unit(func(nk, _, _ float64) float64 { return math.Exp(nk) }), Hint: 2,
			Message: "This is a softmax of the counts. The shares N_k/N are probabilities without one."},
		{Key: "squares", Answer: unit(func(nk, _, _ float64) float64 { return nk * nk }), Hint: 2,
			Message: "Your π are proportional to N_k². Which power of π_k stands in the likelihood, and what is left of it in the derivative of its logarithm?"},
		{Key: "roots", Answer: unit(func(nk, _, _ float64) float64 { return math.Sqrt(nk) }), Hint: 2,
			Message: "Your π are proportional to √N_k: they satisfy Σπ² ∝ N. The constraint is Σπ = 1, and the multiplier's condition N_k/π_k = const."},
		{Key: "log-likelihood", Hint: 2,
			Message: "These are the logarithms of the probabilities. Return the π_k themselves.",
			Answer:  each(func(nk, n, _ float64) float64 { return math.Log(max(nk, 1e-3) / n) })},
		{Key: "all-zero", Hint: 3,
			Message: "All your numbers are 0. In Go a division of whole numbers drops the rest: convert to float64 before you divide.",
			Answer:  each(func(nk, n, _ float64) float64 { return float64(int(nk) / (int(n) + 1)) })},
		{Key: "most-frequent", Hint: 1,
			Message: "The most frequent class gets everything. Then the labels of the other classes would be impossible, and the likelihood is 0.",
			Answer:  but(func(pi []float64, _ []int) { best := floats.MaxIdx(pi); clear(pi); pi[best] = 1 })},
		{Key: "reversed", Answer: but(func(pi []float64, _ []int) { slices.Reverse(pi) }), Hint: 3,
			Message: "The shares are right and stand in reverse order: entry k belongs to label k."},
		{Key: "shifted", Hint: 3,
			Message: "The shares stand one place too far to the right, and the last one is lost: the classes are counted from 0.",
			Answer:  but(func(pi []float64, _ []int) { copy(pi[1:], slices.Clone(pi)); pi[0] = 0 })},
		{Key: "shifted", Answer: but(func(pi []float64, _ []int) { copy(pi, pi[1:]); pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "The shares stand one place too far to the left, and the first one is lost: the classes are counted from 0."},
		{Key: "last-missing", Answer: but(func(pi []float64, _ []int) { pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "The last class gets 0 although it has data. Does a loop end one step too early?"},
		{Key: "off-by-one-point", Hint: 3, Message: "The first data point is not counted.",
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
			Message: "λ is taken off. In this Lagrangian it stands with a plus."},
		{Key: "no-multiplier", Answer: slope(func(nk, pi, _, _ float64) float64 { return nk / pi }), Hint: 2,
			Message: "The constraint is not in it: the derivative of λ(Σπ_k − 1) is missing."},
		{Key: "no-logarithm", Answer: slope(func(nk, _, l, _ float64) float64 { return nk + l }), Hint: 2,
			Message: "N_k stands there without 1/π_k: it is the logarithm of π_k that is differentiated."},
		{Key: "multiplied", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*pi + l }), Hint: 2,
			Message: "N_k is multiplied by π_k; the derivative of ln π_k is 1/π_k."},
		{Key: "no-count", Answer: slope(func(_, pi, l, _ float64) float64 { return 1/pi + l }), Hint: 2,
			Message: "The number of points of the class is missing: each of them brings ln π_k once."},
		{Key: "all-points", Hint: 2, Message: "The number of all points stands where that of the class belongs.",
			Answer: func(pi []float64, l float64, labels []int) []float64 {
				return slope(func(_, pi, l, _ float64) float64 { return float64(len(labels))/pi + l })(pi, l, labels)
			}},
		{Key: "not-differentiated", Hint: 2, Message: "These are the terms of the Lagrangian, not yet differentiated.",
			Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*math.Log(pi) + l*pi })},
		{Key: "constraint-not-differentiated",
			Answer: slope(func(nk, pi, l, sum float64) float64 { return nk/pi + l*(sum-1) }), Hint: 2,
			Message: "λ still has its factor Σπ_k − 1, the derivative of the constraint term by λ. By π_k it is λ alone."},
		{Key: "times-prior", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk/pi + l*pi }), Hint: 2,
			Message: "λ has a factor π_k: in λ(Σπ_k − 1) each π_k occurs once, and its derivative is λ."},
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
			Message: "The size is right and the sign is turned: N_k/π_k is positive, so λ must be negative for the sum to vanish. (With −λ in the Lagrangian it would be as you say.)"},
		{Key: "classes", Answer: number(func(_, k float64) float64 { return -k }), Hint: 2,
			Message: "This is −K. Summing the conditions over the classes sums the N_k, and gives the number of points."},
		{Key: "classes", Answer: number(func(_, k float64) float64 { return k }), Hint: 2,
			Message: "This is K, the number of classes. Summing the conditions sums the N_k; and mind the sign."},
		{Key: "inverse", Answer: number(func(n, _ float64) float64 { return -1 / n }), Hint: 2,
			Message: "This is −1/N: it is turned upside down. π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "inverse", Answer: number(func(n, _ float64) float64 { return 1 / n }), Hint: 2,
			Message: "This is 1/N: it is turned upside down, and the sign as well. π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "one", Answer: number(func(_, _ float64) float64 { return -1 }), Hint: 2,
			Message: "This is −1 for all data. Before the sum is taken λ is unknown; the constraint fixes it from the N_k."},
		{Key: "first-class", Answer: func(labels []int, K int) float64 { return -instance.Counts(labels, K)[0] },
			Hint:    2,
			Message: "This is −N_1, from one condition alone. λ is common to all of them: sum over the classes."},
		{Key: "n-minus-1", Answer: number(func(n, _ float64) float64 { return 1 - n }), Hint: 2,
			Message: "This is −(N−1). Nothing is lost in the sum: Σ N_k = N."},
	},
}

// each computes π_k from N_k, N and K, and unit normalises the result. but changes the right
// answer. slope computes a derivative from N_k, π_k, λ and Σπ. number computes a multiplier from N
// and K.
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

// smoothed detects π_k = (N_k + α)/(N + Kα) with α > 0, by π_j(N + Kα) = N_j + α.
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
				"Your π are (N_k + α)/(N + Kα) with %s: a prior on the priors (Laplace smoothing, Dirichlet). A good idea with few data, but not the maximum of the likelihood.", which)
		}
	}
	return nil
}
