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
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A Chart is an interactive figure. It shows the numbers at the mouse pointer, including the
// posterior if the model of the plot returns one. A click on a legend entry hides a class or line.
// The reader can zoom, rotate surfaces, and move sliders that change the chart. [Interactive] makes
// a chart from one figure, and [Sliders] makes one chart from many figures.
//
// A chart contains the figure's layers as data for Apache ECharts. [Sliders] computes the figures
// for all slider positions in advance, so a page works without a notebook kernel. The chart also
// includes the figure as a picture, for pages that do not run scripts.
type Chart struct {
	picture *Figure
	data    chartData
}

// A Slider selects the figure that a chart shows. [Sliders] makes such a chart from many figures.
type Slider struct {
	Name   string   `json:"name"`   // name of the value that the slider changes, such as "angle of w"
	Labels []string `json:"labels"` // text for each position, such as "30°"
	Start  int      `json:"start"`  // index of the initial position, from 0
	Play   bool     `json:"play"`   // whether to add buttons to step through the positions and to play them
}

// maxFrames is the largest number of figures in one chart. There is a limit because the page
// contains the data of every figure.
const maxFrames = 400

// Interactive returns the interactive form of a figure. The drawing of a custom plotter appears
// only in the picture for pages that do not run scripts. The two arguments can be the two results
// of a plot function. Interactive returns an error if err is not nil, if f is nil, or if f cannot
// be drawn.
func Interactive(f *Figure, err ...error) (*Chart, error) {
	if err := cmp.Or(err...); err != nil {
		return nil, err
	}
	c, failed := newChart([]*Figure{f}, nil)
	prefixError("Interactive", &failed)
	return c, failed
}

// Sliders returns a chart with one or more sliders. The function `draw` returns the figure for the
// given slider positions. Sliders calls it once for every combination of positions, at most 400
// times. All figures must have the same size and the same number of panels. The ranges of the axes
// become large enough for all figures.
//
// Errors: a nil `draw`, no slider, a slider without labels or with an invalid start, and more than
// 400 combinations. Sliders also returns an error if a figure cannot be drawn, or if two figures
// differ in size or in their number of panels. It returns the errors of `draw`.
func Sliders(draw func(at []int) (*Figure, error), sliders ...Slider) (_ *Chart, err error) {
	defer prefixError("Sliders", &err)
	if draw == nil {
		return nil, errors.New("draw is nil; give a function that draws the figure for positions of the sliders")
	}
	if len(sliders) == 0 {
		return nil, errors.New("no slider is given; use Interactive for a chart without sliders")
	}
	n := 1
	for _, s := range sliders {
		if len(s.Labels) == 0 || s.Start < 0 || s.Start >= len(s.Labels) {
			return nil, fmt.Errorf("slider %q has %d positions and starts at %d; want at least one label, and a Start that is the index of a label", s.Name, len(s.Labels), s.Start)
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
			return nil, fmt.Errorf("at %v: %w", positionLabels(sliders, at), err)
		}
		frames[i] = f
		for j := len(at) - 1; j >= 0; j-- { // the position of the last slider changes fastest
			if at[j]++; at[j] < len(sliders[j].Labels) {
				break
			}
			at[j] = 0
		}
	}
	return newChart(frames, sliders)
}

// positionLabels returns the name of each slider with its label at the given position.
func positionLabels(sliders []Slider, at []int) []string {
	var out []string
	for i, s := range sliders {
		out = append(out, s.Name+" "+s.Labels[at[i]])
	}
	return out
}

// Figure returns the static form of the chart: the figure at the initial slider positions.
func (c *Chart) Figure() *Figure { return c.picture }

