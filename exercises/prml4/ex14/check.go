// Package ex14 judges PRML exercise 4.14: for linearly separable data the maximum
// likelihood of logistic regression lies at infinity.
package ex14

import (
	_ "embed"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParseVaried("exercises/prml4/ex14/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.14. separatingDirection returns
// a strictly separating w (M) for the design matrix Phi (N×M) and targets t (N,
// each 0 or 1), and whether there is one. errorAlong returns the cross-entropy
// (4.90) at c·w.
func Check(
	separatingDirection func(Phi *mat.Dense, t []float64) (w []float64, ok bool),
	errorAlong func(w []float64, Phi *mat.Dense, t []float64, c float64) float64,
) *verify.Report {
	direction := func(name string, judge func(directionFunc) verify.Verdict) verify.Part {
		// A perceptron without a count never ends on data that are not separable.
		return verify.Part{Name: name, Limit: 5 * time.Second, Judge: func() verify.Verdict { return judge(separatingDirection) }}
	}
	along := func(name string, judge func(errorFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(errorAlong) }}
	}
	return exercise.Judge(
		direction("SeparatingDirection: finds a separating w wherever there is one", judgeSeparable),
		direction("SeparatingDirection: says no where the classes overlap", judgeOverlapping),
		direction("SeparatingDirection: says no where the classes touch", judgeTouching),
		along("ErrorAlong: it is E(c·w)", judgeValue),
		along("ErrorAlong: along a separating direction E falls to 0, and Newton's steps never end", judgeFall),
		along("ErrorAlong: with a point on the wrong side E turns and rises, and stays finite", judgeRise),
		verify.Part{Name: "together: along your w, E falls below any bound", Judge: func() verify.Verdict {
			return judgeTogether(separatingDirection, errorAlong)
		}},
	)
}
