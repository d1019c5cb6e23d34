package figures

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// property is a statement that a figure must satisfy, checked on its numbers. The figure
// drawn with a wrong parameter must violate it, because a check that cannot fail is useless.
type property struct {
	name  string                       // the figure's id, a colon, and what must hold
	draw  func() (*show.Figure, error) // nil means the Draw function of the catalogue
	wrong func() (*show.Figure, error)
	holds func(show.Data)
}

// with returns a function that draws the figure with these options.
func with[O any](draw func(O) (*show.Figure, error), o O) func() (*show.Figure, error) {
	return func() (*show.Figure, error) { return draw(o) }
}

var properties = slices.Concat(linearProperties, discriminantProperties, curveProperties, generativeProperties,
	lineProperties, descentProperties, newtonProperties)

func TestProperties(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			if p.draw == nil {
				id, _, _ := strings.Cut(p.name, ":")
				p.draw = must(Find(id))(t).Draw
			}
			right, wrong := must(p.draw())(t).Data(), must(p.wrong())(t).Data()
			if err := failing(func() { p.holds(right) }); err != nil {
				t.Error(err)
			}
			if failing(func() { p.holds(wrong) }) == nil {
				t.Error("the property holds for a wrong parameter too")
			}
		})
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if !strings.HasPrefix(e.ID, "fig-") || seen[e.ID] {
			t.Errorf("id %q is malformed or taken", e.ID)
		}
		seen[e.ID] = true
		if e.Title == "" || e.Source == "" || e.LookFor == "" || !strings.HasPrefix(e.Call, "figures.") {
			t.Errorf("%s: %+v", e.ID, e)
		}
		if !slices.ContainsFunc(properties, func(p property) bool { return strings.HasPrefix(p.name, e.ID+":") }) {
			t.Errorf("%s has no property test", e.ID)
		}
		if fig := must(e.Draw())(t); fig.Alt == "" || len(fig.Data()) == 0 {
			t.Errorf("%s: no description or no numbers", e.ID)
		}
	}
}

func TestFind(t *testing.T) {
	for _, id := range []string{"fig-prml-4.4", "prml-4.4", " PRML-4.4 "} {
		if e, err := Find(id); err != nil || e.ID != "fig-prml-4.4" {
			t.Errorf("%q: %v, %v", id, e.ID, err)
		}
	}
	for id, near := range map[string]string{"fig-prml-4.99": "fig-prml-4.9", "gambosi-sigmod": "fig-gambosi-sigmoid",
		"alpaydin-10.55": "fig-alpaydin-10.5"} {
		if _, err := Find(id); err == nil || !strings.Contains(err.Error(), "did you mean "+near+"?") {
			t.Errorf("%q: %v; want the suggestion %s", id, err, near)
		}
	}
}

// TestOtherPanicsGoOn checks that named turns only failures into errors, and that any other
// panic continues.
func TestOtherPanicsGoOn(t *testing.T) {
	defer func() {
		if r := recover(); r != "a fault" {
			t.Errorf("recovered %v", r)
		}
	}()
	var err error
	defer named("PRML 4.1", &err)
	panic("a fault")
}

// must returns a function that returns v, or ends the test if err is not nil.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Helpers that read the numbers of figures and recompute them.

// failing runs a check and returns the failure, or nil if the check passes. A check fails by
// calling need, as a figure does.
func failing(check func()) (err error) {
	defer func() { caught(recover(), &err) }()
	check()
	return nil
}

// near fails a check unless two numbers agree.
func near(got, want, tolerance float64, what string) {
	need(math.Abs(got-want) <= tolerance, "%s is %v, want %v", what, got, want)
}

// drawn returns the columns x, y and class of a part of a figure. A missing column is nil.
func drawn(d show.Data, part string) (x, y, class []float64) {
	x, _ = d.Column(part + ".x")
	y, _ = d.Column(part + ".y")
	class, _ = d.Column(part + ".class")
	return x, y, class
}

// affine returns w0 + w1x + w2y.
func affine(w []float64, x, y float64) float64 { return w[0] + w[1]*x + w[2]*y }

