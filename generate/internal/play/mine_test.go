//go:build playtest

package play

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
)

// storedValue returns the value of a key in the browser's storage, or "" if the key has no value.
func (d *desk) storedValue(key string) string {
	d.t.Helper()
	return d.get(fmt.Sprintf("localStorage.getItem(%q) || ''", key))
}

// TestTwoTabs writes different texts in two tabs with the same exercise. Both texts must survive. The
// first tab must keep its own text and report that the second tab has stored a different text. Even
// after a reload, the pages must offer both texts.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	e := find(t, "prml-4.25")
	address := addressOf(serveSite(t), e)
	one := openPage(t, address, browsertest.View{})
	const value = `document.getElementById("play-answer").value`
	shows := func(d *desk, want string) {
		t.Helper()
		d.Until(value + ` === ` + quote(t, want))
	}
	answer := func() string { return one.storedValue("hyperplane-answer:prml-4.25") }
	one.write("// the first text")
	one.Until(`localStorage.getItem("hyperplane-answer:prml-4.25") === "// the first text"`)
	two := &desk{one.Tab(address, browsertest.View{}), t}
	shows(two, "// the first text")
	two.write("// the text of tab two")
	one.Until(`document.querySelector(".conflict:not([hidden])")?.innerText.includes("Nothing was overwritten")`)
	must.Contain(t, browsertest.Get[string](one.Page, `document.querySelector(".conflict pre").textContent`),
		"// the text of tab two")
	shows(one, "// the first text")
	one.write("// the text of tab one")
	if got := answer(); got != "// the text of tab two" {
		t.Errorf("tab one has replaced the answer of tab two with %q", got)
	}
	if browsertest.Get[bool](two.Page, `!document.querySelector(".conflict").hidden`) {
		t.Error("tab two reports a conflict although its text is the stored answer")
	}
	// After a reload, the editor of tab one must contain the stored answer, which is the answer of tab
	// two. The page must offer the text of tab one.
	one.Reload()
	shows(one, "// the text of tab two")
	one.press(".conflict summary")
	one.Until(`document.querySelector(".conflict pre").innerText === "// the text of tab one"`)
	one.Screenshot("play-two-tabs")
	// The editor of tab one now contains the stored answer, so a new text replaces the stored answer.
	one.write("// tab one goes on")
	two.Until(`document.querySelector(".conflict:not([hidden]) pre")?.textContent === "// tab one goes on"`)
	two.Reload() // after the reload, the page must offer the earlier texts of both tabs
	shows(two, "// tab one goes on")
	texts := map[string]bool{}
	for range 2 {
		text := browsertest.Get[string](two.Page, `document.querySelector(".conflict:not([hidden]) pre").textContent`)
		texts[text] = true
		if text == "// the text of tab two" {
			two.press(`.conflict [data-do=other]`)
		} else {
			two.press(`.conflict [data-do=this]`)
		}
		two.Until(`document.querySelector(".conflict pre")?.textContent !== ` + quote(t, text))
	}
	if !texts["// the text of tab two"] || !texts["// the text of tab one"] {
		t.Errorf("the page has offered the texts %v, want the texts of both tabs", texts)
	}
	shows(two, "// the text of tab two")
	one.Until(`document.querySelector(".conflict:not([hidden]) pre").textContent === "// the text of tab two"`)
	one.press(`.conflict [data-do=other]`)
	shows(one, "// the text of tab two")
	two.Until(`document.querySelector(".conflict").hidden`)
	const copies = `hyperplaneStore.asides("prml-4.25").filter((a) => a.text === "// the text of tab two").length`
	if left := browsertest.Get[int](one.Page, copies); left > 0 {
		t.Errorf("the browser still stores %d separate copies of the answer, want 0", left)
	}
	for _, d := range []*desk{one, two} {
		d.wantNoErrors()
	}
	if got := answer(); got != "// the text of tab two" {
		t.Errorf("the stored answer is %q, want the text of tab two", got)
	}
}

