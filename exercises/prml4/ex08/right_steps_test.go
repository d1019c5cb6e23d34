package ex08_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
)

type termsFunc = func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)

// mixed makes the parts from xᵀΣ⁻¹x, xᵀΣ⁻¹μ and μᵀΣ⁻¹μ.
func mixed(f func(xx, xm, mm float64) (q, l, c float64)) termsFunc {
	return func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
		var inverse mat.Dense
		if inverse.Inverse(Sigma) != nil {
			panic("no inverse")
		}
		u, m := mat.NewVecDense(len(x), x), mat.NewVecDense(len(mu), mu)
		return f(mat.Inner(u, &inverse, u), mat.Inner(u, &inverse, m), mat.Inner(m, &inverse, m))
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer termsFunc
	}{
		{"reference", Terms},
		{"inverse", mixed(func(xx, xm, mm float64) (q, l, c float64) { return -xx / 2, xm, -mm / 2 })},
		{"both mixed products, entry by entry", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			var P mat.Dense
			_ = P.Inverse(Sigma)
			for i := range x {
				for j := range x {
					q -= 0.5 * x[i] * P.At(i, j) * x[j]
					l += 0.5 * (x[i]*P.At(i, j)*mu[j] + mu[i]*P.At(i, j)*x[j])
					c -= 0.5 * mu[i] * P.At(i, j) * mu[j]
				}
			}
			return q, l, c
		}},
		{"whitened", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			var e mat.EigenSym
			e.Factorize(Sigma, true)
			var v mat.Dense
			e.VectorsTo(&v)
			for i, lambda := range e.Values(nil) {
				a, b := 0.0, 0.0
				for j := range x {
					a += v.At(j, i) * x[j] / math.Sqrt(lambda)
					b += v.At(j, i) * mu[j] / math.Sqrt(lambda)
				}
				q, l, c = q-a*a/2, l+a*b, c-b*b/2
			}
			return q, l, c
		}},
		{"the linear part as the rest", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, _, c = Terms(x, mu, Sigma)
			d := make([]float64, len(x))
			for i := range x {
				d[i] = x[i] - mu[i]
			}
			all, _, _ := Terms(d, mu, Sigma)
			return q, all - q - c, c
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex08.CheckSteps(tc.answer)) })
	}
}
