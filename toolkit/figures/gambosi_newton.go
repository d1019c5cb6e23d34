package figures

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiNewtonOptions are the options of the figure that shows Newton's method. The zero value
// draws the default figure.
type GambosiNewtonOptions struct {
	N     int     `default:"40"`      // number of points of each class
	Start float64 `range:"-100..100"` // initial weight of x in both fits; if it is far from the optimum, Newton's method may diverge
	// Rate is the factor by which every step of Newton's method is multiplied. The factor 1 leaves
	// the steps unchanged. With a factor below 1, each step ends before the root of the tangent, and
	// the convergence is not quadratic. Rate does not change the steps of gradient descent.
	Rate float64 `default:"1" range:"0..1"`
	Seed uint64  // seed of the random data
}

// GambosiNewton draws Newton's method for points with one feature, in four panels. The first panel
// shows the tangents of dE/dw for a logistic regression without bias. Their roots approach the root
// of dE/dw. The second shows the paths of Newton's method and of gradient descent on the contours of
// E(w₀, w₁) for a logistic regression with bias. The third shows the sigmoids of the first four
// iterates of Newton's method. The last shows the distances of the iterates from the optimum.
//
// The figure's Data has a prefix for each panel. It contains:
//   - "a.": the curve, "a.x" and "a.dE/dw", and the tangents of the first four steps,
//     "a.tangents.x" and "a.tangents.y".
//   - "b.": the columns of show.Loss.
//   - "c.": the sigmoids and the points.
//   - "d.": the logarithms to base ten of the distances.
//   - "newton.w", "newton.slope" (dE/dw) and "newton.curvature": w and the two derivatives for each
//     iterate of the fit without bias.
//   - "newton.optimum": the optimum of this fit.
//   - "error.one weight", "error.Newton" and "error.gradient descent": the distances ‖w − w*‖ of
//     the iterates, as long as the distance is at least 1e-9.
//
// Errors: a negative N, a Rate outside 0 to 1, a Start outside −100 to 100, classes that do not
// overlap, a start from which the method diverges.
//
// Equations: PRML (4.92); Gambosi (newton-root), (newton-extremum), (newton-update).
func GambosiNewton(o GambosiNewtonOptions) (_ *show.Figure, err error) {
	defer returnFailure("Gambosi Newton", &err)
	o = withDefaults(o)
	run := o.run()
	one, two := run.one, run.two
	distances, errs := newtonErrors(one, two)
	fig := try(show.PanelsLegends(2, one.drawTangents(visibleTangents, visibleTangents), two.drawPaths(newtonSteps),
		two.drawSigmoids(run.data), distances))
	one.addData(fig, errs)
	fig.Alt = fmt.Sprintf("Newton's method on a derivative by tangents, its path over the error of a logistic regression with %d steps, and the distance from the optimum, which falls quadratically.", len(two.newton)-1)
	return fig, nil
}

// newtonRun contains the data and the two finished fits: with one weight and with a bias.
type newtonRun struct {
	data *datasets.Dataset
	t    []float64
	one  *newtonOneWeight
	two  *newtonTwoWeights
}

func (o GambosiNewtonOptions) run() *newtonRun {
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Mean1: []float64{1.7},
		Mean2: []float64{-0.3}, Seed: o.Seed}))
	t := firstClassTargets(d)
	r := &newtonRun{data: d, t: t, one: &newtonOneWeight{x: mat.Col(nil, 0, d.X), t: t}, two: &newtonTwoWeights{}}
	r.one.run(o.Start, o.Rate)
	r.two.run(d, t, o.Start, o.Rate)
	return r
}

// addData appends to the figure's Data the iterates of the fit without bias, the derivatives at
// these iterates, and the optimum. It also appends `errs`, the distances that newtonErrors returns.
func (m *newtonOneWeight) addData(fig *show.Figure, errs []show.Column) {
	fig.AddData("newton.w", m.w)
	fig.AddData("newton.slope", allSteady(m.slope))
	fig.AddData("newton.curvature", m.curvature)
	addNumbers(fig, "newton.optimum", m.optimum)
	for _, e := range errs {
		fig.AddData("error."+e.Name, allSteady(e.Values))
	}
}

// visibleTangents is the largest number of tangents in the printed figure. Further tangents would
// overlap.
const visibleTangents = 4

