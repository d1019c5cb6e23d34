// Package ex05 judges PRML exercise 4.5: the two matrices with which the Fisher
// criterion becomes a ratio of quadratic forms.
package ex05

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

var exercise = exercises.MustParse("exercises/prml4/ex05/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges scatter of PRML exercise 4.5: from the points X1 (N1×D) and X2
// (N2×D) of two classes it returns the D×D matrices S_B (4.27) and S_W (4.28).
func Check(scatter func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)) *verify.Report {
	part := func(name string, judge func(scatterFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(scatter) }}
	}
	return exercise.Judge(
		part("two D×D matrices come back, and X1 and X2 stay as they were", judgeForm),
		part("wᵀS_B w is the squared distance of the projected means", judgeBetween),
		part("wᵀS_W w is the scatter of the projected points about their class means", judgeWithin),
		part("both are symmetric", judgeSymmetric),
		part("S_B has rank 1, S_W has no negative direction", judgeRank),
		part("(4.26) is (4.25): the two forms of J(w) agree", judgeCriterion),
	)
}
