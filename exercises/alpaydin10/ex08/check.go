// Package ex08 judges Alpaydin exercise 10.8: what w and w0 mean for the sigmoid
// of one input, where it crosses ½ and how steep it is there.
package ex08

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
var Exercise = exercises.MustParse("exercises/alpaydin10/ex08/exercise.md", text, answer)

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return Exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return Exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.8. boundary returns the x
// where σ(wx + w0) = ½, slope the derivative with respect to x there.
func Check(boundary func(w, w0 float64) float64, slope func(w float64) float64) *verify.Report {
	return Exercise.Judge(
		verify.Part{Name: "Boundary: the same finite number on every call", Judge: func() verify.Verdict { return judgeBoundaryForm(boundary) }},
		verify.Part{Name: "Boundary: σ(wx + w0) is ½ there", Judge: func() verify.Verdict { return judgeHalf(boundary) }},
		verify.Part{Name: "Boundary: the classes change there and nowhere else", Judge: func() verify.Verdict { return judgeCrossing(boundary) }},
		verify.Part{Name: "Slope: the same finite number on every call", Judge: func() verify.Verdict { return judgeSlopeForm(slope) }},
		verify.Part{Name: "Slope: the derivative of σ(wx + w0) at the boundary", Judge: func() verify.Verdict { return judgeSlope(slope) }},
	)
}
