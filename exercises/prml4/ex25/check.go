// Package ex25 judges PRML exercise 4.25: the factor λ for which Φ(λa) has the same slope as σ(a)
// at a = 0.
package ex25

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function lambdaSquared of PRML exercise 4.25, which returns λ².
func Check(lambdaSquared func() float64) *verify.Report {
	return exercise.Judge(squareQuestion.Parts(lambdaSquared, []judge.Property[origin]{
		{Name: "λ² is a positive number, and the same on every call", Problems: here, Precheck: positive,
			Right: "You returned a positive constant."},
		{Name: "Φ(λa) and σ(a) have the same slope at a = 0", Problems: here, Holds: sameSlope,
			Wrong: judge.Wrong{Key: "slope", Hint: 2,
				Message: "With your λ² the slopes of Φ(λa) and σ(a) at 0 differ: they are {off}."},
			Right: "With your λ² the slopes of Φ(λa) and σ(a) at 0 are equal, both by calculus and by finite differences."},
		{Name: "the curves stay as close as equal slopes allow", Problems: here, Holds: near,
			Wrong: judge.Wrong{Key: "gap", Hint: 2,
				Message: "Where the curves Φ(λa) and σ(a) differ most, they are {off}, which is more than with equal slopes. Compare the curves in the explore cell below."},
			Right: "With your λ² the distance between the curves is at most about 0.018. (With different slopes it can be about half as large: the smallest distance and equal slopes are different criteria.)"},
	}...)...)
}

// CheckSteps judges two optional steps of the derivation. sigmoidSlope returns the slope of σ(a) at
// a = 0. probitSlope returns the slope of Φ(λa) at a = 0, for any λ > 0.
func CheckSteps(sigmoidSlope func() float64, probitSlope func(lambda float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		sigmoidQuestion.Steps(sigmoidSlope, judge.Step[origin]{Name: "SigmoidSlope: the slope of σ(a) at a = 0",
			Problems: here,
			Routes: []judge.Route[origin]{
				{Name: "the derivative σ(1−σ)", Tol: 1e-12, Value: sigmoidQuestion.Right},
				{Name: "the difference quotient of σ", Tol: 1e-8,
					Value: func(origin) []float64 { return []float64{verify.Derivative(kernel.Sigmoid, 0, 0)} }},
			},
			Right: "Your number agrees with the slope of σ at 0, computed from the derivative and by a difference quotient."}),
		probitQuestion.Steps(probitSlope,
			judge.Step[scale]{Name: "ProbitSlope: the slope of Φ(λa) at a = 0, for any λ", Problems: scales,
				Routes: []judge.Route[scale]{
					{Name: "the chain rule", Tol: 1e-12, Value: probitQuestion.Right},
					{Name: "the difference quotient of Φ(λa)", Tol: 1e-8,
						Value: func(l scale) []float64 { return []float64{slopeOfProbit(float64(l))} }},
				},
				Right: "For λ from 0.01 to 100 your result agrees with the slope of Φ(λa) at 0, computed by the chain rule and by difference quotients."}))...)
}

func positive(_ origin, got []float64) *verify.Verdict {
	switch l2 := got[0]; {
	case l2 < 0:
		return judge.Fail("negative", 1, "You returned %.6g, but a square cannot be negative. Check the signs.", l2)
	case l2 == 0:
		return judge.Fail("zero", 1,
			"You returned 0, which makes Φ(λa) constant. If you divide integers, write a decimal point: in Go 1/8 is 0.")
	}
	return nil
}

// sameSlope compares the slope of Φ(λa) at 0 with the slope of σ(a) at 0. It computes both slopes
// twice: by central differences, and from the derivatives.
func sameSlope(_ origin, got []float64) verify.Finding {
	lambda := math.Sqrt(got[0]) // `lambda` is NaN for a negative λ², and verify.Close rejects NaN
	numeric := verify.Close(slopeOfProbit(lambda), verify.Derivative(kernel.Sigmoid, 0, 0), verify.Tolerance{Rel: 1e-8})
	if !numeric.OK {
		return numeric
	}
	return verify.Close(lambda*peak, 0.25, verify.Tolerance{Rel: 1e-12})
}

// equalSlopeGap is slightly above 0.0176711886, the largest |σ(a) − Φ(λa)| over all a for the λ that
// makes both slopes at 0 equal.
const equalSlopeGap = 0.01767125

