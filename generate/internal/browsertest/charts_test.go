package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	pages "github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// chart opens a page and waits for its first chart. JavaScript expressions in the test can then use
// two global variables: `place` is the chart's element, and `chart` is the chart object.
func chart(t *testing.T, page []byte) *Page {
	t.Helper()
	p := OpenHTML(t, page)
	p.Until(`document.querySelector(".hyperplane-chart").hyperplaneChart`)
	Get[bool](p, `globalThis.place = document.querySelector(".hyperplane-chart"), globalThis.chart = place.hyperplaneChart, true`)
	return p
}

// pointPosition returns the position, in the browser window, of the point (x, y) in the first panel
// of the chart.
func pointPosition(p *Page, x, y float64) Point {
	p.Center(".hyperplane-chart canvas")
	return Get[Point](p, fmt.Sprintf(`(() => {
		const r = place.querySelector("canvas").getBoundingClientRect(), q = chart.convertToPixel({ gridIndex: 0 }, [%g, %g]);
		return { X: r.left + q[0], Y: r.top + q[1] };
	})()`, x, y))
}

// wantNoErrors fails the test for each error that the page reported.
func wantNoErrors(t *testing.T, p *Page) {
	t.Helper()
	for _, e := range p.Errors() {
		t.Errorf("the page reported the error %s", e)
	}
}

func threeClasses(t *testing.T) (*datasets.Dataset, *classify.Softmax) {
	t.Helper()
	d := must.Get(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	m := must.Get(classify.FitSoftmax(d.X, d.Labels, d.K(),
		classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	return d, m
}

func whole(t *testing.T, c *show.Chart, err error) []byte {
	t.Helper()
	must.Do(t, err)
	return must.Get(c.HTML())(t)
}

// TestFigures checks that every interactive figure loads without an error and replaces its static
// picture. The chart of the figure must still show something when all of its sliders are at their
// maximum.
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
				t.Errorf("the figure shows %+v, want at least one canvas and one series, and no picture", got)
			}
			for _, fault := range p.BlankChart(".hyperplane-chart") {
				t.Error(fault)
			}
			wantNoErrors(t, p)
		})
	}
}

// TestWidthAndTheme checks that a chart adopts the width of the element that contains it, and that
// it follows changes in the colour scheme. If the element is narrow, the panels must be stacked
// vertically, and nothing may extend beyond the edge of the element. If the reader has hidden some
// points, they must stay hidden after these changes.
func TestWidthAndTheme(t *testing.T) {
	e := must.Get(figures.Find("fig-prml-4.4"))(t)
	c, err := e.Chart()
	p := chart(t, whole(t, c, err))
	type layout struct {
		Width, Height float64
		Left, Right   []float64
		Top           []float64
		Scroll        float64
	}
	read := func() layout {
		return Get[layout](p, `(() => {
			const grids = chart.getOption().grid;
			return { Width: chart.getWidth(), Height: chart.getHeight(), Left: grids.map((g) => g.left), Right: grids.map((g) => g.left + g.width), Top: grids.map((g) => g.top), Scroll: place.scrollWidth };
		})()`)
	}
	wide := read()
	if place := Get[float64](p, `place.clientWidth`); wide.Width != place || wide.Top[0] != wide.Top[1] {
		t.Errorf("in an element of %g pixels the chart has the layout %+v; want the width of the element, and panels side by side", place, wide)
	}
	Get[bool](p, `chart.dispatchAction({ type: "legendToggleSelect", name: "outliers" }), true`)
	Get[bool](p, `document.querySelector("main").style.maxWidth = "374px", true`)
	p.Until(`chart.getWidth() === place.clientWidth && place.clientWidth <= 374`)
	narrow := read()
	if narrow.Left[0] != narrow.Left[1] || narrow.Top[1] <= narrow.Top[0] || narrow.Height <= wide.Height ||
		max(narrow.Right[0], narrow.Right[1]) > narrow.Width || narrow.Scroll > narrow.Width {
		t.Errorf("in a narrow element the chart has the layout %+v; want panels that are stacked vertically, a larger height than before, and nothing wider than the element", narrow)
	}
	colors := `[chart.getOption().xAxis[0].axisLine.lineStyle.color, chart.getOption().backgroundColor, chart.getOption().legend[0].textStyle.color].join(" ")`
	p.Until(colors + ` === "#222222 #f6f7f8 #222222"`)
	Get[bool](p, `place.style.cssText = "background:#1f2226;color:#dcdad5", document.documentElement.style.colorScheme = "dark", true`)
	p.Until(colors + ` === "#dcdad5 #1f2226 #dcdad5"`)
	if Get[bool](p, `chart.getOption().legend[0].selected.outliers`) {
		t.Error("after a change in the width and the colour scheme, the chart shows points that the reader has hidden")
	}
	wantNoErrors(t, p)
}

