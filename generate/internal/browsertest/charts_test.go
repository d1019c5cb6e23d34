package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// chart opens a page and waits for its first chart, which scripts then call place and
// chart.
func chart(t *testing.T, page []byte) *Page {
	t.Helper()
	p := OpenHTML(t, page)
	p.Until(`document.querySelector(".hyperplane-chart").hyperplaneChart`)
	Get[bool](p, `globalThis.place = document.querySelector(".hyperplane-chart"), globalThis.chart = place.hyperplaneChart, true`)
	return p
}

// at returns where a point of the first panel is in the window.
func at(p *Page, x, y float64) Point {
	p.Center(".hyperplane-chart canvas")
	return Get[Point](p, fmt.Sprintf(`(() => {
		const r = place.querySelector("canvas").getBoundingClientRect(), q = chart.convertToPixel({ gridIndex: 0 }, [%g, %g]);
		return { X: r.left + q[0], Y: r.top + q[1] };
	})()`, x, y))
}

// clean fails the test for what the page complains of.
func clean(t *testing.T, p *Page) {
	t.Helper()
	for _, e := range p.Errors() {
		t.Errorf("error of the page: %s", e)
	}
}

func threeClasses(t *testing.T) (*datasets.Dataset, *classify.Softmax) {
	t.Helper()
	d := must.Get(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	m := must.Get(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	return d, m
}

func whole(t *testing.T, c *show.Chart, err error) []byte {
	t.Helper()
	must.Do(t, err)
	return must.Get(c.HTML())(t)
}

// Every interactive figure loads without an error, in place of its picture, and
// lives through every end of its sliders.
func TestFigures(t *testing.T) {
	for _, e := range figures.All() {
		if e.Chart == nil {
			continue
		}
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			c, err := e.Chart()
			p := chart(t, whole(t, c, err))
			got := Get[struct{ Pictures, Canvas, Series int }](p, `(() => {
				for (const s of place.querySelectorAll(".hyperplane-slider input")) { s.value = s.max; s.dispatchEvent(new Event("input")); }
				return { Pictures: place.querySelectorAll("img").length, Canvas: place.querySelectorAll("canvas").length, Series: chart.getOption().series.length };
			})()`)
			if got.Pictures != 0 || got.Canvas == 0 || got.Series == 0 {
				t.Errorf("%+v", got)
			}
			for _, fault := range p.BlankChart(".hyperplane-chart") {
				t.Error(fault)
			}
			clean(t, p)
		})
	}
}

// Under the pointer stands the posterior of the model, and beside a point too;
// names in the legend take their points away.
func TestPointer(t *testing.T) {
	d, m := threeClasses(t)
	f := must.Get(show.Posterior(m, d, show.PosteriorOptions{}))(t)
	c, err := show.Interactive(f)
	p := chart(t, whole(t, c, err))
	p.Hover(at(p, 3, 1))
	const readout = `place.querySelector(".hyperplane-readout").textContent`
	p.Until(readout)
	text := Get[string](p, readout)
	post := must.Get(m.Posterior(mat.NewDense(1, 2, []float64{3, 1})))(t)
	for k, name := range d.ClassNames {
		var shown float64
		_, rest, _ := strings.Cut(text, "p("+name+"|x)")
		if _, err := fmt.Sscan(strings.TrimLeft(rest, " =<>"), &shown); err != nil || math.Abs(shown-post.At(0, k)) > 0.003 {
			t.Errorf("the pointer shows %q for %s, whose posterior is %.4f", text, name, post.At(0, k))
		}
	}
	p.Hover(at(p, d.X.At(0, 0), d.X.At(0, 1)))
	row := must.Get(m.Posterior(d.X.Slice(0, 1, 0, 2)))(t)
	p.Until(fmt.Sprintf(`place.textContent.includes("p(setosa|x) = %.4g")`, row.At(0, 0)))
	Get[bool](p, `chart.dispatchAction({ type: "legendToggleSelect", name: "setosa" }), true`)
	if Get[bool](p, `chart.getOption().legend[0].selected.setosa`) {
		t.Error("setosa is still shown")
	}
	clean(t, p)
}

