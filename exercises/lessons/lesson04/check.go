// Package lesson04 judges the task of lesson 4: one correction of the perceptron.
package lesson04

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type stepFunc = func(w, phi []float64, t, eta float64) []float64

// Check judges `step`, which returns the weights after one correction (4.55) of the perceptron.
func Check(step stepFunc) *verify.Report {
	return exercise.Judge(stepQuestion.Parts(step, []judge.Property[presentation]{
		judge.Form[presentation]("new weights, as many as before, and the same on every call", ofKinds(correct, mistake), nil,
			judge.Wrong{}, "You returned a weight for each feature, in a new slice."),
		{Name: "a pattern on the right side changes nothing", Problems: ofKinds(correct), Holds: compareWeights,
			Wrong: judge.Wrong{Key: "changes-the-right", Hint: 1,
				Message: "{problem}: the pattern is on the right side, but your weights change."},
			Right: "A pattern on the right side leaves your weights unchanged, whatever its class."},
		{Name: "a mistake moves the weights by ηφt", Problems: ofKinds(correct, mistake), Holds: compareWeights,
			Wrong: judge.Wrong{Key: "correction", Hint: 2,
				Message: "{problem}: your new weights differ from (4.55): they are {off}."},
			Right: "Each mistake changes your weights by η times the pattern, with the sign of the pattern's class."},
		{Name: "a pattern on the boundary is a mistake", Problems: ofKinds(correct, mistake, boundary),
			Holds: compareWeights,
			Wrong: judge.Wrong{Key: "boundary", Hint: 1,
				Message: "{problem}: wᵀφ is 0, so the pattern is on neither side, which counts as a mistake here. Otherwise weights that start at 0 would never change."},
			Right: "Your weights also change for a pattern on the boundary, and if they are all 0."},
	}...)...)
}

func compareWeights(s presentation, got []float64) verify.Finding {
	want := rightWeights(s)
	return verify.CloseSlice(got, want,
		verify.Tolerance{Abs: 1e-12 * max(floats.Norm(want, math.Inf(1)), floats.Norm(s.w, math.Inf(1)))})
}

// rightWeights computes (4.55) entry by entry. For a pattern on the right side it returns the old
// weights.
func rightWeights(s presentation) []float64 {
	a := dot(s.w, s.phi)
	out := make([]float64, len(s.w))
	for i, v := range s.w {
		if out[i] = v; !(a*s.t > 0) {
			out[i] = v + s.eta*s.t*s.phi[i]
		}
	}
	return out
}

// A presentation contains the arguments of one call of Step: the weights w, a pattern φ with its target
// t, and the rate η.
type presentation struct {
	name   string
	w, phi []float64
	t, eta float64
}

func (s presentation) String() string {
	return fmt.Sprintf("%s (w = %.3g, φ = %.3g, t = %+g, η = %g)", s.name, s.w, s.phi, s.t, s.eta)
}

type kind int

var kinds = []string{"a pattern on the correct side", "a pattern on the wrong side", "a pattern on the boundary"}

const (
	correct kind = iota
	mistake
	boundary
)

// ofKinds returns a function that draws patterns of the given kinds and of both classes, with one or
// more features.
var ofKinds = instance.OfKinds(5004, 12, draw)

func draw(r *rand.Rand, k kind, i int) presentation {
	d := 1 + i%4
	s := presentation{name: kinds[k], w: instance.Normals(r, d+1), phi: append([]float64{1}, instance.Normals(r, d)...),
		t: float64(1 - 2*(i%2)), eta: math.Pow(10, 2*r.Float64()-1)}
	if k == boundary {
		clear(s.w)
		if i%3 > 0 { // with whole numbers, the product wᵀφ is exactly 0
			s.w, s.phi = []float64{-2, 1, 1}, []float64{1, 5, -3}
		}
	} else if (dot(s.w, s.phi)*s.t > 0) != (k == correct) {
		s.t = -s.t
	}
	if k == correct && i%3 == 2 { // the larger i is, the closer the pattern is to the boundary
		s.name += ", near the boundary"
		s.w[0] += s.t*math.Pow(10, -float64(i)) - dot(s.w, s.phi)
	}
	return s
}

