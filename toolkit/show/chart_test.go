package show

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// parsedChart contains those parts of a chart's data that the tests check. The script of the page
// reads the same data.
type parsedChart struct {
	Height int
	Option struct {
		BackgroundColor string
		Legend          struct {
			Type string
			Data []struct {
				Name, Icon string
				ItemStyle  struct{ Color string }
			}
		}
		VisualMap []struct{ SeriesIndex int }
		Graphic   []struct {
			Style struct {
				Text string
				Y    float64
				Fill any
			}
		}
		Grid []struct {
			Top, Height float64 `json:",string"`
		}
		YAxis []struct{ Max float64 }
	}
	Parts  []chartPart
	Frames []chartFrame
}

type chartPart struct {
	Name, Type string
	Data       [][]float64
	Notes      []string
	ItemStyle  struct{ Color string }
}

func parse(t *testing.T, c *Chart) (p parsedChart) {
	t.Helper()
	if err := json.Unmarshal(must(json.Marshal(c.data))(t), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// seriesNamed returns the series with the given name in the first frame. The name "" selects the
// series without a name.
func (p parsedChart) seriesNamed(name string) (out []chartPart) {
	for _, i := range p.Frames[0].Parts {
		if p.Parts[i].Name == name {
			out = append(out, p.Parts[i])
		}
	}
	return out
}

// panelEnd returns the height at which the first panel ends, in pixels from the top.
func (p parsedChart) panelEnd() float64 { return p.Option.Grid[0].Top + p.Option.Grid[0].Height }

func logistic(t *testing.T) (*datasets.Dataset, *classify.Logistic) {
	t.Helper()
	d := must(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: 30, N2: 20, Seed: 3}))(t)
	target := must(d.Target(d.ClassNames[0]))(t)
	m := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))(t)
	return d, m
}

func TestInteractiveHoldsTheFigure(t *testing.T) {
	d, m := logistic(t)
	f := must(Regions(m, d, RegionsOptions{Mistakes: true}))(t)
	before := must(f.SVG())(t)
	c := must(Interactive(f))(t)
	p := parse(t, c)
	points := p.seriesNamed("C₁")
	if len(points) != 1 || points[0].Type != "scatter" || len(points[0].Data) != 30 {
		t.Fatalf("the series for the points of C₁ is %v, want one scatter series of 30 points", points)
	}
	posterior := must(m.Posterior(d.X))(t)
	if want := fmt.Sprintf("p(C₁|x) = %.4g\np(C₂|x) = %.4g", posterior.At(0, 0), posterior.At(0, 1)); points[0].Notes[0] != want {
		t.Errorf("the note of the first point is %q, want %q", points[0].Notes[0], want)
	}
	line := p.seriesNamed("decision boundary")
	if len(line) != 1 || line[0].Type != "line" || len(line[0].Data) != 2 {
		t.Fatalf("the series for the boundary is %v, want one line of two points", line)
	}
	// The boundary on the page must agree with the numbers of the figure, except for differences
	// too small to be visible.
	x, _ := f.Data().Column("boundary.x")
	checkClose(t, "x1 at the beginning of the boundary", line[0].Data[0][0], x[0], 1e-4)
	if p.Option.BackgroundColor != "#ffffff" { // dark letters are unreadable on a dark page
		t.Errorf("the background colour is %s, want white", p.Option.BackgroundColor)
	}
	if n := len(p.Frames[0].Probes); n != 1 || p.Frames[0].Probes[0].NX != 2 {
		t.Errorf("there are %d probes, or the first probe has several cells; want one probe with a single cell, because ln p₁/p₂ is linear", n)
	}
	if after := must(f.SVG())(t); !bytes.Equal(before, after) {
		t.Error("Interactive changed the SVG of the figure, want it unchanged")
	}
	snippet := must(c.Snippet())(t)
	if more := len(snippet) - len(must(c.image())(t)); more > 20_000 || strings.Contains(snippet, "hyperplaneLibraries") {
		t.Errorf("the snippet has %d bytes in addition to the picture, and contains the library: %v; want at most 20 000 bytes, and false",
			more, strings.Contains(snippet, "hyperplaneLibraries"))
	}
}

