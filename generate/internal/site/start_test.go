package site

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// serveFiles serves the files of a site and returns the address.
func serveFiles(t *testing.T, site files.Tree) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		data, ok := site[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, name, time.Time{}, strings.NewReader(string(data)))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// progressScript is a script that stores the progress of a learner who passed lesson 1 and its
// exercise, tried PRML exercise 4.2 and looked at the solution of PRML exercise 4.3.
const progressScript = `localStorage.setItem("hyperplane-progress", JSON.stringify({ schema: "hyperplane-progress/1", exercises: Object.fromEntries(
	[["lesson-1", true, 1, false], ["alpaydin-10.2", true, 2, false], ["prml-4.2", false, 3, false], ["prml-4.3", false, 0, true]].map(([id, passed, tries, revealed]) =>
		[id, { answer: { passed, tries, last: null }, steps: null, hints: [], offered: false, revealed }])) })), true`

// notebooksOf counts the committed notebooks that match `pattern`. It counts files and does not use
// the catalogue. Therefore the count also includes a lesson or an exercise that is missing from the
// catalogue by mistake.
func notebooksOf(t *testing.T, pattern string) int {
	t.Helper()
	found := must.Get(fs.Glob(module(t), Folder+"/"+pattern))(t)
	if len(found) == 0 {
		t.Fatalf("no notebooks match %s", pattern)
	}
	return len(found)
}

// TestStartPage checks the start page as it is when the browser runs no scripts. The page must
// contain one primary button, the numbers of the figure in a sentence, and a card for each lesson. A
// card must contain the marks of the lesson's task and exercises. The page must not contain a cell of
// the map (startNotebook), or the progress of the person who executed the map. TestStartPage also
// checks the pictures of the cards and the page of lesson 2.
func TestStartPage(t *testing.T) {
	o, site := committedSite()
	start := string(site["index.html"])
	lessons, exercises := notebooksOf(t, "lessons/*.ipynb"), notebooksOf(t, "exercises/[a-z]*[0-9]/*.ipynb")
	must.Contain(t, start, `<a class="primary large" id="start" href="lessons/01-lines.html">Start: lesson 1, Lines and regions</a>`,
		"In words: of the 100 flowers, least squares misclassifies 6, and 10 when five giants are added. Logistic regression misclassifies 6, and 6 with the giants.",
		fmt.Sprintf(`<h2 id="%d-lessons">%[1]d lessons</h2>`, lessons), fmt.Sprintf(">%d exercises</a>", exercises),
		fmt.Sprintf(">%d figures</a>", len(o.Figures.Manifest.Figures)),
		`<summary>When you are stuck</summary>`, `<summary>In Jupyter</summary>`)
	for _, l := range o.Course.Lessons {
		if l.Number() == "" {
			continue
		}
		must.Contain(t, start, fmt.Sprintf(`<a href="%s"><span class="no">%s</span> `, pageOf(l.Path()), l.Number()),
			`<i class="mark" data-mark="`+l.ID+`"></i>`)
		for _, id := range l.Exercises {
			must.Contain(t, start, `<i class="mark" data-mark="`+id+`"></i>`)
		}
	}
	if strings.Contains(string(site["lessons/02-least-squares.html"]), "run the cell, then the one below") {
		t.Error("the task of lesson 2 says how to run its cells, but the page has a button instead")
	}
	for _, not := range []string{"toolkit.MadeWith", "exercises.Progress", "exercises passed, ", "<pre"} {
		if strings.Contains(start, not) {
			t.Errorf("the start page contains %q, which must not be on it", not)
		}
	}
	if n := strings.Count(start, `class="primary`); n != 1 {
		t.Errorf("the start page has %d primary buttons, want 1", n)
	}
	for _, e := range must.Get(pictures.ReadDir("pictures"))(t) {
		if data := must.Get(pictures.ReadFile("pictures/" + e.Name()))(t); len(data) > 1500 ||
			regexp.MustCompile(`#[0-9a-f]{3}|rgb`).Match(data) {
			t.Errorf("the picture %s has %d bytes, want at most 1500 bytes and only colours from CSS classes", e.Name(), len(data))
		}
	}
	lesson := string(site["lessons/02-least-squares.html"])
	must.Contain(t, lesson, `<ul class="plan" aria-label="Exercises of the lesson">`,
		`data-mark="lesson-2"></i> <a href="#Your-turn">Your turn</a>`,
		`data-mark="prml-4.2"></i> <a href="../exercises/prml4/02-`,
		`<span data-count="lesson-2 prml-4.2 prml-4.3" data-words=" passed">`)
	if strings.Contains(lesson, "exercises.Progress") || strings.Contains(lesson, "exercises passed, ") {
		t.Error("the lesson shows the progress of the person who executed it")
	}
	if picture, code := strings.Index(lesson, "<img "), strings.Index(lesson, `>flowers</span>`); picture < 0 ||
		picture > code {
		t.Errorf("the first picture is at position %d and the code at position %d, want a picture before the code", picture, code)
	}
}

