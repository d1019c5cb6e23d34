package show

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func names(items []legendItem) string {
	var out []string
	for _, it := range items {
		out = append(out, it.name)
	}
	return strings.Join(out, ", ")
}

// What all panels have stands under the whole, the rest under its panel; a chart has one
// legend with each name once.
func TestPanelsLegends(t *testing.T) {
	sin, cos := Curve{Name: "sin", F: math.Sin}, Curve{Name: "cos", F: math.Cos}
	line := Curve{Name: "line", F: func(x float64) float64 { return x / 5 }}
	a := toolkit.Must(Curves(CurvesOptions{}, sin, cos))
	b := toolkit.Must(Curves(CurvesOptions{}, sin, line))
	c := toolkit.Must(Curves(CurvesOptions{}, sin, line, cos))
	f := must(PanelsLegends(3, a, b, c))(t)
	if got := names(f.legend); got != "sin" {
		t.Errorf("under the whole stands %q, want sin", got)
	}
	for i, want := range []string{"cos", "line", "line, cos"} {
		if got := names(f.panels[i].legend); got != want {
			t.Errorf("under panel %d stands %q, want %q", i, got, want)
		}
	}
	// The legends take their room from the panels, and in the picture nothing else.
	height := func(f *Figure) float64 { return float64(f.record(600, 300).frames[0].Size().Y) }
	if printed, chart := height(f), height(must(Panels(3, a, b, c))(t)); printed != chart {
		t.Errorf("a chart leaves room for the legends of panels: its panels are %v high, %v without", printed, chart)
	}
	p := parse(t, must(Interactive(f))(t))
	var entries []string
	for _, e := range p.Option["legend"].(map[string]any)["data"].([]any) {
		entries = append(entries, e.(map[string]any)["name"].(string))
	}
	if got := strings.Join(entries, ", "); got != "sin, cos, line" {
		t.Errorf("the chart's legend is %q", got)
	}
	if n := len(p.named("cos")) + len(p.named("line")); n != 4 {
		t.Errorf("%d series have the names of panels' legends, want 4", n)
	}
	if _, err := PanelsLegends(1, nil); err == nil {
		t.Error("a nil figure passes")
	}
}

// The bars of a histogram mix where they overlap: each place has one colour, and the
// areas are those of the counts.
func TestBarsMix(t *testing.T) {
	d := &datasets.Dataset{X: mat.NewDense(6, 1, []float64{0, 0, 0, 0, 1, 1}), Labels: []int{0, 0, 0, 1, 1, 1}, FeatureNames: []string{"x"}, ClassNames: []string{"a", "b"}}
	f := must(Projections(d, ProjectionsOptions{Bins: 2}, Direction{Name: "w", W: []float64{1}}))(t)
	areas := map[color.NRGBA]float64{}
	for _, m := range f.record(400, 300).layers[0] {
		if a, ok := m.(areaLayer); ok {
			for _, r := range a.rings {
				areas[a.color] += (r[2].X - r[0].X) * (r[2].Y - r[0].Y)
			}
		}
	}
	// Of a there are 3 in the first bin, of b 1 there and 2 in the second; a bin is 1/2 wide.
	if len(areas) != 3 || areas[histogramTint(0)] != 1 || areas[histogramTint(1)] != 1 {
		t.Errorf("areas %v; want 1 of a alone, 1 of b alone, and 1/2 of both", areas)
	}
	for c, area := range areas {
		if c != histogramTint(0) && c != histogramTint(1) && area != 0.5 {
			t.Errorf("the overlap is %v", area)
		}
	}
}

func TestImagesOnOneScale(t *testing.T) {
	x := mat.NewDense(1, 4, []float64{-1, 0, 1, 2})
	f := must(Images(x, ImagesOptions{Limit: 4, Scale: "what it is"}))(t)
	if lo, hi := f.bar.ends(); lo != -4 || hi != 4 || f.bar.label != "what it is" {
		t.Errorf("the bar %q runs from %v to %v", f.bar.label, lo, hi)
	}
	for _, limit := range []float64{1.9, -1, math.NaN(), math.Inf(1)} {
		if _, err := Images(x, ImagesOptions{Limit: limit}); err == nil {
			t.Errorf("a limit of %v passes", limit)
		}
	}
}

func TestCurvesLooks(t *testing.T) {
	f := must(Curves(CurvesOptions{Looks: []Look{{}, {Color: ClassColor(3), Dash: 2}}}, Curve{Name: "f", F: math.Sin}, Curve{Name: "g", F: math.Cos}))(t)
	first, second := f.legend[0].thumbs[0].(lineLayer).style, f.legend[1].thumbs[0].(lineLayer).style
	if first.Color != lineStyle(0).Color || second.Color != ClassColor(3) || len(second.Dashes) != len(dash(2)) {
		t.Errorf("the lines are %v and %v", first, second)
	}
}

// A norm has two strokes; read aloud and in a chart it is one sign.
func TestNormBars(t *testing.T) {
	runs, width := typeset(`$\|\mathbf{w}\|$`, sans(10))
	_, single := typeset(`$|\mathbf{w}|$`, sans(10))
	if runs[0].ink() != "||" || !(width > single) {
		t.Errorf("drawn as %q, %v wide, |w| is %v", runs[0].ink(), width, single)
	}
	if plain(`$\|x\|$`) != "‖x‖" || unicodeText(`$\|x\|$`) != "‖x‖" {
		t.Error("read as something else")
	}
}
