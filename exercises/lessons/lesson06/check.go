// Package lesson06 judges the task of lesson 6: how to estimate the probabilities of naive Bayes
// from counts.
package lesson06

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type countFunc = func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense

// Check judges `count`, which returns the smoothed estimates of μ in (4.81).
func Check(count countFunc) *verify.Report {
	return exercise.Judge(muQuestion.Parts(count, []judge.Property[sample]{
		judge.Form[sample]("a K×D matrix, new, and the same on every call", ofKinds(many), nil, judge.Wrong{},
			"You returned a number for each class and feature, in a new matrix."),
		{Name: "the share of ones in each class", Problems: ofKinds(many), Holds: compareShares,
			Wrong: judge.Wrong{Key: "shares", Hint: 1,
				Message: "{problem}: your numbers should be the shares of ones among the rows of each class and the 2α added rows, but they are {off}."},
			Right: "With a small α you return the share of ones among the rows of each class."},
		{Name: "α additional ones and α additional zeros in each class", Problems: ofKinds(many, smooth),
			Holds: compareShares,
			Wrong: judge.Wrong{Key: "smoothing", Hint: 2,
				Message: "{problem}: your numbers are {off}, although they are right for a small α. Add α ones and α zeros to the rows of every class."},
			Right: "Your numbers contain α additional ones and α additional zeros in every class."},
		{Name: "empty classes, one row, one feature", Problems: ofKinds(many, limits), Holds: compareShares,
			Wrong: judge.Wrong{Key: "limits", Hint: 2, Message: "{problem}: your numbers are {off}."},
			Right: "For a class without rows all your numbers are ½. For a single row or a single feature they are right, too."},
	}...)...)
}

func compareShares(p sample, got []float64) verify.Finding {
	return verify.CloseSlice(got, rightShares(p), verify.Tolerance{Rel: 1e-9})
}

// rightShares returns the right estimates. In each class, an estimate is the weighted mean of two
// shares of ones. The first is the share among the given rows. The second is the share among the 2α
// added rows, which is ½.
func rightShares(p sample) []float64 {
	_, d := p.x.Dims()
	out := make([]float64, p.k*d)
	for k, n := range instance.Counts(p.labels, p.k) {
		added := 2 * p.alpha / (n + 2*p.alpha)
		for i := range d {
			out[k*d+i] = added / 2
			for row, c := range p.labels {
				if c == k {
					out[k*d+i] += (1 - added) / n * p.x.At(row, i)
				}
			}
		}
	}
	return out
}

// sample contains rows of zeros and ones, their classes, and the other arguments of `count`.
type sample struct {
	name   string
	x      *mat.Dense
	labels []int
	k      int
	alpha  float64
}

func (p sample) String() string {
	n, d := p.x.Dims()
	return fmt.Sprintf("%s (N = %d, D = %d, K = %d, α = %.3g)", p.name, n, d, p.k, p.alpha)
}

type kind int

const (
	many kind = iota
	smooth
	limits
)

// ofKinds returns a function that draws rows of the given kinds, with one to four classes.
var ofKinds = instance.OfKinds(5006, 6, func(r *rand.Rand, k kind, i int) sample {
	switch k {
	case many:
		return draw(r, "many rows", 40+10*i, 3+i, 2+i%3, 0.01)
	case smooth:
		return draw(r, "few rows", 8+i, 1+i, 1+i%4, 0.5+4*r.Float64())
	}
	return atLimit(r, i)
})

func atLimit(r *rand.Rand, i int) sample {
	switch i % 3 {
	case 0:
		p := draw(r, "a class without rows", 9, 4, 3, 1)
		for n := range p.labels {
			p.labels[n] = 2 * (n % 2)
		}
		return p
	case 1:
		return draw(r, "a single row", 1, 3, 2, 0.1)
	default:
		return draw(r, "a single feature", 7, 1, 2, 1000)
	}
}

// draw draws rows of zeros and ones. The probability of a one is different for every class and
// feature. The labels follow a fixed pattern.
func draw(r *rand.Rand, name string, n, d, k int, alpha float64) sample {
	p := sample{name, mat.NewDense(n, d, nil), make([]int, n), k, alpha}
	mu := make([]float64, k*d)
	for i := range mu {
		mu[i] = r.Float64()
	}
	for row := range n {
		c := (row + row/k) % k // the labels are deliberately not sorted
		p.labels[row] = c
		for i := range d {
			if r.Float64() < mu[c*d+i] {
				p.x.Set(row, i, 1)
			}
		}
	}
	return p
}

