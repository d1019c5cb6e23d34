package instance_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

func TestDesign(t *testing.T) {
	draw := func() *mat.Dense {
		return instance.Design(instance.Source(1, 2), 5, []float64{1, 10}, []float64{0, 2})
	}
	phi := draw()
	if !mat.Equal(phi, draw()) {
		t.Error("two draws from the same source differ")
	}
	for i := range 5 {
		if phi.At(i, 0) != 1 || phi.At(i, 1) == 10 {
			t.Errorf("row %d is %v, want a constant 1 and a random number", i, phi.RawRowView(i))
		}
	}
	zero := mat.NewDense(2, 2, []float64{-3, 0, 2, 0})
	if s := instance.Sizes(zero); s[0] != 3 || s[1] != 1 {
		t.Errorf("sizes %v, want 3 and 1", s)
	}
	if w := instance.Weights(instance.Source(1, 3), zero, 0); len(w) != 2 || w[0] != 0 {
		t.Errorf("weights %v, want two zeros", w)
	}
	if a := instance.Activations(zero, []float64{2, 5}); a[0] != -6 || a[1] != 4 {
		t.Errorf("activations %v, want −6 and 4", a)
	}
	if got := instance.OneOfK([]int{1, 0}, 2); !mat.Equal(got, mat.NewDense(2, 2, []float64{0, 1, 1, 0})) {
		t.Errorf("targets %v", mat.Formatted(got))
	}
	w, want := []float64{0.5, 20}, instance.Magnitudes()
	for i, a := range instance.Activations(instance.Reaching(instance.Source(1, 4), w, want), w) {
		if math.Abs(a-want[i]) > 1e-12*want[i] {
			t.Errorf("activation %d is %g, want %g", i, a, want[i])
		}
		if i > 0 && !(want[i] > want[i-1]) {
			t.Errorf("magnitude %d is not larger than the one before", i)
		}
	}
}
