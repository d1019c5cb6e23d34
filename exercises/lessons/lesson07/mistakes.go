package lesson07

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

type epochFunc = func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64

// A residual returns the factor of η and the features in a step.
type residual func(a, t, eta float64) float64

func sigma(a float64) float64 { return (1 + math.Tanh(a/2)) / 2 }

func gradient(a, t, _ float64) float64 { return t - sigma(a) }

func forward(n int) (rows []int) {
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

func backward(n int) []int {
	rows := forward(n)
	slices.Reverse(rows)
	return rows
}

// walk returns an answer that steps through the rows in the given order, `times` times. It updates
// w after each row.
func walk(order func(n int) []int, times int, r residual) epochFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
		next := slices.Clone(w)
		for range times {
			for _, n := range order(len(t)) {
				a := 0.0
				for j, v := range next {
					a += v * Phi.At(n, j)
				}
				e := r(a, t[n], eta)
				for j := range next {
					next[j] += eta * e * Phi.At(n, j)
				}
			}
		}
		return next
	}
}

// together returns an answer that adds the steps of all rows, each computed at the initial weights
// and multiplied by factor.
func together(factor func(n int) float64) epochFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
		next := slices.Clone(w)
		for n := range t {
			one := walk(forward, 1, gradient)(w, Phi.Slice(n, n+1, 0, len(w)).(*mat.Dense), t[n:n+1], eta)
			for j := range next {
				next[j] += factor(len(t)) * (one[j] - w[j])
			}
		}
		return next
	}
}

var mistakes = []judge.Mistake[epochFunc]{
	{Key: "sign", Hint: 2,
		Message: "Your step goes up the gradient: after it the output is farther from the target. With (y − t) subtract, with (t − y) add.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { return sigma(a) - t })},
	{Key: "no-rate", Hint: 2, Message: "η is missing: your step is the whole gradient.",
		Answer: walk(forward, 1, func(a, t, eta float64) float64 { return (t - sigma(a)) / eta })},
	{Key: "slope", Hint: 2,
		Message: "Your step contains the factor y(1 − y), the slope of the sigmoid. For the cross-entropy this factor cancels; it remains only for the sum of squares.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { y := sigma(a); return (t - y) * y * (1 - y) })},
	{Key: "threshold", Hint: 2,
		Message: "Your outputs are 0 or 1, the result of a step function, as in the perceptron. Here the output is a probability, and every pattern changes the weights.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { return t - math.Round(sigma(a)) })},
	{Key: "only-mistakes", Hint: 2,
		Message: "Only patterns on the wrong side change your weights. Here every pattern changes them, on the right side by less.",
		Answer: walk(forward, 1, func(a, t, _ float64) float64 {
			if (a >= 0) == (t == 1) {
				return 0
			}
			return t - sigma(a)
		})},
	{Key: "linear", Hint: 2,
		Message: "The sigmoid is missing: your output is the activation itself. That is the step of least squares, adaline.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { return t - a })},
	{Key: "mirrored", Hint: 3,
		Message: "Your output is σ(−a), the probability of the other class: look at the sign in the exponential.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { return t - sigma(-a) })},
	{Key: "plus-minus", Hint: 2,
		Message: "You convert the targets to −1 and 1. Here they are 0 and 1: compare them with y directly.",
		Answer:  walk(forward, 1, func(a, t, _ float64) float64 { return 2*t - 1 - sigma(a) })},
	{Key: "double", Hint: 2, Message: "Your step is twice as long as the gradient: there is no factor 2 in (4.91).",
		Answer: walk(forward, 1, func(a, t, _ float64) float64 { return 2 * (t - sigma(a)) })},
	{Key: "within-a-step", Hint: 2,
		Message: "You compute the output again after each weight of a step. One step uses one output, computed with the weights before the step.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			next := slices.Clone(w)
			for n := range t {
				phi := mat.Row(nil, n, Phi)
				for j := range next {
					next[j] += eta * gradient(floats.Dot(next, phi), t[n], eta) * phi[j]
				}
			}
			return next
		}},
	{Key: "batch", Hint: 1,
		Message: "You compute all outputs with the initial weights: this is a batch step, with the gradient of all patterns at once. Here the weights change after every pattern.",
		Answer:  together(func(int) float64 { return 1 })},
	{Key: "mean", Hint: 1,
		Message: "You make one step with the mean of the gradients of all patterns. Here each pattern makes a whole step, and the next step starts at the new weights.",
		Answer:  together(func(n int) float64 { return 1 / float64(n) })},
	{Key: "last-only", Hint: 1,
		Message: "Only the last pattern contributes: each of your steps starts at the initial weights and discards the earlier steps.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			n := len(t) - 1
			return walk(forward, 1, gradient)(w, Phi.Slice(n, n+1, 0, len(w)).(*mat.Dense), t[n:], eta)
		}},
	{Key: "first-only", Hint: 1, Message: "Only the first pattern contributes. Make one step for every row.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			return walk(forward, 1, gradient)(w, Phi.Slice(0, 1, 0, len(w)).(*mat.Dense), t[:1], eta)
		}},
	{Key: "backwards", Hint: 1,
		Message: "Your weights are the result of the rows in reverse order. Use the order of the rows, because the result depends on it.",
		Answer:  walk(backward, 1, gradient)},
	{Key: "change-only", Hint: 1, Message: "You return the change of the weights. Return the new weights.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			return instance.Minus(walk(forward, 1, gradient)(w, Phi, t, eta), w)
		}},
	{Key: "bias-left-out", Hint: 2,
		Message: "You leave the first weight unchanged. Change it like all others; if it is a bias, its feature is 1.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			kept := mat.DenseCopyOf(Phi)
			next := slices.Clone(w)
			for n := range t {
				moved := walk(forward, 1, gradient)(next, kept.Slice(n, n+1, 0, len(w)).(*mat.Dense), t[n:n+1], eta)
				copy(next[1:], moved[1:])
			}
			return next
		}},
}
