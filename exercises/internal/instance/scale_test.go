package instance_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

func TestScale(t *testing.T) {
	s := instance.Scale{1, 100}
	if got := s.Even([]float64{3, 100, 100, 5e4}); !mat.Equal(got, mat.NewDense(2, 2, []float64{3, 1, 1, 5})) {
		t.Errorf("even: %v", mat.Formatted(got))
	}
	if got := s.Unit([]float64{-1e308, 5e307, 1e-300, 0}); !mat.EqualApprox(got, mat.NewDense(2, 2, []float64{-1, 0.005, 0, 0}), 1e-15) {
		t.Errorf("unit: %v", mat.Formatted(got))
	}
	if got := s.Unit(make([]float64, 4)); mat.Norm(got, 1) != 0 {
		t.Errorf("unit of zeros: %v", mat.Formatted(got))
	}
	right := []float64{2, 30, 30, 4e4}
	for _, tc := range []struct {
		name string
		h    []float64
		want bool
	}{
		{"α everywhere", []float64{2.5, 30, 30, 4e4 + 0.5}, true},
		{"not on the bias", []float64{2, 30, 30, 4e4 + 0.5}, true},
		{"negative", []float64{1.5, 30, 30, 4e4 - 0.5}, false},
		{"beside the diagonal", []float64{2.5, 30.1, 30, 4e4 + 0.5}, false},
		{"right", right, false},
	} {
		if got := s.Ridge(tc.h, right); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
	if (instance.Scale{1}).Ridge([]float64{3}, []float64{2}) {
		t.Error("a single number is called a ridge")
	}
}
