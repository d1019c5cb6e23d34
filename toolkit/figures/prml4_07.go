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
	N     int     // points of each class; 0 is 12
	Rate  float64 // η; 0 is 0.3
	Angle float64 // direction of the first w, which has length 1 and no bias, in degrees; 0 is 110
	Steps int     // corrections made at most; 0 is as many as needed
	Seed  uint64  // of the random data; 0 is 10
}

func (o PRML4x7Options) filled() PRML4x7Options {
	return filled(o, PRML4x7Options{N: 12, Rate: 0.3, Angle: 110, Seed: seed4x7})
}

// seed4x7 is the first seed, counted from 1, whose data make a story of four panels:
// exactly three corrections are needed, each leaves fewer mistakes than before, and
// each turns w by more than 20°, which can be seen. A test looks through the seeds.
const seed4x7 = 10

func prml4x7Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.7",
		Title:   "The perceptron corrects one mistake at a time",
		Source:  "PRML figure 4.7",
		LookFor: "The point in the square is on the wrong side. Its φ, times the rate and its sign ±1, is added to w (coloured arrow), and the rate times its sign to the bias: the boundary turns and moves so that the point gets nearer to its own side. A correction may cost other points; the last panel has no mistake.",
	}, PRML4x7, PRML4x7Chart)
}

// PRML4x7 draws the first three corrections of the perceptron and the end: up to
// four panels, each with the weights w (a black arrow, drawn from the boundary)
// and the next point to correct, whose arrow η t φ is added to w. If there are
// more than three corrections, the last panel is the end of all of them.
//
// Numbers: those of the panels (see show.Regions; a., b. …); w.0, w.1, w.2, the
// weights at the start and after each correction; mistake.row, .x, .y and .t, the
// points corrected, t = ±1; mistakes, for each w how many points it gets wrong; and
// rate. Errors: a negative N or Steps, a Rate that is not positive, an Angle that
// is not finite.
func PRML4x7(o PRML4x7Options) (_ *show.Figure, err error) {
	defer named("PRML 4.7", &err)
	o = o.filled()
	c, err := newCorrections(o)
	if err != nil {
		return nil, err
	}
	var panels []*show.Figure
	for i := range c.weights {
		if i > 2 && i < len(c.weights)-1 {
			continue
		}
		fig, err := c.panel(i)
		if err != nil {
			return nil, err
		}
		panels = append(panels, fig)
	}
	fig, err := show.Panels(min(2, len(panels)), panels...)
	if err != nil {
		return nil, err
	}
	addCorrections(fig, c.data, c.weights, c.updates)
	fig.AddData("mistakes", c.wrong)
	fig.AddData("rate", []float64{o.Rate})
	fig.Alt = fmt.Sprintf("The boundary of a perceptron, which turns with each of %d corrections; the mistakes become %.0f.", len(c.updates), c.wrong)
	return fig, nil
}

// corrections are the run of a perceptron.
type corrections struct {
	data    *datasets.Dataset
	rate    float64
	weights [][]float64       // at the start, and after each correction
	updates []classify.Update // one fewer
	wrong   []float64         // how many points each of the weights gets wrong
}

func newCorrections(o PRML4x7Options) (*corrections, error) {
	if o.Steps < 0 {
		return nil, fmt.Errorf("Steps is %d; a number of corrections is not negative", o.Steps)
	}
	if !(o.Rate > 0 && o.Rate <= 1e6) {
		return nil, fmt.Errorf("Rate is %v; it must be positive, at most 1e6", o.Rate)
	}
	if math.IsNaN(o.Angle) || math.IsInf(o.Angle, 0) {
		return nil, fmt.Errorf("Angle is %v; give finite degrees", o.Angle)
	}
	d, err := datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: 0.25, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	start := []float64{0, cos, sin}
	fit, err := classify.FitPerceptron(d.X, t, classify.PerceptronOptions{Rate: o.Rate, Start: start})
	if err != nil {
		return nil, err
	}
	c := &corrections{data: d, rate: o.Rate, weights: [][]float64{start}, updates: fit.Updates}
	if o.Steps > 0 && len(c.updates) > o.Steps {
		c.updates = c.updates[:o.Steps]
	}
	for _, u := range c.updates {
		c.weights = append(c.weights, u.W)
	}
	for i, w := range c.weights {
		h, err := classify.NewHyperplane(w)
		if err != nil {
			return nil, fmt.Errorf("after %d corrections: %w", i, err)
		}
		wrong, err := mistakes(h, d)
		if err != nil {
			return nil, err
		}
		c.wrong = append(c.wrong, wrong)
	}
	return c, nil
}

// panel draws the perceptron after i corrections, and the next.
func (c *corrections) panel(i int) (*show.Figure, error) {
	h, err := classify.NewHyperplane(c.weights[i])
	if err != nil {
		return nil, err
	}
	fig, err := show.Regions(h, c.data, show.RegionsOptions{
		Title: stage(i, c.wrong[i]), XLabel: `$\phi_1$`, YLabel: `$\phi_2$`,
		X: [2]float64{-2.5, 2.5}, Y: [2]float64{-2.5, 2.5}, // the points lie in [−2, 2]²
		Grid: 24, // a straight line needs no fine mesh
	})
	if err != nil {
		return nil, err
	}
	row := -1
	if i < len(c.updates) {
		row = c.updates[i].Row
	}
	return fig, drawCorrection(fig, h, c.data, row, c.rate)
}

// drawCorrection draws w from the boundary and, for a row to be corrected, a square around its
// point and what is added to w.
func drawCorrection(fig *show.Figure, h *classify.Hyperplane, d *datasets.Dataset, row int, rate float64) error {
	if err := fig.EqualAxes(0); err != nil {
		return err
	}
	foot, err := h.Foot()
	if err != nil {
		return err
	}
	tip := []float64{foot[0] + h.W[0], foot[1] + h.W[1]}
	const strong = 2.2 // points
	if err := fig.AddArrow(0, `$\mathbf{w}$`, foot[0], foot[1], tip[0], tip[1], show.Look{Width: strong}); err != nil {
		return err
	}
	if row < 0 {
		return nil
	}
	x, y, sign := d.X.At(row, 0), d.X.At(row, 1), sign(d.Labels[row])
	look := show.Look{Color: show.LineColor(1), Width: strong}
	if err := fig.AddArrow(0, `$\eta t\phi$, added to $\mathbf{w}$`, tip[0], tip[1], tip[0]+rate*sign*x, tip[1]+rate*sign*y, look); err != nil {
		return err
	}
	const square, size = 3, 6 // the marker, and its radius in points
	return fig.AddMarks(0, "square: the mistake to correct", []float64{x}, []float64{y}, show.Look{Color: show.LineColor(1), Marker: square, Size: size})
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

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func addCorrections(fig *show.Figure, d *datasets.Dataset, weights [][]float64, updates []classify.Update) {
	for j := range weights[0] {
		column := make([]float64, len(weights))
		for i, w := range weights {
			column[i] = w[j]
		}
		fig.AddData(fmt.Sprintf("w.%d", j), column)
	}
	var row, x, y, t []float64
	for _, u := range updates {
		row, t = append(row, float64(u.Row)), append(t, sign(d.Labels[u.Row]))
		x, y = append(x, d.X.At(u.Row, 0)), append(y, d.X.At(u.Row, 1))
	}
	fig.AddData("mistake.row", row)
	fig.AddData("mistake.x", x)
	fig.AddData("mistake.y", y)
	fig.AddData("mistake.t", t)
}
