package figures

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestLabelsStandClear checks the labels of figure 4.1 for all directions of w and positions of the
// line. They must not cover a line or another label, and must stay inside the picture.
func TestLabelsStandClear(t *testing.T) {
	o := filled(PRML4x1Options{})
	g := newGeometries(o)
	total := 0
	for _, angle := range g.angles {
		for _, bias := range g.biases {
			sin, cos := math.Sincos(angle * math.Pi / 180)
			h := must(classify.NewHyperplane([]float64{bias, o.Norm * cos, o.Norm * sin}))(t)
			_, n := drawGeometry(h, turning4x1, o.X, must(h.Project(o.X[:]))(t), must(h.Foot())(t),
				must(h.Value(o.X[:]))(t))
			if n > 0 {
				t.Logf("angle %v, bias %v: the labels cover %d things", angle, bias, n)
			}
			total += n
		}
	}
	if total > 0 {
		t.Errorf("labels cover %d things in %d positions", total, len(g.angles)*len(g.biases))
	}
}

// TestMeets checks that a line meets a box if it passes through the box, or begins or lies in the
// box. A line that only passes beside the box must not meet it.
func TestMeets(t *testing.T) {
	b := [4]float64{0, 0, 2, 1}
	for l, want := range map[[4]float64]bool{
		{-1, 0.5, 3, 0.5}: true, {1, 0.5, 1, 9}: true, {0.5, 0.5, 1, 0.6}: true, {-1, -1, 3, 2}: true,
		{-1, 2, 3, 2}: false, {3, 0, 3, 1}: false, {-1, 0.9, 0.5, 3}: false, {-2, 0.5, -1, 0.5}: false,
	} {
		if meets(l, b) != want {
			t.Errorf("%v meets %v: %v", l, b, !want)
		}
	}
}
