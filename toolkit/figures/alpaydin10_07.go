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

// Alpaydin10x7Options change figure 10.7. The zero value draws the printed form.
type Alpaydin10x7Options struct {
	N          int     `default:"12"`              // points of each class
	Margin     float64 `default:"0.2"`             // half the gap between the classes, at most 1
	Rate       float64 `default:"0.02"`            // η; above about 0.3 the steps overshoot
	Iterations []int   `default:"[10, 100, 1000]"` // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and the first weights
}

// Alpaydin10x7 draws wx + w0 and σ(wx + w0) for two classes of one input after some iterations of
// gradient descent from small random weights.
//
// Numbers: the numbers of the two panels (see show.Curves; a. contains the lines, b. the sigmoids);
// points.x and .class; step.iteration, .w0, .w, .norm, the length of (w0, w), and .misclassified.
// Errors: a negative N or rate, an invalid margin, iterations that do not increase or are above 100
// 000.
//
// Equations: Alpaydin (10.21), (10.24).
func Alpaydin10x7(o Alpaydin10x7Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.7", &err)
	o = filled(o)
	need(len(o.Iterations) <= 6, "Iterations has %d numbers; want at most 6, because more than 6 curves cannot be distinguished",
		len(o.Iterations))
	d, trace := o.run(mostPanels)
	var (
		lines, sigmoids []show.Curve
		steps           []classify.Step
	)
	for _, n := range o.Iterations {
		s := trace[min(n, len(trace)-1)]
		name := fmt.Sprintf("after %d iterations", n)
		lines = append(lines, show.Curve{Name: name, F: func(x float64) float64 { return s.W[0] + s.W[1]*x }})
		sigmoids = append(sigmoids,
			show.Curve{Name: name, F: func(x float64) float64 { return kernels.Sigmoid(s.W[0] + s.W[1]*x) }})
		steps = append(steps, s)
	}
	top, bottom := axes10x7()
	fig := try(show.Panels(1, try(show.Curves(top, lines...)), try(show.Curves(bottom, sigmoids...))))
	addInputs(fig, d)
	addSteps(fig, steps)
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %v iterations: both become steeper, the place where they divide the classes hardly moves.", o.Iterations)
	return fig, nil
}

// axes10x7 returns the axes of the lines and of the sigmoids.
func axes10x7() (line, sigmoid show.CurvesOptions) {
	return show.CurvesOptions{XLabel: "$x$", YLabel: "$wx + w_0$", From: -2.2, To: 2.2, Y: [2]float64{-5, 5},
			Guides: []float64{0}},
		show.CurvesOptions{XLabel: "$x$", YLabel: `$\sigma(wx + w_0)$`, From: -2.2, To: 2.2, Y: [2]float64{-0.12, 1.12},
			Guides: []float64{0, 0.5, 1}}
}

// run runs gradient descent. most is the largest number of iterations that o may show.
func (o Alpaydin10x7Options) run(most int) (*datasets.Dataset, classify.Trace) {
	last, solver := stepping(o.Iterations, most, o.Rate, o.Seed)
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, D: 1, Margin: o.Margin, Seed: o.Seed}))
	return d, try(classify.FitLogistic(d.X, binary(d),
		classify.LogisticOptions{MaxIterations: last, Solver: solver})).Trace
}

// addInputs marks the points of d, which has one input. In the panel of the lines the marks are at
// height 0. In the panel of the sigmoids they are at the height of the target.
func addInputs(fig *show.Figure, d *datasets.Dataset) {
	addPoints(fig, 0, d, false, 0, func(i int) (x, y float64) { return d.X.At(i, 0), 0 })
	addPoints(fig, 1, d, true, 0, func(i int) (x, y float64) { return d.X.At(i, 0), float64(1 - d.Labels[i]) })
	fig.AddData("points.x", mat.Col(nil, 0, d.X))
	fig.AddData("points.class", labels(d))
}

