// Package lesson07 judges the task of lesson 7: one epoch of logistic regression, in which every
// pattern changes the weights.
package lesson07

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges `epoch`, which returns the weights after one step for each row of Phi (N×M), in the order of the rows.
// Each step goes against the row's term of the gradient (4.91). The targets t are 0 or 1.
func Check(epoch epochFunc) *verify.Report {
	return exercise.Judge(epochQuestion.Parts(epoch, []judge.Property[epochOf]{
		judge.Form("new weights, as many as before, and the same on every call", severalPatterns, nil, judge.Wrong{},
			"You returned a weight for each feature, in a new slice."),
		{Name: "one pattern changes the weights by η(t − y)φ", Problems: singlePatterns, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "step", Hint: 2,
				Message: "{problem}: for this single pattern your new weights differ from w − η∇E₁: they are {off}."},
			Right: "For a single pattern of either class, on the right or the wrong side, your step goes down the gradient of the pattern's term of the error."},
		{Name: "each step starts at the weights from the step before", Problems: severalPatterns, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "sequence", Hint: 1,
				Message: "{problem}: your weights are {off}. Take one step per row, and start each step at the weights after the previous step."},
			Right: "With 2 to 40 patterns your weights are the result of one step per row, in the order of the rows."},
		{Name: "finite and right at activations up to ±800", Problems: farPatterns, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "far", Hint: 3,
				Message: "{problem}: your weights are finite, but {off}. Check for clipped activations or outputs, and for rows that are left out."},
			Right: "Nothing overflows at activations of ±800. The output is then 0 or 1, and the step of a pattern on the wrong side is η times the whole pattern."},
	}...)...)
}

// An epochOf contains the arguments of one call of the learner's function.
type epochOf struct {
	name string
	w    []float64
	Phi  *mat.Dense
	t    []float64
	eta  float64
}

func (p epochOf) String() string { return "“" + p.name + "”" }

// compareWeights compares `got` with the right weights, to the nine digits that the exercise
// requires.
func compareWeights(p epochOf, got []float64) verify.Finding {
	want := rightWeights(p)
	return verify.CloseSlice(got, want, verify.Tolerance{Abs: 1e-9 * weightSize(p, want)})
}

// weightSize returns the largest absolute value of any weight, before or after the epoch.
// Tolerances are proportional to this value, because a new weight near 0 is the difference of
// nearly equal numbers and has lost digits.
func weightSize(p epochOf, want []float64) float64 {
	return max(floats.Norm(want, math.Inf(1)), floats.Norm(p.w, math.Inf(1)))
}

// rightWeights returns the right weights. It differs from the reference answer: it computes σ from
// the hyperbolic tangent, and it computes each activation in a loop over the features.
func rightWeights(p epochOf) []float64 {
	return inTurn(gradient)(p.w, p.Phi, p.t, p.eta)
}

// drawEpoch draws a problem with n patterns and m features. At the initial weights the absolute
// values of the activations are a few units. If `bias` is true, the first feature is 1.
func drawEpoch(part uint64, name string, n, m int, bias bool, eta float64) epochOf {
	r := instance.Source(5007, part)
	p := epochOf{name: name, w: instance.Normals(r, m), Phi: mat.NewDense(n, m, instance.Normals(r, n*m)),
		t: make([]float64, n), eta: eta}
	for i := range n {
		p.t[i] = float64(r.IntN(2))
		if bias {
			p.Phi.Set(i, 0, 1)
		}
	}
	return p
}

// singlePatterns returns epochs of one pattern, for patterns of both classes and on both sides of
// the boundary. Some epochs start at w = 0.
func singlePatterns() (list []epochOf) {
	for i, eta := range []float64{0.1, 0.5, 1, 0.02, 2, 0.3} {
		for c := range 2 {
			p := drawEpoch(uint64(10+i), fmt.Sprintf("one pattern of %d features, t = %d, η = %g", 1+i%4, c, eta), 1, 1+i%4,
				i%2 > 0, eta)
			if p.t[0] = float64(c); i == 5 {
				p.name += ", all weights 0"
				clear(p.w)
			}
			list = append(list, p)
		}
	}
	return list
}

