package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiNewtonOptions change the figure of Newton's method. The zero value
// draws the printed form.
type GambosiNewtonOptions struct {
	N     int     `default:"40"`      // points of each class
	Start float64 `range:"-100..100"` // the first w₁, in both fits; far from the optimum Newton's method may diverge
	// Rate multiplies every step; 1 is Newton's. Below it the steps stop short of the
	// root of the tangent, and the convergence is no longer quadratic.
	Rate float64 `default:"1" range:"0..1"`
	Seed uint64  // of the random data
}

// GambosiNewton draws Newton's method on points of one feature: the root of dE/dw
// for a logistic regression without bias by tangents; the path over E(w₀, w₁)
// with bias, beside that of gradient descent; the sigmoids of its iterates; and
// how far all these are from the optimum.
//
// Numbers: a.x, a.dE/dw, a.tangents.x, .y (of the first four steps); newton.w, .slope
// (dE/dw) and .curvature of each step of the first panel, and newton.optimum; b.,
// contours and paths (see show.Loss); c., the sigmoids; d., logarithms to base ten of
// the distances; error.one weight, error.Newton and error.gradient descent, ‖w − w*‖
// of each iterate, as long as it is above 1e-9. Errors: a negative N, a rate outside
// of (0, 1], classes that do not overlap, a start from which the method diverges.
//
// Equations: PRML (4.92); Gambosi (newton-root), (newton-extremum), (newton-update).
func GambosiNewton(o GambosiNewtonOptions) (_ *show.Figure, err error) {
	defer named("Gambosi Newton", &err)
	o = filled(o)
	run := o.run()
	one, two := run.one, run.two
	distances, errs := newtonErrors(one, two)
	fig := try(show.PanelsLegends(2, one.draw(visibleTangents, visibleTangents), two.paths(newtonSteps), two.sigmoids(run.data), distances))
	one.addData(fig, errs)
	fig.Alt = fmt.Sprintf("Newton's method on a derivative by tangents, its path over the error of a logistic regression with %d steps, and the distance from the optimum, which falls quadratically.", len(two.newton)-1)
	return fig, nil
}

// A newtonRun is both fits, made.
type newtonRun struct {
	data *datasets.Dataset
	t    []float64
	one  *newtonOneWeight
	two  *newtonTwoWeights
}

func (o GambosiNewtonOptions) run() *newtonRun {
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Mean1: []float64{1.7}, Mean2: []float64{-0.3}, Seed: o.Seed}))
	t := binary(d)
	r := &newtonRun{data: d, t: t, one: &newtonOneWeight{x: mat.Col(nil, 0, d.X), t: t}, two: &newtonTwoWeights{}}
	r.one.run(o.Start, o.Rate)
	r.two.run(d, t, o.Start, o.Rate)
	return r
}

// addData appends the steps of the first panel, and distances from the optimum.
func (m *newtonOneWeight) addData(fig *show.Figure, errs []show.Column) {
	fig.AddData("newton.w", m.w)
	fig.AddData("newton.slope", allSteady(m.slope))
	fig.AddData("newton.curvature", m.curvature)
	fig.AddData("newton.optimum", []float64{m.optimum})
	for _, e := range errs {
		fig.AddData("error."+e.Name, allSteady(e.Values))
	}
}

// visibleTangents is how many are drawn in print: the rest would lie upon another.
const visibleTangents = 4

// draw draws dE/dw with the tangents of the first steps, as far as there are that
// many, and the way from their roots back to the curve of the first of them.
func (m *newtonOneWeight) draw(tangents, roots int) *show.Figure {
	lo, hi := m.optimum, m.optimum
	for _, w := range m.w {
		lo, hi = min(lo, w), max(hi, w)
	}
	pad := 0.15*(hi-lo) + 0.1
	fig := try(show.Curves(show.CurvesOptions{
		Title: "one weight: tangents of $dE/dw$", XLabel: "$w$", YLabel: "$dE/dw$", From: lo - pad, To: hi + pad, Guides: []float64{0}, Looks: []show.Look{{Color: show.LineColor(5)}},
	}, show.Curve{Name: "$dE/dw$", F: func(w float64) float64 { s, _ := m.derivatives(w); return s }}))
	tangents, roots = min(tangents, len(m.w)-1), min(roots, len(m.w)-1)
	var tx, ty, ux, uy []float64
	for k := range tangents {
		w, next := m.w[k], m.w[k+1]
		tx = append(tx, w, next, math.NaN())
		ty = append(ty, m.slope[k], steady(m.slope[k]+m.curvature[k]*(next-w)), math.NaN())
		if k < roots {
			ux = append(ux, next, next, math.NaN())
			s, _ := m.derivatives(next)
			uy = append(uy, ty[len(ty)-2], s, math.NaN())
		}
	}
	k := roots + 1
	check(
		fig.AddLine(0, "tangents", tx, ty, show.Look{Color: oneWeight, Width: 1.3}),
		fig.AddLine(0, "", ux, uy, show.Look{Color: oneWeight, Width: 1, Dash: 2}),
		fig.AddMarks(0, "", m.w[:k], m.slope[:k], show.Look{Color: oneWeight}),
		fig.AddMarks(0, "", []float64{m.optimum}, []float64{0}, show.Look{Marker: 1, Size: 3.4}))
	for i := range min(3, k) {
		check(fig.AddText(0, fmt.Sprintf("$w_{(%d)}$", i), m.w[i], m.slope[i], 6, -9, show.Look{}))
	}
	return fig
}

