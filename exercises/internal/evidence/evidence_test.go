package evidence

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestLinear checks models with one parameter and the feature 1. For them the integral over the
// parameter can be computed as a sum over a grid. The mode is at the largest term of this sum.
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
			t.Errorf("N = %d: log evidence %s, mode %g by the formula, %g by search", d.N, f.Off(), d.Mode[0], at)
		}
	}
}

// TestMode checks, for several parameters, that the gradient of the log posterior vanishes at the
// mode, and that A is minus its Hessian.
func TestMode(t *testing.T) {
	d := Linear(instance.Source(1, 2), 3, 1, 2, 8)[0]
	for i := range d.Mode {
		along := func(step float64) float64 {
			theta := append([]float64(nil), d.Mode...)
			theta[i] += step
			return d.LogLik(theta) + d.LogPrior(theta)
		}
		if slope := verify.Derivative(along, 0, 0); math.Abs(slope) > 1e-6 {
			t.Errorf("the slope along parameter %d is %g at the mode", i, slope)
		}
		if bend := along(1) + along(-1) - 2*along(0); math.Abs(bend+d.A.At(i, i)) > 1e-8 {
			t.Errorf("the second derivative is %g, the entry of A is %g", bend, d.A.At(i, i))
		}
	}
}

func TestInverse(t *testing.T) {
	if v := Inverse(mat.NewSymDense(1, []float64{4})); v.At(0, 0) != 0.25 {
		t.Errorf("1/4 is %g", v.At(0, 0))
	}
	if v := Inverse(mat.NewSymDense(1, []float64{-1})); v.At(0, 0) != 0 {
		t.Errorf("the inverse of a matrix that is not positive definite is %g, want 0", v.At(0, 0))
	}
}
