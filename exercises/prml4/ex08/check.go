// Package ex08 judges PRML exercise 4.8: for two Gaussian classes with one
// covariance matrix the posterior probability is a sigmoid of a linear function.
package ex08

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

var exercise = exercises.MustParse("exercises/prml4/ex08/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges posterior of PRML exercise 4.8: from the class means (D), the
// shared covariance Sigma (D×D) and the prior p1 of class 1 it returns w (D) and
// w0 with p(C1|x) = σ(wᵀx + w0).
func Check(posterior func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64)) *verify.Report {
	part := func(name string, judge func(posteriorFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(posterior) }}
	}
	return exercise.Judge(
		part("D weights and a bias come back, and mu1, mu2 and Sigma stay as they were", judgeForm),
		part("w: the log odds change from place to place as wᵀx does", judgeWeights),
		part("w0: the log odds at x = 0", judgeBias),
		part("σ(wᵀx + w0) is Bayes' rule on the densities", judgeBayes),
		part("the prior moves w0 and leaves w alone", judgePrior),
		part("exchanging the classes turns every sign", judgeExchange),
	)
}

// CheckSteps judges the step in which the exponents are multiplied out, which is
// optional: terms returns the parts of −½(x−mu)ᵀΣ⁻¹(x−mu) that are quadratic and
// linear in x, and constant.
func CheckSteps(terms func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)) *verify.Report {
	return exercise.JudgeSteps(
		verify.Part{Name: "Terms: quadratic, linear and constant part of the exponent", Judge: termsStep(terms).Judge},
		verify.Part{Name: "Terms: the quadratic parts of both classes cancel, and the rest is the log ratio of the densities", Judge: func() verify.Verdict { return judgeCancel(terms) }},
	)
}
