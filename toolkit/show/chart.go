package show

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
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
	Name   string   `json:"name"`   // what it changes, as "angle of w"
	Labels []string `json:"labels"` // what each position stands for, as "30°"
	Start  int      `json:"start"`  // the position at the start, from 0
	Play   bool     `json:"play"`   // with buttons to step and to play, for sequences
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
	b := newChartBuilder(frames, start)
	for _, f := range frames {
		b.widen(f)
	}
	for _, f := range frames {
		if err := b.add(f); err != nil {
			return nil, err
		}
	}
	c.data = b.finish(sliders)
	return c, nil
}

// waiting follows the data of each chart. It claims the chart's place by its key:
// where the script itself stands is no help, since some pages run it elsewhere; and
// it waits for the library, which may come later, and after five seconds says where
// it comes from.
const waiting = `
  var place = null, tries = 0, note = null;
  (function wait() {
    if (!place) {
      place = document.querySelector(".hyperplane-chart[data-key='" + key + "']:not([data-taken])");
      if (place) place.setAttribute("data-taken", "");
    }
    if (place && globalThis.hyperplaneCharts) { if (note) note.remove(); globalThis.hyperplaneCharts.show(place, data); return; }
    if (place && tries === 50) {
      note = document.createElement("div");
      note.style.cssText = "font:12px sans-serif;opacity:.8";
      note.textContent = "A still picture: for the interactive chart run show.LoadCharts() in a cell of this notebook.";
      place.appendChild(note);
    }
    if (tries++ < 3000) setTimeout(wait, 100);
  })();
})();`

// Snippet returns the chart as a piece of HTML: the picture, and the script that
// puts the chart in its place as soon as the page has the chart library (see
// [LoadCharts]). Beside the picture it holds the numbers of every position of the
// sliders: some ten kilobytes for a plot of its own, some hundred for a long
// sequence. Errors: those of the drawing of the picture.
func (c *Chart) Snippet() (string, error) {
	picture, err := c.image()
	if err != nil {
		return "", err
	}
	// encoding/json writes <, > and & as \u003c …: no name can end the script.
	data, err := json.Marshal(c.data)
	if err != nil {
		return "", fmt.Errorf("show: Snippet: %w", err)
	}
	key := sha256.Sum256(data)
	return fmt.Sprintf("<div class=\"hyperplane-chart\" data-key=\"%x\">%s</div>\n<script>(function () {\n  var key = \"%x\", data = %s;%s</script>\n",
		key[:8], picture, key[:8], data, waiting), nil
}

// image is the picture as an element that may stand on any page.
func (c *Chart) image() (string, error) {
	png, err := c.picture.PNG()
	if err != nil {
		return "", err
	}
	_, w, _ := c.picture.page()
	return fmt.Sprintf(`<img alt="%s" width="%.0f" style="max-width:100%%;height:auto" src="data:image/png;base64,%s">`,
		html.EscapeString(c.picture.description()), math.Round(w*96/72), base64.StdEncoding.EncodeToString(png)), nil
}
