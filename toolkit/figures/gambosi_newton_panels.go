package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// addData appends the steps of the first panel, and distances from the optimum.
func (m *newtonOneWeight) addData(fig *show.Figure, errs []show.Column) {
	fig.AddData("newton.w", m.w)
	fig.AddData("newton.slope", m.rounded())
	fig.AddData("newton.curvature", m.curvature)
	fig.AddData("newton.optimum", []float64{m.optimum})
	for _, e := range errs {
		for k, v := range e.Values {
			e.Values[k] = steady(v)
		}
		fig.AddData("error."+e.Name, e.Values)
	}
}

// visibleTangents is how many are drawn in print: the rest would lie upon another.
const visibleTangents = 4

// draw draws dE/dw with the tangents of the first steps, as far as there are that
// many, and the way from their roots back to the curve of the first of them.
func (m *newtonOneWeight) draw(tangents, roots int) (*show.Figure, error) {
	lo, hi := m.optimum, m.optimum
	for _, w := range m.w {
		lo, hi = min(lo, w), max(hi, w)
	}
	pad := 0.15*(hi-lo) + 0.1
	fig, err := show.Curves(show.CurvesOptions{
		Title: "one weight: tangents of $dE/dw$", XLabel: "$w$", YLabel: "$dE/dw$", From: lo - pad, To: hi + pad, Guides: []float64{0},
	}, show.Curve{Name: "$dE/dw$", F: func(w float64) float64 { s, _ := m.derivatives(w); return s }})
	if err != nil {
		return nil, err
	}
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
	for _, err := range []error{
		fig.AddLine(0, "tangents", tx, ty, show.Look{Width: 1.3}),
		fig.AddLine(0, "", ux, uy, show.Look{Width: 1, Dash: 2}),
		fig.AddMarks(0, "", m.w[:k], m.slope[:k], show.Look{Color: show.LineColor(0)}),
		fig.AddMarks(0, "", []float64{m.optimum}, []float64{0}, show.Look{Marker: 1, Size: 3.4}),
	} {
		if err != nil {
			return nil, err
		}
	}
	for i := range min(3, k) {
		if err := fig.AddText(0, fmt.Sprintf("$w_{(%d)}$", i), m.w[i], m.slope[i], 6, -9, show.Look{}); err != nil {
			return nil, err
		}
	}
	return fig, nil
}

// sigmoids draws the points and p(C₁|x) of the first iterates and of the optimum.
func (m *newtonTwoWeights) sigmoids(d *datasets.Dataset, t []float64) (*show.Figure, error) {
	var curves []show.Curve
	for k := range min(4, len(m.newton)) {
		w, name := m.newton[k].W, fmt.Sprintf("after %d steps", k)
		if k == 1 {
			name = "after 1 step"
		}
		curves = append(curves, show.Curve{Name: name, F: func(x float64) float64 { return kernels.Sigmoid(w[0] + w[1]*x) }})
	}
	r := whole(d, 0)
	fig, err := show.Curves(show.CurvesOptions{
		Title: "the model after each step", XLabel: "$x$", YLabel: `$p(C_1|x)$`, From: r[0], To: r[1], Y: [2]float64{-0.08, 1.08}, Guides: []float64{0, 0.5, 1},
	}, curves...)
	if err != nil {
		return nil, err
	}
	return fig, addTargets(fig, d, t)
}

// addTargets marks the points of one feature at their targets.
func addTargets(fig *show.Figure, d *datasets.Dataset, t []float64) error {
	for k, name := range []string{"$C_1$", "$C_2$"} {
		var x, y []float64
		for i, label := range d.Labels {
			if label == k {
				x, y = append(x, d.X.At(i, 0)), append(y, t[i])
			}
		}
		if err := fig.AddMarks(0, name, x, y, show.Look{Color: show.ClassColor(k), Marker: k, Size: 2}); err != nil {
			return err
		}
	}
	return nil
}

// paths draws the first steps of both methods over E.
func (m *newtonTwoWeights) paths(steps int) (*show.Figure, error) {
	if fig, ok := m.pictures[steps]; ok {
		return fig, nil
	}
	o := show.LossOptions{Title: "with bias: the path over $E$", XLabel: "$w_0$", YLabel: "$w_1$", X: m.ranges[0], Y: m.ranges[1], Grid: 40}
	fig, err := show.Loss(m.known, o, show.Path{Name: "Newton", Trace: m.newton[:min(steps+1, len(m.newton))]},
		show.Path{Name: "gradient descent", Trace: m.descent[:min(steps+1, len(m.descent))]})
	if err != nil {
		return nil, err
	}
	p := fig.Panel(0)
	m.ranges = [2][2]float64{{p.X.Min, p.X.Max}, {p.Y.Min, p.Y.Max}}
	m.pictures[steps] = fig
	return fig, nil
}

// remembered is an objective of two weights that keeps its values: frames ask for them
// at the same places.
type remembered struct {
	of     show.Objective
	values map[[2]float64]float64
}

// Value implements show.Objective.
func (r remembered) Value(w []float64) (float64, error) {
	at := [2]float64{w[0], w[1]}
	if v, ok := r.values[at]; ok {
		return v, nil
	}
	v, err := r.of.Value(w)
	if err == nil {
		r.values[at] = v
	}
	return v, err
}

// newtonErrors draws the distances from the optimum, and returns them.
func newtonErrors(one *newtonOneWeight, two *newtonTwoWeights) (*show.Figure, []show.Column, error) {
	errs := []show.Column{{Name: "one weight"}, {Name: "Newton"}, {Name: "gradient descent"}}
	for _, w := range one.w {
		errs[0].Values = append(errs[0].Values, math.Abs(w-one.optimum))
	}
	for i, trace := range []classify.Trace{two.newton, two.descent} {
		for _, s := range trace {
			errs[i+1].Values = append(errs[i+1].Values, two.distance(s.W))
		}
	}
	panel := show.NewPanel("iteration", `$\log_{10} \|\mathbf{w} - \mathbf{w}^*\|$`)
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = -0.3, newtonSteps+0.3, math.Log10(arrived), 1
	fig, err := show.NewFigure(1, panel)
	if err != nil {
		return nil, nil, err
	}
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
		look := []show.Look{{Color: show.LineColor(3), Dash: 2}, {Color: show.LineColor(0)}, {Color: show.LineColor(1), Dash: 1}}[i]
		name := []string{"Newton, one weight", "Newton", "gradient descent"}[i]
		if err := fig.AddLine(0, name, x, y, look); err != nil {
			return nil, nil, err
		}
		look.Dash = 0
		if err := fig.AddMarks(0, "", x, y, look); err != nil {
			return nil, nil, err
		}
	}
	return fig, errs, nil
}
