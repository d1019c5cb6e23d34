// Package ex21 judges PRML exercise 4.21: how the probit function and the error
// function, in the chapter's and in the usual definition, are related.
package ex21

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex21/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.21: probit is Φ(a) of (4.114),
// erfPRML is erf(a) as (4.115) defines it.
func Check(probit, erfPRML func(a float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.Judge(
		part("Probit is the integral of the normal density, by quadrature", func() verify.Verdict { return judgeIntegral(probit, probitCase) }),
		part("Probit is a distribution function: Φ(a) + Φ(−a) = 1, from 0 to 1", func() verify.Verdict { return judgeDistribution(probit) }),
		part("ErfPRML is the integral (4.115), by quadrature", func() verify.Verdict { return judgeIntegral(erfPRML, erfCase) }),
		part("ErfPRML is odd and goes to ±√2", func() verify.Verdict { return judgeOdd(erfPRML) }),
		part("the two belong together by (4.116)", func() verify.Verdict { return judgeRelation(probit, erfPRML) }),
	)
}
