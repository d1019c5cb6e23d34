package ex05_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
)

type scatterFunc = func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)

func TestFunctions(t *testing.T) { gate.Functions(t, ex05.Exercise(), gate.OfNew(ex05.Check, Scatter)) }

// gap returns m2 − m1 as a 1×D matrix.
func gap(X1, X2 *mat.Dense) *mat.Dense {
	_, d := X1.Dims()
	return mat.NewDense(1, d, instance.Minus(instance.Mean(X2), instance.Mean(X1)))
}

// gram returns XᵀX.
func gram(X mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Mul(X.T(), X)
	return &s
}

// centred returns the points of X minus the mean of X.
func centred(X *mat.Dense) *mat.Dense { return instance.Centred(X, instance.Mean(X)) }

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
		"SW from one matrix of all centred points, and SB from m1 − m2": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			var all mat.Dense
			all.Stack(centred(X1), centred(X2))
			return gram(gap(X2, X1)), gram(&all)
		},
		"sum of squares minus N times the squared means": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			scatter := func(X *mat.Dense) *mat.Dense {
				n, d := X.Dims()
				return plus(gram(X), times(-float64(n), gram(mat.NewDense(1, d, instance.Mean(X)))))
			}
			return gram(gap(X1, X2)), plus(scatter(X1), scatter(X2))
		},
		"entry by entry, with n·m_p·m_q multiplied from left to right": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			_, d := X1.Dims()
			SW = mat.NewDense(d, d, nil)
			for _, X := range []*mat.Dense{X1, X2} {
				n, m := float64(X.RawMatrix().Rows), instance.Mean(X)
				for p := range d {
					for q := range d {
						SW.Set(p, q, SW.At(p, q)+mat.Dot(X.ColView(p), X.ColView(q))-n*m[p]*m[q])
					}
				}
			}
			return gram(gap(X1, X2)), SW
		},
		"total minus between": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			n1, n2 := float64(X1.RawMatrix().Rows), float64(X2.RawMatrix().Rows)
			var all mat.Dense
			all.Stack(X1, X2)
			SB = gram(gap(X1, X2))
			return SB, plus(gram(centred(&all)), times(-n1*n2/(n1+n2), SB))
		},
		"library covariances times N−1": func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
			scatter := func(X *mat.Dense) mat.Matrix {
				n, d := X.Dims()
				if n == 1 {
					return mat.NewDense(d, d, nil)
				}
				var s mat.SymDense
				stat.CovarianceMatrix(&s, X, nil)
				return times(float64(n-1), &s)
			}
			return gram(gap(X1, X2)), plus(scatter(X1), scatter(X2))
		},
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
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
		d, _ := S.Dims()
		S.Copy(mat.NewDiagDense(d, slices.Repeat([]float64{1}, d)))
	}
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
			_, SW := Scatter(X1, X2)
			return gram(gap(X1, X2).T()), SW
		}},
		"one-per-point": {func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, _ := Scatter(X1, X2)
			return SB, gram(X1.T())
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
    Only vvᵀ is used, and (−v)(−v)ᵀ = vvᵀ.
*/
