package figures

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// TestDescentFrames checks that the frame of n iterations of the charts of figures 10.6
// and 10.8 is the algorithm as it is printed, n times.
func TestDescentFrames(t *testing.T) {
	two := must(Alpaydin10x6Options{Iterations: []int{300}}.filled().run(mostFrames))(t)
	three := must(Alpaydin10x8Options{Iterations: []int{300}}.filled().run(mostFrames))(t)
	for k, run := range map[int]*descent{1: two, 3: three} {
		x, y, class := mat.Col(nil, 0, run.data.X), mat.Col(nil, 1, run.data.X), make([]float64, run.data.N())
		for i, label := range run.data.Labels {
			class[i] = float64(label)
		}
		w := append([]float64(nil), run.trace[0].W...)
		for n := 0; n <= 300; n++ {
			if n < 4 || n == 20 || n == 300 {
				fig := must(run.frame(n))(t)
				if err := isState(fig.Data(), n, w, x, y, class, k); err != nil {
					t.Errorf("%d outputs, frame %d: %v", k, n, err)
				}
				// Red: the state of the next frame, and one a hundredth of an update away.
				if n > 0 && isState(fig.Data(), n, updated(w, x, y, class, k, 0.01), x, y, class, k) == nil {
					t.Errorf("%d outputs: frame %d passes for the next one", k, n)
				}
				if n > 0 && isState(fig.Data(), n, updated(w, x, y, class, k, -0.0001), x, y, class, k) == nil {
					t.Errorf("%d outputs: frame %d passes for another state", k, n)
				}
			}
			w = updated(w, x, y, class, k, 0.01)
		}
	}
}

// isState checks the numbers of a frame: weights, error, the points on the wrong side,
// the part of each in the next update, and where the boundary is drawn.
func isState(d show.Data, n int, w, x, y, class []float64, k int) error {
	got, _ := d.Column("step.w")
	if len(got) != len(w) || value(d, "step.iteration") != float64(n) {
		return fmt.Errorf("%d weights of iteration %v", len(got), value(d, "step.iteration"))
	}
	for i := range w {
		if math.Abs(got[i]-w[i]) > 1e-7*max(1, math.Abs(w[i])) {
			return fmt.Errorf("w%d is %v, the algorithm has %v", i, got[i], w[i])
		}
	}
	part, _ := d.Column("a.part")
	e, wrong := 0.0, 0.0
	for t := range x {
		out := outputs(w, x[t], y[t], k)
		if k == 1 {
			out = append(out, 1-out[0])
		}
		own := out[int(class[t])]
		e -= math.Log(own)
		for i, v := range out {
			if i != int(class[t]) && v > own {
				wrong++
				break
			}
		}
		if len(part) != len(x) || math.Abs(part[t]-(1-own)) > 1e-6 {
			return fmt.Errorf("the part of point %d is not %v", t, 1-own)
		}
	}
	if math.Abs(value(d, "step.E")-e) > 1e-5 || value(d, "step.misclassified") != wrong {
		return fmt.Errorf("E is %v and %v are wrong; the algorithm has %v and %v", value(d, "step.E"), value(d, "step.misclassified"), e, wrong)
	}
	if at, _ := d.Column("b.this iteration.y"); len(at) != 1 || math.Abs(at[0]-e) > 1e-5 {
		return fmt.Errorf("the mark on the curve of E is at %v, not %v", at, e)
	}
	bx, by, _ := drawn(d, "a.boundary")
	first, _ := d.Column("a.boundary.i")
	second, _ := d.Column("a.boundary.j")
	if len(bx) == 0 {
		return fmt.Errorf("no boundary is drawn")
	}
	for i := range bx {
		out := outputs(w, bx[i], by[i], k)
		if k == 1 {
			out = append(out, 1-out[0])
		}
		if p, q := out[int(first[i])], out[int(second[i])]; math.Abs(p-q) > 1e-5 {
			return fmt.Errorf("on the boundary at (%v, %v) the outputs are %v and %v", bx[i], by[i], p, q)
		}
	}
	return nil
}

