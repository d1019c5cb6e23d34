package learner_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

func TestSym(t *testing.T) {
	var in learner.Inputs
	m := mat.NewSymDense(2, []float64{2, 1, 1, 3})
	out := in.Sym("A", m)
	if in.Changed(1) != nil {
		t.Error("nothing was changed, and a verdict came back")
	}
	out.SetSym(0, 1, 7)
	if m.At(0, 1) != 1 {
		t.Error("the copy shares its numbers with the original")
	}
	if v := in.Changed(2); v == nil || v.Key != "mutates-inputs" || v.Hint != 2 {
		t.Errorf("a changed copy: %v", v)
	}
}
