// Package ex25 judges PRML exercise 4.25: the factor λ for which Φ(λa) approximates σ(a).
package ex25

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges lambdaSquared, which returns λ² of PRML exercise 4.25.
func Check(lambdaSquared func() float64) *verify.Report {
	return exercise.Judge(askSquare.Parts(lambdaSquared, []judge.Property[origin]{
		{Name: "λ² is a positive number, and the same on every call", On: here, First: positive,
			Right: "You returned a positive constant."},
		{Name: "Φ(λa) and σ(a) have the same slope at a = 0", On: here, Holds: sameSlope,
			Wrong: judge.Wrong{Key: "slope", Hint: 2,
				Message: "With your λ², Φ(λa) and σ(a) are not equally steep at 0: the slopes are {off}."},
			Right: "The slopes agree, by calculus and by finite differences."},
		{Name: "the curves stay as close as equal slopes allow", On: here, Holds: near,
			Wrong: judge.Wrong{Key: "gap", Hint: 2,
				Message: "Somewhere the curves are farther apart than they need to be: {off}. Compare them in the explore cell below."},
			Right: "The curves are nowhere farther apart than about 0.018. (A little closer is possible, with slopes that differ: how close the curves come and how their slopes agree are two criteria.)"},
	}...)...)
}

// CheckSteps judges the slopes of the two curves at 0, which are optional: sigmoidSlope returns the
// slope of σ(a), and probitSlope the slope of Φ(λa) for any λ > 0.
func CheckSteps(sigmoidSlope func() float64, probitSlope func(lambda float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askSigmoid.Steps(sigmoidSlope, judge.Step[origin]{Name: "SigmoidSlope: the slope of σ(a) at a = 0", On: here,
			Routes: []judge.Route[origin]{
				{Name: "the derivative σ(1−σ)", Tol: 1e-12, Value: askSigmoid.Right},
				{Name: "the difference quotient of σ", Tol: 1e-8,
					Value: func(origin) []float64 { return []float64{verify.Derivative(kernel.Sigmoid, 0, 0)} }},
			},
			Right: "It is the slope of σ at 0, by its derivative and by a difference quotient."}),
		askProbit.Steps(probitSlope,
			judge.Step[scale]{Name: "ProbitSlope: the slope of Φ(λa) at a = 0, for any λ", On: scales,
				Routes: []judge.Route[scale]{
					{Name: "the chain rule", Tol: 1e-12, Value: askProbit.Right},
					{Name: "the difference quotient of Φ(λa)", Tol: 1e-8,
						Value: func(l scale) []float64 { return []float64{slopeOfProbit(float64(l))} }},
				},
				Right: "It is the slope of Φ(λa) at 0, by the chain rule and by difference quotients, for λ from 0.01 to 100."}))...)
}

func positive(_ origin, got []float64) *verify.Verdict {
	switch l2 := got[0]; {
	case l2 < 0:
		return judge.Fail("negative", 1, "You returned %.6g; a square is not negative. Which sign went astray?", l2)
	case l2 == 0:
		return judge.Fail("zero", 1,
			"You returned 0, with which Φ(λa) is flat. In Go, 1/8 is a division of whole numbers: 1.0/8 is what a formula means.")
	}
	return nil
}

// sameSlope compares the slopes by calculus and by central differences, which need no formula.
func sameSlope(_ origin, got []float64) verify.Finding {
	lambda := math.Sqrt(got[0]) // NaN is not close to anything
	numeric := verify.Close(slopeOfProbit(lambda), verify.Derivative(kernel.Sigmoid, 0, 0), verify.Tolerance{Rel: 1e-8})
	if !numeric.OK {
		return numeric
	}
	return verify.Close(lambda*peak, 0.25, verify.Tolerance{Rel: 1e-12})
}

// equalSlopeGap is max |σ(a) − Φ(λa)| when the slopes at 0 agree, found by a
// 50-digit scan.
const equalSlopeGap = 0.01767125

func near(_ origin, got []float64) verify.Finding {
	// By symmetry a ≥ 0 is enough; beyond 40 both curves are 1 to the last digit.
	gap, lambda := 0.0, math.Sqrt(got[0])
	for a := 0.0; a <= 40; a += 1.0 / 256 {
		gap = math.Max(gap, math.Abs(kernel.Sigmoid(a)-kernel.NormCDF(lambda*a)))
	}
	return verify.Finding{OK: gap <= 1.01*equalSlopeGap, Miss: gap}
}

