package ex13_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
)

type gradientFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer gradientFunc
	}{
		{"reference", Gradient},
		{"Φᵀ(y − t) with vectors", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			var a, g mat.VecDense
			a.MulVec(Phi, mat.NewVecDense(len(w), w))
			for n := range t {
				a.SetVec(n, sigmoid(a.AtVec(n))-t[n])
			}
			g.MulVec(Phi.T(), &a)
			return g.RawVector().Data
		}},
		{"hyperbolic tangent, entry by entry", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := make([]float64, len(w))
			for j := range g {
				for n := range t {
					a := 0.0
					for k, v := range w {
						a += v * Phi.At(n, k)
					}
					g[j] += ((1+math.Tanh(a/2))/2 - t[n]) * Phi.At(n, j)
				}
			}
			return g
		}},
		{"class by class, with labels ±1", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				s := 2*t[n] - 1
				floats.AddScaled(g, -s*sigmoid(-s*mat.Dot(mat.NewVecDense(len(w), w), Phi.RowView(n))), Phi.RawRowView(n))
			}
			return g
		}},
		{"tᵀΦ taken off in the end", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			y := make([]float64, len(t))
			for n := range t {
				y[n] = sigmoid(floats.Dot(w, Phi.RawRowView(n)))
			}
			var gy, gt mat.Dense
			gy.Mul(mat.NewDense(1, len(y), y), Phi)
			gt.Mul(mat.NewDense(1, len(t), t), Phi)
			gy.Sub(&gy, &gt)
			return gy.RawRowView(0)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex13.Check(tc.answer)) })
	}
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// bySum is Σ r(a, t) φ.
func bySum(r func(a, t float64) float64) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		g := make([]float64, len(w))
		for n := range t {
			floats.AddScaled(g, r(floats.Dot(w, Phi.RawRowView(n)), t[n]), Phi.RawRowView(n))
		}
		return g
	}
}
