package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// small is a figure with a little of everything.
func small(t *testing.T) *Figure {
	t.Helper()
	d := plane(2, []int{0, 0, 1, 1}, 0, 0, 1, 0.5, 0.2, 1, 2, 2)
	a := must(Regions(logit(1, 0.5, -1.5), d, RegionsOptions{Title: "regions", Mistakes: true}))(t)
	b := must(Posterior(logit(1, 0.5, -1.5), d, PosteriorOptions{Title: "posterior"}))(t)
	f := must(Panels(2, a, b))(t)
	return f
}

// Drawing a figure does not change it, whatever the page.
func TestEqualFiguresAreEqualFiles(t *testing.T) {
	a := small(t)
	for _, size := range Sizes() {
		for _, format := range Formats() {
			want := must(small(t).At(size).Encode(format))(t)
			for range 2 {
				if got := must(a.At(size).Encode(format))(t); !bytes.Equal(got, want) {
					t.Errorf("%s %s: two renderings differ", size.Name, format)
				}
			}
		}
	}
}

// TestGolden compares one small picture with the committed one, so that a change
// of the house style is seen and meant. go test -run Golden -update rewrites it.
func TestGolden(t *testing.T) {
	b := must(small(t).SVG())(t)
	path := filepath.Join("testdata", "small.svg")
	if *update {
		if err := save(path, b); err != nil {
			t.Fatal(err)
		}
	}
	want := must(os.ReadFile(path))(t)
	if !bytes.Equal(b, want) {
		t.Error("the picture differs from testdata/small.svg; look at it and run with -update if that is meant")
	}
}

func TestPanels(t *testing.T) {
	f := small(t)
	if f.Len() != 2 || f.Panel(0).Title.Text != "regions" || f.Panel(2) != nil {
		t.Errorf("%d panels, the first %q", f.Len(), f.Panel(0).Title.Text)
	}
	if !strings.Contains(f.Alt, "(a) Decision regions") || !strings.Contains(f.Alt, "(b) Posterior") {
		t.Errorf("Alt is %q", f.Alt)
	}
	column(t, f, "a.boundary.x")
	column(t, f, "b.contour.x")
	seen := map[string]bool{}
	for _, it := range f.legend {
		if seen[it.name] {
			t.Errorf("%q is twice in the legend", it.name)
		}
		seen[it.name] = true
	}
	refused(Panels(2))(t, "at least one")
	refused(Panels(2, f, nil))(t, "figure 2 of 2 is nil")
	refused(Panels(0, f))(t, "rows of 0")
	refused(Panels(2, make([]*Figure, 27)...))(t, "27 figures")
}

// blank is a figure of one panel, w wide and 1 high.
func blank(t *testing.T, w float64) *Figure {
	p := NewPanel("$x$", "y")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, w, 0, 1
	return must(NewFigure(1, p))(t)
}

func TestAdditions(t *testing.T) {
	f, nan := blank(t, 1), math.NaN()
	if err := errors.Join(
		f.AddLine(0, "line", []float64{0, nan, 2}, []float64{0, 1, 2}, Look{Dash: 2}),
		f.AddMarks(0, "marks", []float64{0, 1}, []float64{0, math.Inf(1)}, Look{Marker: 3}),
		f.AddText(0, "$a$", 0, 0, 1, 1, Look{}),
		f.AddArrow(0, "$\\mathbf{w}$", 0, 0, 0.5, 0.5, Look{}),
		f.AddArrow(0, "", 0.2, 0.2, 0.2, 0.2, Look{}), // of no length
		f.AddSpan(0, "", 0, 1, 1, 0, Look{Dash: 1}),
		f.AddArea(0, "half", []float64{-5, 5, 5}, []float64{-5, -5, 5}, Look{Color: ClassColor(1)}), // sticks out
		f.AddArea(0, "", []float64{0, 1, 1}, []float64{0, 0, 1}, Look{Dash: 2}),
		f.AddArea(0, "", []float64{7, 8, 8}, []float64{7, 7, 8}, Look{}), // all outside
		f.AddRightAngle(0, 0.5, 0.5, 1, 0, 0, 1, Look{}),
		f.AddRightAngle(0, 0.5, 0.5, 0, 0, 0, 1, Look{}), // no direction: nothing is drawn
	); err != nil {
		t.Error(err)
	}
	must(f.SVG())(t)
	if x := column(t, f, "line.x"); len(x) != 3 || !math.IsNaN(x[1]) {
		t.Errorf("line.x is %v", x)
	}
	if x := column(t, f, "w.x"); len(x) != 2 || x[1] != 0.5 {
		t.Errorf("w.x is %v", x)
	}
	if len(f.legend) != 4 {
		t.Errorf("%d entries in the legend, want one for each name", len(f.legend))
	}
	wantError(t, f.AddLine(2, "", nil, nil, Look{}), "AddLine", "no panel 2", "0 to 0")
	wantError(t, f.AddMarks(0, "", []float64{1}, nil, Look{}), "1 values of x and 0 of y")
	wantError(t, f.AddArrow(3, "", 0, 0, 1, 1, Look{}), "AddArrow", "no panel 3")
	wantError(t, f.AddSpan(0, "", 0, 0, nan, 1, Look{}), "AddSpan", "point 1", "NaN")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1, 2}, Look{}), "2 corners")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1}, Look{}), "2 values of x")
	wantError(t, f.AddRightAngle(0, 0, 0, math.Inf(1), 0, 0, 1, Look{}), "AddRightAngle", "+Inf")
	refused(NewFigure(1, f.Panel(0), nil))(t, "plot 2 of 2 is nil")
}

