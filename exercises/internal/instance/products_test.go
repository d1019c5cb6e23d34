package instance_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

func TestProducts(t *testing.T) {
	got := instance.Products(mat.NewDense(2, 2, []float64{2, 3, -1, 5}))
	if want := mat.NewDense(2, 7, []float64{1, 2, 3, 4, 6, 6, 9, 1, -1, 5, 1, -5, -5, 25}); !mat.Equal(got, want) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
