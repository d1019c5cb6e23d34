// Package ex20 judges PRML exercise 4.20: the Hessian of multiclass logistic
// regression, which is positive semidefinite and never more.
package ex20

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

var exercise = exercises.MustParse("exercises/prml4/ex20/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges hessian, which returns the MK×MK matrix of second derivatives of
// PRML (4.108) for weights W (M×K) and the design matrix Phi (N×M), with the
// weights in the order by classes or in the order by features.
func Check(hessian func(W, Phi *mat.Dense) *mat.Dense) *verify.Report {
	part := func(name string, judge func(hessianFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(hessian) }}
	}
	return exercise.Judge(
		part("an MK×MK matrix of finite numbers comes back, and W and Φ stay as they were", judgeForm),
		part("it holds the derivatives of the gradient, and the curvature of E", judgeDerivative),
		part("symmetric", judgeSymmetric),
		part("positive semidefinite: uᵀHu ≥ 0 for every u", judgeSemidefinite),
		part("flat in the directions in which E is constant, and in no others", judgeNull),
		part("two classes: (4.97) in every block; one class: 0", judgeFewClasses),
		part("finite and right at activations of ±800", judgeTails),
	)
}

// CheckSteps judges two steps of the derivation, which are optional: block is the
// K×K matrix of second derivatives of one point's error with respect to its
// activations, from its outputs y (K), and spread is sᵀ·block(y)·s for s (K).
func CheckSteps(block func(y []float64) *mat.Dense, spread func(y, s []float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("Block: the second derivatives of one point's error with respect to its activations", blockStep(block).Judge),
		part("Spread: one point's part in uᵀHu", spreadStep(spread).Judge),
		part("Spread: never negative, and 0 where all s_k are the same", func() verify.Verdict { return judgeSpread(spread) }),
	)
}
