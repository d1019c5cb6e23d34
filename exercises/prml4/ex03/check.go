// Package ex03 judges PRML exercise 4.3: the linear constraints that all targets
// satisfy at once, and the predictions of least squares.
package ex03

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.3. predict is the least-squares
// prediction at x (D) from inputs X (N×D) and targets T (N×K). constraints returns
// A (P×K) and b (P) with At + b = 0 for all rows t of T, where P is as large as possible.
func Check(predict func(X, T *mat.Dense, x []float64) []float64,
	constraints func(T *mat.Dense) (A *mat.Dense, b []float64)) *verify.Report {
	predictions := askPredict.Parts(predict, []judge.Property[problem]{
		judge.Form("Predict: the result is K finite numbers, and X, T and x stay unchanged",
			func() []problem { return obedient()[:3] }, nil, judge.Wrong{},
			"You returned K numbers for every problem, from K = 3 to 5."),
		leastsquares.Normal("Predict: it is least squares", hint, ordinary),
		leastsquares.Linear("Predict: one linear function, even far away", ordinary),
		leastsquares.Rank("Predict: dependent columns and few points", hint, predict, dependent),
		leastsquares.Obeys("Predict: Ay(x) + b = 0 for every x, with up to K constraints",
			func() []problem { return slices.Concat(obedient(), dependent()) },
			judge.Wrong{Key: "constraint", Hint: 2,
				Message: "All targets of {problem} satisfy their constraints, but your prediction at some x does not: aᵀy + b is {off}. The bias ensures one constraint in exercise 4.2, and it ensures any number of them."},
			"Your predictions obey the constraints of the targets at every x: one constraint, several, and so many that only one target is possible."),
		leastsquares.Equal("Predict: no constraint is imposed on targets that obey no constraint, or only nearly obey one", 2, free,
			"You return the least-squares predictions and impose no constraint, even if only one target breaks the constraint by a little."),
		{Name: "your predictions satisfy your constraints", On: obedient, With: "Constraints",
			First: func(p problem, got []float64) *verify.Verdict { return together(p, got, constraints) },
			Holds: func(problem, []float64) verify.Finding { return verify.Finding{OK: true} },
			Right: "Ay(x) + b = 0 with your A, your b and your y."},
	}...)
	found := askConstraints.Parts(constraints, []judge.Property[targets]{
		judge.Form("Constraints: A has a row per entry of b, and T stays unchanged", targetSets, nil, judge.Wrong{},
			"You returned A (P×K) with independent rows, and P numbers b."),
		{Name: "Constraints: the targets satisfy all returned constraints", On: targetSets, Holds: satisfied,
			Wrong: judge.Wrong{Key: "not-satisfied", Hint: 3,
				Message: "For {problem} some target does not satisfy one of your constraints: aᵀt + b is {off}, with a scaled to length 1."},
			Right: "Every target satisfies every constraint that you return, up to rounding. You return no constraint that only nearly all targets satisfy."},
		{Name: "Constraints: none is missing", On: targetSets, First: tooMany, Holds: complete,
			Wrong: judge.Wrong{Key: "incomplete", Hint: 3,
				Message: "For {problem} not all constraints follow from yours. Every direction in which the centred targets do not vary is a constraint."},
			Right: "Your constraints are independent and complete: P from 0 to K. (Rows may be scaled and mixed; any basis is right.)"},
	}...)
	last := len(predictions) - 1
	return exercise.Judge(slices.Concat(predictions[:last], found, predictions[last:])...)
}

type problem = leastsquares.Problem

// hint is the number of the hint that explains how to build Predict.
const hint = 4

// draw returns a problem with standard normal inputs and targets that obey count random
// constraints.
func draw(r *rand.Rand, name string, n, d, k, count int) problem {
	more := [][]float64{make([]float64, d)}
	for _, reach := range []float64{1, 30} {
		x := instance.Normals(r, d)
		for j := range x {
			x[j] *= reach
		}
		more = append(more, x)
	}
	x, t := mat.NewDense(n, d, instance.Normals(r, n*d)), mat.NewDense(n, k, instance.Normals(r, n*k))
	for i := range n {
		t.Set(i, i%k, t.At(i, i%k)+x.At(i, 0)) // makes the targets depend on x
	}
	return obeying(r, leastsquares.New(name, x, t, more, 1e-8), count)
}

// obeying projects the targets of p onto count random constraints. The constraints must not be
// nearly dependent, because the targets would become very large and would lose digits.
func obeying(r *rand.Rand, p problem, count int) problem {
	if count == 0 {
		return p
	}
	_, k := p.T.Dims()
	a := mat.NewDense(count, k, instance.Normals(r, count*k))
	for instance.Again(func() bool { return mat.Norm(a, 2) > 0.1*mat.Cond(a, 2) }) {
		a = mat.NewDense(count, k, instance.Normals(r, count*k))
	}
	return p.Obeying(a, instance.Normals(r, count))
}

