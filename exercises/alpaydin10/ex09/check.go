// Package ex09 judges Alpaydin exercise 10.9: an interval against the rest of the
// axis, by a discriminant that is linear in features.
package ex09

import (
	_ "embed"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex09/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.9 together. features returns
// M features of x, weights the bias and M weights (or M weights without a bias).
func Check(features func(x float64) []float64, weights func() []float64) *verify.Report {
	part := func(name string, judge func(discriminant) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict {
			d, bad := build(features, weights)
			if bad != nil {
				return *bad
			}
			return judge(d)
		}}
	}
	i := own()
	return exercise.Judge(
		verify.Part{Name: "features and weights fit together, and are finite numbers", Judge: func() verify.Verdict { return judgeForm(features, weights) }},
		part(fmt.Sprintf("every x between %g and %g is put into C₁", i.from, i.to), judgeInside),
		part("every x outside, up to a distance of 20, is put into C₂", judgeOutside),
		part(fmt.Sprintf("the class changes at %g and at %g, not a little beside", i.from, i.to), judgeEdges),
		part("far out, up to ±10⁶, it is still C₂", judgeFar),
	)
}