// TestProbe checks that, for a model with quadratic log ratios, interpolation between the grid
// nodes of a probe gives the posterior to within 0.01.
func TestProbe(t *testing.T) {
	d := must(datasets.ThreeGaussians(datasets.SceneOptions{Seed: 1}))(t)
	m := must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))(t)
	pr := probe{model: m, classes: d.ClassNames}
	r := [4]float64{-4, 4, -3, 5}
	got := pr.sample(0, r)
	if got == nil || got.NX <= 2 {
		t.Fatal("the probe is missing or has a single cell, although the log ratios are quadratic; want a probe with more cells")
	}
	for i := range 200 {
		x, y := -4+8*math.Mod(float64(i)*0.6180339887, 1), -3+8*math.Mod(float64(i)*0.7548776662, 1)
		want := must(m.Posterior(mat.NewDense(1, 2, []float64{x, y})))(t)
		u, v := (x-r[0])/8*float64(got.NX-1), (y-r[2])/8*float64(got.NY-1)
		a, b := min(int(u), got.NX-2), min(int(v), got.NY-2)
		u, v = u-float64(a), v-float64(b)
		ratios := make([]float64, len(got.Ratios))
		for k, q := range got.Ratios {
			at := b*got.NX + a
			ratios[k] = (1-v)*((1-u)*q[at]+u*q[at+1]) + v*((1-u)*q[at+got.NX]+u*q[at+got.NX+1])
		}
		for k, p := range posteriorsOf(ratios) {
			if math.Abs(p-want.At(0, k)) > 0.01 {
				t.Errorf("at (%.3f, %.3f) interpolation gives p_%d = %.4f, want the model's posterior %.4f",
					x, y, k, p, want.At(0, k))
			}
		}
	}
}

// TestProbeOfALearner checks that a model gives neither a probe nor notes if its posteriors are
// unusable: NaN, missing, or for the wrong number of classes. Posteriors of exactly 0 and 1 are
// usable.
func TestProbeOfALearner(t *testing.T) {
	d, _ := logistic(t)
	for name, f := range map[string]PosteriorFunc{
		"NaN":           func([]float64) []float64 { return []float64{math.NaN(), math.NaN()} },
		"certain":       func([]float64) []float64 { return []float64{1, 0} },
		"nothing":       func([]float64) []float64 { return nil },
		"three classes": func([]float64) []float64 { return []float64{0.2, 0.3, 0.5} },
	} {
		t.Run(name, func(t *testing.T) {
			if got := (probe{model: f, classes: d.ClassNames}).sample(0, [4]float64{0, 1, 0, 1}); (got != nil) != (name == "certain") {
				t.Errorf("got the probe %v, want a probe only if all posteriors are usable", got)
			}
			if notes := (probes{{model: f, classes: d.ClassNames}}).notes([]xy{{X: 1, Y: 2}}); (notes != nil) != (name == "certain") {
				t.Errorf("got the notes %q, want notes only if all posteriors are usable", notes)
			}
		})
	}
}

func TestSlidersOrder(t *testing.T) {
	var calls []string
	c := must(Sliders(func(at []int) (*Figure, error) {
		calls = append(calls, fmt.Sprint(at))
		f, err := Curves(CurvesOptions{Y: [2]float64{0, float64(1 + at[0])}},
			Curve{Name: "f", F: func(float64) float64 { return float64(10*at[0] + at[1]) }})
		if err != nil {
			return nil, err
		}
		f.Title = fmt.Sprint(at)
		return f, nil
	}, Slider{Name: "a", Labels: []string{"0", "1"}}, Slider{Name: "b", Labels: []string{"0", "1", "2"}, Start: 2}))(t)
	if got := strings.Join(calls, " "); got != "[0 0] [0 1] [0 2] [1 0] [1 1] [1 2]" {
		t.Errorf("draw is called for the positions %s, want every combination once, in ascending order", got)
	}
	p := parse(t, c)
	for i, f := range p.Frames {
		if f.Title[0].Text != calls[i] {
			t.Errorf("the title of frame %d is %q, want %q", i, f.Title[0].Text, calls[i])
		}
	}
	if c.Figure().Title != "[0 2]" {
		t.Errorf("the title of the picture is %q, want [0 2], the initial positions of the sliders", c.Figure().Title)
	}
	if y := p.Option.YAxis[0]; y.Max < 2 {
		t.Errorf("the y axis ends at %v, want at least 2 to show every frame", y.Max)
	}
}

