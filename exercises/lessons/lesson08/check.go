// Package lesson08 judges the task of lesson 8: one step of iterative reweighted least
// squares.
package lesson08

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

// Check judges `step`, which returns the weights after one step (4.99) that starts at w. The design
// matrix is Phi (N×M), and the targets t are 0 or 1.
func Check(step stepFunc) *verify.Report {
	return exercise.Judge(stepQuestion.Parts(step, []judge.Property[stepOf]{
		judge.Form("new weights, as many as before, and the same on every call", fromAnyWeights, nil, judge.Wrong{},
			"You returned a weight for each feature, in a new slice."),
		{Name: "from weights 0: all rows have equal weight", Problems: fromZero, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "start", Hint: 2,
				Message: "{problem}: all outputs are ½, all R are ¼ and all z are ±2. Your new weights should be the least-squares fit to these z, but they are {off}."},
			Right: "From weights 0 your step is the least-squares fit to the targets ±2."},
		{Name: "from any weights: row n has the weight R_nn", Problems: fromAnyWeights, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "step", Hint: 2,
				Message: "{problem}: your new weights differ from the weighted fit (4.99): they are {off}."},
			Right: "Your step is also right from other weights: for one to five features, for as many rows as weights, and for targets of a single class."},
		{Name: "at the minimum of the error the weights stay unchanged", Problems: fromMinimum, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "minimum", Hint: 2,
				Message: "{problem}: the gradient is 0 there, so your step must not change the weights, but they are {off}."},
			Right: "Where the gradient is 0, your step leaves the weights unchanged: the minimum is a fixed point."},
		{Name: "right at activations up to ±15", Problems: farSteps, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "far", Hint: 1,
				Message: "{problem}: your weights are finite, but {off}. If you clip activations or outputs, or use a lower limit for R, the result is not accurate enough."},
			Right: "Your step is also right if some R_nn are as small as 0.0000003."},
	}...)...)
}

// A stepOf contains the arguments of one call of the learner's function.
type stepOf struct {
	name string
	w    []float64
	Phi  *mat.Dense
	t    []float64
}

func (p stepOf) String() string { return "“" + p.name + "”" }

// compareWeights compares `got` with the right weights, to the six digits that the
// exercise requires.
func compareWeights(p stepOf, got []float64) verify.Finding {
	want := rightWeights(p)
	return verify.CloseSlice(got, want, verify.Tolerance{Abs: 1e-6 * weightSize(p, want)})
}

// weightSize returns the largest absolute value of an old or new weight, but at least 1. Tolerances
// are proportional to this value. The targets z of the fit have |z| ≥ 2, so the rounding errors may
// be larger than small weights. The lower limit of 1 keeps the tolerance above the rounding errors.
func weightSize(p stepOf, want []float64) float64 {
	return max(1, floats.Norm(want, math.Inf(1)), floats.Norm(p.w, math.Inf(1)))
}

// rightWeights returns the right weights. It solves the least-squares problem with the matrix √R Φ
// instead of the equations with the matrix ΦᵀRΦ. The condition number of √R Φ is only the square
// root of the condition number of ΦᵀRΦ, so the rounding errors are smaller.
func rightWeights(p stepOf) []float64 {
	n, m := p.Phi.Dims()
	rows, targets := mat.NewDense(n, m, nil), mat.NewVecDense(n, nil)
	for i, a := range instance.Activations(p.Phi, p.w) {
		e := math.Exp(-math.Abs(a) / 2)
		root := e / (1 + e*e) // √(y(1−y))
		for j := range m {
			rows.Set(i, j, root*p.Phi.At(i, j))
		}
		targets.SetVec(i, root*a+(p.t[i]-(1+math.Tanh(a/2))/2)/root)
	}
	var w mat.VecDense
	if err := w.SolveVec(rows, targets); err != nil {
		return make([]float64, m) // an unlucky seed can make the columns of Phi nearly linearly dependent
	}
	return w.RawVector().Data
}