// peak is the standard normal density at 0.
var peak = kernel.NormPDF(0)

// slopeOfProbit returns the derivative of Φ(λa) at 0 by differences. The steps are relative to the
// width over which the curve rises.
func slopeOfProbit(lambda float64) float64 { return lambda * verify.Derivative(kernel.NormCDF, 0, 0) }

// origin is the only problem: a = 0.
type origin struct{}

func (origin) String() string { return "a = 0" }

func here() []origin { return []origin{{}} }

// A scale is a value of λ.
type scale float64

// scales returns values of λ other than 1.
func scales() []scale {
	r := instance.Source(425, 31)
	out := []scale{0.5, 2, 1.7, 10, 0.01, 100}
	for range 6 {
		out = append(out, scale(math.Exp(2*r.Float64()-1)))
	}
	return out
}

type (
	constantFunc = func() float64
	slopeFunc    = func(lambda float64) float64
)

func (l scale) String() string { return fmt.Sprintf("λ = %.4g", float64(l)) }

var askSquare = &judge.Question[constantFunc, origin]{
	Func: "LambdaSquared", Name: "λ²", Hint: 1,
	Ask:   func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right: func(origin) []float64 { return []float64{math.Pow(0.25/peak, 2)} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: your λ² is {off}. Rounded decimals? Write the formula with math.Pi."},
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "lambda-for-lambda-squared", Hint: 3, Answer: constant(math.Sqrt(math.Pi / 8)),
			Message: "Your number is λ, not λ²: the exercise asks for the square."},
		{Key: "squared-twice", Hint: 3, Answer: constant(math.Pi / 8 * math.Pi / 8),
			Message: "Your number is the square of λ²: it was squared once too often."},
		{Key: "inverse", Hint: 2, Answer: constant(8 / math.Pi),
			Message: "Your number is the reciprocal: 1/λ². Which curve is stretched, and which one stays?"},
		{Key: "inverse-lambda", Hint: 2, Answer: constant(math.Sqrt(8 / math.Pi)),
			Message: "Your number is 1/λ: the equation was solved for the wrong side, and not squared."},
		{Key: "density-peak-is-one", Hint: 2, Answer: constant(math.Pi / 4),
			Message: "A factor 2 is lost on the way. Write the slope of Φ(λa) at 0 with its peak density 1/√(2π) and its inner factor λ."},
		{Key: "slope-of-probit-is-one", Hint: 2, Answer: constant(1.0 / 16),
			Message: "λ was set to ¼, as if Φ had slope 1 at 0. Its slope there is the peak of the normal density."},
		{Key: "slope-of-sigmoid-is-half", Hint: 2, Answer: constant(math.Pi / 2),
			Message: "The slope of σ at 0 was taken for ½, which is its value there."},
		{Key: "erf-convention", Hint: 2, Answer: constant(math.Pi / 16),
			Message: "This fits ½(1+erf(λa)) to σ(a). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
		{Key: "same-variance", Hint: 1, Answer: constant(3 / (math.Pi * math.Pi)), Tol: 1e-4,
			Message: "This λ gives the normal and the logistic density the same variance. It is a criterion, but not equal slopes at 0."},
		{Key: "minimax", Hint: 1, Answer: constant(0.587632 * 0.587632), Tol: 5e-5,
			Message: "This is the λ² with the smallest largest gap. A different criterion, and a good one; use equal slopes at 0."},
		{Key: "minimax-lambda", Hint: 1, Answer: constant(0.587632), Tol: 5e-5,
			Message: "This is the λ (not squared) with the smallest largest gap: a different criterion. Return the square of the λ with equal slopes at 0."},
		{Key: "one-point-seven", Hint: 1, Answer: constant(1 / (1.702 * 1.702)), Tol: 5e-5,
			Message: "This is 1/1.702², a scale quoted in other books: it makes the largest gap small. A different criterion; use equal slopes at 0."},
		{Key: "one-point-seven-lambda", Hint: 1, Answer: constant(1 / 1.702), Tol: 5e-5,
			Message: "This is 1/1.702, a scale quoted in other books for λ itself: it makes the largest gap small. A different criterion, and not squared."},
		{Key: "kappa", Hint: 3, Answer: constant(1 / math.Sqrt(1+math.Pi/8)),
			Message: "This is the factor κ(1) of (4.154), in which λ² occurs; the exercise asks for λ² alone."},
	},
}

