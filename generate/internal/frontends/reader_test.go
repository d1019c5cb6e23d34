package frontends

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A step is something that a reader does in one or more notebooks.
type step struct {
	name string
	do   func(t *testing.T, f frontEnd, s *server)
}

// steps lists the reader's actions, which are the same in every front end.
var steps = []step{
	{"map", readMap},
	{"lessons", func(t *testing.T, f frontEnd, s *server) {
		for _, lesson := range lessonsToRead(t, s) {
			t.Run(lesson, func(t *testing.T) { readLesson(t, f.open(t, s, lesson)) })
		}
	}},
	{"exercise of PRML", func(t *testing.T, f frontEnd, s *server) {
		workOn(t, f, s,
			exercise{"prml-4.25", "prml4/25-probit-scale", "ex25.Check(", "return 8 / math.Pi",
				"Your number is the reciprocal: 1/λ²."})
	}},
	{"exercise of Alpaydin", func(t *testing.T, f frontEnd, s *server) {
		workOn(t, f, s,
			exercise{"alpaydin-10.8", "alpaydin10/08-boundary-and-slope", "ex08.Check(", "return w0 / w",
				"Your boundary is w0/w: its sign is wrong"})
	}},
	{"charts", playCharts},
}

func TestReader(t *testing.T) {
	for _, f := range frontEnds {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			s := f.start(t, "/")
			for _, step := range steps {
				t.Run(step.name, func(t *testing.T) { step.do(t, f, s) })
			}
		})
	}
}

// TestBaseURL checks a server whose pages have a path prefix, as behind a JupyterHub.
func TestBaseURL(t *testing.T) {
	for _, f := range frontEnds {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.name += "-base-url"
			s := f.start(t, "/user/alice/")
			playCharts(t, f, s)
		})
	}
}

// lessonsToRead returns the notebooks to read: the tour and three lessons.
func lessonsToRead(t *testing.T, s *server) []string {
	t.Helper()
	found := must.Get(filepath.Glob(filepath.Join(s.work, "lessons", "*.ipynb")))(t)
	if len(found) < 3 {
		t.Fatalf("the learner's folder has %d lessons, want at least 3", len(found))
	}
	names := []string{"tour.ipynb"}
	for i := range 3 { // choose lessons that are evenly spaced over the course
		names = append(names, "lessons/"+filepath.Base(found[i*(len(found)-1)/2]))
	}
	return names
}

var link = regexp.MustCompile(`\]\(([^)#\s]*)[^)]*\)`)

// readMap opens the map of the course and checks that each link to a file leads to an existing file.
// Then it runs the map.
func readMap(t *testing.T, f frontEnd, s *server) {
	n := f.open(t, s, "index.ipynb")
	links := 0
	for _, source := range n.sources {
		for _, m := range link.FindAllStringSubmatch(source, -1) {
			if m[1] == "" || strings.Contains(m[1], ":") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(s.work, filepath.FromSlash(path.Clean(m[1])))); err != nil {
				t.Errorf("the map has a broken link: %v", err)
			}
		}
	}
	if links == 0 {
		t.Error("the map has no links")
	}
	n.runAll()
	n.wantNoRed()
	n.shot("1-run")
	n.wantNoMessages()
}

// readLesson runs a notebook from top to bottom. It checks that no output is red and that no chart is
// blank. The mouse wheel over a chart must scroll the page and, with the shift key, zoom the chart.
// The line of probabilities below a chart must follow the mouse. After a reload, the notebook must
// still show all outputs and charts.
func readLesson(t *testing.T, n *notebook) {
	n.runAll()
	n.wantNoRed()
	n.shot("1-run")
	for i, chart := range n.Charts() {
		faults(t, n.BlankChart(chart))
		faults(t, n.Wheels(chart))
		n.shot(fmt.Sprintf("2-chart-%d", i+1))
		checkHover(t, n, chart)
	}
	outputs := n.outputs()
	if outputs == 0 {
		t.Error("no cell has an output")
	}
	n.save()
	n.reload()
	n.Until(fmt.Sprintf("%s === %d", countOutputs, outputs))
	for _, chart := range n.Charts() {
		faults(t, n.BlankChart(chart))
	}
	n.shot("3-reloaded")
	n.wantNoMessages()
}

// countOutputs is a script that counts the cells with output.
const countOutputs = `reader.sources().filter((_, i) => { const o = reader.output(i); return o && (o.innerText.trim() || o.querySelector("img, canvas")) }).length`

