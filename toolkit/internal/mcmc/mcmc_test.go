package mcmc

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// TestTarget compares ln p with an explicit sum over the rows, and the gradient of ln p with finite
// differences.
func TestTarget(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{-3, 0.5, 2, 40})
	targets := []float64{0, 1, 0, 1}
	src := block.NewSource(x)
	s := &Target{
		N: 4, M: 2, Src: src, T: targets, Coord: linalg.NewCoordinates(block.Inspect(src), nil),
		Mode: []float64{0.3, -0.2}, Root: mat.NewDense(2, 2, []float64{0.5, 0.1, -0.2, 0.7}),
		Prior: [][]float64{{1, 0.5}, {0, 2}}, Rest: []float64{0.1, -0.3},
	}
	e := s.newEvaluator()
	want := func(z []float64) float64 {
		w := s.Coord.Outer([]float64{0.3 + 0.5*z[0] + 0.1*z[1], -0.2 - 0.2*z[0] + 0.7*z[1]})
		var sum float64
		for n, v := range targets {
			a := w[0] + w[1]*x.At(n, 0)
			sum += v*a - math.Log1p(math.Exp(a))
		}
		u, v := 0.1+z[0]+0.5*z[1], -0.3+2*z[1]
		return sum - (u*u+v*v)/2
	}
	for _, z := range [][]float64{{0, 0}, {1, -2}, {-0.5, 0.25}} {
		grad := make([]float64, 2)
		if got := e.logTarget(z, grad); !(math.Abs(got-want(z)) <= 1e-12*math.Abs(got)) {
			t.Errorf("ln p(%v) = %v, want %v", z, got, want(z))
		}
		if g := fd.Gradient(nil, want, z, &fd.Settings{Formula: fd.Central}); !floats.EqualApprox(grad, g, 1e-7) {
			t.Errorf("∇ln p(%v) = %v, want %v as computed by differences", z, grad, g)
		}
	}
}

// TestDiagnose compares the effective sample size of four autoregressive series with the exact
// value. It also checks R̂, the mean and the variance.
func TestDiagnose(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n, ρ = 20_000, 0.9
	series := make([][]float64, 4)
	for c := range series {
		v := rng.NormFloat64()
		for range n {
			series[c] = append(series[c], v)
			v = ρ*v + math.Sqrt(1-ρ*ρ)*rng.NormFloat64()
		}
	}
	d, want := NewDiagnoser(n).Diagnose(series), 4*n*(1-ρ)/(1+ρ)
	if math.Abs(d.Ess-want) > 0.15*want || d.Rhat > 1.01 || math.Abs(d.Mean) > 5/math.Sqrt(want) ||
		math.Abs(d.Variance-1) > 0.1 {
		t.Errorf("for an autoregression with coefficient %v, Diagnose returns %+v, want Ess near %.0f, Rhat at most 1.01, Mean near 0 and Variance near 1",
			ρ, d, want)
	}
}
