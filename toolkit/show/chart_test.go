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

// parsedChart contains the data of a chart that the script of its page reads.
type parsedChart struct {
	Width, Height int
	Option        map[string]any
	Parts         []map[string]any
	Frames        []chartFrame
	Sliders       []Slider
	Ticks         []chartTicks
}

func parse(t *testing.T, c *Chart) parsedChart {
	t.Helper()
	b := must(json.Marshal(c.data))(t)
	var p parsedChart
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// seriesNamed returns the series with the given name in the first frame. The name "" selects the
// series without a name.
func (p parsedChart) seriesNamed(name string) []map[string]any {
	var out []map[string]any
	for _, i := range p.Frames[0].Parts {
		if has, _ := p.Parts[i]["name"].(string); has == name {
			out = append(out, p.Parts[i])
		}
	}
	return out
}

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
	if len(points) != 1 || points[0]["type"] != "scatter" || len(points[0]["data"].([]any)) != 30 {
		t.Errorf("the series for the points of C₁ is %v, want one scatter series of 30 points", points)
	}
	notes := points[0]["notes"].([]any)
	posterior := must(m.Posterior(d.X))(t)
	if want := fmt.Sprintf("p(C₁|x) = %.4g\np(C₂|x) = %.4g", posterior.At(0, 0), posterior.At(0, 1)); notes[0] != want {
		t.Errorf("the note of the first point is %q, want %q", notes[0], want)
	}
	line := p.seriesNamed("decision boundary")
	if len(line) != 1 || line[0]["type"] != "line" || len(line[0]["data"].([]any)) != 2 {
		t.Errorf("the series for the boundary is %v, want one line of two points", line)
	}
	// The boundary on the page must agree with the numbers of the figure, except for differences
	// too small to be visible.
	x, _ := f.Data().Column("boundary.x")
	if got := line[0]["data"].([]any)[0].([]any)[0].(float64); math.Abs(got-x[0]) > 1e-4 {
		t.Errorf("the boundary begins at x1 = %v on the page, but at %v in the numbers", got, x[0])
	}
	if n := len(p.Frames[0].Probes); n != 1 || p.Frames[0].Probes[0].NX != 2 {
		t.Errorf("there are %d probes, want one probe with a single cell, because ln p₁/p₂ is linear", n)
	}
	after, err := f.SVG()
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the SVG of the figure changed after Interactive (error %v)", err)
	}
}

// TestProbe checks that, for several models, interpolation between the grid nodes of a probe gives
// the posterior.
func TestProbe(t *testing.T) {
	d := must(datasets.ThreeGaussians(datasets.SceneOptions{Seed: 1}))(t)
	m := must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))(t)
	pr := probe{model: m, classes: d.ClassNames}
	r := [4]float64{-4, 4, -3, 5}
	got := pr.sample(0, r)
	if got == nil || got.NX <= 2 {
		t.Error("the probe has a single cell, although the log ratios are quadratic")
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
				t.Errorf("at (%.3f, %.3f) the page interpolates p_%d = %.4f, want the model's posterior %.4f",
					x, y, k, p, want.At(0, k))
			}
		}
	}
}

