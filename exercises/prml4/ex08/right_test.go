package ex08_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
)

type posteriorFunc = func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64)

// formula puts w0 together from μ1ᵀΣ⁻¹μ1, μ2ᵀΣ⁻¹μ2 and p1, with w = c·Σ⁻¹(μ1−μ2).
func formula(c float64, w0 func(q1, q2, p1 float64) float64) posteriorFunc {
	return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
		var inverse mat.Dense
		if inverse.Inverse(Sigma) != nil {
			panic("no inverse")
		}
		d := len(mu1)
		a, b := mat.NewVecDense(d, mu1), mat.NewVecDense(d, mu2)
		var gap, w mat.VecDense
		gap.SubVec(a, b)
		w.MulVec(&inverse, &gap)
		w.ScaleVec(c, &w)
		return w.RawVector().Data, w0(mat.Inner(a, &inverse, a), mat.Inner(b, &inverse, b), p1)
	}
}

func right(q1, q2, p1 float64) float64 { return (q2-q1)/2 + math.Log(p1/(1-p1)) }

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer posteriorFunc
	}{
		{"reference", Posterior},
		{"inverse, (4.66) and (4.67) as printed", formula(1, right)},
		{"priors as a difference of logarithms", formula(1, func(q1, q2, p1 float64) float64 {
			return -q1/2 + q2/2 + math.Log(p1) - math.Log1p(-p1)
		})},
		{"difference of the K-class forms, (4.69) and (4.70)", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			class := func(mu []float64, p float64) (*mat.VecDense, float64) {
				m := mat.NewVecDense(len(mu), mu)
				var w mat.VecDense
				if w.SolveVec(Sigma, m) != nil {
					panic("no solution")
				}
				return &w, -mat.Dot(m, &w)/2 + math.Log(p)
			}
			v, v0 := class(mu1, p1)
			u, u0 := class(mu2, 1-p1)
			v.SubVec(v, u)
			return v.RawVector().Data, v0 - u0
		}},
		{"whitened", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			var e mat.EigenSym
			e.Factorize(Sigma, true)
			var v mat.Dense
			e.VectorsTo(&v)
			w, w0 := make([]float64, len(mu1)), math.Log(p1/(1-p1))
			for i, lambda := range e.Values(nil) {
				axis := v.ColView(i)
				z1, z2 := mat.Dot(axis, mat.NewVecDense(len(mu1), mu1)), mat.Dot(axis, mat.NewVecDense(len(mu2), mu2))
				for j := range w {
					w[j] += (z1 - z2) / lambda * axis.AtVec(j)
				}
				w0 += (z2*z2 - z1*z1) / (2 * lambda)
			}
			return w, w0
		}},
		{"read off the log odds of the densities", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			var chol mat.Cholesky
			chol.Factorize(Sigma)
			logDensity := func(x, mu []float64) float64 {
				v, u := mat.NewVecDense(len(x), nil), mat.NewVecDense(len(x), nil)
				v.SubVec(mat.NewVecDense(len(x), x), mat.NewVecDense(len(mu), mu))
				_ = chol.SolveVecTo(u, v)
				return -(mat.Dot(v, u) + chol.LogDet() + float64(len(x))*math.Log(2*math.Pi)) / 2
			}
			odds := func(x []float64) float64 { return logDensity(x, mu1) - logDensity(x, mu2) + math.Log(p1/(1-p1)) }
			x := make([]float64, len(mu1))
			w0 := odds(x)
			w := make([]float64, len(mu1))
			for j := range w {
				step := math.Sqrt(Sigma.At(j, j)) + math.Abs(mu1[j])
				x[j] = step
				w[j] = (odds(x) - w0) / step
				x[j] = 0
			}
			return w, w0
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex08.Check(tc.answer)) })
	}
}