// draw draws a problem with n patterns and m features. The first feature is always 1. At the
// weights w, the activations are at most a few times as large as `size`.
func draw(part uint64, name string, n, m int, size float64) stepOf {
	r := instance.Source(5008, part)
	p := stepOf{name: name, Phi: mat.NewDense(n, m, instance.Normals(r, n*m)), t: make([]float64, n)}
	for i := range n {
		p.t[i] = float64((i + r.IntN(3)/2) % 2)
		p.Phi.Set(i, 0, 1)
	}
	p.w = instance.Weights(r, p.Phi, size)
	return p
}

func fromZero() (list []stepOf) {
	for i, m := range []int{3, 1, 2, 5} {
		p := draw(uint64(10+i), fmt.Sprintf("all weights 0, with M = %d and N = %d", m, 12+8*i), 12+8*i, m, 1)
		clear(p.w)
		list = append(list, p)
	}
	return list
}

// fromAnyWeights returns the steps of fromZero, followed by steps from various weights.
func fromAnyWeights() []stepOf {
	one := draw(26, "fifteen patterns with t = 0", 15, 3, 2)
	clear(one.t)
	ones := draw(27, "fifteen patterns with t = 1", 15, 3, 2)
	for i := range ones.t {
		ones.t[i] = 1
	}
	return append(fromZero(),
		draw(20, "twenty patterns, three weights", 20, 3, 2),
		draw(21, "forty patterns, five weights", 40, 5, 2),
		draw(22, "eight patterns, one weight", 8, 1, 2),
		draw(23, "two patterns, two weights", 2, 2, 1),
		draw(24, "nine patterns, four weights", 9, 4, 3),
		one, ones)
}

// fromMinimum returns some steps that do not start at the minimum of the error, followed by steps
// that do.
func fromMinimum() []stepOf {
	list := fromAnyWeights()[:6]
	for i, m := range []int{2, 3} {
		p := draw(uint64(40+i), fmt.Sprintf("the minimum for sixty patterns and %d weights", m), 60, m, 0.3)
		for range 12 {
			p.w = rightWeights(p)
		}
		list = append(list, p)
	}
	return list
}

// farSteps returns the first six steps of fromAnyWeights, followed by steps that start at weights for
// which the largest absolute activation is 4 to 15.
func farSteps() []stepOf {
	list := fromAnyWeights()[:6]
	for i, size := range []float64{4, 6, 8, 10, 12, 14, 15} {
		for _, m := range []int{1, 2, 3} {
			p := draw(uint64(60+i), fmt.Sprintf("activations up to ±%g, with M = %d", size, m), 20, m, 1)
			floats.Scale(size/floats.Norm(instance.Activations(p.Phi, p.w), math.Inf(1)), p.w)
			list = append(list, p)
		}
	}
	return list
}

var stepQuestion = &judge.Question[stepFunc, stepOf]{
	Func: "Step", Name: "w", Hint: 1, Per: "feature", New: true,
	Invoke: func(f stepFunc, c *judge.Call, p stepOf) []float64 {
		return c.Vector("w", f(c.Slice("w", p.w), c.Dense("Phi", p.Phi), c.Slice("t", p.t)), len(p.w), "feature")
	},
	Right:    rightWeights,
	Mistakes: mistakes,
	Unit: func(p stepOf, right []float64) []float64 {
		return slices.Repeat([]float64{weightSize(p, right)}, len(right))
	},
}

type stepFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

// A weightedFit returns the numbers `left` and `right` for one pattern. The numbers of all patterns
// define the fit M⁻¹v. M is the sum of left·φφᵀ over the patterns, and v is the sum of right·φ.
type weightedFit func(a, y, r, t float64) (left, right float64)

func (f weightedFit) step(w []float64, Phi *mat.Dense, t []float64) []float64 {
	M, v := mat.NewDense(len(w), len(w), nil), mat.NewVecDense(len(w), nil)
	for n := range t {
		phi := Phi.RowView(n)
		a := mat.Dot(mat.NewVecDense(len(w), w), phi)
		y := (1 + math.Tanh(a/2)) / 2
		left, right := f(a, y, y*(1-y), t[n])
		var outer mat.Dense
		outer.Outer(left, phi, phi)
		M.Add(M, &outer)
		v.AddScaledVec(v, right, phi)
	}
	var next mat.VecDense
	if err := next.SolveVec(M, v); err != nil {
		return nil
	}
	return next.RawVector().Data
}