func near(_ origin, got []float64) verify.Finding {
	// It is enough to compare the curves for a ≥ 0, because both are symmetric about the point where
	// a is 0 and the value is ½. For a > 40, σ(a) rounds to 1, and so does Φ(λa) unless λ is small. If
	// λ is so small, the distance between the curves is already too large for a ≤ 40.
	gap, lambda := 0.0, math.Sqrt(got[0])
	for a := 0.0; a <= 40; a += 1.0 / 256 {
		gap = math.Max(gap, math.Abs(kernel.Sigmoid(a)-kernel.NormCDF(lambda*a)))
	}
	return verify.Finding{OK: gap <= 1.01*equalSlopeGap, Miss: gap}
}

// peak is the standard normal density at 0.
var peak = kernel.NormPDF(0)

// slopeOfProbit returns the derivative of Φ(λa) with respect to a, at a = 0. It computes the
// derivative of Φ by finite differences and multiplies it by λ.
func slopeOfProbit(lambda float64) float64 { return lambda * verify.Derivative(kernel.NormCDF, 0, 0) }

// An origin is the point a = 0, the only problem for LambdaSquared and SigmoidSlope.
type origin struct{}

func (origin) String() string { return "a = 0" }

func here() []origin { return []origin{{}} }

// A scale is a value of λ, the argument of the learner's function.
type scale float64

// scales returns values of λ. None of them is 1, because a wrong power of λ would go
// unnoticed at λ = 1.
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

var squareQuestion = &judge.Question[constantFunc, origin]{
	Func: "LambdaSquared", Name: "λ²", Hint: 1,
	Invoke: func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right:  func(origin) []float64 { return []float64{math.Pow(0.25/peak, 2)} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly right: your λ² is {off}. A number with rounded decimals is not accurate enough. Write the formula with math.Pi."},
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "lambda-for-lambda-squared", Hint: 3, Answer: constant(math.Sqrt(math.Pi / 8)),
			Message: "Your number is λ, not λ². The exercise asks for the square."},
		{Key: "squared-twice", Hint: 3, Answer: constant(math.Pi / 8 * math.Pi / 8),
			Message: "Your number is the square of λ². Square only once."},
		{Key: "inverse", Hint: 2, Answer: constant(8 / math.Pi),
			Message: "Your number is the reciprocal: 1/λ². λ scales the argument of Φ, not of σ."},
		{Key: "inverse-lambda", Hint: 2, Answer: constant(math.Sqrt(8 / math.Pi)),
			Message: "Your number is 1/λ. Solve the equation for λ, and square it."},
		{Key: "density-peak-is-one", Hint: 2, Answer: constant(math.Pi / 4),
			Message: "Your number is twice the right number. The slope of Φ(λa) at 0 is the normal density at 0, which is 1/√(2π), times the inner derivative λ."},
		{Key: "slope-of-probit-is-one", Hint: 2, Answer: constant(1.0 / 16),
			Message: "Your λ is ¼, as if the slope of Φ at 0 were 1. The slope of Φ at 0 is 1/√(2π), the normal density at 0."},
		{Key: "slope-of-sigmoid-is-half", Hint: 2, Answer: constant(math.Pi / 2),
			Message: "Your number would be right if the slope of σ at 0 were ½. But ½ is the value of σ at 0, not its slope."},
		{Key: "erf-convention", Hint: 2, Answer: constant(math.Pi / 16),
			Message: "Your λ² gives ½(1+erf(λa)) the same slope as σ(a). But Φ(λa) is ½(1+erf(λa/√2)), with a √2 in the argument."},
		{Key: "same-variance", Hint: 1, Answer: constant(3 / (math.Pi * math.Pi)), Tol: 1e-4,
			Message: "Your λ gives the normal and the logistic density the same variance. The exercise requires equal slopes at 0 instead."},
		{Key: "minimax", Hint: 1, Answer: constant(0.587632 * 0.587632), Tol: 5e-5,
			Message: "Your λ² makes the largest distance between the curves as small as possible. This is a different criterion. Use equal slopes at 0."},
		{Key: "minimax-lambda", Hint: 1, Answer: constant(0.587632), Tol: 5e-5,
			Message: "You return the λ (not squared) that makes the largest distance between the curves as small as possible. This is a different criterion. Return the square of the λ for which the slopes at 0 are equal."},
		{Key: "one-point-seven", Hint: 1, Answer: constant(1 / (1.702 * 1.702)), Tol: 5e-5,
			Message: "You return 1/1.702². Other books use λ = 1/1.702, which makes the largest distance between the curves small. Use equal slopes at 0 instead."},
		{Key: "one-point-seven-lambda", Hint: 1, Answer: constant(1 / 1.702), Tol: 5e-5,
			Message: "You return 1/1.702. Other books use this λ, which makes the largest distance between the curves small. Use equal slopes at 0, and return λ²."},
		{Key: "kappa", Hint: 3, Answer: constant(1 / math.Sqrt(1+math.Pi/8)),
			Message: "You return the factor κ(1) of (4.154), which contains λ². The exercise asks for λ² alone."},
	},
}

