package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// fixture is a page with a chart, a formula and a link, taller than the window. The chart only
// imitates the structure of a real chart. While the shift key is held down, the wheel zooms this
// chart. TestRedPages replaces the words in capitals, such as FORMULA, with contents of the page.
const fixture = `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="height:3000px">
<h1 id="top">A page</h1><p>FORMULA <code>$\frac{1}{2}$ in code is code</code></p><p>It costs $5 or $6. <a href="LINK">link</a></p>
<div class="hyperplane-chart" style="width: BOX"><canvas width="200" height="200"></canvas></div>
<script>
const place = document.querySelector(".hyperplane-chart"), canvas = place.querySelector("canvas"), c = canvas.getContext("2d");
let zoom = 0;
place.hyperplaneChart = { getOption: () => ({ dataZoom: [{ start: zoom, end: 100 }] }), getModel: () => null };
if (DRAWN) for (let i = 0; i < 20; i++) { c.fillStyle = "hsl(" + 18 * i + " 80% 50%)"; c.fillRect(10 * i, 0, 10, 200); }
canvas.addEventListener("wheel", e => { if (TRAPS || e.shiftKey) { e.preventDefault(); if (ZOOMS) zoom += e.deltaY; } }, { passive: false });
if (FAILS) undefinedFunction();
if (COMPLAINS) console.error("a complaint");
</script><div style="width:WIDTHpx">wide</div></body></html>`

// TestRedPages makes pages that each contain one kind of fault. It checks that Errors and the
// functions in faults.go, except Unreadable, report this fault. On a page without faults, these
// functions must report nothing.
func TestRedPages(t *testing.T) {
	good := map[string]string{"FORMULA": "<math><mi>x</mi></math>", "LINK": "#top", "DRAWN": "true", "TRAPS": "false",
		"ZOOMS": "true", "FAILS": "false", "COMPLAINS": "false", "BOX": "auto", "WIDTH": "50"}
	for _, tt := range []struct{ name, key, value, want string }{
		{"good", "", "", ""},
		{"blank chart", "DRAWN", "false", "the chart is blank"},
		{"cut chart", "BOX", "150px; overflow-x: auto", "the chart is cut"},
		{"trapped wheel", "TRAPS", "true", "the wheel is trapped"},
		{"dead wheel", "ZOOMS", "false", "does not zoom"},
		{"formula", "FORMULA", `$\frac{a}{b}$`, `raw LaTeX: $\frac{a}{b}$`},
		{"formula without dollars", "FORMULA", `\mathbf w`, `raw LaTeX: \mathbf`},
		{"no such file", "LINK", "nowhere.html", "broken link"},
		{"no such place", "LINK", "#nowhere", "broken link"},
		{"exception", "FAILS", "true", "undefinedFunction is not defined"},
		{"console error", "COMPLAINS", "true", "a complaint"},
		{"too wide", "WIDTH", "2000", "pixels wide in a window of"},
		{"another host", "LINK", `x"></a><img src="http://127.0.0.1:9/x.png"><a href="#top`,
			"request to http://127.0.0.1:9/x.png"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page := fixture
			for key, value := range good {
				if key == tt.key {
					value = tt.value
				}
				page = strings.ReplaceAll(page, key, value)
			}
			p := OpenHTML(t, []byte(page))
			charts := p.Charts()
			if len(charts) != 1 {
				t.Fatalf("the page has %d charts, want 1", len(charts))
			}
			var faults []string
			for _, f := range [][]string{p.Errors(), p.RawLatex(), p.BrokenLinks(), p.TooWide(), p.Foreign(), p.BlankChart(charts[0]), p.CutChart(charts[0]), p.Wheels(charts[0])} {
				faults = append(faults, f...)
			}
			got := strings.Join(faults, "\n")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got the faults %q, want faults that contain %q, or no faults if this text is empty", got, tt.want)
			}
		})
	}
}

// A recorder is a testing.TB whose method Fatalf does not end the test. Instead, Fatalf records the
// message and panics.
type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Fatalf(f string, a ...any) { r.failed = fmt.Sprintf(f, a...); panic(r) }

// TestRedScript checks that a failed navigation fails the test. The failure message must contain the
// errors of the page, and a screenshot must be saved.
func TestRedScript(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(ScreenshotsVariable, dir)
	p := OpenHTML(t, []byte("<html><body><script>console.error('a complaint')</script></body></html>"))
	r := &recorder{TB: t}
	p.t = r
	func() {
		defer func() { recover() }()
		p.runSteps(chromedp.Navigate("file:///nonexistent.html"))
	}()
	must.Contain(t, r.failed, "ERR_FILE_NOT_FOUND", "a complaint")
	if entries := must.Get(os.ReadDir(dir))(t); len(entries) != 1 || entries[0].Name() != "failed-TestRedScript.png" {
		t.Errorf("got the screenshots %v, want only failed-TestRedScript.png", entries)
	}
}
