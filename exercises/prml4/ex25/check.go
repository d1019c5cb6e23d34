// Package ex25 judges PRML exercise 4.25: the factor λ with which Φ(λa) stands in
// for σ(a).
package ex25

import (
	"embed"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex25", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges lambdaSquared, which returns λ² of PRML exercise 4.25.
func Check(lambdaSquared func() float64) *verify.Report {
	return exercise.Judge(askSquare.Parts(lambdaSquared, []judge.Property[origin]{
		{Name: "λ² is a positive number, and the same on every call", On: here, First: positive,
			Right: "You returned a positive constant."},
		{Name: "Φ(λa) and σ(a) have the same slope at a = 0", On: here, Holds: sameSlope,
			Wrong: judge.Wrong{Key: "slope", Hint: 2, Message: "With your λ², Φ(λa) and σ(a) are not equally steep at 0: the slopes are {off}."},
			Right: "The slopes agree, by calculus and by finite differences."},
		{Name: "the curves stay as close as equal slopes allow", On: here, Holds: near,
			Wrong: judge.Wrong{Key: "gap", Hint: 2, Message: "Somewhere the curves are farther apart than they need to be: {off}. Compare them in the explore cell below."},
			Right: "The curves are nowhere farther apart than about 0.018. (A little closer is possible, with slopes that differ: how close the curves come and how their slopes agree are two criteria.)"},
	}...)...)
}

// CheckSteps judges the slopes of the two curves at 0, which are optional:
// sigmoidSlope is that of σ(a), probitSlope that of Φ(λa) for any λ > 0.
func CheckSteps(sigmoidSlope func() float64, probitSlope func(lambda float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askSigmoid.Steps(sigmoidSlope, judge.Step[origin]{Name: "SigmoidSlope: the slope of σ(a) at a = 0", On: here,
			Routes: []judge.Route[origin]{
				{Name: "the derivative σ(1−σ)", Tol: 1e-12, Value: askSigmoid.Right},
				{Name: "the difference quotient of σ", Tol: 1e-8, Value: func(origin) []float64 { return []float64{verify.Derivative(kernel.Sigmoid, 0, 0)} }},
			},
			Right: "It is the slope of σ at 0, by its derivative and by a difference quotient."}),
		askProbit.Steps(probitSlope, judge.Step[scale]{Name: "ProbitSlope: the slope of Φ(λa) at a = 0, for any λ", On: scales,
			Routes: []judge.Route[scale]{
				{Name: "the chain rule", Tol: 1e-12, Value: askProbit.Right},
				{Name: "the difference quotient of Φ(λa)", Tol: 1e-8, Value: func(l scale) []float64 { return []float64{slopeOfProbit(float64(l))} }},
			},
			Right: "It is the slope of Φ(λa) at 0, by the chain rule and by difference quotients, for λ from 0.01 to 100."}))...)
}

func positive(_ origin, got []float64) *verify.Verdict {
	switch l2 := got[0]; {
	case l2 < 0:
		return judge.Fail("negative", 1, "You returned %.6g; a square is not negative. Which sign went astray?", l2)
	case l2 == 0:
		return judge.Fail("zero", 1, "You returned 0, with which Φ(λa) is flat. In Go, 1/8 is a division of whole numbers: 1.0/8 is what a formula means.")
	}
	return nil
}

// sameSlope compares by calculus and by central differences, which need no formula.
func sameSlope(_ origin, got []float64) verify.Finding {
	lambda := math.Sqrt(got[0]) // NaN is close to nothing
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

// slopeOfProbit is the derivative of Φ(λa) at 0 by differences, in steps of the width
// in which the curve rises.
func slopeOfProbit(lambda float64) float64 { return lambda * verify.Derivative(kernel.NormCDF, 0, 0) }

// origin is the one problem there is: a = 0.
type origin struct{}

func (origin) String() string { return "a = 0" }

func here() []origin { return []origin{{}} }

// A scale is λ.
type scale float64

// scales are values of λ, none of which is 1.
func scales() []scale {
	r := instance.Source(425, 31)
	out := []scale{0.5, 2, 1.7, 10, 0.01, 100}
	for range 6 {
		out = append(out, scale(math.Exp(2*r.Float64()-1)))
	}
	return out
}