// Where a panel shows several models, each tells its own posterior.
func TestPointerOfTwoModels(t *testing.T) {
	d, m := threeClasses(t)
	flat := show.PosteriorFunc(func([]float64) []float64 { return []float64{0.5, 0.25, 0.25} })
	f := must.Get(show.Boundaries(d, show.BoundariesOptions{}, show.Named{Name: "softmax", Model: m}, show.Named{Name: "undecided", Model: flat}))(t)
	c, err := show.Interactive(f)
	p := chart(t, whole(t, c, err))
	p.Hover(at(p, 3, 1))
	const readout = `place.querySelector(".hyperplane-readout").textContent`
	p.Until(readout)
	got := Get[string](p, readout)
	lines := strings.Split(got, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "softmax") || !strings.HasPrefix(lines[1], "undecided") || !strings.Contains(lines[1], "p(setosa|x) = 0.500") {
		t.Errorf("the pointer shows %q", got)
	}
	clean(t, p)
}

// A slider shows the figure of its position; the buttons step and play.
func TestSlider(t *testing.T) {
	c, err := show.Sliders(func(at []int) (*show.Figure, error) {
		return show.Curves(show.CurvesOptions{Title: fmt.Sprintf("slope %d", at[0])},
			show.Curve{Name: "line", F: func(x float64) float64 { return float64(at[0]) * x }})
	}, show.Slider{Name: "slope", Labels: []string{"zero", "one", "two"}, Start: 1, Play: true})
	p := chart(t, whole(t, c, err))
	button := func(title string) { p.Click(p.Center("button[title='" + title + "']")) }
	shows := func(label string, slope int) {
		t.Helper()
		p.Until(fmt.Sprintf(`place.querySelector(".hyperplane-slider").textContent.endsWith(%q)`, label))
		got := Get[struct {
			Title string
			Slope float64
		}](p, `(() => {
			const o = chart.getOption(), data = o.series[o.series.length - 1].data, [x, y] = data[data.length - 1];
			return { Title: o.title[0].text, Slope: y / x };
		})()`)
		if got.Title != fmt.Sprintf("slope %d", slope) || math.Abs(got.Slope-float64(slope)) > 1e-4 {
			t.Errorf("at %q the chart is %+v", label, got)
		}
	}
	shows("one", 1)
	Get[bool](p, `place.querySelector(".hyperplane-slider input").focus(), true`)
	p.Key(kb.ArrowRight)
	shows("two", 2)
	button("back to the start")
	shows("zero", 0)
	button("one step on")
	shows("one", 1)
	button("play or pause")
	shows("two", 2)
	clean(t, p)
}

// Without the library the picture stays, with a word where the chart is to be had.
func TestWithoutLibrary(t *testing.T) {
	c := small(t, "a")
	p := OpenHTML(t, []byte("<html><body>"+must.Get(c.Snippet())(t)+"</body></html>"))
	p.Until(`document.querySelector(".hyperplane-chart").textContent.includes("show.LoadCharts()")`)
	if n := Get[int](p, `document.querySelectorAll(".hyperplane-chart img").length`); n != 1 {
		t.Errorf("%d pictures", n)
	}
	clean(t, p)
}

// Names are data: none ends the script or becomes an element. The library hides from
// a module loader, and comes twice without harm, before or after the chart.
func TestHostilePage(t *testing.T) {
	c := small(t, `</script><b id="broken">&amp; "x"`)
	text, all := must.Get(c.Snippet())(t), whole(t, c, nil)
	library := string(all[strings.LastIndex(string(all), "<script>"):])
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	p := chart(t, []byte("<html><body><script>function define() { define.called = true; } define.amd = {};</script>"+text+library+text+library+"</body></html>"))
	p.Until(`document.querySelectorAll(".hyperplane-chart canvas").length >= 2`)
	got := Get[struct {
		Broken  int
		Defined bool
		Legend  string
	}](p, `(() => {
		chart.dispatchAction({ type: "showTip", seriesIndex: chart.getOption().series.findIndex(s => s.type === "scatter"), dataIndex: 0 });
		return { Broken: document.querySelectorAll("#broken").length, Defined: !!define.called, Legend: chart.getOption().legend[0].data[0].name };
	})()`)
	if got.Broken != 0 || got.Defined || !strings.Contains(got.Legend, `</script><b id="broken">&amp; "x"`) {
		t.Errorf("%+v", got)
	}
	clean(t, p)
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
