package twoclass

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestDescent: two points ±1 of either class. The bias stays at 0 by symmetry and ∇E is
// −2σ(−w), in length 1 at w = 0, σ(−1)·2 = 0.538 at w = 1 and 0.354 at w = 1.538.
func TestDescent(t *testing.T) {
	x, r := mat.NewDense(2, 1, []float64{-1, 1}), []float64{0, 1}
	for _, tc := range []struct {
		name  string
		d     Descent
		tol   float64
		limit int
		want  int
	}{
		{"at the start", Descent{}, 1, 0, 0},
		{"one update", Descent{}, 0.54, 9, 1},
		{"two updates", Descent{}, 0.36, 9, 2},
		{"no more are allowed", Descent{}, 0.36, 1, -1},
		{"another start", Descent{Start: 1}, 0.6, 9, 1},
		{"no bias", Descent{NoBias: true}, 0.36, 9, 2},
		{"one after another", Descent{InTurn: true}, 0.36, 9, 2},
		{"never set to 0", Descent{Accumulated: true}, 0.54, 9, -1},
		{"after every point, the gradient of before", Descent{Online: true, Fresh: true}, 1, 9, 0},
		{"uphill", Descent{Residual: func(a, r float64) float64 { return -Residual(a, r) }}, 0.9, 9, -1},
		{"another size", Descent{Size: func(g []float64, eta float64) float64 { return eta * g[1] * g[1] }}, 0.3, 9, 1},
	} {
		if got := tc.d.Steps(x, r, 1, tc.tol, tc.limit); got != tc.want {
			t.Errorf("%s: %d updates, want %d", tc.name, got, tc.want)
		}
	}
}
