// Package ex03 judges Alpaydin exercise 10.3: the derivatives of the softmax, and
// the update rule of the weights that they lead to.
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

var exercise = exercises.MustParse("exercises/alpaydin10/ex03/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.3. dSoftmax returns ∂y_i/∂a_j
// at the scores a (K). step returns the weights, (D+1)×K with the biases in row 0,
// after one step of gradient descent with the learning factor eta on the
// cross-entropy (10.31) of the inputs X (N×D) with the 1-of-K targets R (N×K).
func Check(dSoftmax func(a []float64, i, j int) float64, step func(W, X, R *mat.Dense, eta float64) *mat.Dense) *verify.Report {
	one := func(name string, judge func(derivativeFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(dSoftmax) }}
	}
	all := func(name string, judge func(stepFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(step) }}
	}
	return exercise.Judge(
		one("DSoftmax: a finite number comes back, and a stays as it was", judgeDerivativeForm),
		one("DSoftmax: it is the derivative of y_i with respect to a_j", judgeDerivative),
		one("DSoftmax: what one output gains the others lose", judgeSums),
		one("DSoftmax: finite and right at scores of ±1000", judgeTails),
		all("Step: a (D+1)×K matrix comes back, and W, X and R stay as they were", judgeStepForm),
		all("Step: the weights change by −η times the gradient of E", judgeStep),
		all("Step: with a small η the error falls", judgeDescent),
	)
}