// TestDescentMark sees the mark on the curve where E falls so far that its axis is
// logarithmic.
func TestDescentMark(t *testing.T) {
	o := Alpaydin10x8Options{N: 4, Spread: 0.05, Rate: 1, Iterations: []int{1000}}.filled()
	run := must(o.run(mostFrames))(t)
	fig := must(run.frame(1000))(t)
	at, _ := fig.Data().Column("b.this iteration.y")
	e := value(fig.Data(), "step.E")
	if e > run.trace[0].E/1000 {
		t.Fatalf("E falls from %v to %v only: this is no test", run.trace[0].E, e)
	}
	if math.Abs(at[0]-math.Log10(e)) > 1e-6 {
		t.Errorf("the mark is at %v, log E is %v", at[0], math.Log10(e))
	}
}

// TestAlpaydin10x7Frames checks line and sigmoid of the chart of figure 10.7 against
// the algorithm with one input.
func TestAlpaydin10x7Frames(t *testing.T) {
	o := Alpaydin10x7Options{Iterations: []int{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}}.filled()
	d, trace, err := o.run(mostFrames)
	if err != nil {
		t.Fatal(err)
	}
	w, n, norm := append([]float64(nil), trace[0].W...), 0, 0.0
	next := func() {
		var g [2]float64
		for i, label := range d.Labels {
			x, r := d.X.At(i, 0), float64(1-label)
			y := 1 / (1 + math.Exp(-w[0]-w[1]*x))
			g[0], g[1] = g[0]+(r-y), g[1]+(r-y)*x
		}
		w[0], w[1], n = w[0]+o.Rate*g[0], w[1]+o.Rate*g[1], n+1
	}
	holds := func(data show.Data) error {
		if value(data, "step.iteration") != float64(n) {
			return fmt.Errorf("iteration %v, want %d", value(data, "step.iteration"), n)
		}
		x, line, _ := drawn(data, "a.now")
		if len(x) != 2 {
			return fmt.Errorf("%d points of the line", len(x))
		}
		for i := range x {
			if want := w[0] + w[1]*x[i]; math.Abs(line[i]-want) > 1e-6 {
				return fmt.Errorf("the line is %v at %v, want %v", line[i], x[i], want)
			}
		}
		x, sigmoid, _ := drawn(data, "b.now")
		for i := range x {
			if want := 1 / (1 + math.Exp(-w[0]-w[1]*x[i])); math.Abs(sigmoid[i]-want) > 1e-6 {
				return fmt.Errorf("the sigmoid is %v at %v, want %v", sigmoid[i], x[i], want)
			}
		}
		wrong := 0.0
		for i, label := range d.Labels {
			if (w[0]+w[1]*d.X.At(i, 0) > 0) != (label == 0) {
				wrong++
			}
		}
		if value(data, "step.misclassified") != wrong {
			return fmt.Errorf("%v wrong, want %v", value(data, "step.misclassified"), wrong)
		}
		return nil
	}
	for i, at := range o.Iterations {
		for n < at {
			next()
		}
		fig := must(alpaydin10x7Frame(d, trace, o.Iterations[:i+1]))(t)
		if err := holds(fig.Data()); err != nil {
			t.Errorf("after %d iterations: %v", at, err)
		}
		if v := value(fig.Data(), "step.norm"); v <= norm {
			t.Errorf("after %d iterations ‖w‖ is %v, before %v", at, v, norm)
		} else {
			norm = v
		}
		if i == 0 { // Red: the frame of another position.
			continue
		}
		if fig, err = alpaydin10x7Frame(d, trace, o.Iterations[:i]); err != nil {
			t.Fatal(err)
		}
		if holds(fig.Data()) == nil {
			t.Errorf("the frame before that of %d iterations passes for it", at)
		}
	}
}

func TestDescentChartErrors(t *testing.T) {
	many := make([]int, mostFrames+1)
	for i := range many {
		many[i] = i
	}
	for name, iterations := range map[string][]int{"too many": many, "falling": {5, 2}, "negative": {-1, 2}, "only 0": {0}} {
		if _, err := Alpaydin10x6Chart(Alpaydin10x6Options{Iterations: iterations}); err == nil {
			t.Errorf("10.6, %s: no error", name)
		}
		if _, err := Alpaydin10x7Chart(Alpaydin10x7Options{Iterations: iterations}); err == nil {
			t.Errorf("10.7, %s: no error", name)
		}
		if _, err := Alpaydin10x8Chart(Alpaydin10x8Options{Iterations: iterations}); err == nil {
			t.Errorf("10.8, %s: no error", name)
		}
	}
}
