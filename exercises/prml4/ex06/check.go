// Package ex06 judges PRML exercise 4.6: least squares with the targets N/N1 and
// −N/N2 finds Fisher's discriminant.
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

var exercise = exercises.MustParse("exercises/prml4/ex06/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.6. normalMatrix returns the
// matrix (D×D) on the left of (4.37) for the points X1 (N1×D) and X2 (N2×D) of two
// classes; fit returns the least-squares weights (D) and bias for the targets
// N/N1 and −N/N2.
func Check(normalMatrix func(X1, X2 *mat.Dense) *mat.Dense, fit func(X1, X2 *mat.Dense) (w []float64, w0 float64)) *verify.Report {
	matrix := func(name string, judge func(matrixFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(normalMatrix) }}
	}
	line := func(name string, judge func(fitFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(fit) }}
	}
	return exercise.Judge(
		matrix("NormalMatrix: a D×D matrix comes back, and X1 and X2 stay as they were", judgeMatrixForm),
		matrix("NormalMatrix: M·w = N(m1 − m2) at the least-squares weights, and M = S_T", judgeMatrix),
		line("Fit: D weights and a bias come back, and X1 and X2 stay as they were", judgeFitForm),
		line("Fit: the sum of squares has its minimum there", judgeMinimum),
		line("Fit: w0 = −wᵀm", judgeBias),
		line("Fit: w lies along Fisher's direction, with class 1 on the positive side", judgeFisher),
		verify.Part{Name: "(4.37) holds with your matrix and your weights", Judge: func() verify.Verdict { return judgeBoth(normalMatrix, fit) }},
	)
}

// CheckSteps judges two steps of the derivation, which are optional: rightSide is
// Σ t_n x_n (D) for the targets N/N1 and −N/N2, bestBias the w0 at which ∂E/∂w0
// vanishes for given weights w (D).
func CheckSteps(rightSide func(X1, X2 *mat.Dense) []float64, bestBias func(X1, X2 *mat.Dense, w []float64) float64) *verify.Report {
	return exercise.JudgeSteps(
		verify.Part{Name: "BestBias: ∂E/∂w0 vanishes there, whatever w is", Judge: biasStep(bestBias).Judge},
		verify.Part{Name: "RightSide: Σ t_n x_n", Judge: rightStep(rightSide).Judge},
		verify.Part{Name: "together: the derivatives of E with respect to w, once w0 is eliminated", Judge: func() verify.Verdict { return judgeEliminated(rightSide, bestBias) }},
	)
}

type (
	matrixFunc = func(X1, X2 *mat.Dense) *mat.Dense
	fitFunc    = func(X1, X2 *mat.Dense) (w []float64, w0 float64)
)
