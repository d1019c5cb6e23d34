package ex05_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
)

type scatterFunc = func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)

func TestFunctions(t *testing.T) {
	gate.Known(t, ex05.Exercise())
	gate.Function(t, ex05.Exercise(), ex05.Check, Scatter)
}

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
	gate.Rights(t, ex05.Check, map[string]scatterFunc{
		"reference": Scatter,
		"products of centred matrices": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			return gram(gap(X1, X2)), plus(gram(centred(X1, means(X1))), gram(centred(X2, means(X2))))
		},
		"both classes in one centred matrix, m1 − m2": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			var all mat.Dense
			all.Stack(centred(X1, means(X1)), centred(X2, means(X2)))
			return gram(gap(X2, X1)), gram(&all)
		},
		"entry by entry": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
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
		},
		"squares minus N times squared means": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			own := func(X *mat.Dense) *mat.Dense {
				n, _ := X.Dims()
				return plus(gram(X), times(-float64(n), gram(means(X))))
			}
			return gram(gap(X1, X2)), plus(own(X1), own(X2))
		},
		"total minus between": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			n1, n2 := float64(X1.RawMatrix().Rows), float64(X2.RawMatrix().Rows)
			var all mat.Dense
			all.Stack(X1, X2)
			SB = gram(gap(X1, X2))
			return SB, plus(gram(centred(&all, means(&all))), times(-n1*n2/(n1+n2), SB))
		},
		"library covariances times N−1": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
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
		},
	})
}

// TestWrong: answers that the tables of mistakes do not hold, by key.
func TestWrong(t *testing.T) {
	but := func(f func(SB, SW *mat.Dense)) scatterFunc {
		return func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, SW := Scatter(X1, X2)
			f(SB, SW)
			return SB, SW
		}
	}
	factor := func(b, w float64) scatterFunc {
		return but(func(SB, SW *mat.Dense) { SB.Scale(b, SB); SW.Scale(w, SW) })
	}
	unit := func(S *mat.Dense) {
		S.Apply(func(i, j int, _ float64) float64 {
			if i == j {
				return 1
			}
			return 0
		}, S)
	}
	same, again := &mat.Dense{}, &mat.Dense{}
	gate.Wrongs(t, ex05.Exercise(), ex05.Check, map[string][]scatterFunc{
		"sb-factor":          {factor(2, 1)},
		"sb-sign":            {factor(-1, 1)},
		"sw-factor":          {factor(1, 2)},
		"sw-sign":            {factor(1, -1)},
		"negative-direction": {factor(1, -1)},
		"criterion-scaled":   {factor(1, 0.5)},
		"sb":                 {but(func(SB, _ *mat.Dense) { unit(SB) })},
		"sw": {but(func(_, SW *mat.Dense) { unit(SW) }), but(func(SB, SW *mat.Dense) {
			for _, S := range []*mat.Dense{SB, SW} {
				S.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, S)
			}
		})},
		"rank":      {but(func(SB, _ *mat.Dense) { SB.Zero() }), but(func(SB, SW *mat.Dense) { SB.Add(SB, SW) })},
		"criterion": {but(func(_, SW *mat.Dense) { SW.Zero() })},
		"not-symmetric": {but(func(_, SW *mat.Dense) {
			if d, _ := SW.Dims(); d > 1 {
				SW.Set(0, 1, SW.At(0, 1)+1)
				SW.Set(1, 0, SW.At(1, 0)-1)
			}
		})},
		"inner-product": {func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			var s mat.Dense
			s.Mul(gap(X1, X2), gap(X1, X2).T())
			_, SW := Scatter(X1, X2)
			return &s, SW
		}},
		"one-per-point": {func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			var s mat.Dense
			s.Mul(X1, X1.T())
			SB, _ := Scatter(X1, X2)
			return SB, &s
		}},
		"wrong-shape": {func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) { return gap(X1, X2), gap(X1, X2) }},
		"empty":       {func(_, _ *mat.Dense) (*mat.Dense, *mat.Dense) { return &mat.Dense{}, &mat.Dense{} }},
		"not-new": {func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) { // package variables
			SB, SW := Scatter(X1, X2)
			same.CloneFrom(SB)
			again.CloneFrom(SW)
			return same, again
		}},
	})
}

func ExampleCheck() {
	weighted := func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
		SB, SW = Scatter(X1, X2)
		n1, n2 := float64(X1.RawMatrix().Rows), float64(X2.RawMatrix().Rows)
		SB.Scale(n1*n2/(n1+n2), SB)
		return SB, SW
	}
	fmt.Println(ex05.Check(weighted).Parts[1].Key)
	// Output: k-class
}

/*
Equivalent mutants

Scatter: v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m)) → v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), m, x))
    v changes its sign, and only vvᵀ is used: (−v)(−v)ᵀ = vvᵀ.
*/
