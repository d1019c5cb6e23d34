// Package ex23 judges PRML exercise 4.23: the Bayesian information criterion as
// what is left of Laplace's approximation when N is large, and what is left out.
package ex23

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

var exercise = exercises.MustParse("exercises/prml4/ex23/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.23: bic is (4.139) for the log
// likelihood at the mode, M parameters and N data points; dropped is what Laplace's
// approximation with the prior N(m,V0) has more, where H is the Hessian of the
// negative log likelihood.
func Check(bic func(logLik float64, M, N int) float64, dropped func(mode, m []float64, V0, H *mat.SymDense, N int) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.Judge(
		part("BIC: it keeps step with ln p(D) while N grows from 10 to 100 000", func() verify.Verdict { return judgeDecades(bic) }),
		part("BIC: (4.139), without any constant", func() verify.Verdict { return judgeBIC(bic) }),
		part("Dropped: a finite number comes back, and the arguments stay as they were", func() verify.Verdict { return judgeForm(dropped) }),
		part("Dropped: the exact log evidence minus the BIC, for Gaussian posteriors", func() verify.Verdict { return judgeDropped(dropped) }),
		part("Dropped: it tends to a constant when the data are repeated", func() verify.Verdict { return judgeConstant(dropped) }),
		part("Dropped: fewer data points than parameters", func() verify.Verdict { return judgeFew(dropped) }),
	)
}