// addSteps appends the steps of a fit with one input to the numbers of the figure.
func addSteps(fig *show.Figure, steps []classify.Step) {
	var rows [][]float64
	for _, s := range steps {
		norm := mat.Norm(mat.NewVecDense(len(s.W), s.W), 2)
		rows = append(rows, []float64{float64(s.Iteration), s.W[0], s.W[1], norm, float64(s.Misclassified)})
	}
	addColumns(fig, rows, "step.iteration", "step.w0", "step.w", "step.norm", "step.misclassified")
}

// Alpaydin10x7Chart steps through the run of [Alpaydin10x7]. It shows the line and the sigmoid
// after some iterations, with the curves of earlier positions behind them, the length of the
// weights and the points on the wrong side. The option Iterations contains the positions of the
// slider, at most 60. Nil means 0, 1, 2, 5, 10, 20 … 1000. Errors: as in Alpaydin10x7.
func Alpaydin10x7Chart(o Alpaydin10x7Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.7", &err)
	if o.Iterations == nil {
		o.Iterations = []int{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
	}
	o = filled(o)
	d, trace := o.run(mostFrames)
	return sliders(
		func(at []int) *show.Figure { return alpaydin10x7Frame(d, trace, o.Iterations[:at[0]+1]) },
		show.Slider{Name: "iterations", Labels: counted(o.Iterations), Play: true}), nil
}

// alpaydin10x7Frame draws the line and the sigmoid after the last of the iterations, in front of
// the curves after the earlier iterations.
//
// Numbers: a.now.x and .y, the line; b.now.x and .y, the sigmoid; points. and step. as in
// Alpaydin10x7.
func alpaydin10x7Frame(d *datasets.Dataset, trace classify.Trace, iterations []int) *show.Figure {
	var lines, sigmoids []func(float64) float64
	var s classify.Step
	for _, n := range iterations {
		s = trace[min(n, len(trace)-1)]
		w := s.W
		lines = append(lines, func(x float64) float64 { return w[0] + w[1]*x })
		sigmoids = append(sigmoids, func(x float64) float64 { return kernels.Sigmoid(w[0] + w[1]*x) })
	}
	top, bottom := axes10x7()
	top.Title = fmt.Sprintf("after %s: w₀ = %s, w = %s", plural(s.Iteration, "iteration"), decimals(2, s.W[0]),
		decimals(2, s.W[1]))
	bottom.Title = mistaken(s.Misclassified, d.N())
	fig := try(show.Panels(1, trail(top, "now", 2, lines), trail(bottom, "now", 111, sigmoids)))
	addInputs(fig, d)
	addSteps(fig, []classify.Step{s})
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %s, with two classes of points of which %d are on the wrong side.", plural(s.Iteration, "iteration"), s.Misclassified)
	return fig
}

// trail draws the last of the functions under name, and the earlier functions faintly behind it.
// The faint curves show the changes from frame to frame. Each curve has the given number of points;
// two are enough for a straight line.
//
// Numbers: the name with .x and .y.
func trail(o show.CurvesOptions, name string, points int, functions []func(float64) float64) *show.Figure {
	fig := blank(o.XLabel, o.YLabel, [2]float64{o.From, o.To}, o.Y)
	fig.Title = o.Title
	for _, g := range o.Guides {
		check(fig.AddLine(0, "", []float64{o.From, o.To}, []float64{g, g},
			show.Look{Color: halo(show.Ink()), Width: 0.7}))
	}
	x := make([]float64, points)
	for i := range x {
		x[i] = o.From + (o.To-o.From)*float64(i)/float64(points-1)
	}
	last := len(functions) - 1
	for k, f := range functions {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = f(x[i])
			if math.IsInf(y[i], 0) {
				y[i] = math.NaN() // a gap
			}
		}
		if k == last {
			check(fig.AddLine(0, name, x, y, show.Look{Color: show.LineColor(0), Width: 2}))
		} else {
			check(fig.AddLine(0, "", x, y, show.Look{Color: halo(show.LineColor(0)), Width: 1}))
		}
	}
	return fig
}