// TestSheetColours checks that the colours of a sheet apply only to the series of this sheet,
// whatever the other panels show.
func TestSheetColours(t *testing.T) {
	curve := toolkit.Must(Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}, Curve{Name: "g", F: math.Cos}))
	sheet := toolkit.Must(Surfaces(SurfacesOptions{Cells: 4},
		Sheet{Name: "p", Z: func(a, _ float64) float64 { return 1 / (1 + math.Exp(-a)) }, Colors: PosteriorColors(nil)}))
	curve.Height, sheet.Height = 4, 4
	c := must(Interactive(Panels(2, curve, sheet)))(t)
	p := parse(t, c)
	maps := p.Option.VisualMap
	if len(maps) != 1 || p.Parts[p.Frames[0].Parts[maps[0].SeriesIndex]].Type != "surface" {
		t.Errorf("the colour scales are %v, want one for the surface", maps)
	}
}

// TestFramesShareParts checks that a chart stores a part of a figure only once, even if several
// frames contain this part.
func TestFramesShareParts(t *testing.T) {
	d, m := logistic(t)
	c := must(Sliders(func(at []int) (*Figure, error) {
		f, err := Regions(m, d, RegionsOptions{})
		if err != nil {
			return nil, err
		}
		return f, f.AddLine(0, "moves", []float64{0, 1}, []float64{0, float64(at[0])}, Look{})
	}, Slider{Name: "a", Labels: make([]string, 10)}))(t)
	p := parse(t, c)
	if n := len(p.Frames[0].Parts); len(p.Parts) != n+9 {
		t.Errorf("the chart stores %d parts for 10 frames of %d parts, of which one is different in every frame; want 9 parts more than in one frame", len(p.Parts), n)
	}
}

func TestChartErrors(t *testing.T) {
	figure := func([]int) (*Figure, error) { return Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}) }
	many := Slider{Name: "many", Labels: make([]string, 21)}
	none := func(c *Chart, err error) error {
		if c != nil {
			t.Errorf("a chart is returned together with the error %v, want no chart", err)
		}
		return err
	}
	frames := func(frame func(at int) (*Figure, error)) error {
		return none(Sliders(func(at []int) (*Figure, error) { return frame(at[0]) },
			Slider{Name: "a", Labels: []string{"0", "1"}}))
	}
	panics := must(figure(nil))(t)
	panics.Panel(0).X.Tick.Marker = nil
	for want, err := range map[string]error{
		"show: the figure is empty":  none(Interactive(nil)),
		"draw is nil":                none(Sliders(nil, Slider{Labels: []string{"a"}})),
		"no slider is given":         none(Sliders(figure)),
		`slider "x" has 0 positions`: none(Sliders(figure, Slider{Name: "x"})),
		"starts at 3":                none(Sliders(figure, Slider{Labels: []string{"a"}, Start: 3})),
		"more than 400":              none(Sliders(figure, many, many)),
		"the figure is empty":        frames(func(int) (*Figure, error) { return nil, nil }),
		"drawing failed":             none(Interactive(panics)),
		"at [a 1]: no data": frames(func(at int) (*Figure, error) {
			if at == 1 {
				return nil, errors.New("no data")
			}
			return figure(nil)
		}),
		"all figures must match": frames(func(at int) (*Figure, error) {
			f, err := figure(nil)
			if at == 1 && err == nil {
				return Panels(2, f, f)
			}
			return f, err
		}),
	} {
		wantError(t, err, want)
	}
}

// TestChartEdges makes charts of data with very small or very large coordinates, and a chart with a
// custom plotter.
func TestChartEdges(t *testing.T) {
	for _, scale := range []float64{1e-9, 1, 1e9} {
		for _, shift := range []float64{0, 5e9} {
			f, err := Curves(CurvesOptions{From: shift, To: shift + scale*1e3},
				Curve{Name: "f", F: func(x float64) float64 { return scale * x }})
			if err != nil {
				continue // the range is too narrow for a figure
			}
			c, err := Interactive(f)
			if err != nil {
				t.Errorf("scale %g, shift %g: Interactive returns the error %v, want no error", scale, shift, err)
				continue
			}
			if to := shift + scale*1e3; math.Abs((to-shift)-scale*1e3) > 1e-9*scale {
				continue // float64 cannot resolve this range, so the test does not check the coordinates
			}
			data := parse(t, c).seriesNamed("")[0].Data
			a, b := data[0][0], data[len(data)-1][0]
			if math.Abs((b-a)-1e3*scale) > 1e-3*scale*1e3 {
				t.Errorf("scale %g, shift %g: the curve is drawn from %v to %v, want a length of 1000 times the scale", scale, shift, a, b)
			}
		}
	}
	f := must(Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}))(t)
	own := must(plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}))(t)
	f.Panel(0).Add(own)
	must(Interactive(f))(t)
}

