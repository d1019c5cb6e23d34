// Package ex06 judges Alpaydin exercise 10.6: how the variance of quadratic
// discriminants is kept under control, by a penalty, by choosing its size on points
// not seen, and by a lower rank.
package ex06

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

var exercise = exercises.MustParse("exercises/alpaydin10/ex06/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges the three functions of Alpaydin exercise 10.6, for inputs X (N×D) and
// targets r (N, 0 or 1). fitRegularised returns the minimum of E + ½λ‖W‖², W being
// D×D; chooseLambda the λ of a grid that serves new points best; fitLowRank a W of
// given rank with w and w0 learned anew.
func Check(fitRegularised func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64),
	chooseLambda func(X *mat.Dense, r []float64, grid []float64) float64,
	fitLowRank func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.Judge(
		part("FitRegularised: W, w and w0 are finite and of the right shapes", func() verify.Verdict { return judgeForm(fitRegularised) }),
		part("FitRegularised: the minimum of E + ½λ‖W‖², with only W penalised", func() verify.Verdict { return judgeMinimum(fitRegularised) }),
		part("FitRegularised: with λ the variance falls, and new points are predicted better", func() verify.Verdict { return judgeVariance(fitRegularised) }),
		part("ChooseLambda: a value of the grid, the same on every call", func() verify.Verdict { return judgeChoiceForm(chooseLambda) }),
		part("ChooseLambda: new points are predicted better than with the ends of the grid", func() verify.Verdict { return judgeChoice(chooseLambda) }),
		part("ChooseLambda: samples on which it hardly matters how the points are divided", func() verify.Verdict { return judgeDecided(chooseLambda) }),
		part("FitLowRank: the nearest W of that rank, with w and w0 learned anew", func() verify.Verdict { return judgeRank(fitLowRank) }),
	)
}
