// Package ex04 judges Alpaydin exercise 10.4: two softmax outputs are one sigmoid.
package ex04

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/alpaydin10/ex04/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.4. merge returns the weights
// of the sigmoid that equals the first of two softmax outputs, split two weight
// vectors whose first softmax output equals the sigmoid. All have D+1 entries, the
// bias first.
func Check(merge func(w1, w2 []float64) []float64, split func(w []float64) (w1, w2 []float64)) *verify.Report {
	one := func(name string, judge func(mergeFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(merge) }}
	}
	two := func(name string, judge func(splitFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(split) }}
	}
	return exercise.Judge(
		one("Merge: D+1 finite numbers come back, and w1 and w2 stay as they were", judgeMergeForm),
		one("Merge: σ(wᵀx̃) is the first softmax output at every x", judgeMerge),
		one("Merge: the same vector added to w1 and w2 changes nothing", judgeShift),
		one("Merge: with the classes exchanged, P(C₁|x) and P(C₂|x) change places", judgeSwap),
		two("Split: two times D+1 finite numbers come back, and w stays as it was", judgeSplitForm),
		two("Split: the first softmax output is σ(wᵀx̃) at every x", judgeSplit),
	)
}
