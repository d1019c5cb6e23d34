package ex22_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
)

type (
	logDensity   = func([]float64) float64
	evidenceFunc = func(logLik, logPrior func([]float64) float64, mode []float64, A *mat.SymDense) float64
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer evidenceFunc
	}{
		{"reference", LogEvidence},
		{"LU factorization", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			logDet, _ := mat.LogDet(A)
			return l(mode) + p(mode) + 0.5*(float64(len(mode))*math.Log(2*math.Pi)-logDet)
		}},
		{"one eigenvalue after another", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			var e mat.EigenSym
			e.Factorize(A, false)
			sum := l(mode) + p(mode)
			for _, v := range e.Values(nil) {
				sum += 0.5 * math.Log(2*math.Pi/v)
			}
			return sum
		}},
		{"diagonal of the Cholesky factor", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			var c mat.Cholesky
			c.Factorize(A)
			var u mat.TriDense
			c.UTo(&u)
			sum := l(mode) + p(mode)
			for i := range mode {
				sum += math.Log(math.Sqrt(2*math.Pi)) - math.Log(u.At(i, i))
			}
			return sum
		}},
		{"minus the log density of the Laplace approximation at its mode", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			var c mat.Cholesky
			c.Factorize(A)
			var cov mat.SymDense
			c.InverseTo(&cov)
			cov.ScaleSym(2*math.Pi, &cov)
			var d mat.Cholesky
			d.Factorize(&cov)
			return l(mode) + p(mode) + d.LogDet()/2
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex22.Check(tc.answer)) })
	}
}
