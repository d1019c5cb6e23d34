package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x7Options change figure 4.7. The zero value draws the printed form.
type PRML4x7Options struct {
	N     int     `default:"12"`                    // points of each class
	Rate  float64 `default:"0.3" range:"0..1e6"`    // η
	Angle float64 `default:"110" range:"-1e6..1e6"` // direction of the initial w in degrees; w has length 1, bias 0
	Steps int     `range:"0..1e6"`                  // largest number of corrections; 0 means as many as needed
	// Seed seeds the random data. The default is the first seed with a run of exactly three
	// corrections, which fits in four panels. Each correction leaves fewer mistakes and turns
	// w visibly, by more than 20°. A test checks the default.
	Seed uint64 `default:"10"`
}

// PRML4x7 draws a run of the perceptron in up to four panels: the first three corrections
// and the result. Each panel shows the weights w as a black arrow that starts on the
// boundary, and the next point to correct. A second arrow is the vector η t φ that the
// correction adds to w. If the run has more than three corrections, the last panel shows
// the result of all of them.
//
// Numbers: the numbers of the panels (see show.Regions; a., b. …); w.0, w.1, w.2, the
// weights at the start and after each correction; mistake.row, .x, .y and .t, the
// points corrected, t = ±1; mistakes, the number of points that each w gets wrong; and
// rate. Errors: a negative N or Steps, a Rate that is not positive, an Angle that
// is not finite.
//
// Equations: PRML (4.52), (4.55), (4.56).
func PRML4x7(o PRML4x7Options) (_ *show.Figure, err error) {
	defer named("PRML 4.7", &err)
	o = filled(o)
	c := newCorrections(o)
	var panels []*show.Figure
	for i := range c.weights {
		if i > 2 && i < len(c.weights)-1 {
			continue
		}
		panels = append(panels, c.panel(i))
	}
	fig := try(show.Panels(min(2, len(panels)), panels...))
	addColumns(fig, c.weights, "w.0", "w.1", "w.2")
	var corrected [][]float64
	for _, u := range c.updates {
		corrected = append(corrected,
			[]float64{float64(u.Row), c.data.X.At(u.Row, 0), c.data.X.At(u.Row, 1), sign(c.data.Labels[u.Row])})
	}
	addColumns(fig, corrected, "mistake.row", "mistake.x", "mistake.y", "mistake.t")
	fig.AddData("mistakes", c.wrong)
	fig.AddData("rate", []float64{o.Rate})
	fig.Alt = fmt.Sprintf("The boundary of a perceptron, which turns with each of %d corrections; the mistakes become %.0f.", len(c.updates), c.wrong)
	return fig, nil
}

// corrections records a run of the perceptron.
type corrections struct {
	data    *datasets.Dataset
	rate    float64
	weights [][]float64       // at the start, and after each correction
	updates []classify.Update // updates[i] turns weights[i] into weights[i+1]
	wrong   []float64         // wrong[i] is the number of points that weights[i] misclassifies
}

func newCorrections(o PRML4x7Options) *corrections {
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: 0.25, Seed: o.Seed}))
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	start := []float64{0, cos, sin}
	fit := try(classify.FitPerceptron(d.X, binary(d), classify.PerceptronOptions{Rate: o.Rate, Start: start}))
	c := &corrections{data: d, rate: o.Rate, weights: [][]float64{start}, updates: fit.Updates}
	if o.Steps > 0 && len(c.updates) > o.Steps {
		c.updates = c.updates[:o.Steps]
	}
	for _, u := range c.updates {
		c.weights = append(c.weights, u.W)
	}
	for i, w := range c.weights {
		h, err := classify.NewHyperplane(w)
		need(err == nil, "after %d corrections: %w", i, err)
		c.wrong = append(c.wrong, mistakes(h, d))
	}
	return c
}

// panel draws the perceptron after i corrections, with w as an arrow that starts on the
// boundary. If another correction follows, panel also draws a square around the point to
// correct, and the vector that the correction adds to w.
func (c *corrections) panel(i int) *show.Figure {
	h := try(classify.NewHyperplane(c.weights[i]))
	fig := try(show.Regions(h, c.data, show.RegionsOptions{
		Title: stage(i, c.wrong[i]), XLabel: `$\phi_1$`, YLabel: `$\phi_2$`,
		X: [2]float64{-2.5, 2.5}, Y: [2]float64{-2.5, 2.5}, // the points lie in [−2, 2]²
		Grid: 24, // a straight line needs no fine mesh
	}))
	check(fig.EqualAxes(0))
	foot := try(h.Foot())
	tip := []float64{foot[0] + h.W[0], foot[1] + h.W[1]}
	const strong = 2.2 // width in points
	check(fig.AddArrow(0, `$\mathbf{w}$`, foot[0], foot[1], tip[0], tip[1], show.Look{Width: strong}))
	if i == len(c.updates) {
		return fig
	}
	row := c.updates[i].Row
	x, y, step := c.data.X.At(row, 0), c.data.X.At(row, 1), c.rate*sign(c.data.Labels[row])
	const square, size = 3, 6 // the marker, and its radius in points
	check(
		fig.AddArrow(0, `$\eta t\phi$, added to $\mathbf{w}$`, tip[0], tip[1], tip[0]+step*x, tip[1]+step*y,
			show.Look{Color: show.LineColor(1), Width: strong}),
		fig.AddMarks(0, "square: the mistake to correct", []float64{x}, []float64{y},
			show.Look{Color: show.LineColor(1), Marker: square, Size: size}))
	return fig
}

// sign returns the target t = ±1 of a label, +1 for C₁.
func sign(label int) float64 {
	if label == 0 {
		return 1
	}
	return -1
}

func stage(corrections int, wrong float64) string {
	s := "at the start"
	if corrections > 0 {
		s = fmt.Sprintf("after %s", plural(corrections, "correction"))
	}
	if wrong == 0 {
		return s + ": no mistake"
	}
	return s + ": " + plural(int(wrong), "mistake")
}

// PRML4x7Chart is [PRML4x7] in one panel, to step through or play all corrections.
// Position n shows the perceptron after n corrections and marks the next point to correct.
// The titles report the remaining mistakes and the weights. Errors: the errors of
// [PRML4x7], and more than 399 corrections.
func PRML4x7Chart(o PRML4x7Options) (_ *show.Chart, err error) {
	defer named("PRML 4.7", &err)
	o = filled(o)
	c := newCorrections(o)
	const most = 399 // show.Sliders takes 400 positions, including the start
	need(len(c.updates) <= most,
		"the perceptron makes %d corrections, but a chart shows at most %d: set Steps to limit them, or raise Rate",
		len(c.updates), most)
	return sliders(func(at []int) *show.Figure { return c.step(at[0]) },
		show.Slider{Name: "corrections", Labels: counted(upTo(len(c.weights) - 1)), Play: true}), nil
}

// step returns the panel after n corrections, with the weights in its title.
func (c *corrections) step(n int) *show.Figure {
	fig := c.panel(n)
	w := c.weights[n]
	fig.Panel(0).Title.Text = fmt.Sprintf(`$w_0$ = %s, $\mathbf{w}$ = (%s, %s)`, short(w[0]), short(w[1]), short(w[2]))
	fig.Width, fig.Height = 7, 5.6 // so that the legend fits in one row
	fig.AddData("w", w)
	fig.AddData("mistakes", c.wrong[n:n+1])
	fig.Alt = fmt.Sprintf("The boundary of a perceptron %s; its weights are %.3g.", stage(n, c.wrong[n]), w)
	return fig
}