// TestProbeOfALearner checks that Interactive adds neither a probe nor notes if the model's
// posteriors are unusable: NaN, missing, or for the wrong number of classes.
func TestProbeOfALearner(t *testing.T) {
	d, _ := logistic(t)
	for name, f := range map[string]PosteriorFunc{
		"NaN":         func([]float64) []float64 { return []float64{math.NaN(), math.NaN()} },
		"certain":     func([]float64) []float64 { return []float64{1, 0} },
		"nothing":     func([]float64) []float64 { return nil },
		"three of it": func([]float64) []float64 { return []float64{0.2, 0.3, 0.5} },
	} {
		t.Run(name, func(t *testing.T) {
			if got := (probe{model: f, classes: d.ClassNames}).sample(0, [4]float64{0, 1, 0, 1}); (got != nil) != (name == "certain") {
				t.Errorf("%v", got)
			}
			if notes := (probes{{model: f, classes: d.ClassNames}}).notes([]xy{{X: 1, Y: 2}}); (notes != nil) != (name == "certain") {
				t.Errorf("notes %q", notes)
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
		t.Errorf("the title of the picture is %q, want [0 2] as at the start", c.Figure().Title)
	}
	if y := p.Option["yAxis"].([]any)[0].(map[string]any); y["max"].(float64) < 2 {
		t.Errorf("the y axis ends at %v, want at least 2 to show every frame", y["max"])
	}
}

// TestSheetColours checks that the colours of a sheet apply only to the series of this sheet,
// whatever the other panels show.
func TestSheetColours(t *testing.T) {
	curve := toolkit.Must(Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}, Curve{Name: "g", F: math.Cos}))
	sheet := toolkit.Must(Surfaces(SurfacesOptions{Cells: 4},
		Sheet{Name: "p", Z: func(a, _ float64) float64 { return 1 / (1 + math.Exp(-a)) }, Colors: PosteriorColor}))
	curve.Height, sheet.Height = 4, 4
	c := must(Interactive(toolkit.Must(Panels(2, curve, sheet))))(t)
	p := parse(t, c)
	maps, _ := p.Option["visualMap"].([]any)
	if len(maps) != 1 {
		t.Fatalf("there are %d colour scales, want one", len(maps))
	}
	n := int(maps[0].(map[string]any)["seriesIndex"].(float64))
	if s := p.Parts[p.Frames[0].Parts[n]]; s["type"] != "surface" {
		t.Errorf("the colour scale applies to series %d of type %v, want a surface", n, s["type"])
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
		t.Errorf("the chart stores %d parts for 10 frames of %d parts, of which one changes; want 9 more than in one frame", len(p.Parts), n)
	}
}

func TestChartErrors(t *testing.T) {
	figure := func([]int) (*Figure, error) { return Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}) }
	many := Slider{Name: "many", Labels: make([]string, 21)}
	none := func(c *Chart, err error) error {
		if c != nil {
			t.Errorf("a chart is returned together with the error %v", err)
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
			data := parse(t, c).seriesNamed("")[0]["data"].([]any)
			a, b := data[0].([]any)[0].(float64), data[len(data)-1].([]any)[0].(float64)
			if math.Abs((b-a)-1e3*scale) > 1e-3*scale*1e3 {
				t.Errorf("scale %g, shift %g: the curve is drawn from %v to %v, want a length of 1000 times the scale", scale, shift, a, b)
			}
		}
	}
	f := must(Curves(CurvesOptions{}, Curve{Name: "f", F: math.Sin}))(t)
	own := must(plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}))(t)
	f.Panel(0).Add(own)
	if _, err := Interactive(f); err != nil {
		t.Error(err)
	}
}

// TestPage checks that equal charts give equal pages, and that a page does not refer to another
// site or file.
func TestPage(t *testing.T) {
	d, m := logistic(t)
	make := func() []byte {
		f := must(Posterior(m, d, PosteriorOptions{Title: "a <title> & more"}))(t)
		c := must(Interactive(f))(t)
		page := must(c.HTML())(t)
		return page
	}
	page := make()
	if !bytes.Equal(page, make()) {
		t.Error("two pages differ")
	}
	if len(page) > 1<<20 {
		t.Errorf("the page has %d bytes, want at most 1 MB", len(page))
	}
	for _, bad := range []string{`src="http`, `href="`, "<link", "import(", "a <title>"} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the page contains %s", bad)
		}
	}
	c := toolkit.Must(Interactive(toolkit.Must(Posterior(m, d, PosteriorOptions{}))))
	dir := t.TempDir()
	if err := c.Save(filepath.Join(dir, "x.png")); err == nil || !strings.Contains(err.Error(), "does not end in .html") {
		t.Errorf("error %v", err)
	}
	if err := c.Save(filepath.Join(dir, "x.html")); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "x.html")); err != nil || !bytes.HasPrefix(b, []byte("<!DOCTYPE html>")) {
		t.Errorf("%.40s, %v", b, err)
	}
}

// TestSnippetIsSmall checks that the snippet of a chart is only a little larger than the picture
// that it contains.
func TestSnippetIsSmall(t *testing.T) {
	d, m := logistic(t)
	c := must(Interactive(toolkit.Must(Regions(m, d, RegionsOptions{}))))(t)
	s := must(c.Snippet())(t)
	if picture, err := c.image(); err != nil || len(s)-len(picture) > 20_000 {
		t.Errorf("the snippet has %d bytes in addition to the picture, want at most 20000 (error %v)",
			len(s)-len(picture), err)
	}
	if strings.Contains(s, "hyperplaneLibraries") {
		t.Error("the snippet contains the library")
	}
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
	c := must(Interactive(fig))(t)
	colors := map[string]string{"an area": hex(mix(paper, look.Color, tintShare)), "an arrow": hex(look.Color)}
	for _, part := range c.data.Parts {
		for name, color := range colors {
			if strings.Contains(string(part), `"name":"`+name+`"`) &&
				strings.Contains(string(part), `"itemStyle":{"color":"`+color+`"}`) {
				delete(colors, name)
			}
		}
	}
	if len(colors) > 0 {
		t.Errorf("the series of %v have no colours: %s", colors, c.data.Parts)
	}
}

