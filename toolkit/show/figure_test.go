package show

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// smallFigure returns a figure with two panels, which show the regions and the posterior of a model.
func smallFigure(t *testing.T) *Figure {
	t.Helper()
	d := plane(2, []int{0, 0, 1, 1}, 0, 0, 1, 0.5, 0.2, 1, 2, 2)
	a := must(Regions(logit(1, 0.5, -1.5), d, RegionsOptions{Title: "regions", Mistakes: true}))(t)
	b := must(Posterior(logit(1, 0.5, -1.5), d, PosteriorOptions{Title: "posterior"}))(t)
	f := must(Panels(2, a, b))(t)
	return f
}

// TestGolden compares one small picture with a stored picture, so that nobody changes the style of
// the figures by mistake. The command "go test -run Golden -update" stores a new picture.
func TestGolden(t *testing.T) {
	b := must(smallFigure(t).SVG())(t)
	path := filepath.Join("testdata", "small.svg")
	if *update {
		if err := save(path, b); err != nil {
			t.Fatal(err)
		}
	}
	want := must(os.ReadFile(path))(t)
	if !bytes.Equal(b, want) {
		t.Error("the picture differs from testdata/small.svg; if the change is intended, run the test with -update")
	}
}

func TestPanels(t *testing.T) {
	f := smallFigure(t)
	if f.Len() != 2 || f.Panel(0).Title.Text != "regions" || f.Panel(2) != nil {
		t.Errorf("the figure has %d panels, the first has the title %q, and Panel(2) is nil: %v; want 2 panels, the title \"regions\" and true",
			f.Len(), f.Panel(0).Title.Text, f.Panel(2) == nil)
	}
	if !strings.Contains(f.Alt, "(a) Decision regions") || !strings.Contains(f.Alt, "(b) Posterior") {
		t.Errorf("Alt is %q, want the descriptions (a) and (b) of the two panels", f.Alt)
	}
	column(t, f, "a.boundary.x")
	column(t, f, "b.contour.x")
	seen := map[string]bool{}
	for _, it := range f.legend {
		if seen[it.name] {
			t.Errorf("the legend contains %q twice", it.name)
		}
		seen[it.name] = true
	}
	checkError(Panels(2))(t, "at least one")
	checkError(Panels(2, f, nil))(t, "figure 2 of 2 is nil")
	checkError(Panels(0, f))(t, "rows of 0")
	checkError(Panels(2, make([]*Figure, 27)...))(t, "27 figures")
}

// blankFigure returns a figure with one empty panel. The ranges of its axes are 0 to w and 0 to 1.
func blankFigure(t *testing.T, w float64) *Figure {
	p := NewPanel("$x$", "y")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, w, 0, 1
	return must(NewFigure(1, p))(t)
}

func TestAdditions(t *testing.T) {
	f, nan := blankFigure(t, 1), math.NaN()
	if err := errors.Join(
		f.AddLine(0, "line", []float64{0, nan, 2}, []float64{0, 1, 2}, Look{Dash: 2}),
		f.AddMarks(0, "marks", []float64{0, 1}, []float64{0, math.Inf(1)}, Look{Marker: 3}),
		f.AddText(0, "$a$", 0, 0, 1, 1, Look{}),
		f.AddArrow(0, "$\\mathbf{w}$", 0, 0, 0.5, 0.5, Look{}),
		f.AddArrow(0, "", 0.2, 0.2, 0.2, 0.2, Look{}), // of zero length
		f.AddSpan(0, "", 0, 1, 1, 0, Look{Dash: 1}),
		f.AddArea(0, "half", []float64{-5, 5, 5}, []float64{-5, -5, 5}, Look{Color: ClassColor(1)}), // partly outside
		f.AddArea(0, "", []float64{0, 1, 1}, []float64{0, 0, 1}, Look{Dash: 2}),
		f.AddArea(0, "", []float64{7, 8, 8}, []float64{7, 7, 8}, Look{}), // completely outside
		f.AddRightAngle(0, 0.5, 0.5, 1, 0, 0, 1, Look{}),
		f.AddRightAngle(0, 0.5, 0.5, 0, 0, 0, 1, Look{}), // nothing is drawn, because one direction is the zero vector
	); err != nil {
		t.Error(err)
	}
	must(f.SVG())(t)
	if x := column(t, f, "line.x"); len(x) != 3 || !math.IsNaN(x[1]) {
		t.Errorf("line.x is %v, want three numbers, the second of them NaN", x)
	}
	if x := column(t, f, "w.x"); len(x) != 2 || x[1] != 0.5 {
		t.Errorf("w.x is %v, want two numbers, the second of them 0.5", x)
	}
	if len(f.legend) != 4 {
		t.Errorf("the legend has %d entries, want 4 for the 4 names", len(f.legend))
	}
	wantError(t, f.AddLine(2, "", nil, nil, Look{}), "AddLine", "no panel 2", "0 to 0")
	wantError(t, f.AddMarks(0, "", []float64{1}, nil, Look{}), "1 values of x and 0 of y")
	wantError(t, f.AddArrow(3, "", 0, 0, 1, 1, Look{}), "AddArrow", "no panel 3")
	wantError(t, f.AddSpan(0, "", 0, 0, nan, 1, Look{}), "AddSpan", "point 1", "NaN")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1, 2}, Look{}), "2 corners")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1}, Look{}), "2 values of x")
	wantError(t, f.AddRightAngle(0, 0, 0, math.Inf(1), 0, 0, 1, Look{}), "AddRightAngle", "+Inf")
	checkError(NewFigure(1, f.Panel(0), nil))(t, "plot 2 of 2 is nil")
}

