// Package lesson10 judges the task of lesson 10: the gradient of logistic regression for data in
// which some labels are wrong.
package lesson10

import (
	"embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type gradientFunc = func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64

// Check judges `gradient`, which returns ∇E for the model (4.117), logistic regression with wrong
// labels.
func Check(gradient gradientFunc) *verify.Report {
	return exercise.Judge(gradientQuestion.Parts(gradient, []judge.Property[problem]{
		judge.Form("M finite numbers, the same on every call", ofKinds(few, one, many), nil, judge.Wrong{},
			"You returned one number per weight, in a new slice."),
		{Name: "the sum over the rows of (y−t)·ψ′(y)·f′(a)·φ", Problems: ofKinds(few, one, many),
			Holds: compareGradient,
			Wrong: judge.Wrong{Key: "gradient", Hint: 2, Message: "For {problem} your gradient is {off} (each error is divided by the largest absolute value in the matching column of Φ)."},
			Right: "Your result is the gradient of E, for one row and for many, for small ε and for large ε."},
		{Name: "a row far on the wrong side contributes almost nothing", Problems: ofKinds(few, far),
			Holds: compareGradient,
			Wrong: judge.Wrong{Key: "far", Hint: 3,
				Message: "For {problem} your gradient is {off} (each error is divided by the largest absolute value in the matching column of Φ). Check that no exponential overflows and that no activation is clipped."},
			Right: "The gradient is finite and right up to activations of ±800. The model treats the label of a row far on the wrong side as wrong."},
	}...)...)
}

func compareGradient(p problem, got []float64) verify.Finding {
	scale := instance.Sizes(p.phi)
	a, b := make([]float64, len(got)), make([]float64, len(got))
	for j, v := range rightGradient(p) {
		a[j], b[j] = got[j]/scale[j], v/scale[j]
	}
	return verify.CloseSlice(a, b, verify.Tolerance{Abs: 1e-9, Rel: 1e-9})
}

// rightGradient computes the gradient from the odds e^−|a| of the label that is less probable if no
// label is wrong. Let q = 1−2ε and s̄ = σ(−|a|). The slope of y with respect to a is qs̄(1−s̄). If t
// is 1, a row contributes −(slope/y)·φ to the gradient. If t is 0, it contributes (slope/(1−y))·φ.
func rightGradient(p problem) []float64 {
	return p.sumOfRows(func(a, t float64) float64 {
		odds, q := math.Exp(-math.Abs(a)), 1-2*p.eps
		tail := odds / (1 + odds)
		slope := q * tail / (1 + odds)
		if (a > 0) == (t == 1) {
			tail = 1 / (1 + odds) // the probability of the observed label in the model without wrong labels
		}
		return (1 - 2*t) * slope / (p.eps + q*tail)
	})
}

// A problem contains the data, ε, and the point w at which the gradient is computed.
type problem struct {
	name string
	w, t []float64
	phi  *mat.Dense
	eps  float64
}

func (p problem) String() string {
	return fmt.Sprintf("%s (N = %d, M = %d, ε = %.3g)", p.name, len(p.t), len(p.w), p.eps)
}

// sumOfRows returns Σ_n pull(a_n, t_n)φ_n. Here a_n is the activation of row n of the problem.
func (p problem) sumOfRows(pull func(a, t float64) float64) []float64 {
	shares := make([]float64, len(p.t))
	for n, a := range instance.Activations(p.phi, p.w) {
		shares[n] = pull(a, p.t[n])
	}
	return instance.Combination(p.phi, shares)
}

type kind int

var kinds = []string{"a few rows", "a single row", "many rows", "rows with activations up to ±800"}

const (
	few kind = iota
	one
	many
	far
)

var sizes = []int{6, 1, 300, 12}

// ofKinds returns a function that draws five problems of each of the given kinds. If a problem has
// several rows, both labels occur. In problems of the kind `far`, both labels occur on each side of
// the decision boundary.
func ofKinds(kinds ...kind) func() []problem {
	return func() (list []problem) {
		for _, k := range kinds {
			for i := range 5 {
				list = append(list, draw(k, i))
			}
		}
		return list
	}
}

func draw(k kind, i int) problem {
	r := instance.Source(5010, uint64(10*int(k)+i))
	m, n := 1+i%3, sizes[k]
	centre, spread := make([]float64, m), make([]float64, m)
	for j := range m {
		spread[j] = math.Pow(10, float64(j-1))
	}
	centre[0], spread[0] = 1, 0 // a bias
	p := problem{name: kinds[k], eps: []float64{0.1, 0.01, 0.49, 0.3, 0.03}[i], t: make([]float64, n)}
	if k == far {
		a := make([]float64, n)
		for j := range a {
			a[j] = []float64{800, -800, 40, -40, 700, -700}[j%6] * (1 - 0.1*r.Float64())
		}
		p.w = []float64{instance.Normals(r, 1)[0], 1.5}
		p.phi = instance.Reaching(r, p.w, a)
	} else {
		p.phi = instance.Design(r, n, centre, spread)
		p.w = instance.Weights(r, p.phi, 1)
	}
	for j := range p.t {
		p.t[j] = float64((j/2 + j + i) % 2)
	}
	return p
}

var gradientQuestion = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "∇E", Hint: 1, Per: "weight", New: true,
	Invoke: func(f gradientFunc, c *judge.Call, p problem) []float64 {
		return c.Vector("∇E", f(c.Slice("w", p.w), c.Dense("Phi", p.phi), c.Slice("t", p.t), p.eps), len(p.w), "weight")
	},
	Right: rightGradient,
	Unit:  func(p problem, _ []float64) []float64 { return instance.Sizes(p.phi) },
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "uphill", Hint: 1,
			Message: "Your numbers have the opposite sign: this is the gradient of the log likelihood, and E is the negative log likelihood.",
			Answer:  sumOverRows(func(s, t, eps float64) float64 { return -pull(s, t, eps) })},
		{Key: "canonical", Hint: 1,
			Message: "You return Σ(y−t)φ. That is the gradient for a canonical link, where ψ′f′ is 1. Here ψ′f′ is not 1, because f′, the slope of y, is not y(1−y).",
			Answer:  sumOverRows(func(s, t, eps float64) float64 { return observed(s, eps) - t })},
		{Key: "logistic", Hint: 1,
			Message: "You return Σ(σ−t)φ, the gradient of ordinary logistic regression, which takes all labels to be right, whatever ε is.",
			Answer:  sumOverRows(func(s, t, _ float64) float64 { return s - t })},
		{Key: "no-psi", Hint: 2,
			Message: "ψ′ is missing: (y−t)f′φ is the gradient of half the squared error, not of the cross-entropy.",
			Answer:  sumOverRows(func(s, t, eps float64) float64 { return (observed(s, eps) - t) * slope(s, eps) })},
		{Key: "no-slope", Hint: 2,
			Message: "f′ is missing: (y−t)/{y(1−y)} is the derivative of the error with respect to y, but y depends on w through a.",
			Answer:  sumOverRows(func(s, t, eps float64) float64 { return pull(s, t, eps) / slope(s, eps) })},
		{Key: "slope-of-sigmoid", Hint: 2, Message: "In the slope of y the factor 1−2ε is missing: y = ε + (1−2ε)σ.",
			Answer: sumOverRows(func(s, t, eps float64) float64 { return pull(s, t, eps) / (1 - 2*eps) })},
		{Key: "psi-of-sigmoid", Hint: 2,
			Message: "Your gradient is (1−2ε)Σ(y−t)φ, as if ψ′ and the slope of the sigmoid cancelled. They do not cancel, because ψ′ depends on y, the probability that the observed label is 1, but the slope of the sigmoid depends on σ.",
			Answer:  sumOverRows(func(s, t, eps float64) float64 { return (observed(s, eps) - t) * (1 - 2*eps) })},
		{Key: "error-of-sigmoid", Hint: 1, Message: "Your residual is σ−t. It must be y−t, with y = ε + (1−2ε)σ.",
			Answer: sumOverRows(func(s, t, eps float64) float64 {
				y := observed(s, eps)
				return (s - t) / (y * (1 - y)) * slope(s, eps)
			})},
		{Key: "only-ones-flip", Hint: 1,
			Message: "In your model, y = (1−ε)σ, only a label 1 can turn into 0. A label 0 can also turn into 1.",
			Answer: sumOverRows(func(s, t, eps float64) float64 {
				y := (1 - eps) * s
				return (y - t) / (y * (1 - y)) * (1 - eps) * s * (1 - s)
			})},
		{Key: "only-zeros-flip", Hint: 1,
			Message: "Your y = ε + (1−ε)σ ranges from ε to 1, as if only a label 0 could turn into 1. A label 1 can also turn into 0, so y stays below 1−ε.",
			Answer: sumOverRows(func(s, t, eps float64) float64 {
				y := eps + (1-eps)*s
				return (y - t) / (y * (1 - y)) * (1 - eps) * s * (1 - s)
			})},
		{Key: "inside-out", Hint: 1, Message: "In your model ε and 1−ε are swapped. A label must be right with probability 1−ε.",
			Answer: sumOverRows(func(s, t, eps float64) float64 { return pull(s, t, 1-eps) })},
		{Key: "one-formula", Hint: 1,
			Message: "You treat all rows as if t were 1. Equation (4.117) gives y, the probability that t is 1. For a row with t = 0 use the probability 1 − y.",
			Answer:  sumOverRows(func(s, _, eps float64) float64 { return pull(s, 1, eps) })},
		{Key: "ones-only", Hint: 2, Message: "The rows with t = 0 are missing from your sum: E also contains their terms −(1−t)·ln(1−y).",
			Answer: sumOverRows(func(s, t, eps float64) float64 { return t * pull(s, t, eps) })},
		{Key: "mean", Hint: 1, Message: "You return the mean over the rows. E is a sum, so its gradient is a sum too.",
			Answer: func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
				g := sumOverRows(pull)(w, Phi, t, eps)
				for j := range g {
					g[j] /= float64(len(t))
				}
				return g
			}},
	},
}

func observed(s, eps float64) float64 { return eps + (1-2*eps)*s }
func slope(s, eps float64) float64    { return (1 - 2*eps) * s * (1 - s) }

func pull(s, t, eps float64) float64 {
	y := observed(s, eps)
	return (y - t) / (y * (1 - y)) * slope(s, eps)
}

// sumOverRows returns an answer that computes the gradient as Σ_n pull(σ(a_n), t_n, ε)φ_n.
func sumOverRows(pull func(s, t, eps float64) float64) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
		p := problem{w: w, phi: Phi, t: t}
		return p.sumOfRows(func(a, t float64) float64 { return pull(1/(1+math.Exp(-a)), t, eps) })
	}
}

func init() { judge.Known(exercise, gradientQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson10", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
