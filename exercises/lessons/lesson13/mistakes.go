package lesson13

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

var askShares = &judge.Question[sharesFunc, rows]{
	Func: "Shares", Name: "shares", Hint: 3, Per: "class", New: true,
	Ask: func(f sharesFunc, c *judge.Call, p rows) []float64 {
		_, k := p.y.Dims()
		return c.Vector("shares", f(c.Dense("Y", p.y), c.Slice("from", p.from), c.Slice("to", p.to)), k, "class")
	},
	Right: right,
	Mistakes: []judge.Mistake[sharesFunc]{
		{Key: "sum", Hint: 3, Message: "You add the rows up and do not divide by their number: shares sum to 1.",
			Answer: corrected(quotient, true, func(int, int) float64 { return 1 })},
		{Key: "by-classes", Hint: 3,
			Message: "You divide by the number of classes. A mean over the rows is divided by the number of rows.",
			Answer:  corrected(quotient, true, func(_, k int) float64 { return float64(k) })},
		{Key: "counted", Hint: 1,
			Message: "You count in each row only the class that is most probable. A row of 0.6 and 0.4 is 0.6 of a row of the one class and 0.4 of the other.",
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
			Message: "That is the mean of the posteriors as they came: from and to do nothing.",
			Answer:  corrected(func(y, _, _ float64) float64 { return y }, true, byRows)},
		{Key: "upside-down", Hint: 2,
			Message: "The quotient is upside down: what has become rarer must lose, so to stands above from.",
			Answer:  corrected(func(y, from, to float64) float64 { return y * from / to }, true, byRows)},
		{Key: "from-left-out", Hint: 2,
			Message: "You multiply by the new priors and leave the old ones in: they are still inside the posteriors, and have to be divided out.",
			Answer:  corrected(func(y, _, to float64) float64 { return y * to }, true, byRows)},
		{Key: "to-left-out", Hint: 2, Message: "You divide the old priors out and do not put the new ones in.",
			Answer: corrected(func(y, from, _ float64) float64 { return y / from }, true, byRows)},
		{Key: "not-normalised", Hint: 2,
			Message: "The corrected rows do not sum to 1 any more. Divide each by its sum before you average.",
			Answer:  corrected(quotient, false, byRows)},
		{Key: "normalised-late", Hint: 2,
			Message: "You normalise once, at the end. Each row has to sum to 1 by itself: else rows of the classes that gain count more than others.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				out := corrected(quotient, false, byRows)(Y, from, to)
				floats.Scale(1/floats.Sum(out), out)
				return out
			}},
		{Key: "difference", Hint: 2,
			Message: "You add the difference of the priors. They are factors of the joint density: multiply by their quotient.",
			Answer:  corrected(func(y, from, to float64) float64 { return y + to - from }, true, byRows)},
		{Key: "logarithm", Hint: 2,
			Message: "You add the logarithm of the quotient to a probability. It is added to the log odds, the bias; a probability is multiplied by the quotient itself.",
			Answer:  corrected(func(y, from, to float64) float64 { return y + math.Log(to/from) }, true, byRows)},
		{Key: "first-class", Hint: 2, Message: "Only the first class is corrected. Each has a quotient of its own.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				others := append([]float64{from[0]}, to[1:]...)
				return corrected(quotient, true, byRows)(Y, others, to)
			}},
	},
}

func quotient(y, from, to float64) float64 { return y * to / from }

func byRows(n, _ int) float64 { return float64(n) }

// correct returns a row with by applied to each probability.
func correct(Y *mat.Dense, row int, from, to []float64, by func(y, from, to float64) float64) []float64 {
	y := mat.Row(nil, row, Y)
	for j := range y {
		y[j] = by(y[j], from[j], to[j])
	}
	return y
}

// corrected sums the rows, each corrected and perhaps normalised, and divides the sum.
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