func TestDrawingErrors(t *testing.T) {
	for _, f := range []*Figure{nil, {}} {
		for _, format := range []string{"svg", "png", "pdf"} {
			checkError(f.Encode(format))(t, "figure is empty")
		}
	}
	for _, f := range []*Figure{{Width: 0, Height: 4}, {Width: 4, Height: -1}} {
		f.panels = smallFigure(t).panels
		checkError(f.Encode("png"))(t, "Width and Height")
	}
	// If gonum/plot panics, the result must be an error.
	g := blankFigure(t, 1)
	g.Panel(0).X.Scale, g.Panel(0).X.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	checkError(g.SVG())(t, "drawing failed", "log scale")
}

func TestSizes(t *testing.T) {
	f := smallFigure(t) // 8 inches wide
	for _, c := range []struct {
		size  Size
		width float64 // inches
	}{{Size{}, 8}, {Notebook, 8}, {Page, 5}, {Slide, 12.8}} {
		_, w, h := f.At(c.size).page()
		if math.Abs(w/72-c.width) > 1e-9 {
			t.Errorf("page %q: the figure is %v inches wide, want %v", c.size.Name, w/72, c.width)
		}
		if math.Abs(w/h-f.Width/f.Height) > 1e-9 {
			t.Errorf("page %q: the ratio of width and height is %v, want %v as in a notebook", c.size.Name, w/h, f.Width/f.Height)
		}
	}
	if s, err := SizeByName(""); err != nil || s != Notebook {
		t.Errorf("SizeByName(\"\") returns %v and the error %v, want Notebook and no error", s, err)
	}
	checkError(SizeByName("poster"))(t, `"poster"`, "notebook, page, slide")
}

func TestSave(t *testing.T) {
	f, dir := smallFigure(t), t.TempDir()
	for _, format := range Formats() {
		path := filepath.Join(dir, "f."+format)
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		want := must(f.Encode(format))(t)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the %s file is unreadable or differs from the result of Encode (error %v)", format, err)
		}
	}
	for _, format := range Formats() {
		checkError((*Figure)(nil).Encode(format))(t, "the figure is empty")
	}
	wantError(t, f.Save(filepath.Join(dir, "f")), "no extension", ".svg")
	wantError(t, f.Save(filepath.Join(dir, "f.bmp")), `"bmp"`, "svg, png")
	wantError(t, f.Save(filepath.Join(dir, "none", "f.svg")), "does not exist", "make it")
}

