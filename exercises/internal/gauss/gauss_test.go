package gauss

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestClasses(t *testing.T) {
	c := Of(mat.NewDense(1, 2, []float64{3, 1}), mat.NewDense(3, 2, []float64{0, 0, 2, 0, 1, 3}))
	if n1, n2, n := c.Counts(); n1 != 1 || n2 != 3 || n != 4 {
		t.Errorf("counts %g, %g, %g", n1, n2, n)
	}
	if m, gap := c.Mean(), c.Gap(); !slices.Equal(m, []float64{1.5, 1}) || !slices.Equal(gap, []float64{2, 0}) {
		t.Errorf("mean %v, gap %v", m, gap)
	}
	if s := c.Total(); s.At(0, 0) != 5 || s.At(0, 1) != 0 || s.At(1, 1) != 6 { // deviations from the mean (1.5, 0), (−1.5, −1), (0.5, −1), (−0.5, 2)
		t.Errorf("total scatter %v", mat.Formatted(s))
	}
	if s := c.Spread(); s[0] != math.Sqrt(5) || s[1] != math.Sqrt(6) {
		t.Errorf("spread %v", s)
	}
	if targets := c.Targets(4, -1); !slices.Equal(targets, []float64{4, -1, -1, -1}) {
		t.Errorf("targets %v", targets)
	}
}

func TestMatrix(t *testing.T) {
	m, v := mat.NewDense(2, 2, []float64{2, 1, 0, 4}), []float64{1, 2}
	if got := Times(m, v); !slices.Equal(got, []float64{4, 8}) {
		t.Errorf("M·v = %v", got)
	}
	if got := Form([]float64{3, -1}, m, v); got != 4 {
		t.Errorf("uᵀMv = %g", got)
	}
	if got := Solve(m, []float64{4, 8}); !slices.Equal(got, v) {
		t.Errorf("M⁻¹v = %v", got)
	}
	if got := Plus(m, -1, v); !mat.Equal(got, mat.NewDense(2, 2, []float64{1, -1, -2, 0})) || m.At(0, 0) != 2 {
		t.Errorf("M − vvᵀ = %v, M = %v", got, m)
	}
	if got := Power(mat.NewSymDense(2, []float64{5, 4, 4, 5}), 0.5); !mat.EqualApprox(got, mat.NewSymDense(2, []float64{2, 1, 1, 2}), 1e-14) {
		t.Errorf("the root of (5 4; 4 5) is %v", mat.Formatted(got))
	}
}