// TestGiants moves the giants of the start page with the keys, with the mouse and with a finger. While
// the giants are at their initial place, the numbers must equal the results of the toolkit's fits. The
// key Home must move the giants back to this place.
func TestGiants(t *testing.T) {
	_, site := committedSite()
	p := browsertest.Open(t, serveFiles(t, site)+"index.html", browsertest.View{Width: 1280})
	const numbers = `document.getElementById("least-squares").textContent + " " + document.getElementById("logistic").textContent`
	shows := func(want string) { t.Helper(); p.Until(fmt.Sprintf("%s === %q", numbers, want)) }
	f := must.Get(giantsData())(t)
	both := func(m miscount) string { return fmt.Sprint(m.LeastSquares, " ", m.Logistic) }
	p.Until(`document.querySelector(".grab text")`) // wait for the text that the figure shows after its opening animation
	shows(both(f.After))
	if f.After.LeastSquares == 15 {
		t.Error("the figure shows the number that lesson 2 asks the reader to guess")
	}
	focus := func() { browsertest.Get[bool](p, `document.querySelector(".grab").focus(), true`) }
	focus()
	for range 8 { // Move the giants to a petal length of 3 cm, where they cost least squares fewer errors than at the start.
		p.Key(kb.ArrowLeft, chromedp.ModifierShift)
	}
	p.Until(`document.querySelector(".grab").getAttribute("aria-valuenow") === "3.0"`)
	if got := browsertest.Get[string](p, numbers); got == both(f.After) {
		t.Errorf("the giants have moved, but the numbers are still %s", got)
	}
	p.Key(kb.Home)
	shows(both(f.After))
	at := p.Center(".grab")
	p.Drag(at, browsertest.Point{X: at.X - 200, Y: at.Y + 40})
	p.Until(`Number(document.querySelector(".grab").getAttribute("aria-valuenow")) < 8`)
	if p.Errors() != nil {
		t.Errorf("the page reported the errors %q", p.Errors())
	}

	// A swipe that starts on the giants must move the giants and must not scroll the page. A swipe
	// that starts beside them must scroll the page.
	phone := browsertest.Open(t, serveFiles(t, site)+"index.html", browsertest.View{Width: 390, Height: 600, Touch: true})
	phone.Until(`document.querySelector(".grab text")`)
	at = phone.Center(".grab")
	top := browsertest.Get[float64](phone, "scrollY")
	phone.Swipe(-60, 90, at)
	phone.Until(`Number(document.querySelector(".grab").getAttribute("aria-valuenow")) < 10`)
	if got := browsertest.Get[float64](phone, "scrollY"); got != top {
		t.Errorf("a finger on the giants scrolls the page by %g pixels, want 0", got-top)
	}
	phone.Swipe(0, -90, browsertest.Point{X: 80, Y: at.Y})
	phone.Until(fmt.Sprintf("scrollY > %g", top+40))
}

// TestContinue checks that the start page and the page of lesson 1 show the progress that the browser
// has stored. If another tab changes this progress, the start page must show the change.
func TestContinue(t *testing.T) {
	_, site := committedSite()
	address := serveFiles(t, site)
	p := browsertest.Open(t, address+"index.html", browsertest.View{Width: 1280})
	button := `document.getElementById("start").textContent`
	p.Until(button + `.startsWith("Start: lesson 1,")`)
	browsertest.Get[bool](p, progressScript)
	p.Reload()
	p.Until(button + ` === "Continue: lesson 2, Least squares"`)
	p.Until(`document.querySelector(".card.next").dataset.lesson === "lesson-2"`)
	for id, want := range map[string]string{"lesson-1": "passed", "prml-4.2": "tried", "prml-4.3": "revealed",
		"prml-4.7": "none"} {
		got := browsertest.Get[string](p, fmt.Sprintf(`hyperplaneStore.state(%q) + " " + document.querySelector('[data-mark=%q]').dataset.state`, id, id))
		if got != want+" "+want {
			t.Errorf("the state and the mark of %s are %q, want %s twice", id, got, want)
		}
	}
	// The reader worked on lesson 5 and then on lesson 4. The start page must suggest
	// lesson 4 until the reader has passed the task of lesson 4.
	browsertest.Get[bool](p, `["5", "4"].forEach((n, i) => localStorage.setItem("hyperplane-guess:lesson-" + n + ":x", JSON.stringify({ time: "2026-11-0" + (i + 1), value: 1 }))), dispatchEvent(new StorageEvent("storage")), true`)
	p.Until(button + `.startsWith("Continue: lesson 4,") && document.querySelector(".card.next").dataset.lesson === "lesson-4"`)
	browsertest.Get[bool](p, `hyperplaneStore.change("lesson-4", (r) => { r.answer.passed = true; }), dispatchEvent(new StorageEvent("storage")), true`)
	p.Until(button + `.startsWith("Continue: lesson 5,")`)
	// If the reader last worked on an exercise and has not passed it, the start page must suggest this
	// exercise.
	browsertest.Get[bool](p, `hyperplaneStore.keepAnswer("prml-4.7", "func"), dispatchEvent(new StorageEvent("storage")), true`)
	p.Until(button + ` === "Continue: PRML exercise 4.7" && document.getElementById("start").href.includes("exercises/prml4/07-")`)
	if got := browsertest.Get[string](p, `document.querySelector('[data-lesson="lesson-1"] [data-count]').textContent`); got != "2 of 2 passed" {
		t.Errorf("the card of lesson 1 shows %q, want \"2 of 2 passed\"", got)
	}
	browsertest.Get[bool](p, `localStorage.clear(), dispatchEvent(new StorageEvent("storage")), true`)
	p.Until(button + `.startsWith("Start: lesson 1,") && document.querySelector('[data-mark="lesson-1"]').dataset.state === "none"`)
	browsertest.Get[bool](p, progressScript)
	p.Go(address + "lessons/01-lines.html")
	p.Until(`document.querySelector('.plan [data-mark="lesson-1"]').dataset.state === "passed"`)
}

