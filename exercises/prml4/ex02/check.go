// Package ex02 judges PRML exercise 4.2: least-squares predictions for targets that all satisfy a
// linear constraint.
package ex02

import (
	"embed"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `predict` of PRML exercise 4.2. `predict` returns the K outputs y(x) of
// the least-squares fit at a new input x (D). Its other arguments are the training inputs X (N×D,
// without a column of ones) and the targets T (N×K).
func Check(predict func(X, T *mat.Dense, x []float64) []float64) *verify.Report {
	return exercise.Judge(question.Parts(predict,
		judge.Form("the result is K finite numbers, and X, T and x stay unchanged",
			func() []leastsquares.Problem { return problems()[1:3] }, nil, judge.Wrong{},
			"You returned K numbers for K = 2 and for K = 5."),
		leastsquares.Normal("the prediction is least squares: the residuals are orthogonal to every column of [1 X]", hint,
			problems),
		leastsquares.Linear("the prediction is one linear function, also away from the training inputs", problems),
		leastsquares.Rank("dependent columns and few points: the prediction is still least squares", hint, predict,
			dependent),
		leastsquares.Obeys("if aᵀt + b = 0 for all targets t, then aᵀy(x) + b = 0 for every x", constrained,
			judge.Wrong{Key: "constraint", Hint: 2,
				Message: "All targets of {problem} satisfy aᵀt + b = 0, but at some x, aᵀy(x) + b is {off}. The proof requires a fit with a bias and without a penalty, and a function that is linear in x. Check these three conditions."},
			"For random constraints and K from 1 to 6, your predictions satisfy aᵀy(x) + b = 0 at every training input and at all tested new inputs."),
		sumsToOne(),
		leastsquares.Equal("targets without a constraint: the prediction imposes no constraint", hint, unconstrained,
			"Where the targets have different sums, you return the least-squares predictions, which need not sum to 1."),
	)...)
}

// sumsToOne returns the part of the report that checks 1-of-K targets: they sum to 1, so the
// prediction must sum to 1.
func sumsToOne() judge.Property[leastsquares.Problem] {
	p := leastsquares.Obeys("1-of-K targets: y(x) sums to 1 for every x",
		func() []leastsquares.Problem { return leastsquares.SumsToOne(problems()) },
		judge.Wrong{Key: "sum", Hint: 2,
			Message: "The targets of {problem} are 1-of-K and sum to 1, but the sum of your prediction at some x is {off}."},
		"Your outputs sum to 1 at every tested x.")
	p.RightNote = func(answers [][]float64) string {
		if all := slices.Concat(answers...); floats.Min(all) < 0 || floats.Max(all) > 1 {
			return "Some of your outputs lie outside [0, 1], so they are not probabilities."
		}
		return ""
	}
	return p
}

// hint is the number of the hint that explains how to build the function Predict.
const hint = 3

var problems = instance.Once(func() []leastsquares.Problem { return leastsquares.Full(instance.Source(402, 1)) })

var dependent = instance.Once(func() []leastsquares.Problem { return leastsquares.Dependent(instance.Source(402, 4)) })

// constrained returns problems with random targets that obey one random constraint.
var constrained = instance.Once(func() (list []leastsquares.Problem) {
	r := instance.Source(402, 6)
	for i, p := range leastsquares.Full(r)[:6] {
		k := []int{3, 2, 4, 1, 5, 6}[i%6]
		a, b := instance.Normals(r, k), 3*r.NormFloat64()
		switch i {
		case 1:
			b = 0
		case 2:
			a[1], b = 0, 50 // the constraint does not contain output 1
		}
		list = append(list, p.RandomTargets(r, k).Obeying(mat.NewDense(1, k, a), []float64{b}))
	}
	return list
})

// unconstrained returns problems with targets that obey no constraint. In all problems but the last,
// every entry of a target is 0 or 1, and a target may contain any number of ones. In the last
// problem, each target is a single random number.
var unconstrained = instance.Once(func() (list []leastsquares.Problem) {
	r := instance.Source(402, 8)
	for _, p := range leastsquares.Full(r)[:4] {
		t := mat.DenseCopyOf(p.T)
		n, k := t.Dims()
		for range n/2 + 1 {
			i, j := r.IntN(n), r.IntN(k)
			t.Set(i, j, 1-t.At(i, j))
		}
		t.Set(0, 0, 1)
		t.Set(0, k-1, 1)
		list = append(list, p.WithTargets(t))
	}
	return append(list, list[0].RandomTargets(r, 1))
})

var question = func() *judge.Question[leastsquares.Predictor, leastsquares.Problem] {
	q := leastsquares.Question(hint)
	q.Mistakes = append(q.Mistakes, judge.Mistake[leastsquares.Predictor]{
		Key: "projected", Hint: 2,
		Message: "The targets of {problem} do not sum to 1, but your outputs do. Your outputs are the least-squares outputs, projected onto the plane where the sum is 1. Only the targets may determine the constraint.",
		Answer:  leastsquares.After(func(y []float64) { floats.AddConst((1-floats.Sum(y))/float64(len(y)), y) }),
	})
	return q
}()

func init() { judge.Known(exercise, question, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex02", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