func TestDrawingErrors(t *testing.T) {
	for _, f := range []*Figure{nil, {}} {
		for _, format := range []string{"svg", "png", "pdf"} {
			refused(f.Encode(format))(t, "figure is empty")
		}
	}
	f := small(t)
	f.Width = 0
	refused(f.PNG())(t, "0 × ", "Width")
	// What gonum/plot panics about is an error here.
	g := blank(t, 1)
	g.Panel(0).X.Scale, g.Panel(0).X.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	refused(g.SVG())(t, "drawing failed", "log scale")
}

func TestSizes(t *testing.T) {
	f := small(t) // 8 inches wide
	for _, c := range []struct {
		size  Size
		width float64 // inches
	}{{Size{}, 8}, {Notebook, 8}, {Page, 5}, {Slide, 12.8}} {
		_, w, h := f.At(c.size).page()
		if math.Abs(w/72-c.width) > 1e-9 {
			t.Errorf("%q: %v inches wide, want %v", c.size.Name, w/72, c.width)
		}
		if math.Abs(w/h-f.Width/f.Height) > 1e-9 {
			t.Errorf("%q: the shape changes", c.size.Name)
		}
	}
	if s, err := SizeByName(""); err != nil || s != Notebook {
		t.Errorf("SizeByName of nothing is %v, %v", s, err)
	}
	refused(SizeByName("poster"))(t, `"poster"`, "notebook, page, slide")
}

func TestSave(t *testing.T) {
	f, dir := small(t), t.TempDir()
	for _, format := range Formats() {
		path := filepath.Join(dir, "f."+format)
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		want := must(f.Encode(format))(t)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the file differs from Encode (%v)", format, err)
		}
	}
	wantError(t, f.Save(filepath.Join(dir, "f")), "no ending", ".svg")
	wantError(t, f.Save(filepath.Join(dir, "f.bmp")), `"bmp"`, "svg, png")
	wantError(t, f.Save(filepath.Join(dir, "none", "f.svg")), "does not exist", "make it")
}

func TestFailedSaveLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.svg")
	if err := small(t).Save(path); err != nil {
		t.Fatal(err)
	}
	before := must(os.ReadFile(path))(t)
	bad := small(t)
	bad.Height = -1
	wantError(t, bad.Save(path), "Height")
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the old file changed (%v)", err)
	}
}

func TestData(t *testing.T) {
	var d Data
	d.add("a", []float64{1, 1.0 / 3, math.NaN()})
	d.add("b, c", []float64{math.Copysign(0, -1), math.Inf(1)})
	csv := must(d.CSV())(t)
	if want := "a,\"b, c\"\n1,0\n0.333333333,+Inf\n,\n"; string(csv) != want {
		t.Errorf("CSV is %q, want %q", csv, want)
	}
	js := must(d.JSON())(t)
	var got struct {
		Columns []struct {
			Name   string
			Values []*float64
		}
	}
	if err := json.Unmarshal(js, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Columns) != 2 || *got.Columns[0].Values[1] != 0.333333333 || got.Columns[0].Values[2] != nil || got.Columns[1].Values[1] != nil {
		t.Errorf("JSON is %s", js)
	}
	if _, ok := d.Column("z"); ok {
		t.Error("found a column that is not there")
	}
	if js, err := (Data{}).JSON(); err != nil || !strings.Contains(string(js), "[]") {
		t.Errorf("no columns: %s, %v", js, err)
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
		t.Error("−0 stays negative")
	}
}

func TestEqualAxes(t *testing.T) {
	f := blank(t, 4)
	large := f.At(Slide)
	if err := f.EqualAxes(0); err != nil {
		t.Fatal(err)
	}
	for _, room := range []vg.Point{{X: 100, Y: 100}, {X: 1000, Y: 30}} {
		frame := f.panels[0].within(room)
		if math.Abs(float64(frame.X/frame.Y)-4) > 1e-9 || frame.X > room.X || frame.Y > room.Y || (frame.X < room.X && frame.Y < room.Y) {
			t.Errorf("the frame in %v is %v", room, frame)
		}
	}
	if large.panels[0].equal {
		t.Error("a figure of another size changed with this one")
	}
	g := must(Panels(1, f))(t)
	if !g.panels[0].equal {
		t.Error("Panels forgets equal axes")
	}
	f.Title = "titled" // the panel is copied then
	if g, err := Panels(1, f); err != nil || !g.panels[0].equal {
		t.Errorf("Panels forgets equal axes of a titled figure (%v)", err)
	}
	must(g.SVG())(t)
	wantError(t, f.EqualAxes(1), "no panel 1")
	f.Panel(0).X.Max = 100
	wantError(t, f.EqualAxes(0), "100 wide and 1 high")
}
