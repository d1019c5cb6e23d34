// Package ex24 judges PRML exercise 4.24: an average over Gaussian weights is an
// average over one Gaussian activation, (4.151).
package ex24

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

var exercise = exercises.MustParse("exercises/prml4/ex24/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges project, which returns mean and variance of the activation wᵀφ for
// features phi (M) and weights with the distribution N(m,S), m with M entries and
// S M×M: (4.149) and (4.150).
func Check(project func(phi, m []float64, S *mat.SymDense) (mu, variance float64)) *verify.Report {
	part := func(name string, judge func(projectFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(project) }}
	}
	return exercise.Judge(
		part("two finite numbers come back, and the arguments stay as they were", judgeForm),
		part("the mean of the activation, over weights in all M directions", judgeMean),
		part("the variance of the activation, over weights in all M directions", judgeVariance),
		part("one integral over a is the M-dimensional integral over w", judgeIntegral),
		part("features twice as large, and independent parts of w", judgeScaling),
		part("weights that are partly known exactly", judgeSingular),
	)
}
