package frontends

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// playCharts plays with the charts of a notebook of its own: one to step through, and
// one with a surface. Then it opens a copy that is not trusted.
func playCharts(t *testing.T, f frontEnd, s *server) {
	nb := nbformat.New()
	nb.AddMarkdown("title", "# Charts")
	nb.AddCode("load", "%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/figures\"\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/show\"\n)\n\n%%\nshow.LoadCharts()")
	nb.AddCode("steps", "%%\nshow.DisplayChart(figures.PRML4x7Chart(figures.PRML4x7Options{}))")
	nb.AddCode("surface", "%%\nshow.DisplayChart(figures.PRML4x10Chart(figures.PRML4x10Options{}))")
	file := filepath.Join(s.work, "charts.ipynb")
	must.Do(t, nb.WriteFile(file))
	n := f.open(t, s, "charts.ipynb")
	n.runAll()
	n.noRed()
	charts := n.Charts()
	if len(charts) != 2 {
		t.Fatalf("%d charts, want 2", len(charts))
	}
	for i, chart := range charts {
		faults(t, n.BlankChart(chart))
		faults(t, n.Wheels(chart))
		n.shot(fmt.Sprintf("1-chart-%d", i+1))
	}
	slide(t, n, charts[0])
	n.shot("2-played")
	if f.dark != "" {
		browsertest.Get[any](n.Page, f.dark)
		// While the theme changes a veil lies over the page.
		n.Until(`document.body.dataset.jpThemeLight === "false" && !document.getElementById("jupyterlab-splash")`)
		for i, chart := range charts {
			faults(t, n.Unreadable(chart))
			n.shot(fmt.Sprintf("3-dark-%d", i+1))
		}
	}
	n.save()
	n.clean()

	// Jupyter trusts what was run here, by a signature of the content.
	nb = must.Get(nbformat.ReadFile(file))(t)
	nb.AddMarkdown("added", "Changed by somebody else.")
	must.Do(t, nb.WriteFile(filepath.Join(s.work, "copy.ipynb")))
	n = f.open(t, s, "copy.ipynb")
	if browsertest.Get[bool](n.Page, "reader.trusted()") {
		t.Error("the changed copy is trusted")
	}
	n.Until(`[...document.querySelectorAll("img[src^='data:image/png']")].filter(i => i.naturalWidth > 0).length === 2`)
	if browsertest.Get[int](n.Page, `document.querySelectorAll("canvas").length`) > 0 {
		t.Error("an untrusted notebook runs scripts")
	}
	if text := browsertest.Get[string](n.Page, "document.body.innerText"); strings.Contains(text, "to the mouse") {
		t.Error("beside the still pictures of an untrusted notebook stands that charts answer to the mouse")
	}
	n.shot("4-untrusted")
	n.clean()
}

// slide moves the slider of a chart by its keys and by its buttons.
func slide(t *testing.T, n *notebook, chart string) {
	t.Helper()
	label := fmt.Sprintf(`document.querySelector('%s .hyperplane-slider > span:last-child').textContent`, chart)
	changes := func(do func()) {
		t.Helper()
		before := browsertest.Get[string](n.Page, label)
		do()
		n.Until(fmt.Sprintf("%s !== %s", label, quote(before)))
	}
	changes(func() {
		browsertest.Get[any](n.Page, fmt.Sprintf(`document.querySelector('%s .hyperplane-slider input').focus()`, chart))
		n.Key(kb.ArrowRight)
	})
	press := func(title string) { n.Click(n.Center(fmt.Sprintf(`%s button[title="%s"]`, chart, title))) }
	changes(func() { press("back to the start") })
	changes(func() { press("one step on") })
	changes(func() { press("play or pause") })
	press("play or pause")
}
