// Package ex04 judges Alpaydin exercise 10.4: how to write a softmax of two outputs as a sigmoid.
package ex04

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	mergeFunc = func(w1, w2 []float64) []float64
	splitFunc = func(w []float64) (w1, w2 []float64)
)

// Check judges both functions of Alpaydin exercise 10.4. `merge` returns the weights of the sigmoid
// that equals the first of two softmax outputs. `split` returns two weight vectors for which the
// first softmax output equals the sigmoid. All weight vectors have D+1 entries, the bias first.
func Check(merge mergeFunc, split splitFunc) *verify.Report {
	return exercise.Judge(append(
		mergeQuestion.Parts(merge, []judge.Property[problem]{
			judge.Form("Merge: the result is D+1 finite numbers, and w1 and w2 stay unchanged", ofKinds(1), nil,
				judge.Wrong{}, "You returned one weight per input and one bias, for several D from 0 to 5."),
			{Name: "Merge: σ(wᵀx̃) is the first softmax output at every x", Problems: ofKinds(3), Holds: isPosterior,
				Wrong: judge.Wrong{Key: "posterior", Hint: 2,
					Message: "For {problem} σ(wᵀx̃) is not P(C₁|x) of the softmax at a random x: the log odds of your sigmoid are {off}."},
				Right: "At random inputs your sigmoid equals the first softmax output, and 1 minus your sigmoid the second."},
			{Name: "Merge: adding one vector to both w1 and w2 leaves w unchanged", Problems: ofKinds(4),
				Related: shifted,
				Wrong: judge.Wrong{Key: "not-invariant", Hint: 1,
					Message: "For {problem}, adding the same vector to both w1 and w2 does not change the softmax, because a common factor cancels. Your w should not change, but it is {off}."},
				Right: "A vector added to both weight vectors cancels. So w1 and w2 together contain D+1 numbers that the data cannot determine."},
			{Name: "Merge: the classes exchanged", Problems: ofKinds(5),
				Related:     func(p problem) problem { p.w1, p.w2 = p.w2, p.w1; return p },
				FromRelated: func(_ problem, w []float64) []float64 { return floats.ScaleTo(w, -1, w) },
				Wrong: judge.Wrong{Key: "swap", Hint: 2,
					Message: "For {problem}, if w1 and w2 are exchanged, P(C₁|x) becomes 1 − P(C₁|x). Your w should only change its sign, but it is {off}."},
				Right: "Exchanging w1 and w2 turns P(C₁|x) into 1 − P(C₁|x), because σ(−a) = 1 − σ(a)."},
		}...),
		splitQuestion.Parts(split, []judge.Property[problem]{
			judge.Form("Split: the results are two vectors of D+1 finite numbers, and w stays unchanged", ofKinds(2), nil,
				judge.Wrong{}, "You returned two weight vectors of the right length, for several D from 0 to 5."),
			{Name: "Split: the first softmax output is σ(wᵀx̃) at every x", Problems: ofKinds(6),
				Holds: isSigmoid(split),
				Wrong: judge.Wrong{Key: "split-posterior", Hint: 4,
					Message: "For {problem} the first softmax output of your pair is not σ(wᵀx̃) at a random x: the log odds of this output are {off}."},
				Right:     "At random inputs the first output of your pair equals the sigmoid.",
				RightNote: func([][]float64) string { return pairNote(split, ofKinds(6)()) }},
		}...)...)...)
}

