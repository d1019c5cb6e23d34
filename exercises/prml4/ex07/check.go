// Package ex07 judges PRML exercise 4.7: the logistic sigmoid, its symmetry, and
// its inverse, the logit.
package ex07

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex07/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.7: sigmoid is σ(a) of (4.59) for
// any real a, logit its inverse (4.61) for 0 < y < 1.
func Check(sigmoid, logit func(float64) float64) *verify.Report {
	part := func(f func(float64) float64, name string, judge func(function) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(f) }}
	}
	return exercise.Judge(
		part(sigmoid, "Sigmoid: it is 1/(1+e^−a) for |a| up to 8", judgeMiddle),
		part(sigmoid, "Sigmoid: σ(−a) = 1 − σ(a)", judgeSymmetry),
		part(sigmoid, "Sigmoid: all digits for |a| up to 700, in the left tail too", judgeDigits),
		part(sigmoid, "Sigmoid: no NaN however far out", judgeFar),
		part(logit, "Logit: σ(logit(y)) = y", judgeInverse),
		part(logit, "Logit: logit(1−y) = −logit(y)", judgeOdd),
		verify.Part{Name: "each function undoes the other", Judge: func() verify.Verdict { return judgeRoundTrip(sigmoid, logit) }},
	)
}

// function is a learner's function of one number.
type function = func(float64) float64
