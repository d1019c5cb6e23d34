package lesson14

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

// mistakes are wrong areas as learners compute them.
var mistakes = []judge.Mistake[areaFunc]{
	{Key: "other-class", Hint: 1,
		Message: "The pairs count the wrong way round: a row of C₁ (t = 1) should have the larger score. A good model gets a small area from you.",
		Answer:  over(n1n2, func(a, b float64) float64 { return counted(b, a) })},
	{Key: "ties-win", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 1 in your area. Then a score that is the same for all rows would be perfect; it counts ½.",
		Answer:  over(n1n2, func(a, b float64) float64 { return one(a >= b) })},
	{Key: "ties-lose", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 0 in your area. It counts ½, since the score does not tell its rows apart.",
		Answer:  over(n1n2, func(a, b float64) float64 { return one(a > b) })},
	{Key: "tolerance", Hint: 1,
		Message: "{problem}: scores that are close count as equal in your area. However near they are, one of them is larger.",
		Answer: over(n1n2, func(a, b float64) float64 {
			if math.Abs(a-b) < 1e-9 {
				return 0.5
			}
			return one(a > b)
		})},
	{Key: "sigmoid", Hint: 1,
		Message: "{problem}: the scores go through the sigmoid first, which makes large ones equal to each other by rounding. Compare them as they are; the order is the same.",
		Answer:  over(n1n2, func(a, b float64) float64 { return counted(1/(1+math.Exp(-a)), 1/(1+math.Exp(-b))) })},
	{Key: "not-divided", Hint: 2,
		Message: "That is how many pairs are in the right order. The area is their share of all N₁N₂ pairs.",
		Answer:  over(func(_, _ float64) float64 { return 1 }, counted)},
	{Key: "square-of-n", Hint: 2,
		Message: "You divide by N², the number of pairs of any two rows. Only pairs of a row of C₁ with one of C₂ count, and of those there are N₁N₂.",
		Answer:  over(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2) }, counted)},
	{Key: "all-two", Hint: 2,
		Message: "You divide by N(N−1)/2, the number of pairs of any two rows. Only pairs of a row of C₁ with one of C₂ count, and of those there are N₁N₂.",
		Answer:  over(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2 - 1) / 2 }, counted)},
	{Key: "rows", Hint: 2,
		Message: "You divide by N, the number of rows. The mean is over pairs, and of those there are N₁N₂.",
		Answer:  over(func(n1, n2 float64) float64 { return n1 + n2 }, counted)},
	{Key: "integers", Hint: 2,
		Message: "Your area is a quotient of integers, which Go rounds towards 0. Convert both to float64 before you divide.",
		Answer:  func(t, a []float64) float64 { return math.Trunc(over(n1n2, counted)(t, a)) }},
	{Key: "against-all", Hint: 1,
		Message: "Each row of C₁ is compared with all rows, those of its own class and itself too. Compare it with the rows of C₂ only.",
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
		Message: "Each row of C₁ is compared with a single row of C₂, the one with the same number in its class. Compare each with each.",
		Answer: func(t, a []float64) float64 {
			c1, c2 := classes(t, a)
			sum, n := 0.0, min(len(c1), len(c2))
			for i := range n {
				sum += counted(c1[i], c2[i])
			}
			return sum / float64(n)
		}},
	{Key: "gini", Hint: 2,
		Message: "That is 2·AUC − 1, the Gini coefficient: your pairs in the wrong order count −1. They count 0.",
		Answer:  func(t, a []float64) float64 { return 2*over(n1n2, counted)(t, a) - 1 }},
	{Key: "row-by-row", Hint: 3,
		Message: "{problem}: rows with equal scores are taken one after the other, so that the area depends on the order in which they come. Rows of one score belong together: their pairs count ½.",
		Answer: func(t, a []float64) (area float64) {
			below, n1, n2 := 0.0, 0.0, 0.0
			for _, n := range inOrder(a) {
				below, area = below+1-t[n], area+t[n]*below
				n1, n2 = n1+t[n], n2+1-t[n]
			}
			return area / (n1 * n2)
		}},
	{Key: "accuracy", Hint: 1,
		Message: "That is the share of the rows on the right side of the threshold ½, the accuracy. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0.5)},
	{Key: "accuracy-at-0", Hint: 1,
		Message: "That is the share of the rows on the right side of the threshold 0, the accuracy. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0)},
	{Key: "means", Hint: 1,
		Message: "That is how far the mean scores of the classes lie apart. The area knows only the order: a pair counts 1, ½ or 0, however far its scores differ.",
		Answer:  over(n1n2, func(a, b float64) float64 { return a - b })},
}

// over sums count over the pairs and divides by the result of by.
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