// TestPointer checks that the chart shows the model's posterior at the position of the mouse
// pointer. If the pointer is on a data point, the chart must show the posterior at that data point.
// If the legend switches a class off, the points of this class must be hidden.
func TestPointer(t *testing.T) {
	d, m := threeClasses(t)
	f := must.Get(show.Posterior(m, d, show.PosteriorOptions{}))(t)
	c, err := show.Interactive(f)
	p := chart(t, whole(t, c, err))
	p.Hover(pointPosition(p, 3, 1))
	const readout = `place.querySelector(".hyperplane-readout").textContent`
	p.Until(readout)
	text := Get[string](p, readout)
	post := must.Get(m.Posterior(mat.NewDense(1, 2, []float64{3, 1})))(t)
	for k, name := range d.ClassNames {
		var shown float64
		_, rest, _ := strings.Cut(text, "p("+name+"|x)")
		if _, err := fmt.Sscan(strings.TrimLeft(rest, " =<>"), &shown); err != nil || math.Abs(shown-post.At(0, k)) > 0.003 {
			t.Errorf("at the mouse pointer, the chart shows %q for %s, want the posterior %.4f, with an error of at most 0.003", text, name, post.At(0, k))
		}
	}
	p.Hover(pointPosition(p, d.X.At(0, 0), d.X.At(0, 1)))
	row := must.Get(m.Posterior(d.X.Slice(0, 1, 0, 2)))(t)
	p.Until(fmt.Sprintf(`place.textContent.includes("p(setosa|x) = %.4g")`, row.At(0, 0)))
	// Here the posterior of setosa is below 0.001. The chart must not show it as "= 0.000".
	p.Hover(pointPosition(p, 5.5, 2))
	p.Until(`place.querySelector(".hyperplane-readout").textContent.includes("p(setosa|x) < 0.001")`)
	Get[bool](p, `chart.dispatchAction({ type: "legendToggleSelect", name: "setosa" }), true`)
	if Get[bool](p, `chart.getOption().legend[0].selected.setosa`) {
		t.Error("after the legend has switched setosa off, the points of setosa are still visible")
	}
	wantNoErrors(t, p)
}

// TestPointerOfTwoModels checks that a panel with two models shows the posterior of each model.
func TestPointerOfTwoModels(t *testing.T) {
	d, m := threeClasses(t)
	flat := show.PosteriorFunc(func([]float64) []float64 { return []float64{0.5, 0.25, 0.25} })
	f := must.Get(show.Boundaries(d, show.BoundariesOptions{}, show.Named{Name: "softmax", Model: m},
		show.Named{Name: "undecided", Model: flat}))(t)
	c, err := show.Interactive(f)
	p := chart(t, whole(t, c, err))
	p.Hover(pointPosition(p, 3, 1))
	const readout = `place.querySelector(".hyperplane-readout").textContent`
	p.Until(readout)
	got := Get[string](p, readout)
	lines := strings.Split(got, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "softmax") || !strings.HasPrefix(lines[1], "undecided") ||
		!strings.Contains(lines[1], "p(setosa|x) = 0.500") {
		t.Errorf("at the mouse pointer, the chart shows %q, want a line for softmax, and a line for undecided with p(setosa|x) = 0.500", got)
	}
	wantNoErrors(t, p)
}

