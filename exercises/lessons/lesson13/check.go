// Package lesson13 judges the task of lesson 13: an estimate of the class priors from rows whose
// classes are unknown.
package lesson13

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type sharesFunc = func(Y *mat.Dense, from, to []float64) []float64

// Check judges `shares`, which corrects each row of posteriors for new priors and returns the mean
// of the corrected rows.
func Check(shares sharesFunc) *verify.Report {
	return exercise.Judge(sharesQuestion.Parts(shares, []judge.Property[posteriorRows]{
		judge.Form[posteriorRows]("a new slice with a number for each class, the same on every call", ofKinds(moved), nil, judge.Wrong{},
			"You returned a number for each class, in a new slice."),
		{Name: "new priors equal to the old priors: the mean of the rows", Problems: ofKinds(same),
			Holds: compareShares,
			Wrong: judge.Wrong{Key: "mean", Hint: 1,
				Message: "{problem}: the new priors equal the old priors, so no row changes and the answer is the mean of the rows. Your answer is {off}."},
			Right: "If the new priors equal the priors of the model, you return the mean of the posteriors."},
		{Name: "new priors different from the old priors: each row is corrected first", Problems: ofKinds(same, moved),
			Holds: compareShares,
			Wrong: judge.Wrong{Key: "correction", Hint: 2,
				Message: "{problem}: your answers are right if the new priors equal the priors of the model. Here they differ, so correct each row before you average. Your answer is {off}."},
			Right: "If the new priors differ from the priors of the model, you return the mean of the corrected and normalised rows."},
		{Name: "certain rows, rare classes, one row, one class", Problems: ofKinds(same, moved, limits),
			Holds: compareShares,
			Wrong: judge.Wrong{Key: "limits", Hint: 2, Message: "{problem}: your answer is {off}."},
			Right: "Your answer is also right for probabilities of 0 and 1, very rare classes, and a single row or class."},
	}...)...)
}

func compareShares(p posteriorRows, got []float64) verify.Finding {
	return verify.CloseSlice(got, rightShares(p), verify.Tolerance{Rel: 1e-9})
}

// rightShares corrects the log posteriors, computes the softmax of each row, and returns the mean
// of the rows.
func rightShares(p posteriorRows) []float64 {
	n, k := p.y.Dims()
	out := make([]float64, k)
	for row := range n {
		a := make([]float64, k)
		for j := range k {
			a[j] = math.Log(p.y.At(row, j)) + math.Log(p.to[j]) - math.Log(p.from[j])
		}
		all := floats.LogSumExp(a)
		for j := range k {
			out[j] += math.Exp(a[j]-all) / float64(n)
		}
	}
	return out
}

// posteriorRows contains the posteriors that a model yields for some rows. The model was fitted to
// data with the class priors `from`; the rows have the class priors `to`.
type posteriorRows struct {
	name     string
	y        *mat.Dense
	from, to []float64
}

func (p posteriorRows) String() string {
	n, _ := p.y.Dims()
	return fmt.Sprintf("%s (N = %d, from = %.3g, to = %.3g)", p.name, n, p.from, p.to)
}

type kind int

const (
	same kind = iota
	moved
	limits
)

// ofKinds returns a function that draws rows of the given kinds. One problem of the kind `limits` has
// a single class. All other problems have two to four classes.
var ofKinds = instance.OfKinds(5013, 6, draw)

func draw(r *rand.Rand, k kind, i int) posteriorRows {
	p := posteriorRows{"other priors", posteriors(r, 5+4*i, 2+i%3), priors(r, 2+i%3), priors(r, 2+i%3)}
	switch k {
	case same:
		p.name, p.to = "the same priors", p.from
	case limits:
		p = atLimit(r, p, i)
	}
	return p
}

func atLimit(r *rand.Rand, p posteriorRows, i int) posteriorRows {
	n, k := p.y.Dims()
	switch i % 4 {
	case 0:
		p.name = "rows that are certain"
		for row := range n {
			p.y.SetRow(row, make([]float64, k))
			p.y.Set(row, row%k, 1)
		}
	case 1:
		p.name = "a class that has become rare"
		p.to[0] = 1e-9
		floats.Scale((1-p.to[0])/floats.Sum(p.to[1:]), p.to[1:])
	case 2:
		p.name, p.y = "a single row", posteriors(r, 1, k)
	default:
		p.name, p.y, p.from, p.to = "a single class", mat.NewDense(2, 1, []float64{1, 1}), []float64{1}, []float64{1}
	}
	return p
}

// posteriors draws n rows. Each row contains the probabilities of k classes, and some rows contain
// a probability near 1.
func posteriors(r *rand.Rand, n, k int) *mat.Dense {
	y := mat.NewDense(n, k, nil)
	for row := range n {
		y.SetRow(row, softmax(instance.Normals(r, k), 2))
	}
	return y
}

func priors(r *rand.Rand, k int) []float64 { return softmax(instance.Normals(r, k), 1) }

func softmax(a []float64, steep float64) []float64 {
	floats.Scale(steep, a)
	return kernel.Softmax(a)
}

