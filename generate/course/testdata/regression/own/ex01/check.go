// Package ex01 judges own exercise 3.1.
package ex01

import (
	"embed"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/course/books"
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type weightsFunc = func(phi *mat.Dense, t []float64) []float64

// Check judges weights, which returns the least-squares weights.
func Check(weights weightsFunc) *verify.Report {
	return exercise.Judge(weightsQuestion.Parts(weights, []judge.Property[problem]{
		judge.Form("Weights: M numbers, the same on every call", all, nil, judge.Wrong{},
			"You returned a weight for every column."),
		{Name: "Weights: no other weights have a smaller sum of squares", Problems: all,
			Holds: func(p problem, got []float64) verify.Finding {
				return verify.CloseSlice(got, right(p), verify.Tolerance{Rel: 1e-8})
			},
			Wrong: judge.Wrong{Key: "weights", Hint: 1,
				Message: "For {problem} other weights have a smaller sum of squares: a weight of yours is {off}."},
			Right: "The residuals are orthogonal to the columns of the design matrix."},
	}...)...)
}

// problem is a design matrix with targets.
type problem struct {
	phi *mat.Dense
	t   []float64
}

func (p problem) String() string {
	n, m := p.phi.Dims()
	return fmt.Sprintf("%d points and %d weights", n, m)
}

// all returns the random problems. Among them are problems with one weight and one point, with as
// many points as weights, without a column of ones, with columns on different scales, and with an
// exact fit.
var all = instance.Once(func() (list []problem) {
	r := instance.Source(30031, 1)
	for i, size := range [][2]int{{1, 1}, {3, 3}, {6, 2}, {8, 3}, {12, 4}, {20, 5}, {9, 2}} {
		n, m := size[0], size[1]
		centre, spread := make([]float64, m), make([]float64, m)
		for j := range m {
			centre[j], spread[j] = r.NormFloat64(), 0.5+2*r.Float64()
		}
		if i%2 == 0 && n > 1 {
			centre[0], spread[0] = 1, 0 // a bias
		}
		p := problem{phi: instance.Design(r, n, centre, spread)}
		p.t = instance.Activations(p.phi, instance.Normals(r, m))
		if i < 6 {
			floats.AddScaled(p.t, 0.7, instance.Normals(r, n))
			floats.AddConst(0.4, p.t)
		}
		list = append(list, p)
	}
	return list
})

// right computes the weights with a QR factorisation, while the reference answer solves the normal
// equations.
func right(p problem) []float64 {
	var qr mat.QR
	qr.Factorize(p.phi)
	var w mat.Dense
	if err := qr.SolveTo(&w, false, mat.NewDense(len(p.t), 1, slices.Clone(p.t))); err != nil {
		panic(err)
	}
	return w.RawMatrix().Data
}

var weightsQuestion = &judge.Question[weightsFunc, problem]{
	Func: "Weights", Name: "w", Hint: 3, Per: "column",
	Invoke: func(f weightsFunc, c *judge.Call, p problem) []float64 {
		_, m := p.phi.Dims()
		return c.Vector("w", f(c.Dense("phi", p.phi), c.Slice("t", p.t)), m, "column")
	},
	Right: right,
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "projection", Hint: 2,
			Message: "You return Φᵀt. This is the right-hand side of the normal equations: the matrix ΦᵀΦ is missing on the left.",
			Answer: func(phi *mat.Dense, t []float64) []float64 {
				var b mat.VecDense
				b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
				return b.RawVector().Data
			}},
		{Key: "each-alone", Hint: 2,
			Message: "Each of your weights fits t with its own column alone. Columns that are not orthogonal must be fitted together: ΦᵀΦ has nonzero entries off the diagonal.",
			Answer: func(phi *mat.Dense, t []float64) []float64 {
				_, m := phi.Dims()
				w := make([]float64, m)
				for j := range m {
					column := mat.Col(nil, j, phi)
					w[j] = floats.Dot(column, t) / floats.Dot(column, column)
				}
				return w
			}},
		{Key: "ridge", Hint: 1,
			Message: "You add 1 to the diagonal of ΦᵀΦ. The error of this exercise has no penalty, so add nothing.",
			Answer:  func(phi *mat.Dense, t []float64) []float64 { return plus(phi, t, 1) }},
		{Key: "sign", Hint: 2,
			Message: "All your weights have the wrong sign. Check the sign of Φᵀt after you move it to the other side of the equation.",
			Answer: func(phi *mat.Dense, t []float64) []float64 {
				w := plus(phi, t, 0)
				floats.Scale(-1, w)
				return w
			}},
	},
}

// plus solves the normal equations after adding lambda to the diagonal of ΦᵀΦ.
func plus(phi *mat.Dense, t []float64, lambda float64) []float64 {
	_, m := phi.Dims()
	var a mat.Dense
	a.Mul(phi.T(), phi)
	for j := range m {
		a.Set(j, j, a.At(j, j)+lambda)
	}
	var b, w mat.VecDense
	b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
	if err := w.SolveVec(&a, &b); err != nil {
		panic(err)
	}
	return w.RawVector().Data
}

func init() { judge.Known(exercise, weightsQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = books.All.MustParse("own/ex01", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