var sigmoidQuestion = &judge.Question[constantFunc, origin]{
	Func: "SigmoidSlope", Name: "SigmoidSlope", Key: "sigmoid", Hint: 2,
	Invoke: func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right:  func(origin) []float64 { return []float64{0.25} },
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "value-for-slope", Hint: 2, Message: "You return the value of σ at 0. Return the slope of σ at 0.",
			Answer: constant(0.5)},
		{Key: "one", Hint: 2,
			Message: "Your slope is 1, which is too steep. Compare σ with the line y = a: near a = 0 the sigmoid increases more slowly.", Answer: constant(1)},
		{Key: "integer-division", Hint: 2,
			Message: "You returned 0, but the sigmoid is not flat. If you divide integers, write a decimal point in one of them: in Go their quotient is an integer.", Answer: constant(0)},
		{Key: "cubed", Hint: 2, Message: "Your number is the product of three factors ½. σ(1−σ) at 0 is the product of only two factors ½.",
			Answer: constant(1. / 8)},
		{Key: "plus", Hint: 2, Message: "You return σ(1+σ) at 0. The derivative of the sigmoid is σ(1−σ).",
			Answer: constant(3. / 4)},
	},
}

var probitQuestion = &judge.Question[slopeFunc, scale]{
	Func: "ProbitSlope", Name: "ProbitSlope", Key: "probit", Hint: 2,
	Invoke: func(f slopeFunc, _ *judge.Call, l scale) []float64 { return []float64{f(float64(l))} },
	Right:  func(l scale) []float64 { return []float64{float64(l) * peak} },
	Mistakes: []judge.Mistake[slopeFunc]{
		{Key: "no-lambda", Hint: 1, Answer: func(float64) float64 { return peak },
			Message: "Your slope does not contain λ: the inner derivative of Φ(λa) is missing."},
		{Key: "divided", Hint: 1, Answer: func(lambda float64) float64 { return peak / lambda },
			Message: "Your slope is the normal density at 0 divided by λ. Multiply by λ instead, because Φ(λa) is steeper for a larger λ."},
		{Key: "squared", Hint: 1, Answer: func(lambda float64) float64 { return lambda * lambda * peak },
			Message: "Your slope is the normal density at 0 times λ². The inner derivative is λ. Square only after you solve the equation for λ."},
		{Key: "peak-one", Hint: 2, Answer: func(lambda float64) float64 { return lambda },
			Message: "Your slope is λ, as if the peak of the normal density were 1. The area is 1, but the peak is 1/√(2π)."},
		{Key: "value-for-slope", Hint: 2, Answer: func(float64) float64 { return 0.5 },
			Message: "You return the value of Φ at 0. Return the slope of Φ(λa) at 0."},
		{Key: "erf", Hint: 2, Answer: func(lambda float64) float64 { return lambda / math.Sqrt(math.Pi) },
			Message: "You return the slope of ½(1+erf(λa)). Φ(λa) is ½(1+erf(λa/√2)), with a √2 in the argument."},
		{Key: "no-root", Hint: 2, Answer: func(lambda float64) float64 { return lambda / (2 * math.Pi) },
			Message: "Your slope is λ/(2π). In one dimension the normal density contains the square root, 1/√(2π)."},
		{Key: "upside-down", Hint: 2, Answer: func(lambda float64) float64 { return lambda * math.Sqrt(2*math.Pi) },
			Message: "Your slope is λ√(2π). Divide by √(2π)."},
		{Key: "density-elsewhere", Hint: 2,
			Answer:  func(lambda float64) float64 { return lambda * peak * math.Exp(-lambda*lambda/2) },
			Message: "You return the slope at a = 1, which contains the normal density at λ. Return the slope at a = 0."},
		{Key: "sigmoid", Hint: 2, Answer: func(lambda float64) float64 { return lambda / 4 },
			Message: "You return the slope of σ(λa). The derivative of Φ is the normal density."},
	},
}

func constant(v float64) constantFunc { return func() float64 { return v } }

func init() {
	judge.Known(exercise, squareQuestion, Check)
	judge.Known(exercise, sigmoidQuestion, func(f constantFunc) *verify.Report {
		return CheckSteps(f, func(lambda float64) float64 { return lambda * peak })
	})
	judge.Known(exercise, probitQuestion, func(f slopeFunc) *verify.Report { return CheckSteps(constant(0.25), f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex25", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
