// Package ex03 judges own exercise 3.3.
package ex03

import (
	"embed"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/course/books"
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type varianceFunc = func(phi *mat.Dense, alpha, beta float64, x []float64) float64

// Check judges variance, which returns the variance of a prediction.
func Check(variance varianceFunc) *verify.Report {
	return exercise.Judge(varianceQuestion.Parts(variance, []judge.Property[problem]{
		judge.Form("Variance: a number, the same on every call", all, nil, judge.Wrong{},
			"You returned a number for every input."),
		{Name: "Variance: noise and uncertain weights", Problems: all,
			Holds: func(p problem, got []float64) verify.Finding {
				return verify.Close(got[0], right(p)[0], verify.Tolerance{Rel: 1e-9})
			},
			Wrong: judge.Wrong{Key: "variance", Hint: 1,
				Message: "For {problem} the variance of a new target is wrong: yours is {off}."},
			Right: "Your variance contains the noise and what the data leave unknown about the weights."},
	}...)...)
}

// problem contains the observed rows of features, the features of a new target, and the two
// precisions.
type problem struct {
	phi         *mat.Dense
	alpha, beta float64
	x           []float64
}

func (p problem) String() string {
	n, m := p.phi.Dims()
	return fmt.Sprintf("%d points, %d weights, α = %.3g and β = %.3g", n, m, p.alpha, p.beta)
}

var all = instance.Once(func() (list []problem) {
	r := instance.Source(30033, 1)
	for i, size := range [][2]int{{1, 1}, {1, 2}, {2, 5}, {3, 3}, {6, 2}, {12, 4}, {20, 3}} {
		n, m := size[0], size[1]
		centre, spread := make([]float64, m), make([]float64, m)
		for j := range m {
			centre[j], spread[j] = r.NormFloat64(), 0.5+r.Float64()
		}
		if i%2 == 0 && m > 1 {
			centre[0], spread[0] = 1, 0
		}
		list = append(list, problem{
			phi:   instance.Design(r, n, centre, spread),
			alpha: []float64{0.2, 1.5, 3}[i%3] * (1 + r.Float64()/4),
			beta:  []float64{2.5, 0.3}[i%2] * (1 + r.Float64()/4),
			x:     instance.Normals(r, m),
		})
	}
	return list
})

// right computes the variance from the covariance of the weights. It starts with the covariance of
// the prior and adds the points one after another. Each point changes the covariance by a matrix of
// rank one.
func right(p problem) []float64 {
	n, m := p.phi.Dims()
	s := mat.NewDense(m, m, nil)
	for j := range m {
		s.Set(j, j, 1/p.alpha)
	}
	for i := range n {
		row := mat.NewVecDense(m, mat.Row(nil, i, p.phi))
		var sr mat.VecDense
		sr.MulVec(s, row)
		var outer mat.Dense
		outer.Outer(p.beta/(1+p.beta*mat.Dot(row, &sr)), &sr, &sr)
		s.Sub(s, &outer)
	}
	var sx mat.VecDense
	sx.MulVec(s, mat.NewVecDense(m, p.x))
	return []float64{1/p.beta + floats.Dot(p.x, sx.RawVector().Data)}
}

var varianceQuestion = &judge.Question[varianceFunc, problem]{
	Func: "Variance", Name: "variance", Hint: 3,
	Invoke: func(f varianceFunc, c *judge.Call, p problem) []float64 {
		return []float64{f(c.Dense("phi", p.phi), p.alpha, p.beta, c.Slice("x", p.x))}
	},
	Right: right,
	Mistakes: []judge.Mistake[varianceFunc]{
		{Key: "no-noise", Hint: 1,
			Message: "Your number is only the variance of the predicted mean. A new target also contains noise.",
			Answer: func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
				return meanVariance(phi, alpha, beta, x)
			}},
		{Key: "noise-alone", Hint: 1,
			Message: "Your number is the variance of the noise alone. The weights are not known exactly.",
			Answer:  func(_ *mat.Dense, _, beta float64, _ []float64) float64 { return 1 / beta }},
		{Key: "beta-for-variance", Hint: 1,
			Message: "You add β to the variance. β is a precision: the variance of the noise is its inverse.",
			Answer: func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
				return beta + meanVariance(phi, alpha, beta, x)
			}},
		{Key: "no-beta", Hint: 2,
			Message: "Your precision matrix is αI + ΦᵀΦ. The smaller the noise, the more the points count. Which factor does ΦᵀΦ need?",
			Answer: func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
				return 1/beta + meanVariance(phi, alpha, 1, x)
			}},
		{Key: "exchanged", Hint: 2,
			Message: "You exchange α and β in the precision matrix. The prior contributes αI.",
			Answer: func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
				return 1/beta + meanVariance(phi, beta, alpha, x)
			}},
		{Key: "not-inverted", Hint: 2,
			Message: "You use the precision matrix of the weights where their covariance belongs. Invert it.",
			Answer: func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
				var y mat.VecDense
				v := mat.NewVecDense(len(x), x)
				y.MulVec(phi, v)
				return 1/beta + alpha*mat.Dot(v, v) + beta*mat.Dot(&y, &y)
			}},
	},
}

// meanVariance returns xᵀ(αI + βΦᵀΦ)⁻¹x.
func meanVariance(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
	var a mat.Dense
	a.Mul(phi.T(), phi)
	a.Scale(beta, &a)
	for j := range x {
		a.Set(j, j, a.At(j, j)+alpha)
	}
	v := mat.NewVecDense(len(x), x)
	var s mat.VecDense
	if err := s.SolveVec(&a, v); err != nil {
		panic(err)
	}
	return mat.Dot(v, &s)
}

func init() { judge.Known(exercise, varianceQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = books.All.MustParse("own/ex03", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
