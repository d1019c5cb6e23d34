// Package ex09 judges PRML exercise 4.9: the maximum-likelihood estimate of class
// priors is the share of each class among the data.
package ex09

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

// Exercise is the text of this exercise.
var Exercise = exercises.MustParse("exercises/prml4/ex09/exercise.md", text, answer)

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return Exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return Exercise.Solution() }

// Check judges priors of PRML exercise 4.9: from the labels of the data, whole
// numbers from 0 to K−1, it returns the K estimated prior probabilities.
func Check(priors func(labels []int, K int) []float64) *verify.Report {
	part := func(name string, judge func(priorsFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(priors) }}
	}
	return Exercise.Judge(
		part("K finite numbers come back, and labels stays as it was", judgeForm),
		part("they are probabilities: not negative, and with the sum 1", judgeSimplex),
		part("the Lagrangian is stationary there", judgeStationary),
		part("no other probabilities make the labels more likely", judgeLargest),
		part("a class without data gets 0", judgeEmpty),
	)
}

// CheckSteps judges two steps of the derivation, which are optional: slopes are the
// derivatives (K) of the Lagrangian Σ N_k ln π_k + λ(Σ π_k − 1) with respect to the
// π_k, multiplier is the λ with which they and the constraint can be satisfied.
func CheckSteps(slopes func(pi []float64, lambda float64, labels []int) []float64, multiplier func(labels []int, K int) float64) *verify.Report {
	return Exercise.JudgeSteps(
		verify.Part{Name: "Slopes: the derivatives of the Lagrangian", Judge: slopesStep(slopes).Judge},
		verify.Part{Name: "Multiplier: the λ that goes with the constraint", Judge: multiplierStep(multiplier).Judge},
		verify.Part{Name: "together: with your λ your slopes vanish where the likelihood is largest", Judge: func() verify.Verdict { return judgeMultiplied(slopes, multiplier) }},
	)
}
