package figures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// lookedAt are the iterations of the stepped charts that are followed.
var lookedAt = []int{0, 1, 2, 3, 7, 20, 300}

func twoClassFrames() stepped {
	o := Alpaydin10x6Options{Iterations: lookedAt}
	return descentFrames(filled(o).run(mostFrames), 1, func() (*show.Chart, error) { return Alpaydin10x6Chart(o) })
}

func threeClassFrames() stepped {
	o := Alpaydin10x8Options{Iterations: lookedAt}
	return descentFrames(filled(o).run(mostFrames), 3, func() (*show.Chart, error) { return Alpaydin10x8Chart(o) })
}

// descentFrames are those of figures 10.6 (k = 1) and 10.8: that of n iterations is the
// algorithm as it is printed, n times, with its weights, its error, the points on the
// wrong side, the part of each in the next update, and the boundary.
func descentFrames(run *descent, k int, chart func() (*show.Chart, error)) stepped {
	x, y, class := mat.Col(nil, 0, run.data.X), mat.Col(nil, 1, run.data.X), labels(run.data)
	states := [][]float64{run.trace[0].W}
	for n := range lookedAt[len(lookedAt)-1] {
		states = append(states, updated(states[n], x, y, class, k, 0.01))
	}
	// state returns the part of every point, the error, and how many are wrong.
	state := func(w []float64) (part []float64, e, wrong float64) {
		for t := range x {
			out := outputs(w, x[t], y[t], k)
			own := out[int(class[t])]
			part, e = append(part, 1-own), e-math.Log(own)
			if own < slices.Max(out) {
				wrong++
			}
		}
		return part, e, wrong
	}
	return stepped{
		chart: chart,
		draw:  func(i int) *show.Figure { return run.frame(lookedAt[i]) },
		holds: func(i int, d show.Data) {
			w := states[lookedAt[i]]
			part, e, wrong := state(w)
			near(single(d, "step.iteration"), float64(lookedAt[i]), 0, "the iteration")
			near(single(d, "step.E"), e, 1e-5, "E")
			near(single(d, "b.this iteration.y"), e, 1e-5, "the mark on the curve of E")
			near(single(d, "step.misclassified"), wrong, 0, "the number of points on the wrong side")
			for j, v := range column(d, "step.w") {
				near(v, w[j], 1e-7*max(1, math.Abs(w[j])), fmt.Sprintf("w%d", j))
			}
			for t, v := range column(d, "a.part") {
				near(v, part[t], 1e-6, "the part of a point")
			}
			bx, by, _ := drawn(d, "a.boundary")
			first, second := column(d, "a.boundary.i"), column(d, "a.boundary.j")
			need(len(bx) > 0, "no boundary is drawn")
			for i := range bx {
				out := outputs(w, bx[i], by[i], k)
				near(out[int(first[i])], out[int(second[i])], 1e-5, "an output on the boundary")
			}
		},
		says: func(i int) []string {
			_, e, wrong := state(states[lookedAt[i]])
			return []string{fmt.Sprintf("E = %.2f,  %s…", e, mistaken(int(wrong), run.data.N()))}
		},
	}
}

// The mark on the curve where E falls so far that its axis is logarithmic.
func TestDescentMark(t *testing.T) {
	run := filled(Alpaydin10x8Options{N: 4, Spread: 0.05, Rate: 1, Iterations: []int{1000}}).run(mostFrames)
	d := run.frame(1000).Data()
	at, e := single(d, "b.this iteration.y"), single(d, "step.E")
	if e > run.trace[0].E/1000 {
		t.Fatalf("E falls from %v to %v only: this is no test", run.trace[0].E, e)
	}
	if math.Abs(at-math.Log10(e)) > 1e-6 {
		t.Errorf("the mark is at %v, log E is %v", at, math.Log10(e))
	}
}

// oneInputFrames are those of figure 10.7: line and sigmoid are those of the algorithm with
// one input, and ‖w‖ grows.
func oneInputFrames() stepped {
	o := Alpaydin10x7Options{Iterations: lookedAt}
	chart := func() (*show.Chart, error) { return Alpaydin10x7Chart(o) }
	o = filled(o)
	d, trace := o.run(mostFrames)
	states := [][2]float64{[2]float64(trace[0].W)}
	for n := range 300 {
		w, g := states[n], [2]float64{}
		for i, label := range d.Labels {
			x := d.X.At(i, 0)
			r := float64(1-label) - sigmoid(w[0]+w[1]*x)
			g[0], g[1] = g[0]+r, g[1]+r*x
		}
		states = append(states, [2]float64{w[0] + o.Rate*g[0], w[1] + o.Rate*g[1]})
	}
	return stepped{
		chart: chart,
		draw:  func(i int) *show.Figure { return alpaydin10x7Frame(d, trace, lookedAt[:i+1]) },
		holds: func(i int, numbers show.Data) {
			w := states[lookedAt[i]]
			near(single(numbers, "step.iteration"), float64(lookedAt[i]), 0, "the iteration")
			x, line, _ := drawn(numbers, "a.now")
			need(len(x) == 2, "%d points of the line", len(x))
			for i := range x {
				near(line[i], w[0]+w[1]*x[i], 1e-6, "the line")
			}
			x, curve, _ := drawn(numbers, "b.now")
			for i := range x {
				near(curve[i], sigmoid(w[0]+w[1]*x[i]), 1e-6, "the sigmoid")
			}
			wrong := 0.0
			for i, label := range d.Labels {
				if (w[0]+w[1]*d.X.At(i, 0) > 0) != (label == 0) {
					wrong++
				}
			}
			near(single(numbers, "step.misclassified"), wrong, 0, "the number of points on the wrong side")
		},
		all: func(frames []show.Data) {
			for i := 1; i < len(frames); i++ {
				need(single(frames[i], "step.norm") > single(frames[i-1], "step.norm"), "‖w‖ does not grow to frame %d", i)
			}
		},
		says: func(i int) []string { return []string{"after " + plural(lookedAt[i], "iteration") + ": …"} },
	}
}

