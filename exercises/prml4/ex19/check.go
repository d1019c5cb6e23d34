// Package ex19 judges PRML exercise 4.19: gradient and Hessian of the log
// likelihood of probit regression.
package ex19

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

var exercise = exercises.MustParse("exercises/prml4/ex19/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.19, for weights w (M), the design
// matrix Phi (N×M) and targets t (N, each 0 or 1): gradient returns the M first
// derivatives of the log likelihood, hessian the M×M second ones.
func Check(
	gradient func(w []float64, Phi *mat.Dense, t []float64) []float64,
	hessian func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense,
) *verify.Report {
	first := func(name string, judge func(gradientFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(gradient) }}
	}
	second := func(name string, judge func(hessianFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(hessian) }}
	}
	return exercise.Judge(
		first("Gradient: M finite numbers come back, and the inputs stay as they were", judgeGradientForm),
		first("Gradient: it holds the derivatives of the log likelihood", judgeGradient),
		first("Gradient: finite and right at activations of ±30", judgeGradientTails),
		second("Hessian: a symmetric M×M matrix of finite numbers comes back, and the inputs stay as they were", judgeHessianForm),
		second("Hessian: it holds the derivatives of the gradient, for the targets as observed", judgeHessian),
		second("Hessian: negative definite where Φ has full column rank", judgeDefinite),
		second("Hessian: finite and right at activations of ±30", judgeHessianTails),
		verify.Part{Name: "together: averaged over the model's own targets, ∇L is 0 and −∇∇L is the variance of ∇L", Judge: func() verify.Verdict {
			return judgeInformation(gradient, hessian)
		}},
	)
}

// CheckSteps judges the two derivatives on which everything rests, which are
// optional: logSlope is d ln Φ(x)/dx, logBend is d² ln Φ(x)/dx².
func CheckSteps(logSlope, logBend func(x float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("LogSlope: the derivative of ln Φ", slopeStep(logSlope).Judge),
		part("LogSlope: out to ±30", func() verify.Verdict {
			return slopeStep(logSlope).Extremes("slope-far", 3, tails, "It is finite and right out to ±30.")
		}),
		part("LogBend: the second derivative of ln Φ", bendStep(logBend).Judge),
		part("LogBend: out to ±30", func() verify.Verdict {
			return bendStep(logBend).Extremes("bend-far", 3, tails, "It is finite and right out to ±30.")
		}),
		part("LogBend is the derivative of LogSlope, and negative", func() verify.Verdict { return judgeBoth(logSlope, logBend) }),
	)
}
