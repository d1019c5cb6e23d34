package lesson06

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

var askMu = &judge.Question[countFunc, pixels]{
	Func: "Count", Name: "mu", Hint: 3, New: true,
	Ask: func(f countFunc, c *judge.Call, p pixels) []float64 {
		_, d := p.x.Dims()
		return c.Matrix("mu", f(c.Dense("X", p.x), c.Ints("labels", p.labels), p.k, p.alpha), p.k, d, "K×D")
	},
	Right: right,
	Mistakes: []judge.Mistake[countFunc]{
		{Key: "alpha-left-out", Hint: 2, Message: "Your answer does not depend on α: these are N_ki/N_k.",
			Answer: counted(func(t table) float64 { return t.ones / t.rows })},
		{Key: "always-one", Hint: 2, Message: "You add 1 and 2 for every α. Laplace's rule is right for α = 1 only.",
			Answer: counted(func(t table) float64 { return (t.ones + 1) / (t.rows + 2) })},
		{Key: "numerator-only", Hint: 2,
			Message: "Your denominators are N_k, without 2α. The α ones and α zeros count as rows too, also for α < 1: the denominator is N_k + 2α.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / t.rows })},
		{Key: "denominator-only", Hint: 2,
			Message: "You add α only in the denominator. Half of the added rows contain a one, so add α in the numerator too.",
			Answer:  counted(func(t table) float64 { return t.ones / (t.rows + 2*t.alpha) })},
		{Key: "alpha-once", Hint: 2,
			Message: "You add α rows to the class. Add 2α rows, because a pixel has two values, and each value counts α times more.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.alpha) })},
		{Key: "alpha-by-classes", Hint: 2,
			Message: "You add α·K rows to the class. Add α for each *value* of the feature; it has two values, whatever the number of classes.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.classes*t.alpha) })},
		{Key: "alpha-by-features", Hint: 2,
			Message: "You add α·D rows to the class. Add 2α, because each feature is counted separately and has two values.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.rows + t.features*t.alpha) })},
		{Key: "words", Hint: 1,
			Message: "You divide by all ones of the class, so that its row sums to 1. This is right for words drawn from a bag. Here every pixel has its own probability of a one.",
			Answer: counted(func(t table) float64 {
				return (t.ones + t.alpha) / (t.onesOfClass +
					t.features*t.alpha)
			})},
		{Key: "joint", Hint: 1,
			Message: "You divide by all rows, which yields the probability of the pixel *and* the class. Divide by the rows of the class.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "class-given-pixel", Hint: 1,
			Message: "You divide by the rows in which the pixel is 1. That is the probability of the class given the pixel; return the probability of the pixel given the class.",
			Answer:  counted(func(t table) float64 { return (t.ones + t.alpha) / (t.onesOfAll + t.classes*t.alpha) })},
		{Key: "pooled", Hint: 1, Message: "All rows of your matrix are equal: you count the ones of all classes together.",
			Answer: counted(func(t table) float64 { return (t.onesOfAll + t.alpha) / (t.all + 2*t.alpha) })},
		{Key: "zeros", Hint: 1, Message: "Your numbers are 1 − μ: you counted the zeros.",
			Answer: counted(func(t table) float64 { return (t.rows - t.ones + t.alpha) / (t.rows + 2*t.alpha) })},
		{Key: "not-divided", Hint: 1,
			Message: "Your numbers are counts: divide each by the number of rows of the class.",
			Answer:  counted(func(t table) float64 { return t.ones + t.alpha })},
		{Key: "logarithm", Hint: 3,
			Message: "Your numbers are the logarithms ln μ, which the activations (4.82) need later. Return μ itself.",
			Answer:  counted(func(t table) float64 { return math.Log((t.ones + t.alpha) / (t.rows + 2*t.alpha)) })},
	},
}

// A table contains all counts for one feature in one class.
type table struct {
	ones, onesOfClass, onesOfAll float64 // of this feature in this class, of all features in this class, of this feature in all classes
	rows, all                    float64 // number of rows in this class, and in all classes
	classes, features, alpha     float64
}

// counted returns an answer that computes each entry of the matrix by mu from the counts.
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
