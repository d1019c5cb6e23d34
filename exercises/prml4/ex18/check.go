// Package ex18 judges PRML exercise 4.18: the gradients of the cross-entropy of
// multiclass logistic regression.
package ex18

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

var exercise = exercises.MustParse("exercises/prml4/ex18/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges gradient, which returns the M×K matrix whose column j is the
// gradient of PRML (4.108) with respect to w_j, for weights W (M×K), the design
// matrix Phi (N×M) and 1-of-K targets T (N×K).
func Check(gradient func(W, Phi, T *mat.Dense) *mat.Dense) *verify.Report {
	part := func(name string, judge func(gradientFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(gradient) }}
	}
	return exercise.Judge(
		part("an M×K matrix of finite numbers comes back, and W, Φ and T stay as they were", judgeForm),
		part("column j holds the derivatives of E by w_j", judgeDerivative),
		part("the gradients of all classes add up to 0", judgeSums),
		part("two classes: the gradient of logistic regression; one class: 0", judgeFewClasses),
		part("finite and right at activations of ±800", judgeTails),
	)
}
