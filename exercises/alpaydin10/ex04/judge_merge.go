package ex04

import (
	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeMerge compares the outputs themselves, and the logarithm of their ratio.
func judgeMerge(merge mergeFunc) verify.Verdict {
	r := source(3)
	for _, p := range problems(r) {
		w, bad := askMerge(merge, p)
		if bad != nil {
			return *bad
		}
		for _, x := range p.inputs(r, 20) {
			a := floats.Dot(w, x)
			f := verify.Close(kernel.Sigmoid(a), posterior(p.w1, p.w2, x), verify.Tolerance{Abs: p.tol})
			g := verify.Close(a, odds(p.w1, p.w2, x), verify.Tolerance{Rel: 1e-6, Abs: 1e-6})
			if f.OK && g.OK {
				continue
			}
			if v, ok := recognise(p, w); ok {
				return v
			}
			if !f.OK {
				return verify.Fail("posterior", 2, "For “%s” σ(wᵀx̃) is not P(C₁|x) of the softmax at a random x: it is %s.", p.name, f.Off())
			}
			return verify.Fail("log-odds", 2, "For “%s” wᵀx̃ is not the logarithm of the ratio of both softmax outputs at a random x: it is %s.", p.name, g.Off())
		}
	}
	return verify.Pass("At random inputs your sigmoid equals the first softmax output, and one minus it the second.")
}

// judgeShift adds one vector to both.
func judgeShift(merge mergeFunc) verify.Verdict {
	r := source(4)
	for _, p := range problems(r) {
		w, bad := askMerge(merge, p)
		if bad != nil {
			return *bad
		}
		v := instance.Normals(r, len(w))
		q := p
		q.w1 = floats.AddTo(make([]float64, len(w)), p.w1, v)
		q.w2 = floats.AddTo(make([]float64, len(w)), p.w2, v)
		moved, bad := askMerge(merge, q)
		if bad != nil {
			return *bad
		}
		size := 1 + floats.Norm(p.even(q.w1), 2) + floats.Norm(p.even(q.w2), 2)
		if f := verify.CloseSlice(p.even(moved), p.even(w), verify.Tolerance{Abs: 1e-12 * size}); !f.OK {
			return verify.Fail("not-invariant", 1, "For “%s”, with one vector v added to both w1 and w2, the softmax is the same function, since eᵛˣ cancels; your w is not: %s.", p.name, f.Off())
		}
	}
	return verify.Pass("A vector added to both drops out. So w1 and w2 hold D+1 numbers more than the data can determine.")
}

// judgeSwap exchanges the classes.
func judgeSwap(merge mergeFunc) verify.Verdict {
	r := source(5)
	for _, p := range problems(r) {
		w, bad := askMerge(merge, p)
		if bad != nil {
			return *bad
		}
		q := p
		q.w1, q.w2 = p.w2, p.w1
		swapped, bad := askMerge(merge, q)
		if bad != nil {
			return *bad
		}
		for _, x := range p.inputs(r, 5) {
			total := kernel.Sigmoid(floats.Dot(w, x)) + kernel.Sigmoid(floats.Dot(swapped, x))
			if f := verify.Close(total, 1, verify.Tolerance{Abs: 2 * p.tol}); !f.OK {
				return verify.Fail("swap", 2, "For “%s” P(C₁|x), and what becomes of it when w1 and w2 change places, do not sum to 1: the sum is %s.", p.name, f.Off())
			}
		}
	}
	return verify.Pass("Exchanging w1 and w2 turns P(C₁|x) into 1 − P(C₁|x), as σ(−a) = 1 − σ(a) says.")
}

// entry is a mistake made entry by entry; j = 0 is the bias.
func entry(f func(a, b float64, j int) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		out := make([]float64, len(p.w1))
		for j := range out {
			out[j] = f(p.w1[j], p.w2[j], j)
		}
		return p.even(out)
	}
}

// withInputs leaves a mistake that concerns the inputs alone to problems with some.
func withInputs(f func(problem) []float64) func(problem) []float64 {
	return func(p problem) []float64 {
		if len(p.scale) == 0 {
			return nil
		}
		return f(p)
	}
}

var mistakes = []learner.Mistake[problem]{
	{Key: "first-only", Hint: 1, Value: entry(func(a, _ float64, _ int) float64 { return a }),
		Message: "You return w1: as if the first class were judged alone. Softmax compares; what the second class scores matters as much."},
	{Key: "second-only", Hint: 1, Value: entry(func(_, b float64, _ int) float64 { return b }),
		Message: "You return w2. Softmax compares both scores; where has w1 gone?"},
	{Key: "sum", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return a + b }),
		Message: "You return w1 + w2. Adding one vector to both would change that, but not the softmax. In which combination does it cancel?"},
	{Key: "classes-swapped", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return b - a }),
		Message: "Your sigmoid is P(C₂|x): the difference is the other way round. The more w1 scores, the more probable is class 1."},
	{Key: "mean", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return (a + b) / 2 }),
		Message: "You return the mean of both. Adding one vector to both would change that, but not the softmax."},
	{Key: "half", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return (a - b) / 2 }),
		Message: "Half the right weights: that makes the sigmoid too flat. (tanh of half the argument is another story: σ(a) = ½ + ½ tanh(a/2).)"},
	{Key: "twice", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return 2 * (a - b) }),
		Message: "Twice the right weights: that makes the sigmoid too steep. Divide numerator and denominator by one exponential, and look at the exponent that is left."},
	{Key: "bias-not-merged", Hint: 3, Value: withInputs(entry(func(a, b float64, j int) float64 {
		if j == 0 {
			return a
		}
		return a - b
	})), Message: "The weights are right, the bias is that of w1 alone. It is one entry more like the others."},
	{Key: "bias-left-out", Hint: 3, Value: withInputs(entry(func(a, b float64, j int) float64 {
		if j == 0 {
			return 0
		}
		return a - b
	})), Message: "The weights are right, the bias is 0. It is one entry more like the others; does a loop begin at 1?"},
	{Key: "bias-added", Hint: 3, Value: withInputs(entry(func(a, b float64, j int) float64 {
		if j == 0 {
			return a + b
		}
		return a - b
	})), Message: "The weights are right, the biases are added. They are entries like the others."},
	{Key: "last-left-out", Hint: 3, Value: withInputs(func(p problem) []float64 {
		out := entry(func(a, b float64, _ int) float64 { return a - b })(p)
		out[len(out)-1] = 0
		return out
	}), Message: "The last entry is 0. Does a loop end one too early?"},
	{Key: "ratio", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return a / b }),
		Message: "You divide the weights. What is divided are the exponentials; a quotient of exponentials is the exponential of … ?"},
	{Key: "product", Hint: 2, Value: entry(func(a, b float64, _ int) float64 { return a * b }),
		Message: "You multiply the weights. Exponentials are divided here, and their exponents follow another rule."},
	{Key: "absolute", Hint: 2, Value: entry(func(a, b float64, _ int) float64 {
		if a < b {
			return b - a
		}
		return a - b
	}), Message: "You return the sizes of the right weights; the signs are lost."},
	{Key: "zero", Hint: 1, Value: entry(func(float64, float64, int) float64 { return 0 }),
		Message: "All your weights are 0, and the sigmoid is ½ everywhere. Was the result never written to?"},
}

func recognise(p problem, w []float64) (verify.Verdict, bool) {
	return learner.Recognise(mistakes, p, p.even(w))
}
