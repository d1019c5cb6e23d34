// Package ex15 judges PRML exercise 4.15: the Hessian of the cross-entropy of
// logistic regression, when it is positive definite, and when it is not.
package ex15

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

var exercise = exercises.MustParse("exercises/prml4/ex15/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.15. hessian returns the M×M
// matrix of second derivatives of the error (4.90) at w (M) for the design matrix
// Phi (N×M). nullDirection returns a direction u ≠ 0 (M) along which that error
// is constant whatever the targets, and whether there is one.
func Check(hessian func(w []float64, Phi *mat.Dense) *mat.Dense, nullDirection func(Phi *mat.Dense) (u []float64, ok bool)) *verify.Report {
	curvature := func(name string, judge func(hessianFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(hessian) }}
	}
	flat := func(name string, judge func(directionFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(nullDirection) }}
	}
	return exercise.Judge(
		curvature("Hessian: an M×M matrix comes back, and w and Φ stay as they were", judgeForm),
		curvature("Hessian: it holds the derivatives of ∇E, and the curvature of E", judgeDerivative),
		curvature("Hessian: symmetric", judgeSymmetric),
		curvature("Hessian: positive definite where Φ has full column rank", judgeDefinite),
		curvature("Hessian: positive semidefinite, and 0 along flat directions, where it has not", judgeSemidefinite),
		curvature("Hessian: finite and right at activations of ±800", judgeTails),
		flat("NullDirection: none where Φ has full column rank", judgeFullRank),
		flat("NullDirection: E(w + cu) does not depend on c where columns of Φ are dependent", judgeFlat),
	)
}

// CheckSteps judges two steps of the derivation, which are optional: weight is the
// second derivative of one point's error with respect to its activation a, and
// curvature is uᵀHu for a direction u (M), as a sum over the points.
func CheckSteps(weight func(a float64) float64, curvature func(u, w []float64, Phi *mat.Dense) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("Weight: the second derivative of one point's error", weightStep(weight).Judge),
		part("Weight: finite at activations of ±800", func() verify.Verdict {
			return weightStep(weight).Extremes("weight-far", 4, farActivations, "It is finite, and 0 to all digits that matter, out to ±800.")
		}),
		part("Curvature: the second derivative of E along u", curvatureStep(curvature).Judge),
		part("Curvature: never negative, and 0 where Φu = 0", func() verify.Verdict { return judgeSign(curvature) }),
	)
}
