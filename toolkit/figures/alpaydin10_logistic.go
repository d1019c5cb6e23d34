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

// Alpaydin10x5Options are the options of Alpaydin figure 10.5. The zero value draws the default
// figure.
type Alpaydin10x5Options struct {
	W     float64 `default:"1" range:"-1e6..1e6"` // weight w in the function σ(wx + w0)
	W0    float64 `range:"-1e6..1e6"`             // the bias w0
	Range float64 `default:"10"`                  // the x axis extends from −Range to Range
}

// Alpaydin10x5 draws the logistic function 1/(1 + exp(−(wx + w0))) with its tangent at the middle,
// the point at which the function is 1/2.
//
// The figure's Data contains the columns of show.Curves, and the middle of the curve: "middle.x",
// "middle.value" and "middle.slope". Errors: a weight outside −1e6 to 1e6, a range that is negative
// or not finite.
//
// Equations: Alpaydin (10.15).
func Alpaydin10x5(o Alpaydin10x5Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.5", &err)
	o = withDefaults(o)
	f := func(x float64) float64 { return kernels.Sigmoid(o.W*x + o.W0) }
	name := `$1/(1 + \exp(-x))$`
	if o.W != 1 || o.W0 != 0 {
		name = `$1/(1 + \exp(-(wx + w_0)))$`
	}
	fig := try(show.Curves(sigmoidAxes("$x$", o.Range), show.Curve{Name: name, F: f}))
	fig.Panel(0).Y.Label.Text = name
	middle := -o.W0 / o.W
	// At the middle, σ′ = σ(1−σ) is 1/4, so the slope of the curve is w/4. From there, the tangent
	// extends in both directions until its height has changed by 1/2.
	slope := o.W * f(middle) * (1 - f(middle))
	half := 0.5 / math.Abs(slope)
	tangent := []float64{middle - half, middle + half}
	line := []float64{0.5 - half*slope, 0.5 + half*slope}
	check(
		fig.AddLine(0, "", tangent, line, show.Look{Color: show.LineColor(1), Dash: 1, Width: 1.2}),
		fig.AddMarks(0, "", []float64{middle}, []float64{f(middle)}, show.Look{}),
		fig.AddText(0, fmt.Sprintf("value 1/2, slope %.3g", slope), middle, 0.5, 10, -9, show.Look{}))
	addNumbers(fig, "middle.x", middle)
	addNumbers(fig, "middle.value", f(middle))
	addNumbers(fig, "middle.slope", slope)
	fig.Alt = fmt.Sprintf("The logistic function from %g to %g; at the midpoint its value is 0.5 and its slope is %.3g.",
		-o.Range, o.Range, slope)
	return fig, nil
}

// Alpaydin10x6Options are the options of Alpaydin figure 10.6. The zero value draws the default
// figure.
type Alpaydin10x6Options struct {
	N          int     `default:"20"`              // number of points of each class
	Rate       float64 `default:"0.01"`            // learning rate η
	Iterations []int   `default:"[0, 1, 10, 300]"` // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and of the first weights
}

// Alpaydin10x6 draws a run of gradient descent for two classes:
//
//	w_j ← w_j + η Σ_t (r^t − y^t) x_j^t,  y = σ(wᵀx + w0)  (10.24).
//
// The initial weights are drawn from [−0.01, 0.01]. The panels show the line after the iterations
// in the option Iterations, the error after every iteration, and the steps of the algorithm.
//
// The figure's Data contains:
//   - The columns of show.Regions for each iteration in the option Iterations, and then the columns of
//     show.Traces. The names of the columns of the first panel begin with "a.", of the second with
//     "b.", and so on.
//   - The contribution |r − y| of every point: "a.part", "b.part" and so on.
//   - The points: "points.x", "points.y" and "points.class".
//   - The run: "trace.iteration", "trace.w0", "trace.w1", "trace.w2" and "trace.E".
//
// Errors: a negative N or rate, a list Iterations that is empty or has more than 7 numbers,
// iterations that are negative or do not increase, a last iteration outside 1 to 100 000.
//
// Equations: Alpaydin (10.16), (10.17), (10.24).
func Alpaydin10x6(o Alpaydin10x6Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.6", &err)
	o = withDefaults(o)
	return o.run(mostPanels).figure(o.Iterations), nil
}

