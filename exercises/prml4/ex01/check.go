// Package ex01 judges PRML exercise 4.1: two finite sets of points are linearly
// separable exactly if their convex hulls have no point in common.
package ex01

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

var exercise = exercises.MustParse("exercises/prml4/ex01/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.1 on the point sets x (N×D) and y
// (M×D). separate returns a hyperplane (w with D entries, w0) that has x strictly
// on its positive and y strictly on its negative side, commonPoint the convex
// weights (N and M entries) of a point in both hulls; ok says whether there is one.
func Check(separate func(x, y *mat.Dense) (w []float64, w0 float64, ok bool), commonPoint func(x, y *mat.Dense) (alpha, beta []float64, ok bool)) *verify.Report {
	plane := func(name string, judge func(separator) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(separate) }}
	}
	point := func(name string, judge func(finder) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(commonPoint) }}
	}
	return exercise.Judge(
		plane("Separate: where the sets are separable, all inequalities hold strictly", judgeSeparates),
		plane("Separate: no hyperplane where the hulls meet", judgeNoPlane),
		point("CommonPoint: where the hulls meet, one point with weights for both", judgeMeets),
		point("CommonPoint: no point where the sets are separable", judgeNoPoint),
		verify.Part{Name: "for every pair of sets, exactly one of the two exists", Judge: func() verify.Verdict { return judgeEither(separate, commonPoint) }},
	)
}

type (
	separator = func(x, y *mat.Dense) (w []float64, w0 float64, ok bool)
	finder    = func(x, y *mat.Dense) (alpha, beta []float64, ok bool)
)