// TestChartLegendHasTheColorsOfShapes checks that echarts receives the colours of areas and arrows.
// The page's script draws these shapes, but echarts draws their legend entries. Without the
// colours, the legend entry and its shape would have different colours.
func TestChartLegendHasTheColorsOfShapes(t *testing.T) {
	fig, look := blankFigure(t, 1), Look{Color: LineColor(1)}
	if err := errors.Join(fig.AddArea(0, "an area", []float64{0, 1, 1}, []float64{0, 0, 1}, look),
		fig.AddArrow(0, "an arrow", 0, 0, 1, 1, look)); err != nil {
		t.Fatal(err)
	}
	p := parse(t, must(Interactive(fig))(t))
	for name, color := range map[string]string{"an area": hex(mix(paper, look.Color, tintShare)),
		"an arrow": hex(look.Color)} {
		if s := p.seriesNamed(name); len(s) != 1 || s[0].ItemStyle.Color != color {
			t.Errorf("the series of %s are %+v, want one series with the colour %s", name, s, color)
		}
	}
}

// TestChartHasTheColorBar checks that a chart has a colour bar if its picture has a colour bar,
// both for figures in the plane and for surfaces. Otherwise the chart must have no colour bar.
func TestChartHasTheColorBar(t *testing.T) {
	d, m := logistic(t)
	flat := toolkit.Must(Posterior(m, d, PosteriorOptions{}))
	sheet := PosteriorSheet(`$p(C_1|\mathbf{x})$`, m, 0)
	sheet.Colors = PosteriorColors(nil)
	raised := toolkit.Must(Surfaces(SurfacesOptions{Data: d, Z: [2]float64{0, 1}}, sheet))
	for name, f := range map[string]*Figure{"plane": flat, "surface": raised,
		"none": toolkit.Must(Regions(m, d, RegionsOptions{}))} {
		p := parse(t, must(Interactive(f))(t))
		texts, stops := "", 0
		for _, it := range p.Option.Graphic {
			texts += it.Style.Text + " "
			if g, ok := it.Style.Fill.(map[string]any); ok {
				stops = len(g["colorStops"].([]any))
			}
		}
		if name == "none" {
			if texts != "" {
				t.Errorf("the chart of a figure without a colour bar has the texts %s, want no texts", texts)
			}
			continue
		}
		if !strings.HasPrefix(texts, "p(C₁|x) 0") || !strings.HasSuffix(texts, " 1  ") || stops < 20 {
			t.Errorf("%s: the colour bar has the texts %q and %d stops, want a label, the ends 0 and 1, and at least 20 stops", name, texts, stops)
		}
		// The colour bar must be between the panel and the legend.
		if y := p.Option.Graphic[0].Style.Y; name == "plane" && (y < p.panelEnd()+30 || y > float64(p.Height)-40) {
			t.Errorf("the label of the colour bar is %g pixels from the top; want at least 30 more than the end of the panel, %g, and at least 40 less than the height of the chart, %d",
				y, p.panelEnd(), p.Height)
		}
	}
}

