// Package ex22 judges PRML exercise 4.22: the log evidence of a model by
// Laplace's approximation, (4.137).
package ex22

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

var exercise = exercises.MustParse("exercises/prml4/ex22/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges logEvidence, which returns the log evidence (4.137) of a model
// from its log likelihood and log prior as functions of the M parameters, the
// posterior's mode (M), and the Hessian A (M×M) of the negative log posterior.
func Check(logEvidence func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64) *verify.Report {
	part := func(name string, judge func(evidenceFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(logEvidence) }}
	}
	return exercise.Judge(
		part("a finite number comes back, and the mode and A stay as they were", judgeForm),
		part("Gaussian posteriors of 1 to 8 dimensions: the exact evidence", judgeExact),
		part("the bias of a coin: exact up to the rest of Stirling's formula", judgeCoin),
		part("logistic regression with two weights: near the integral by quadrature", judgeLogistic),
		part("the same evidence in other units of the parameters", judgeUnits),
		part("determinants beyond the range of a float64", judgeDeterminant),
	)
}

// CheckSteps judges the two steps of the derivation, which are optional: expansion
// is ln f to second order at the distance z (M) from its maximum, from its height
// there and A = −∇∇ ln f (M×M), and logVolume is ln ∫ exp(−½zᵀAz) dz.
func CheckSteps(expansion func(height float64, A *mat.SymDense, z []float64) float64, logVolume func(A *mat.SymDense) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("Expansion: ln f about its maximum, to second order", expansionStep(expansion).Judge),
		part("LogVolume: the logarithm of the Gaussian integral", volumeStep(logVolume).Judge),
		part("LogVolume: determinants beyond the range of a float64", func() verify.Verdict {
			return volumeStep(logVolume).Extremes("volume-far", 3, wide, "It is finite and right where the determinant is not.")
		}),
	)
}