// newtonFrames are those of the figure of Newton's method: each tangent ends at its root,
// where the next step begins, and each step with bias solves Newton's equations. The last
// frame is the printed figure.
func newtonFrames() stepped {
	run := filled(GambosiNewtonOptions{}).run()
	places := run.places()
	x, t := run.one.x, run.t
	w, v := []float64{0}, [][2]float64{{}} // both fits start at 0
	for range newtonSteps {
		// The root of the tangent, from sums of its own.
		slope, curvature, last := 0.0, 0.0, w[len(w)-1]
		for n := range x {
			y := sigmoid(last * x[n])
			slope, curvature = slope+(y-t[n])*x[n], curvature+y*(1-y)*x[n]*x[n]
		}
		w, v = append(w, last-slope/curvature), append(v, newtonStep(x, t, v[len(v)-1]))
	}
	return stepped{
		chart: func() (*show.Chart, error) { return GambosiNewtonChart(GambosiNewtonOptions{}) },
		draw:  func(i int) *show.Figure { return run.frame(places[i]) },
		holds: func(i int, d show.Data) {
			p := places[i]
			got := column(d, "newton.w")
			need(len(got) == p.roots+1, "%d steps, want %d", len(got)-1, p.roots)
			near(got[p.roots], w[p.roots], 1e-7, "w")
			tx, ty, _ := drawn(d, "a.tangents")
			need(len(tx) == 3*p.tangents, "%d points of tangents, want %d tangents", len(tx), p.tangents)
			for k := 0; k < len(tx); k += 3 {
				near(tx[k], got[k/3], 0, "the beginning of a tangent")
				near(tx[k+1], w[k/3+1], 1e-7, "the end of a tangent")
				near(ty[k+1], 0, 1e-8, "the height of its end")
			}
			px, py, _ := drawn(d, "b.Newton")
			last, want := len(px)-1, v[p.steps]
			need(last >= 0 && last <= p.steps, "the path has %d points after %d steps", len(px), p.steps)
			near(math.Hypot(px[last]-want[0], py[last]-want[1]), 0, 1e-6, "the distance of the path's end from w")
			descent, _, _ := drawn(d, "b.gradient descent")
			need(len(descent) == p.steps+1, "the path of gradient descent has %d points after %d steps", len(descent), p.steps)
			sx, sy, _ := drawn(d, "c.p(C1|x) now")
			need(len(sx) > 0, "no sigmoid is drawn")
			for i := range sx {
				near(sy[i], sigmoid(want[0]+want[1]*sx[i]), 1e-6, "the sigmoid")
			}
		},
		all: func(frames []show.Data) {
			need(len(frames) == len(places) && len(places) >= 15 && len(places) <= 60, "%d frames", len(frames))
			printed := try(GambosiNewton(GambosiNewtonOptions{})).Data()
			for _, name := range []string{"newton.w", "newton.slope", "b.Newton.x", "b.gradient descent.y", "error.one weight", "error.Newton", "error.gradient descent"} {
				got, want := column(frames[len(frames)-1], name), column(printed, name)
				need(len(want) > 0 && slices.Equal(got, want), "%s is %v, in print %v", name, got, want)
			}
		},
		says: func(i int) []string {
			switch p := places[i]; {
			case p.steps > 0:
				return []string{"‖w − w*‖: Newton–Raphson …"}
			case p.tangents > p.roots:
				return []string{"the tangent at w₍" + string('₀'+rune(p.roots)) + "₎ = …"}
			default:
				return []string{"w₍" + string('₀'+rune(p.roots)) + "₎ = …"}
			}
		},
	}
}

// newtonStep solves H s = ∇E for the sums (4.96) and (4.97), and returns v − s.
func newtonStep(x, t []float64, v [2]float64) [2]float64 {
	var g [2]float64
	var h00, h01, h11 float64
	for n := range x {
		y := sigmoid(v[0] + v[1]*x[n])
		r := y * (1 - y)
		g[0], g[1] = g[0]+y-t[n], g[1]+(y-t[n])*x[n]
		h00, h01, h11 = h00+r, h01+r*x[n], h11+r*x[n]*x[n]
	}
	s1 := (g[1] - h01/h00*g[0]) / (h11 - h01*h01/h00)
	return [2]float64{v[0] - (g[0]-h01*s1)/h00, v[1] - s1}
}
