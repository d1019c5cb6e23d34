package show

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
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

func TestEqualFiguresAreEqualFiles(t *testing.T) {
	a, b := small(t), small(t)
	for _, size := range Sizes() {
		for _, format := range Formats() {
			x := must(a.At(size).Encode(format))(t)
			y := must(b.At(size).Encode(format))(t)
			if !bytes.Equal(x, y) {
				t.Errorf("%s %s: two renderings differ", size.Name, format)
			}
			again := must(a.At(size).Encode(format))(t)
			if !bytes.Equal(x, again) {
				t.Errorf("%s %s: drawing the figure changed it", size.Name, format)
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

func TestNewFigure(t *testing.T) {
	p := NewPanel("$x$", "y")
	f := must(NewFigure(3, p, p))(t)
	nan := math.NaN()
	for i, add := range []func() error{
		func() error { return f.AddLine(0, "line", []float64{0, nan, 2}, []float64{0, 1, 2}, Look{Dash: 2}) },
		func() error {
			return f.AddMarks(1, "marks", []float64{0, 1}, []float64{0, math.Inf(1)}, Look{Marker: 3})
		},
		func() error { return f.AddText(1, "$a$", 0, 0, 1, 1, Look{}) },
	} {
		if err := add(); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	renders(t, f)
	if x := column(t, f, "line.x"); len(x) != 3 || !math.IsNaN(x[1]) {
		t.Errorf("line.x is %v", x)
	}
	wantError(t, f.AddLine(2, "", nil, nil, Look{}), "no panel 2", "0 to 1")
	wantError(t, f.AddMarks(0, "", []float64{1}, nil, Look{}), "1 values of x and 0 of y")
	refused(NewFigure(1, p, nil))(t, "plot 2 of 2 is nil")
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
	p := NewPanel("", "")
	p.X.Min, p.X.Max = -1, 1
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	g := must(NewFigure(1, p))(t)
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
	entries := must(os.ReadDir(dir))(t)
	if len(entries) != len(Formats()) {
		t.Errorf("%d files in the folder, want %d: a temporary file is left", len(entries), len(Formats()))
	}
	wantError(t, f.Save(filepath.Join(dir, "f")), "no ending", ".svg")
	wantError(t, f.Save(filepath.Join(dir, "f.bmp")), `"bmp"`, "svg, png")
	wantError(t, f.Save(filepath.Join(dir, "none", "f.svg")), "does not exist", "make it")
	wantError(t, f.Save(filepath.Join(dir, "f.svg", "g.svg")), "not a folder")
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
	// A folder in the place of the file: the rename fails, the temporary file goes.
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "g.csv"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantError(t, small(t).Save(filepath.Join(dir, "g.csv")), "cannot write")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d entries left in the folder (%v), want 1", len(entries), err)
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
