package ex04

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

const per = "input and one for the bias"

// units is the size of each weight: all terms wᵀx̃ count alike.
func units(p problem, right []float64) []float64 {
	top := floats.Norm(p.even(right), math.Inf(1))
	return floats.DivTo(make([]float64, len(right)), slices.Repeat([]float64{top}, len(right)), p.scale)
}

var askMerge = &judge.Question[mergeFunc, problem]{
	Func: "Merge", Name: "w", Hint: 3, Per: per, New: true,
	Ask: func(merge mergeFunc, c *judge.Call, p problem) []float64 {
		w1, w2 := c.Slice("w1", p.w1), c.Slice("w2", p.w2)
		w := merge(w1, w2)
		switch n := len(w1); {
		case len(w) == 2*n:
			c.Say(judge.Fail("concatenated", 1, "You returned %d numbers: both weight vectors, one behind the other. One sigmoid has one weight vector, here of %d entries.", len(w), n))
		case len(w) == n && &w[0] == &w1[0] && slices.Equal(w, p.w()):
			c.Say(judge.Fail("not-new", 3, "For %v you returned an argument itself. Its numbers are right, but w is a new slice: whoever changes one later changes the other too.", p))
		}
		return c.Vector("w", w, len(p.w1), per)
	},
	Right:  fromOdds,
	Unit:   units,
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your w is the right one times a number: the sigmoid is too flat or too steep, or falls where it should rise."},
	Mistakes: []judge.Mistake[mergeFunc]{
		{Key: "first-only", Hint: 1, Answer: entry(func(a, _ float64) float64 { return a }), Message: "You return w1: as if the first class were judged alone. Softmax compares; what the second class scores matters as much."},
		{Key: "second-only", Hint: 1, Answer: entry(func(_, b float64) float64 { return b }), Message: "You return w2. Softmax compares both scores; where has w1 gone?"},
		{Key: "sum", Hint: 2, Answer: entry(func(a, b float64) float64 { return a + b }), Message: "You return w1 + w2. Adding one vector to both would change that, but not the softmax. In which combination does it cancel?"},
		{Key: "classes-swapped", Hint: 2, Answer: entry(func(a, b float64) float64 { return b - a }), Message: "Your sigmoid is P(C₂|x): the difference is the other way round. The more w1 scores, the more probable is class 1."},
		{Key: "mean", Hint: 2, Answer: entry(func(a, b float64) float64 { return (a + b) / 2 }), Message: "You return the mean of both. Adding one vector to both would change that, but not the softmax."},
		{Key: "half", Hint: 2, Answer: entry(func(a, b float64) float64 { return (a - b) / 2 }), Message: "Half the right weights: that makes the sigmoid too flat. (tanh of half the argument is another story: σ(a) = ½ + ½ tanh(a/2).)"},
		{Key: "twice", Hint: 2, Answer: entry(func(a, b float64) float64 { return 2 * (a - b) }), Message: "Twice the right weights: that makes the sigmoid too steep. Divide numerator and denominator by one exponential, and look at the exponent that is left."},
		{Key: "bias-not-merged", Hint: 3, Answer: bias(func(a, _ float64) float64 { return a }), Message: "The weights are right, the bias is that of w1 alone. It is one entry more like the others."},
		{Key: "bias-not-merged", Hint: 3, Answer: bias(func(_, b float64) float64 { return b }), Message: "The weights are right, the bias is that of w2 alone. It is one entry more like the others."},
		{Key: "bias-left-out", Hint: 3, Answer: bias(func(_, _ float64) float64 { return 0 }), Message: "The weights are right, the bias is 0. It is one entry more like the others; does a loop begin at 1?"},
		{Key: "bias-added", Hint: 3, Answer: bias(func(a, b float64) float64 { return a + b }), Message: "The weights are right, the biases are added. They are entries like the others."},
		{Key: "bias-turned", Hint: 3, Answer: bias(func(a, b float64) float64 { return b - a }), Message: "The weights are right, the bias has the other sign: there the subtraction is the other way round."},
		{Key: "bias-last", Hint: 3, Message: "Your bias stands at the end. It is the first entry, of w as of w1 and w2.",
			Answer: func(w1, w2 []float64) []float64 { w := instance.Minus(w1, w2); return append(w[1:], w[0]) }},
		{Key: "last-left-out", Hint: 3, Message: "The last entry is 0. Does a loop end one too early?",
			Answer: func(w1, w2 []float64) []float64 { w := instance.Minus(w1, w2); w[len(w)-1] = 0; return w }},
		{Key: "ratio", Hint: 2, Answer: entry(func(a, b float64) float64 { return a / b }), Message: "You divide the weights. What is divided are the exponentials; a quotient of exponentials is the exponential of … ?"},
		{Key: "product", Hint: 2, Answer: entry(func(a, b float64) float64 { return a * b }), Message: "You multiply the weights. Exponentials are divided here, and their exponents follow another rule."},
		{Key: "sigmoid-of-weights", Hint: 2, Answer: entry(func(a, b float64) float64 { return 1 / (1 + math.Exp(b-a)) }), Message: "You put the weights themselves into the softmax, entry by entry. It belongs around the scores; w must give a score once more."},
		{Key: "exponential", Hint: 2, Answer: entry(func(a, b float64) float64 { return math.Exp(a - b) }), Message: "Your entries are exponentials. The sigmoid takes the exponential itself: wᵀx̃ stands in the exponent."},
		{Key: "absolute", Hint: 2, Answer: entry(func(a, b float64) float64 { return math.Abs(a - b) }), Message: "You return the sizes of the right weights; the signs are lost."},
		{Key: "zero", Hint: 1, Answer: entry(func(_, _ float64) float64 { return 0 }), Message: "All your weights are 0, and the sigmoid is ½ everywhere. Was the result never written to?"},
	},
}