// isPosterior compares the log odds of the learner's sigmoid with the log odds of the softmax. The
// tolerance is relative to the terms of both scores, because rounding errors are proportional to
// these terms.
func isPosterior(p problem, w []float64) verify.Finding {
	for _, x := range p.inputs {
		size := 1.0
		for j, v := range x {
			size += math.Abs(p.w1[j]*v) + math.Abs(p.w2[j]*v)
		}
		if f := verify.Close(floats.Dot(w, x), odds(p.w1, p.w2, x), verify.Tolerance{Abs: 1e-12 * size}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

func isSigmoid(split splitFunc) func(p problem, difference []float64) verify.Finding {
	return func(p problem, difference []float64) verify.Finding {
		for _, x := range p.inputs {
			f := verify.Close(floats.Dot(difference, x), floats.Dot(p.w(), x), verify.Tolerance{Abs: 1e-9, Rel: 1e-9})
			if f.OK {
				continue
			}
			if w1, _ := split(p.w()); floats.Norm(w1, math.Inf(1)) > 1e6*floats.Norm(p.w(), math.Inf(1)) {
				f.Note = f.Off() + ". Your numbers are so large that rounding loses digits of w"
			}
			return f
		}
		return verify.Finding{OK: true}
	}
}

// shifted returns a copy of p. In the copy, the same vector is added to both weight vectors.
func shifted(p problem) problem {
	p.w1 = floats.AddTo(make([]float64, len(p.w1)), p.w1, p.shift)
	p.w2 = floats.AddTo(make([]float64, len(p.w2)), p.w2, p.shift)
	return p
}

// pairNote returns a sentence that describes the pair that the learner chose. All pairs with the
// right difference are right.
func pairNote(split splitFunc, problems []problem) string {
	// isMultiple reports whether member(w1, w2) equals c·w in all problems
	isMultiple := func(member func(w1, w2 []float64) []float64, c float64) bool {
		return !slices.ContainsFunc(problems, func(p problem) bool {
			w1, w2 := split(p.w())
			return !verify.CloseSlice(p.comparable(member(w1, w2)), floats.ScaleTo(make([]float64, len(p.w1)), c, p.comparable(p.w())),
				verify.Tolerance{Abs: 1e-9}).OK
		})
	}
	first, second := func(w1, _ []float64) []float64 { return w1 }, func(_, w2 []float64) []float64 { return w2 }
	switch {
	case isMultiple(second, 0):
		return "You chose w2 = 0: the second class as the reference class, as in (10.25)."
	case isMultiple(first, 0):
		return "You chose w1 = 0: the first class as the reference class, with w2 = −w."
	case isMultiple(first, 0.5):
		return "You chose the symmetric pair ±w/2, the shortest pair."
	}
	return "You chose a pair other than (w, 0), (0, −w) and ±w/2. The outputs depend only on w1 − w2, and this difference is right."
}

// A problem contains the weight vectors of a softmax with two classes.
type problem struct {
	name   string
	w1, w2 []float64   // D+1, bias first
	scale  []float64   // typical size of each entry of x̃ = (1, x)
	inputs [][]float64 // some x̃
	shift  []float64   // the vector that the function shifted adds to w1 and w2; D+1
}

func (p problem) String() string { return "“" + p.name + "”" }

// ofKinds returns a function that draws one problem for each kind, and then adds a copy of the first
// problem with w2 = 0. The field `spread` of a kind gives the typical size of the log odds, whatever
// the scale of the inputs. Both weight vectors of a kind contain the same random vector as a summand,
// and the field `common` gives the typical size of this vector.
func ofKinds(part uint64) func() []problem {
	return func() []problem {
		r := instance.Source(1004, part)
		var out []problem
		for _, c := range []struct {
			name           string
			scale          []float64
			common, spread float64
		}{
			{"two inputs", []float64{1, 1, 1}, 1, 0.7},
			{"one input", []float64{1, 2}, 1, 0.7},
			{"five inputs", []float64{1, 1, 1, 1, 1, 1}, 0.5, 0.7},
			{"biases only (D = 0)", []float64{1}, 1, 0.7},
			{"inputs of very different size", []float64{1, 1e-3, 1, 1e4}, 1, 0.7},
			{"large weights with a small difference", []float64{1, 1, 1, 1}, 1e4, 0.7},
			{"scores far apart", []float64{1, 1, 1}, 1, 5000},
			{"equal weight vectors", []float64{1, 1, 1}, 1, 0},
		} {
			p := problem{name: c.name, scale: c.scale}
			p.draw(r, c.common, c.spread)
			for instance.Again(func() bool { return len(c.scale) == 1 || c.spread == 0 || bothSigns(p) }) {
				p.draw(r, c.common, c.spread)
			}
			out = append(out, p)
		}
		zero := out[0]
		zero.name, zero.w2 = "two inputs, w2 = 0", make([]float64, 3)
		return append(out, zero)
	}
}

func (p *problem) draw(r *rand.Rand, common, spread float64) {
	n := len(p.scale)
	p.w1, p.w2, p.inputs = make([]float64, n), make([]float64, n), nil
	for j, s := range p.scale {
		both := common * r.NormFloat64()
		p.w1[j] = (both + spread*r.NormFloat64()) / s
		p.w2[j] = (both + spread*r.NormFloat64()) / s
	}
	p.shift = floats.DivTo(make([]float64, n), instance.Normals(r, n), p.scale)
	for range 20 {
		x := floats.MulTo(make([]float64, n), instance.Normals(r, n), p.scale)
		x[0] = 1
		p.inputs = append(p.inputs, x)
	}
}

// bothSigns reports whether w1 − w2 has entries of both signs. If all entries had the same sign, an
// answer w2 − w1 and an answer with the absolute values could be equal.
func bothSigns(p problem) bool { return floats.Min(p.w()) < 0 && floats.Max(p.w()) > 0 }

// w returns w1 − w2. A large vector that was added to both w1 and w2 cancels in the result.
func (p problem) w() []float64 { return instance.Minus(p.w1, p.w2) }

// odds returns ln(y1/y2) for the two softmax outputs y1 and y2 at x̃.
func odds(w1, w2, x []float64) float64 {
	a := []float64{floats.Dot(w1, x), floats.Dot(w2, x)}
	all := kernel.LogSumExp(a)
	return (a[0] - all) - (a[1] - all)
}

// The method `comparable` multiplies each weight by the scale of its input, so that all results
// have comparable sizes.
func (p problem) comparable(w []float64) []float64 {
	return floats.MulTo(make([]float64, len(w)), w, p.scale)
}

const per = "input and one for the bias"

// units returns a unit for each weight. If the weights are measured in these units, all terms of
// wᵀx̃ have comparable sizes.
func units(p problem, right []float64) []float64 {
	top := floats.Norm(p.comparable(right), math.Inf(1))
	return floats.DivTo(make([]float64, len(right)), slices.Repeat([]float64{top}, len(right)), p.scale)
}

var mergeQuestion = &judge.Question[mergeFunc, problem]{
	Func: "Merge", Name: "w", Hint: 3, Per: per, New: true,
	Invoke: func(merge mergeFunc, c *judge.Call, p problem) []float64 {
		w1, w2 := c.Slice("w1", p.w1), c.Slice("w2", p.w2)
		w := merge(w1, w2)
		switch n := len(w1); {
		case len(w) == 2*n:
			c.Say(judge.Fail("concatenated", 1,
				"You returned %d numbers, as many as both weight vectors together. One sigmoid has one weight vector, here with %d entries.", len(w), n))
		case len(w) == n && &w[0] == &w1[0] && slices.Equal(w, p.w()):
			c.Say(judge.Fail("not-new", 3,
				"For %v you returned the argument w1 itself. Its numbers are right, but return a new slice: a later change to w1 would also change w.", p))
		}
		return c.Vector("w", w, len(p.w1), per)
	},
	Right: weightsFromOdds,
	Unit:  units,
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your w is the right vector multiplied by a constant: the sigmoid is too flat or too steep, or decreases where it should increase."},
	Mistakes: []judge.Mistake[mergeFunc]{
		{Key: "first-only", Hint: 1, Answer: byEntry(func(a, _ float64) float64 { return a }),
			Message: "You return w1, as if the first class were judged alone. The softmax compares both scores; the second score matters as much."},
		{Key: "second-only", Hint: 1, Answer: byEntry(func(_, b float64) float64 { return b }),
			Message: "You return w2. The softmax compares both scores, so w must also depend on w1."},
		{Key: "sum", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return a + b }),
			Message: "You return w1 + w2. If the same vector is added to w1 and w2, w1 + w2 changes, but the softmax does not. In which combination of w1 and w2 does the vector cancel?"},
		{Key: "classes-swapped", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return b - a }),
			Message: "Your sigmoid is P(C₂|x): w has the wrong sign. P(C₁|x) increases with the score w1ᵀx̃."},
		{Key: "mean", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return (a + b) / 2 }),
			Message: "You return the mean of w1 and w2. If the same vector is added to w1 and w2, their mean changes, but the softmax does not."},
		{Key: "half", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return (a - b) / 2 }),
			Message: "You return half the right weights: the sigmoid is too flat. (Only tanh has half the argument: σ(a) = ½ + ½ tanh(a/2).)"},
		{Key: "twice", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return 2 * (a - b) }),
			Message: "You return twice the right weights: the sigmoid is too steep. Divide the numerator and the denominator of the softmax by the same exponential. Which exponent remains?"},
		{Key: "bias-not-merged", Hint: 3, Answer: biasBy(func(a, _ float64) float64 { return a }),
			Message: "The weights are right, but your bias is the bias of w1 alone. Treat the bias like all other entries."},
		{Key: "bias-not-merged", Hint: 3, Answer: biasBy(func(_, b float64) float64 { return b }),
			Message: "The weights are right, but your bias is the bias of w2 alone. Treat the bias like all other entries."},
		{Key: "bias-left-out", Hint: 3, Answer: biasBy(func(_, _ float64) float64 { return 0 }),
			Message: "The weights are right, but your bias is 0. Treat the bias like all other entries."},
		{Key: "bias-added", Hint: 3, Answer: biasBy(func(a, b float64) float64 { return a + b }),
			Message: "The weights are right, but your bias is the sum of both biases. Treat the biases like all other entries."},
		{Key: "bias-turned", Hint: 3, Answer: biasBy(func(a, b float64) float64 { return b - a }),
			Message: "The weights are right, but the bias has the wrong sign."},
		{Key: "bias-last", Hint: 3,
			Message: "Your bias is the last entry. It should be the first, as in w1 and w2.",
			Answer:  func(w1, w2 []float64) []float64 { w := instance.Minus(w1, w2); return append(w[1:], w[0]) }},
		{Key: "last-left-out", Hint: 3, Message: "The last entry of your w is always 0.",
			Answer: func(w1, w2 []float64) []float64 { w := instance.Minus(w1, w2); w[len(w)-1] = 0; return w }},
		{Key: "ratio", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return a / b }),
			Message: "Your entries are quotients of the weights. The softmax divides exponentials of the scores. A quotient of two exponentials is itself an exponential: with which exponent?"},
		{Key: "product", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return a * b }),
			Message: "Your entries are products of the weights. The softmax divides exponentials of the scores. What happens to the exponents in a division?"},
		{Key: "sigmoid-of-weights", Hint: 2,
			Answer:  byEntry(func(a, b float64) float64 { return 1 / (1 + math.Exp(b-a)) }),
			Message: "You apply the softmax to the weights, entry by entry. Apply the softmax to the scores; wᵀx̃ must again be a score."},
		{Key: "exponential", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return math.Exp(a - b) }),
			Message: "Your entries are exponentials of the right weights. The sigmoid computes the exponential itself: wᵀx̃ is the exponent."},
		{Key: "absolute", Hint: 2, Answer: byEntry(func(a, b float64) float64 { return math.Abs(a - b) }),
			Message: "You return the absolute values of the right weights."},
		{Key: "zero", Hint: 1, Answer: byEntry(func(_, _ float64) float64 { return 0 }),
			Message: "All your weights are 0, so the sigmoid is ½ everywhere."},
	},
}