// drawTangents draws the curve dE/dw, the optimum and the tangents of the first steps. A tangent ends
// at the next iterate, which is the root of the tangent if Rate is 1. From the ends of the first
// tangents, drawTangents draws dashed vertical lines to the curve. It marks the curve at the start
// and where these lines meet it. The arguments `tangents` and `roots` are the numbers of tangents
// and of vertical lines to draw. Both may be larger than the number of steps.
func (m *newtonOneWeight) drawTangents(tangents, roots int) *show.Figure {
	lo, hi := m.optimum, m.optimum
	for _, w := range m.w {
		lo, hi = min(lo, w), max(hi, w)
	}
	pad := 0.15*(hi-lo) + 0.1
	fig := try(show.Curves(show.CurvesOptions{
		Title: "one weight: tangents of $dE/dw$", XLabel: "$w$", YLabel: "$dE/dw$", From: lo - pad, To: hi + pad,
		Guides: []float64{0}, Looks: []show.Look{{Color: show.LineColor(5)}},
	}, show.Curve{Name: "$dE/dw$", F: func(w float64) float64 { s, _ := m.derivatives(w); return s }}))
	tangents, roots = min(tangents, len(m.w)-1), min(roots, len(m.w)-1)
	var tx, ty, ux, uy []float64
	for k := range tangents {
		w, next := m.w[k], m.w[k+1]
		tx = append(tx, w, next, math.NaN())
		ty = append(ty, m.slope[k], roundTo12(m.slope[k]+m.curvature[k]*(next-w)), math.NaN())
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

// oneWeight is the colour of the fit with one weight in all panels. The fit with bias is green, and
// gradient descent is magenta.
var oneWeight = show.LineColor(3)

// shadeAt returns the k-th of n shades of the colour c, counted from 0. The last shade is c itself.
func shadeAt(c color.NRGBA, k, n int) color.NRGBA {
	share := float64(k+1) / float64(n)
	at := func(v uint8) uint8 { return uint8(math.Round(255 + (float64(v)-255)*(0.25+0.75*share))) }
	return color.NRGBA{at(c.R), at(c.G), at(c.B), 255}
}

// drawSigmoids draws the points, and p(C₁|x) for at most the first four iterates.
func (m *newtonTwoWeights) drawSigmoids(d *datasets.Dataset) *show.Figure {
	var curves []show.Curve
	o := modelAxes("with bias: the model after each step", d)
	last := min(4, len(m.newton))
	for k := range last {
		o.Looks = append(o.Looks, show.Look{Color: shadeAt(show.LineColor(0), k, last)})
		curves = append(curves, show.Curve{Name: "after " + plural(k, "step"), F: sigmoidOf(m.newton[k].W)})
	}
	fig := try(show.Curves(o, curves...))
	addTargets(fig, d)
	return fig
}

// modelAxes returns the axes of the panel that shows p(C₁|x).
func modelAxes(title string, d *datasets.Dataset) show.CurvesOptions {
	x := wholeRange(d, 0)
	return show.CurvesOptions{Title: title, XLabel: "$x$", YLabel: `$p(C_1|x)$`, From: x[0], To: x[1],
		Y: [2]float64{-0.08, 1.08}, Guides: []float64{0, 0.5, 1}}
}

// addTargets draws each point, which has one feature, at the height of its target.
func addTargets(fig *show.Figure, d *datasets.Dataset) {
	addPoints(fig, 0, d, true, 2, func(i int) (x, y float64) { return d.X.At(i, 0), float64(1 - d.Labels[i]) })
}

// drawPaths draws the first steps of Newton's method and of gradient descent on the contours of E.
func (m *newtonTwoWeights) drawPaths(steps int) *show.Figure {
	if fig, ok := m.pictures[steps]; ok {
		return fig
	}
	o := show.LossOptions{Title: "with bias: the path over $E$", XLabel: "$w_0$", YLabel: "$w_1$", X: m.ranges[0],
		Y: m.ranges[1], Grid: 40}
	fig := try(show.Loss(m.known, o, show.Path{Name: "Newton", Trace: m.newton[:min(steps+1, len(m.newton))]},
		show.Path{Name: "gradient descent", Trace: m.descent[:min(steps+1, len(m.descent))]}))
	p := fig.Panel(0)
	m.ranges = [2][2]float64{{p.X.Min, p.X.Max}, {p.Y.Min, p.Y.Max}}
	m.pictures[steps] = fig
	return fig
}

// cachedObjective is an objective function of two weights. It stores the values that it has
// computed, because several frames need the values at the same points.
type cachedObjective struct {
	objective show.Objective
	values    map[[2]float64]float64
}

// Value implements show.Objective.
func (r cachedObjective) Value(w []float64) (v float64, err error) {
	v, ok := r.values[[2]float64(w)]
	if !ok {
		v, err = r.objective.Value(w)
		r.values[[2]float64(w)] = v
	}
	return v, err
}

// newtonErrors draws one curve for each fit and method: the distances of the iterates from the optimum.
// Each curve ends before the first distance below convergedDistance. newtonErrors returns the picture
// and the drawn distances.
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
	fig := blankFigure("iteration", `$\log_{10} \|\mathbf{w} - \mathbf{w}^*\|$`, [2]float64{-0.3, newtonSteps + 0.3},
		[2]float64{math.Log10(convergedDistance), 1})
	panel := fig.Panel(0)
	fig.Title = "distance from the optimum"
	for i, e := range errs {
		var x, y []float64
		for k, v := range e.Values {
			if v < convergedDistance {
				errs[i].Values = e.Values[:k]
				break
			}
			x = append(x, float64(k))
			// round the logarithm, because the last digits of v contain only rounding errors
			y = append(y, math.Round(1e4*math.Log10(v))/1e4)
			panel.Y.Max = max(panel.Y.Max, math.Ceil(y[k]))
		}
		look := []show.Look{{Color: oneWeight, Dash: 2}, {Color: show.LineColor(0)},
			{Color: show.LineColor(1), Dash: 1}}[i]
		name := []string{"Newton, one weight", "Newton", "gradient descent"}[i]
		check(fig.AddLine(0, name, x, y, look))
		look.Dash = 0
		check(fig.AddMarks(0, "", x, y, look))
	}
	return fig, errs
}

// GambosiNewtonChart returns the figure of [GambosiNewton] as a chart with a slider and a button
// that plays the steps. The first positions of the slider show the fit with one weight: they add,
// alternately, a tangent and its root. The other positions show the iterates of Newton's method for
// the fit with a bias, the path of gradient descent, and the remaining distance from the optimum.
// GambosiNewtonChart returns the same errors as GambosiNewton.
func GambosiNewtonChart(o GambosiNewtonOptions) (_ *show.Chart, err error) {
	defer returnFailure("Gambosi Newton", &err)
	run := withDefaults(o).run()
	// Draw the whole paths first, because they determine the axis ranges of all frames.
	run.two.drawPaths(newtonSteps)
	places := run.places()
	slider := show.Slider{Name: "step", Play: true}
	for _, p := range places {
		slider.Labels = append(slider.Labels, p.label)
	}
	return sliderChart(func(at []int) *show.Figure { return run.frame(places[at[0]]) }, slider), nil
}

// newtonPlace describes a slider position. It contains the number of steps of each fit that the
// frame at this position shows.
type newtonPlace struct {
	tangents, roots int // for the fit with one weight: how many tangents, and how many of their roots, the frame shows
	steps           int // for the fit with a bias: the number of steps that the frame shows
	label           string
}

// places returns the slider positions: one for the start, for every tangent, for every root, and for
// every step of the fit with a bias.
func (r *newtonRun) places() []newtonPlace {
	out := []newtonPlace{{label: "start"}}
	last := len(r.one.w) - 1
	for k := range last {
		out = append(out,
			newtonPlace{k + 1, k, 0, fmt.Sprintf("tangent %d", k+1)},
			newtonPlace{k + 1, k + 1, 0, fmt.Sprintf("step %d", k+1)})
	}
	for k := 1; k < max(len(r.two.newton), len(r.two.descent)); k++ {
		out = append(out, newtonPlace{last, last, k, fmt.Sprintf("with bias: step %d", k)})
	}
	return out
}

// frame draws the steps of both fits up to the slider position p, in the same four panels as
// GambosiNewton. Unlike GambosiNewton, it draws all tangents and all sigmoids up to this position.
// Only the sigmoid of the last step has a name.
func (r *newtonRun) frame(p newtonPlace) *show.Figure {
	one := &newtonOneWeight{r.one.x, r.one.t, r.one.w[:p.roots+1], r.one.slope[:p.roots+1], r.one.curvature[:p.roots+1],
		r.one.optimum}
	two := &newtonTwoWeights{optimum: r.two.optimum, newton: r.two.newton[:min(p.steps+1, len(r.two.newton))],
		descent: r.two.descent[:min(p.steps+1, len(r.two.descent))]}
	var functions []func(float64) float64
	for _, s := range two.newton {
		functions = append(functions, sigmoidOf(s.W))
	}
	sigmoid := drawTrail(modelAxes("with bias: the model", r.data), "$p(C_1|x)$ now", 101, functions)
	addTargets(sigmoid, r.data)
	distances, errs := newtonErrors(one, two)
	fig := try(show.PanelsLegends(2, r.one.drawTangents(p.tangents, p.roots), r.two.drawPaths(p.steps), sigmoid,
		distances))
	one.addData(fig, errs)
	fig.Title = r.title(p)
	fig.Alt = fmt.Sprintf("Newton's method: %s.", p.label)
	return fig
}

// title describes the last step that the frame shows.
func (r *newtonRun) title(p newtonPlace) string {
	k, w := p.roots, r.one.w[p.roots]
	switch {
	case p.steps > 0:
		newton, descent := r.two.newton[min(p.steps, len(r.two.newton)-1)].W,
			r.two.descent[min(p.steps, len(r.two.descent)-1)].W
		return fmt.Sprintf(`$\|\mathbf{w} - \mathbf{w}^*\|$: Newton–Raphson %s, gradient descent %s`,
			distanceText(r.two.distance(newton)), distanceText(r.two.distance(descent)))
	case p.tangents > p.roots:
		return fmt.Sprintf("the tangent at $w_{(%d)}$ = %s: height %s, slope %s", k, decimals(4, w),
			decimals(4, r.one.slope[k]), decimals(4, r.one.curvature[k]))
	}
	return fmt.Sprintf("$w_{(%d)}$ = %s, distance from the optimum %s", k, decimals(9, w),
		distanceText(math.Abs(w-r.one.optimum)))
}

// distanceText formats a distance with three decimals, or with two digits and a power of ten if it is
// below 0.1. A distance below convergedDistance, whose digits would be rounding errors, becomes
// "below 10⁻⁹".
func distanceText(v float64) string {
	switch {
	case v < convergedDistance:
		return "below $10^{-9}$"
	case v >= 0.1:
		return decimals(3, v)
	}
	digits, exponent, _ := strings.Cut(fmt.Sprintf("%.1e", v), "e-")
	return fmt.Sprintf("%s · $10^{-%s}$", digits, strings.TrimLeft(exponent, "0"))
}

// newtonSteps is the largest number of steps of each method. A method stops earlier if its distance
// from the optimum is below convergedDistance.
const newtonSteps = 12

// convergedDistance is the distance from the optimum at which a method stops. Rounding errors would
// noticeably change a smaller distance.
const convergedDistance = 1e-9

// roundTo12 rounds v to twelve decimals, where v is the difference of two numbers near 1. In such a
// difference, the decimals after the twelfth contain only rounding errors, which vary from processor
// to processor.
func roundTo12(v float64) float64 { return math.Round(v*1e12)/1e12 + 0 } // adding 0 converts −0 to 0

func allSteady(values []float64) (out []float64) {
	for _, v := range values {
		out = append(out, roundTo12(v))
	}
	return out
}

// mustConverge stops drawing the figure, with an error, if the weights are too far from 0.
func mustConverge(w ...float64) {
	require(floats.Norm(w, 2) < 1e3, "Newton's method diverges from this Start: choose a Start nearer to 0, or a lower Rate")
}

// newtonOneWeight is the fit of p(C₁|x) = σ(wx), which has one weight and no bias.
type newtonOneWeight struct {
	x, t                []float64
	w, slope, curvature []float64
	optimum             float64
}

// derivatives returns the derivatives dE/dw and d²E/dw², computed with (4.96) and (4.97). E is the
// mean error per point.
func (m *newtonOneWeight) derivatives(w float64) (slope, curvature float64) {
	n := float64(len(m.x))
	for i, x := range m.x {
		y := kernels.Sigmoid(w * x)
		slope += (y - m.t[i]) * x / n
		curvature += y * (1 - y) * x * x / n
	}
	return slope, curvature
}

// run finds the optimum by bisection. It also takes the steps w ← w − rate·E′/E″ (4.92) of Newton's
// method.
func (m *newtonOneWeight) run(start, rate float64) {
	// Because dE/dw increases with w, its root lies between any two points at which it has
	// different signs.
	lo, hi := -1.0, 1.0
	for s, _ := m.derivatives(lo); s > 0 && lo > -1e3; s, _ = m.derivatives(lo) {
		lo *= 2
	}
	for s, _ := m.derivatives(hi); s < 0 && hi < 1e3; s, _ = m.derivatives(hi) {
		hi *= 2
	}
	require(lo > -1e3 && hi < 1e3,
		"the classes lie on different sides of 0, so the error has no minimum: take more points")
	for range 80 {
		mid := (lo + hi) / 2
		if s, _ := m.derivatives(mid); s < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	m.optimum = (lo + hi) / 2
	w := start
	for range newtonSteps + 1 {
		s, c := m.derivatives(w)
		m.w, m.slope, m.curvature = append(m.w, w), append(m.slope, s), append(m.curvature, c)
		if math.Abs(w-m.optimum) < convergedDistance {
			return
		}
		w -= rate * s / c
		mustConverge(w)
	}
}

// newtonTwoWeights is the fit of logistic regression with a bias. This fit has two weights.
type newtonTwoWeights struct {
	objective       *classify.Objective
	known           cachedObjective      // the objective E; it stores computed values for the drawing
	ranges          [2][2]float64        // ranges of w₀ and w₁ in all pictures; the first picture sets them
	pictures        map[int]*show.Figure // the picture after each number of steps; several frames show the same picture
	optimum         []float64
	newton, descent classify.Trace
}

// run finds the optimum, and takes the steps of Newton's method and of gradient descent.
func (m *newtonTwoWeights) run(d *datasets.Dataset, t []float64, start, rate float64) {
	best := try(classify.FitLogistic(d.X, t, classify.LogisticOptions{}))
	require(!best.Separable, "a threshold separates the classes, so the error has no minimum: take more points")
	m.optimum = best.W
	m.objective = try(classify.LogisticObjective(d.X, t, nil))
	m.known, m.pictures = cachedObjective{m.objective, map[[2]float64]float64{}}, map[int]*show.Figure{}
	m.newton = m.makeSteps(start, rate, func(g []float64, h *mat.SymDense) []float64 {
		det := h.At(0, 0)*h.At(1, 1) - h.At(0, 1)*h.At(0, 1)
		return []float64{(h.At(1, 1)*g[0] - h.At(0, 1)*g[1]) / det, (h.At(0, 0)*g[1] - h.At(0, 1)*g[0]) / det}
	})
	// A gradient step with the rate 1/bound cannot overshoot, because no eigenvalue of ∇∇E exceeds
	// the trace of ¼ΦᵀΦ, which is `bound`.
	bound := 0.0
	for i := range d.N() {
		bound += (1 + d.X.At(i, 0)*d.X.At(i, 0)) / 4
	}
	m.descent = m.makeSteps(start, 1,
		func(g []float64, _ *mat.SymDense) []float64 { return []float64{g[0] / bound, g[1] / bound} })
}

// makeSteps takes the steps w ← w − rate·step(∇E, ∇∇E), beginning at w = (0, start).
func (m *newtonTwoWeights) makeSteps(start, rate float64, step func(g []float64,
	h *mat.SymDense) []float64) classify.Trace {
	var trace classify.Trace
	w := []float64{0, start}
	for i := range newtonSteps + 1 {
		e := try(m.objective.Value(w))
		g := try(m.objective.Gradient(w))
		trace = append(trace, classify.Step{W: w, E: e, GradNorm: math.Hypot(g[0], g[1]), Iteration: i})
		if m.distance(w) < convergedDistance {
			break
		}
		s := step(g, try(m.objective.Hessian(w)))
		w = []float64{w[0] - rate*s[0], w[1] - rate*s[1]}
		mustConverge(w...)
	}
	return trace
}

// distance returns the distance ‖w − w*‖ from the optimum.
func (m *newtonTwoWeights) distance(w []float64) float64 {
	return math.Hypot(w[0]-m.optimum[0], w[1]-m.optimum[1])
}
