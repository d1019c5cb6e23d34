package ex18_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
)

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer gradientFunc
	}{
		{"reference", Gradient},
		{"point by point, rank-one updates", func(W, Phi, T *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			G := mat.NewDense(m, k, nil)
			for n := range Phi.RawMatrix().Rows {
				var a mat.VecDense
				a.MulVec(W.T(), Phi.RowView(n))
				r := softmax(a.RawVector().Data)
				floats.Sub(r, T.RawRowView(n))
				G.RankOne(G, 1, Phi.RowView(n), mat.NewVecDense(k, r))
			}
			return G
		}},
		{"entry by entry with the Jacobian and the true class", func(W, Phi, T *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			G := mat.NewDense(m, k, nil)
			var A mat.Dense
			A.Mul(Phi, W)
			G.Apply(func(i, j int, _ float64) float64 {
				sum := 0.0
				for n := range Phi.RawMatrix().Rows {
					y := softmax(A.RawRowView(n))
					label := floats.MaxIdx(T.RawRowView(n))
					// −(1/y_l)·∂y_l/∂a_j
					d := y[j]
					if label == j {
						d--
					}
					sum += d * Phi.At(n, i)
				}
				return sum
			}, G)
			return G
		}},
		{"outputs as 1/Σ exp(a_j − a_k), transposed product, transposed back", func(W, Phi, T *mat.Dense) *mat.Dense {
			var A, R, G mat.Dense
			A.Mul(Phi, W)
			R.Apply(func(n, k int, a float64) float64 {
				s := 0.0
				for _, v := range A.RawRowView(n) {
					s += math.Exp(v - a)
				}
				return 1/s - T.At(n, k)
			}, &A)
			G.Mul(R.T(), Phi)
			return mat.DenseCopyOf(G.T())
		}},
		{"last column as minus the sum of the others", func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			m, k := G.Dims()
			for i := range m {
				G.Set(i, k-1, -floats.Sum(G.RawRowView(i)[:k-1]))
			}
			return G
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex18.Check(tc.answer)) })
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

// pull is ΦᵀR with rows r(a_n, t_n).
func pull(r func(a, t []float64) []float64) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		var A, G mat.Dense
		A.Mul(Phi, W)
		n, _ := A.Dims()
		for i := range n {
			A.SetRow(i, r(append([]float64(nil), A.RawRowView(i)...), T.RawRowView(i)))
		}
		G.Mul(Phi.T(), &A)
		return &G
	}
}
