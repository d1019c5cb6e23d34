// Package ex17 judges PRML exercise 4.17: the derivatives of the softmax outputs
// with respect to the activations.
package ex17

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

var exercise = exercises.MustParse("exercises/prml4/ex17/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges jacobian, which returns the K×K matrix of the derivatives ∂y_k/∂a_j
// of the softmax (4.104) at the activations a (K).
func Check(jacobian func(a []float64) *mat.Dense) *verify.Report {
	part := func(name string, judge func(jacobianFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(jacobian) }}
	}
	return exercise.Judge(
		part("a K×K matrix of finite numbers comes back, and a stays as it was", judgeForm),
		part("its entries are the derivatives of the softmax", judgeDerivative),
		part("rows and columns balance", judgeSums),
		part("one class and two classes: 0, and the derivative of the sigmoid", judgeFewClasses),
		part("finite and right at activations of ±1000", judgeTails),
	)
}

// CheckSteps judges the step before the quotient rule, which is optional: pieces
// are the derivatives of exp(a_k) and of Σ exp(a_i) with respect to a_j.
func CheckSteps(pieces func(a []float64, k, j int) (numerator, denominator float64)) *verify.Report {
	return exercise.JudgeSteps(
		verify.Part{Name: "Pieces: the derivatives of numerator and denominator", Judge: piecesStep(pieces).Judge},
		verify.Part{Name: "Pieces: the quotient rule makes the derivatives of the softmax of them", Judge: func() verify.Verdict { return judgeQuotient(pieces) }},
	)
}
