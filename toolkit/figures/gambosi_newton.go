package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
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
	return filled(o, GambosiNewtonOptions{N: 40, Rate: 1})
}

func gambosiNewtonEntry() Entry {
	return entry(Entry{
		ID:      "fig-gambosi-newton",
		Title:   "Newton–Raphson, by tangents and for logistic regression",
		Source:  "Gambosi, slides on linear classification, the Newton–Raphson method",
		LookFor: "Each step goes to where the tangent of the derivative is zero. Near the optimum every step doubles the number of right digits; gradient descent adds the same few each time.",
	}, GambosiNewton, GambosiNewtonChart)
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
func GambosiNewton(o GambosiNewtonOptions) (_ *show.Figure, err error) {
	defer named("Gambosi Newton", &err)
	o = o.filled()
	run, err := o.run()
	if err != nil {
		return nil, err
	}
	one, two := run.one, run.two
	tangents, err := one.draw(visibleTangents, visibleTangents)
	if err != nil {
		return nil, err
	}
	loss, err := two.paths(newtonSteps)
	if err != nil {
		return nil, err
	}
	sigmoids, err := two.sigmoids(run.data, run.t)
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

func (o GambosiNewtonOptions) run() (*newtonRun, error) {
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
	r := &newtonRun{data: d, t: t, one: &newtonOneWeight{x: mat.Col(nil, 0, d.X), t: t}, two: &newtonTwoWeights{}}
	if err := r.one.run(o.Start, o.Rate); err != nil {
		return nil, err
	}
	if err := r.two.run(d, t, o.Start, o.Rate); err != nil {
		return nil, err
	}
	return r, nil
}