// obedient returns problems of full column rank with targets that obey constraints.
var obedient = instance.Once(func() []problem {
	r, c := instance.Source(403, 1), codesOf(seed.Get())
	codes := draw(r, "two 1-of-K codes side by side", 30, 2, c.colours+c.shapes, 0)
	t, a := mat.NewDense(30, c.colours+c.shapes, nil), mat.NewDense(2, c.colours+c.shapes, nil)
	for i := range 30 { // colours first, then shapes
		t.Set(i, i%c.colours, 1)
		t.Set(i, c.colours+(i/c.colours)%c.shapes, 1)
	}
	for k := range c.colours + c.shapes {
		a.Set(min(k/c.colours, 1), k, 1)
	}
	codes = codes.WithTargets(t)
	codes.A, codes.B = a, []float64{-1, -1}
	large := draw(r, "targets of size 1000, two constraints", 8, 2, 4, 0)
	large.T.Scale(1000, large.T)
	return []problem{
		draw(r, "three targets, one constraint", 9, 2, 3, 1),
		draw(r, "four targets, two constraints", 10, 3, 4, 2),
		draw(r, "five targets, four constraints", 8, 1, 5, 4),
		codes,
		obeying(r, large, 2),
		draw(r, "two targets, two constraints: all targets equal", 5, 1, 2, 2),
		draw(r, "fewer points than targets", 3, 1, 5, 1),
	}
})

// ordinary returns problems of full column rank, including the problems of exercise 4.2.
var ordinary = instance.Once(func() []problem {
	r := instance.Source(403, 2)
	return slices.Concat(obedient(), []problem{draw(r, "targets without constraint", 10, 4, 3, 0)},
		leastsquares.Full(r))
})

var dependent = instance.Once(func() []problem {
	r := instance.Source(403, 3)
	list := leastsquares.SumsToOne(leastsquares.Dependent(r))
	for i, p := range list[:3] {
		list = append(list, obeying(r, p.RandomTargets(r, 3+i), 1+i))
	}
	return list
})

// free returns problems of full rank with targets that obey no constraint. Some targets nearly obey
// one.
var free = instance.Once(func() []problem {
	r := instance.Source(403, 5)
	nearly := draw(r, "targets that nearly obey one constraint", 30, 4, 3, 1)
	with := func(i, j int) *mat.Dense { // returns 1-of-K targets with a second 1 in row i, column j
		t := instance.OneOfK(slices.Repeat([]int{0, 1, 2}, 8), 3)
		t.Set(i, j, 1)
		return t
	}
	return []problem{
		draw(r, "three targets without constraint", 10, 4, 3, 0),
		nearly.WithTargets(off(r, nearly.T, 1e-3)),
		draw(r, "1-of-K targets of which the first sums to 2", 24, 4, 3, 0).WithTargets(with(0, 1)),
		draw(r, "1-of-K targets of which the last sums to 2", 24, 4, 3, 0).WithTargets(with(23, 0)),
		draw(r, "a single target", 10, 2, 1, 0),
	}
})

// off adds a normally distributed error of the given size to every entry.
func off(r *rand.Rand, t *mat.Dense, size float64) *mat.Dense {
	out := mat.DenseCopyOf(t)
	out.Apply(func(_, _ int, v float64) float64 { return v + size*r.NormFloat64() }, out)
	return out
}

// codes contains the numbers of colours and shapes in the example of the statement.
type codes struct{ colours, shapes int }

// codesOf returns the codes of variant n. n = 0 is the common variant, and every personal variant
// differs from the common one.
func codesOf(n uint64) codes {
	common := codes{3, 2}
	if n == 0 {
		return common
	}
	for r := seed.Source(n, 403, 0); ; {
		if c := (codes{3 + r.IntN(3), 2 + r.IntN(2)}); c != common {
			return c
		}
	}
}

// vary returns the texts of the placeholders for variant n: the numbers and the words that depend
// on them.
func vary(n uint64) map[string]string {
	c := codesOf(n)
	words := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight"}
	to := "to" // the word between the first and the last entry of the shapes
	if c.shapes == 2 {
		to = "and"
	}
	return map[string]string{
		"colours": words[c.colours], "shapes": words[c.shapes], "entries": words[c.colours+c.shapes],
		"k": fmt.Sprint(c.colours + c.shapes), "c": fmt.Sprint(c.colours), "s": fmt.Sprint(c.shapes),
		"lastColour": fmt.Sprint(c.colours - 1), "lastEntry": fmt.Sprint(c.colours + c.shapes - 1), "to": to,
	}
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/prml4/ex03", files, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
