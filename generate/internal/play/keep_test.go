//go:build playtest

package play

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
)

// TestOneLearner follows a learner who submits a wrong answer, opens the hint that the message names, and
// submits a right answer. The page must record all of this, export the record as a file that the
// notebooks can read, and keep working offline.
func TestOneLearner(t *testing.T) {
	t.Parallel()
	e := find(t, "prml-4.25")
	server := httptest.NewServer(Handler(siteFolder(t), nil))
	defer server.Close()
	d := openDesk(t, addressOf(server.URL, e), browsertest.View{Width: 390, Height: 844})
	if record := d.text("play-record"); record != "not begun" {
		t.Errorf("the record of an untouched exercise is %q, want \"not begun\"", record)
	}
	const wrong = header + "{ return math.Sqrt(math.Pi / 8) }"
	d.judge(wrong)
	d.visibleHints(1, 0)
	d.press("#play-report button") // the button is "Show hint 3", because the message names hint 3
	d.Until(`document.querySelectorAll("details.hint")[2].open`)
	d.Until(`document.getElementById("play-record").textContent === "tried once, the last one 1 of 3 right"`)
	d.press("details.solution summary")
	d.Until(`document.body.innerText.includes("You have not yet seen hints 1 and 2 (of 3).")`)
	d.check("CheckSteps")
	must.Contain(t, d.text("play-says"), "the check calls SigmoidSlope, which your answer does not define")
	for _, fault := range d.TooWide() {
		t.Error(fault)
	}
	for _, address := range d.Requests() {
		if !strings.HasPrefix(address, server.URL) && !strings.HasPrefix(address, "data:") &&
			!strings.HasPrefix(address, "blob:") {
			t.Errorf("the page sent a request to the foreign address %s", address)
		}
	}
	d.Screenshot("play-phone")

	// Go offline after the browser has cached the page.
	d.Until(`document.getElementById("play").dataset.offline === "ready"`)
	server.CloseClientConnections()
	server.Close()
	d.Offline()
	d.Reload()
	d.ready()
	if got := d.get(`document.getElementById("play-answer").value`); got != wrong {
		t.Errorf("after a reload the editor contains %q, want the submitted answer %q", got, wrong)
	}
	d.judge(right, "passed: all 3 parts right")
	d.Until(`document.getElementById("play-record").textContent === "✓ passed (2 tries)"`)
	d.Screenshot("play-phone-offline")

	// Without a network, the start page, the list of exercises and the search must work. In place of a
	// page that the browser has not stored, the service worker must list the pages that it has stored.
	d.press(`header a[href$="index.html"]`)
	d.Until(`document.querySelector("h1") !== null && document.title.includes("Hyperplane") && location.pathname === "/index.html"`)
	if title := d.get(`document.title`); strings.Contains(title, "Not available") {
		t.Errorf("without a network, the start page has the title %q, want a title without \"Not available\"",
			title)
	}
	d.Go(server.URL + "/exercises.html")
	d.Until(`document.title.startsWith("Exercises")`)
	d.Go(addressOf(server.URL, find(t, "prml-4.7")))
	d.Until(`document.title.startsWith("Not available offline")`)
	d.Screenshot("play-phone-not-here")
	must.Contain(t, d.get(`document.querySelector("main").innerHTML`), addressOf(server.URL, e))
	d.press(`a[href$="search.html"]`)
	d.Until(`document.title.startsWith("Search")`)
	d.Go(addressOf(server.URL, e))
	d.ready()

	p := must.Get(work.Parse([]byte(d.download("[data-do=export]"))))(t).Progress
	if r := p.Peek(e.ID); r.State() != progress.Passed || r.Answer.Tries != 2 || fmt.Sprint(r.Hints) != "[3]" ||
		!r.Offered || r.Revealed {
		t.Errorf("the notebooks read the record %+v, want an exercise passed in 2 tries, with hint 3 as the only seen hint, and with the solution offered but not revealed", r)
	}
	nb := must.Get(nbformat.Parse("download", []byte(d.download("#play-notebook"))))(t)
	found := false
	for _, c := range nb.Cells {
		found = found || c.Source == right
	}
	if !found {
		t.Error("the downloaded notebook does not contain the answer")
	}
}

// TestRoom runs a check and a cell that draws a figure, and opens a variant. The browser must then
// store at most twice as many bytes as it has loaded.
func TestRoom(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	d := openDesk(t, addressOf(site, find(t, "prml-4.25")), browsertest.View{})
	d.judge(right)
	d.run(0)
	d.Go(addressOf(site, find(t, "alpaydin-10.9")) + "?seed=7")
	d.ready()
	var m Manifest
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(siteFolder(t), filepath.FromSlash(ManifestPath)))), &m))
	loaded := m.First("prml-4.25") + m.Packs["alpaydin-10.9"].Size + m.Cells.Size + m.Variants.Size
	d.Until(`document.getElementById("play").dataset.offline === "ready"`)
	keeps := browsertest.Get[float64](d.Page, `navigator.storage.estimate().then((e) => e.usage)`)
	if t.Logf("the page loaded %d bytes, and the browser keeps %.0f bytes", loaded, keeps); keeps < 1e6 || keeps > 2*float64(loaded) {
		t.Errorf("the browser keeps %.0f bytes, want at least 1e6 bytes and at most twice the %d bytes that it has loaded", keeps, loaded)
	}
}

