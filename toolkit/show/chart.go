package show

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// A Chart is an interactive figure. It shows the numbers under the pointer (the posterior, if the
// model of the plot returns one). A click on a legend entry hides a class or line. A chart can
// zoom, rotate surfaces, and change with sliders. [Interactive] makes a chart from one figure, and
// [Sliders] makes one chart from many figures.
//
// A chart contains the figure's layers as data for go-echarts. [Sliders] computes the figures for
// all positions beforehand, so a page works without a kernel. The chart also includes the picture
// of the figure, for pages that do not run scripts.
type Chart struct {
	picture *Figure
	data    chartData
}

// A Slider moves a chart through the figures from which [Sliders] made the chart.
type Slider struct {
	Name   string   `json:"name"`   // what the slider changes, such as "angle of w"
	Labels []string `json:"labels"` // the meaning of each position, such as "30°"
	Start  int      `json:"start"`  // the initial position, from 0
	Play   bool     `json:"play"`   // adds buttons to step and to play, for sequences
}

// maxFrames is the largest number of figures in one chart. The page contains the data of every
// figure.
const maxFrames = 400

// Interactive returns the interactive form of a figure. Anything drawn over the figure with a
// custom plotter appears only in the picture. The arguments can be the figure and the error of a
// plot. Interactive returns that error, an error for a nil f, or an error from drawing f.
func Interactive(f *Figure, err ...error) (*Chart, error) {
	if err := cmp.Or(err...); err != nil {
		return nil, err
	}
	c, failed := newChart([]*Figure{f}, nil)
	named("Interactive", &failed)
	return c, failed
}

