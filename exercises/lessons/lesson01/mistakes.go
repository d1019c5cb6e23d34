package lesson01

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

var askClass = &judge.Question[classFunc, machine]{
	Func: "Class", Name: "answer", Hint: 1, Entries: []string{"class k", "distance r"},
	Ask: func(f classFunc, c *judge.Call, m machine) []float64 {
		k, r := f(c.Dense("W", m.W), c.Slice("x", m.x))
		if _, classes := m.W.Dims(); k < 0 || k >= classes {
			c.Say(judge.Fail("no-class", 1, "Your k is %d. The classes are 0 … %d.", k, classes-1))
		}
		return []float64{float64(k), r}
	},
	Right: right,
	Unit:  func(m machine, _ []float64) []float64 { return []float64{1, size(m)} },
	Mistakes: []judge.Mistake[classFunc]{
		{Key: "no-bias", Hint: 1, Message: "Your functions leave out the biases, row 0 of W.",
			Answer: by(func(W *mat.Dense, x []float64) []float64 {
				y := scores(W, x)
				floats.Sub(y, W.RawRowView(0))
				return y
			}, floats.MaxIdx, nearest)},
		{Key: "smallest", Hint: 1, Message: "Your class is the class with the smallest function.",
			Answer: by(scores, floats.MinIdx, nearest)},
		{Key: "largest-size", Hint: 1,
			Message: "Your class is the class with the largest |y_k|, which may be a function far below 0. Compare the y_k with their signs.",
			Answer: by(scores, func(y []float64) int {
				k := 0
				for j := range y {
					if math.Abs(y[j]) > math.Abs(y[k]) {
						k = j
					}
				}
				return k
			}, nearest)},
		{Key: "starts-at-zero", Hint: 1,
			Message: "{problem}: where all functions are negative your class is 0, as if your search for the largest value began with the value 0. Begin with the value of the first class.",
			Answer: by(scores, func(y []float64) int {
				k, most := 0, 0.0
				for j, v := range y {
					if v > most {
						k, most = j, v
					}
				}
				return k
			}, nearest)},
		{Key: "last-of-equal", Hint: 1,
			Message: "If several functions share the largest value, your class is the last of them. Return the first.",
			Answer:  by(scores, lastIdx, nearest)},
		{Key: "own-distance", Hint: 1,
			Message: "You compare the distances y_k/‖w_k‖ from the planes y_k = 0. Compare the functions y_k themselves, (4.9).",
			Answer: func(W *mat.Dense, x []float64) (int, float64) {
				y := scores(W, x)
				for j := range y {
					y[j] /= floats.Norm(weights(W, j), 2)
				}
				k := floats.MaxIdx(y)
				return k, nearest(W, scores(W, x), k)
			}},
		{Key: "own-plane", Hint: 2,
			Message: "Your r is the distance from the plane y_k = 0, which is not a border: the border is where y_k equals another function.",
			Answer: by(scores, floats.MaxIdx,
				func(W *mat.Dense, y []float64, k int) float64 { return y[k] / floats.Norm(weights(W, k), 2) })},
		{Key: "value", Hint: 2, Message: "Your r is y_k itself: that is a value, not a distance.",
			Answer: by(scores, floats.MaxIdx, func(_ *mat.Dense, y []float64, k int) float64 { return y[k] })},
		{Key: "not-divided", Hint: 2,
			Message: "Your r is the smallest difference y_k − y_j. To make it a distance, divide by the length of the weights of y_k − y_j.",
			Answer:  by(scores, floats.MaxIdx, over(math.Min, func(*mat.Dense, int, int) float64 { return 1 }))},
		{Key: "wrong-length", Hint: 2,
			Message: "You divide by ‖w_k‖. The weights of the plane y_k − y_j = 0 are w_k − w_j.",
			Answer: by(scores, floats.MaxIdx,
				over(math.Min, func(W *mat.Dense, k, _ int) float64 { return floats.Norm(weights(W, k), 2) }))},
		{Key: "squared-length", Hint: 2, Message: "You divide by the squared length of w_k − w_j; divide by the length.",
			Answer: by(scores, floats.MaxIdx,
				over(math.Min, func(W *mat.Dense, k, j int) float64 { return math.Pow(apart(W, k, j), 2) }))},
		{Key: "length-with-bias", Hint: 2,
			Message: "You divide by a length that includes the biases. The biases only shift the plane: use the length of w_k − w_j alone.",
			Answer: by(scores, floats.MaxIdx, over(math.Min, func(W *mat.Dense, k, j int) float64 {
				return floats.Distance(mat.Col(nil, k, W), mat.Col(nil, j, W), 2)
			}))},
		{Key: "farthest", Hint: 2,
			Message: "Your r is the distance from the farthest of the planes. The border of the region is the nearest plane.",
			Answer:  by(scores, floats.MaxIdx, over(math.Max, apart))},
		{Key: "second-largest", Hint: 3,
			Message: "{problem}: your r is the distance from the plane between k and the class with the second largest function. Another plane is nearer here: compare the distances from all planes.",
			Answer: by(scores, floats.MaxIdx, func(W *mat.Dense, y []float64, k int) float64 {
				rest := append([]float64(nil), y...)
				rest[k] = math.Inf(-1)
				j := floats.MaxIdx(rest)
				return (y[k] - y[j]) / apart(W, k, j)
			})},
		{Key: "negative", Hint: 2, Message: "Your r is negative, but y_k is the largest function, so y_k − y_j is not negative.",
			Answer: by(scores, floats.MaxIdx,
				func(W *mat.Dense, y []float64, k int) float64 { return -nearest(W, y, k) })},
	},
}

// by returns an answer that returns the class that pick selects from the functions, and the
// distance that distance computes for this class.
func by(functions func(*mat.Dense, []float64) []float64, pick func([]float64) int,
	distance func(*mat.Dense, []float64, int) float64) classFunc {
	return func(W *mat.Dense, x []float64) (int, float64) {
		y := functions(W, x)
		k := pick(y)
		return k, distance(W, y, k)
	}
}

// over returns a distance function. It divides each difference y_k − y_j by a length, and combines
// the quotients by join.
func over(join func(a, b float64) float64, length func(W *mat.Dense, k, j int) float64) func(*mat.Dense, []float64,
	int) float64 {
	return func(W *mat.Dense, y []float64, k int) float64 {
		r := math.NaN()
		for j := range y {
			if v := (y[k] - y[j]) / length(W, k, j); j != k && math.IsNaN(r) {
				r = v
			} else if j != k {
				r = join(r, v)
			}
		}
		return r
	}
}

var nearest = over(math.Min, apart)

// apart returns ‖w_k − w_j‖.
func apart(W *mat.Dense, k, j int) float64 {
	return floats.Norm(instance.Minus(weights(W, k), weights(W, j)), 2)
}

func lastIdx(y []float64) int {
	k := 0
	for j := range y {
		if y[j] >= y[k] {
			k = j
		}
	}
	return k
}
