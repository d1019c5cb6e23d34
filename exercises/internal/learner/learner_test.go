package learner_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

func TestInputs(t *testing.T) {
	phi, w := mat.NewDense(1, 2, []float64{1, 2}), []float64{3}
	var in learner.Inputs
	gotPhi, gotW := in.Dense("Phi", phi), in.Slice("w", w)
	if v := in.Changed(3); v != nil {
		t.Errorf("nothing was changed, and the verdict is %v", v)
	}
	gotW[0] = 4
	if v := in.Changed(3); v == nil || v.Key != "mutates-inputs" || !strings.Contains(v.Message, "argument w") {
		t.Errorf("w was changed, and the verdict is %v", v)
	}
	gotPhi.Set(0, 1, math.NaN())
	if v := in.Changed(3); v == nil || !strings.Contains(v.Message, "argument Phi") {
		t.Errorf("Phi was changed, and the verdict is %v", v)
	}
	if w[0] != 3 || phi.At(0, 1) != 2 {
		t.Error("the originals were changed")
	}
}

func TestRecognise(t *testing.T) {
	list := []learner.Mistake[float64]{
		{Key: "not told apart", Value: func(float64) []float64 { return nil }},
		{Key: "other shape", Value: func(float64) []float64 { return []float64{1} }},
		{Key: "sign", Message: "100 % wrong", Value: func(p float64) []float64 { return []float64{-p, p} }},
	}
	if v, ok := learner.Recognise(list, 2, []float64{-2, 2}); !ok || v.Key != "sign" || v.Message != "100 % wrong" {
		t.Errorf("recognised %v, %v", v, ok)
	}
	if v, ok := learner.Recognise(list, 2, []float64{-2, math.NaN()}); ok {
		t.Errorf("NaN was recognised as %v", v)
	}
}

func TestFactor(t *testing.T) {
	for _, tc := range []struct {
		name       string
		got, right []float64
		c          float64
		ok         bool
	}{
		{"half", []float64{1, -2}, []float64{2, -4}, 0.5, true},
		{"equal", []float64{1, -2}, []float64{1, -2}, 0, false},
		{"zero", []float64{0, 0}, []float64{1, -2}, 0, false},
		{"not one number", []float64{1, 2}, []float64{1, -2}, 0, false},
		{"right is zero", []float64{1, 2}, []float64{0, 0}, 0, false},
		{"empty", nil, nil, 0, false},
		{"not finite", []float64{1, math.Inf(1)}, []float64{1, 2}, 0, false},
	} {
		if c, ok := learner.Factor(tc.got, tc.right); ok != tc.ok || ok && c != tc.c {
			t.Errorf("%s: %g, %v", tc.name, c, ok)
		}
	}
}

func TestNotFinite(t *testing.T) {
	if i, v, found := learner.NotFinite(learner.Entries(mat.NewDense(2, 1, []float64{0, math.Inf(-1)}))); !found || i != 1 || !math.IsInf(v, -1) {
		t.Errorf("found %v: entry %d is %g", found, i, v)
	}
	if _, _, found := learner.NotFinite([]float64{0, 1e308}); found {
		t.Error("a finite number was found not finite")
	}
}