// visibleHints waits until the number of offered hints and the number of open hints equal the two
// arguments.
func (d *desk) visibleHints(offered, open int) {
	d.t.Helper()
	d.Wait(fmt.Sprintf(`document.querySelectorAll("details.hint:not([hidden])").length === %d && document.querySelectorAll("details.hint[open]").length === %d`, offered, open), 20*time.Second)
}

// download clicks a button and returns the text of the file that the browser would save. If the button is
// among the rarely used controls, download unfolds them first.
func (d *desk) download(selector string) string {
	d.t.Helper()
	d.eval(`(() => {
		globalThis.saved = null;
		URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return "#saved"; };
		return true;
	})()`)
	if d.eval(fmt.Sprintf(`document.querySelector(%q).closest("details:not([open])") !== null`, selector)) {
		d.press(".more summary") // unfold the rarely used controls
	}
	d.press(selector)
	d.Until(`globalThis.saved !== null`)
	return d.get(`globalThis.saved`)
}

// TestHints checks that hints appear one after another. If the learner has not tried an answer, the
// solution must appear only after a second request.
func TestHints(t *testing.T) {
	t.Parallel()
	d := openPage(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{})
	for n := range 3 {
		d.visibleHints(n+1, n)
		d.press(fmt.Sprintf("[data-part=hint-%d] summary", n+1))
	}
	d.visibleHints(3, 3)
	const open = `document.querySelector("details.solution").open`
	d.press("details.solution summary")
	d.Until(`!` + open + ` && document.body.innerText.includes("Try an answer of your own first.")`)
	d.press("details.solution summary")
	d.Until(open + ` && document.getElementById("play-record").textContent === "solution seen"`)
	d.wantNoErrors()
}

// TestImport checks that the page imports a valid progress file, and says why it rejects an invalid
// file.
func TestImport(t *testing.T) {
	t.Parallel()
	d := openPage(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{})
	d.press(".more summary") // unfold the rarely used controls
	dir := t.TempDir()
	mine := progress.New()
	r := mine.Exercise("prml-4.25")
	r.Answer.Begin(3)
	r.Answer.Finish(3, 3, true)
	r.SawHint(1)
	good := filepath.Join(dir, "progress.json")
	_, err := progress.File{Path: good}.Update(func(p *progress.Progress) { p.Exercises = mine.Exercises })
	must.Do(t, err)
	for _, tt := range []struct{ text, want string }{
		{"{", "This file is not hyperplane-work.json or progress.json: it is not JSON."},
		{"[]", "another program"},
		{`{"schema":"hyperplane-progress/3","exercises":{}}`, "but this page reads version hyperplane-progress/2"},
		{`{"schema":"hyperplane-progress/1","exercises":{"prml-4.25":{}}}`, "the record of prml-4.25 is damaged"},
		{must.Read(t, good), "was imported"},
	} {
		file := filepath.Join(dir, "given.json")
		must.Do(t, os.WriteFile(file, []byte(tt.text), 0o600))
		d.Choose("[data-do=import]", file)
		d.Until(fmt.Sprintf(`document.querySelector(".work-says").innerText.includes(%q)`, tt.want))
	}
	d.Until(`document.getElementById("play-record").textContent === "✓ passed (1 try)"`)
	back := must.Get(work.Parse([]byte(d.download("[data-do=export]"))))(t)
	if want := must.Get(progress.File{Path: good}.Read())(t); !reflect.DeepEqual(back.Progress, want) {
		t.Errorf("the imported progress is exported as\n%+v\nwant the progress in the imported file\n%+v", back.Progress, want)
	}
	d.visibleHints(2, 0)
	d.wantNoErrors()
}

// TestRefused opens a page where answers cannot be compiled, for example in a browser without
// WebAssembly. The page must report the reason, hide the button Check and remain readable.
func TestRefused(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	address := addressOf(site, find(t, "prml-4.25"))
	for _, tt := range []struct{ name, address, script, want string }{
		{"from a disk", "file://" + must.Get(filepath.Abs(siteFolder(t)))(t) + strings.TrimPrefix(address, site), "",
			"site --serve"},
		{"no WebAssembly", address, `delete globalThis.WebAssembly`, "too old"},
		{"forbidden WebAssembly", address, `WebAssembly.Module = function () { throw new EvalError("refused") }`,
			"wasm-unsafe-eval"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := openPage(t, "about:blank", browsertest.View{})
			d.Before(tt.script)
			d.Go(tt.address)
			d.Until(fmt.Sprintf("%s.includes(%q)", state, tt.want))
			must.Contain(t, d.get(`document.getElementById("play-static").innerText`),
				"panic(verify.TODO)", "ex25.Check(LambdaSquared)")
			if d.eval(`!!document.querySelector("[data-call]").offsetParent`) {
				t.Error("the page offers the button Check although it cannot compile")
			}
			d.Screenshot("play-refused-" + tt.name)
			d.wantNoErrors()
		})
	}
}