// Alpaydin10x6Chart returns a chart of the run of [Alpaydin10x6], with a slider for the iteration
// and a button that plays the run. For each slider position it shows the line, the contribution
// |r − y| of every point to the next update, and the error. It also shows the weights and the number
// of points on the wrong side. The option Iterations lists the positions of the slider, at most 60.
// If it is nil, the positions are the iterations 0 to 20 and some later ones up to 300. Apart from
// this limit, Alpaydin10x6Chart returns the same errors as Alpaydin10x6.
func Alpaydin10x6Chart(o Alpaydin10x6Options) (_ *show.Chart, err error) {
	defer returnFailure("Alpaydin 10.6", &err)
	if o.Iterations == nil {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300)
	}
	return withDefaults(o).run(mostFrames).chart(o.Iterations), nil
}

// run runs gradient descent. The list o.Iterations may have at most `most` entries.
func (o Alpaydin10x6Options) run(most int) *descent {
	last, solver := checkIterations(o.Iterations, most, o.Rate, o.Seed)
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Seed: o.Seed}))
	m := try(classify.FitLogistic(d.X, firstClassTargets(d), classify.LogisticOptions{MaxIterations: last,
		Solver: solver}))
	return &descent{
		shows: "Two classes and the line", data: d, trace: m.Trace, weights: true, steps: twoClassSteps,
		draw: func(w []float64, title string) (classify.Scorer, *show.Figure) {
			line := try(classify.NewHyperplane(w))
			return line, try(show.Regions(line, d, show.RegionsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: wholeRange(d, 0), Y: wholeRange(d, 1),
				HidePoints: true,
				Grid:       40,
			}))
		},
	}
}

// Alpaydin10x7Options are the options of Alpaydin figure 10.7. The zero value draws the default
// figure.
type Alpaydin10x7Options struct {
	N          int     `default:"12"`              // number of points of each class
	Margin     float64 `default:"0.2"`             // half of the smallest allowed gap between the two classes; at most 1
	Rate       float64 `default:"0.02"`            // learning rate η; above about 0.3 the steps overshoot
	Iterations []int   `default:"[10, 100, 1000]"` // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and of the first weights
}

// Alpaydin10x7 draws the line wx + w0 and the sigmoid σ(wx + w0) for two classes with one input. For
// each number in the option Iterations, it draws the line and the sigmoid with the weights after this
// number of iterations of gradient descent. Gradient descent starts with small random weights.
//
// The figure's Data contains:
//   - The columns of show.Curves, whose names begin with "a." for the lines and with "b." for the
//     sigmoids.
//   - The points: "points.x" and "points.class".
//   - The iterations: "step.iteration", "step.w0", "step.w", "step.norm" (the length of the vector
//     (w0, w)) and "step.misclassified".
//
// Errors: a negative N or rate, a margin outside 0…1, a list Iterations that is empty or has more
// than 6 numbers, iterations that are negative or do not increase, a last iteration outside 1 to
// 100 000.
//
// Equations: Alpaydin (10.21), (10.24).
func Alpaydin10x7(o Alpaydin10x7Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.7", &err)
	o = withDefaults(o)
	const mostCurves = 6
	require(len(o.Iterations) <= mostCurves, "Iterations has %d numbers; want at most 6, because more than 6 curves cannot be distinguished",
		len(o.Iterations))
	d, trace := o.run(mostCurves)
	var (
		lines, sigmoids []show.Curve
		steps           []classify.Step
	)
	for _, n := range o.Iterations {
		s := trace[min(n, len(trace)-1)]
		name := fmt.Sprintf("after %d iterations", n)
		lines = append(lines, show.Curve{Name: name, F: lineOf(s.W)})
		sigmoids = append(sigmoids, show.Curve{Name: name, F: sigmoidOf(s.W)})
		steps = append(steps, s)
	}
	top, bottom := axes10x7()
	fig := try(show.Panels(1, try(show.Curves(top, lines...)), try(show.Curves(bottom, sigmoids...))))
	addInputs(fig, d)
	addSteps(fig, steps)
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %v iterations: both become steeper, but the place where they divide the classes hardly moves.", o.Iterations)
	return fig, nil
}

// axes10x7 returns the axes of two panels: the panel with the lines and the panel with the
// sigmoids.
func axes10x7() (line, sigmoid show.CurvesOptions) {
	return show.CurvesOptions{XLabel: "$x$", YLabel: "$wx + w_0$", From: -2.2, To: 2.2, Y: [2]float64{-5, 5},
			Guides: []float64{0}},
		show.CurvesOptions{XLabel: "$x$", YLabel: `$\sigma(wx + w_0)$`, From: -2.2, To: 2.2, Y: [2]float64{-0.12, 1.12},
			Guides: []float64{0, 0.5, 1}}
}

