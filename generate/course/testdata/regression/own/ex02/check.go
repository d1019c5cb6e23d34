// Package ex02 judges own exercise 3.2.
package ex02

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

type ridgeFunc = func(phi *mat.Dense, t []float64, lambda float64) []float64

// Check judges ridge, which returns the weights of ridge regression.
func Check(ridge ridgeFunc) *verify.Report {
	const name = "Ridge: no other weights have a smaller penalised error"
	return exercise.Judge(ridgeQuestion.Parts(ridge, []judge.Property[problem]{
		judge.Form("Ridge: M numbers, the same on every call", all, nil, judge.Wrong{},
			"You returned a weight for every column."),
		{Name: name, Problems: tall, Holds: close,
			Wrong: judge.Wrong{Key: "ridge", Hint: 1,
				Message: "For {problem} other weights have a smaller penalised error: a weight of yours is {off}."},
			Right: "The gradient of the penalised error is 0 at your weights."},
		{Name: "Ridge: with fewer points than weights", Problems: wide, Holds: close, Extreme: true,
			Wrong: judge.Wrong{Key: "wide", Hint: 2,
				Message: "For {problem} other weights have a smaller penalised error: a weight of yours is {off}."},
			Right: "Where the points do not determine the weights, the penalty does."},
	}...)...)
}

func close(p problem, got []float64) verify.Finding {
	return verify.CloseSlice(got, right(p), verify.Tolerance{Rel: 1e-8})
}

// problem is a design matrix with targets and a penalty.
type problem struct {
	phi    *mat.Dense
	t      []float64
	lambda float64
}

func (p problem) String() string {
	n, m := p.phi.Dims()
	return fmt.Sprintf("%d points, %d weights and λ = %.3g", n, m, p.lambda)
}

// draw returns a function that returns one random problem of each size. A size contains the number of
// points and the number of weights. In some problems the first column is a column of ones, so that its
// weight is a bias.
func draw(part uint64, sizes ...[2]int) func() []problem {
	return instance.Once(func() (list []problem) {
		r := instance.Source(30032, part)
		for i, size := range sizes {
			n, m := size[0], size[1]
			centre, spread := make([]float64, m), make([]float64, m)
			for j := range m {
				centre[j], spread[j] = r.NormFloat64(), 0.5+2*r.Float64()
			}
			if i%2 == 0 && m > 1 {
				centre[0], spread[0] = 1, 0
			}
			p := problem{phi: instance.Design(r, n, centre, spread),
				lambda: []float64{0.3, 2, 15}[i%3] * (1 + r.Float64())}
			p.t = instance.Activations(p.phi, instance.Normals(r, m))
			floats.AddScaled(p.t, 0.7, instance.Normals(r, n))
			floats.AddConst(0.8, p.t)
			list = append(list, p)
		}
		return list
	})
}

var (
	tall = draw(1, [2]int{1, 1}, [2]int{6, 2}, [2]int{8, 3}, [2]int{12, 4}, [2]int{20, 5}, [2]int{3, 3})
	wide = draw(2, [2]int{1, 2}, [2]int{2, 5}, [2]int{4, 6})
)

func all() []problem { return append(tall()[:len(tall()):len(tall())], wide()...) }

// right computes Φᵀ(λI + ΦΦᵀ)⁻¹t. The matrix λI + ΦΦᵀ has one row for each point, while the matrix in
// the reference answer has one row for each weight.
func right(p problem) []float64 {
	n, _ := p.phi.Dims()
	var k mat.Dense
	k.Mul(p.phi, p.phi.T())
	for i := range n {
		k.Set(i, i, k.At(i, i)+p.lambda)
	}
	var a, w mat.VecDense
	if err := a.SolveVec(&k, mat.NewVecDense(n, p.t)); err != nil {
		panic(err)
	}
	w.MulVec(p.phi.T(), &a)
	return w.RawVector().Data
}

var ridgeQuestion = &judge.Question[ridgeFunc, problem]{
	Func: "Ridge", Name: "w", Hint: 3, Per: "column",
	Invoke: func(f ridgeFunc, c *judge.Call, p problem) []float64 {
		_, m := p.phi.Dims()
		return c.Vector("w", f(c.Dense("phi", p.phi), c.Slice("t", p.t), p.lambda), m, "column")
	},
	Right: right,
	Mistakes: []judge.Mistake[ridgeFunc]{
		{Key: "minus", Hint: 1,
			Message: "You subtract λ from the diagonal. The gradient of the penalty is +λw.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				return solve(phi, t, func(int) float64 { return -lambda })
			}},
		{Key: "times-n", Hint: 1,
			Message: "You add Nλ to the diagonal. That is right if the error is a mean over the points; here it is a sum.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				return solve(phi, t, func(int) float64 { return float64(len(t)) * lambda })
			}},
		{Key: "twice", Hint: 1,
			Message: "You add 2λ to the diagonal. Both terms of E have the factor ½, so λ is added once.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				return solve(phi, t, func(int) float64 { return 2 * lambda })
			}},
		{Key: "half", Hint: 1,
			Message: "You add λ/2 to the diagonal. The derivative of ½w² is w: the factor ½ is gone.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				return solve(phi, t, func(int) float64 { return lambda / 2 })
			}},
		{Key: "bias-free", Hint: 1,
			Message: "You do not penalise the first weight. The penalty of this exercise contains every weight.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				return solve(phi, t, func(j int) float64 {
					if j == 0 {
						return 0
					}
					return lambda
				})
			}},
		{Key: "everywhere", Hint: 2,
			Message: "You add λ to every entry of ΦᵀΦ. The matrix λI has λ only on the diagonal.",
			Answer: func(phi *mat.Dense, t []float64, lambda float64) []float64 {
				_, m := phi.Dims()
				var a mat.Dense
				a.Mul(phi.T(), phi)
				a.Apply(func(_, _ int, v float64) float64 { return v + lambda }, &a)
				var b mat.VecDense
				b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
				w := mat.NewVecDense(m, nil)
				_ = w.SolveVec(&a, &b)
				return w.RawVector().Data
			}},
	},
}

// solve solves the normal equations after adding add(j) to diagonal entry j of ΦᵀΦ.
func solve(phi *mat.Dense, t []float64, add func(j int) float64) []float64 {
	_, m := phi.Dims()
	var a mat.Dense
	a.Mul(phi.T(), phi)
	for j := range m {
		a.Set(j, j, a.At(j, j)+add(j))
	}
	var b mat.VecDense
	b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
	w := mat.NewVecDense(m, nil)
	_ = w.SolveVec(&a, &b) // the error only means that the matrix is (nearly) singular; the check compares the numbers
	return w.RawVector().Data
}

func init() { judge.Known(exercise, ridgeQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = books.All.MustParse("own/ex02", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
