package gauss

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestSpread uses points whose deviations from their mean are (1.5, 0), (−1.5, −1), (0.5, −1) and
// (−0.5, 2).
func TestSpread(t *testing.T) {
	c := Of(mat.NewDense(1, 2, []float64{3, 1}), mat.NewDense(3, 2, []float64{0, 0, 2, 0, 1, 3}))
	if s := c.Spread(); s[0] != math.Sqrt(5) || s[1] != math.Sqrt(6) {
		t.Errorf("got the spreads %v, want √5 and √6", s)
	}
}

func TestMatrix(t *testing.T) {
	m, v := mat.NewDense(2, 2, []float64{2, 1, 0, 4}), []float64{1, 2}
	if got := Form([]float64{3, -1}, m, v); got != 4 {
		t.Errorf("uᵀMv = %g, want 4", got)
	}
	if got := Power(mat.NewSymDense(2, []float64{5, 4, 4, 5}), 0.5); !mat.EqualApprox(got, mat.NewSymDense(2, []float64{2, 1, 1, 2}), 1e-14) {
		t.Errorf("got the root %v of the matrix (5 4; 4 5), want (2 1; 1 2)", mat.Formatted(got))
	}
}

// TestLinear checks models with one parameter and the feature 1. For these models the test computes
// the integral over the parameter as a sum over a grid. The mode must lie near the grid point with
// the largest term.
func TestLinear(t *testing.T) {
	for _, d := range Linear(instance.Source(1, 1), 1, 2, 0.5, 1, 5, 20) {
		sum, h, top, at := 0.0, 1e-3, math.Inf(-1), 0.0
		for i := -20000; i <= 20000; i++ {
			theta := []float64{h * float64(i)}
			v := d.LogLik(theta) + d.LogPrior(theta)
			sum += h * math.Exp(v)
			if v > top {
				top, at = v, theta[0]
			}
		}
		if f := verify.Close(d.Exact, math.Log(sum), verify.Tolerance{Abs: 1e-9}); !f.OK || math.Abs(d.Mode[0]-at) > h {
			t.Errorf("N = %d: got the log evidence %.12g, want %.12g from the sum over the grid; got the mode %g, want %g to within %g",
				d.N, d.Exact, math.Log(sum), d.Mode[0], at, h)
		}
	}
}

// TestMode checks a model with three parameters. At the mode, the gradient of the log posterior must
// be 0. The second derivative along each parameter must equal minus the diagonal entry of A.
func TestMode(t *testing.T) {
	d := Linear(instance.Source(1, 2), 3, 1, 2, 8)[0]
	for i := range d.Mode {
		along := func(step float64) float64 {
			theta := append([]float64(nil), d.Mode...)
			theta[i] += step
			return d.LogLik(theta) + d.LogPrior(theta)
		}
		if slope := verify.Derivative(along, 0, 0); math.Abs(slope) > 1e-6 {
			t.Errorf("at the mode the slope along parameter %d is %g, want 0", i, slope)
		}
		if curvature := along(1) + along(-1) - 2*along(0); math.Abs(curvature+d.A.At(i, i)) > 1e-8 {
			t.Errorf("the second derivative along parameter %d is %g, want −1 times the diagonal entry %g of A", i, curvature, d.A.At(i, i))
		}
	}
}

func TestInverse(t *testing.T) {
	if v := Inverse(mat.NewSymDense(1, []float64{4})); v.At(0, 0) != 0.25 {
		t.Errorf("the inverse of 4 is %g, want 0.25", v.At(0, 0))
	}
	if v := Inverse(mat.NewSymDense(1, []float64{-1})); v.At(0, 0) != 0 {
		t.Errorf("Inverse returned %g for a matrix that is not positive definite, want zeros", v.At(0, 0))
	}
}
