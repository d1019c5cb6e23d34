package verify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestProperties checks that every property check passes for values with the property and fails for
// values without it.
func TestProperties(t *testing.T) {
	nan, tol := math.NaN(), verify.Tolerance{Rel: 1e-9, Abs: 1e-12}
	sq := func(w []float64) float64 { return w[0]*w[0] + 3*w[0]*w[1] } // gradient (2w0+3w1, 3w0)
	dense := func(r, c int, v ...float64) *mat.Dense { return mat.NewDense(r, c, v) }
	var none *mat.Dense
	// The least-squares line through (0,0), (1,1), (2,5) is −½ + 2½x.
	x, targets := dense(3, 2, 1, 0, 1, 1, 1, 2), dense(3, 1, 0, 1, 5)
	line := dense(3, 1, -0.5, 2, 4.5)
	twice := dense(3, 3, 1, 0, 0, 1, 1, 1, 1, 2, 2) // the third column repeats the second
	// f(u,v) = (uv, u², v) with the derivatives ((v,u), (2u,0), (0,1)).
	f := func(w []float64) []float64 { return []float64{w[0] * w[1], w[0] * w[0], w[1]} }
	at := []float64{2, -3}
	half, halves := dense(2, 2, 1, 2, 1, 5), dense(2, 2, 1, 0, 1, 0)
	diff := verify.Tolerance{Rel: 1e-8}
	for _, tc := range []struct {
		name string
		got  verify.Finding
		ok   bool
	}{
		{"Close equal", verify.Close(1, 1+1e-12, tol), true},
		{"Close apart", verify.Close(1, 1.1, tol), false},
		{"Close NaN", verify.Close(nan, nan, tol), false},
		{"Close equal infinities", verify.Close(math.Inf(1), math.Inf(1), tol), true},
		{"Close infinite", verify.Close(math.Inf(1), 1, tol), false},
		{"CloseSlice", verify.CloseSlice([]float64{1e6, 1e-9}, []float64{1e6, 0}, tol), true},
		{"CloseSlice length", verify.CloseSlice([]float64{1}, []float64{1, 2}, tol), false},
		{"CloseSlice NaN", verify.CloseSlice([]float64{1, nan}, []float64{1, 2}, tol), false},
		{"CloseMat", verify.CloseMat(dense(1, 2, 1, 2), dense(1, 2, 1, 2), tol), true},
		{"CloseMat nil", verify.CloseMat(none, dense(1, 2, 1, 2), tol), false},
		{"CloseMat shape", verify.CloseMat(dense(2, 1, 1, 2), dense(1, 2, 1, 2), tol), false},
		{"SumsTo", verify.SumsTo([]float64{0.25, 0.75}, 1, tol), true},
		{"SumsTo not", verify.SumsTo([]float64{0.25, 0.7}, 1, tol), false},
		{"AffineConstraint", verify.AffineConstraint([]float64{1, -2}, 3, []float64{1, 2}, tol), true},
		{"AffineConstraint not", verify.AffineConstraint([]float64{1, -2}, 3, []float64{1, 2.1}, tol), false},
		{"AffineConstraint NaN", verify.AffineConstraint([]float64{1}, 0, []float64{nan}, tol), false},
		{"AffineConstraint length", verify.AffineConstraint([]float64{1, 1}, 0, []float64{1}, tol), false},
		{"Parallel", verify.Parallel([]float64{1, 2}, []float64{-2, -4}, 1e-12), true},
		{"Parallel not", verify.Parallel([]float64{1, 2}, []float64{2, 1}, 1e-3), false},
		{"Parallel zero", verify.Parallel([]float64{0, 0}, []float64{2, 1}, 1e-3), false},
		{"Parallel NaN", verify.Parallel([]float64{nan, 0}, []float64{2, 1}, 1e-3), false},
		{"SameDirection", verify.SameDirection([]float64{1, 2}, []float64{2, 4}, 1e-12), true},
		{"SameDirection opposite", verify.SameDirection([]float64{1, 2}, []float64{-2, -4}, 1e-12), false},
		{"Symmetric", verify.Symmetric(dense(2, 2, 1, 2, 2, 1), 1e-12), true},
		{"Symmetric not", verify.Symmetric(dense(2, 2, 1, 2, 2.1, 1), 1e-12), false},
		{"Symmetric NaN", verify.Symmetric(dense(2, 2, 1, nan, 2, 1), 1e-12), false},
		{"Symmetric not square", verify.Symmetric(dense(1, 2, 1, 2), 1e-12), false},
		{"PositiveDefinite", verify.PositiveDefinite(dense(2, 2, 2, 1, 1, 2), 1e-12), true},
		{"PositiveDefinite semi", verify.PositiveDefinite(dense(2, 2, 1, 1, 1, 1), 1e-12), false},
		{"PositiveDefinite NaN", verify.PositiveDefinite(dense(1, 1, nan), 1e-12), false},
		{"PositiveDefinite tiny entries", verify.PositiveDefinite(dense(2, 2, 2e-120, 1e-120, 1e-120, 2e-120), 1e-12),
			true},
		{"PositiveDefinite zero", verify.PositiveDefinite(dense(2, 2, 0, 0, 0, 0), 1e-12), false},
		{"PositiveSemidefinite zero", verify.PositiveSemidefinite(dense(2, 2, 0, 0, 0, 0), 1e-12), true},
		{"PositiveSemidefinite", verify.PositiveSemidefinite(dense(2, 2, 1, 1, 1, 1), 1e-12), true},
		{"PositiveSemidefinite not", verify.PositiveSemidefinite(dense(2, 2, 1, 2, 2, 1), 1e-12), false},
		{"Gradient", verify.Gradient(sq, []float64{1, 2}, []float64{8, 3}, diff), true},
		{"Gradient not", verify.Gradient(sq, []float64{1, 2}, []float64{-8, -3}, diff), false},
		{"Gradient length", verify.Gradient(sq, []float64{1, 2}, []float64{8}, diff), false},
		{"NormalEquations", verify.NormalEquations(x, line, targets, 1e-12), true},
		{"NormalEquations dependent columns", verify.NormalEquations(twice, line, targets, 1e-12), true},
		{"NormalEquations exact fit", verify.NormalEquations(x, dense(3, 1, 0, 1+1e-16, 5), targets, 1e-12), true},
		{"NormalEquations mean", verify.NormalEquations(x, dense(3, 1, 2, 2, 2), targets, 1e-3), false},
		{"NormalEquations zero target", verify.NormalEquations(x, dense(3, 1, 1, 1, 1), dense(3, 1, 0, 0, 0), 1e-3),
			false},
		{"NormalEquations NaN", verify.NormalEquations(x, dense(3, 1, nan, 2, 4), targets, 1e-3), false},
		{"NormalEquations nil", verify.NormalEquations(x, none, targets, 1e-3), false},
		{"NormalEquations shape", verify.NormalEquations(x, dense(1, 3, 1, 2, 3), targets, 1e-3), false},
		{"NormalEquations rows", verify.NormalEquations(x, line, dense(2, 1, 1, 1), 1e-3), false},
		{"Jacobian", verify.Jacobian(f, at, dense(3, 2, -3, 2, 4, 0, 0, 1), diff), true},
		{"Jacobian transposed", verify.Jacobian(f, at, dense(2, 3, -3, 4, 0, 2, 0, 1), diff), false},
		{"Jacobian sign", verify.Jacobian(f, at, dense(3, 2, -3, 2, -4, 0, 0, 1), diff), false},
		{"Jacobian NaN", verify.Jacobian(f, at, dense(3, 2, nan, 2, 4, 0, 0, 1), diff), false},
		{"Jacobian nil", verify.Jacobian(f, at, none, diff), false},
		{"Jacobian of a function without values",
			verify.Jacobian(func([]float64) []float64 { return nil }, at, none, diff), false},
		// The prediction of an all-zero target may differ from 0 by rounding relative to the whole
		// problem, but not by more.
		{"NormalEquations rounding of a zero target",
			verify.NormalEquations(half, dense(2, 2, 1, 1e-16, 1, 1e-16), halves, 1e-9), true},
		{"NormalEquations miss of a zero target",
			verify.NormalEquations(half, dense(2, 2, 1, 1e-10, 1, 1e-10), halves, 1e-9), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.got.OK != tc.ok {
				t.Errorf("OK = %v, want %v (%s)", tc.got.OK, tc.ok, tc.got.Off())
			}
			if !tc.ok && tc.got.Off() == "" {
				t.Error("a failed finding says nothing")
			}
		})
	}
}

// TestOffRevealsNothing checks that Off gives only the order of magnitude of the miss, never the
// sign.
func TestOffRevealsNothing(t *testing.T) {
	above, below := verify.Close(1.0372, 1, verify.Tolerance{}), verify.Close(0.9628, 1, verify.Tolerance{})
	if above.Off() != below.Off() || above.Off() != "off by about 0.1" { // 0.0372 is nearer to 10⁻¹ than to 10⁻²
		t.Errorf("above %q, below %q", above.Off(), below.Off())
	}
}

func TestDerivative(t *testing.T) {
	for _, x := range []float64{0, 0.5, -3} {
		if got := verify.Derivative(math.Sin, x, 0); math.Abs(got-math.Cos(x)) > 1e-10 {
			t.Errorf("derivative of sin at %g: %g, want %g", x, got, math.Cos(x))
		}
	}
}