// onLine checks that a part lies on w0 + w1x + w2y = 0, and returns its number of points.
func onLine(d show.Data, part string, w []float64, tolerance float64) int {
	x, y, _ := drawn(d, part)
	for i := range x {
		near(affine(w, x[i], y[i])/math.Hypot(w[1], w[2]), 0, tolerance, "the distance of "+part+" from its line")
	}
	return len(x)
}

// wrongSide counts the points of a part on the wrong side: class 0 belongs where
// w0 + w1x + w2y > 0, other classes where it is ≤ 0.
func wrongSide(d show.Data, part string, w []float64) (n float64) {
	x, y, class := drawn(d, part)
	for i := range x {
		if (affine(w, x[i], y[i]) > 0) != (class[i] == 0) {
			n++
		}
	}
	return n
}

// sigmoid is a separate implementation, because kernels.Sigmoid is under test.
func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// inRegion reports whether (x, y) lies in the drawn region of class k, that is inside an odd
// number of the rings of class k.
func inRegion(d show.Data, panel string, k, x, y float64) bool {
	xs, ys, class := drawn(d, panel+"region")
	ring := column(d, panel+"region.ring")
	inside := false
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		for j := i; j < end && class[i] == k; j++ { // does a ray to the right cross this side of the ring?
			next := j + 1
			if next == end {
				next = i
			}
			if (ys[j] > y) != (ys[next] > y) && x < xs[j]+(y-ys[j])/(ys[next]-ys[j])*(xs[next]-xs[j]) {
				inside = !inside
			}
		}
		i = end
	}
	return inside
}

// angle returns the angle in degrees between two drawn straight lines.
func angle(d show.Data, p, q string) float64 {
	direction := func(name string) float64 {
		x, y, _ := drawn(d, name)
		need(len(x) == 2, "%s has %d points: a straight line has two", name, len(x))
		return math.Atan2(y[1]-y[0], x[1]-x[0]) * 180 / math.Pi
	}
	turn := math.Mod(math.Abs(direction(p)-direction(q)), 180)
	return min(turn, 180-turn)
}

// moments returns the means and scatters Σ(y−m)² of both classes.
func moments(y, class []float64) (m, s [2]float64) {
	var n [2]float64
	for i, c := range class {
		n[int(c)]++
		m[int(c)] += y[i]
	}
	m[0], m[1] = m[0]/n[0], m[1]/n[1]
	for i, c := range class {
		s[int(c)] += (y[i] - m[int(c)]) * (y[i] - m[int(c)])
	}
	return m, s
}

// fisherOf returns J, PRML (4.25), and the distance between the means.
func fisherOf(y, class []float64) (j, gap float64) {
	m, s := moments(y, class)
	return (m[1] - m[0]) * (m[1] - m[0]) / (s[0] + s[1]), math.Abs(m[1] - m[0])
}

// machineWeights returns the weights of each class from the numbers of a linear machine.
func machineWeights(d show.Data) (w [][]float64) {
	w0, w1, w2 := column(d, "W.w0"), column(d, "W.w1"), column(d, "W.w2")
	for k := range w0 {
		w = append(w, []float64{w0[k], w1[k], w2[k]})
	}
	return w
}

// heights returns g_i(x, y) for the weights w.
func heights(w [][]float64, x, y float64) (g []float64) {
	for _, w := range w {
		g = append(g, affine(w, x, y))
	}
	return g
}

// updated returns w after one update as printed in Alpaydin figure 10.6 (k = 1) or 10.8 (k > 1).
func updated(w, x, y, class []float64, k int, rate float64) []float64 {
	next := append([]float64(nil), w...)
	for t := range x {
		input, out := [3]float64{1, x[t], y[t]}, outputs(w, x[t], y[t], k)
		for i := range k {
			r := 0.0
			if int(class[t]) == i {
				r = 1
			}
			for j, v := range input {
				next[3*i+j] += rate * (r - out[i]) * v
			}
		}
	}
	return next
}

// outputs returns the outputs of the model of Alpaydin figure 10.6 (k = 1) or 10.8 (k > 1) for
// the input (x, y), one for each class.
func outputs(w []float64, x, y float64, k int) []float64 {
	if k == 1 {
		p := sigmoid(affine(w, x, y))
		return []float64{p, 1 - p}
	}
	out, sum := make([]float64, k), 0.0
	for i := range out {
		out[i] = math.Exp(affine(w[3*i:], x, y))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
