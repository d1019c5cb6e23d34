package figures

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// geometryAt says whether the numbers of a figure are those of the line with w of
// that length and angle, and that bias.
func geometryAt(d show.Data, norm, degrees, w0 float64) error {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	w, _ := d.Column("w")
	x, _ := d.Column("x")
	foot, _ := d.Column("foot")
	below, _ := d.Column("below")
	y := w0 + norm*(cos*x[0]+sin*x[1])
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"w0", w[0], w0}, {"w1", w[1], norm * cos}, {"w2", w[2], norm * sin}, {"y", value(d, "y"), y},
		{"the distance of x", value(d, "distance.x"), y / norm}, {"the distance of the origin", value(d, "distance.origin"), -w0 / norm},
		// Both feet lie on the line, and the arrows that end there are that long.
		{"y at the foot of 0", w0 + norm*(cos*foot[0]+sin*foot[1]), 0}, {"y at the foot of x", w0 + norm*(cos*below[0]+sin*below[1]), 0},
		{"the length of the arrow from 0", math.Hypot(foot[0], foot[1]), math.Abs(w0 / norm)},
		{"the length of the arrow to x", math.Hypot(x[0]-below[0], x[1]-below[1]), math.Abs(y / norm)},
	} {
		if !(math.Abs(c.got-c.want) < 1e-7) {
			return fmt.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	return nil
}

// labelOf is a label that ends in a number, as the page shows it.
func labelOf(what string, v float64) string {
	return what + " = " + strings.ReplaceAll(fmt.Sprintf("%.3g", math.Round(v*1e9)/1e9+0), "-", "−")
}

func TestPRML4x1ChartEveryPosition(t *testing.T) {
	for _, o := range []PRML4x1Options{{}, {W0: 3, Norm: 1.7, Angle: -47, X: [2]float64{-1, 2}}} {
		c := must(PRML4x1Chart(o))(t)
		o = o.filled()
		frames, _ := pageOf(t, c)
		g := newGeometries(o)
		if len(frames) != len(g.angles)*len(g.biases) || len(frames) > 150 {
			t.Fatalf("%d frames for %d angles and %d biases", len(frames), len(g.angles), len(g.biases))
		}
		// The sliders pass through the values of the options.
		if a, w0 := g.angles[g.start[0]], g.biases[g.start[1]]; math.Abs(math.Remainder(a-o.Angle, 360)) > 1e-9 || math.Abs(w0-o.W0) > 1e-9 {
			t.Errorf("the start is %v°, %v; want %v°, %v", a, w0, o.Angle, o.W0)
		}
		for i, angle := range g.angles {
			for j, w0 := range g.biases {
				fig, err := g.figure(i, j)
				if err != nil {
					t.Fatalf("%v°, %v: %v", angle, w0, err)
				}
				if err := geometryAt(fig.Data(), o.Norm, angle, w0); err != nil {
					t.Errorf("%v°, %v: %v", angle, w0, err)
				}
				// The property can fail: the figure of the next position has it not.
				if geometryAt(fig.Data(), o.Norm, angle+turn4x1, w0) == nil || geometryAt(fig.Data(), o.Norm, angle, w0+push4x1*o.Norm) == nil {
					t.Errorf("%v°, %v: the figure passes for that of the next position", angle, w0)
				}
				page := frames[i*len(g.biases)+j]
				sin, cos := math.Sincos(angle * math.Pi / 180)
				for _, label := range []string{
					labelOf("−w₀/‖w‖", -w0/o.Norm), labelOf("y(x)/‖w‖", w0/o.Norm+cos*o.X[0]+sin*o.X[1]),
				} {
					if !page.says(label) {
						t.Errorf("%v°, %v: the page does not say %q but %q", angle, w0, label, page.labels)
					}
				}
				if label := labelOf("y(x)", w0+o.Norm*(cos*o.X[0]+sin*o.X[1])); !strings.HasSuffix(page.titles[0], label) {
					t.Errorf("%v°, %v: the title is %q, without %q", angle, w0, page.titles[0], label)
				}
			}
		}
	}
}

func TestPRML4x1ChartErrors(t *testing.T) {
	for name, o := range map[string]PRML4x1Options{
		"as the figure": {W0: math.NaN()},
		"far line":      {W0: -5.4, Norm: 2, Angle: 20}, // the printed form has room for it, in that direction
	} {
		_, err := PRML4x1Chart(o)
		if err == nil || !strings.HasPrefix(err.Error(), "figures: PRML 4.1: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := PRML4x1(PRML4x1Options{W0: -5.4, Norm: 2, Angle: 20}); err != nil {
		t.Errorf("the printed form: %v", err)
	}
}
