// Package ex01 judges a sum of squares.
package ex01

import (
	"embed"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"example.org/sums/books"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type squaresFunc = func(x []float64) float64

// Check judges squares, which returns the sum of the squares of x.
func Check(squares squaresFunc) *verify.Report {
	return exercise.Judge(ask.Parts(squares,
		judge.Form("a finite number, the same on every call", problems, nil, judge.Wrong{}, "You returned a number."),
		judge.Property[vector]{Name: "the sum of the squares", On: problems,
			Holds: func(x vector, got []float64) verify.Finding {
				return verify.Close(got[0], right(x)[0], verify.Tolerance{Rel: 1e-12})
			},
			Wrong: judge.Wrong{Key: "value", Hint: 1, Message: "For {problem} your sum is {off}."},
			Right: "Your sum is right for vectors of any length."})...)
}

// A vector is a problem.
type vector []float64

func (x vector) String() string { return fmt.Sprintf("x = %.3g", []float64(x)) }

var problems = instance.Once(func() []vector {
	list, r := []vector{{3, 4}, {-1, 2, 0}, {}}, instance.Source(9001, 1)
	for n := range 6 {
		list = append(list, instance.Normals(r, n+1))
	}
	return list
})

func right(x vector) []float64 { return []float64{floats.Dot(x, x)} }

var ask = &judge.Question[squaresFunc, vector]{
	Func: "Squares", Name: "sum", Hint: 1, Right: right,
	Ask: func(squares squaresFunc, c *judge.Call, x vector) []float64 {
		return []float64{squares(c.Slice("x", x))}
	},
	Mistakes: []judge.Mistake[squaresFunc]{
		{Key: "no-square", Hint: 1, Message: "You added the numbers, not their squares.",
			Answer: func(x []float64) float64 { return floats.Sum(x) }},
		{Key: "root", Hint: 1, Message: "You returned the length of x, the root of the sum.",
			Answer: func(x []float64) float64 { return floats.Norm(x, 2) }},
		{Key: "square-of-sum", Hint: 1, Message: "You squared the sum. Square each number first.",
			Answer: func(x []float64) float64 { return floats.Sum(x) * floats.Sum(x) }},
		{Key: "mean", Hint: 1, Message: "You divided by the number of squares.", Answer: func(x []float64) float64 {
			return floats.Dot(x, x) / float64(max(1, len(x)))
		}},
	},
}

func init() { judge.Known(exercise, ask, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = books.All.MustParse("own/ex01", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
