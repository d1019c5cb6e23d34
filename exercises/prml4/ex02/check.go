// Package ex02 judges PRML exercise 4.2: a linear constraint that all targets
// satisfy is satisfied by every least-squares prediction.
package ex02

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

var exercise = exercises.MustParse("exercises/prml4/ex02/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges predict, the least-squares prediction of PRML exercise 4.2: from
// inputs X (N×D, without a column of ones), targets T (N×K) and a new input x (D)
// it returns the K outputs y(x).
func Check(predict func(X, T *mat.Dense, x []float64) []float64) *verify.Report {
	part := func(name string, judge func(predictor) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(predict) }}
	}
	return exercise.Judge(
		part("K finite numbers come back, and X, T and x stay as they were", judgeForm),
		part("it is least squares: the residuals are orthogonal to every column of [1 X]", judgeFit),
		part("away from the training inputs it is the same linear function", judgeLinear),
		part("dependent columns and few points: still the least-squares prediction", judgeRank),
		part("if aᵀt + b = 0 for all targets t, then aᵀy(x) + b = 0 for every x", judgeConstraint),
		part("1-of-K targets: y(x) sums to 1 for every x", judgeSum),
		part("targets that obey no constraint: nothing is forced", judgeFree),
	)
}