var sharesQuestion = &judge.Question[sharesFunc, posteriorRows]{
	Func: "Shares", Name: "shares", Hint: 3, Per: "class", New: true,
	Invoke: func(f sharesFunc, c *judge.Call, p posteriorRows) []float64 {
		_, k := p.y.Dims()
		return c.Vector("shares", f(c.Dense("Y", p.y), c.Slice("from", p.from), c.Slice("to", p.to)), k, "class")
	},
	Right: rightShares,
	Mistakes: []judge.Mistake[sharesFunc]{
		{Key: "sum", Hint: 3, Message: "Your numbers are the sum of the rows. Divide the sum by the number of rows, because shares sum to 1.",
			Answer: byCorrection(quotient, true, func(int, int) float64 { return 1 })},
		{Key: "by-classes", Hint: 3,
			Message: "Your numbers are the sum of the rows divided by the number of classes. Divide the sum by the number of rows.",
			Answer:  byCorrection(quotient, true, func(_, k int) float64 { return float64(k) })},
		{Key: "counted", Hint: 1,
			Message: "Your shares count only the most probable class of each row. A row of 0.6 and 0.4 adds 0.6 to one class and 0.4 to the other.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				n, k := Y.Dims()
				out := make([]float64, k)
				for row := range n {
					y := correctRow(Y, row, from, to, quotient)
					out[floats.MaxIdx(y)] += 1 / float64(n)
				}
				return out
			}},
		{Key: "not-corrected", Hint: 2,
			Message: "You return the mean of the uncorrected posteriors. Your answer does not depend on the priors.",
			Answer:  byCorrection(func(y, _, _ float64) float64 { return y }, true, byRows)},
		{Key: "upside-down", Hint: 2,
			Message: "Your quotient is from/to. The probability of a class that has become rarer must decrease, so the quotient is to/from.",
			Answer:  byCorrection(func(y, from, to float64) float64 { return y * from / to }, true, byRows)},
		{Key: "from-left-out", Hint: 2,
			Message: "Your rows are multiplied by the new priors, but not divided by the old ones. The posteriors still contain the old priors.",
			Answer:  byCorrection(func(y, _, to float64) float64 { return y * to }, true, byRows)},
		{Key: "to-left-out", Hint: 2, Message: "Your rows are divided by the old priors, but not multiplied by the new ones.",
			Answer: byCorrection(func(y, from, _ float64) float64 { return y / from }, true, byRows)},
		{Key: "not-normalised", Hint: 2,
			Message: "Your corrected rows do not sum to 1. Divide each row by its sum before you average the rows.",
			Answer:  byCorrection(quotient, false, byRows)},
		{Key: "normalised-late", Hint: 2,
			Message: "Only the mean of your rows is normalised. Normalise each row. Otherwise rows of classes that have become more frequent weigh more than other rows.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				out := byCorrection(quotient, false, byRows)(Y, from, to)
				floats.Scale(1/floats.Sum(out), out)
				return out
			}},
		{Key: "difference", Hint: 2,
			Message: "Your rows are the posteriors plus the difference of the priors. A prior is a factor of the joint density, so multiply by the quotient of the priors.",
			Answer:  byCorrection(func(y, from, to float64) float64 { return y + to - from }, true, byRows)},
		{Key: "logarithm", Hint: 2,
			Message: "Your rows are the posteriors plus the logarithm of to/from. Multiply each probability by the quotient to/from itself.",
			Answer:  byCorrection(func(y, from, to float64) float64 { return y + math.Log(to/from) }, true, byRows)},
		{Key: "first-class", Hint: 2, Message: "Only the first class is corrected in your rows. Correct every class by its own quotient.",
			Answer: func(Y *mat.Dense, from, to []float64) []float64 {
				others := append([]float64{from[0]}, to[1:]...)
				return byCorrection(quotient, true, byRows)(Y, others, to)
			}},
	},
}

func quotient(y, from, to float64) float64 { return y * to / from }

func byRows(n, _ int) float64 { return float64(n) }

// correctRow corrects a row of Y: it calls the function `correct` for each class j, and replaces
// the probability y_j with the result. The arguments of `correct` are y_j, from_j and to_j.
func correctRow(Y *mat.Dense, row int, from, to []float64, correct func(y, from, to float64) float64) []float64 {
	y := mat.Row(nil, row, Y)
	for j := range y {
		y[j] = correct(y[j], from[j], to[j])
	}
	return y
}

// byCorrection returns an answer that corrects each row with the function `correct`. If `normalise`
// is true, the answer then divides each corrected row by its sum. Finally, the answer divides the
// sum of the rows by the result of the function `divisor`.
func byCorrection(correct func(y, from, to float64) float64, normalise bool,
	divisor func(n, k int) float64) sharesFunc {
	return func(Y *mat.Dense, from, to []float64) []float64 {
		n, k := Y.Dims()
		out := make([]float64, k)
		for row := range n {
			y := correctRow(Y, row, from, to, correct)
			c := divisor(n, k)
			if normalise {
				c *= floats.Sum(y)
			}
			floats.AddScaled(out, 1/c, y)
		}
		return out
	}
}

func init() { judge.Known(exercise, sharesQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson13", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