// oneWeight is the colour of the method with one weight, in all panels; green is with
// bias, magenta gradient descent.
var oneWeight = show.LineColor(3)

// deepening returns the k-th of n shades of a colour, of which the last is itself.
func deepening(c color.NRGBA, k, n int) color.NRGBA {
	share := float64(k+1) / float64(n)
	at := func(v uint8) uint8 { return uint8(math.Round(255 + (float64(v)-255)*(0.25+0.75*share))) }
	return color.NRGBA{at(c.R), at(c.G), at(c.B), 255}
}

// sigmoids draws the points and p(C₁|x) of the first iterates and of the optimum.
func (m *newtonTwoWeights) sigmoids(d *datasets.Dataset) *show.Figure {
	var curves []show.Curve
	o := modelAxes("with bias: the model after each step", d)
	last := min(4, len(m.newton))
	for k := range last {
		w := m.newton[k].W
		o.Looks = append(o.Looks, show.Look{Color: deepening(show.LineColor(0), k, last)})
		curves = append(curves, show.Curve{Name: "after " + plural(k, "step"), F: func(x float64) float64 { return kernels.Sigmoid(w[0] + w[1]*x) }})
	}
	fig := try(show.Curves(o, curves...))
	addTargets(fig, d)
	return fig
}

// modelAxes are the axes of p(C₁|x).
func modelAxes(title string, d *datasets.Dataset) show.CurvesOptions {
	x := whole(d, 0)
	return show.CurvesOptions{Title: title, XLabel: "$x$", YLabel: `$p(C_1|x)$`, From: x[0], To: x[1], Y: [2]float64{-0.08, 1.08}, Guides: []float64{0, 0.5, 1}}
}

// addTargets marks the points of one feature at their targets.
func addTargets(fig *show.Figure, d *datasets.Dataset) {
	addPoints(fig, 0, d, true, 2, func(i int) (x, y float64) { return d.X.At(i, 0), float64(1 - d.Labels[i]) })
}

// paths draws the first steps of both methods over E.
func (m *newtonTwoWeights) paths(steps int) *show.Figure {
	if fig, ok := m.pictures[steps]; ok {
		return fig
	}
	o := show.LossOptions{Title: "with bias: the path over $E$", XLabel: "$w_0$", YLabel: "$w_1$", X: m.ranges[0], Y: m.ranges[1], Grid: 40}
	fig := try(show.Loss(m.known, o, show.Path{Name: "Newton", Trace: m.newton[:min(steps+1, len(m.newton))]},
		show.Path{Name: "gradient descent", Trace: m.descent[:min(steps+1, len(m.descent))]}))
	p := fig.Panel(0)
	m.ranges = [2][2]float64{{p.X.Min, p.X.Max}, {p.Y.Min, p.Y.Max}}
	m.pictures[steps] = fig
	return fig
}

// remembered is an objective of two weights that keeps its values: frames ask for them
// at the same places.
type remembered struct {
	of     show.Objective
	values map[[2]float64]float64
}

// Value implements show.Objective.
func (r remembered) Value(w []float64) (v float64, err error) {
	v, ok := r.values[[2]float64(w)]
	if !ok {
		v, err = r.of.Value(w)
		r.values[[2]float64(w)] = v
	}
	return v, err
}

// newtonErrors draws the distances from the optimum, and returns them.
func newtonErrors(one *newtonOneWeight, two *newtonTwoWeights) (*show.Figure, []show.Column) {
	errs := []show.Column{{Name: "one weight"}, {Name: "Newton"}, {Name: "gradient descent"}}
	for _, w := range one.w {
		errs[0].Values = append(errs[0].Values, math.Abs(w-one.optimum))
	}
	for i, trace := range []classify.Trace{two.newton, two.descent} {
		for _, s := range trace {
			errs[i+1].Values = append(errs[i+1].Values, two.distance(s.W))
		}
	}
	fig := blank("iteration", `$\log_{10} \|\mathbf{w} - \mathbf{w}^*\|$`, [2]float64{-0.3, newtonSteps + 0.3}, [2]float64{math.Log10(arrived), 1})
	panel := fig.Panel(0)
	fig.Title = "distance from the optimum"
	for i, e := range errs {
		var x, y []float64
		for k, v := range e.Values {
			if v < arrived {
				errs[i].Values = e.Values[:k]
				break
			}
			x = append(x, float64(k))
			y = append(y, math.Round(1e4*math.Log10(v))/1e4) // the last digits of v are rounding error
			panel.Y.Max = max(panel.Y.Max, math.Ceil(y[k]))
		}
		look := []show.Look{{Color: oneWeight, Dash: 2}, {Color: show.LineColor(0)}, {Color: show.LineColor(1), Dash: 1}}[i]
		name := []string{"Newton, one weight", "Newton", "gradient descent"}[i]
		check(fig.AddLine(0, name, x, y, look))
		look.Dash = 0
		check(fig.AddMarks(0, "", x, y, look))
	}
	return fig, errs
}
