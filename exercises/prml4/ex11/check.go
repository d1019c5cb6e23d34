// Package ex11 judges PRML exercise 4.11: with discrete features that are
// independent within each class, the activations are linear.
package ex11

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

var exercise = exercises.MustParse("exercises/prml4/ex11/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges weights, which returns W ((D·L)×K) and w0 (K) of the naive Bayes
// classifier with state probabilities mu (K matrices, D×L) and class priors (K).
func Check(weights func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)) *verify.Report {
	part := func(name string, judge func(weightsFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(weights) }}
	}
	return exercise.Judge(
		part("W and w0 come back in the right shapes, and mu and prior stay as they were", judgeForm),
		part("a_k is ln{p(φ|C_k)p(C_k)} on every cell of the table", judgeCells),
		part("the posteriors are those of Bayes' theorem", judgePosterior),
		part("400 features, where the product of probabilities underflows", judgeMany),
	)
}