var mistakes = []judge.Mistake[stepFunc]{
	{Key: "z-sign", Hint: 2,
		Message: "Your step goes in the wrong direction. If you use z, subtract (y − t)/R from the activation. If you use Newton's step, subtract H⁻¹∇E from w.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return r, r*a + y - t }).step},
	{Key: "z-without-r", Hint: 2,
		Message: "R is missing in one place of your step: in z, where the error y − t must be divided by R, or in the Hessian ΦᵀRΦ.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return r, r * (a - y + t) }).step},
	{Key: "z-times-r", Hint: 2,
		Message: "In your z the error is multiplied by R. Divide it by R, because a small error in y means a large error in a where the sigmoid is flat.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return r, r * (a - r*(y-t)) }).step},
	{Key: "targets", Hint: 2,
		Message: "You fit the targets t with the weights R. The weighted fit needs z as its targets, not t.",
		Answer:  weightedFit(func(_, _, r, t float64) (float64, float64) { return r, r * t }).step},
	{Key: "least-squares", Hint: 1,
		Message: "Your step is the plain least-squares fit to t, which does not depend on w. It lacks the sigmoid, as if the outputs y were the activations.",
		Answer:  weightedFit(func(_, _, _, t float64) (float64, float64) { return 1, t }).step},
	{Key: "unweighted", Hint: 2,
		Message: "Your z are right, but all rows have the same weight in your fit. Row n has the weight R_nn, in the matrix and in the vector.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return 1, a - (y-t)/r }).step},
	{Key: "half-weighted", Hint: 2, Message: "Your matrix contains the weights R, but your vector does not. The right vector is ΦᵀRz.",
		Answer: weightedFit(func(a, y, r, t float64) (float64, float64) { return r, a - (y-t)/r }).step},
	{Key: "inverse-weights", Hint: 2,
		Message: "Your rows have the weight 1/R. This is the variance of z; the weight of a row must be the inverse of the variance, R.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return 1 / r, (a - (y-t)/r) / r }).step},
	{Key: "squared-weights", Hint: 2,
		Message: "Your rows have the weight R². If you scale the rows before a least-squares fit, scale them by the square root of R.",
		Answer:  weightedFit(func(a, y, r, t float64) (float64, float64) { return r * r, r * r * (a - (y-t)/r) }).step},
	{Key: "output-as-r", Hint: 1, Message: "Your R is y, as your result for {problem} shows. R is y(1 − y).",
		Answer: weightedFit(func(a, y, _, t float64) (float64, float64) { return y, y*a - y + t }).step},
	{Key: "quarter", Hint: 1,
		Message: "Your matrix contains ¼ for R in every row. This is right only at w = 0. At other weights compute R = y(1 − y) from the y of each row.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			move := weightedFit(func(_, y, _, t float64) (float64, float64) { return 0.25, t - y }).step(w, Phi, t)
			for i := range move {
				move[i] += w[i]
			}
			return move
		}},
	{Key: "change-only", Hint: 2, Message: "You return the change in the weights, −H⁻¹∇E. Return the new weights.",
		Answer: weightedFit(func(_, y, r, t float64) (float64, float64) { return r, t - y }).step},
	{Key: "gradient", Hint: 2, Message: "Your step is the gradient alone: the inverse of the Hessian is missing.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			next := mat.VecDenseCopyOf(mat.NewVecDense(len(w), w))
			for n := range t {
				phi := Phi.RowView(n)
				y := (1 + math.Tanh(mat.Dot(mat.NewVecDense(len(w), w), phi)/2)) / 2
				next.AddScaledVec(next, t[n]-y, phi)
			}
			return next.RawVector().Data
		}},
}

func init() { judge.Known(exercise, stepQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson08", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
