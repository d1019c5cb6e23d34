package figures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// TestGambosiNewtonFrames follows the chart step by step: each tangent ends at its root,
// where the next step begins, and each step with bias solves Newton's equations.
func TestGambosiNewtonFrames(t *testing.T) {
	run := must(GambosiNewtonOptions{}.filled().run())(t)
	if err := newtonFramesHold(run, run.places()); err != nil {
		t.Error(err)
	}
	if steps := len(run.places()); steps < 15 || steps > 60 {
		t.Errorf("%d frames", steps)
	}
	// Red: shorter steps, which miss the root, and a frame left out.
	slow := must(GambosiNewtonOptions{Rate: 0.9}.filled().run())(t)
	one, two := *slow, *slow
	one.two, two.one = run.two, run.one
	for name, wrong := range map[string]*newtonRun{"one weight": &one, "with bias": &two} {
		if newtonFramesHold(wrong, wrong.places()) == nil {
			t.Errorf("%s: steps of nine tenths pass", name)
		}
	}
	if newtonFramesHold(run, slices.Delete(run.places(), 2, 3)) == nil {
		t.Error("frames without the first root pass")
	}
}

// newtonFramesHold draws the frames at these places, and steps along with them.
func newtonFramesHold(run *newtonRun, places []newtonPlace) error {
	x, w := run.one.x, 0.0 // the fit of one weight starts at 0
	v := [2]float64{}      // and so does that with bias
	roots, steps := 0, 0
	for i, p := range places {
		fig, err := run.frame(p)
		if err != nil {
			return err
		}
		d := fig.Data()
		switch {
		case i == 0:
		case p.steps > 0:
			steps++
			v = newtonStep(x, run.t, v)
		case p.tangents == p.roots:
			// The root of the tangent, from sums of its own.
			slope, curvature := 0.0, 0.0
			for n := range x {
				y := 1 / (1 + math.Exp(-w*x[n]))
				slope, curvature = slope+(y-run.t[n])*x[n], curvature+y*(1-y)*x[n]*x[n]
			}
			w, roots = w-slope/curvature, roots+1
		}
		if err := newtonFrameHolds(d, w, v, p, roots, steps); err != nil {
			return fmt.Errorf("frame %d (%s): %w", i, p.label, err)
		}
	}
	return nil
}

// newtonFrameHolds checks what a frame shows: w after so many roots, v after so many
// steps with bias.
func newtonFrameHolds(d show.Data, w float64, v [2]float64, p newtonPlace, roots, steps int) error {
	got, _ := d.Column("newton.w")
	if len(got) != roots+1 || math.Abs(got[roots]-w) > 1e-7 {
		return fmt.Errorf("w is %v, want %v after %d steps", got, w, roots)
	}
	tx, ty, _ := drawn(d, "a.tangents")
	if len(tx) != 3*p.tangents {
		return fmt.Errorf("%d points of tangents, want %d tangents", len(tx), p.tangents)
	}
	for k := 0; k < len(tx); k += 3 {
		if math.Abs(ty[k+1]) > 1e-8 || tx[k] != got[k/3] || k/3 < roots && math.Abs(tx[k+1]-got[k/3+1]) > 1e-7 {
			return fmt.Errorf("the tangent at %v ends at (%v, %v)", tx[k], tx[k+1], ty[k+1])
		}
	}
	px, _ := d.Column("b.Newton.x")
	py, _ := d.Column("b.Newton.y")
	if steps < len(px)-1 || len(px) == 0 {
		return fmt.Errorf("the path has %d points after %d steps", len(px), steps)
	}
	if last := len(px) - 1; math.Hypot(px[last]-v[0], py[last]-v[1]) > 1e-6 {
		return fmt.Errorf("the path ends at (%v, %v), want %v", px[last], py[last], v)
	}
	x, y, _ := drawn(d, "c.p(C1|x) now")
	if len(x) == 0 {
		return fmt.Errorf("no sigmoid is drawn")
	}
	for i := range x {
		if want := 1 / (1 + math.Exp(-v[0]-v[1]*x[i])); math.Abs(y[i]-want) > 1e-6 {
			return fmt.Errorf("the sigmoid is %v at %v, want %v", y[i], x[i], want)
		}
	}
	return nil
}

// newtonStep solves H s = ∇E for the sums (4.96) and (4.97), and returns v − s.
func newtonStep(x, t []float64, v [2]float64) [2]float64 {
	var g [2]float64
	var h00, h01, h11 float64
	for n := range x {
		y := 1 / (1 + math.Exp(-v[0]-v[1]*x[n]))
		r := y * (1 - y)
		g[0], g[1] = g[0]+y-t[n], g[1]+(y-t[n])*x[n]
		h00, h01, h11 = h00+r, h01+r*x[n], h11+r*x[n]*x[n]
	}
	s1 := (g[1] - h01/h00*g[0]) / (h11 - h01*h01/h00)
	return [2]float64{v[0] - (g[0]-h01*s1)/h00, v[1] - s1}
}

// TestGambosiNewtonLastFrame compares the last frame with the printed figure.
func TestGambosiNewtonLastFrame(t *testing.T) {
	run := must(GambosiNewtonOptions{}.filled().run())(t)
	places := run.places()
	frame := must(run.frame(places[len(places)-1]))(t)
	printed := must(GambosiNewton(GambosiNewtonOptions{}))(t)
	for _, name := range []string{"newton.w", "newton.slope", "b.Newton.x", "b.gradient descent.y", "error.one weight", "error.Newton", "error.gradient descent"} {
		got, _ := frame.Data().Column(name)
		want, _ := printed.Data().Column(name)
		if len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, in print %v", name, got, want)
		}
	}
}

func TestGambosiNewtonChartOptions(t *testing.T) {
	for name, o := range map[string]GambosiNewtonOptions{"negative N": {N: -1}, "rate above 1": {Rate: 1.5}, "diverges": {Start: 20}} {
		if _, err := GambosiNewtonChart(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// At the optimum of one weight there is no tangent to draw.
	best := must(GambosiNewtonOptions{}.filled().run())(t)
	for name, o := range map[string]GambosiNewtonOptions{"at the optimum": {Start: best.one.optimum}, "slow": {Rate: 0.05}} {
		if _, err := GambosiNewtonChart(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
