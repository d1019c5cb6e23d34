package ex05_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
)

type scatterFunc = func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)

// means returns the column means, 1×D.
func means(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	m := mat.NewDense(1, d, nil)
	for j := range d {
		m.Set(0, j, mat.Sum(X.ColView(j))/float64(n))
	}
	return m
}

// gap is m2 − m1, 1×D.
func gap(X1, X2 *mat.Dense) *mat.Dense {
	var g mat.Dense
	g.Sub(means(X2), means(X1))
	return &g
}

// gram is XᵀX.
func gram(X mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Mul(X.T(), X)
	return &s
}

// centred subtracts m from every row.
func centred(X, m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(X)
	out.Apply(func(_, j int, v float64) float64 { return v - m.At(0, j) }, out)
	return out
}

func plus(a, b mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Add(a, b)
	return &s
}

func times(c float64, a mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Scale(c, a)
	return &s
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer scatterFunc
	}{
		{"reference", Scatter},
		{"products of centred matrices", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			return gram(gap(X1, X2)), plus(gram(centred(X1, means(X1))), gram(centred(X2, means(X2))))
		}},
		{"both classes in one centred matrix, m1 − m2", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			var all mat.Dense
			all.Stack(centred(X1, means(X1)), centred(X2, means(X2)))
			return gram(gap(X2, X1)), gram(&all)
		}},
		{"entry by entry", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			_, d := X1.Dims()
			SB, SW = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
			m1, m2 := means(X1), means(X2)
			for i := range d {
				for j := range d {
					SB.Set(i, j, (m2.At(0, i)-m1.At(0, i))*(m2.At(0, j)-m1.At(0, j)))
					sum := 0.0
					for n := range X1.RawMatrix().Rows {
						sum += (X1.At(n, i) - m1.At(0, i)) * (X1.At(n, j) - m1.At(0, j))
					}
					for n := range X2.RawMatrix().Rows {
						sum += (X2.At(n, i) - m2.At(0, i)) * (X2.At(n, j) - m2.At(0, j))
					}
					SW.Set(i, j, sum)
				}
			}
			return SB, SW
		}},
		{"squares minus N times squared means", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			own := func(X *mat.Dense) *mat.Dense {
				n, _ := X.Dims()
				return plus(gram(X), times(-float64(n), gram(means(X))))
			}
			return gram(gap(X1, X2)), plus(own(X1), own(X2))
		}},
		{"total minus between", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			n1, n2 := float64(X1.RawMatrix().Rows), float64(X2.RawMatrix().Rows)
			var all mat.Dense
			all.Stack(X1, X2)
			SB = gram(gap(X1, X2))
			return SB, plus(gram(centred(&all, means(&all))), times(-n1*n2/(n1+n2), SB))
		}},
		{"library covariances times N−1", func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			own := func(X *mat.Dense) mat.Matrix {
				n, d := X.Dims()
				if n == 1 {
					return mat.NewDense(d, d, nil)
				}
				var s mat.SymDense
				stat.CovarianceMatrix(&s, X, nil)
				return times(float64(n-1), &s)
			}
			return gram(gap(X1, X2)), plus(own(X1), own(X2))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex05.Check(tc.answer)) })
	}
}