// TestGuessInThePage makes the guess of lesson 2. Before the guess, the page's text must not
// contain the answer. The page must store the guess. It must also let the reader see the answer
// without a guess, and show the answer when the reader prints the page.
func TestGuessInThePage(t *testing.T) {
	t.Parallel()
	address := serveSite(t) + "/lessons/02-least-squares.html"
	d := openPage(t, address, browsertest.View{Width: 390, Height: 844})
	const text, message = `document.getElementById("main").innerText`, `document.querySelector(".told").innerText`
	hidden := func(when string) {
		t.Helper()
		d.Until(`document.querySelector("form.ask").offsetParent !== null && document.querySelector("details.answer").offsetParent === null`)
		if strings.Contains(d.get(text), "with eight giants: 15") {
			t.Errorf("%s: the page reveals the answer", when)
		}
	}
	hidden("at first")
	d.Center("form.ask")
	d.Screenshot("guess-field")
	d.press("form.ask button[type=submit]") // an empty field does not count as a guess
	hidden("after pressing Show the answer with an empty field")
	d.press("form.ask input")
	d.Type("9")
	d.Press("\r")
	d.Until(message + `.startsWith("with eight giants: 15. You guessed 9, which is too low.")`)
	d.Until(`document.activeElement.classList.contains("told")`)
	d.Screenshot("guess")
	for _, fault := range d.TooWide() {
		t.Error(fault)
	}
	d.Reload()
	d.Until(message + `.includes("You guessed 9") && document.querySelector("form.ask").hidden`)
	d.press(".told button")
	d.Until(`document.activeElement === document.querySelector("form.ask input")`)
	hidden("after pressing Guess again")
	// The Tab key moves the focus past the button "Show the answer" to "No guess, show me".
	d.Press("\t\t")
	d.Until(`document.activeElement.textContent === "No guess, show me"`)
	d.Press("\r")
	d.Until(message + `.startsWith("with eight giants: 15.") && document.querySelector("details.answer").open`)
	if said := d.get(text); strings.Contains(said, "made no guess") {
		t.Error("the page says that the reader made no guess, want no such sentence")
	}
	d.press(".told button")
	hidden("before printing")
	// A printed page must show the answer. After printing, the page must hide the answer again.
	d.eval(`dispatchEvent(new Event("beforeprint"))`)
	d.Until(`document.querySelector("details.answer").open && document.querySelector("details.answer").offsetParent !== null`)
	d.eval(`dispatchEvent(new Event("afterprint"))`)
	hidden("after printing")
	d.wantNoErrors()
}

// TestMyWork exports, deletes and imports all of a learner's work, and undoes an import. It also accepts
// the page's offer to solve the exercise again, which leads to a variant with a separate record.
func TestMyWork(t *testing.T) {
	t.Parallel()
	e := find(t, "prml-4.8")
	site := serveSite(t)
	d := openPage(t, addressOf(site, e), browsertest.View{})
	says := func(want string) {
		t.Helper()
		d.Until(fmt.Sprintf(`document.querySelector(".work-says").innerText.includes(%q)`, want))
	}
	const record = `document.getElementById("play-record").textContent`
	d.write("// mine")
	file := filepath.Join(t.TempDir(), progress.Name)
	_, err := progress.File{Path: file}.Update(func(p *progress.Progress) {
		p.Exercise(e.ID).Answer = progress.Attempts{Passed: true, Tries: 2, PassedAfter: 2, PassedOn: "2020-01-01"}
	})
	must.Do(t, err)
	d.press(".more summary") // unfold the rarely used controls
	d.Choose("[data-do=import]", file)
	says("prml-4.8: progress added.")
	d.Until(record + ` === "✓ passed (2 tries)"`)

	text := d.download("[data-do=export]")
	says("hyperplane-work.json was saved by your browser: 1 answer, 0 guesses, 0 changed cells and the progress of 1 exercise.")
	f := must.Get(work.Parse([]byte(text)))(t)
	if a := must.Get(f.Answer(e.ID, 0))(t); a.Source != "// mine" || a.Time == "" ||
		f.Progress.Peek(e.ID).State() != progress.Passed {
		t.Errorf("the exported file contains %+v, want the answer with its time, and a passed exercise", f)
	}
	d.press("[data-do=delete]")
	says("deletes from this browser 1 answer, 0 guesses, 0 changed cells and the progress of 1 exercise, with the hints")
	says("What stays: the choice of light or dark")
	d.Press("\r") // The focus is on the button Keep, so Enter must not delete anything.
	says("Nothing was deleted.")
	if d.storedValue("hyperplane-answer:prml-4.8") != "// mine" {
		t.Error("the answer was deleted without confirmation")
	}
	d.press("[data-do=delete]")
	d.press("[data-do=delete-all]")
	says("Your data were deleted.")
	d.Until(record + ` === "not begun"`)
	const left = `Object.keys(localStorage).filter((k) => /answer|time|guess|aside|progress/.test(k)).join()`
	if got := d.get(left); got != "" {
		t.Errorf("after all data were deleted, the browser still stores %s", got)
	}
	d.Reload()
	d.press(".more summary")
	exported := filepath.Join(t.TempDir(), work.FileName)
	must.Write(t, exported, text)
	d.Choose("[data-do=import]", exported)
	says("prml-4.8: answer added.")
	// The imported answer conflicts with the stub in the editor.
	d.Until(`document.querySelector(".conflict:not([hidden])")`)
	d.press("[data-do=undo]")
	says("The import was undone.")
	d.Until(record + ` === "not begun" && document.querySelector(".conflict").hidden`)
	d.Choose("[data-do=import]", exported)
	d.Until(record + ` === "✓ passed (2 tries)"`)
	d.press(`.conflict [data-do=other]`)
	d.Until(`document.getElementById("play-answer").value === "// mine"`)

	d.press(".again a")
	d.Until(`location.search === "?seed=1" && ` + record + ` === "not begun"`)
	d.Go(site + "/index.html")
	d.Until(`document.querySelector(".again:not([hidden]) a")?.getAttribute("href").endsWith(".html?seed=1")`)
	d.wantNoErrors()
}