var muQuestion = &judge.Question[countFunc, sample]{
	Func: "Count", Name: "mu", Hint: 3, New: true,
	Invoke: func(f countFunc, c *judge.Call, p sample) []float64 {
		_, d := p.x.Dims()
		return c.Matrix("mu", f(c.Dense("X", p.x), c.Ints("labels", p.labels), p.k, p.alpha), p.k, d, "K×D")
	},
	Right: rightShares,
	Mistakes: []judge.Mistake[countFunc]{
		{Key: "alpha-left-out", Hint: 2, Message: "Your answer does not depend on α: your numbers are N_ki/N_k.",
			Answer: byCounts(func(t table) float64 { return t.ones / t.rows })},
		{Key: "always-one", Hint: 2, Message: "Your numbers are (N_ki + 1)/(N_k + 2) for every α. This is Laplace's rule, which is right only for α = 1.",
			Answer: byCounts(func(t table) float64 { return (t.ones + 1) / (t.rows + 2) })},
		{Key: "numerator-only", Hint: 2,
			Message: "Your denominators are N_k, without 2α. The α ones and α zeros count as rows too, even if α < 1: the denominator is N_k + 2α.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / t.rows })},
		{Key: "denominator-only", Hint: 2,
			Message: "α is missing from your numerators, or has no effect there. Half of the 2α added rows contain a one: the numerator is N_ki + α.",
			Answer:  byCounts(func(t table) float64 { return t.ones / (t.rows + 2*t.alpha) })},
		{Key: "alpha-once", Hint: 2,
			Message: "Your denominators are N_k + α. Add 2α instead of α, because a feature has two values, and α rows are added for each value.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.alpha) })},
		{Key: "alpha-by-classes", Hint: 2,
			Message: "Your denominators are N_k + αK. Add 2α: α for each value of the feature, which has two values whatever the number of classes.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.classes*t.alpha) })},
		{Key: "alpha-by-features", Hint: 2,
			Message: "Your denominators are N_k + αD. Add 2α, because each feature is counted separately and has two values.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.features*t.alpha) })},
		{Key: "words", Hint: 1,
			Message: "Your denominators count all ones of the class, so each row of your matrix sums to 1. This is right for words drawn from a bag. Here every feature has its own probability of a one.",
			Answer: byCounts(func(t table) float64 {
				return (t.ones + t.alpha) / (t.onesOfClass +
					t.features*t.alpha)
			})},
		{Key: "joint", Hint: 1,
			Message: "Your denominators count all rows, so your numbers are joint probabilities of a one and the class. Divide by the number of rows of the class.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "class-given-pixel", Hint: 1,
			Message: "Your denominators count the rows in which the feature is 1, so you return the probability of the class given a one. Return the probability of a one given the class.",
			Answer:  byCounts(func(t table) float64 { return (t.ones + t.alpha) / (t.onesOfAll + t.classes*t.alpha) })},
		{Key: "pooled", Hint: 1, Message: "All rows of your matrix are equal, as if you counted the ones of all classes together.",
			Answer: byCounts(func(t table) float64 { return (t.onesOfAll + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "zeros", Hint: 1, Message: "Your numbers are 1 − μ, as if you counted the zeros.",
			Answer: byCounts(func(t table) float64 { return (t.rows - t.ones + t.alpha) / (t.rows + 2*t.alpha) })},
		{Key: "not-divided", Hint: 1,
			Message: "Your numbers are counts: divide each count by the number of rows of the class, including the 2α added rows.",
			Answer:  byCounts(func(t table) float64 { return t.ones + t.alpha })},
		{Key: "logarithm", Hint: 3,
			Message: "Your numbers are the logarithms ln μ, which the activations (4.82) need later. Return μ itself.",
			Answer:  byCounts(func(t table) float64 { return math.Log((t.ones + t.alpha) / (t.rows + 2*t.alpha)) })},
	},
}

// A table contains the counts for one feature in one class.
type table struct {
	// three counts of ones: of this feature in this class, of all features in this class, and of
	// this feature in all classes
	ones, onesOfClass, onesOfAll float64
	rows, all                    float64 // the number of rows in this class, and in all classes
	classes, features, alpha     float64
}

// byCounts returns an answer that counts the ones and the rows for each entry of the matrix. The
// function `mu` then computes the entry from these counts.
func byCounts(mu func(t table) float64) countFunc {
	return func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
		n, d := X.Dims()
		out := mat.NewDense(k, d, nil)
		out.Apply(func(class, feature int, _ float64) float64 {
			t := table{all: float64(n), classes: float64(k), features: float64(d), alpha: alpha}
			for row, label := range labels {
				t.onesOfAll += X.At(row, feature)
				if label == class {
					t.rows++
					t.ones += X.At(row, feature)
					t.onesOfClass += mat.Sum(X.RowView(row))
				}
			}
			return mu(t)
		}, out)
		return out
	}
}

func init() { judge.Known(exercise, muQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson06", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
