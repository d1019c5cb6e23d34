package lesson14

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

// mistakes are wrong areas that learners might compute.
var mistakes = []judge.Mistake[areaFunc]{
	{Key: "other-class", Hint: 1,
		Message: "You count the pairs in the wrong order. Count a pair if the row of C₁ (t = 1) has the larger score. Your area of a good model is small.",
		Answer:  over(n1n2, func(a, b float64) float64 { return counted(b, a) })},
	{Key: "ties-win", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 1 in your area, so equal scores for all rows would have the area 1. Such a pair counts ½.",
		Answer:  over(n1n2, func(a, b float64) float64 { return one(a >= b) })},
	{Key: "ties-lose", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 0 in your area. It counts ½, since the score does not distinguish its two rows.",
		Answer:  over(n1n2, func(a, b float64) float64 { return one(a > b) })},
	{Key: "tolerance", Hint: 1,
		Message: "{problem}: your area treats scores that are close as equal. Compare scores exactly.",
		Answer: over(n1n2, func(a, b float64) float64 {
			if math.Abs(a-b) < 1e-9 {
				return 0.5
			}
			return one(a > b)
		})},
	{Key: "sigmoid", Hint: 1,
		Message: "{problem}: you apply the sigmoid to the scores first. Rounding then makes large scores equal. Compare the scores themselves; their order is the same.",
		Answer:  over(n1n2, func(a, b float64) float64 { return counted(1/(1+math.Exp(-a)), 1/(1+math.Exp(-b))) })},
	{Key: "not-divided", Hint: 2,
		Message: "You return the number of pairs in the right order. Divide it by the number of all pairs, N₁N₂.",
		Answer:  over(func(_, _ float64) float64 { return 1 }, counted)},
	{Key: "square-of-n", Hint: 2,
		Message: "You divide by N², the number of pairs of any two rows. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  over(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2) }, counted)},
	{Key: "all-two", Hint: 2,
		Message: "You divide by N(N−1)/2, the number of pairs of any two rows. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  over(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2 - 1) / 2 }, counted)},
	{Key: "rows", Hint: 2,
		Message: "You divide by N, the number of rows. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  over(func(n1, n2 float64) float64 { return n1 + n2 }, counted)},
	{Key: "integers", Hint: 2,
		Message: "Your area is a quotient of integers, which Go rounds towards 0. Convert both to float64 before you divide.",
		Answer:  func(t, a []float64) float64 { return math.Trunc(over(n1n2, counted)(t, a)) }},
	{Key: "against-all", Hint: 1,
		Message: "You compare each row of C₁ with all rows, including the rows of C₁. Compare it with the rows of C₂ only.",
		Answer: func(t, a []float64) float64 {
			sum, pairs := 0.0, 0.0
			for i := range a {
				for j := range a {
					sum, pairs = sum+t[i]*counted(a[i], a[j]), pairs+t[i]
				}
			}
			return sum / pairs
		}},
	{Key: "side-by-side", Hint: 1,
		Message: "You compare the i-th row of C₁ only with the i-th row of C₂. Compare every row of C₁ with every row of C₂.",
		Answer: func(t, a []float64) float64 {
			c1, c2 := classes(t, a)
			sum, n := 0.0, min(len(c1), len(c2))
			for i := range n {
				sum += counted(c1[i], c2[i])
			}
			return sum / float64(n)
		}},
	{Key: "gini", Hint: 2,
		Message: "You return the Gini coefficient 2·AUC − 1, because your pairs in the wrong order count −1. They must count 0.",
		Answer:  func(t, a []float64) float64 { return 2*over(n1n2, counted)(t, a) - 1 }},
	{Key: "row-by-row", Hint: 3,
		Message: "{problem}: you process rows with equal scores one after the other, so the area depends on the order of the rows. A pair with equal scores counts ½.",
		Answer: func(t, a []float64) (area float64) {
			below, n1, n2 := 0.0, 0.0, 0.0
			for _, n := range inOrder(a) {
				below, area = below+1-t[n], area+t[n]*below
				n1, n2 = n1+t[n], n2+1-t[n]
			}
			return area / (n1 * n2)
		}},
	{Key: "accuracy", Hint: 1,
		Message: "You return the accuracy, the share of the rows on the right side of the threshold ½. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0.5)},
	{Key: "accuracy-at-0", Hint: 1,
		Message: "You return the accuracy, the share of the rows on the right side of the threshold 0. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0)},
	{Key: "means", Hint: 1,
		Message: "You return the difference between the mean scores of the classes. The area depends only on the order: a pair counts 1, ½ or 0.",
		Answer:  over(n1n2, func(a, b float64) float64 { return a - b })},
}

// over returns an answer that sums count over all pairs of a row of C₁ and a row of C₂. The answer
// divides the sum by the result of by, which receives the sizes of the two classes.
func over(by func(n1, n2 float64) float64, count func(a, b float64) float64) areaFunc {
	return func(t, a []float64) (sum float64) {
		c1, c2 := classes(t, a)
		for _, u := range c1 {
			for _, v := range c2 {
				sum += count(u, v)
			}
		}
		return sum / by(float64(len(c1)), float64(len(c2)))
	}
}

func n1n2(n1, n2 float64) float64 { return n1 * n2 }

func counted(a, b float64) float64 { return (one(a > b) + one(a >= b)) / 2 }

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// classes returns the scores of C₁ and of C₂.
func classes(t, a []float64) (c1, c2 []float64) {
	for n, v := range a {
		if t[n] == 1 {
			c1 = append(c1, v)
		} else {
			c2 = append(c2, v)
		}
	}
	return c1, c2
}

func atThreshold(threshold float64) areaFunc {
	return func(t, a []float64) (share float64) {
		for n, v := range a {
			share += one((v >= threshold) == (t[n] == 1)) / float64(len(a))
		}
		return share
	}
}
