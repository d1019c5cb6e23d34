package lesson08_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson08"
)

type stepFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson08.Exercise(), gate.Of(lesson08.Check, Step))
}

// parts are y and R of all rows, and Φw.
func parts(w []float64, Phi *mat.Dense) (a *mat.VecDense, y, r []float64) {
	a = new(mat.VecDense)
	a.MulVec(Phi, mat.NewVecDense(len(w), w))
	for n := range a.Len() {
		v := 1 / (1 + math.Exp(-a.AtVec(n)))
		y, r = append(y, v), append(r, v*(1-v))
	}
	return a, y, r
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson08.Check, map[string]stepFunc{
		"reference": Step,
		"Newton": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			_, y, r := parts(w, Phi)
			var RPhi, H, g, move mat.Dense
			RPhi.Mul(mat.NewDiagDense(len(r), r), Phi)
			H.Mul(Phi.T(), &RPhi)
			e := mat.NewDense(len(t), 1, nil)
			for n := range t {
				e.Set(n, 0, y[n]-t[n])
			}
			g.Mul(Phi.T(), e)
			if err := move.Solve(&H, &g); err != nil {
				panic(err)
			}
			next := append([]float64(nil), w...)
			for i := range next {
				next[i] -= move.At(i, 0)
			}
			return next
		},
		"rows scaled by the root": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			a, y, r := parts(w, Phi)
			n, m := Phi.Dims()
			x, z := mat.NewDense(n, m, nil), mat.NewVecDense(n, nil)
			for i := range n {
				s := math.Sqrt(r[i])
				for j := range m {
					x.Set(i, j, s*Phi.At(i, j))
				}
				z.SetVec(i, s*(a.AtVec(i)-(y[i]-t[i])/r[i]))
			}
			var next mat.VecDense
			if err := next.SolveVec(x, z); err != nil {
				panic(err)
			}
			return next.RawVector().Data
		},
		"the inverse": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			a, y, r := parts(w, Phi)
			R := mat.NewDiagDense(len(r), r)
			z := mat.NewVecDense(len(t), nil)
			for n := range t {
				z.SetVec(n, a.AtVec(n)+(t[n]-y[n])/r[n])
			}
			var PR, H, inverse, b, next mat.Dense
			PR.Mul(Phi.T(), R)
			H.Mul(&PR, Phi)
			if err := inverse.Inverse(&H); err != nil {
				panic(err)
			}
			b.Mul(&PR, z)
			next.Mul(&inverse, &b)
			return mat.Col(nil, 0, &next)
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson08.Exercise(), lesson08.Check, map[string][]stepFunc{
		"mutates-inputs": {func(w []float64, Phi *mat.Dense, t []float64) []float64 { copy(w, Step(w, Phi, t)); return w }},
		"wrong-length":   {func(w []float64, Phi *mat.Dense, t []float64) []float64 { return append(Step(w, Phi, t), 0) }},
		"empty":          {func(w []float64, Phi *mat.Dense, t []float64) []float64 { return nil }},
		"start":          {func(w []float64, Phi *mat.Dense, t []float64) []float64 { return mat.Row(nil, 0, Phi) }},
		"step": {func(w []float64, Phi *mat.Dense, t []float64) []float64 { // right from 0 only
			return Step(make([]float64, len(w)), Phi, t)
		}},
		"far": {func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return ridge(w, Phi, t, 1e-6)
		}},
		"views": {func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return Step(w, mat.NewDense(len(t), len(w), Phi.RawMatrix().Data[:len(t)*len(w)]), t)
		}},
	})
}

// ridge is a step whose R are never smaller than least, in the division alone.
func ridge(w []float64, Phi *mat.Dense, t []float64, least float64) []float64 {
	a, y, r := parts(w, Phi)
	H, v := mat.NewSymDense(len(w), nil), mat.NewVecDense(len(w), nil)
	for n := range t {
		phi := Phi.RowView(n)
		H.SymRankOne(H, r[n], phi)
		v.AddScaledVec(v, r[n]*(a.AtVec(n)-(y[n]-t[n])/math.Max(r[n], least)), phi)
	}
	var next mat.VecDense
	if err := next.SolveVec(H, v); err != nil {
		panic(err)
	}
	return next.RawVector().Data
}

func ExampleCheck() {
	unweighted := func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		a, y, r := parts(w, Phi)
		for n := range t {
			a.SetVec(n, a.AtVec(n)-(y[n]-t[n])/r[n])
		}
		var next mat.VecDense
		if err := next.SolveVec(Phi, a); err != nil {
			panic(err)
		}
		return next.RawVector().Data
	}
	fmt.Println(lesson08.Check(unweighted).Parts[2].Message)
	// Output: Your z are right, but all rows count alike in your fit. Row n counts R_nn times, in the matrix and in the vector.
}
