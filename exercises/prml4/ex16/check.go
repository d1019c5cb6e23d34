// Package ex16 judges PRML exercise 4.16: the log likelihood of labels that are
// known only with a probability.
package ex16

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex16/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges logLikelihood, which returns the log likelihood of PRML exercise
// 4.16 for the model's probabilities p (N) and the labels' probabilities pi (N).
func Check(logLikelihood func(p, pi []float64) float64) *verify.Report {
	part := func(name string, judge func(likelihoodFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(logLikelihood) }}
	}
	return exercise.Judge(
		part("a finite number comes back, and p and π stay as they were", judgeForm),
		part("certain labels: the logarithm of the likelihood (4.89)", judgeCertain),
		part("uncertain labels: the average over all ways to label the points", judgeAverage),
		part("a point labelled 1 by two of five counts as a fifth of five points", judgeShares),
		part("the best score goes to the right model", judgeBest),
		part("outputs of exactly 0 and 1", judgeLimits),
	)
}