func (n *notebook) outputs() int {
	n.t.Helper()
	return browsertest.Get[int](n.Page, countOutputs)
}

func faults(t *testing.T, found []string) {
	t.Helper()
	for _, fault := range found {
		t.Error(fault)
	}
}

// checkHover moves the mouse over a chart and checks that the line of probabilities below the chart
// changes. If the chart has no such line, checkHover does nothing.
func checkHover(t *testing.T, n *notebook, chart string) {
	t.Helper()
	readout := fmt.Sprintf(`document.querySelector('%s .hyperplane-readout')`, chart)
	if !browsertest.Get[bool](n.Page, "!!"+readout) {
		return
	}
	at := n.Plots(chart)[0]
	n.Hover(at)
	n.Until(readout + `.textContent.includes("p(")`)
	before := browsertest.Get[string](n.Page, readout+".textContent")
	n.Hover(browsertest.Point{X: at.X + 40, Y: at.Y + 20})
	n.Until(fmt.Sprintf("%s.textContent && %s.textContent !== %s", readout, readout, quote(before)))
}

func quote(s string) string {
	b, _ := json.Marshal(s) // ignore the error, which is nil because JSON can encode every string
	return string(b)
}

// An exercise describes the exercise on which workOn works: its id, its file and the call of its
// check. `wrong` is a wrong body for the first function of the exercise, and `message` is part of the
// check's message about this answer.
type exercise struct{ id, file, check, wrong, message string }

const todo = "panic(verify.TODO)"

// workOn works on an exercise as a learner would. It first runs all cells unchanged, then enters a
// wrong answer, and finally enters the right answer.
func workOn(t *testing.T, f frontEnd, s *server, e exercise) {
	n := f.open(t, s, "exercises/"+e.file+".ipynb")
	n.runAll()
	n.wantNoRed()
	n.shot("1-untouched")
	if browsertest.Get[bool](n.Page,
		`[...document.querySelectorAll(".cm-tab")].some(e => getComputedStyle(e).backgroundImage !== "none")`) {
		t.Error("tab characters are shown as arrows")
	}
	text := browsertest.Get[string](n.Page, "document.body.innerText")
	for _, secret := range []string{"Hint 1", "Reference answer"} {
		if strings.Contains(text, secret) {
			t.Errorf("after Run All, the untouched notebook shows %q, want neither a hint nor the solution", secret)
		}
	}
	if r := progressRecord(t, s, e.id); r != nil && (r.Answer.Passed || r.Revealed || r.Offered || len(r.Hints) > 0) {
		t.Errorf("after Run All of an untouched notebook, progress.json has the entry %+v, want no pass, no hints, and a solution that was neither offered nor shown", *r)
	}

	stub := n.cell("{\n\t"+todo, 0)
	check := n.cell(e.check, stub)
	if got := n.output(check); !strings.Contains(got, "not attempted") {
		t.Errorf("for an untouched exercise the check prints %q, want text with “not attempted”", got)
	}
	n.writeCell(stub, strings.Replace(n.sources[stub], todo, e.wrong, 1))
	n.runCell(check)
	if got := n.output(check); !strings.Contains(got, "Wrong") || !strings.Contains(got, e.message) {
		t.Errorf("for the answer %q the check prints %q, want text with “Wrong” and %q", e.wrong, got, e.message)
	}
	n.shot("2-wrong")

	n.writeCell(stub, referenceAnswer(t, e))
	n.runCell(check)
	if got := n.output(check); !strings.Contains(got, "Right") || strings.Contains(got, "Wrong") ||
		strings.Contains(got, "attempted") {
		t.Errorf("for the right answer the check prints %q, want text with “Right”, but without “Wrong” and “attempted”", got)
	}
	n.shot("3-right")
	if r := progressRecord(t, s, e.id); r == nil || !r.Answer.Passed || r.Revealed {
		t.Errorf("after the right answer, progress.json has the entry %+v, want a pass and a solution that was not shown", r)
	}
	n.wantNoMessages()
}

// referenceAnswer returns the reference answer from the solved notebook.
func referenceAnswer(t *testing.T, e exercise) string {
	t.Helper()
	nb := must.Get(nbformat.ReadFile(filepath.Join(root, "notebooks/exercises/solutions", e.file+".ipynb")))(t)
	for _, c := range nb.Cells {
		if nbformat.OwnMetadata(c.Metadata)["role"] == "stub" {
			return c.Source
		}
	}
	t.Fatalf("%s: the solved notebook has no answer", e.file)
	return ""
}

