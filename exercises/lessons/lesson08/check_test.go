package lesson08_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson08"
)

type stepFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson08.Exercise(), gate.OfNew(lesson08.Check, Step))
}

// outputsAndWeights returns the activations a = Φw, the outputs y_n = σ(a_n) and the weights r_n =
// y_n(1 − y_n).
func outputsAndWeights(w []float64, Phi *mat.Dense) (a *mat.VecDense, y, r []float64) {
	a = new(mat.VecDense)
	a.MulVec(Phi, mat.NewVecDense(len(w), w))
	for n := range a.Len() {
		v := 1 / (1 + math.Exp(-a.AtVec(n)))
		y, r = append(y, v), append(r, v*(1-v))
	}
	return a, y, r
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the statement allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson08.Check, Step, func(in, out []any) float64 { return 1e-6 * gate.Largest(1.0, in[0], out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson08.Check, map[string]stepFunc{
		"reference": Step,
		"Newton": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			_, y, r := outputsAndWeights(w, Phi)
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
		"Newton with means, row by row": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			_, y, r := outputsAndWeights(w, Phi)
			n, m := Phi.Dims()
			H, g := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
			for i := range n {
				phi := Phi.RowView(i)
				g.AddScaledVec(g, (y[i]-t[i])/float64(n), phi)
				var outer mat.Dense
				outer.Outer(r[i]/float64(n), phi, phi)
				H.Add(H, &outer)
			}
			var move, next mat.VecDense
			if err := move.SolveVec(H, g); err != nil {
				panic(err)
			}
			next.SubVec(mat.NewVecDense(m, w), &move)
			return next.RawVector().Data
		},
		"Newton with columns of length 1": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			_, m := Phi.Dims()
			scaled, v := mat.DenseCopyOf(Phi), make([]float64, m)
			for j := range m {
				size := mat.Norm(Phi.ColView(j), 2)
				v[j] = w[j] * size
				for n := range t {
					scaled.Set(n, j, Phi.At(n, j)/size)
				}
			}
			next := Step(v, scaled, t)
			for j := range next {
				next[j] /= mat.Norm(Phi.ColView(j), 2)
			}
			return next
		},
		"rows scaled by √R": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			a, y, r := outputsAndWeights(w, Phi)
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
		"inverse of the Hessian": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			a, y, r := outputsAndWeights(w, Phi)
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
		"wrong-before": {func(w []float64, Phi *mat.Dense, t []float64) []float64 { return mat.Row(nil, 0, Phi) }},
		"start":        {func(w []float64, Phi *mat.Dense, t []float64) []float64 { return mat.Row(nil, 0, Phi) }},
		// this answer starts at 0 instead of w
		"step": {func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return Step(make([]float64, len(w)), Phi, t)
		}},
		"far": {func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return ridgeStep(w, Phi, t, 1e-6)
		}},
	})
}

// ridgeStep returns the weights after a wrong Newton step. When it computes z, the step divides the
// error of row n by R_nn, or by `least` if `least` is larger than R_nn.
func ridgeStep(w []float64, Phi *mat.Dense, t []float64, least float64) []float64 {
	a, y, r := outputsAndWeights(w, Phi)
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
		a, y, r := outputsAndWeights(w, Phi)
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
	// Output: Your z are right, but all rows have the same weight in your fit. Row n has the weight R_nn, in the matrix and in the vector.
}