// TestSlider checks that, after a slider has moved, the chart shows the figure for the slider's new
// value. It also tests three buttons: one moves the slider to the next value, one moves it back to the
// first value, and one starts an animation.
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
			t.Errorf("with the slider at %q the chart shows %+v, want the slope %d in the title and in the curve", label, got, slope)
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
	wantNoErrors(t, p)
}

// TestWithoutLibrary checks that a page without the chart library keeps the static picture and
// explains how to load the library.
func TestWithoutLibrary(t *testing.T) {
	c := small(t, "a")
	p := OpenHTML(t, []byte("<html><body>"+must.Get(c.Snippet())(t)+"</body></html>"))
	p.Until(`document.querySelector(".hyperplane-chart").textContent.includes("show.LoadCharts()")`)
	if n := Get[int](p, `document.querySelectorAll(".hyperplane-chart img").length`); n != 1 {
		t.Errorf("the page shows %d pictures, want 1", n)
	}
	wantNoErrors(t, p)
}

// TestHostilePage checks that HTML in the name of a data class does not end the script or create an
// element. If the page has a module loader, the chart library must not register itself there. The
// page contains two charts, and includes the library after each of them. Both charts must work.
func TestHostilePage(t *testing.T) {
	c := small(t, `</script><b id="broken">&amp; "x"`)
	text, all := must.Get(c.Snippet())(t), whole(t, c, nil)
	library := string(all[strings.LastIndex(string(all), "<script>"):])
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	p := chart(t, []byte("<html><body><script>function define() { define.called = true; } define.amd = {};</script>"+
		text+library+text+library+"</body></html>"))
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
		t.Errorf("got %+v, want no element from the class name, no call of define, and the class name in the legend",
			got)
	}
	wantNoErrors(t, p)
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

// TestSaysThatChartsAnswer checks that the page says "Charts on this page answer to the mouse." if
// the chart script runs, and only then. The sentence must also appear if the page contains the script
// twice.
func TestSaysThatChartsAnswer(t *testing.T) {
	const sentence, text = `<small class="hyperplane-charts-live"></small>`,
		`document.querySelector("small").textContent`
	all := string(whole(t, small(t, "a"), nil))
	library := all[strings.LastIndex(all, "<script>"):]
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	for name, page := range map[string]string{
		"once":  sentence + library,
		"twice": sentence + library + `<script>document.querySelector("small").textContent = "";</script>` + library,
	} {
		p := OpenHTML(t, []byte("<html><body>"+page+"</body></html>"))
		p.Until(text)
		if got := Get[string](p, text); got != "Charts on this page answer to the mouse." {
			t.Errorf("with the script %s, the page shows %q, want the sentence about charts and the mouse", name, got)
		}
	}
	if got := Get[string](OpenHTML(t, []byte("<html><body>"+sentence+"</body></html>")), text); got != "" {
		t.Errorf("without the script the page shows %q, want no sentence", got)
	}
}

// TestLettersInSpaceAreWhole checks that the line height of the labels and names of 3D axes is at
// least 1.5 times the size of the letters. A smaller line height cuts off parts of the letters.
func TestLettersInSpaceAreWhole(t *testing.T) {
	c, err := figures.PRML4x10Chart(figures.PRML4x10Options{})
	got := Get[[]float64](chart(t, whole(t, c, err)), `["xAxis3D", "yAxis3D", "zAxis3D"].flatMap(a => {
		const axis = chart.getModel().getComponent(a);
		return [axis.getModel("axisLabel"), axis.getModel("nameTextStyle")].map(m => m.get("lineHeight") / m.get("fontSize"));
	})`)
	for _, ratio := range got {
		if !(ratio >= 1.5) {
			t.Errorf("the line height of a label or name is %g times the size of its letters, want at least 1.5 times", ratio)
		}
	}
	if len(got) != 6 {
		t.Errorf("got %d line heights, want 6: for the labels and the name of each of three axes", len(got))
	}
}

