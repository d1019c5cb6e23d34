package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// each makes π_k of N_k, N and K, without seeing to the sum.
func each(f func(nk, n, k float64) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		pi := make([]float64, p.k())
		for k, c := range p.counts {
			pi[k] = f(float64(c), float64(p.n()), float64(p.k()))
		}
		return unlessRight(p, pi)
	}
}

// normalised is each, divided by its sum.
func normalised(f func(nk, n, k float64) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		pi := make([]float64, p.k())
		for k, c := range p.counts {
			pi[k] = f(float64(c), float64(p.n()), float64(p.k()))
		}
		if s := floats.Sum(pi); s > 0 {
			floats.Scale(1/s, pi)
		}
		return unlessRight(p, pi)
	}
}

// unlessRight is nil where a mistake happens to give the right numbers.
func unlessRight(p problem, pi []float64) []float64 {
	if verify.CloseSlice(pi, p.shares(), verify.Tolerance{Abs: 1e-9}).OK {
		return nil
	}
	return pi
}

var mistakes = []learner.Mistake[problem]{
	{Key: "uniform", Hint: 1, Value: each(func(_, _, k float64) float64 { return 1 / k }),
		Message: "All classes get 1/K. That is what one would say without having seen any data; the labels are not used."},
	{Key: "counts", Hint: 2, Value: each(func(nk, _, _ float64) float64 { return nk }),
		Message: "These are the numbers of points N_k. To be probabilities they have to sum to 1: that is what the multiplier is for."},
	{Key: "n-minus-1", Hint: 2, Value: each(func(nk, n, _ float64) float64 { return nk / (n - 1) }),
		Message: "These are N_k/(N−1). The N−1 belongs to an unbiased variance; here it makes the sum larger than 1."},
	{Key: "divided-by-k", Hint: 2, Value: each(func(nk, _, k float64) float64 { return nk / k }),
		Message: "These are N_k/K: the counts are divided by the number of classes instead of that of the points."},
	{Key: "upside-down", Hint: 2, Value: each(func(nk, n, _ float64) float64 {
		if nk == 0 {
			return math.Inf(1)
		}
		return n / nk
	}), Message: "These are N/N_k, the reciprocals. They are the targets of section 4.1.5, not probabilities."},
	{Key: "inverse-frequency", Hint: 2, Value: normalised(func(nk, _, _ float64) float64 { return 1 / nk }),
		Message: "Your π are proportional to 1/N_k, so that a rare class is probable: weights that balance classes, not an estimate of how frequent they are."},
	{Key: "softmax", Hint: 2, Value: normalised(func(nk, n, _ float64) float64 { return math.Exp(nk / n) }),
		Message: "This is a softmax of the shares. They are probabilities already."},
	{Key: "softmax", Hint: 2, Value: softmaxOfCounts, Message: "This is a softmax of the counts. The shares N_k/N are probabilities without one."},
	{Key: "squares", Hint: 2, Value: normalised(func(nk, _, _ float64) float64 { return nk * nk }),
		Message: "Your π are proportional to N_k². Which power of π_k stands in the likelihood, and what is left of it in the derivative of its logarithm?"},
	{Key: "roots", Hint: 2, Value: normalised(func(nk, _, _ float64) float64 { return math.Sqrt(nk) }),
		Message: "Your π are proportional to √N_k: they satisfy Σπ² ∝ N. The constraint is Σπ = 1, and the multiplier's condition N_k/π_k = const."},
	{Key: "log-likelihood", Hint: 2, Value: each(func(nk, n, _ float64) float64 {
		if nk == 0 {
			return math.Inf(-1)
		}
		return math.Log(nk / n)
	}), Message: "These are the logarithms of the probabilities. Asked for are the π_k themselves."},
	{Key: "most-frequent", Hint: 1, Value: func(p problem) []float64 {
		pi := make([]float64, p.k())
		pi[slices.Index(p.counts, slices.Max(p.counts))] = 1
		return unlessRight(p, pi)
	}, Message: "The most frequent class gets everything. Then the labels of the other classes would be impossible, and the likelihood is 0."},
	{Key: "reversed", Hint: 3, Value: func(p problem) []float64 {
		pi := p.shares()
		slices.Reverse(pi)
		return unlessRight(p, pi)
	}, Message: "The shares are right and stand in reverse order: entry k belongs to label k."},
	{Key: "shifted", Hint: 3, Value: func(p problem) []float64 { return unlessRight(p, append([]float64{0}, p.shares()[:p.k()-1]...)) },
		Message: "The shares stand one place too far to the right, and the last one is lost: the classes are counted from 0."},
	{Key: "shifted", Hint: 3, Value: func(p problem) []float64 { return unlessRight(p, append(p.shares()[1:], 0)) },
		Message: "The shares stand one place too far to the left, and the first one is lost: the classes are counted from 0."},
	{Key: "last-missing", Hint: 3, Value: func(p problem) []float64 {
		pi := p.shares()
		pi[p.k()-1] = 0
		return unlessRight(p, pi)
	}, Message: "The last class gets 0 although it has data. Does a loop end one step too early?"},
	{Key: "off-by-one-point", Hint: 3, Value: func(p problem) []float64 {
		pi := p.shares()
		pi[p.labels[0]] -= 1 / float64(p.n())
		return unlessRight(p, pi)
	}, Message: "The first data point is not counted."},
	{Key: "off-by-one-point", Hint: 3, Value: func(p problem) []float64 {
		pi := p.shares()
		pi[p.labels[p.n()-1]] -= 1 / float64(p.n())
		return unlessRight(p, pi)
	}, Message: "The last data point is not counted."},
}

func softmaxOfCounts(p problem) []float64 {
	top := float64(slices.Max(p.counts))
	return normalised(func(nk, _, _ float64) float64 { return math.Exp(nk - top) })(p)
}

// smoothing looks for π_k = (N_k + α)/(N + Kα) with α > 0, and says which α.
func smoothing(p problem, pi []float64) (string, bool) {
	k, n := float64(p.k()), float64(p.n())
	for j, c := range p.counts {
		// pi_j(N + Kα) = N_j + α
		denominator := 1 - k*pi[j]
		alpha := (pi[j]*n - float64(c)) / denominator
		if math.Abs(denominator) < 1e-6 || !(alpha > 1e-9) {
			continue
		}
		smooth := make([]float64, p.k())
		for i, c := range p.counts {
			smooth[i] = (float64(c) + alpha) / (n + k*alpha)
		}
		if verify.CloseSlice(pi, smooth, verify.Tolerance{Abs: 1e-9}).OK {
			if math.Abs(alpha-1) < 1e-6 {
				return "α = 1", true
			}
			return "some α > 0", true
		}
	}
	return "", false
}
