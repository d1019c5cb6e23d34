package ex06_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
)

type (
	matrixFunc = func(X1, X2 *mat.Dense) *mat.Dense
	fitFunc    = func(X1, X2 *mat.Dense) ([]float64, float64)
)

func stack(X1, X2 *mat.Dense) *mat.Dense {
	var all mat.Dense
	all.Stack(X1, X2)
	return &all
}

func sizes(X1, X2 *mat.Dense) (n1, n2, n float64) {
	a, _ := X1.Dims()
	b, _ := X2.Dims()
	return float64(a), float64(b), float64(a + b)
}

// gram is XᵀX with m subtracted from every row.
func gram(X *mat.Dense, m []float64) *mat.Dense {
	Z := mat.DenseCopyOf(X)
	Z.Apply(func(_, j int, v float64) float64 { return v - m[j] }, Z)
	var s mat.Dense
	s.Mul(Z.T(), Z)
	return &s
}

// combine is a·A + b·B.
func combine(a float64, A mat.Matrix, b float64, B mat.Matrix) *mat.Dense {
	var left, right mat.Dense
	left.Scale(a, A)
	right.Scale(b, B)
	left.Add(&left, &right)
	return &left
}

func within(X1, X2 *mat.Dense) *mat.Dense {
	return combine(1, gram(X1, mean(X1)), 1, gram(X2, mean(X2)))
}

func between(X1, X2 *mat.Dense) *mat.Dense {
	m1, m2 := mean(X1), mean(X2)
	return gram(mat.NewDense(1, len(m1), m1), m2)
}

func total(X1, X2 *mat.Dense) *mat.Dense {
	all := stack(X1, X2)
	return gram(all, mean(all))
}

// direct is least squares with a bias for targets t1 and t2, by QR.
func direct(X1, X2 *mat.Dense, t1, t2 float64) ([]float64, float64) {
	all := stack(X1, X2)
	n, d := all.Dims()
	n1, _ := X1.Dims()
	B, t := mat.NewDense(n, d+1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		B.SetRow(i, append([]float64{1}, all.RawRowView(i)...))
		t.Set(i, 0, t2)
		if i < n1 {
			t.Set(i, 0, t1)
		}
	}
	var W mat.Dense
	_ = W.Solve(B, t)
	w := mat.Col(nil, 0, &W)
	return w[1:], w[0]
}

// solved is the solution of M·w = c·(m1 − m2) with w0 = −wᵀm.
func solved(M *mat.Dense, X1, X2 *mat.Dense, c float64) ([]float64, float64) {
	right := mean(X1)
	floats.Sub(right, mean(X2))
	floats.Scale(c, right)
	var v mat.VecDense
	_ = v.SolveVec(M, mat.NewVecDense(len(right), right))
	w := v.RawVector().Data
	return w, -floats.Dot(w, mean(stack(X1, X2)))
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		matrix matrixFunc
		fit    fitFunc
	}{
		{"reference", NormalMatrix, Fit},
		{"total scatter, direct least squares", total, func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			return direct(X1, X2, n/n1, -n/n2)
		}},
		{"squares minus squared mean, equations of the total scatter", func(X1, X2 *mat.Dense) *mat.Dense {
			_, _, n := sizes(X1, X2)
			all := stack(X1, X2)
			m := mean(all)
			zero := make([]float64, len(m))
			return combine(1, gram(all, zero), -n, gram(mat.NewDense(1, len(m), m), zero))
		}, func(X1, X2 *mat.Dense) ([]float64, float64) {
			_, _, n := sizes(X1, X2)
			return solved(total(X1, X2), X1, X2, n)
		}},
		{"S_W and S_B, Fisher's direction with its length", func(X1, X2 *mat.Dense) *mat.Dense {
			n1, n2, n := sizes(X1, X2)
			return combine(1, within(X1, X2), n1*n2/n, between(X1, X2))
		}, func(X1, X2 *mat.Dense) ([]float64, float64) {
			// (S_W + c·ggᵀ)⁻¹g = S_W⁻¹g/(1 + c·gᵀS_W⁻¹g), by Sherman and Morrison
			n1, n2, n := sizes(X1, X2)
			w, w0 := solved(within(X1, X2), X1, X2, 1)
			g := mean(X1)
			floats.Sub(g, mean(X2))
			s := n / (1 + n1*n2/n*floats.Dot(g, w))
			floats.Scale(s, w)
			return w, s * w0
		}},
		{"classes about the common mean, 1-of-K solution rescaled", func(X1, X2 *mat.Dense) *mat.Dense {
			m := mean(stack(X1, X2))
			return combine(1, gram(X1, m), 1, gram(X2, m))
		}, func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			w, _ := direct(X1, X2, 1, 0)
			floats.Scale(n*n/(n1*n2), w)
			return w, -floats.Dot(w, mean(stack(X1, X2)))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex06.Check(tc.matrix, tc.fit)) })
	}
}
