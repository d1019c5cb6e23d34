package ex19_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
)

type (
	gradientFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64
	hessianFunc  = func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense
)

func TestRight(t *testing.T) {
	normal := distuv.UnitNormal
	for _, tc := range []struct {
		name     string
		gradient gradientFunc
		hessian  hessianFunc
	}{
		{"reference", Gradient, Hessian},
		{"(t − y)N/{y(1 − y)} with both tails, Φᵀ(…)", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			var a, g mat.VecDense
			a.MulVec(Phi, mat.NewVecDense(len(w), w))
			for n := range t {
				y, c := cdf(a.AtVec(n)), cdf(-a.AtVec(n)) // c = 1 − y
				a.SetVec(n, (t[n]*c-(1-t[n])*y)*pdf(a.AtVec(n))/(y*c))
			}
			g.MulVec(Phi.T(), &a)
			return g.RawVector().Data
		}, weighting(func(a, t float64) float64 {
			y, c, d := cdf(a), cdf(-a), pdf(a)
			if t == 1 {
				return -a*d/y - (d/y)*(d/y)
			}
			return a*d/c - (d/c)*(d/c)
		})},
		{"distuv, class by class", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				a := floats.Dot(w, Phi.RawRowView(n))
				r := normal.Prob(a) / normal.CDF(a)
				if t[n] == 0 {
					r = -normal.Prob(a) / normal.CDF(-a)
				}
				floats.AddScaled(g, r, Phi.RawRowView(n))
			}
			return g
		}, func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			h := mat.NewSymDense(len(w), nil)
			for n := range t {
				s := 2*t[n] - 1
				x := s * floats.Dot(w, Phi.RawRowView(n))
				m := normal.Prob(x) / normal.CDF(x)
				h.SymRankOne(h, -m*m-m*x, mat.NewVecDense(len(w), Phi.RawRowView(n)))
			}
			return mat.DenseCopyOf(h)
		}},
		{"logarithms of the density and the tail", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				s := 2*t[n] - 1
				floats.AddScaled(g, s*logRatio(s*floats.Dot(w, Phi.RawRowView(n))), Phi.RawRowView(n))
			}
			return g
		}, weighting(func(a, t float64) float64 {
			x := (2*t - 1) * a
			return -logRatio(x) * (logRatio(x) + x)
		})},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex19.Check(tc.gradient, tc.hessian)) })
	}
}

func pdf(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }
func cdf(a float64) float64 { return math.Erfc(-a/math.Sqrt2) / 2 }

func logRatio(x float64) float64 {
	return math.Exp(-x*x/2 - math.Log(2*math.Pi)/2 - math.Log(cdf(x)))
}

// pulling is Σ r(a_n, t_n) φ_n, weighting Σ r(a_n, t_n) φ_n φ_nᵀ.
func pulling(r func(a, t float64) float64) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		g := make([]float64, len(w))
		for n := range t {
			floats.AddScaled(g, r(floats.Dot(w, Phi.RawRowView(n)), t[n]), Phi.RawRowView(n))
		}
		return g
	}
}

func weighting(r func(a, t float64) float64) hessianFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
		h := mat.NewDense(len(w), len(w), nil)
		for n := range t {
			v := mat.NewVecDense(len(w), Phi.RawRowView(n))
			h.RankOne(h, r(floats.Dot(w, Phi.RawRowView(n)), t[n]), v, v)
		}
		return h
	}
}