// Sliders returns a chart with one or more sliders. Sliders calls draw once for every combination
// of positions, at most 400. draw returns the figure for these positions. All figures must have the
// same panels. The axes become wide enough for all figures.
//
// Errors: no slider, a slider without positions or with an invalid start, too many combinations,
// figures that do not match, and errors of draw.
func Sliders(draw func(at []int) (*Figure, error), sliders ...Slider) (_ *Chart, err error) {
	defer named("Sliders", &err)
	if draw == nil {
		return nil, errors.New("draw is nil; give a function that draws the figure for positions of the sliders")
	}
	if len(sliders) == 0 {
		return nil, errors.New("no slider is given; use Interactive for a chart without sliders")
	}
	n := 1
	for _, s := range sliders {
		if len(s.Labels) == 0 || s.Start < 0 || s.Start >= len(s.Labels) {
			return nil, fmt.Errorf("slider %q has %d positions and starts at %d; give Labels, and a Start from 0 to one less than their number", s.Name, len(s.Labels), s.Start)
		}
		if n *= len(s.Labels); n > maxFrames {
			return nil, fmt.Errorf("the sliders have more than %d combinations of positions, and each adds a figure to the page; give fewer Labels", maxFrames)
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
		for j := len(at) - 1; j >= 0; j-- { // the last slider changes fastest
			if at[j]++; at[j] < len(sliders[j].Labels) {
				break
			}
			at[j] = 0
		}
	}
	return newChart(frames, sliders)
}

// positions returns the name of each slider with its label at the given position.
func positions(sliders []Slider, at []int) []string {
	var out []string
	for i, s := range sliders {
		out = append(out, s.Name+" "+s.Labels[at[i]])
	}
	return out
}

// Figure returns the static form of the chart, which is the figure at the initial positions.
func (c *Chart) Figure() *Figure { return c.picture }

// newChart makes a chart of one figure for each combination of slider positions.
func newChart(frames []*Figure, sliders []Slider) (c *Chart, err error) {
	defer func() { // drawing may panic; render also recovers in this way
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

// waiting is the end of each chart's script, after the data. It finds the chart's element by its
// key, because some pages run the script elsewhere. It then waits for the library, which may load
// later. After five seconds it tells the reader how to load the library.
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

// Snippet returns the chart as a piece of HTML. The HTML contains the picture and a script. The
// script replaces the picture with the chart as soon as the page has the chart library (see
// [LoadCharts]). The script contains the numbers for every position of the sliders. This is about
// ten kilobytes for a single plot and a few hundred kilobytes for a long sequence. It returns an
// error if the picture cannot be drawn.
func (c *Chart) Snippet() (string, error) {
	picture, err := c.image()
	if err != nil {
		return "", err
	}
	// encoding/json writes <, > and & as \u003c …, so no name can end the script.
	data, err := json.Marshal(c.data)
	if err != nil {
		return "", fmt.Errorf("show: Snippet: %w", err)
	}
	key := sha256.Sum256(data)
	columns := ""
	if n := c.data.columns(); n > 1 {
		columns = fmt.Sprintf(" data-columns=\"%d\"", n)
	}
	return fmt.Sprintf("<div class=\"hyperplane-chart\" data-key=\"%x\"%s>%s</div>\n<script>(function () {\n  var key = \"%x\", data = %s;%s</script>\n",
		key[:8], columns, picture, key[:8], data, waiting), nil
}

// image returns the picture as an HTML element that works on any page.
func (c *Chart) image() (string, error) {
	png, err := c.picture.PNG()
	if err != nil {
		return "", err
	}
	_, w, _ := c.picture.page()
	return fmt.Sprintf(`<img alt="%s" width="%.0f" style="max-width:100%%;height:auto" src="data:image/png;base64,%s">`,
		html.EscapeString(c.picture.description()), math.Round(w*96/72), base64.StdEncoding.EncodeToString(png)), nil
}

// A ChartPage holds the texts around a chart on a separate page. The zero value works.
type ChartPage struct {
	Title    string // heading and title of the page; default: the title of the figure
	Source   string // a line over the heading, such as "PRML figure 4.1"; "" omits it
	Caption  string // under the heading; default: the Alt text of the figure
	Back     string // address of the page to go back to; "" omits the link
	BackName string // text of that link; default "Back"
}

//go:embed chartpage.html
var chartPageSource string

var chartPage = template.Must(template.New("chart").Option("missingkey=error").Parse(chartPageSource))

// Page returns a complete page, about 700 kB, that works without a network. It
// contains a heading, the caption, the chart with the library, and hints on how to use
// the chart. Errors: as for Snippet.
func (c *Chart) Page(p ChartPage) ([]byte, error) {
	snippet, err := c.Snippet()
	if err != nil {
		return nil, err
	}
	p.Title = cmp.Or(p.Title, unicodeText(c.picture.Title), c.picture.description())
	p.Caption = cmp.Or(p.Caption, unicodeText(c.picture.Alt))
	p.BackName = cmp.Or(p.BackName, "Back")
	var b bytes.Buffer
	if err := chartPage.Execute(&b, map[string]any{
		"Page": p, "Hints": c.hints(), "Chart": template.HTML(snippet),
		"Library": template.HTML("<script>" + echarts.Script() + "</script>"),
	}); err != nil {
		return nil, fmt.Errorf("show: Page: %w", err)
	}
	return b.Bytes(), nil
}

// hints returns sentences on how to use the chart.
func (c *Chart) hints() []string {
	var out []string
	_, turns := c.data.Option["grid3D"]
	_, moves := c.data.Option["dataZoom"]
	if turns {
		out = append(out, "Drag a surface to turn it.")
	}
	if moves {
		out = append(out, "Drag a panel to move it.")
	}
	if turns || moves {
		out = append(out, "Shift and the wheel zoom.")
	}
	if moves {
		out = append(out, "The round arrow in the corner resets the view.")
	}
	if len(c.picture.allLegends()) > 0 {
		out = append(out, "Click a name in the legend to hide it.")
	}
	if slices.ContainsFunc(c.data.Frames, func(f chartFrame) bool { return len(f.Probes) > 0 }) {
		out = append(out, "Point at a place to read the posterior there.")
	}
	switch len(c.data.Sliders) {
	case 0:
	case 1:
		out = append(out, "The slider under the chart changes the figure.")
	default:
		out = append(out, "The sliders under the chart change the figure.")
	}
	return out
}

// HTML is [Chart.Page] with the texts of the figure. Errors: as for Snippet.
func (c *Chart) HTML() ([]byte, error) { return c.Page(ChartPage{}) }

// Save writes the page of [Chart.HTML] to path. The path must end in .html or .htm, and the folder
// must exist. Save replaces an existing file only when the new file is complete. Errors: a
// different ending, errors of HTML, and errors of writing the file.
func (c *Chart) Save(path string) error {
	if !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("show: Save: %q does not end in .html; for other formats save its Figure()", path)
	}
	page, err := c.HTML()
	if err != nil {
		return err
	}
	return save(path, page)
}