var askSigmoid = &judge.Question[constantFunc, origin]{
	Func: "SigmoidSlope", Name: "SigmoidSlope", Key: "sigmoid", Hint: 2,
	Ask:   func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right: func(origin) []float64 { return []float64{0.25} },
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "value-for-slope", Hint: 2, Message: "This is the value of σ at 0, not its slope there.",
			Answer: constant(0.5)},
		{Key: "one", Hint: 2,
			Message: "A slope of 1 belongs to the line a, not to the sigmoid: it takes longer than that to rise from 0 to 1.", Answer: constant(1)},
		{Key: "integer-division", Hint: 2,
			Message: "A slope of 0 is that of a flat curve. In Go a quotient of whole numbers drops the rest: write one of them with a point.", Answer: constant(0)},
		{Key: "cubed", Hint: 2, Message: "Three factors ½ are one too many: σ(1−σ) is a product of two.",
			Answer: constant(1. / 8)},
		{Key: "plus", Hint: 2, Message: "This is σ(1+σ) at 0: the sign in the derivative of the sigmoid is turned.",
			Answer: constant(3. / 4)},
	},
}

var askProbit = &judge.Question[slopeFunc, scale]{
	Func: "ProbitSlope", Name: "ProbitSlope", Key: "probit", Hint: 2,
	Ask:   func(f slopeFunc, _ *judge.Call, l scale) []float64 { return []float64{f(float64(l))} },
	Right: func(l scale) []float64 { return []float64{float64(l) * peak} },
	Mistakes: []judge.Mistake[slopeFunc]{
		{Key: "no-lambda", Hint: 1, Answer: func(float64) float64 { return peak },
			Message: "λ is not in it: the inner derivative of Φ(λa) is missing. The larger λ, the steeper the curve."},
		{Key: "divided", Hint: 1, Answer: func(lambda float64) float64 { return peak / lambda },
			Message: "λ divides where it should multiply: Φ(λa) is steeper for a larger λ."},
		{Key: "squared", Hint: 1, Answer: func(lambda float64) float64 { return lambda * lambda * peak },
			Message: "λ comes in squared. The inner derivative is λ; the square is taken only when the equation is solved for λ²."},
		{Key: "peak-one", Hint: 2, Answer: func(lambda float64) float64 { return lambda },
			Message: "The peak of the normal density was taken for 1. It is a density whose area is 1."},
		{Key: "value-for-slope", Hint: 2, Answer: func(float64) float64 { return 0.5 },
			Message: "This is the value of Φ at 0, not its slope there."},
		{Key: "erf", Hint: 2, Answer: func(lambda float64) float64 { return lambda / math.Sqrt(math.Pi) },
			Message: "This is the slope of ½(1+erf(λa)). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
		{Key: "no-root", Hint: 2, Answer: func(lambda float64) float64 { return lambda / (2 * math.Pi) },
			Message: "The 2π stands under no root: in one dimension the normal density has one factor √(2π)."},
		{Key: "upside-down", Hint: 2, Answer: func(lambda float64) float64 { return lambda * math.Sqrt(2*math.Pi) },
			Message: "√(2π) multiplies where it should divide."},
		{Key: "density-elsewhere", Hint: 2,
			Answer:  func(lambda float64) float64 { return lambda * peak * math.Exp(-lambda*lambda/2) },
			Message: "The density was taken at λ, that is, at a = 1. Return the slope at a = 0."},
		{Key: "sigmoid", Hint: 2, Answer: func(lambda float64) float64 { return lambda / 4 },
			Message: "This is the slope of σ(λa). Φ is another curve: its derivative is the normal density."},
	},
}

func constant(v float64) constantFunc { return func() float64 { return v } }

func init() {
	judge.Known(exercise, askSquare, Check)
	judge.Known(exercise, askSigmoid, func(f constantFunc) *verify.Report {
		return CheckSteps(f, func(lambda float64) float64 { return lambda * peak })
	})
	judge.Known(exercise, askProbit, func(f slopeFunc) *verify.Report { return CheckSteps(constant(0.25), f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex25", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
