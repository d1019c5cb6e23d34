// Package ex07 judges Alpaydin exercise 10.7: what a single learning factor for all
// inputs costs when they differ in scale, and how rescaling them helps.
package ex07

import (
	_ "embed"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/alpaydin10/ex07/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.7. steps counts the updates
// of gradient descent on inputs X (N×D) with targets r (N, 0 or 1) until ‖∇E‖ ≤ tol,
// −1 for more than max. rescale returns both sets of inputs in new units learned
// from train, and a function that brings weights back into the old ones.
func Check(steps func(X *mat.Dense, r []float64, eta, tol float64, max int) int,
	rescale func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)) *verify.Report {
	count := func(name string, judge func(stepsFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(steps) }}
	}
	units := func(name string, judge func(rescaleFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(rescale) }}
	}
	return exercise.Judge(
		count("Steps: it counts the updates until ‖∇E‖ ≤ tol", judgeCount),
		count("Steps: −1 where max updates are not enough, or η is too large", judgeLimits),
		count("Steps: the wider the scales of the inputs differ, the more steps", judgeGrowth),
		units("Rescale: finite matrices of the right shapes, and train and test stay as they were", judgeForm),
		units("Rescale: one rule for every input, learned from train alone", judgeRule),
		units("Rescale: in the new units one η suits all weights", judgeCondition),
		units("Rescale: back gives the same posteriors in the old units", judgeBack),
	)
}
