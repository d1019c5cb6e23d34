package form

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestForm(t *testing.T) {
	vector := func(v []float64, n int) *verify.Verdict { return Vector("w", v, n, "column of X", "p", 1) }
	matrix := func(m *mat.Dense) *verify.Verdict { return Matrix("S", m, 2, 2, "D×D", "p", 1) }
	for _, tc := range []struct {
		name, key string // "" for no verdict
		got       *verify.Verdict
	}{
		{"vector", "", vector([]float64{1, 2}, 2)},
		{"nil vector", "empty", vector(nil, 2)},
		{"nil where nothing belongs", "", vector(nil, 0)},
		{"short vector", "wrong-length", vector([]float64{1}, 2)},
		{"NaN in a vector", "not-finite", vector([]float64{1, math.NaN()}, 2)},
		{"matrix", "", matrix(mat.NewDense(2, 2, nil))},
		{"nil matrix", "empty", matrix(nil)},
		{"empty matrix", "empty", matrix(&mat.Dense{})},
		{"row", "wrong-shape", matrix(mat.NewDense(1, 2, nil))},
		{"Inf in a matrix", "not-finite", matrix(mat.NewDense(2, 2, []float64{0, 0, math.Inf(-1), 0}))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			switch {
			case tc.key == "" && tc.got != nil:
				t.Errorf("got %v, want no verdict", *tc.got)
			case tc.key != "" && (tc.got == nil || tc.got.Key != tc.key || tc.got.Outcome != verify.Wrong || tc.got.Message == ""):
				t.Errorf("got %v, want the key %q", tc.got, tc.key)
			}
		})
	}
}
