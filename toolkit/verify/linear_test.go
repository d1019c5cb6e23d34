package verify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestLinearProperties shows the properties of a least-squares fit, and of a
// matrix of derivatives, holding and failing.
func TestLinearProperties(t *testing.T) {
	nan, tol := math.NaN(), verify.Tolerance{Rel: 1e-8}
	dense := func(r, c int, v ...float64) *mat.Dense { return mat.NewDense(r, c, v) }
	var none *mat.Dense
	// The line through (0,0), (1,1), (2,5) in the least-squares sense is −½ + 2½x.
	x, targets := dense(3, 2, 1, 0, 1, 1, 1, 2), dense(3, 1, 0, 1, 5)
	line := dense(3, 1, -0.5, 2, 4.5)
	twice := dense(3, 3, 1, 0, 0, 1, 1, 1, 1, 2, 2) // the second column again
	// f(u,v) = (uv, u², v) with the derivatives ((v,u), (2u,0), (0,1)).
	f := func(w []float64) []float64 { return []float64{w[0] * w[1], w[0] * w[0], w[1]} }
	at := []float64{2, -3}
	for _, tc := range []struct {
		name string
		got  verify.Finding
		ok   bool
	}{
		{"NormalEquations", verify.NormalEquations(x, line, targets, 1e-12), true},
		{"NormalEquations dependent columns", verify.NormalEquations(twice, line, targets, 1e-12), true},
		{"NormalEquations exact fit", verify.NormalEquations(x, dense(3, 1, 0, 1+1e-16, 5), targets, 1e-12), true},
		{"NormalEquations mean", verify.NormalEquations(x, dense(3, 1, 2, 2, 2), targets, 1e-3), false},
		{"NormalEquations zero target", verify.NormalEquations(x, dense(3, 1, 1, 1, 1), dense(3, 1, 0, 0, 0), 1e-3), false},
		{"NormalEquations NaN", verify.NormalEquations(x, dense(3, 1, nan, 2, 4), targets, 1e-3), false},
		{"NormalEquations nil", verify.NormalEquations(x, none, targets, 1e-3), false},
		{"NormalEquations shape", verify.NormalEquations(x, dense(1, 3, 1, 2, 3), targets, 1e-3), false},
		{"NormalEquations rows", verify.NormalEquations(x, line, dense(2, 1, 1, 1), 1e-3), false},
		{"Jacobian", verify.Jacobian(f, at, dense(3, 2, -3, 2, 4, 0, 0, 1), tol), true},
		{"Jacobian transposed", verify.Jacobian(f, at, dense(2, 3, -3, 4, 0, 2, 0, 1), tol), false},
		{"Jacobian sign", verify.Jacobian(f, at, dense(3, 2, -3, 2, -4, 0, 0, 1), tol), false},
		{"Jacobian NaN", verify.Jacobian(f, at, dense(3, 2, nan, 2, 4, 0, 0, 1), tol), false},
		{"Jacobian nil", verify.Jacobian(f, at, none, tol), false},
		{"Jacobian of a function without values", verify.Jacobian(func([]float64) []float64 { return nil }, at, none, tol), false},
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