// TestNarrowPage checks that a chart fits into a narrow window, so that nothing scrolls sideways.
func TestNarrowPage(t *testing.T) {
	c := must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t)
	file := filepath.Join(t.TempDir(), "page.html")
	must.Do(t, os.WriteFile(file, whole(t, c, nil), 0o600))
	p := Open(t, "file://"+file, View{Width: 390})
	p.Charts()
	for _, fault := range p.TooWide() {
		t.Error(fault)
	}
	got := Get[[]float64](p,
		`(() => { const f = document.querySelector(".hyperplane-chart > div"); return [f.clientWidth, f.scrollWidth]; })()`)
	if got[0] > 390 || got[1] > got[0] {
		t.Errorf("the chart's frame is %g pixels wide, and its content %g pixels; want a frame of at most 390 pixels and no wider content", got[0], got[1])
	}
}

// TestNarrowLabels checks that the labels of a chart do not overlap in a narrow window.
func TestNarrowLabels(t *testing.T) {
	c, err := figures.PRML4x1Chart(figures.PRML4x1Options{})
	file := filepath.Join(t.TempDir(), "page.html")
	must.Do(t, os.WriteFile(file, whole(t, c, err), 0o600))
	p := Open(t, "file://"+file, View{Width: 390})
	p.Charts()
	type label struct{ Text, Covers string }
	labels := Get[[]label](p, `(() => {
		const chart = document.querySelector(".hyperplane-chart").hyperplaneChart;
		const all = chart.getZr().storage.getDisplayList(true).filter((e) => e.type === "tspan").map((e) => {
			const r = e.getBoundingRect().clone();
			if (e.transform) r.applyTransform(e.transform);
			return { text: e.style.text, r };
		});
		return all.map((a) => ({ Text: a.text, Covers: all.filter((b) => b !== a && b.r.intersect(a.r)).map((b) => b.text).join() }));
	})()`)
	found := false
	for _, l := range labels {
		found = found || strings.HasPrefix(l.Text, "−w₀/‖w‖")
		if l.Covers != "" {
			t.Errorf("the label %q overlaps these labels: %q", l.Text, l.Covers)
		}
	}
	if !found {
		t.Errorf("the chart has the labels %q, want a label that begins with −w₀/‖w‖, the distance of the origin from the line", labels)
	}
}

const execute = `
import sys, nbformat, nbclient
nb = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(nb, timeout=300, kernel_name="gonb", resources={"metadata": {"path": "."}}).execute()
nbformat.write(nb, sys.argv[1])
`

// TestNotebook executes a notebook whose first cell loads the chart library and whose second cell
// shows a chart. After StripTiming removes the library, the notebook must be small and its page
// must still show the chart. A page without scripts must show the static picture.
func TestNotebook(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	dir := t.TempDir()
	nb := nbformat.New()
	nb.AddCode("load",
		"%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/figures\"\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/show\"\n)\n\n%%\nshow.LoadCharts()")
	nb.AddCode("chart", "%%\nshow.DisplayChart(figures.PRML4x10Chart(figures.PRML4x10Options{}))")
	file := filepath.Join(dir, "a.ipynb")
	must.Do(t, nb.WriteFile(file))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, kernel.Python, "-c", execute, file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernel.Data)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	nb = must.Get(nbformat.ReadFile(file))(t)
	countCharts := func(trust bool) struct{ Pictures, Surfaces int } {
		t.Helper()
		b := pages.New(pages.Options{Trust: trust})
		b.Notebook(nb)
		page := must.Get(must.Get(b.Document())(t).Standalone("a"))(t)
		const pictures = `document.querySelectorAll(".hyperplane-chart img").length`
		if !trust {
			p := OpenHTML(t, page)
			wantNoErrors(t, p)
			return struct{ Pictures, Surfaces int }{Get[int](p, pictures), 0}
		}
		p := chart(t, page)
		wantNoErrors(t, p)
		return struct{ Pictures, Surfaces int }{Get[int](p, pictures),
			Get[int](p, `chart.getOption().series.filter(s => s.type === "surface").length`)}
	}
	if got := countCharts(true); got.Pictures != 0 || got.Surfaces != 3 {
		t.Errorf("with the chart library, the page has %+v, want no picture and 3 surfaces", got)
	}
	before := size(t, nb)
	nb.StripTiming()
	if after := size(t, nb); before-after < 600_000 || after > 600_000 {
		t.Errorf("the notebook has %d bytes with the library and %d without it; want at most 600000 without it, and at least 600000 more with it", before, after)
	}
	if got := countCharts(true); got.Pictures != 0 || got.Surfaces != 3 {
		t.Errorf("after StripTiming, the page has %+v, want no picture and 3 surfaces", got)
	}
	if got := countCharts(false); got.Pictures != 1 || got.Surfaces != 0 {
		t.Errorf("without scripts, the page has %+v, want 1 picture and no surface", got)
	}
}

