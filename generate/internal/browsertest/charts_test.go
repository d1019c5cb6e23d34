package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// place waits for the first chart of the page.
const place = `
var place = document.querySelector(".hyperplane-chart");
await until(function () { return place.hyperplaneChart; });
var chart = place.hyperplaneChart;
`

func threeClasses(t *testing.T) (*datasets.Dataset, *classify.Softmax) {
	t.Helper()
	d := must.Get(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	m := must.Get(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	return d, m
}

func page(t *testing.T, c *show.Chart, err error) []byte {
	t.Helper()
	must.Do(t, err)
	return must.Get(c.HTML())(t)
}

// Every interactive figure loads without an error, in place of its picture.
func TestFigures(t *testing.T) {
	for _, e := range figures.All() {
		if e.Chart == nil {
			continue
		}
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			c, err := e.Chart()
			seen := Open(t, page(t, c, err), place+`
var sliders = Array.from(place.querySelectorAll(".hyperplane-slider input"));
sliders.forEach(function (s) { s.value = s.max; s.dispatchEvent(new Event("input")); });
return { pictures: place.querySelectorAll("img").length, canvas: place.querySelectorAll("canvas").length, series: chart.getOption().series.length };`)
			var got struct{ Pictures, Canvas, Series int }
			seen.Read(t, &got)
			if len(seen.Errors) > 0 || got.Pictures != 0 || got.Canvas == 0 || got.Series == 0 {
				t.Errorf("%+v, errors %q", got, seen.Errors)
			}
		})
	}
}

// Under the pointer stands the posterior of the model, and beside a point too;
// names in the legend take their points away.
func TestPointer(t *testing.T) {
	d, m := threeClasses(t)
	f := must.Get(show.Posterior(m, d, show.PosteriorOptions{}))(t)
	c, err := show.Interactive(f)
	seen := Open(t, page(t, c, err), place+`
function move(x, y) {
  var canvas = place.querySelector("canvas"), r = canvas.getBoundingClientRect(), p = chart.convertToPixel({ gridIndex: 0 }, [x, y]);
  canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + p[0], clientY: r.top + p[1], bubbles: true }));
}
move(3, 1);
await sleep(100);
var readout = place.querySelector(".hyperplane-readout").textContent;
move(5.5, 2);
await sleep(100);
var far = place.querySelector(".hyperplane-readout").textContent;
var first = chart.getOption().series.findIndex(function (s) { return s.name === "setosa"; });
chart.dispatchAction({ type: "showTip", seriesIndex: first, dataIndex: 0 });
await sleep(300);
var tip = place.textContent;
chart.dispatchAction({ type: "legendToggleSelect", name: "setosa" });
return { readout: readout, far: far, tip: tip, selected: chart.getOption().legend[0].selected.setosa };`)
	var got struct {
		Readout, Far, Tip string
		Selected          bool
	}
	seen.Read(t, &got)
	p := must.Get(m.Posterior(mat.NewDense(1, 2, []float64{3, 1})))(t)
	for k, name := range d.ClassNames {
		var shown float64
		_, rest, _ := strings.Cut(got.Readout, "p("+name+"|x) ")
		if _, err := fmt.Sscan(strings.TrimLeft(rest, "<>= "), &shown); err != nil || math.Abs(shown-p.At(0, k)) > 0.003 {
			t.Errorf("the pointer shows %q for %s, whose posterior is %.4f", got.Readout, name, p.At(0, k))
		}
	}
	if !strings.Contains(got.Far, "p(setosa|x) < 0.001") {
		t.Errorf("the pointer shows %q, want setosa's to be less than a thousandth", got.Far)
	}
	row := must.Get(m.Posterior(d.X.Slice(0, 1, 0, 2)))(t)
	if want := fmt.Sprintf("p(setosa|x) = %.4g", row.At(0, 0)); !strings.Contains(got.Tip, want) {
		t.Errorf("the point says %q, want %q in it", got.Tip, want)
	}
	if got.Selected || len(seen.Errors) > 0 {
		t.Errorf("setosa is still shown: %v; errors %q", got.Selected, seen.Errors)
	}
}

