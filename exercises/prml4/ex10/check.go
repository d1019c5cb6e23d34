// Package ex10 judges PRML exercise 4.10: maximum likelihood for Gaussian classes
// that share one covariance matrix.
package ex10

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

var exercise = exercises.MustParse("exercises/prml4/ex10/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges fit of PRML exercise 4.10: from the features Phi (N×M) and labels
// from 0 to K−1 it returns the class means mu (K×M) and the shared covariance
// Sigma (M×M) that maximise the likelihood.
func Check(fit func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)) *verify.Report {
	part := func(name string, judge func(fitFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(fit) }}
	}
	return exercise.Judge(
		part("a K×M and an M×M matrix come back, and Phi and labels stay as they were", judgeForm),
		part("the means: no derivative of the log likelihood is left", judgeMeans),
		part("the covariance: no derivative is left, by finite differences", judgeCovariance),
		part("no other means or covariances make the data more likely", judgeLargest),
		part("Sigma is the mean of the class covariances, weighted with N_k/N", judgeWeights),
	)
}

// CheckSteps judges the step in which Sigma is found: gradient returns the
// derivatives (M×M) of the log likelihood with respect to the entries of Σ⁻¹.
func CheckSteps(gradient func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense) *verify.Report {
	return exercise.JudgeSteps(
		verify.Part{Name: "Gradient: the derivatives with respect to Σ⁻¹, by finite differences", Judge: func() verify.Verdict { return judgeGradient(gradient) }},
		verify.Part{Name: "Gradient: zero at the maximum, and only there", Judge: func() verify.Verdict { return judgeZero(gradient) }},
	)
}
