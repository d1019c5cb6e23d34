// Package ex05 judges Alpaydin exercise 10.5: how the matrices W_i of quadratic
// discriminants are learned.
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

var exercise = exercises.MustParse("exercises/alpaydin10/ex05/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges gradientW, which returns the K matrices ∂E/∂W_i, D×D each, of the
// cross-entropy with quadratic discriminants, for W (K matrices D×D), w (D×K), w0
// (K), inputs X (N×D) and 1-of-K targets R (N×K).
func Check(gradientW func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense) *verify.Report {
	part := func(name string, judge func(gradientFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(gradientW) }}
	}
	return exercise.Judge(
		part("K matrices D×D of finite numbers come back, and the arguments stay as they were", judgeForm),
		part("their entries are the derivatives of E, every entry of W_i being free", judgeDerivative),
		part("it is the gradient of a linear softmax on the products x_j x_l as features", judgeFeatures),
		part("symmetric W_i stay symmetric, and a small step lowers E", judgeStep),
		part("finite and right where the scores are ±1000", judgeTails),
	)
}

// CheckSteps judges two links of the chain rule for one point, which are optional:
// byScore are the derivatives of its error with respect to its scores g (K), for
// 1-of-K targets r (K); byEntries those of a score with respect to the entries of
// W (D×D), at the input x (D).
func CheckSteps(byScore func(g, r []float64) []float64, byEntries func(x []float64) *mat.Dense) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("ByScore: the derivatives of one point's error with respect to its scores", scoreStep(byScore).Judge),
		part("ByScore: scores of ±1000", func() verify.Verdict {
			return scoreStep(byScore).Extremes("far", 3, farPoints, "It is finite and right out to ±1000.")
		}),
		part("ByEntries: the derivatives of a score with respect to the entries of W", entriesStep(byEntries).Judge),
		part("together: ∂E/∂W_i of one point", func() verify.Verdict { return judgeChain(byScore, byEntries) }),
	)
}
