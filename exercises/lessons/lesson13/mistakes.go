package lesson13

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

var askShares = &judge.Question[sharesFunc, rows]{
	Func: "Shares", Name: "shares", Hint: 3, Per: "class", New: true,
	Ask: func(f sharesFunc, c *judge.Call, p rows) []float64 {
		_, k := p.y.Dims()
		return c.Vector("shares", f(c.Dense("Y", p.y), c.Slice("from", p.from), c.Slice("to", p.to)), k, "class")
	},
	Right: right,
	Mistakes: []judge.Mistake[sharesFunc]{
		{Key: "sum", Hint: 3, Message: "You add the rows but do not divide by their number. Shares sum to 1.",
			Answer: corrected(quotient, true, func(int, int) float64 { return 1 })},
		{Key: "by-classes", Hint: 3,
			Message: "You divide the sum of the rows by the number of classes. Divide it by the number of rows.",
			Answer:  corrected(quotient, true, func(_, k int) float64 { return float64(k) })},
		{Key: "counted", Hint: 1,
			Message: "You count only the most probable class of each row. A row of 0.6 and 0.4 adds 0.6 to one class and 0.4 to the other.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				n, k := Y.Dims()
				out := make([]float64, k)
				for row := range n {
					y := correct(Y, row, from, to, quotient)
					out[floats.MaxIdx(y)] += 1 / float64(n)
				}
				return out
			}},
		{Key: "not-corrected", Hint: 2,
			Message: "You return the mean of the uncorrected posteriors. Your answer does not depend on from and to.",
			Answer:  corrected(func(y, _, _ float64) float64 { return y }, true, byRows)},
		{Key: "upside-down", Hint: 2,
			Message: "Your quotient is from/to. The probability of a class that has become rarer must decrease, so the quotient is to/from.",
			Answer:  corrected(func(y, from, to float64) float64 { return y * from / to }, true, byRows)},
		{Key: "from-left-out", Hint: 2,
			Message: "You multiply by the new priors but do not divide by the old ones. The posteriors still contain the old priors.",
			Answer:  corrected(func(y, _, to float64) float64 { return y * to }, true, byRows)},
		{Key: "to-left-out", Hint: 2, Message: "You divide by the old priors but do not multiply by the new ones.",
			Answer: corrected(func(y, from, _ float64) float64 { return y / from }, true, byRows)},
		{Key: "not-normalised", Hint: 2,
			Message: "Your corrected rows do not sum to 1. Divide each row by its sum before you average.",
			Answer:  corrected(quotient, false, byRows)},
		{Key: "normalised-late", Hint: 2,
			Message: "You normalise only the mean. Normalise each row; otherwise rows of classes that have become more frequent have more weight than others.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				out := corrected(quotient, false, byRows)(Y, from, to)
				floats.Scale(1/floats.Sum(out), out)
				return out
			}},
		{Key: "difference", Hint: 2,
			Message: "You add the difference of the priors. A prior is a factor of the joint density, so multiply by the quotient of the priors.",
			Answer:  corrected(func(y, from, to float64) float64 { return y + to - from }, true, byRows)},
		{Key: "logarithm", Hint: 2,
			Message: "You add the logarithm of the quotient to a probability. Add it to the log odds, or multiply the probability by the quotient itself.",
			Answer:  corrected(func(y, from, to float64) float64 { return y + math.Log(to/from) }, true, byRows)},
		{Key: "first-class", Hint: 2, Message: "You correct only the first class. Correct every class by its own quotient.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				others := append([]float64{from[0]}, to[1:]...)
				return corrected(quotient, true, byRows)(Y, others, to)
			}},
	},
}

func quotient(y, from, to float64) float64 { return y * to / from }

func byRows(n, _ int) float64 { return float64(n) }

// correct returns a row of Y with by applied to each probability and the two priors of its class.
func correct(Y *mat.Dense, row int, from, to []float64, by func(y, from, to float64) float64) []float64 {
	y := mat.Row(nil, row, Y)
	for j := range y {
		y[j] = by(y[j], from[j], to[j])
	}
	return y
}

// corrected returns an answer that corrects each row with by and adds the rows. The sum is divided
// by the result of divisor. If normalise is true, each corrected row is divided by its sum first.
func corrected(by func(y, from, to float64) float64, normalise bool, divisor func(n, k int) float64) sharesFunc {
	return func(Y *mat.Dense, from, to []float64) []float64 {
		n, k := Y.Dims()
		out := make([]float64, k)
		for row := range n {
			y := correct(Y, row, from, to, by)
			c := divisor(n, k)
			if normalise {
				c *= floats.Sum(y)
			}
			floats.AddScaled(out, 1/c, y)
		}
		return out
	}
}
