package ex06_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
)

type (
	rightFunc = func(X1, X2 *mat.Dense) []float64
	biasFunc  = func(X1, X2 *mat.Dense, w []float64) float64
)

// weightedMeans is a·m1 + b·m2.
func weightedMeans(f func(n1, n2 float64) (a, b float64)) rightFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		n1, n2, _ := sizes(X1, X2)
		a, b := f(n1, n2)
		v := mean(X1)
		floats.Scale(a, v)
		floats.AddScaled(v, b, mean(X2))
		return v
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name  string
		right rightFunc
		bias  biasFunc
	}{
		{"reference", RightSide, BestBias},
		{"sum over the points, mean of all", func(X1, X2 *mat.Dense) []float64 {
			n1, n2, n := sizes(X1, X2)
			_, d := X1.Dims()
			v := make([]float64, d)
			for i := range int(n1) {
				floats.AddScaled(v, n/n1, X1.RawRowView(i))
			}
			for i := range int(n2) {
				floats.AddScaled(v, -n/n2, X2.RawRowView(i))
			}
			return v
		}, func(X1, X2 *mat.Dense, w []float64) float64 { return -floats.Dot(w, mean(stack(X1, X2))) }},
		{"Xᵀt, mean of the residuals", func(X1, X2 *mat.Dense) []float64 {
			n1, n2, n := sizes(X1, X2)
			t := mat.NewVecDense(int(n), nil)
			for i := range int(n) {
				t.SetVec(i, -n/n2)
				if i < int(n1) {
					t.SetVec(i, n/n1)
				}
			}
			var v mat.VecDense
			v.MulVec(stack(X1, X2).T(), t)
			return v.RawVector().Data
		}, func(X1, X2 *mat.Dense, w []float64) (w0 float64) {
			n1, n2, n := sizes(X1, X2)
			for i := range int(n) {
				t := -n / n2
				if i < int(n1) {
					t = n / n1
				}
				w0 += (t - floats.Dot(w, stack(X1, X2).RawRowView(i))) / n
			}
			return w0
		}},
		{"columns, weighted means", func(X1, X2 *mat.Dense) []float64 {
			n1, n2, n := sizes(X1, X2)
			_, d := X1.Dims()
			v := make([]float64, d)
			for j := range v {
				v[j] = n * (mat.Sum(X1.ColView(j))/n1 - mat.Sum(X2.ColView(j))/n2)
			}
			return v
		}, func(X1, X2 *mat.Dense, w []float64) float64 {
			n1, n2, n := sizes(X1, X2)
			return -n1/n*floats.Dot(w, mean(X1)) - n2/n*floats.Dot(w, mean(X2))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex06.CheckSteps(tc.right, tc.bias)) })
	}
}