// fromOdds takes w from the log odds at x = 0 and at one input after the other.
func fromOdds(p problem) []float64 {
	out := make([]float64, len(p.w1))
	for j, scale := range p.scale {
		x := make([]float64, len(out))
		x[j] = scale // for the bias at x = 0, for a weight without the bias
		out[j] = odds(p.w1, p.w2, x) / scale
	}
	return out
}

// entry makes a result entry by entry, and bias one whose weights are right.
func entry(f func(a, b float64) float64) mergeFunc {
	return func(w1, w2 []float64) []float64 {
		w := make([]float64, len(w1))
		for j := range w {
			w[j] = f(w1[j], w2[j])
		}
		return w
	}
}

func bias(f func(a, b float64) float64) mergeFunc {
	return func(w1, w2 []float64) []float64 {
		w := instance.Minus(w1, w2)
		w[0] = f(w1[0], w2[0])
		return w
	}
}

// askSplit asks for the difference of the pair, which is all that the outputs see: a
// common vector is free, even from one call to the next, as long as rounding leaves
// the six digits that the statement asks for.
var askSplit = &judge.Question[splitFunc, problem]{
	Func: "Split", Name: "pair", Hint: 4, Per: per,
	Ask: func(split splitFunc, c *judge.Call, p problem) []float64 {
		w1, w2 := split(c.Slice("w", p.w()))
		a, b := c.Vector("w1", w1, len(p.w1), per), c.Vector("w2", w2, len(p.w1), per)
		if a == nil || b == nil {
			return nil
		}
		for j, right := range p.w() {
			if a[j] -= b[j]; math.Abs(a[j]-right)*p.scale[j] <= 1e-6 { // so little of a score moves no output by more
				a[j] = right
			}
		}
		return a
	},
	Right: problem.w,
	Unit:  units,
	Family: func(p problem, difference []float64) *verify.Verdict { // of any bias
		w := p.w()
		return judge.FailIf(len(w) > 1 && slices.Equal(difference[1:], w[1:]) && math.Abs(difference[0]-w[0]) >= 1e-3, "pair-bias", 4, "The weights of the inputs are right, the biases are not. They follow the same rule as all other entries.")
	},
	Factor: judge.Wrong{Key: "pair-factor", Hint: 4, Message: "What your pair holds is the right thing times a number: the first output is too flat or too steep, or falls where it should rise."},
	Mistakes: []judge.Mistake[splitFunc]{
		{Key: "equal-pair", Hint: 4, Message: "Both weight vectors are the same, and then both outputs are ½ everywhere. What the sigmoid holds is their difference.", Answer: pair(1, 1)},
		{Key: "pair-twice", Hint: 4, Message: "Your pair differs by 2w, as w and −w do. The outputs see the difference of the two; it must be w.", Answer: pair(1, -1)},
		{Key: "pair-swapped", Hint: 4, Message: "Your pair belongs to exchanged classes: the second output is σ(wᵀx̃), the first one minus it.", Answer: pair(0, 1)},
		{Key: "pair-half", Hint: 4, Message: "Your pair differs by w/2 only.", Answer: pair(0.5, 0)},
		{Key: "pair-complement", Hint: 4, Message: "The two weight vectors sum to 1, entry by entry. It is the outputs that sum to 1; what do they see of the weights?",
			Answer: func(w []float64) (w1, w2 []float64) { w1, w2 = pair(1, -1)(w); floats.AddConst(1, w2); return w1, w2 }},
	},
}

// pair is a·w and b·w.
func pair(a, b float64) splitFunc {
	return func(w []float64) (w1, w2 []float64) {
		return floats.ScaleTo(make([]float64, len(w)), a, w), floats.ScaleTo(make([]float64, len(w)), b, w)
	}
}

func init() {
	judge.Known(exercise, askMerge, func(f mergeFunc) *verify.Report { return Check(f, pair(1, 0)) })
	judge.Known(exercise, askSplit, func(f splitFunc) *verify.Report { return Check(instance.Minus, f) })
}
