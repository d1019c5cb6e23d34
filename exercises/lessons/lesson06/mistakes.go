package lesson06

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

var askMu = &judge.Question[countFunc, pixels]{
	Func: "Count", Name: "mu", Hint: 3, New: true,
	Ask: func(f countFunc, c *judge.Call, p pixels) []float64 {
		_, d := p.x.Dims()
		return c.Matrix("mu", f(c.Dense("X", p.x), c.Ints("labels", p.labels), p.k, p.alpha), p.k, d, "K×D")
	},
	Right: right,
	Mistakes: []judge.Mistake[countFunc]{
		{Key: "alpha-left-out", Hint: 2, Message: "α does nothing in your answer: these are N_ki/N_k.",
			Answer: counted(func(t table) float64 { return t.ones / t.rows })},
		{Key: "always-one", Hint: 2, Message: "You add 1 and 2 whatever α is: Laplace's rule is the case α = 1.",
			Answer: counted(func(t table) float64 { return (t.ones + 1) / (t.rows + 2) })},
		{Key: "numerator-only", Hint: 2,
			Message: "α stands in the numerator only. The α ones and α zeros are rows too: with them the class has N_k + 2α.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / t.rows })},
		{Key: "denominator-only", Hint: 2,
			Message: "α stands in the denominator only: half of the rows that are added have a one.",
			Answer:  counted(func(t table) float64 { return t.ones / (t.rows + 2*t.alpha) })},
		{Key: "alpha-once", Hint: 2,
			Message: "You add α rows to the class. There are 2α: a pixel has two values, and each is counted α times more.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.alpha) })},
		{Key: "alpha-by-classes", Hint: 2,
			Message: "You add α·K rows to the class. It is α for every *value* of the feature, and there are two, however many classes there are.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.classes*t.alpha) })},
		{Key: "alpha-by-features", Hint: 2,
			Message: "You add α·D rows to the class. Each feature is counted by itself, and has two values.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.features*t.alpha) })},
		{Key: "words", Hint: 1,
			Message: "You divide by all the ones of the class, so that its row sums to 1. That is for words drawn from a bag; here every pixel is a throw of its own.",
			Answer: counted(func(t table) float64 {
				return (t.ones + t.alpha) / (t.onesOfClass +
					t.features*t.alpha)
			})},
		{Key: "joint", Hint: 1,
			Message: "You divide by all rows, and get the probability of the pixel *and* the class. Divide by the rows of the class.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "class-given-pixel", Hint: 1,
			Message: "You divide by the rows with that pixel on: this is the probability of the class given the pixel, the other way round.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.onesOfAll + t.classes*t.alpha) })},
		{Key: "pooled", Hint: 1, Message: "All classes get the same row: you count the ones of all rows together.",
			Answer: counted(func(t table) float64 { return (t.onesOfAll + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "zeros", Hint: 1, Message: "You have counted the zeros: these are 1 − μ.",
			Answer: counted(func(t table) float64 { return (t.rows - t.ones + t.alpha) / (t.rows + 2*t.alpha) })},
		{Key: "not-divided", Hint: 1,
			Message: "These are counts: each has to be divided by how many rows the class has.",
			Answer:  counted(func(t table) float64 { return t.ones + t.alpha })},
		{Key: "logarithm", Hint: 3,
			Message: "These are the logarithms ln μ. They come next, in the activations (4.82); return μ itself.",
			Answer:  counted(func(t table) float64 { return math.Log((t.ones + t.alpha) / (t.rows + 2*t.alpha)) })},
	},
}

// A table holds all counts for one feature in one class.
type table struct {
	ones, onesOfClass, onesOfAll float64 // of this feature in this class, of all features in it, of this feature in all classes
	rows, all                    float64 // in this class, and in all
	classes, features, alpha     float64
}

// counted computes a matrix entry by entry from the counts.
func counted(mu func(t table) float64) countFunc {
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
