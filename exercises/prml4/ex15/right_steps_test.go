package ex15_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
)

type (
	weightFunc    = func(a float64) float64
	curvatureFunc = func(u, w []float64, Phi *mat.Dense) float64
)

func logistic(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// terms is Σ f(y_n, uᵀφ_n).
func terms(f func(y, s float64) float64) curvatureFunc {
	return func(u, w []float64, Phi *mat.Dense) (sum float64) {
		n, _ := Phi.Dims()
		for i := range n {
			row := Phi.RawRowView(i)
			sum += f(logistic(floats.Dot(w, row)), floats.Dot(u, row))
		}
		return sum
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name      string
		weight    weightFunc
		curvature curvatureFunc
	}{
		{"reference", Weight, Curvature},
		{"y(1−y), with H", func(a float64) float64 { return logistic(a) * (1 - logistic(a)) }, func(u, w []float64, Phi *mat.Dense) float64 {
			v := mat.NewVecDense(len(u), u)
			return mat.Inner(v, Hessian(w, Phi), v)
		}},
		{"y − y², point by point", func(a float64) float64 { y := logistic(a); return y - y*y },
			terms(func(y, s float64) float64 { return y * s * s * (1 - y) })},
		{"hyperbolic cosine, length of a scaled Φu", func(a float64) float64 { return math.Pow(2*math.Cosh(a/2), -2) }, func(u, w []float64, Phi *mat.Dense) float64 {
			var a, s mat.VecDense
			a.MulVec(Phi, mat.NewVecDense(len(w), w))
			s.MulVec(Phi, mat.NewVecDense(len(u), u))
			for i := range s.Len() {
				s.SetVec(i, s.AtVec(i)*math.Sqrt(logistic(a.AtVec(i))*logistic(-a.AtVec(i))))
			}
			return mat.Dot(&s, &s)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex15.CheckSteps(tc.weight, tc.curvature)) })
	}
}
