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
