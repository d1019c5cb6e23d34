// Package ex04 judges Alpaydin exercise 10.4: a softmax of two outputs and a sigmoid.
package ex04

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex04", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

type (
	mergeFunc = func(w1, w2 []float64) []float64
	splitFunc = func(w []float64) (w1, w2 []float64)
)

// Check judges both functions of Alpaydin exercise 10.4. merge returns the weights
// of the sigmoid that equals the first of two softmax outputs, split two weight
// vectors whose first softmax output equals the sigmoid. All have D+1 entries, the
// bias first.
func Check(merge mergeFunc, split splitFunc) *verify.Report {
	return exercise.Judge(append(
		askMerge.Parts(merge, []judge.Property[problem]{
			judge.Form("Merge: D+1 finite numbers come back, and w1 and w2 stay as they were", on(1), nil, judge.Wrong{}, "You returned one weight per input and one bias, for D from 0 to 5."),
			{Name: "Merge: σ(wᵀx̃) is the first softmax output at every x", On: on(3), Holds: isPosterior,
				Wrong: judge.Wrong{Key: "posterior", Hint: 2, Message: "For {problem} σ(wᵀx̃) is not P(C₁|x) of the softmax at a random x: the logarithm of its odds is {off}."},
				Right: "At random inputs your sigmoid equals the first softmax output, and one minus it the second."},
			{Name: "Merge: one vector added to both w1 and w2", On: on(4), Also: shifted,
				Wrong: judge.Wrong{Key: "not-invariant", Hint: 1, Message: "For {problem}, with one vector v added to both w1 and w2, the softmax is the same function, since eᵛˣ cancels; your w is not: {off}."},
				Right: "A vector added to both drops out. So w1 and w2 hold D+1 numbers more than the data can determine."},
			{Name: "Merge: the classes exchanged", On: on(5),
				Also:  func(p problem) problem { p.w1, p.w2 = p.w2, p.w1; return p },
				Back:  func(_ problem, w []float64) []float64 { return floats.ScaleTo(w, -1, w) },
				Wrong: judge.Wrong{Key: "swap", Hint: 2, Message: "For {problem}, when w1 and w2 change places, P(C₁|x) must become 1 − P(C₁|x). With your w it does not: the logarithm of the odds must turn its sign, and your w is {off}."},
				Right: "Exchanging w1 and w2 turns P(C₁|x) into 1 − P(C₁|x), as σ(−a) = 1 − σ(a) says."},
		}...),
		askSplit.Parts(split, []judge.Property[problem]{
			judge.Form("Split: two times D+1 finite numbers come back, and w stays as it was", on(2), nil, judge.Wrong{}, "You returned two weight vectors of the right length, for D from 0 to 5."),
			{Name: "Split: the first softmax output is σ(wᵀx̃) at every x", On: on(6), Holds: isSigmoid(split),
				Wrong: judge.Wrong{Key: "split-posterior", Hint: 4, Message: "For {problem} the first softmax output of your pair is not σ(wᵀx̃) at a random x: the logarithm of its odds is {off}."},
				Right: "At random inputs the first output of your pair equals the sigmoid.",
				Note:  func([][]float64) string { return gauge(split, on(6)()) }},
		}...)...)...)
}

// isPosterior compares log odds; rounding leaves them digits in relation to the terms
// of both scores.
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
				f.Note = f.Off() + ". Beside numbers as large as yours w loses its digits"
			}
			return f
		}
		return verify.Finding{OK: true}
	}
}

// shifted is p with one vector added to both.
func shifted(p problem) problem {
	p.w1 = floats.AddTo(make([]float64, len(p.w1)), p.w1, p.shift)
	p.w2 = floats.AddTo(make([]float64, len(p.w2)), p.w2, p.shift)
	return p
}

// gauge names the choice among all pairs of one difference.
func gauge(split splitFunc, problems []problem) string {
	is := func(of func(w1, w2 []float64) []float64, c float64) bool { // c times w
		return !slices.ContainsFunc(problems, func(p problem) bool {
			w1, w2 := split(p.w())
			return !verify.CloseSlice(p.even(of(w1, w2)), floats.ScaleTo(make([]float64, len(p.w1)), c, p.even(p.w())), verify.Tolerance{Abs: 1e-9}).OK
		})
	}
	first, second := func(w1, _ []float64) []float64 { return w1 }, func(_, w2 []float64) []float64 { return w2 }
	switch {
	case is(second, 0):
		return "You chose w2 = 0: the second class as the reference class, as in (10.25)."
	case is(first, 0):
		return "You chose w1 = 0: the first class as the reference class, with w2 = −w."
	case is(first, 0.5):
		return "You chose the even pair ±w/2, the one of least length."
	}
	return "You chose a pair of your own: w1 − w2 is right, which is all that the outputs see."
}

// A problem is a softmax of two classes.
type problem struct {
	name   string
	w1, w2 []float64   // D+1, bias first
	scale  []float64   // typical size of x̃ = (1, x)
	inputs [][]float64 // some x̃
	shift  []float64   // D+1, of the size of the weights
}

func (p problem) String() string { return "“" + p.name + "”" }

// on draws the problems: weights such that the log odds are of the size of spread,
// whatever the scale of the inputs; common is what both weight vectors share beside it.
func on(part uint64) func() []problem {
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
			{"large weights that differ by little", []float64{1, 1, 1, 1}, 1e4, 0.7},
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

// bothSigns tells whether w1 − w2 has entries of either sign: else a difference
// taken the wrong way round could pass for one without signs.
func bothSigns(p problem) bool { return floats.Min(p.w()) < 0 && floats.Max(p.w()) > 0 }

// w is w1 − w2: of a sensible size, whatever both share.
func (p problem) w() []float64 { return instance.Minus(p.w1, p.w2) }

// odds is ln(y1/y2) of both softmax outputs at x̃.
func odds(w1, w2, x []float64) float64 {
	a := []float64{floats.Dot(w1, x), floats.Dot(w2, x)}
	all := kernel.LogSumExp(a)
	return (a[0] - all) - (a[1] - all)
}

// even brings weights to units of 1/scale, where entries compare.
func (p problem) even(w []float64) []float64 {
	return floats.MulTo(make([]float64, len(w)), w, p.scale)
}