// progressRecord returns the entry for an exercise in progress.json, or nil if the file does not exist
// or has no such entry.
func progressRecord(t *testing.T, s *server, id string) *progress.Record {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.work, "progress.json"))
	if os.IsNotExist(err) {
		return nil
	}
	must.Do(t, err)
	var file struct {
		Exercises map[string]*progress.Record `json:"exercises"`
	}
	must.Do(t, json.Unmarshal(data, &file))
	return file.Exercises[id]
}

// playCharts uses the charts of a small notebook, one with a slider and one with a surface. Then it
// changes a copy of this notebook and opens the copy, which Jupyter does not trust.
func playCharts(t *testing.T, f frontEnd, s *server) {
	nb := nbformat.New()
	nb.AddMarkdown("title", "# Charts")
	nb.AddCode("load",
		"%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/figures\"\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/show\"\n)\n\n%%\nshow.LoadCharts()")
	nb.AddCode("steps", "%%\nshow.DisplayChart(figures.PRML4x7Chart(figures.PRML4x7Options{}))")
	nb.AddCode("surface", "%%\nshow.DisplayChart(figures.PRML4x10Chart(figures.PRML4x10Options{}))")
	file := filepath.Join(s.work, "charts.ipynb")
	must.Do(t, nb.WriteFile(file))
	n := f.open(t, s, "charts.ipynb")
	n.runAll()
	n.wantNoRed()
	charts := n.Charts()
	if len(charts) != 2 {
		t.Fatalf("got %d charts, want 2", len(charts))
	}
	for i, chart := range charts {
		faults(t, n.BlankChart(chart))
		faults(t, n.Wheels(chart))
		n.shot(fmt.Sprintf("1-chart-%d", i+1))
	}
	moveSlider(t, n, charts[0])
	n.shot("2-played")
	if f.dark != "" {
		browsertest.Get[any](n.Page, f.dark)
		// A splash screen covers the page until the theme changes.
		n.Until(`document.body.dataset.jpThemeLight === "false" && !document.getElementById("jupyterlab-splash")`)
		for i, chart := range charts {
			faults(t, n.Unreadable(chart))
			n.shot(fmt.Sprintf("3-dark-%d", i+1))
		}
	}
	n.save()
	n.wantNoMessages()

	// Jupyter stores a signature of a notebook that it has run and saved. It does not trust the copy,
	// because this signature does not fit the changed text.
	nb = must.Get(nbformat.ReadFile(file))(t)
	nb.AddMarkdown("added", "Changed by somebody else.")
	must.Do(t, nb.WriteFile(filepath.Join(s.work, "copy.ipynb")))
	n = f.open(t, s, "copy.ipynb")
	if browsertest.Get[bool](n.Page, "reader.trusted()") {
		t.Error("Jupyter trusts the changed copy, want no trust")
	}
	n.Until(`[...document.querySelectorAll("img[src^='data:image/png']")].filter(i => i.naturalWidth > 0).length === 2`)
	if browsertest.Get[int](n.Page, `document.querySelectorAll("canvas").length`) > 0 {
		t.Error("an untrusted notebook contains canvas elements, so its scripts have run; want no canvas elements")
	}
	if text := browsertest.Get[string](n.Page, "document.body.innerText"); strings.Contains(text, "to the mouse") {
		t.Error("an untrusted notebook shows static pictures, but its text says that charts answer to the mouse")
	}
	n.shot("4-untrusted")
	n.wantNoMessages()
}

// moveSlider moves the slider of a chart with an arrow key and with the chart's buttons. After each
// action, the slider's label must change.
func moveSlider(t *testing.T, n *notebook, chart string) {
	t.Helper()
	label := fmt.Sprintf(`document.querySelector('%s .hyperplane-slider > span:last-child').textContent`, chart)
	changes := func(do func()) {
		t.Helper()
		before := browsertest.Get[string](n.Page, label)
		do()
		n.Until(fmt.Sprintf("%s !== %s", label, quote(before)))
	}
	changes(func() {
		browsertest.Get[any](n.Page,
			fmt.Sprintf(`document.querySelector('%s .hyperplane-slider input').focus()`, chart))
		n.Key(kb.ArrowRight)
	})
	press := func(title string) { n.Click(n.Center(fmt.Sprintf(`%s button[title="%s"]`, chart, title))) }
	changes(func() { press("back to the start") })
	changes(func() { press("one step on") })
	changes(func() { press("play or pause") })
	press("play or pause")
}
