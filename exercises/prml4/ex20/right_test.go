package ex20_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
)

type hessianFunc = func(W, Phi *mat.Dense) *mat.Dense

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer hessianFunc
	}{
		{"reference", Hessian},
		{"Kronecker products", func(W, Phi *mat.Dense) *mat.Dense { return kronecker(W, Phi, false) }},
		{"Kronecker products, by features", func(W, Phi *mat.Dense) *mat.Dense { return kronecker(W, Phi, true) }},
		{"blocks ΦᵀRΦ", func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			N, _ := Phi.Dims()
			Y := outputs(W, Phi)
			H := mat.NewDense(M*K, M*K, nil)
			for j := range K {
				for k := range K {
					R := make([]float64, N)
					for n := range R {
						if R[n] = -Y.At(n, j) * Y.At(n, k); j == k {
							R[n] = Y.At(n, j) * (1 - Y.At(n, j))
						}
					}
					var half, block mat.Dense
					half.Mul(mat.NewDiagDense(N, R), Phi)
					block.Mul(Phi.T(), &half)
					H.Slice(j*M, (j+1)*M, k*M, (k+1)*M).(*mat.Dense).Copy(&block)
				}
			}
			return H
		}},
		{"variance under y, as squares about the mean", func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			Y := outputs(W, Phi)
			H := mat.NewDense(M*K, M*K, nil)
			for n := range Phi.RawMatrix().Rows {
				y, phi := Y.RawRowView(n), Phi.RawRowView(n)
				for k := range K { // √y_k (e_k − y) ⊗ φ
					v := mat.NewVecDense(M*K, nil)
					for j := range K {
						e := -y[j]
						if j == k {
							e++
						}
						for a := range M {
							v.SetVec(j*M+a, e*phi[a])
						}
					}
					H.RankOne(H, y[k], v, v)
				}
			}
			return H
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex20.Check(tc.answer)) })
	}
}

// TestOrderIsSaid: the report names the order that it recognised.
func TestOrderIsSaid(t *testing.T) {
	for _, tc := range []struct {
		features bool
		want     string
	}{{false, "by classes"}, {true, "by features"}} {
		r := ex20.Check(func(W, Phi *mat.Dense) *mat.Dense { return kronecker(W, Phi, tc.features) })
		if !strings.Contains(r.Parts[1].Message, tc.want) {
			t.Errorf("the report does not say %q: %s", tc.want, r.Parts[1].Message)
		}
	}
}

func outputs(W, Phi *mat.Dense) *mat.Dense {
	var Y mat.Dense
	Y.Mul(Phi, W)
	for n := range Y.RawMatrix().Rows {
		row := Y.RawRowView(n)
		lse := floats.LogSumExp(row)
		for k, a := range row {
			row[k] = math.Exp(a - lse)
		}
	}
	return &Y
}

func kronecker(W, Phi *mat.Dense, byFeatures bool) *mat.Dense {
	return sum(W, Phi, byFeatures, func(y []float64, j, k int) float64 {
		if j == k {
			return y[k] - y[k]*y[k]
		}
		return -y[j] * y[k]
	})
}

// sum is Σ_n R(y_n) ⊗ φφᵀ, or with the factors the other way round.
func sum(W, Phi *mat.Dense, byFeatures bool, r func(y []float64, j, k int) float64) *mat.Dense {
	return sumOf(outputs(W, Phi), Phi, byFeatures, r)
}

// sumOf is sum for other outputs Y.
func sumOf(Y, Phi *mat.Dense, byFeatures bool, r func(y []float64, j, k int) float64) *mat.Dense {
	_, K := Y.Dims()
	_, M := Phi.Dims()
	H := mat.NewDense(M*K, M*K, nil)
	for n := range Phi.RawMatrix().Rows {
		R, P := mat.NewDense(K, K, nil), mat.NewDense(M, M, nil)
		R.Apply(func(j, k int, _ float64) float64 { return r(Y.RawRowView(n), j, k) }, R)
		P.Outer(1, Phi.RowView(n), Phi.RowView(n))
		var term mat.Dense
		if byFeatures {
			term.Kronecker(P, R)
		} else {
			term.Kronecker(R, P)
		}
		H.Add(H, &term)
	}
	return H
}
