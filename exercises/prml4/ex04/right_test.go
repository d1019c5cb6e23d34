package ex04_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex04"
)

type directionFunc = func(X1, X2 *mat.Dense) []float64

// columns returns f of every column of both classes.
func columns(f func(x1, x2 []float64) float64) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		_, d := X1.Dims()
		w := make([]float64, d)
		for j := range w {
			w[j] = f(mat.Col(nil, j, X1), mat.Col(nil, j, X2))
		}
		return w
	}
}

func mean(v []float64) float64 { return stat.Mean(v, nil) }

var difference = columns(func(x1, x2 []float64) float64 { return mean(x2) - mean(x1) })

// unit brings what f returns to length 1.
func unit(f directionFunc) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		w := f(X1, X2)
		floats.Scale(1/floats.Norm(w, 2), w)
		return w
	}
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer directionFunc
	}{
		{"reference", Direction},
		{"column by column", unit(difference)},
		{"products with vectors of ones", func(X1, X2 *mat.Dense) []float64 {
			average := func(X *mat.Dense) *mat.VecDense {
				n, _ := X.Dims()
				ones := mat.NewVecDense(n, nil)
				for i := range n {
					ones.SetVec(i, 1/float64(n))
				}
				var m mat.VecDense
				m.MulVec(X.T(), ones)
				return &m
			}
			var w mat.VecDense
			w.SubVec(average(X2), average(X1))
			w.ScaleVec(1/mat.Norm(&w, 2), &w)
			return w.RawVector().Data
		}},
		{"with the multiplier, λ = |m2 − m1|/2", func(X1, X2 *mat.Dense) []float64 {
			w := difference(X1, X2)
			lambda := math.Sqrt(floats.Dot(w, w)) / 2
			for j := range w {
				w[j] /= 2 * lambda
			}
			return w
		}},
		{"eigenvector of S_B, turned the right way", func(X1, X2 *mat.Dense) []float64 {
			gap := difference(X1, X2)
			d := len(gap)
			var sb mat.SymDense
			sb.SymOuterK(1, mat.NewDense(d, 1, gap))
			var e mat.EigenSym
			e.Factorize(&sb, true)
			var v mat.Dense
			e.VectorsTo(&v)
			w := mat.Col(nil, d-1, &v)
			floats.Scale(math.Copysign(1, floats.Dot(w, gap)), w)
			return w
		}},
		{"projected gradient ascent", func(X1, X2 *mat.Dense) []float64 {
			gap := difference(X1, X2)
			w := make([]float64, len(gap))
			for range 50 {
				floats.AddScaled(w, 1/floats.Norm(gap, 2), gap)
				floats.Scale(1/floats.Norm(w, 2), w)
			}
			return w
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex04.Check(tc.answer)) })
	}
}
