// Package ex12 judges PRML exercise 4.12: the derivative of the logistic sigmoid,
// written with the sigmoid itself.
package ex12

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex12/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges dSigmoid, the derivative (4.88) of the logistic sigmoid at any
// real a.
func Check(dSigmoid func(a float64) float64) *verify.Report {
	part := func(name string, judge func(function) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(dSigmoid) }}
	}
	return exercise.Judge(
		part("it is the slope of σ, by finite differences and by dual numbers", judgeSlope),
		part("the same slope at a and at −a", judgeEven),
		part("the area under it, up to a, is σ(a)", judgeArea),
		part("far out: a number next to 0, never NaN", judgeTails),
	)
}

// function is the learner's function.
type function = func(a float64) float64
