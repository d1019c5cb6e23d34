package ex06_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The penalty does not reach w and w0: on a sample that a line separates, with or
// without points on it, the objective falls for ever along w with W = 0, and there is
// no minimum; on one that no line separates the gradient vanishes at the fit.
func TestPenalisedMinimumExists(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{-2, 1, -1, -1, -0.5, 0.5, 0.5, -0.5, 1, 1, 2, -1})
	along := func(r []float64, c float64) float64 { // W = 0, w = (c, 0), w0 = 0
		e := 0.0
		for n := range r {
			e += math.Log1p(math.Exp(-c * (2*r[n] - 1) * X.At(n, 0)))
		}
		return e
	}
	separated := []float64{0, 0, 0, 1, 1, 1}
	last := along(separated, 0)
	for c := 1.0; c <= 1024; c *= 2 {
		if e := along(separated, c); e < last {
			last = e
		} else {
			t.Errorf("at w = (%g, 0) the objective is %g, not below %g", c, e, last)
		}
	}
	if last > 1e-100 {
		t.Errorf("far out the objective is %g, want next to nothing", last)
	}

	overlapping, lambda := []float64{1, 0, 1, 0, 1, 0}, 0.5
	W, w, w0 := FitRegularised(X, overlapping, lambda)
	var gradW mat.Dense
	gradW.Scale(lambda, W)
	gradW0, gradw := 0.0, make([]float64, 2)
	for n := range overlapping {
		x := mat.NewVecDense(2, X.RawRowView(n))
		off := 1/(1+math.Exp(-mat.Inner(x, W, x)-floats.Dot(w, X.RawRowView(n))-w0)) - overlapping[n]
		gradW.RankOne(&gradW, off, x, x)
		floats.AddScaled(gradw, off, X.RawRowView(n))
		gradW0 += off
	}
	if g := mat.Norm(&gradW, 2) + floats.Norm(gradw, 2) + math.Abs(gradW0); g > 1e-7 {
		t.Errorf("at the fit the gradient is %g", g)
	}
}