// TestChartLegend checks that a legend with ten entries shows all names without scrolling. The entry
// of an arrow must have an arrow as its icon. The entry of a surface must be a rectangle in the
// colour of the surface.
func TestChartLegend(t *testing.T) {
	fig := blankFigure(t, 1)
	for i := range 9 {
		if err := fig.AddLine(0, fmt.Sprintf("a line with a long name, number %d", i), []float64{0, 1}, []float64{0, 1},
			Look{Color: LineColor(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := fig.AddArrow(0, "an arrow", 0, 0, 1, 1, Look{}); err != nil {
		t.Fatal(err)
	}
	p := parse(t, must(Interactive(fig))(t))
	last := p.Option.Legend.Data[len(p.Option.Legend.Data)-1]
	if p.Option.Legend.Type == "scroll" || last.Name != "an arrow" || !strings.HasPrefix(last.Icon, "path://") {
		t.Errorf("the legend has the type %s and ends with %+v; want any type except scroll, and an arrow as the icon of the last entry", p.Option.Legend.Type, last)
	}
	if room := float64(p.Height) - p.panelEnd(); room < 40+4*20 {
		t.Errorf("the legend of ten entries has %v pixels below the panel, want at least 120", room)
	}
	p = parse(t, must(Interactive(Surfaces(SurfacesOptions{Cells: 4},
		Sheet{Name: "low", Z: func(a, b float64) float64 { return a + b }},
		Sheet{Name: "high", Z: func(a, b float64) float64 { return 9 }})))(t))
	for i, e := range p.Option.Legend.Data {
		if e.Icon != "roundRect" || e.ItemStyle.Color != hex(ClassColor(i)) {
			t.Errorf("the legend entry of a sheet is %+v, want a rectangle in the colour of the sheet", e)
		}
	}
}

// TestChartPage checks that equal charts give equal pages. A page must have a heading and hints. If
// ChartPage has no address Back, the page must not refer to another site or file. Otherwise it must
// have a link to this address.
func TestChartPage(t *testing.T) {
	d, m := logistic(t)
	chart := func() *Chart {
		return must(Interactive(Regions(m, d, RegionsOptions{Title: "the <first> title"})))(t)
	}
	c, dir := chart(), t.TempDir()
	page := string(must(c.Page(ChartPage{Title: "Figure 1: lines & regions", Caption: "Look <here>.",
		Back: "index.html#fig-1", BackName: "All figures"}))(t))
	for _, want := range []string{
		"<title>Figure 1: lines &amp; regions</title>", "<h1>Figure 1: lines &amp; regions</h1>", "Look &lt;here&gt;.",
		`<a href="index.html#fig-1">All figures</a>`,
		`<meta name="viewport" content="width=device-width, initial-scale=1">`,
		"Shift and turn the wheel", "the legend",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	plain := must(c.HTML())(t)
	if !bytes.Equal(plain, must(chart().HTML())(t)) || len(plain) > 1<<20 {
		t.Errorf("two pages of equal charts differ, or the page of %d bytes is larger than 1 MB", len(plain))
	}
	for _, bad := range []string{`src="http`, `href="`, "<link", "import(", "<first>", "Drag a surface", "The slider"} {
		if bytes.Contains(plain, []byte(bad)) {
			t.Errorf("the page contains %s, want a page without it", bad)
		}
	}
	checkError(0, c.Save(filepath.Join(dir, "x.png")))(t, "does not end in .html")
	if err := c.Save(filepath.Join(dir, "x.html")); err != nil {
		t.Error(err)
	}
	if b := must(os.ReadFile(filepath.Join(dir, "x.html")))(t); !bytes.HasPrefix(b, []byte("<!DOCTYPE html>")) ||
		!bytes.Contains(b, []byte("<h1>the &lt;first&gt; title</h1>")) {
		t.Errorf("the file begins with %.40s, or its heading is not the title of the figure; want a page of HTML with this heading", b)
	}
	solid := must(Interactive(Surfaces(SurfacesOptions{Cells: 4}, sheetOf(math.Hypot))))(t)
	moves := must(Sliders(func(at []int) (*Figure, error) { return Regions(m, d, RegionsOptions{}) },
		Slider{Name: "n", Labels: []string{"1", "2"}}))(t)
	for want, c := range map[string]*Chart{"Drag a surface": solid, "The slider": moves} {
		if !bytes.Contains(must(c.HTML())(t), []byte(want)) {
			t.Errorf("the page does not contain %s", want)
		}
	}
}

// TestLibraryProvenance checks that the chart libraries equal the files in the npm packages:
// echarts 5.6.0 (dist/echarts.min.js) and echarts-gl 2.1.0 (dist/echarts-gl.min.js). The script of the
// chart library must contain no text that would end the HTML element of the script.
func TestLibraryProvenance(t *testing.T) {
	if s := ChartLibrary(); strings.Contains(s, "</") || strings.Contains(s, "<!--") {
		t.Error("the script contains </ or <!--")
	}
	for name, lib := range map[string]struct {
		packed []byte
		sha256 string
	}{
		"echarts":    {echartsLibrary, "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"},
		"echarts-gl": {echartsGLLibrary, "d6d60f2165ce3eb1ea360ef62e8490835e0ae2c1e0c1788a772fff918e350842"},
	} {
		text := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(lib.packed)))(t)))(t)
		if sum := fmt.Sprintf("%x", sha256.Sum256(text)); sum != lib.sha256 {
			t.Errorf("%s differs from the published file: its SHA-256 is %s, want %s", name, sum, lib.sha256)
		}
	}
}