// severalPatterns returns the epochs of singlePatterns, followed by epochs of several patterns.
// Because of this order, the check finds a mistake in a single step before it judges several steps.
func severalPatterns() []epochOf {
	zero := drawEpoch(34, "eight patterns, all weights 0", 8, 3, true, 0.5)
	clear(zero.w)
	oneClass := drawEpoch(35, "twelve patterns of one class", 12, 3, true, 0.2)
	clear(oneClass.t)
	return append(singlePatterns(),
		drawEpoch(30, "two patterns, η = 1", 2, 3, true, 1),
		drawEpoch(31, "forty patterns, four features", 40, 4, true, 0.3),
		drawEpoch(32, "five patterns, one feature, no bias", 5, 1, false, 0.4),
		drawEpoch(33, "three patterns, five features", 3, 5, true, 0.7),
		zero, oneClass)
}

// farPatterns returns two epochs with moderate activations, followed by epochs that contain patterns
// with large activations. In some of these epochs the features are large and the weights small. The
// new weights then reveal the difference between an output and 0 or 1, even if this difference is very
// small.
func farPatterns() []epochOf {
	list := severalPatterns()[:2]
	for i, size := range []float64{15, 18, 25, 60} {
		p := drawEpoch(uint64(40+i), fmt.Sprintf("nine patterns, two of them with activations of ±%g", size), 9, 3, false,
			0.1)
		for n, sign := range map[int]float64{2: 1, 5: -1} {
			phi := p.Phi.RawRowView(n)
			floats.Scale(sign*size/floats.Dot(p.w, phi), phi)
			p.t[n] = (1 + sign) / 2
		}
		list = append(list, p)
		p = drawEpoch(uint64(44+i), fmt.Sprintf("one pattern of large features, with an activation of %g", size), 1, 3,
			false, 1)
		floats.Scale(1e3/floats.Norm(p.Phi.RawRowView(0), 2), p.Phi.RawRowView(0))
		floats.Scale(size/floats.Dot(p.w, p.Phi.RawRowView(0)), p.w)
		p.t[0] = 1
		list = append(list, p)
	}
	for i, size := range []float64{5, 10, 20, 40, 100, 300, 700, 710, 750, 800} {
		for _, sign := range []float64{1, -1} {
			for c := range 2 {
				p := drawEpoch(uint64(50+i), fmt.Sprintf("an activation of %+g, t = %d", sign*size, c), 1, 3, true, 0.1)
				p.t[0] = float64(c)
				phi := p.Phi.RawRowView(0)
				floats.Scale(sign*size/floats.Dot(p.w, phi), p.w)
				list = append(list, p)
			}
		}
	}
	return list
}

var epochQuestion = &judge.Question[epochFunc, epochOf]{
	Func: "Epoch", Name: "w", Hint: 1, Per: "feature", New: true,
	Invoke: func(f epochFunc, c *judge.Call, p epochOf) []float64 {
		return c.Vector("w", f(c.Slice("w", p.w), c.Dense("Phi", p.Phi), c.Slice("t", p.t), p.eta), len(p.w), "feature")
	},
	Right:    rightWeights,
	Mistakes: mistakes,
}

type epochFunc = func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64

// A residual computes a number for one pattern. The step for this pattern is η · residual · φ.
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

// followRows returns an answer that takes one step for each row that the function `rows` selects, in
// this order, and updates w after each row.
func followRows(rows func(n int) []int, r residual) epochFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
		next := slices.Clone(w)
		for _, n := range rows(len(t)) {
			a := 0.0
			for j, v := range next {
				a += v * Phi.At(n, j)
			}
			e := r(a, t[n], eta)
			for j := range next {
				next[j] += eta * e * Phi.At(n, j)
			}
		}
		return next
	}
}

// inTurn returns an answer that takes one step for each row, in the order of the rows.
func inTurn(r residual) epochFunc { return followRows(forward, r) }

// onlyRow returns an answer that takes the right step for row n, and no other step.
func onlyRow(n int) epochFunc { return followRows(func(int) []int { return []int{n} }, gradient) }

// batchStep returns an answer that computes the steps of all rows at the initial weights. It
// multiplies the sum of these steps by factor(n), where n is the number of rows, and adds the
// product to the initial weights.
func batchStep(factor func(n int) float64) epochFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
		next := slices.Clone(w)
		for n := range t {
			one := onlyRow(n)(w, Phi, t, eta)
			for j := range next {
				next[j] += factor(len(t)) * (one[j] - w[j])
			}
		}
		return next
	}
}

