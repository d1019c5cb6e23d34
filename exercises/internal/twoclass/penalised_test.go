package twoclass

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// TestPenalised: the derivatives of the whole vanish, a high price holds a weight at its
// centre, and without prices it is the minimum of the error.
func TestPenalised(t *testing.T) {
	p := Source{instance.Source(1, 3), 1, 3, 1.5}.Draw("sixty points", 60, []float64{1, 0, 2}, []float64{0, 1, 3})
	price, centre := []float64{0, 3, 1e7}, []float64{0.1, -1, 0.5}
	w := Logistic.Penalised(p, price, centre)
	g := Logistic.Gradient(Problem{Phi: p.Phi, T: p.T, W: w})
	floats.Add(g, floats.MulTo(make([]float64, 3), price, instance.Minus(w, centre)))
	if size := floats.Norm(g, math.Inf(1)); !(size < 1e-6) {
		t.Errorf("the gradient is %g", g)
	}
	if !(math.Abs(w[2]-0.5) < 1e-4) || math.Abs(w[1]+1) < 1e-2 {
		t.Errorf("w = %g: the last weight alone should be held at its centre", w)
	}
	if free, low := Logistic.Penalised(p, make([]float64, 3), centre), Logistic.Minimum(p).W; !floats.EqualApprox(free, low, 1e-7) {
		t.Errorf("without prices %g, the minimum is %g", free, low)
	}
}
