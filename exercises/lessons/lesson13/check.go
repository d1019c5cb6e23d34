// Package lesson13 judges the task of lesson 13: class priors estimated from rows with unknown
// classes.
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

// Check judges shares, which corrects each row of posteriors for new priors and returns the mean of
// the corrected rows.
func Check(shares sharesFunc) *verify.Report {
	return exercise.Judge(askShares.Parts(shares, []judge.Property[rows]{
		judge.Form[rows]("a new slice with a number for each class, the same on every call", on(moved), nil, judge.Wrong{},
			"You returned a number for each class, in a new slice."),
		{Name: "with the priors of the fit: the mean of the rows", On: on(same), Holds: closely,
			Wrong: judge.Wrong{Key: "mean", Hint: 1,
				Message: "{problem}: here to and from are equal, so no row changes and the answer is the mean of the rows. Your answer is {off}."},
			Right: "Where the priors are equal, you return the mean of the posteriors."},
		{Name: "with other priors: each row is corrected first", On: on(same, moved), Holds: closely,
			Wrong: judge.Wrong{Key: "correction", Hint: 2,
				Message: "{problem}: with equal priors you were right. With other priors, correct each row before you average. Your answer is {off}."},
			Right: "Where the priors differ, you correct each row by their quotients and normalise its sum to 1."},
		{Name: "certain rows, rare classes, one row, one class", On: on(same, moved, limits), Holds: closely,
			Wrong: judge.Wrong{Key: "limits", Hint: 2, Message: "{problem}: your answer is {off}."},
			Right: "Your answer is also right for probabilities of 0 and 1, very rare classes, and a single row or class."},
	}...)...)
}

func closely(p rows, got []float64) verify.Finding {
	return verify.CloseSlice(got, right(p), verify.Tolerance{Rel: 1e-9})
}

// right corrects the log posteriors, computes the softmax of each row, and returns the mean row.
func right(p rows) []float64 {
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

// rows are posteriors of a model that was fitted with the priors from. The data to be classified
// have the priors to.
type rows struct {
	name     string
	y        *mat.Dense
	from, to []float64
}

func (p rows) String() string {
	n, _ := p.y.Dims()
	return fmt.Sprintf("%s (N = %d, from = %.3g, to = %.3g)", p.name, n, p.from, p.to)
}

type kind int

const (
	same kind = iota
	moved
	limits
)

// on draws rows of the given kinds, with two to four classes.
var on = instance.OfKinds(5013, 6, draw)

func draw(r *rand.Rand, k kind, i int) rows {
	p := rows{"other priors", posteriors(r, 5+4*i, 2+i%3), priors(r, 2+i%3), priors(r, 2+i%3)}
	switch k {
	case same:
		p.name, p.to = "the same priors", p.from
	case limits:
		p = atLimit(r, p, i)
	}
	return p
}

func atLimit(r *rand.Rand, p rows, i int) rows {
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

// posteriors draws n rows of k probabilities. Some rows have a probability near 1.
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

func init() { judge.Known(exercise, askShares, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson13", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