var mistakes = []judge.Mistake[epochFunc]{
	{Key: "sign", Hint: 2,
		Message: "Your step goes up the gradient: it moves the output away from the target. With (y − t) subtract, with (t − y) add.",
		Answer:  inTurn(func(a, t, _ float64) float64 { return sigma(a) - t })},
	{Key: "no-rate", Hint: 2, Message: "η is missing, or has no effect: your step is the whole gradient.",
		Answer: inTurn(func(a, t, eta float64) float64 { return (t - sigma(a)) / eta })},
	{Key: "slope", Hint: 2,
		Message: "Your step contains the factor y(1 − y), the slope of the sigmoid. For the cross-entropy this factor cancels; it remains only for the sum of squares.",
		Answer:  inTurn(func(a, t, _ float64) float64 { y := sigma(a); return (t - y) * y * (1 - y) })},
	{Key: "threshold", Hint: 2,
		Message: "Your outputs are 0 or 1, the result of a step function, as in the perceptron. Here the output is a probability, and every pattern changes the weights.",
		Answer:  inTurn(func(a, t, _ float64) float64 { return t - math.Round(sigma(a)) })},
	{Key: "only-mistakes", Hint: 2,
		Message: "Only patterns on the wrong side change your weights. Here every pattern changes the weights; a pattern on the right side changes them less.",
		Answer: inTurn(func(a, t, _ float64) float64 {
			if (a >= 0) == (t == 1) {
				return 0
			}
			return t - sigma(a)
		})},
	{Key: "linear", Hint: 2,
		Message: "The sigmoid is missing: your output is the activation itself. You take the step of adaline, which minimises squares.",
		Answer:  inTurn(func(a, t, _ float64) float64 { return t - a })},
	{Key: "mirrored", Hint: 3,
		Message: "Your output is σ(−a), the probability of the other class. Check the sign in the exponential.",
		Answer:  inTurn(func(a, t, _ float64) float64 { return t - sigma(-a) })},
	{Key: "plus-minus", Hint: 2,
		Message: "Your step treats the targets as −1 and 1. Here the targets are 0 and 1: use t − y without converting t.",
		Answer:  inTurn(func(a, t, _ float64) float64 { return 2*t - 1 - sigma(a) })},
	{Key: "double", Hint: 2, Message: "Your step is twice as long as the gradient: there is no factor 2 in (4.91).",
		Answer: inTurn(func(a, t, _ float64) float64 { return 2 * (t - sigma(a)) })},
	{Key: "within-a-step", Hint: 2,
		Message: "Your step computes the output again after it has changed each weight. One step uses one output, computed with the weights before the step.",
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
		Message: "Your result is a batch step, with the gradient of all patterns at the initial weights. Here the weights change after every pattern.",
		Answer:  batchStep(func(int) float64 { return 1 })},
	{Key: "mean", Hint: 1,
		Message: "Your result is one step with the mean of the gradients of all patterns. Here you take a whole step for each pattern, and start the next step at the new weights.",
		Answer:  batchStep(func(n int) float64 { return 1 / float64(n) })},
	{Key: "last-only", Hint: 1,
		Message: "Only the last pattern contributes, as if each step started at the initial weights and discarded the earlier steps.",
		Answer:  followRows(func(n int) []int { return []int{n - 1} }, gradient)},
	{Key: "first-only", Hint: 1, Message: "Only the first pattern contributes. Take one step for every row.",
		Answer: onlyRow(0)},
	{Key: "backwards", Hint: 1,
		Message: "Your weights are the result of steps in the reverse order of the rows. Use the order of the rows, because the result depends on it.",
		Answer:  followRows(backward, gradient)},
	{Key: "change-only", Hint: 1, Message: "You return the change in the weights. Return the new weights.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			return instance.Minus(inTurn(gradient)(w, Phi, t, eta), w)
		}},
	{Key: "bias-left-out", Hint: 2,
		Message: "You leave the first weight unchanged. Change it like all other weights; if it is a bias, its feature is 1.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			next := slices.Clone(w)
			for n := range t {
				copy(next[1:], onlyRow(n)(next, Phi, t, eta)[1:])
			}
			return next
		}},
}

func init() { judge.Known(exercise, epochQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson07", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