// TestChartHasAGround checks that a chart has a light background, because its dark letters would be
// unreadable on a dark page.
func TestChartHasAGround(t *testing.T) {
	d, m := logistic(t)
	p := parse(t, must(Interactive(toolkit.Must(Regions(m, d, RegionsOptions{}))))(t))
	if got := p.Option["backgroundColor"]; got != "#ffffff" {
		t.Errorf("the background colour is %v, want white as in the picture", got)
	}
}

// TestChartHasTheColorBar checks that a chart has a colour bar if its picture has a colour bar,
// both for figures in the plane and for surfaces.
func TestChartHasTheColorBar(t *testing.T) {
	d, m := logistic(t)
	flat := toolkit.Must(Posterior(m, d, PosteriorOptions{}))
	raised := toolkit.Must(Surfaces(SurfacesOptions{Data: d, Z: [2]float64{0, 1}}, func() Sheet {
		s := PosteriorSheet(`$p(C_1|\mathbf{x})$`, m, 0)
		s.Colors = PosteriorColor
		return s
	}()))
	for name, f := range map[string]*Figure{"plane": flat, "surface": raised,
		"none": toolkit.Must(Regions(m, d, RegionsOptions{}))} {
		p := parse(t, must(Interactive(f))(t))
		items, _ := p.Option["graphic"].([]any)
		if name == "none" {
			if len(items) != 0 {
				t.Errorf("a chart of regions has %d shapes of a colour bar, want none", len(items))
			}
			continue
		}
		var texts []string
		stops := 0
		for _, it := range items {
			style := it.(map[string]any)["style"].(map[string]any)
			if s, ok := style["text"].(string); ok {
				texts = append(texts, s)
			}
			if g, ok := style["fill"].(map[string]any); ok {
				stops = len(g["colorStops"].([]any))
			}
		}
		if got := strings.Join(texts, " "); !strings.HasPrefix(got, "p(C₁|x) 0") || !strings.HasSuffix(got, " 1") || stops < 20 {
			t.Errorf("%s: the colour bar has the texts %q and %d stops, want p(C₁|x), numbers from 0 to 1 and at least 20 stops", name, got, stops)
		}
		// The colour bar must be between the panel and the legend.
		if r := p.Option["grid"].([]any)[0].(map[string]any); name == "plane" {
			bar := items[0].(map[string]any)["style"].(map[string]any)["y"].(float64)
			var top, height float64
			if _, err := fmt.Sscan(fmt.Sprint(r["top"], " ", r["height"]), &top, &height); err != nil || bar < top+height+30 || bar > float64(p.Height)-40 {
				t.Errorf("the colour bar is at %g, want a place between the end of the panel, %g, and the end of the chart, %d (error %v)",
					bar, top+height, p.Height, err)
			}
		}
	}
}