var stepQuestion = &judge.Question[stepFunc, presentation]{
	Func: "Step", Name: "w", Hint: 3, Per: "entry of w", New: true,
	Invoke: func(f stepFunc, c *judge.Call, s presentation) []float64 {
		return c.Vector("w", f(c.Slice("w", s.w), c.Slice("phi", s.phi), s.t, s.eta), len(s.w), "entry of w")
	},
	Right: rightWeights,
	Mistakes: []judge.Mistake[stepFunc]{
		{Key: "sign", Hint: 2,
			Message: "Your correction goes the wrong way: along the gradient of the criterion, not against it. After the correction the pattern is farther on the wrong side.",
			Answer:  stepWhere(wrong, func(w, x, t, eta float64) float64 { return w - eta*x*t })},
		{Key: "no-target", Hint: 2,
			Message: "Your correction is +ηφ, whatever t is. For a pattern of class −1, subtract ηφ.",
			Answer:  stepWhere(wrong, func(w, x, _, eta float64) float64 { return w + eta*x })},
		{Key: "no-rate", Hint: 2, Message: "η is missing from your correction, or has no effect. Multiply the pattern by η.",
			Answer: stepWhere(wrong, func(w, x, t, _ float64) float64 { return w + x*t })},
		{Key: "always", Hint: 1,
			Message: "{problem}: you also correct the weights for patterns on the right side. Correct only mistakes.",
			Answer:  stepWhere(func(float64, float64) bool { return true }, correction)},
		{Key: "only-the-right", Hint: 1,
			Message: "You correct the weights for patterns on the right side, but not for mistakes: your condition is reversed.",
			Answer:  stepWhere(func(a, t float64) bool { return a*t > 0 }, correction)},
		{Key: "never", Hint: 1, Message: "You return the weights unchanged, even for mistakes.",
			Answer: stepWhere(func(float64, float64) bool { return false }, correction)},
		{Key: "boundary-is-right", Hint: 1,
			Message: "A pattern on the boundary (wᵀφ = 0) counts as right in your step. Here it is a mistake, because otherwise weights of 0 would always stay 0.",
			Answer:  stepWhere(func(a, t float64) bool { return a*t < 0 }, correction)},
		{Key: "side-without-target", Hint: 1,
			Message: "Your step corrects the weights if wᵀφ ≤ 0, whatever t is. Whether a pattern is a mistake also depends on its class t.",
			Answer:  stepWhere(func(a, _ float64) bool { return a <= 0 }, correction)},
		{Key: "activation", Hint: 2,
			Message: "Your correction is −η(wᵀφ − t)φ, as in adaline (least squares). The perceptron's correction does not depend on the size of wᵀφ.",
			Answer: func(w, phi []float64, t, eta float64) []float64 {
				a := dot(w, phi)
				return stepWhere(wrong, func(w, x, t, eta float64) float64 { return w - eta*(a-t)*x })(w, phi, t, eta)
			}},
		{Key: "delta-rule", Hint: 2,
			Message: "Your correction is 2ηφt, as if it were ηφ(t − y) with the output y = ±1: for a mistake t − y is 2t. The perceptron's correction is ηφt.",
			Answer:  stepWhere(wrong, func(w, x, t, eta float64) float64 { return w + 2*eta*x*t })},
		{Key: "bias-left-out", Hint: 3,
			Message: "You leave the first weight unchanged. Correct it like all other weights; if it is a bias, its feature is 1.",
			Answer: func(w, phi []float64, t, eta float64) []float64 {
				next := stepWhere(wrong, correction)(w, phi, t, eta)
				next[0] = w[0]
				return next
			}},
	},
}

func correction(w, x, t, eta float64) float64 { return w + eta*x*t }

func wrong(a, t float64) bool { return a*t <= 0 }

func dot(w, phi []float64) (a float64) {
	for i, v := range w {
		a += v * phi[i]
	}
	return a
}

// stepWhere returns an answer that replaces each weight with the result of the function `next` if
// when(wᵀφ, t) is true. Otherwise the answer leaves the weights unchanged.
func stepWhere(when func(a, t float64) bool, next func(w, x, t, eta float64) float64) stepFunc {
	return func(w, phi []float64, t, eta float64) []float64 {
		out := make([]float64, len(w))
		change := when(dot(w, phi), t)
		for i, v := range w {
			if out[i] = v; change {
				out[i] = next(v, phi[i], t, eta)
			}
		}
		return out
	}
}

func init() { judge.Known(exercise, stepQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson04", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
