package instance_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

func TestCentred(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 5, 7})
	if got := instance.Centred(x, []float64{1, 3}); !mat.Equal(got, mat.NewDense(2, 2, []float64{0, -1, 4, 4})) || x.At(1, 1) != 7 {
		t.Errorf("%v from %v", got, x)
	}
}

func TestCombination(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 5, 7})
	if got := instance.Combination(x, []float64{2, -1}); got[0] != -3 || got[1] != -3 {
		t.Errorf("%v, want -3 and -3", got)
	}
}

func TestDiameter(t *testing.T) {
	x, y := mat.NewDense(2, 2, []float64{0, 0, 1, 0}), mat.NewDense(1, 2, []float64{4, 4})
	if a, b := instance.Diameter(x), instance.Diameter(x, y); a != 1 || b != mat.Norm(y, 2) {
		t.Errorf("%g and %g, want 1 and √32", a, b)
	}
}