// TestImportLater imports a file whose answer is older than the answer in the browser. The page must
// keep the answer in the browser and offer the answer in the file. A page that the learner opens later
// must still offer to undo the import.
func TestImportLater(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	address := addressOf(site, find(t, "prml-4.8"))
	d := openPage(t, address, browsertest.View{})
	const value, says = `document.getElementById("play-answer").value`, `document.querySelector(".work-says").innerText`
	d.write("// mine")
	file := filepath.Join(t.TempDir(), work.FileName)
	must.Write(t, file, `{"schema": "hyperplane-work/1", "guesses": {}, "answers": {"prml-4.8": {"time": "2020-01-01T00:00:00Z", "source": "// of the file"}},
		"progress": {"schema": "hyperplane-progress/2", "exercises": {"prml-4.8": {"answer": {"passed": true, "tries": 2, "last": null}, "steps": null, "hints": [], "offered": false, "revealed": false}}}}`)
	d.press(".more summary") // unfold the rarely used controls
	d.Choose("[data-do=import]", file)
	d.Until(says + `.includes("prml-4.8: your answer here is newer and stays. Take the answer of the file")`)
	d.press("[data-do=take]")
	d.Until(value + ` === "// of the file" && document.querySelector("[data-do=take]").innerText === "Back to my answer" && ` + says + `.includes("prml-4.8: you took the answer of the file.") && document.querySelector(".conflict").hidden`)
	d.Screenshot("play-import")
	d.Go(site + "/index.html")
	d.Until(says + `.startsWith("hyperplane-work.json was imported on ")`)
	d.Screenshot("play-import-later")
	d.press("[data-do=undo]")
	d.Until(says + ` === "The import was undone."`)
	d.Go(address)
	d.Until(value + ` === "// mine" && document.getElementById("play-record").textContent === "not begun"`)
	d.press(".more summary")
	for _, want := range []string{"hyperplane-work.json was imported:", "Nothing new in this file:"} {
		d.Choose("[data-do=import]", file)
		d.Until(says + `.startsWith(` + quote(t, want) + `)`)
	}
	d.wantNoErrors()
}

// TestSameMistake makes the same mistake three times. The page must count the repetitions, offer
// the hint, and finally say that no part has changed. When the learner disputes the verdict, the text
// of the dispute must contain the exercise, the seed, the version, the answer and the report.
func TestSameMistake(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{})
	wrong := header + "{ return 8 / math.Pi }"
	for i, want := range []string{"reciprocal", "in 2 of your last 2 tries.", "Since the previous try, no part has changed"} {
		d.judge(wrong+fmt.Sprintf(" // try %d", i+1), want)
	}
	if said := d.get(`[...document.querySelectorAll("#play-report > div > p")].map((p) => p.innerText).join()`); strings.Contains(said, "Hint(") ||
		!strings.Contains(said, "Show hint ") {
		t.Errorf("the page mentions a call of Hint, which works only in a notebook, or does not show the button that opens the hint:\n%s", d.report())
	}
	d.press("#play-report p button") // open the hint with the button in the line about the repeated mistake
	d.Until(`document.querySelector("details.hint[open]") !== null`)
	d.press(".dispute button")
	text := d.get(`document.getElementById("play-dispute").value`)
	must.Contain(t, text, "Exercise: prml-4.25, seed 0\nVersion: ", "Answer:\n\n"+wrong+" // try 3\n\nReport:\n",
		"not passed: ")
	must.Contain(t, d.get(`document.querySelector(".dispute a").href`), "https://github.com/hyperplane-notebooks/hyperplane/issues")
	if top := browsertest.Get[float64](d.Page, `document.getElementById("play-dispute").scrollTop`); top != 0 {
		t.Errorf("the text of the dispute is scrolled by %g pixels, want 0", top)
	}
	d.Screenshot("play-dispute")
	d.press(".dispute button:last-child") // Close
	d.Until(`document.activeElement.textContent === "This verdict is wrong" && document.getElementById("play-dispute") === null`)
	d.wantNoErrors()
}