// run runs gradient descent. The list o.Iterations may have at most `most` entries.
func (o Alpaydin10x7Options) run(most int) (*datasets.Dataset, classify.Trace) {
	last, solver := checkIterations(o.Iterations, most, o.Rate, o.Seed)
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, D: 1, Margin: o.Margin, Seed: o.Seed}))
	return d, try(classify.FitLogistic(d.X, firstClassTargets(d),
		classify.LogisticOptions{MaxIterations: last, Solver: solver})).Trace
}

// addInputs marks the points of d, which has one input. In the panel of the lines the marks are at
// height 0. In the panel of the sigmoids they are at the height of the target. addInputs also appends
// the points to the Data of the figure.
func addInputs(fig *show.Figure, d *datasets.Dataset) {
	addPoints(fig, 0, d, false, 0, func(i int) (x, y float64) { return d.X.At(i, 0), 0 })
	addPoints(fig, 1, d, true, 0, func(i int) (x, y float64) { return d.X.At(i, 0), float64(1 - d.Labels[i]) })
	fig.AddData("points.x", mat.Col(nil, 0, d.X))
	fig.AddData("points.class", labels(d))
}

// addSteps appends the iterations of a fit with one input to the Data of the figure.
func addSteps(fig *show.Figure, steps []classify.Step) {
	var rows [][]float64
	for _, s := range steps {
		norm := mat.Norm(mat.NewVecDense(len(s.W), s.W), 2)
		rows = append(rows, []float64{float64(s.Iteration), s.W[0], s.W[1], norm, float64(s.Misclassified)})
	}
	addColumns(fig, rows, "step.iteration", "step.w0", "step.w", "step.norm", "step.misclassified")
}