// TestChartLegend checks that the legend shows all names without scrolling. The entry of an arrow
// must have an arrow as its icon, and the entry of a surface must have the colour of the surface.
func TestChartLegend(t *testing.T) {
	fig := blankFigure(t, 1)
	for i := range 9 {
		if err := fig.AddLine(0, fmt.Sprintf("a line with a long name, number %d", i), []float64{0, 1}, []float64{0, 1},
			Look{Color: LineColor(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(fig.AddArrow(0, "an arrow", 0, 0, 1, 1, Look{})); err != nil {
		t.Fatal(err)
	}
	p := parse(t, must(Interactive(fig))(t))
	legend := p.Option["legend"].(map[string]any)
	if legend["type"] == "scroll" {
		t.Error("the legend scrolls by pages")
	}
	entries := map[string]map[string]any{}
	for _, e := range legend["data"].([]any) {
		entries[e.(map[string]any)["name"].(string)] = e.(map[string]any)
	}
	if icon, _ := entries["an arrow"]["icon"].(string); !strings.HasPrefix(icon, "path://") {
		t.Errorf("the legend icon of the arrow is %q, want a path", icon)
	}
	var top, height float64
	r := p.Option["grid"].([]any)[0].(map[string]any)
	if _, err := fmt.Sscan(fmt.Sprint(r["top"], " ", r["height"]), &top, &height); err != nil || float64(p.Height)-top-height < 40+4*20 {
		t.Errorf("the legend of ten long names has %d pixels below the panel, want at least 120 (error %v)",
			p.Height-int(top+height), err)
	}

	sheets := toolkit.Must(Surfaces(SurfacesOptions{Cells: 4},
		Sheet{Name: "low", Z: func(a, b float64) float64 { return a + b }},
		Sheet{Name: "high", Z: func(a, b float64) float64 { return 9 }}))
	p = parse(t, must(Interactive(sheets))(t))
	for i, e := range p.Option["legend"].(map[string]any)["data"].([]any) {
		entry := e.(map[string]any)
		style, _ := entry["itemStyle"].(map[string]any)
		if entry["icon"] != "roundRect" || style["color"] != hex(ClassColor(i)) {
			t.Errorf("the legend entry of a sheet is %v, want a rectangle in the colour of the sheet", entry)
		}
	}
}

// TestChartPage checks that the page of a chart has a heading, hints, and a link to the previous
// page.
func TestChartPage(t *testing.T) {
	d, m := logistic(t)
	c := must(Interactive(toolkit.Must(Regions(m, d, RegionsOptions{Title: "the first title"}))))(t)
	page := string(must(c.Page(ChartPage{Title: "Figure 1: lines & regions", Caption: "Look <here>.",
		Back: "index.html#fig-1", BackName: "All figures"}))(t))
	for _, want := range []string{
		"<title>Figure 1: lines &amp; regions</title>", "<h1>Figure 1: lines &amp; regions</h1>", "Look &lt;here&gt;.",
		`<a href="index.html#fig-1">All figures</a>`,
		`<meta name="viewport" content="width=device-width, initial-scale=1">`,
		"Shift and the wheel", "the legend",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if strings.Contains(page, "Drag a surface") {
		t.Error("the page of a plane figure has the hint for surfaces")
	}
	if plain := must(c.HTML())(t); !bytes.Contains(plain, []byte("<h1>the first title</h1>")) ||
		bytes.Contains(plain, []byte("<a href")) {
		t.Error("a page without a caption must have no link, and the title of the figure as its heading")
	}
	solid := must(Interactive(toolkit.Must(Surfaces(SurfacesOptions{Cells: 4},
		Sheet{Name: "s", Z: func(a, b float64) float64 { return a }}))))(t)
	if page := string(must(solid.HTML())(t)); !strings.Contains(page, "Drag a surface") {
		t.Error("the page of a surface does not have the hint for surfaces")
	}
	moves := must(Sliders(func(at []int) (*Figure, error) { return Regions(m, d, RegionsOptions{}) },
		Slider{Name: "n", Labels: []string{"1", "2"}}))(t)
	if page := string(must(moves.HTML())(t)); !strings.Contains(page, "slider") || strings.Contains(string(must(c.HTML())(t)), "The slider") {
		t.Error("the page with a slider has no hint for it, or the page without a slider has one")
	}
}

// TestLibraryProvenance checks that the chart libraries equal the files in the npm packages:
// echarts 5.6.0 (dist/echarts.min.js) and echarts-gl 2.1.0 (dist/echarts-gl.min.js).
func TestLibraryProvenance(t *testing.T) {
	for name, lib := range map[string]struct {
		packed []byte
		sha256 string
	}{
		"echarts":    {echartsLibrary, "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"},
		"echarts-gl": {echartsGLLibrary, "d6d60f2165ce3eb1ea360ef62e8490835e0ae2c1e0c1788a772fff918e350842"},
	} {
		r, err := gzip.NewReader(bytes.NewReader(lib.packed))
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(name, err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(text)); sum != lib.sha256 {
			t.Errorf("%s differs from the published file: its SHA-256 is %s", name, sum)
		}
	}
}

// TestLibraryCanStandInAPage checks that the script of the chart library contains no text that
// would end the HTML element of the script.
func TestLibraryCanStandInAPage(t *testing.T) {
	if s := ChartLibrary(); strings.Contains(s, "</") || strings.Contains(s, "<!--") {
		t.Error("the script contains </ or <!--")
	}
}