// TestUnchangedAnswer checks the same answer three times, the last time after a reload. Each time, the
// page must judge the answer, but it must count only one try. A changed text must count as a new try.
// The page must scroll the verdict into view.
func TestUnchangedAnswer(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 390, Height: 500})
	wrong := header + "{ return 8 / math.Pi }"
	const seen = `(() => { const r = document.querySelector(".outcome").getBoundingClientRect(); return r.height > 50 && r.top > -1 && r.top < innerHeight - 50; })()`
	tries := func(want string) {
		t.Helper()
		if got := d.text("play-record"); !strings.HasPrefix(got, "tried "+want) {
			t.Errorf("the page shows the record %q, want one that begins with \"tried %s\"", got, want)
		}
	}
	d.judge(wrong)
	d.Until(seen)
	tries("once")
	report := d.report()
	for _, again := range []func(){func() {}, func() { d.Reload(); d.ready() }} {
		again()
		d.check("Check")
		d.Until(state + `.includes("this does not count as a new try")`)
		tries("once")
		if got := d.report(); got != report {
			t.Errorf("checking the same text again gives\n%s\nwant\n%s", got, report)
		}
	}
	d.judge(wrong + " // changed")
	tries("twice")
	d.wantNoErrors()
}

// TestMarkOfVariant checks that passing a variant marks only that variant, and that the list of
// exercises names the variant.
func TestMarkOfVariant(t *testing.T) {
	t.Parallel()
	site, e := serveSite(t), find(t, "prml-4.3")
	d := openPage(t, site+"/exercises.html", browsertest.View{})
	d.eval(`hyperplaneStore.change("prml-4.3:7", (r) => { r.answer.passed = true; r.answer.tries = 2; })`)
	d.Reload()
	d.Until(`document.querySelector('[data-mark="prml-4.3"]').title === "passed, variant 7"`)
	const marks = `[...document.querySelectorAll('[data-mark="prml-4.3"]')].map((m) => m.dataset.state).join()`
	d.Go(addressOf(site, e))
	d.Until(`document.getElementById("play-record").textContent === "not begun" && ` + marks + ` === "none"`)
	d.Go(addressOf(site, e) + "?seed=7")
	d.Until(`document.getElementById("play-record").textContent === "✓ passed (2 tries)" && ` + marks + ` === "passed"`)
	d.wantNoErrors()
}

// TestStubAgain replaces an answer with the stub. The page must then offer to restore the answer,
// even after a reload, until the learner edits the stub.
func TestStubAgain(t *testing.T) {
	t.Parallel()
	d := openPage(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 390})
	const offer, value = `document.querySelector(".replaced").innerText`, `document.getElementById("play-answer").value`
	for _, reload := range []bool{false, true} {
		d.write("// mine")
		d.press("#play-reset")
		d.Until(offer + `.startsWith("The stub is back.")`)
		if reload {
			d.Reload()
			d.Until(offer + `.startsWith("The stub is back.")`)
			d.Screenshot("play-stub-again")
		}
		d.press("[data-do=answer-back]")
		d.Until(value + ` === "// mine" && ` + offer + ` === ""`)
		d.Until(`document.activeElement.classList.contains("cm-content")`)
		if got := d.storedValue("hyperplane-answer:prml-4.25"); got != "// mine" {
			t.Errorf("after Undo the browser stores the answer %q, want // mine", got)
		}
	}
	d.press("#play-reset")
	d.Until(offer + `.startsWith("The stub is back.")`)
	d.write("// another answer")
	d.Until(offer + ` === ""`)
	if got := d.storedValue("hyperplane-replaced:prml-4.25"); got != "" {
		t.Errorf("after an edit, the browser still stores the replaced answer %q", got)
	}
	d.wantNoErrors()
}

// TestChangedSinceVerdict changes an answer after a check. The page must mark the report as outdated
// until the editor contains the judged text again.
func TestChangedSinceVerdict(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 1280})
	const marked = `document.querySelector(".outcome.of-before .stale")?.innerText === "You have changed your answer since this verdict."`
	for _, answer := range []string{right, header + "{ return lambda }"} { // the second answer does not compile
		d.judge(answer)
		if d.eval(marked) {
			t.Errorf("%s: the outcome is marked as outdated although the answer has not changed", answer)
		}
		d.write(answer + " // changed")
		d.Until(marked)
		d.Screenshot("play-changed")
		d.write(answer)
		d.Until(`!(` + marked + `)`)
	}
	d.wantNoErrors()
}
