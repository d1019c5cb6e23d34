// Package ex03 judges PRML exercise 4.3: all linear constraints that the targets
// satisfy at once are satisfied by every least-squares prediction.
package ex03

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

var exercise = exercises.MustParseVaried("exercises/prml4/ex03/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.3. predict is the least-squares
// prediction at x (D) from inputs X (N×D) and targets T (N×K). constraints returns
// A (P×K) and b (P) with At + b = 0 for all rows t of T, as many as there are.
func Check(predict func(X, T *mat.Dense, x []float64) []float64, constraints func(T *mat.Dense) (A *mat.Dense, b []float64)) *verify.Report {
	fit := func(name string, judge func(predictor) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(predict) }}
	}
	find := func(name string, judge func(finder) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(constraints) }}
	}
	return exercise.Judge(
		fit("Predict: K finite numbers come back, and X, T and x stay as they were", judgeForm),
		fit("Predict: it is least squares", judgeFit),
		fit("Predict: dependent columns and few points", judgeRank),
		fit("Predict: Ay(x) + b = 0 for every x, with up to K constraints", judgeObeys),
		fit("Predict: targets that nearly obey, or do not, are not forced", judgeFree),
		find("Constraints: the targets satisfy what is returned", judgeSatisfied),
		find("Constraints: independent, and none is missing", judgeComplete),
		verify.Part{Name: "your predictions satisfy your constraints", Judge: func() verify.Verdict { return judgeBoth(predict, constraints) }},
	)
}

type (
	predictor = func(X, T *mat.Dense, x []float64) []float64
	finder    = func(T *mat.Dense) (A *mat.Dense, b []float64)
)