// Where a panel shows several models, each tells its own posterior.
func TestPointerOfTwoModels(t *testing.T) {
	d, m := threeClasses(t)
	flat := show.PosteriorFunc(func([]float64) []float64 { return []float64{0.5, 0.25, 0.25} })
	f := must.Get(show.Boundaries(d, show.BoundariesOptions{}, show.Named{Name: "softmax", Model: m}, show.Named{Name: "undecided", Model: flat}))(t)
	c, err := show.Interactive(f)
	seen := Open(t, page(t, c, err), place+`
var canvas = place.querySelector("canvas"), r = canvas.getBoundingClientRect(), p = chart.convertToPixel({ gridIndex: 0 }, [3, 1]);
canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + p[0], clientY: r.top + p[1], bubbles: true }));
await sleep(100);
return place.querySelector(".hyperplane-readout").textContent;`)
	var got string
	seen.Read(t, &got)
	lines := strings.Split(got, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "softmax") || !strings.HasPrefix(lines[1], "undecided") || !strings.Contains(lines[1], "p(setosa|x) = 0.500") {
		t.Errorf("the pointer shows %q, errors %q", got, seen.Errors)
	}
}

// A slider shows the figure of its position; the buttons step.
func TestSlider(t *testing.T) {
	c, err := show.Sliders(func(at []int) (*show.Figure, error) {
		return show.Curves(show.CurvesOptions{Title: fmt.Sprintf("slope %d", at[0])},
			show.Curve{Name: "line", F: func(x float64) float64 { return float64(at[0]) * x }})
	}, show.Slider{Name: "slope", Labels: []string{"zero", "one", "two"}, Start: 1, Play: true})
	seen := Open(t, page(t, c, err), place+`
function state() { var o = chart.getOption(); var data = o.series[o.series.length - 1].data; return [o.title[0].text, data[data.length - 1][1] / data[data.length - 1][0], place.querySelector(".hyperplane-slider").textContent]; }
var input = place.querySelector(".hyperplane-slider input"), out = [state()];
input.value = 2; input.dispatchEvent(new Event("input")); out.push(state());
place.querySelector("button[title='back to the start']").click(); out.push(state());
place.querySelector("button[title='one step on']").click(); out.push(state());
place.querySelector("button[title='play or pause']").click(); await sleep(3000); out.push(state());
return out;`)
	var got [][]any
	seen.Read(t, &got)
	for i, want := range []int{1, 2, 0, 1, 2} {
		if len(got) <= i || got[i][0] != fmt.Sprintf("slope %d", want) || math.Abs(got[i][1].(float64)-float64(want)) > 1e-4 ||
			!strings.HasSuffix(got[i][2].(string), []string{"zero", "one", "two"}[want]) {
			t.Errorf("after action %d: %v, want slope %d", i, got, want)
			break
		}
	}
	if len(seen.Errors) > 0 {
		t.Errorf("errors %q", seen.Errors)
	}
}

// Without the library the picture stays, with a word where the chart is to be had.
func TestWithoutLibrary(t *testing.T) {
	c := small(t, "a")
	seen := Open(t, []byte("<html><body>"+must.Get(c.Snippet())(t)+"</body></html>"), `
await sleep(8000);
var place = document.querySelector(".hyperplane-chart");
return { pictures: place.querySelectorAll("img").length, text: place.textContent };`)
	var got struct {
		Pictures int
		Text     string
	}
	seen.Read(t, &got)
	if got.Pictures != 1 || !strings.Contains(got.Text, "show.LoadCharts()") || len(seen.Errors) > 0 {
		t.Errorf("%+v, errors %q", got, seen.Errors)
	}
}