// Alpaydin10x7Chart returns a chart of the run of [Alpaydin10x7], with a slider for the iteration.
// It shows the line and the sigmoid of this iteration, in front of the curves of the earlier slider
// positions. It also shows the weights and the number of points on the wrong side.
// The option Iterations lists the positions of the slider, at most 60. If it is nil, the positions
// are 0, 1, 2, 5, 10, 20, …, 1000. Apart from this limit, Alpaydin10x7Chart returns the same errors
// as Alpaydin10x7.
func Alpaydin10x7Chart(o Alpaydin10x7Options) (_ *show.Chart, err error) {
	defer returnFailure("Alpaydin 10.7", &err)
	if o.Iterations == nil {
		o.Iterations = []int{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
	}
	o = withDefaults(o)
	d, trace := o.run(mostFrames)
	return sliderChart(
		func(at []int) *show.Figure { return alpaydin10x7Frame(d, trace, o.Iterations[:at[0]+1]) },
		show.Slider{Name: "iterations", Labels: integerLabels(o.Iterations), Play: true}), nil
}

// alpaydin10x7Frame draws the line and the sigmoid after the last of the given iterations. Behind
// them it draws the curves after the earlier iterations.
//
// The figure's Data contains the line ("a.now.x" and "a.now.y") and the sigmoid ("b.now.x" and
// "b.now.y"). The columns whose names begin with "points." are the same as in Alpaydin10x7. The columns
// whose names begin with "step." contain only the last of the given iterations.
func alpaydin10x7Frame(d *datasets.Dataset, trace classify.Trace, iterations []int) *show.Figure {
	var lines, sigmoids []func(float64) float64
	var s classify.Step
	for _, n := range iterations {
		s = trace[min(n, len(trace)-1)]
		lines, sigmoids = append(lines, lineOf(s.W)), append(sigmoids, sigmoidOf(s.W))
	}
	top, bottom := axes10x7()
	top.Title = fmt.Sprintf("after %s: w₀ = %s, w = %s", plural(s.Iteration, "iteration"), decimals(2, s.W[0]),
		decimals(2, s.W[1]))
	bottom.Title = mistakesText(s.Misclassified, d.N())
	fig := try(show.Panels(1, drawTrail(top, "now", 2, lines), drawTrail(bottom, "now", 111, sigmoids)))
	addInputs(fig, d)
	addSteps(fig, []classify.Step{s})
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %s, with two classes of points of which %d are on the wrong side.", plural(s.Iteration, "iteration"), s.Misclassified)
	return fig
}

// drawTrail draws the last of the functions as a curve with the given name. Behind it, drawTrail
// draws the earlier functions as faint curves, which show the changes from frame to frame. Each
// curve has the given number of points; two are enough for a straight line.
//
// The figure's Data contains the curve in two columns: the name followed by ".x", and the name
// followed by ".y".
func drawTrail(o show.CurvesOptions, name string, points int, functions []func(float64) float64) *show.Figure {
	fig := blankFigure(o.XLabel, o.YLabel, [2]float64{o.From, o.To}, o.Y)
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

// Alpaydin10x8Options are the options of Alpaydin figure 10.8. The zero value draws the default
// figure.
type Alpaydin10x8Options struct {
	N          int     `default:"15"`                      // number of points of each class
	Spread     float64 `default:"0.8" range:"0.001..1000"` // standard deviation of each cloud of points
	Rate       float64 `default:"0.01"`                    // learning rate η
	Iterations []int   `default:"[0, 1, 10, 1000]"`        // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and of the first weights
}

// Alpaydin10x8 draws a run of gradient descent for K classes:
//
//	w_ij ← w_ij + η Σ_t (r_i^t − y_i^t) x_j^t,  y = softmax(o),  o_i = w_iᵀx + w_i0  (10.33).
//
// The initial weights are drawn from [−0.01, 0.01]. The panels show the lines after the iterations
// in the option Iterations, the error after every iteration, and the steps of the algorithm.
//
// The figure's Data contains:
//   - The columns of show.Discriminants for each iteration in the option Iterations, and then the
//     columns of show.Traces. The names of the columns of the first panel begin with "a.", of the
//     second with "b.", and so on.
//   - For every point, 1 minus the output y of the point's class: "a.part", "b.part" and so on.
//   - The points: "points.x", "points.y" and "points.class".
//   - The run: "trace.iteration", "trace.E", and "trace.w0" to "trace.w8" (first the weights of the
//     first class, bias first, then the weights of the next class).
//
// Errors: a negative N or rate, a Spread outside 0.001 to 1000, a list Iterations that is empty or
// has more than 7 numbers, iterations that are negative or do not increase, a last iteration outside
// 1 to 100 000.
//
// Equations: Alpaydin (10.29), (10.33).
func Alpaydin10x8(o Alpaydin10x8Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.8", &err)
	o = withDefaults(o)
	return o.run(mostPanels).figure(o.Iterations), nil
}

// Alpaydin10x8Chart returns a chart of the run of [Alpaydin10x8], with a slider for the iteration
// and a button that plays the run. For each slider position it shows the lines, the contribution of
// every point to the next update, the error, and the number of points on the wrong side. The option
// Iterations lists the positions of the slider, at most 60. If it is nil, the positions are the
// iterations 0 to 20 and some later ones up to 1000. Apart from this limit, Alpaydin10x8Chart
// returns the same errors as Alpaydin10x8.
func Alpaydin10x8Chart(o Alpaydin10x8Options) (_ *show.Chart, err error) {
	defer returnFailure("Alpaydin 10.8", &err)
	if o.Iterations == nil {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
	}
	return withDefaults(o).run(mostFrames).chart(o.Iterations), nil
}

// run runs gradient descent. The list o.Iterations may have at most `most` entries.
func (o Alpaydin10x8Options) run(most int) *descent {
	last, solver := checkIterations(o.Iterations, most, o.Rate, o.Seed)
	d := triangle(o.N, o.Spread, o.Seed)
	m := try(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{MaxIterations: last, Solver: solver}))
	return &descent{
		shows: "Three classes and the lines", data: d, trace: m.Trace, steps: manyClassSteps,
		draw: func(w []float64, title string) (classify.Scorer, *show.Figure) {
			// A step of the trace contains all weights of the first class, then all weights of the
			// next class, and so on. The weights of a class are a column of W.
			lines := try(classify.NewLinearMachine(mat.NewDense(d.K(), 3, w).T()))
			return lines, try(show.Discriminants(lines, d, show.DiscriminantsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: wholeRange(d, 0), Y: wholeRange(d, 1),
				HidePoints: true,
				Tint:       true, Grid: 60,
			}))
		},
	}
}

// Alpaydin10x9Options are the options of Alpaydin figure 10.9. The zero value draws the default
// figure.
type Alpaydin10x9Options struct {
	N      int     `default:"30"`                      // number of points of each class
	Spread float64 `default:"0.5" range:"0.001..1000"` // standard deviation of each cloud of points
	// Alpha is the precision of the prior of the weights. If lines separate the classes, the prior
	// keeps the weights finite.
	Alpha float64 `default:"0.5"`
	Seed  uint64  // seed of the random data
}

