// Package ex13 judges PRML exercise 4.13: the gradient of the cross-entropy of
// logistic regression.
package ex13

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

var exercise = exercises.MustParse("exercises/prml4/ex13/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges gradient, which returns the M entries of ∇E(w) of PRML (4.90) for
// weights w (M), the design matrix Phi (N×M) and targets t (N, each 0 or 1).
func Check(gradient func(w []float64, Phi *mat.Dense, t []float64) []float64) *verify.Report {
	part := func(name string, judge func(gradientFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(gradient) }}
	}
	return exercise.Judge(
		part("M finite numbers come back, and w, Φ and t stay as they were", judgeForm),
		part("they are the derivatives of E", judgeDerivative),
		part("at the minimum of E the gradient vanishes, and away from it −∇E leads downhill", judgeMinimum),
		part("one point, one weight, one class only: still the gradient", judgeEdges),
		part("finite and right at activations of ±800", judgeTails),
	)
}

// CheckSteps judges two links of the chain rule for one point, which are optional:
// byOutput is dE_n/dy for an output y, byActivation dE_n/da for an activation a,
// with the target t.
func CheckSteps(byOutput func(y, t float64) float64, byActivation func(a, t float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("ByOutput: the derivative of one point's error with respect to y", outputStep(byOutput).Judge),
		part("ByActivation: the derivative of one point's error with respect to a", activationStep(byActivation).Judge),
		part("ByActivation: finite and right at activations of ±800", func() verify.Verdict {
			return activationStep(byActivation).Extremes("far", 3, far, "It is finite and right out to ±800.")
		}),
		part("the two are linked by dy/da", func() verify.Verdict { return judgeLink(byOutput, byActivation) }),
	)
}
