// Package ex04 judges PRML exercise 4.4: the unit vector on which the projected
// class means are furthest apart.
package ex04

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

var exercise = exercises.MustParse("exercises/prml4/ex04/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges direction of PRML exercise 4.4: from the points X1 (N1×D) and X2
// (N2×D) of two classes it returns the unit vector w (D) that maximises
// wᵀ(m2 − m1), (4.22).
func Check(direction func(X1, X2 *mat.Dense) []float64) *verify.Report {
	part := func(name string, judge func(directionFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(direction) }}
	}
	return exercise.Judge(
		part("D finite numbers come back, and X1 and X2 stay as they were", judgeForm),
		part("w has length 1", judgeLength),
		part("w points from m1 to m2", judgeDirection),
		part("no other unit vector puts the projected means further apart", judgeLargest),
	)
}