// Alpaydin10x9 draws three classes and the lines g_i(x) = 0 of logistic discrimination. For each
// class there is a region in which its g_i is the largest. Alpaydin10x9 also draws the boundaries of
// these regions.
//
// The figure's Data contains the columns of show.Discriminants, the weights ("W.class", "W.w0",
// "W.w1" and "W.w2"), and "wrong" (the number of points assigned to a wrong class). Errors: a
// negative N or precision, a Spread outside 0.001 to 1000.
//
// Equations: Alpaydin (10.8), (10.29).
func Alpaydin10x9(o Alpaydin10x9Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.9", &err)
	o = withDefaults(o)
	d, m := o.fit()
	fig := try(show.Discriminants(m, d,
		show.DiscriminantsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: wholeRange(d, 0), Y: wholeRange(d, 1),
			Tint: true}))
	check(fig.EqualAxes(0))
	addWeights(fig, m, d.K())
	wrong := mistakes(m, d)
	addNumbers(fig, "wrong", wrong)
	fig.Alt = fmt.Sprintf("Three classes with a thin line for each, on which its discriminant is zero, and the thick boundary of the largest discriminant; %.0f of %d points are on the wrong side of it.", wrong, d.N())
	return fig, nil
}

// fit returns the data and the fitted model of figures 10.9 and 10.10.
func (o Alpaydin10x9Options) fit() (*datasets.Dataset, *classify.Softmax) {
	d := triangle(o.N, o.Spread, o.Seed)
	return d, try(classify.FitSoftmax(d.X, d.Labels, d.K(),
		classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: o.Alpha}}))
}

// Alpaydin10x10Options are the options of Alpaydin figure 10.10. The zero value draws the default
// figure.
type Alpaydin10x10Options struct {
	Alpaydin10x9Options         // options of the data and of the fit, as in figure 10.9
	Azimuth             float64 `default:"-35"` // direction from which the viewer looks, in degrees
	Elevation           float64 `default:"35"`  // angle of the viewer above the floor, in degrees
}

// Alpaydin10x10 draws the discriminants g_i(x) of figure 10.9 and the posteriors
// exp g_i/Σ_j exp g_j as surfaces.
//
// The figure's Data contains the columns of show.Surfaces for both panels. Their names begin with
// "a." for the discriminants and with "b." for the posteriors. Data also contains the weights:
// "W.class", "W.w0", "W.w1" and "W.w2". Errors: the errors of [Alpaydin10x9], an azimuth that is not
// finite, and an elevation outside 1 to 89.
//
// Equations: Alpaydin (10.6), (10.29).
func Alpaydin10x10(o Alpaydin10x10Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.10", &err)
	o = withDefaults(o)
	d, m := o.fit()
	var g, p []show.Sheet
	for k := range d.K() {
		g = append(g, show.ScoreSheet(className(k), m, k))
		p = append(p, show.PosteriorSheet(className(k), m, k))
	}
	var panels []*show.Figure
	for i, sheets := range [][]show.Sheet{g, p} {
		fig := try(show.Surfaces(show.SurfacesOptions{
			Title:  []string{"discriminants", "posteriors"}[i],
			XLabel: "$x_1$", YLabel: "$x_2$", ZLabel: []string{`$g_i(\mathbf{x})$`, `$p(C_i|\mathbf{x})$`}[i],
			X: wholeRange(d, 0), Y: wholeRange(d, 1), Azimuth: o.Azimuth, Elevation: o.Elevation, Cells: []int{12,
				18}[i],
			Z: [][2]float64{{}, {0, 1}}[i], Smooth: []int{1, 2}[i], Low: []float64{0, 0.02}[i], See: 0.35,
		}, sheets...))
		panels = append(panels, fig)
	}
	fig := try(show.Panels(2, panels...))
	addWeights(fig, m, d.K())
	fig.Alt = "Left: the discriminants, three planes over the inputs. Right: their softmax, three steps between 0 and 1, each high in the region of its class."
	return fig, nil
}

// Alpaydin10x10Chart returns the figure of [Alpaydin10x10] as an interactive chart, which the
// reader can rotate with the mouse. It returns the same errors as [Alpaydin10x10].
func Alpaydin10x10Chart(o Alpaydin10x10Options) (*show.Chart, error) {
	return show.Interactive(Alpaydin10x10(o))
}