// TestContents scrolls a lesson. The table of contents must mark the section in view. The search page
// must have no table of contents and only one search field, and must show the kind of a result.
func TestContents(t *testing.T) {
	_, site := committedSite()
	address := serveFiles(t, site)
	p := browsertest.Open(t, address+"lessons/01-lines.html", browsertest.View{Width: 1280, Height: 800})
	for _, n := range []int{3, 1} {
		link := fmt.Sprintf(`document.querySelectorAll(".contents a")[%d]`, n)
		browsertest.Get[bool](p, `(document.getElementById(decodeURIComponent(`+link+`.hash.slice(1))).scrollIntoView({ behavior: "instant" }), true)`)
		p.Until(`document.querySelectorAll(".contents [aria-current]").length === 1 && ` + link + `.hasAttribute("aria-current")`)
	}
	p.Go(address + "search.html?q=lesson+7")
	p.Until(`document.querySelector("#results .kind")?.textContent === "lesson 7"`)
	if n := browsertest.Get[int](p, `document.querySelectorAll(".contents, input[type=search]").length`); n != 1 {
		t.Errorf("the search page has %d tables of contents and search fields, want only one search field", n)
	}
	for _, fault := range p.TooWide() {
		t.Error(fault)
	}
}

// TestList chooses exercises with the list's chips (buttons) and with words in the search field.
// The page's address must contain the choice, and a reload must keep it.
func TestList(t *testing.T) {
	_, site := committedSite()
	address := serveFiles(t, site)
	p := browsertest.Open(t, address+exerciseList, browsertest.View{Width: 390, Height: 844})
	browsertest.Get[bool](p, progressScript)
	p.Reload()
	exercises := notebooksOf(t, "exercises/[a-z]*[0-9]/*.ipynb")
	const shown = `[...document.querySelectorAll(".exercises > li")].filter((i) => !i.hidden).map((i) => i.dataset.id).join(" ")`
	shows := func(want string) { t.Helper(); p.Until(fmt.Sprintf("%s === %q", shown, want)) }
	chip := func(selector string) { p.Click(p.Center(".chip" + selector)) }
	chip(`[data-state=passed]`)
	shows("alpaydin-10.2")
	chip(`[data-state=tried]`)
	shows("prml-4.2 alpaydin-10.2")
	chip(`[data-book=prml]`)
	shows("prml-4.2")
	p.Until(`location.search === "?state=tried+passed&book=prml"`)
	p.Reload()
	shows("prml-4.2")
	browsertest.Get[bool](p, `document.getElementById("find").focus(), true`)
	p.Press("nothing like it")
	p.Until(`!document.getElementById("none").hidden && document.getElementById("found").textContent === ` + fmt.Sprintf(`"0 of %d exercises"`, exercises))
	p.Click(p.Center("#clear"))
	p.Until(fmt.Sprintf(`document.getElementById("found").textContent === "%d exercises" && location.search === ""`, exercises))
	p.Press("softmax")
	p.Until(shown + `.split(" ").length < 10 && ` + shown + `.includes("prml-4.17")`)
	for _, fault := range p.TooWide() {
		t.Error(fault)
	}
	p.Click(p.Center(`[data-id="prml-4.17"] .name a`))
	p.Until(`location.pathname.includes("exercises/prml4/17-")`)
}
