package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// A descent is a run of the algorithm of Alpaydin figure 10.6 or 10.8, to be
// drawn at some of its iterations.
type descent struct {
	shows string // the classes and the machine in words
	data  *datasets.Dataset
	trace classify.Trace // every iteration
	// machine makes the machine with the weights of a step, draw its picture
	// without points.
	machine func(w []float64) (classify.Scorer, error)
	draw    func(m classify.Scorer, title string) (*show.Figure, error)
	weights bool // they are few enough to be read in the title of a frame
}

// haloRadius is that of a point whose part |r − y| in the update is 1, in points.
const haloRadius = 9

// figure draws a panel for each iteration, and one for the error of all. Under
// every point lies a disc whose area is its part |r − y| in the next update.
//
// Numbers: those of the panels; points.x, .y and .class; trace.iteration and
// .w0, .w1 …, all weights of the trace, and .E.
func (s *descent) figure(iterations []int) (*show.Figure, error) {
	var panels []*show.Figure
	for _, n := range iterations {
		fig, err := s.panel(n, 0)
		if err != nil {
			return nil, err
		}
		panels = append(panels, fig)
	}
	errors, err := s.fall()
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(2, append(panels, errors)...)
	if err != nil {
		return nil, err
	}
	fig.AddLegend("area: part |$r$ − $y$| in the next update", disc())
	class := make([]float64, s.data.N())
	for i, k := range s.data.Labels {
		class[i] = float64(k)
	}
	fig.AddData("points.x", mat.Col(nil, 0, s.data.X))
	fig.AddData("points.y", mat.Col(nil, 1, s.data.X))
	fig.AddData("points.class", class)
	column := func(f func(classify.Step) float64) []float64 {
		v := make([]float64, len(s.trace))
		for i, step := range s.trace {
			v[i] = f(step)
		}
		return v
	}
	fig.AddData("trace.iteration", column(func(t classify.Step) float64 { return float64(t.Iteration) }))
	for j := range s.trace[0].W {
		fig.AddData(fmt.Sprintf("trace.w%d", j), column(func(t classify.Step) float64 { return t.W[j] }))
	}
	fig.AddData("trace.E", column(func(t classify.Step) float64 { return t.E }))
	fig.Alt = fmt.Sprintf("%s of gradient descent after %v iterations, with the part of every point in the next update, and the falling error.", s.shows, iterations)
	return fig, nil
}

// fall draws the error of all iterations.
func (s *descent) fall() (*show.Figure, error) {
	fig, err := show.Traces(show.TracesOptions{Title: "the error of all", Quantities: []show.Quantity{show.QuantityTrainingError}, LogIterations: true},
		show.Path{Name: "gradient descent", Trace: s.trace})
	if err != nil {
		return nil, err
	}
	fig.Panel(0).Y.Label.Text = "$E$"
	return fig, nil
}

// panel draws the machine after n iterations, or at the end if there are fewer. The
// radii of the halos are rounded to multiples of unit points, unless it is 0.
func (s *descent) panel(n int, unit float64) (*show.Figure, error) {
	last := len(s.trace) - 1
	title := "after " + plural(n, "iteration")
	switch {
	case n > last: // the run has ended before
		n, title = last, fmt.Sprintf("converged after %d", last)
	case n == 0:
		title = "the start"
	}
	m, err := s.machine(s.trace[n].W)
	if err != nil {
		return nil, err
	}
	fig, err := s.draw(m, title)
	if err != nil {
		return nil, err
	}
	part, err := s.parts(m)
	if err != nil {
		return nil, err
	}
	if err := s.addHalos(fig, part, unit); err != nil {
		return nil, err
	}
	d := s.data
	for k, name := range d.ClassNames {
		var x, y []float64
		for i, label := range d.Labels {
			if label == k {
				x, y = append(x, d.X.At(i, 0)), append(y, d.X.At(i, 1))
			}
		}
		if err := fig.AddMarks(0, fmt.Sprintf("$C_%s$", name[1:]), x, y, show.Look{Color: show.ClassColor(k), Marker: k, Size: 2.2}); err != nil {
			return nil, err
		}
	}
	fig.AddData("part", part)
	return fig, nil
}

// addHalos draws the discs under the points.
func (s *descent) addHalos(fig *show.Figure, part []float64, unit float64) error {
	type kind struct {
		class int
		size  float64
	}
	x, y := map[kind][]float64{}, map[kind][]float64{}
	var kinds []kind // in the order of the points
	for i, r := range part {
		k := kind{s.data.Labels[i], haloRadius * math.Sqrt(r)}
		if unit > 0 {
			k.size = unit * math.Round(k.size/unit)
		}
		if k.size == 0 { // for AddMarks the default
			continue
		}
		if len(x[k]) == 0 {
			kinds = append(kinds, k)
		}
		x[k], y[k] = append(x[k], s.data.X.At(i, 0)), append(y[k], s.data.X.At(i, 1))
	}
	for _, k := range kinds {
		if err := fig.AddMarks(0, "", x[k], y[k], show.Look{Color: halo(show.ClassColor(k.class)), Size: k.size}); err != nil {
			return err
		}
	}
	return nil
}

// parts returns |r − y| of every row: 1 less the posterior of its class.
func (s *descent) parts(m classify.Scorer) ([]float64, error) {
	a, err := m.Scores(s.data.X)
	if err != nil {
		return nil, err
	}
	part := make([]float64, s.data.N())
	y := make([]float64, s.data.K())
	for i, k := range s.data.Labels {
		kernels.Softmax(y, a.RawRowView(i))
		for j, p := range y {
			if j != k {
				part[i] += p
			}
		}
	}
	return part, nil
}

// halo is a light tint of a class's colour, a little darker than its region.
func halo(c color.NRGBA) color.NRGBA {
	tint := func(v uint8) uint8 { return uint8(math.Round(255 - 0.5*(255-float64(v)))) }
	return color.NRGBA{R: tint(c.R), G: tint(c.G), B: tint(c.B), A: 255}
}

// disc is the legend's sample of a halo.
func disc() *plotter.Scatter {
	return &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: halo(show.Ink()), Radius: vg.Points(5), Shape: draw.CircleGlyph{}}}
}
