package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.7: each step adds one misclassified φ, the last panel has no mistake",
		// Stopped too early, the last panel has mistakes.
		wrong: with(PRML4x7, PRML4x7Options{Steps: 2}),
		holds: func(d show.Data) error {
			w0, _ := d.Column("w.0")
			w1, _ := d.Column("w.1")
			w2, _ := d.Column("w.2")
			x, _ := d.Column("mistake.x")
			y, _ := d.Column("mistake.y")
			t, _ := d.Column("mistake.t")
			eta := value(d, "rate")
			if len(w0) != len(x)+1 || len(x) == 0 {
				return fmt.Errorf("%d weights and %d corrections", len(w0), len(x))
			}
			for i := range x {
				if a := w0[i] + w1[i]*x[i] + w2[i]*y[i]; a*t[i] > 0 {
					return fmt.Errorf("correction %d: the point (%v, %v) is on its own side already", i, x[i], y[i])
				}
				for j, step := range []float64{w0[i+1] - w0[i] - eta*t[i], w1[i+1] - w1[i] - eta*t[i]*x[i], w2[i+1] - w2[i] - eta*t[i]*y[i]} {
					if math.Abs(step) > 1e-8 { // PRML (4.55), with numbers rounded to nine digits
						return fmt.Errorf("correction %d: weight %d is off η t φ by %v", i, j, step)
					}
				}
			}
			// The last panel, counted on the drawn points.
			px, _ := d.Column("d.points.x")
			py, _ := d.Column("d.points.y")
			class, ok := d.Column("d.points.class")
			if !ok {
				return fmt.Errorf("there are not four panels")
			}
			last := len(w0) - 1
			for i := range px {
				if a := w0[last] + w1[last]*px[i] + w2[last]*py[i]; (a > 0) != (class[i] == 0) || !inRegion(d, "d.", class[i], px[i], py[i]) {
					return fmt.Errorf("the point (%v, %v) is a mistake in the last panel", px[i], py[i])
				}
			}
			return nil
		},
	})
}

func TestPRML4x7ManyCorrections(t *testing.T) {
	// Four panels stay four: the first three, and the end.
	fig := must(PRML4x7(PRML4x7Options{N: 60, Rate: 0.02, Angle: 300}))(t)
	mistakes, _ := fig.Data().Column("mistakes")
	if fig.Len() != 4 || len(mistakes) < 6 || mistakes[len(mistakes)-1] != 0 {
		t.Errorf("%d panels, mistakes %v", fig.Len(), mistakes)
	}
	// A start without mistakes is one panel.
	fig = must(PRML4x7(PRML4x7Options{N: 1, Angle: 45, Seed: 1}))(t)
	if mistakes, _ := fig.Data().Column("mistakes"); fig.Len() != len(mistakes) {
		t.Errorf("%d panels for %d weights", fig.Len(), len(mistakes))
	}
}

func TestPRML4x7Errors(t *testing.T) {
	refuses(t, PRML4x7, map[string]PRML4x7Options{
		"negative N":     {N: -1},
		"negative steps": {Steps: -1},
		"negative rate":  {Rate: -1},
		"NaN rate":       {Rate: math.NaN()},
		"infinite angle": {Angle: math.Inf(1)},
	})
}