func size(t *testing.T, nb *nbformat.Notebook) int {
	t.Helper()
	b := must.Get(nb.Marshal())(t)
	return len(b)
}

// TestWheel checks that the mouse wheel over a chart scrolls the page. While the shift key is held
// down, the wheel must zoom the chart. The test uses a wheel event of the browser, because wheel
// events dispatched by a script do not scroll.
func TestWheel(t *testing.T) {
	for name, c := range map[string]func(*testing.T) *show.Chart{
		"plane":    func(t *testing.T) *show.Chart { return must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t) },
		"surfaces": func(t *testing.T) *show.Chart { return must.Get(figures.PRML4x10Chart(figures.PRML4x10Options{}))(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tall := []byte(`<style>body { padding-bottom: 3000px }</style></head>`)
			p := chart(t, bytes.Replace(whole(t, c(t), nil), []byte("</head>"), tall, 1))
			for _, fault := range p.Wheels(".hyperplane-chart") {
				t.Error(fault)
			}
			wantNoErrors(t, p)
		})
	}
}

// TestSwipe checks that moving one finger upwards over a chart scrolls the page, and that two
// fingers zoom the chart.
func TestSwipe(t *testing.T) {
	page := whole(t, must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t), nil)
	tall := []byte(`<style>body { padding-bottom: 3000px }</style></head>`)
	file := filepath.Join(t.TempDir(), "page.html")
	must.Write(t, file, string(bytes.Replace(page, []byte("</head>"), tall, 1)))
	p := Open(t, "file://"+file, View{Width: 390, Height: 844, Touch: true})
	const drawn = ".hyperplane-chart"
	p.Until(`document.querySelector(".hyperplane-chart canvas")`)
	at := p.Plots(drawn)[0]
	before, shown := Get[float64](p, "scrollY"), evalInChart[string](p, drawn, "seen()")
	p.Swipe(4, -120, at)
	p.Until(fmt.Sprintf("scrollY > %g", before+60))
	if got := evalInChart[string](p, drawn, "seen()"); got != shown {
		t.Error("a swipe that scrolls the page changes the chart")
	}
	// Wait until the page has stopped scrolling. Until then, the browser does not let a chart cancel
	// touch events.
	Get[bool](p, `new Promise((done) => {
		let last = -1, same = 0;
		const look = setInterval(() => {
			same = scrollY === last ? same + 1 : 0;
			last = scrollY;
			if (same === 5) { clearInterval(look); done(true); }
		}, 100);
	})`)
	at = p.Plots(drawn)[0]
	p.Swipe(0, -60, Point{at.X, at.Y - 20}, Point{at.X, at.Y + 20})
	if !waitFor(5*time.Second, func() bool { return evalInChart[string](p, drawn, "seen()") != shown }) {
		t.Error("two fingers do not zoom the chart")
	}
	wantNoErrors(t, p)
}

func TestMain(m *testing.M) { os.Exit(Main(m)) }
