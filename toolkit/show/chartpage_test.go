package show

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// A chart brings its ground: dark letters on a dark page are not read.
func TestChartHasAGround(t *testing.T) {
	d, m := logistic(t)
	p := parse(t, must(Interactive(toolkit.Must(Regions(m, d, RegionsOptions{}))))(t))
	if got := p.Option["backgroundColor"]; got != "#ffffff" {
		t.Errorf("the ground is %v, want white, as the picture has", got)
	}
}

// Where the picture explains its colours with a bar, the chart does, in the plane and
// in space.
func TestChartHasTheColorBar(t *testing.T) {
	d, m := logistic(t)
	flat := toolkit.Must(Posterior(m, d, PosteriorOptions{}))
	raised := toolkit.Must(Surfaces(SurfacesOptions{Data: d, Z: [2]float64{0, 1}}, func() Sheet {
		s := PosteriorSheet(`$p(C_1|\mathbf{x})$`, m, 0)
		s.Colors = PosteriorColor
		return s
	}()))
	for name, f := range map[string]*Figure{"plane": flat, "surface": raised, "none": toolkit.Must(Regions(m, d, RegionsOptions{}))} {
		p := parse(t, must(Interactive(f))(t))
		items, _ := p.Option["graphic"].([]any)
		if name == "none" {
			if len(items) != 0 {
				t.Errorf("regions have %d shapes of a colour bar", len(items))
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
			t.Errorf("%s: the bar says %q with %d stops", name, got, stops)
		}
		// It stands under the panel and over the legend.
		if r := p.Option["grid"].([]any)[0].(map[string]any); name == "plane" {
			bar := items[0].(map[string]any)["style"].(map[string]any)["y"].(float64)
			var top, height float64
			if _, err := fmt.Sscan(fmt.Sprint(r["top"], " ", r["height"]), &top, &height); err != nil || bar < top+height+30 || bar > float64(p.Height)-40 {
				t.Errorf("the bar is at %g; the panel ends at %g, the chart at %d (%v)", bar, top+height, p.Height, err)
			}
		}
	}
}

// The legend shows all of its names at once, arrows as arrows and sheets in their
// colours.
func TestChartLegend(t *testing.T) {
	fig := blank(t, 1)
	for i := range 9 {
		if err := fig.AddLine(0, fmt.Sprintf("a line with a long name, number %d", i), []float64{0, 1}, []float64{0, 1}, Look{Color: LineColor(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(fig.AddArrow(0, "an arrow", 0, 0, 1, 1, Look{})); err != nil {
		t.Fatal(err)
	}
	p := parse(t, must(Interactive(fig))(t))
	legend := p.Option["legend"].(map[string]any)
	if legend["type"] == "scroll" {
		t.Error("the legend pages")
	}
	entries := map[string]map[string]any{}
	for _, e := range legend["data"].([]any) {
		entries[e.(map[string]any)["name"].(string)] = e.(map[string]any)
	}
	if icon, _ := entries["an arrow"]["icon"].(string); !strings.HasPrefix(icon, "path://") {
		t.Errorf("the arrow's icon is %q", icon)
	}
	var top, height float64
	r := p.Option["grid"].([]any)[0].(map[string]any)
	if _, err := fmt.Sscan(fmt.Sprint(r["top"], " ", r["height"]), &top, &height); err != nil || float64(p.Height)-top-height < 40+4*20 {
		t.Errorf("%d pixels of the chart for the legend of ten long names lie below the panel (%v)", p.Height-int(top+height), err)
	}

	sheets := toolkit.Must(Surfaces(SurfacesOptions{Cells: 4}, Sheet{Name: "low", Z: func(a, b float64) float64 { return a + b }}, Sheet{Name: "high", Z: func(a, b float64) float64 { return 9 }}))
	p = parse(t, must(Interactive(sheets))(t))
	for i, e := range p.Option["legend"].(map[string]any)["data"].([]any) {
		entry := e.(map[string]any)
		style, _ := entry["itemStyle"].(map[string]any)
		if entry["icon"] != "roundRect" || style["color"] != hex(ClassColor(i)) {
			t.Errorf("the sheet's entry is %v", entry)
		}
	}
}

// The page of a chart has a heading, says what can be done, and leads back.
func TestChartPage(t *testing.T) {
	d, m := logistic(t)
	c := must(Interactive(toolkit.Must(Regions(m, d, RegionsOptions{Title: "the first title"}))))(t)
	page := string(must(c.Page(ChartPage{Title: "Figure 1: lines & regions", Caption: "Look <here>.", Back: "index.html#fig-1", BackName: "All figures"}))(t))
	for _, want := range []string{
		"<title>Figure 1: lines &amp; regions</title>", "<h1>Figure 1: lines &amp; regions</h1>", "Look &lt;here&gt;.",
		`<a href="index.html#fig-1">All figures</a>`, `<meta name="viewport" content="width=device-width, initial-scale=1">`,
		"Shift and the wheel", "the legend",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "can be turned") {
		t.Error("the page says of a plane that it turns")
	}
	if plain := must(c.HTML())(t); !bytes.Contains(plain, []byte("<h1>the first title</h1>")) || bytes.Contains(plain, []byte("<a href")) {
		t.Error("the page without texts takes its heading from the figure, and links to nothing")
	}
	solid := must(Interactive(toolkit.Must(Surfaces(SurfacesOptions{Cells: 4}, Sheet{Name: "s", Z: func(a, b float64) float64 { return a }}))))(t)
	if page := string(must(solid.HTML())(t)); !strings.Contains(page, "can be turned") {
		t.Error("the page does not say that surfaces turn")
	}
	moves := must(Sliders(func(at []int) (*Figure, error) { return Regions(m, d, RegionsOptions{}) }, Slider{Name: "n", Labels: []string{"1", "2"}}))(t)
	if page := string(must(moves.HTML())(t)); !strings.Contains(page, "slider") || strings.Contains(string(must(c.HTML())(t)), "The slider") {
		t.Error("sliders are spoken of where there are some")
	}
}