func TestData(t *testing.T) {
	var d Data
	d.add("a", []float64{1, 1.0 / 3, math.NaN()})
	d.add("b, c", []float64{math.Copysign(0, -1), math.Inf(1)})
	csv := must(d.csv())(t)
	if want := "a,\"b, c\"\n1,0\n0.333333333,+Inf\n,\n"; string(csv) != want {
		t.Errorf("CSV is %q, want %q", csv, want)
	}
	js := string(must(d.json())(t))
	if got := strings.Join(strings.Fields(js), ""); got != `{"columns":[{"name":"a","values":[1,0.333333333,null]},{"name":"b,c","values":[0,null]}]}` {
		t.Errorf("JSON is %s, want two columns with rounded numbers, and null for numbers that are not finite", js)
	}
	if _, ok := d.Column("z"); ok {
		t.Error("Column returns true for a column that does not exist, want false")
	}
	if js, err := (Data{}).json(); err != nil || !strings.Contains(string(js), "[]") {
		t.Errorf("the JSON of no columns is %s (error %v), want an empty list and no error", js, err)
	}
}

func TestRound9(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0.1 + 0.2, 0.3}, {1234567890.4, 1.23456789e9}, {-1e-300, -1e-300}, {math.Inf(-1), math.Inf(-1)},
		{math.MaxFloat64, 1.79769313e308},
	} {
		if got := round9(c.x); got != c.want {
			t.Errorf("round9(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	if math.Signbit(round9(math.Copysign(0, -1))) {
		t.Error("round9(−0) is −0, want 0")
	}
}

func TestEqualAxes(t *testing.T) {
	f := blankFigure(t, 4)
	large := f.At(Slide)
	if err := f.EqualAxes(0); err != nil {
		t.Fatal(err)
	}
	for _, room := range []vg.Point{{X: 100, Y: 100}, {X: 1000, Y: 30}} {
		frame := f.panels[0].frameSize(room)
		if math.Abs(float64(frame.X/frame.Y)-4) > 1e-9 || frame.X > room.X || frame.Y > room.Y ||
			(frame.X < room.X && frame.Y < room.Y) {
			t.Errorf("the frame in the space %v is %v, want the largest frame that fits and is 4 times as wide as high", room, frame)
		}
	}
	if large.panels[0].equal {
		t.Error("EqualAxes on a figure also changed its copy from At, want the copy unchanged")
	}
	g := must(Panels(1, f))(t)
	if !g.panels[0].equal {
		t.Error("Panels does not keep the equal axes of a figure")
	}
	f.Title = "titled" // Panels copies the panel to give it this title, and must keep the axes
	if g, err := Panels(1, f); err != nil || !g.panels[0].equal {
		t.Errorf("Panels does not keep the equal axes of a figure with a title (error %v)", err)
	}
	must(g.SVG())(t)
	wantError(t, f.EqualAxes(1), "no panel 1")
	f.Panel(0).X.Max = 100
	wantError(t, f.EqualAxes(0), "100 wide and 1 high")
}

func names(items []legendItem) string {
	var out []string
	for _, it := range items {
		out = append(out, it.name)
	}
	return strings.Join(out, ", ")
}

// TestNarrow checks that a figure for a phone has the width of a phone, and that its panels are
// stacked vertically. The frames must have about the same proportions as in the wide figure. The wide
// figure must not change. The function shrinkToFit must shrink a long title to the available width.
func TestNarrow(t *testing.T) {
	f := smallFigure(t)
	before := must(f.SVG())(t)
	g := f.Narrow()
	if _, w, _ := g.page(); g.cols != 1 || g.Len() != 2 || w != 72*narrowWidth {
		t.Errorf("the narrow figure has %d panels in rows of %d and is %v points wide, want 2 panels in rows of 1 and a width of 72·narrowWidth points", g.Len(), g.cols, w)
	}
	drawn := func(f *Figure) *record {
		_, w, h := f.page()
		inner := vg.Points(w) - 2*margin
		return f.recordOn(inner, vg.Points(h)-2*margin-f.legendHeight(inner)-7)
	}
	wide, narrow := drawn(f), drawn(g)
	for i, p := range narrow.frames {
		ratio := func(r vg.Rectangle) float64 { return float64(r.Size().Y / r.Size().X) }
		checkClose(t, "the ratio of height and width of a frame", ratio(p), ratio(wide.frames[i]), 0.2)
		if i > 0 && p.Max.Y >= narrow.frames[i-1].Min.Y {
			t.Errorf("the top of panel %d is at height %v, want it below the bottom of panel %d, which is at height %v",
				i, p.Max.Y, i-1, narrow.frames[i-1].Min.Y)
		}
	}
	if after := must(f.SVG())(t); !bytes.Equal(before, after) {
		t.Error("drawing the narrow figure changes the wide figure, want it unchanged")
	}
	f.Title = strings.Repeat("a long title ", 20)
	if sty := shrinkToFit(newPanel("", "").Title.TextStyle, f.Title, 200); sty.Width(f.Title) > 200.5 {
		t.Errorf("the fitted title is %v points wide, want at most 200", sty.Width(f.Title))
	}
}

// TestPanelsLegends checks that the legend entries that all figures share are under the whole
// figure, and that every other entry is under its panel. A chart must have a single legend, in
// which each name occurs once.
func TestPanelsLegends(t *testing.T) {
	sin, cos := Curve{Name: "sin", F: math.Sin}, Curve{Name: "cos", F: math.Cos}
	line := Curve{Name: "line", F: func(x float64) float64 { return x / 5 }}
	a := toolkit.Must(Curves(CurvesOptions{}, sin, cos))
	b := toolkit.Must(Curves(CurvesOptions{}, sin, line))
	c := toolkit.Must(Curves(CurvesOptions{}, sin, line, cos))
	f := must(PanelsLegends(3, a, b, c))(t)
	if got := names(f.legend); got != "sin" {
		t.Errorf("the legend under the whole figure is %q, want sin", got)
	}
	for i, want := range []string{"cos", "line", "line, cos"} {
		if got := names(f.panels[i].legend); got != want {
			t.Errorf("the legend under panel %d is %q, want %q", i, got, want)
		}
	}
	// The picture has space for the legends of panels. The chart must not have this space.
	height := func(f *Figure) float64 { return float64(f.recordOn(600, 300).frames[0].Size().Y) }
	if printed, chart := height(f), height(must(Panels(3, a, b, c))(t)); printed != chart {
		t.Errorf("the panels of a chart are %v points high with legends of panels, but %v points without, want equal heights",
			printed, chart)
	}
	p := parse(t, must(Interactive(f))(t))
	entries := ""
	for _, e := range p.Option.Legend.Data {
		entries += e.Name + " "
	}
	if entries != "sin cos line " {
		t.Errorf("the legend of the chart is %s, want sin cos line", entries)
	}
	if n := len(p.seriesNamed("cos")) + len(p.seriesNamed("line")); n != 4 {
		t.Errorf("%d series have the name cos or line, want 4", n)
	}
	if _, err := PanelsLegends(1, nil); err == nil {
		t.Error("PanelsLegends returns no error for a nil figure")
	}
}

func TestImagesOnOneScale(t *testing.T) {
	x := mat.NewDense(1, 4, []float64{-1, 0, 1, 2})
	f := must(Images(x, ImagesOptions{Limit: 4, Scale: "what it is"}))(t)
	if lo, hi := f.bar.ends(); lo != -4 || hi != 4 || f.bar.label != "what it is" {
		t.Errorf("the grey bar has the label %q and the range %v to %v, want the label 'what it is' and the range -4 to 4", f.bar.label, lo, hi)
	}
}

func TestCurvesLooks(t *testing.T) {
	f := must(Curves(CurvesOptions{Looks: []Look{{}, {Color: ClassColor(3), Dash: 2}}}, Curve{Name: "f", F: math.Sin},
		Curve{Name: "g", F: math.Cos}))(t)
	first, second := f.legend[0].thumbs[0].(lineLayer).style, f.legend[1].thumbs[0].(lineLayer).style
	if first.Color != lineStyle(0).Color || second.Color != ClassColor(3) || len(second.Dashes) != len(dash(2)) {
		t.Errorf("the line styles are %v and %v, want the default style and the given Look", first, second)
	}
}

// TestNormBars checks that a norm is drawn with two vertical bars on each side. In a chart, and in
// text that is read aloud, the two bars are a single character, which TestMath checks.
func TestNormBars(t *testing.T) {
	runs, width := typeset(`$\|\mathbf{w}\|$`, sans(10))
	_, single := typeset(`$|\mathbf{w}|$`, sans(10))
	if runs[0].drawnText() != "||" || !(width > single) {
		t.Errorf("the sign ‖ is drawn as %q, ‖w‖ is %v wide and |w| is %v wide; want two bars, and ‖w‖ wider than |w|", runs[0].drawnText(), width, single)
	}
}
