// Package ex25 judges PRML exercise 4.25: the factor λ with which Φ(λa) stands
// in for σ(a), λ² = π/8.
package ex25

import (
	_ "embed"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex25/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges lambdaSquared, which returns λ² of PRML exercise 4.25.
func Check(lambdaSquared func() float64) *verify.Report {
	return exercise.Judge(
		verify.Part{Name: "λ² is a positive number, and the same on every call", Judge: func() verify.Verdict {
			l2 := lambdaSquared()
			switch {
			case math.IsNaN(l2) || math.IsInf(l2, 0):
				return verify.Fail("not-finite", 1, "You returned %g. Look for a division by zero or the root of a negative number.", l2)
			case l2 < 0:
				return verify.Fail("negative", 1, "You returned %.6g; a square is not negative. Which sign went astray?", l2)
			case l2 == 0:
				return verify.Fail("zero", 1, "You returned 0, with which Φ(λa) is flat. In Go, 1/8 is a division of whole numbers: 1.0/8 is what a formula means.")
			case l2 != lambdaSquared():
				return verify.Fail("not-constant", 0, "Two calls returned different numbers; λ² is a constant.")
			}
			return verify.Pass("You returned a positive constant.")
		}},
		verify.Part{Name: "Φ(λa) and σ(a) have the same slope at a = 0", Judge: func() verify.Verdict {
			return judgeSlope(lambdaSquared())
		}},
		verify.Part{Name: "the curves stay as close as equal slopes allow", Judge: func() verify.Verdict {
			return judgeGap(lambdaSquared())
		}},
	)
}

// CheckSteps judges the slopes of the two curves at 0, which are optional:
// sigmoidSlope is that of σ(a), probitSlope that of Φ(λa) for any λ > 0.
func CheckSteps(sigmoidSlope func() float64, probitSlope func(lambda float64) float64) *verify.Report {
	return exercise.JudgeSteps(
		verify.Part{Name: "SigmoidSlope: the slope of σ(a) at a = 0", Judge: sigmoidStep(sigmoidSlope).Judge},
		verify.Part{Name: "ProbitSlope: the slope of Φ(λa) at a = 0, for any λ", Judge: probitStep(probitSlope).Judge},
	)
}

// slopeTol is the agreement asked for the slopes, relative: full precision with
// a little room for another order of operations.
var slopeTol = verify.Tolerance{Rel: 1e-12}

func judgeSlope(l2 float64) verify.Verdict {
	if !(l2 > 0) || math.IsInf(l2, 1) {
		return verify.Fail("not-finite", 1, "There is no slope to compare before λ² is a positive number.")
	}
	const dSigmoid = 0.25 // σ(0)(1−σ(0))
	slope := math.Sqrt(l2) / math.Sqrt(2*math.Pi)
	// The second route needs no formula for a slope: central differences of both curves.
	dProbit := verify.Derivative(func(a float64) float64 { return probit(math.Sqrt(l2) * a) }, 0, 0)
	numeric := verify.Close(dProbit, verify.Derivative(sigmoid, 0, 0), verify.Tolerance{Rel: 1e-8})
	f := verify.Close(slope, dSigmoid, slopeTol)
	if f.OK && numeric.OK {
		return verify.Pass("The slopes agree, by calculus and by finite differences.")
	}
	if m, ok := recognise(l2); ok {
		return verify.Fail(m.key, m.hint, "%s", m.message)
	}
	if numeric.OK || f.Miss < 1e-3*dSigmoid {
		return verify.Fail("rounded", 3, "Nearly: with your λ² = %.8g the slopes are %s. Rounded decimals? Write the formula with math.Pi.", l2, f.Off())
	}
	steeper := "steeper"
	if slope < dSigmoid {
		steeper = "flatter"
	}
	return verify.Fail("slope", 2, "With your λ² = %.6g, Φ(λa) is %s at 0 than σ(a): the slopes are %s.", l2, steeper, f.Off())
}

func judgeGap(l2 float64) verify.Verdict {
	if !(l2 > 0) || math.IsInf(l2, 1) {
		return verify.Fail("not-finite", 1, "There are no curves to compare before λ² is a positive number.")
	}
	// By symmetry a ≥ 0 is enough; beyond 40 both curves are 1 to the last digit.
	gap, lambda := 0.0, math.Sqrt(l2)
	for a := 0.0; a <= 40; a += 1.0 / 256 {
		gap = math.Max(gap, math.Abs(sigmoid(a)-probit(lambda*a)))
	}
	switch {
	case gap <= equalSlopeGap && verify.Close(gap, equalSlopeGap, verify.Tolerance{Rel: 1e-3}).OK:
		return verify.Pass("The largest gap over all a is about %.2g.", gap)
	case gap < equalSlopeGap:
		return verify.Pass("The largest gap over all a is about %.2g, smaller even than equal slopes give. How close the curves come and how their slopes agree are two criteria.", gap)
	}
	return verify.Fail("gap", 2, "Somewhere the curves differ by %.2g, more than they need to. Compare them in the explore cell below.", gap)
}

// equalSlopeGap bounds max |σ(a) − Φ(λa)| when the slopes at 0 agree: 0.0176712…,
// found by a 50-digit scan.
const equalSlopeGap = 0.01767125

// sigmoid is σ(a) (4.59) and probit is Φ(a) (4.114).
func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
func probit(a float64) float64  { return 0.5 * math.Erfc(-a/math.Sqrt2) }
