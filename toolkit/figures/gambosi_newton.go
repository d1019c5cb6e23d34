package figures

import (
	"fmt"
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
	N     int     // points of each class; 0 is 40
	Start float64 // the first w₁, in both fits; far from the optimum Newton's method may diverge
	// Rate multiplies every step: 0 is 1, Newton's. Below it the steps stop short of the
	// root of the tangent, and the convergence is no longer quadratic.
	Rate float64
	Seed uint64 // of the random data
}

func (o GambosiNewtonOptions) filled() GambosiNewtonOptions {
	if o.N == 0 {
		o.N = 40
	}
	if o.Rate == 0 {
		o.Rate = 1
	}
	return o
}

func gambosiNewtonEntry() Entry {
	o := GambosiNewtonOptions{}.filled()
	return Entry{
		ID:         "fig-gambosi-newton",
		Title:      "Newton–Raphson, by tangents and for logistic regression",
		Source:     "Gambosi, slides on linear classification, the Newton–Raphson method",
		LookFor:    "Each step goes to where the tangent of the derivative is zero. Near the optimum every step doubles the number of right digits; gradient descent adds the same few each time.",
		Call:       "figures.GambosiNewton(figures.GambosiNewtonOptions{})",
		Parameters: o,
		Seed:       &o.Seed,
		Draw:       func() (*show.Figure, error) { return GambosiNewton(GambosiNewtonOptions{}) },
	}
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
func GambosiNewton(o GambosiNewtonOptions) (*show.Figure, error) {
	fig, err := o.filled().draw()
	if err != nil {
		return nil, fmt.Errorf("figures: Gambosi Newton: %w", err)
	}
	return fig, nil
}

func (o GambosiNewtonOptions) draw() (*show.Figure, error) {
	if !(o.Rate > 0 && o.Rate <= 1) {
		return nil, fmt.Errorf("Rate is %v; it must lie above 0, and 1 is Newton's step", o.Rate)
	}
	if !(math.Abs(o.Start) <= 100) {
		return nil, fmt.Errorf("Start is %v; it must lie between −100 and 100", o.Start)
	}
	d, err := datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Mean1: []float64{1.7}, Mean2: []float64{-0.3}, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	one := &newtonOneWeight{x: mat.Col(nil, 0, d.X), t: t}
	if err := one.run(o.Start, o.Rate); err != nil {
		return nil, err
	}
	two := &newtonTwoWeights{}
	if err := two.run(d, t, o.Start, o.Rate); err != nil {
		return nil, err
	}
	tangents, err := one.draw()
	if err != nil {
		return nil, err
	}
	loss, err := show.Loss(two.objective, show.LossOptions{Title: "with bias: the path over $E$", XLabel: "$w_0$", YLabel: "$w_1$", Grid: 40},
		show.Path{Name: "Newton", Trace: two.newton}, show.Path{Name: "gradient descent", Trace: two.descent})
	if err != nil {
		return nil, err
	}
	sigmoids, err := two.sigmoids(d, t)
	if err != nil {
		return nil, err
	}
	distances, errs, err := newtonErrors(one, two)
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(2, tangents, loss, sigmoids, distances)
	if err != nil {
		return nil, err
	}
	fig.AddData("newton.w", one.w)
	fig.AddData("newton.slope", one.rounded())
	fig.AddData("newton.curvature", one.curvature)
	fig.AddData("newton.optimum", []float64{one.optimum})
	for _, e := range errs {
		for k, v := range e.Values {
			e.Values[k] = steady(v)
		}
		fig.AddData("error."+e.Name, e.Values)
	}
	fig.Alt = fmt.Sprintf("Newton's method on a derivative by tangents, its path over the error of a logistic regression with %d steps, and the distance from the optimum, which falls quadratically.", len(two.newton)-1)
	return fig, nil
}

// draw draws dE/dw with the tangents of the first steps.
func (m *newtonOneWeight) draw() (*show.Figure, error) {
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
	const visible = 4 // steps: the rest would lie upon another
	var tx, ty, ux, uy []float64
	for k := range min(visible, len(m.w)-1) {
		w, next := m.w[k], m.w[k+1]
		tx = append(tx, w, next, math.NaN())
		ty = append(ty, m.slope[k], steady(m.slope[k]+m.curvature[k]*(next-w)), math.NaN())
		ux = append(ux, next, next, math.NaN())
		s, _ := m.derivatives(next)
		uy = append(uy, ty[len(ty)-2], s, math.NaN())
	}
	k := min(visible, len(m.w)-1) + 1
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
	for k, name := range []string{"$C_1$", "$C_2$"} {
		var x, y []float64
		for i, label := range d.Labels {
			if label == k {
				x, y = append(x, d.X.At(i, 0)), append(y, t[i])
			}
		}
		if err := fig.AddMarks(0, name, x, y, show.Look{Color: show.ClassColor(k), Marker: k, Size: 2}); err != nil {
			return nil, err
		}
	}
	return fig, nil
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