// That charts answer to the mouse is said where they do: without the script the place
// of the sentence stays empty, run once or twice it is filled.
func TestSaysThatChartsAnswer(t *testing.T) {
	const sentence = `<small class="hyperplane-charts-live"></small>`
	whole := page(t, small(t, "a"), nil)
	library := string(whole[strings.LastIndex(string(whole), "<script>"):])
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	for name, c := range map[string]struct{ page, want string }{
		"no script": {sentence, ""},
		"one":       {sentence + library, "Charts on this page answer to the mouse."},
		"again":     {sentence + library + `<script>document.querySelector("small").textContent = "";</script>` + library, "Charts on this page answer to the mouse."},
	} {
		seen := Open(t, []byte("<html><body>"+c.page+"</body></html>"), `await sleep(3000); return document.querySelector("small").textContent;`)
		var got string
		seen.Read(t, &got)
		if got != c.want {
			t.Errorf("%s: the page says %q, want %q", name, got, c.want)
		}
	}
}

// The axes in space give their letters the height without which they are cut off.
func TestLettersInSpaceAreWhole(t *testing.T) {
	c, err := figures.PRML4x10Chart(figures.PRML4x10Options{})
	seen := Open(t, page(t, c, err), place+`
var styles = [];
["xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (a) {
  var axis = chart.getModel().getComponent(a);
  [axis.getModel("axisLabel"), axis.getModel("nameTextStyle")].forEach(function (m) { styles.push(m.get("lineHeight") / m.get("fontSize")); });
});
return styles;`)
	var got []float64
	seen.Read(t, &got)
	for _, ratio := range got {
		if !(ratio >= 1.5) {
			t.Errorf("lines are %g times as high as the letters; want 1.5 or more", ratio)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d styles, want 6; errors %q", len(got), seen.Errors)
	}
}

// Names are data: none ends the script or becomes an element. The library hides from
// a module loader, and comes twice without harm, before or after the chart.
func TestHostilePage(t *testing.T) {
	c := small(t, `</script><b id="broken">&amp; "x"`)
	text, whole := must.Get(c.Snippet())(t), page(t, c, nil)
	library := string(whole[strings.LastIndex(string(whole), "<script>"):])
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	seen := Open(t, []byte("<html><body><script>function define() { define.called = true; } define.amd = {};</script>"+text+library+text+library+"</body></html>"), place+`
await until(function () { return document.querySelectorAll(".hyperplane-chart canvas").length >= 2; });
chart.dispatchAction({ type: "showTip", seriesIndex: chart.getOption().series.findIndex(function (s) { return s.type === "scatter"; }), dataIndex: 0 });
await sleep(300);
return { broken: document.querySelectorAll("#broken").length, defined: !!define.called, legend: chart.getOption().legend[0].data[0].name };`)
	var got struct {
		Broken  int
		Defined bool
		Legend  string
	}
	seen.Read(t, &got)
	if got.Broken != 0 || got.Defined || !strings.Contains(got.Legend, `</script><b id="broken">&amp; "x"`) || len(seen.Errors) > 0 {
		t.Errorf("%+v, errors %q", got, seen.Errors)
	}
}

// The gate sees what it is there to see: an error on the page.
func TestSeesErrors(t *testing.T) {
	seen := Open(t, []byte("<html><head></head><body><script>undefinedFunction();</script></body></html>"), "return 1;")
	if len(seen.Errors) != 1 || !strings.Contains(seen.Errors[0], "undefinedFunction") {
		t.Errorf("errors %q", seen.Errors)
	}
}

func small(t *testing.T, class string) *show.Chart {
	t.Helper()
	d := &datasets.Dataset{X: mat.NewDense(3, 2, []float64{0, 0, 1, 1, 0, 1}), Labels: []int{0, 1, 1},
		FeatureNames: []string{"a", "b"}, ClassNames: []string{class, "other"}}
	f := must.Get(show.Regions(show.PredictFunc(func(x []float64) int {
		if x[0] > 0.5 {
			return 1
		}
		return 0
	}), d, show.RegionsOptions{}))(t)
	return must.Get(show.Interactive(f))(t)
}
