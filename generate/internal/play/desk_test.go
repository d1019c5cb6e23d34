//go:build playtest

package play

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// siteFolder returns the folder of the built site. The gate named “page” sets
// HYPERPLANE_PLAY_SITE to this folder.
func siteFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HYPERPLANE_PLAY_SITE")
	if dir == "" {
		t.Fatal("HYPERPLANE_PLAY_SITE is not set: the gate named “page” (make gates; .tools/bin/gates page) builds a site with the compiler and sets the variable")
	}
	if _, err := os.Stat(filepath.Join(dir, Folder, "play.json")); err != nil {
		t.Fatalf("HYPERPLANE_PLAY_SITE: %v", err)
	}
	return dir
}

// serveSite starts a server for the site, like `generate site --serve`, and returns the address.
func serveSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(Handler(siteFolder(t), nil))
	t.Cleanup(server.Close)
	return server.URL
}

// A desk is a page of the site that a test operates as a learner would.
type desk struct {
	*browsertest.Page
	t testing.TB
}

func addressOf(site string, e *exercise.Exercise) string {
	return site + "/" + path.Join("exercises", strings.TrimSuffix(e.LearnerPath(), ".ipynb")) + ".html"
}

// openPage opens a page without waiting for the compiler.
func openPage(t testing.TB, address string, view browsertest.View) *desk {
	t.Helper()
	return &desk{browsertest.Open(t, address, view), t}
}

// openDesk opens the page of an exercise or a lesson and waits until the compiler is loaded.
func openDesk(t testing.TB, address string, view browsertest.View) *desk {
	t.Helper()
	d := &desk{browsertest.Open(t, address, view), t}
	d.ready()
	return d
}

const state = `document.getElementById("play-state").textContent`

// ready waits until the compiler is loaded. If the page shows a button to load the compiler, ready
// clicks the button.
func (d *desk) ready() {
	d.t.Helper()
	d.Until(state + `.includes("ready") || !document.getElementById("play-load").hidden`)
	if d.eval(`!document.getElementById("play-load").hidden`) {
		d.press("#play-load")
	}
	d.Until(state + `.includes("is ready")`)
}

// press clicks on an element after the element has stopped moving. When an editor becomes visible, it
// measures its lines, and the elements around it can move.
func (d *desk) press(selector string) {
	d.t.Helper()
	at := d.Center(selector)
	for {
		d.WaitForFrame()
		again := d.Center(selector)
		if again == at {
			break
		}
		at = again
	}
	d.Until(fmt.Sprintf(`document.querySelector(%q).contains(document.elementFromPoint(%v, %v))`, selector, at.X, at.Y))
	d.Click(at)
}

// write replaces the content of the editor, as if the learner had selected everything and pasted a
// text.
func (d *desk) write(answer string) {
	d.t.Helper()
	d.press(".cm-content")
	d.Key("a", chromedp.ModifierCtrl)
	d.Type(answer)
	d.Until(fmt.Sprintf(`document.getElementById("play-answer").value === %s`, quote(d.t, answer)))
}

// check clicks the button of the given check function and waits until the check has finished. If
// the page scrolls at the moment of the click, the click misses the button. Then check clicks again,
// up to three times in all.
func (d *desk) check(function string) {
	d.t.Helper()
	button := fmt.Sprintf("[data-call^=%q]", function+"(")
	for tries, clicked := 0, false; !clicked; tries++ {
		if tries == 3 {
			d.t.Fatalf("three clicks have missed the button %s", button)
		}
		d.eval(fmt.Sprintf(`(() => {
			window.clicked = false;
			document.querySelector(%q).addEventListener("click", () => { window.clicked = true; }, { once: true });
			return true;
		})()`, button))
		d.press(button)
		clicked = d.eval(`window.clicked`)
	}
	d.Until(`document.getElementById("play").dataset.busy === ""`)
}

// checkTime returns the duration of the last check in milliseconds.
func (d *desk) checkTime(t *testing.T) int {
	t.Helper()
	var compile, link, all int
	_, err := fmt.Sscan(d.get(`document.getElementById("play").dataset.took`), &compile,
		&link, &all)
	must.Do(t, err)
	t.Logf("compiled in %d ms, linked in %d ms, all steps in %d ms", compile, link, all)
	return all
}

// judge writes an answer, clicks the Check button and waits for the report. The report must contain
// every string in `wants`.
func (d *desk) judge(answer string, wants ...string) {
	d.t.Helper()
	d.write(answer)
	d.check("Check")
	must.Contain(d.t, d.report(), wants...)
}

// eval evaluates a JavaScript expression and reports whether its value is true.
func (d *desk) eval(expression string) bool {
	d.t.Helper()
	return browsertest.Get[bool](d.Page, expression)
}

func (d *desk) report() string { return d.text("play-report") }

func (d *desk) text(id string) string {
	d.t.Helper()
	return d.get(fmt.Sprintf("document.getElementById(%q).innerText", id))
}

// showsReport reports whether the page shows the given report, which comes from a run of the check
// without a browser. The page's script hyperplaneVerdict folds the parts that are right, replaces the
// names of outcomes with words, and replaces each call of Hint with a button. showsReport applies this
// script to the given report, and compares the result with the report in the page. It also returns
// false if the script has lost the summary, or the words or colours of a row.
func (d *desk) showsReport(html string) bool {
	d.t.Helper()
	return d.eval(fmt.Sprintf(`(() => {
		const want = document.createElement("div");
		want.innerHTML = %s;
		const outcome = (text) => text.replace(/\w+$/, (name) => hyperplaneOutcomes[name] || name);
		const rows = () => [...want.querySelectorAll("tr")].map((r) => outcome(r.cells[0].textContent) + [...r.cells].slice(1).map((c) => c.textContent).join("").replace(/(\w+\.)?Hint\((\d+)\)( takes it from here\.)?/, "Show hint $2") + r.cells[0].style.color);
		const before = rows(), sum = want.querySelector("tr:last-child").textContent;
		hyperplaneVerdict(want, { button: (n) => Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: "Show hint " + n }) });
		const kept = want.querySelector(".sum").textContent === sum && JSON.stringify(before.slice(0, -1)) === JSON.stringify(rows());
		return kept && want.innerHTML === document.querySelector("#play-report > div").innerHTML;
	})()`, quote(d.t, html)))
}

// wantNoErrors fails the test for every error in the page's console.
func (d *desk) wantNoErrors() {
	d.t.Helper()
	for _, e := range d.Errors() {
		d.t.Error(e)
	}
}

func quote(t testing.TB, text string) string {
	t.Helper()
	return string(must.Get(json.Marshal(text))(t))
}