// weightsFromOdds computes entry j of w from the log odds at a vector x̃ whose only nonzero entry is
// entry j. For the bias, this vector is (1, 0, …, 0), which belongs to x = 0. For another weight, x̃
// begins with 0 and belongs to no x.
func weightsFromOdds(p problem) []float64 {
	out := make([]float64, len(p.w1))
	for j, scale := range p.scale {
		x := make([]float64, len(out))
		x[j] = scale
		out[j] = odds(p.w1, p.w2, x) / scale
	}
	return out
}

// byEntry returns an answer that calls the function f for each entry of the result. biasBy returns
// an answer that calls f for the bias only, and computes all other entries correctly.
func byEntry(f func(a, b float64) float64) mergeFunc {
	return func(w1, w2 []float64) []float64 {
		w := make([]float64, len(w1))
		for j := range w {
			w[j] = f(w1[j], w2[j])
		}
		return w
	}
}

func biasBy(f func(a, b float64) float64) mergeFunc {
	return func(w1, w2 []float64) []float64 {
		w := instance.Minus(w1, w2)
		w[0] = f(w1[0], w2[0])
		return w
	}
}

// splitQuestion compares the difference w1 − w2, because the outputs depend on nothing else. The learner
// may add any vector to both w1 and w2. If that vector is too large, rounding destroys the six
// digits that the exercise requires, and the answer is wrong.
var splitQuestion = &judge.Question[splitFunc, problem]{
	Func: "Split", Name: "pair", Hint: 4, Per: per,
	Invoke: func(split splitFunc, c *judge.Call, p problem) []float64 {
		w1, w2 := split(c.Slice("w", p.w()))
		a, b := c.Vector("w1", w1, len(p.w1), per), c.Vector("w2", w2, len(p.w1), per)
		if a == nil || b == nil {
			return nil
		}
		for j, right := range p.w() {
			// an error that is this small changes an output by at most about 1e-6, so ignore it
			if a[j] -= b[j]; math.Abs(a[j]-right)*p.scale[j] <= 1e-6 {
				a[j] = right
			}
		}
		return a
	},
	Right: problem.w,
	Unit:  units,
	Family: func(p problem, difference []float64) *verify.Verdict { // a pair in which only the biases are wrong
		w := p.w()
		return judge.FailIf(len(w) > 1 && slices.Equal(difference[1:], w[1:]) && math.Abs(difference[0]-w[0]) >= 1e-3,
			"pair-bias", 4,
			"The weights of the inputs are right, but the biases are wrong. The same rule applies to biases and weights.")
	},
	Factor: judge.Wrong{Key: "pair-factor", Hint: 4,
		Message: "The difference of your pair is w times a constant: the first output is too flat or too steep, or decreases where it should increase."},
	Mistakes: []judge.Mistake[splitFunc]{
		{Key: "equal-pair", Hint: 4,
			Message: "Both weight vectors are equal, so both outputs are ½ everywhere. Their difference must be w.", Answer: multiples(1, 1)},
		{Key: "pair-twice", Hint: 4,
			Message: "The difference of your pair is 2w, like the difference of w and −w. The outputs depend only on the difference, which must be w.", Answer: multiples(1, -1)},
		{Key: "pair-swapped", Hint: 4,
			Message: "Your pair exchanges the classes: the second output is σ(wᵀx̃), and the first is 1 − σ(wᵀx̃).",
			Answer:  multiples(0, 1)},
		{Key: "pair-half", Hint: 4, Message: "The difference of your pair is only w/2; it must be w.", Answer: multiples(0.5, 0)},
		{Key: "pair-complement", Hint: 4,
			Message: "Your two weight vectors sum to 1, entry by entry. The outputs sum to 1, not the weights. On what combination of the weights do the outputs depend?",
			Answer: func(w []float64) (w1, w2 []float64) {
				w1, w2 = multiples(1, -1)(w)
				floats.AddConst(1, w2)
				return w1,
					w2
			}},
	},
}

// multiples returns an answer with the pair w1 = a·w and w2 = b·w.
func multiples(a, b float64) splitFunc {
	return func(w []float64) (w1, w2 []float64) {
		return floats.ScaleTo(make([]float64, len(w)), a, w), floats.ScaleTo(make([]float64, len(w)), b, w)
	}
}

func init() {
	judge.Known(exercise, mergeQuestion, func(f mergeFunc) *verify.Report { return Check(f, multiples(1, 0)) })
	judge.Known(exercise, splitQuestion, func(f splitFunc) *verify.Report { return Check(instance.Minus, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex04", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
