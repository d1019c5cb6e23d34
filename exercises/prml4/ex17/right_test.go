package ex17_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(a []float64) *mat.Dense
	}{
		{"reference", Jacobian},
		{"diag(y) − yyᵀ", func(a []float64) *mat.Dense {
			y := softmax(a)
			J := mat.DenseCopyOf(mat.NewDiagDense(len(y), append([]float64(nil), y...)))
			v := mat.NewVecDense(len(y), y)
			J.RankOne(J, -1, v, v)
			return J
		}},
		{"log-sum-exp, diagonal as minus the rest of the row", func(a []float64) *mat.Dense {
			lse := floats.LogSumExp(a)
			J := mat.NewDense(len(a), len(a), nil)
			for k := range a {
				sum := 0.0
				for j := range a {
					if j != k {
						v := math.Exp(a[k] + a[j] - 2*lse)
						J.Set(k, j, -v)
						sum += v
					}
				}
				J.Set(k, k, sum)
			}
			return J
		}},
		{"outputs as 1/Σ exp(a_j − a_k)", func(a []float64) *mat.Dense {
			J := mat.NewDense(len(a), len(a), nil)
			y := make([]float64, len(a))
			for k := range a {
				s := 0.0
				for _, v := range a {
					s += math.Exp(v - a[k])
				}
				y[k] = 1 / s
			}
			J.Apply(func(k, j int, _ float64) float64 {
				if k == j {
					return y[k] - y[k]*y[k]
				}
				return -y[k] * y[j]
			}, J)
			return J
		}},
		{"by way of the log-softmax: y_k times I − y_j", func(a []float64) *mat.Dense {
			y := softmax(a)
			var I, L, J mat.Dense
			I.CloneFrom(mat.NewDiagDense(len(y), ones(len(y))))
			L.Sub(&I, mat.DenseCopyOf(outer(ones(len(y)), y)))
			J.Mul(mat.NewDiagDense(len(y), y), &L)
			return &J
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex17.Check(tc.answer)) })
	}
}

func softmax(a []float64) []float64 {
	y := make([]float64, len(a))
	lse := floats.LogSumExp(a)
	for k, v := range a {
		y[k] = math.Exp(v - lse)
	}
	return y
}

func ones(k int) []float64 {
	v := make([]float64, k)
	floats.AddConst(1, v)
	return v
}

func outer(u, v []float64) *mat.Dense {
	var m mat.Dense
	m.Outer(1, mat.NewVecDense(len(u), u), mat.NewVecDense(len(v), v))
	return &m
}
