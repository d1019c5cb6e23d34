package figures

import (
	"fmt"
	"math"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiNewtonChart steps and plays [GambosiNewton]: first with one weight, tangent
// by tangent and root by root, then the iterates of Newton–Raphson for logistic
// regression beside those of gradient descent, with the distance that is left to the
// optimum. Errors: as GambosiNewton.
func GambosiNewtonChart(o GambosiNewtonOptions) (_ *show.Chart, err error) {
	defer named("Gambosi Newton", &err)
	run := filled(o).run()
	// The picture of the whole way sets the ranges of all.
	run.two.paths(newtonSteps)
	places := run.places()
	slider := show.Slider{Name: "step", Play: true}
	for _, p := range places {
		slider.Labels = append(slider.Labels, p.label)
	}
	return sliders(func(at []int) *show.Figure { return run.frame(places[at[0]]) }, slider), nil
}

// A newtonPlace is how far both fits are drawn.
type newtonPlace struct {
	tangents, roots int // of the fit of one weight; roots is tangents or one less
	steps           int // of the fit with bias
	label           string
}

// places lists a place for every tangent, every root, and every step with bias.
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

// frame draws both fits as far as p says. Panels and numbers are those of the printed
// figure, cut short; c. has the sigmoid of the last step, under its name.
func (r *newtonRun) frame(p newtonPlace) *show.Figure {
	one := &newtonOneWeight{r.one.x, r.one.t, r.one.w[:p.roots+1], r.one.slope[:p.roots+1], r.one.curvature[:p.roots+1], r.one.optimum}
	two := &newtonTwoWeights{optimum: r.two.optimum, newton: r.two.newton[:min(p.steps+1, len(r.two.newton))], descent: r.two.descent[:min(p.steps+1, len(r.two.descent))]}
	var functions []func(float64) float64
	for _, s := range two.newton {
		functions = append(functions, func(x float64) float64 { return kernels.Sigmoid(s.W[0] + s.W[1]*x) })
	}
	sigmoid := trail(modelAxes("with bias: the model", r.data), "$p(C_1|x)$ now", 101, functions)
	addTargets(sigmoid, r.data)
	distances, errs := newtonErrors(one, two)
	fig := try(show.PanelsLegends(2, r.one.draw(p.tangents, p.roots), r.two.paths(p.steps), sigmoid, distances))
	one.addData(fig, errs)
	fig.Title = r.title(p)
	fig.Alt = fmt.Sprintf("Newton's method: %s.", p.label)
	return fig
}

// title says what has happened last.
func (r *newtonRun) title(p newtonPlace) string {
	k, w := p.roots, r.one.w[p.roots]
	switch {
	case p.steps > 0:
		newton, descent := r.two.newton[min(p.steps, len(r.two.newton)-1)].W, r.two.descent[min(p.steps, len(r.two.descent)-1)].W
		return fmt.Sprintf(`$\|\mathbf{w} - \mathbf{w}^*\|$: Newton–Raphson %s, gradient descent %s`, distanceText(r.two.distance(newton)), distanceText(r.two.distance(descent)))
	case p.tangents > p.roots:
		return fmt.Sprintf("the tangent at $w_{(%d)}$ = %s: height %s, slope %s", k, decimals(4, w), decimals(4, r.one.slope[k]), decimals(4, r.one.curvature[k]))
	}
	return fmt.Sprintf("$w_{(%d)}$ = %s, distance from the optimum %s", k, decimals(9, w), distanceText(math.Abs(w-r.one.optimum)))
}

// distanceText writes a distance with two or three digits, and none of rounding error.
func distanceText(v float64) string {
	switch {
	case v < arrived:
		return "below $10^{-9}$"
	case v >= 0.1:
		return decimals(3, v)
	}
	digits, exponent, _ := strings.Cut(fmt.Sprintf("%.1e", v), "e-")
	return fmt.Sprintf("%s · $10^{-%s}$", digits, strings.TrimLeft(exponent, "0"))
}
