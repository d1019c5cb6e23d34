package show

import (
	"cmp"
	"errors"
	"fmt"
)

// A Chart is a figure that answers to the mouse: it shows the numbers under the
// pointer (the posterior where the plot has a model with one), takes classes and
// lines away by their names in the legend, zooms, turns if it is a surface, and
// moves with sliders. [Interactive] makes one of any figure, [Sliders] one of many.
//
// A chart is the figure's layers as data for go-echarts; everything that a slider
// can show is computed beforehand, so that a page works without a kernel. Under
// the chart lies the picture of its figure: a page that may not run scripts shows
// that.
type Chart struct {
	picture *Figure
	data    chartData
}

// A Slider moves a chart through the figures that it was made of.
type Slider struct {
	Name   string   // what it changes, as "angle of w"
	Labels []string // what each position stands for, as "30°"
	Start  int      // the position at the start, from 0
	Play   bool     // with buttons to step and to play, for sequences
}

// maxFrames bounds what one page holds: each is drawn and sent.
const maxFrames = 400

// Interactive returns the interactive form of a figure. What was drawn over it with
// a plotter of one's own is in the picture only. Errors: those of the drawing of f,
// a nil f, and the error of the plot, which may be given with its figure.
func Interactive(f *Figure, err ...error) (*Chart, error) {
	if err := cmp.Or(err...); err != nil {
		return nil, err
	}
	c, failed := newChart([]*Figure{f}, nil)
	named("Interactive", &failed)
	return c, failed
}

// Sliders returns a chart with one or more sliders. draw makes the figure for their
// positions; it is called once for every combination of positions, at most 400.
// All figures have the same panels; the ranges of the axes become wide enough for
// all.
//
// Errors: no slider, one without positions or with a start that is none of them, too
// many combinations, figures that do not match, and those of draw.
func Sliders(draw func(at []int) (*Figure, error), sliders ...Slider) (_ *Chart, err error) {
	defer named("Sliders", &err)
	if draw == nil {
		return nil, errors.New("draw is nil; give a function that draws the figure for positions of the sliders")
	}
	if len(sliders) == 0 {
		return nil, errors.New("no slider is given; a chart without is made by Interactive")
	}
	n := 1
	for _, s := range sliders {
		if len(s.Labels) == 0 || s.Start < 0 || s.Start >= len(s.Labels) {
			return nil, fmt.Errorf("slider %q has %d positions and starts at %d; give Labels, and a Start from 0 to one less than their number", s.Name, len(s.Labels), s.Start)
		}
		if n *= len(s.Labels); n > maxFrames {
			return nil, fmt.Errorf("the sliders have more than %d combinations of positions; each is a figure in the page: give fewer Labels", maxFrames)
		}
	}
	frames := make([]*Figure, n)
	at := make([]int, len(sliders))
	for i := range frames {
		f, err := draw(append([]int(nil), at...))
		if err != nil {
			return nil, fmt.Errorf("at %v: %w", positions(sliders, at), err)
		}
		frames[i] = f
		for j := len(at) - 1; j >= 0; j-- { // the last slider moves fastest
			if at[j]++; at[j] < len(sliders[j].Labels) {
				break
			}
			at[j] = 0
		}
	}
	return newChart(frames, sliders)
}

// positions names where the sliders stand.
func positions(sliders []Slider, at []int) []string {
	var out []string
	for i, s := range sliders {
		out = append(out, s.Name+" "+s.Labels[at[i]])
	}
	return out
}

// Figure returns the static form: the figure at the start.
func (c *Chart) Figure() *Figure { return c.picture }

// newChart makes a chart of one figure for each combination of slider positions.
func newChart(frames []*Figure, sliders []Slider) (c *Chart, err error) {
	defer func() { // as in print: a plot may panic
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("drawing failed: %v", r)
		}
	}()
	for _, f := range frames {
		if err := f.check(); err != nil {
			return nil, err
		}
		if len(f.panels) != len(frames[0].panels) || f.Width != frames[0].Width || f.Height != frames[0].Height {
			return nil, fmt.Errorf("one figure has %d panels on %g × %g inches and another %d on %g × %g; all must match",
				len(frames[0].panels), frames[0].Width, frames[0].Height, len(f.panels), f.Width, f.Height)
		}
	}
	start := 0
	for _, s := range sliders {
		start = start*len(s.Labels) + s.Start
	}
	c = &Chart{picture: frames[start]}
	b := newChartBuilder(frames[start])
	for _, f := range frames {
		b.widen(f)
	}
	for _, f := range frames {
		if err := b.add(f); err != nil {
			return nil, err
		}
	}
	c.data, err = b.finish(sliders)
	return c, err
}