// newChart makes a chart with one figure for each combination of slider positions.
func newChart(frames []*Figure, sliders []Slider) (c *Chart, err error) {
	defer func() { // a plotter may panic, so newChart recovers from panics; the method `render` does the same
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("drawing failed: %v", r)
		}
	}()
	for _, f := range frames {
		if err := f.check(); err != nil {
			return nil, err
		}
		if len(f.panels) != len(frames[0].panels) || f.Width != frames[0].Width || f.Height != frames[0].Height {
			return nil, fmt.Errorf("one figure has %d panels on %g × %g inches and another figure has %d on %g × %g; all figures must match",
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

// waitScript is the end of each chart's script, after the data. It finds the chart's element by its
// key, because on some pages the script does not run next to the element. It then waits up to five
// minutes for the chart library, which the page may load later. After five seconds it tells the
// reader how to load the library.
const waitScript = `
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
// script replaces the picture with the chart as soon as the page has loaded the chart library (see
// [LoadCharts]). The script contains the numbers for every slider position. Its size is about ten
// kilobytes for a single plot and a few hundred kilobytes for a long sequence. Snippet returns an
// error if the picture cannot be drawn, or if JSON cannot represent the data of the chart.
func (c *Chart) Snippet() (string, error) {
	picture, err := c.image()
	if err != nil {
		return "", err
	}
	// encoding/json writes <, > and & as \u003c and so on, so no name in the data can end the
	// script.
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
		key[:8], columns, picture, key[:8], data, waitScript), nil
}

// image returns the picture as an HTML element that works on any page.
func (c *Chart) image() (string, error) {
	png, err := c.picture.Encode("png")
	if err != nil {
		return "", err
	}
	_, w, _ := c.picture.page()
	return fmt.Sprintf(`<img alt="%s" width="%.0f" style="max-width:100%%;height:auto" src="data:image/png;base64,%s">`,
		html.EscapeString(c.picture.description()), math.Round(w*96/72), base64.StdEncoding.EncodeToString(png)), nil
}

// A ChartPage contains the texts around a chart on a page of its own. All fields are optional.
type ChartPage struct {
	Title    string // heading and title of the page; the default is the title of the figure, or else its Alt text
	Source   string // line above the heading, such as "PRML figure 4.1"; "" omits the line
	Caption  string // text under the heading; the default is the Alt text of the figure
	Back     string // address of the page to which a link leads back; "" omits the link
	BackName string // text of this link; the default is "Back"
}

//go:embed chartpage.html
var chartPageSource string

var chartPage = template.Must(template.New("chart").Option("missingkey=error").Parse(chartPageSource))

// Page returns a complete page, about 700 kB, that works without a network. It contains a heading,
// the caption, the chart with the chart library, and hints on how to use the chart. Page returns
// the same errors as Snippet.
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
		"Library": template.HTML("<script>" + ChartLibrary() + "</script>"),
	}); err != nil {
		return nil, fmt.Errorf("show: Page: %w", err)
	}
	return b.Bytes(), nil
}

// hints returns sentences that tell the reader how to use the chart.
func (c *Chart) hints() []template.HTML {
	var out []template.HTML
	_, turns := c.data.Option["grid3D"]
	_, moves := c.data.Option["dataZoom"]
	if turns {
		out = append(out, "Drag a surface to turn it.")
	}
	if moves {
		out = append(out, "Drag a panel to move it.")
	}
	if turns || moves {
		out = append(out, pointerHint("Hold Shift and turn the wheel to zoom.", "Pinch with two fingers to zoom; swipe up or down to scroll the page."))
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

// pointerHint returns a hint that a page shows in one form for a mouse and in another for a touch
// screen.
func pointerHint(mouse, touch string) template.HTML {
	return template.HTML(`<span class="mouse">` + html.EscapeString(mouse) + `</span><span class="touch">` + html.EscapeString(touch) + `</span>`)
}

// HTML returns the page of [Chart.Page] with the title and the Alt text of the figure. It returns
// the same errors as Snippet.
func (c *Chart) HTML() ([]byte, error) { return c.Page(ChartPage{}) }

// Save writes the page of [Chart.HTML] to path. The path must end in .html or .htm, and the folder
// must exist. Save replaces an existing file only when the new file is complete. It returns an
// error if path has a different ending, if HTML fails, or if the file cannot be written.
func (c *Chart) Save(path string) error {
	if !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("show: Save: %q does not end in .html or .htm; to save a picture, use Save of the chart's Figure", path)
	}
	page, err := c.HTML()
	if err != nil {
		return err
	}
	return save(path, page)
}

// A probe allows an interactive chart to show the posterior at the mouse pointer.
type probe struct {
	model   classify.Prober
	name    string // name of the model, if a panel shows several models
	classes []string
}

type probes []probe

// chartProbe is the form of a probe in the page's data. For each class k except the first, it
// contains the log ratio ln p_k/p_0 at the nodes of a grid, row by row, starting with the lowest
// row.
type chartProbe struct {
	Grid    int         `json:"grid"` // index of the panel that shows the model of the probe
	Name    string      `json:"name,omitempty"`
	Classes []string    `json:"classes"`
	X       [2]float64  `json:"x"`
	Y       [2]float64  `json:"y"`
	NX      int         `json:"nx"`
	NY      int         `json:"ny"`
	Ratios  [][]float64 `json:"ratios"`
}

// addProbe adds a probe for the posterior of m to the panel. It does nothing if m is nil or returns
// no posterior, or if there are fewer than two classes.
func (p *planePlot) addProbe(m any, name string, classes []string) {
	model, ok := classify.ProberOf(m)
	if !ok || isNil(m) || len(classes) < 2 {
		return
	}
	names := make([]string, len(classes))
	for k, c := range classes {
		names[k] = unicodeText(label(c))
	}
	p.panels[0].probes = append(p.panels[0].probes, probe{model, name, names})
}

// sample returns the probe on the coarsest of five grids from which the page can interpolate every
// posterior to within 0.002. If none of the coarser grids suffices, it uses the finest grid. For a
// linear model whose log ratios stay between −40 and 40, a grid with a single cell suffices. If the
// model does not return posteriors for these classes, sample returns nil.
func (pr probe) sample(panel int, r [4]float64) *chartProbe {
	out := &chartProbe{Grid: panel, Name: pr.name, Classes: pr.classes, X: [2]float64{r[0], r[1]},
		Y: [2]float64{r[2], r[3]}}
	const fine = 41
	p := pr.posterior(box{out.X, out.Y}.inputs(contour.Grid{NX: fine, NY: fine}.Nodes()))
	if p == nil {
		return nil
	}
	want := logRatios(p)
	for _, n := range []int{2, 5, 9, 21, fine} { // every node of a coarser grid is also a node of the finest grid
		step := (fine - 1) / (n - 1)
		coarse := make([][]float64, len(want))
		for k := range want {
			for j := range n {
				for i := range n {
					coarse[k] = append(coarse[k], want[k][j*step*fine+i*step])
				}
			}
		}
		if n == fine || interpolationSuffices(coarse, n, want, fine) {
			out.NX, out.NY, out.Ratios = n, n, coarse
			break
		}
	}
	return out
}

// posterior returns the posteriors at the rows of x. It returns nil if the model returns an error
// or a matrix of the wrong size.
func (pr probe) posterior(x *mat.Dense) *mat.Dense {
	p, err := pr.model.Posterior(x)
	if err != nil || p == nil {
		return nil
	}
	n, _ := x.Dims()
	if r, k := p.Dims(); r != n || k != len(pr.classes) {
		return nil
	}
	return p
}

// logRatios returns ln p_k/p_0 for k ≥ 1. The numbers are rounded and limited to the range −40 to
// 40. If p_k and p_0 are both 0, the number is 0.
func logRatios(p *mat.Dense) [][]float64 {
	n, k := p.Dims()
	out := make([][]float64, k-1)
	for c := 1; c < k; c++ {
		for i := range n {
			v := math.Log(p.At(i, c)) - math.Log(p.At(i, 0))
			if math.IsNaN(v) {
				v = 0
			}
			out[c-1] = append(out[c-1], math.Round(min(40, max(-40, v))*1000)/1000+0)
		}
	}
	return out
}

// interpolationSuffices reports whether interpolation between the nodes of the coarse grid gives
// the posteriors at the nodes of the fine grid to within 0.002.
func interpolationSuffices(coarse [][]float64, n int, fine [][]float64, m int) bool {
	step := float64(n-1) / float64(m-1)
	a, b := make([]float64, len(fine)), make([]float64, len(fine))
	for j := range m {
		for i := range m {
			x, y := float64(i)*step, float64(j)*step
			i0, j0 := min(int(x), n-2), min(int(y), n-2)
			u, v := x-float64(i0), y-float64(j0)
			for k, c := range coarse {
				q := c[j0*n+i0:]
				a[k] = (1-v)*((1-u)*q[0]+u*q[1]) + v*((1-u)*q[n]+u*q[n+1])
				b[k] = fine[k][j*m+i]
			}
			pa, pb := posteriorsOf(a), posteriorsOf(b)
			for k := range pa {
				if math.Abs(pa[k]-pb[k]) > 0.002 {
					return false
				}
			}
		}
	}
	return true
}

// posteriorsOf converts log ratios ln p_k/p_0 to posteriors.
func posteriorsOf(ratios []float64) []float64 {
	p, sum := []float64{1}, 1.0
	for _, r := range ratios {
		p = append(p, math.Exp(r))
		sum += math.Exp(r)
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// notes evaluates the models at each point, without interpolation. It returns a text for each
// point. The text contains the name of each model that has a name, and the posteriors at the point,
// one line per class. If no model returns posteriors for its classes, notes returns nil.
func (ps probes) notes(pts []xy) []string {
	out, x := make([]string, len(pts)), mat.NewDense(len(pts), 2, nil)
	for i, q := range pts {
		x.SetRow(i, []float64{q.X, q.Y})
	}
	for _, pr := range ps {
		p := pr.posterior(x)
		if p == nil {
			continue
		}
		for i := range pts {
			if pr.name != "" {
				out[i] += "\n" + pr.name + ":"
			}
			for k, c := range pr.classes {
				out[i] += "\np(" + c + "|x) = " + strconv.FormatFloat(p.At(i, k), 'g', 4, 64)
			}
		}
	}
	for i := range out {
		if out[i] == "" {
			return nil
		}
		out[i] = out[i][1:]
	}
	return out
}

// The chart libraries are from npm (echarts 5.6.0 and echarts-gl 2.1.0: dist/*.min.js, compressed
// with gzip -9n). Their licences, Apache 2.0 and BSD 3-Clause, are in the folder internal/echarts.
// The script runtime.js draws the charts on a page.
var (
	//go:embed internal/echarts/echarts-5.6.0.min.js.gz
	echartsLibrary []byte

	//go:embed internal/echarts/echarts-gl-2.1.0.min.js.gz
	echartsGLLibrary []byte

	//go:embed internal/echarts/runtime.js
	chartRuntime string
)

// ChartLibrary returns the script that [LoadCharts] adds to a notebook. Use it for pages that are
// made from notebooks. The script may come before or after the charts. Its size is about 680 kB. If
// the page already has the library, which is the JavaScript variable hyperplaneCharts, the script
// does not load the library a second time.
func ChartLibrary() string {
	return `globalThis.hyperplaneLibraries = ["` + base64.StdEncoding.EncodeToString(echartsLibrary) + `", "` +
		base64.StdEncoding.EncodeToString(echartsGLLibrary) + "\"];\n" + chartRuntime
}
