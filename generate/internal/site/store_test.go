package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
)

// A browser imitates a web browser: it runs store.js with its own storage, but without a page.
type browser struct {
	vm *goja.Runtime
	t  *testing.T
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	b := &browser{goja.New(), t}
	b.run(`var writes = 0, listeners = {}, addEventListener = (name, f) => { listeners[name] = f; };
		var document = { readyState: "complete", querySelectorAll: () => [], addEventListener };
		var localStorage = Object.defineProperties({}, Object.fromEntries(Object.entries({
			getItem(k) { return Object.hasOwn(this, k) ? this[k] : null; },
			setItem(k, v) { writes++; this[k] = String(v); },
			removeItem(k) { delete this[k]; },
		}).map(([name, value]) => [name, { value }])));`)
	b.run(string(must.Get(own.ReadFile("store.js"))(t)))
	b.run(`var store = hyperplaneStore;`)
	return b
}

// run runs a script and returns the text of its value.
func (b *browser) run(script string) string {
	b.t.Helper()
	v, err := b.vm.RunString(script)
	if err != nil {
		b.t.Fatalf("%v in %.200s", err, script)
	}
	return v.String()
}

// wantResult runs a script and fails the test unless the script returns the given text.
func (b *browser) wantResult(script, text string) {
	b.t.Helper()
	if got := b.run(script); got != text {
		b.t.Errorf("the script %s returns %q, want %q", script, got, text)
	}
}

// quoteJS returns a text as a literal of JavaScript.
func quoteJS(t *testing.T, text string) string {
	t.Helper()
	return string(must.Get(json.Marshal(text))(t))
}

// progressFile returns the text of the progress file that the notebooks write after the given
// change.
func progressFile(t *testing.T, change func(*progress.Progress)) string {
	t.Helper()
	f := progress.File{Path: filepath.Join(t.TempDir(), progress.Name)}
	_, err := f.Update(change)
	must.Do(t, err)
	return must.Read(t, f.Path)
}

// TestStoreVariants checks that each variant has its own record. Without a seed, store.state must
// return the best state of all variants. A record of schema 1 must count as a record of the common
// variant, whose seed is 0.
func TestStoreVariants(t *testing.T) {
	b := newBrowser(t)
	b.wantResult(`store.state("prml-4.7") + store.state("prml-4.7", 0)`, "nonenone")
	b.run(`localStorage.setItem("hyperplane-progress", JSON.stringify({ schema: "hyperplane-progress/1", exercises: { "prml-4.7": {
		answer: { passed: true, tries: 5, last: null }, steps: null, hints: [], offered: false, revealed: false } } }))`)
	b.wantResult(`store.state("prml-4.7", 0) + " " + store.state("prml-4.7", 7)`, "passed none")
	b.run(`store.change("prml-4.7:7", (r) => { r.answer.tries = 1; })`)
	b.run(`store.change("prml-4.70", (r) => { r.revealed = true; })`)
	b.wantResult(`store.state("prml-4.7", 7) + " " + store.state("prml-4.7") + " " + store.state("prml-4.70")`, "tried passed revealed")
	b.wantResult(`store.record("prml-4.7:7").answer.tries + store.record("prml-4.7").answer.tries`, "6")
	p := must.Get(progress.Parse([]byte(b.run("store.text()"))))(t)
	if len(p.Exercises) != 3 || p.Peek("prml-4.7:7").State() != progress.Tried {
		t.Errorf("the notebooks read the records %+v, want three records, of which the record of variant 7 has the state tried", p.Exercises)
	}
	// When a check ends, the page must write only the record of the checked variant, because another
	// tab may have written other records while the check ran.
	checked := progressFile(t, func(p *progress.Progress) {
		p.Exercise("prml-4.7:7").Answer.Begin(2)
		p.Exercise("prml-4.7:7").Answer.Finish(2, 2, true)
	})
	b.wantResult(`store.save(`+quoteJS(t, checked)+`, "prml-4.7:7")`, "true")
	b.wantResult(`store.state("prml-4.7", 7) + " " + store.state("prml-4.70")`, "passed revealed")
	b.wantResult(`store.save('{"schema": "hyperplane-progress/3", "exercises": {}}', "prml-4.7")`, "false")
}

// TestStoreDue checks that the pages and the notebooks suggest the same exercises to the learner
// for a second try.
func TestStoreDue(t *testing.T) {
	b := newBrowser(t)
	text := progressFile(t, func(p *progress.Progress) {
		for key, date := range map[string]string{"prml-4.1": "2026-11-09", "prml-4.2": "2026-11-10", "prml-4.3": "2026-10-01",
			"prml-4.3:7": "2026-11-20", "prml-4.4:1": "2025-01-01", "prml-4.5": ""} {
			p.Exercise(key).Answer = progress.Attempts{Passed: true, Tries: 1, PassedOn: date}
		}
	})
	b.run(`store.receive(` + quoteJS(t, text) + `)`)
	b.wantResult(`store.due(new Date("2026-11-24T12:00:00Z")).map((d) => d.id + ":" + d.seed).join(" ")`, "prml-4.1:1 prml-4.2:1 prml-4.4:2")
	p := must.Get(progress.Parse([]byte(text)))(t)
	if got := strings.Join(p.Due(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)), " "); got != "prml-4.1 prml-4.2 prml-4.4" {
		t.Errorf("the notebooks suggest %s, want prml-4.1 prml-4.2 prml-4.4", got)
	}
}

// TestStoreWork checks the file to which a page exports all work of a learner. The package `work` must
// be able to read the file, and a second browser must import it. If the browsers have different answers to the
// same exercise, the newer answer must remain. The page must report each such choice. If the learner
// undoes the import, the storage must be the same as before the import, byte for byte. The page must
// refuse a damaged file without writing anything.
func TestStoreWork(t *testing.T) {
	a, b := newBrowser(t), newBrowser(t)
	put := func(in *browser, key, time, source string) {
		in.run(`localStorage.setItem("hyperplane-answer:` + key + `", "` + source + `"); localStorage.setItem("hyperplane-time:` + key + `", "` + time + `")`)
	}
	put(a, "prml-4.1", "2026-11-02T00:00:00Z", "a newer")
	put(a, "prml-4.2", "2026-11-02T00:00:00Z", "a older")
	put(a, "prml-4.3:7", "2026-11-02T00:00:00Z", "a alone")
	put(a, "prml-4.4", "2026-11-02T00:00:00Z", "the same")
	a.run(`store.keepCell("lesson-2/fit", "%% // changed");`)
	a.run(`store.keepGuess("lesson-2:giants", 9); store.keepGuess("lesson-3:factor", null);
		store.change("prml-4.1", (r) => { r.hints = [2]; r.answer = { passed: true, tries: 1, last: null, passed_after: 1, passed_on: "2026-11-02" }; })`)
	put(b, "prml-4.1", "", "b without a time")
	put(b, "prml-4.2", "2026-11-03T00:00:00Z", "b newer")
	put(b, "prml-4.4", "2026-11-01T00:00:00Z", "the same")
	b.run(`store.change("prml-4.1", (r) => { r.hints = [1]; r.answer.tries = 3; })`)

	text := a.run("store.work()")
	f := must.Get(work.Parse([]byte(text)))(t)
	if answer := must.Get(f.Answer("prml-4.3", 7))(t); answer.Source != "a alone" || answer.Time != "2026-11-02T00:00:00Z" ||
		len(f.Answers) != 4 || *f.Guesses["lesson-2:giants"].Value != 9 || f.Cells["lesson-2/fit"].Source != "%% // changed" || f.Progress.Peek("prml-4.1").State() != progress.Passed {
		t.Errorf("package work reads %+v, which differs from the stored work", f)
	}
	before := b.run(`JSON.stringify(Object.entries(localStorage).sort())`)
	b.run(`var got = store.receive(` + quoteJS(t, text) + `)`)
	b.wantResult(`got.report.join("\n")`, `prml-4.1: the answer of the file is newer and replaces yours.
prml-4.2: your answer here is newer and stays.
prml-4.3, variant 7: answer added.
lesson 2, giants: guess added.
lesson 3, factor: guess added.
lesson 2: a changed cell added.
prml-4.1: progress joined.`)
	b.wantResult(`["prml-4.1", "prml-4.2", "prml-4.3:7"].map(store.answer).join("|") + store.guess("lesson-2:giants").value + store.guess("lesson-3:factor").value + store.cell("lesson-2/fit")`,
		"a newer|b newer|a alone9null%% // changed")
	p := must.Get(progress.Parse([]byte(b.run("store.text()"))))(t)
	// The notebooks merge two records with the method Join. The page must merge them into the same
	// record.
	want := progressFile(t, func(p *progress.Progress) {
		r := p.Exercise("prml-4.1")
		r.Answer.Tries = 3
		r.SawHint(1)
		p.Join(f.Progress)
	})
	if got := progressFile(t, func(q *progress.Progress) { q.Exercises = p.Exercises }); got != want {
		t.Errorf("the page merges the records into\n%s\nwant the result of the notebooks\n%s", got, want)
	}
	b.run(`got.undo()`)
	b.wantResult(`JSON.stringify(Object.entries(localStorage).sort())`, before)
	b.wantResult(`store.receive(`+quoteJS(t, text)+`).report.length`, "7")
	b.wantResult(`store.receive(`+quoteJS(t, text)+`).report.join()`, "prml-4.2: your answer here is newer and stays.")

	for name, tt := range map[string]struct{ text, want string }{
		"no JSON":         {"{", "it is not JSON"},
		"another program": {`{"schema": 3}`, `it has no "schema": "hyperplane-progress/2", so it belongs to another program`},
		"newer work":      {strings.Replace(text, "work/1", "work/2", 1), "it has version hyperplane-work/2, but this page reads version hyperplane-work/1"},
		"newer progress":  {strings.Replace(text, "progress/2", "progress/3", 1), "in its progress, it has version hyperplane-progress/3, but"},
		"no answers":      {`{"schema": "hyperplane-work/1"}`, "it contains no answers"},
		"a wrong answer":  {strings.Replace(text, `"source": "a newer"`, `"source": 3`, 1), "the entry prml-4.1 in answers is damaged"},
		"a wrong guess":   {strings.Replace(text, `"value": 9`, `"value": "nine"`, 1), "the entry lesson-2:giants in guesses is damaged"},
		"a wrong cell":    {strings.Replace(text, `"source": "%% // changed"`, `"text": ""`, 1), "the entry lesson-2/fit in cells is damaged"},
		"a wrong record":  {strings.Replace(text, `"hints": [`, `"hint": [`, 1), "in its progress, the record of prml-4.1 is damaged"},
	} {
		if got := b.run(`writes = 0; var r = store.receive(` + quoteJS(t, tt.text) + `); writes + " " + r.bad`); !strings.HasPrefix(got, "0 "+tt.want) {
			t.Errorf("%s: got the number of writes and the error %q, want 0 and an error that begins with %q", name, got, tt.want)
		}
	}
	// The page must also import a progress.json of an earlier release.
	old := must.Get(os.ReadFile("../../course/testdata/work-0.1.0/progress.json"))(t)
	c := newBrowser(t)
	c.wantResult(`store.receive(`+quoteJS(t, string(old))+`).report.length + store.state("prml-4.25", 0)`, "3passed")

	b.run(`localStorage.setItem("hyperplane-theme", "dark"); store.setAside("prml-4.1", "t", "x"); store.keepJudged("prml-4.1/Check", { source: "x", before: null })`)
	b.wantResult(`store.judged("prml-4.1/Check").source + Object.keys(JSON.parse(store.text("prml-4.1", null)).exercises).length`, "x0")
	b.wantResult(`JSON.stringify(store.mine())`, `{"answers":4,"guesses":2,"cells":1,"exercises":1}`)
	b.run(`store.deleteAll()`)
	b.wantResult(`Object.keys(localStorage).join()`, "hyperplane-theme")
}

// TestStoreImport checks what the browser stores about an import for pages that are opened later. A
// later page must be able to undo the import, but the undo must keep everything that has changed since
// the import. An import of more than a day ago can no longer be undone. A later page must also offer
// the answers in the file that are older than the browser's answers.
func TestStoreImport(t *testing.T) {
	a, b := newBrowser(t), newBrowser(t)
	a.run(`for (const k of ["prml-4.1", "prml-4.2", "prml-4.3", "lesson-4"]) {
		localStorage.setItem("hyperplane-answer:" + k, "a " + k); localStorage.setItem("hyperplane-time:" + k, "2026-11-02T00:00:00Z"); }
		store.change("prml-4.1", (r) => { r.answer.passed = true; }); store.change("prml-4.2", (r) => { r.answer.passed = true; });
		store.keepCell("lesson-2/lesson-2-before-you-run-it-3", "x"); store.keepCell("lesson-2/lesson-2-fit", "y");`)
	text := quoteJS(t, a.run("store.work()"))
	b.run(`store.keepAnswer("prml-4.1", "b newer");`)
	before := b.run(`JSON.stringify(Object.entries(localStorage).sort())`)
	b.run(`store.receive(` + text + `, "hyperplane-work.json")`)
	b.wantResult(`store.lastImport().file + " " + store.lastImport().report.join("\n")`, `hyperplane-work.json lesson 4: answer added.
prml-4.1: your answer here is newer and stays.
prml-4.2: answer added.
prml-4.3: answer added.
lesson 2: 2 changed cells added.
prml-4.1: progress added.
prml-4.2: progress added.`)
	b.wantResult(`Object.keys(store.lastImport().offers).join() + store.swapImported("prml-4.1") + store.answer("prml-4.1") + store.lastImport().offers["prml-4.1"].source`,
		"prml-4.1truea prml-4.1b newer")
	// After an import that changes nothing, the earlier import can still be undone.
	b.wantResult(`var again = store.receive(`+text+`); again.changed + again.report.join() + store.lastImport().groups.length`, "false7")
	b.wantResult(`store.undoImport().join() + store.lastImport() + store.undoImport()`, "nullnull")
	b.wantResult(`JSON.stringify(Object.entries(localStorage).sort())`, before)

	c := newBrowser(t)
	c.run(`store.receive(` + text + `); store.keepAnswer("prml-4.2", "written since"); store.change("prml-4.1", (r) => { r.hints = [1]; })`)
	c.wantResult(`store.undoImport().join(" ") + " " + store.answer("prml-4.2") + store.answer("prml-4.3") + store.state("prml-4.1", 0) + store.state("prml-4.2", 0)`,
		"prml-4.1 prml-4.2 written sincenullpassednone")
	c.run(`store.receive(` + text + `); var old = JSON.parse(localStorage.getItem("hyperplane-import")); old.time = "2026-01-01T00:00:00Z"; localStorage.setItem("hyperplane-import", JSON.stringify(old))`)
	c.wantResult(`store.lastImport() + " " + store.undoImport()`, "null null")
}

// TestStoreTimes checks that the page stores a time with each answer. Storing the same text again must
// not write anything. Forgetting the answer must also remove its time.
func TestStoreTimes(t *testing.T) {
	b := newBrowser(t)
	b.wantResult(`store.keepAnswer("prml-4.1", "x"); JSON.parse(store.work()).answers["prml-4.1"].time.slice(0, 2)`, "20")
	b.wantResult(`writes = 0; store.keepAnswer("prml-4.1", "x") + " " + writes`, "true 0")
	b.wantResult(`store.forgetAnswer("prml-4.1"); Object.keys(localStorage).length`, "0")
}

// TestStoreWorked checks the dates on which a reader last worked on each lesson and exercise. An
// answer in a variant, a guess and a changed cell count as work.
func TestStoreWorked(t *testing.T) {
	b := newBrowser(t)
	b.run(`localStorage.setItem("hyperplane-time:prml-4.3:7", "2026-11-03"); localStorage.setItem("hyperplane-time:lesson-1", "2026-11-01");
		localStorage.setItem("hyperplane-guess:lesson-2:with giants", JSON.stringify({ time: "2026-11-02", value: null }));
		localStorage.setItem("hyperplane-cell:lesson-1/fit", JSON.stringify({ time: "2026-11-04", source: "x" }))`)
	b.wantResult(`JSON.stringify(store.worked())`, `{"lesson-1":"2026-11-04","prml-4.3":"2026-11-03","lesson-2":"2026-11-02"}`)
}

// TestMarks checks which result the mark beside an exercise shows. A mark without a seed must show
// the best result of all variants, and name the variant with this result unless it is the common
// variant. A mark with a seed must show the result of the variant with that seed.
func TestMarks(t *testing.T) {
	b := newBrowser(t)
	b.run(`var mark = (seed) => ({ dataset: seed === undefined ? { mark: "prml-4.7" } : { mark: "prml-4.7", seed: String(seed) }, replaceChildren() {} });
		var list = [mark(), mark(0), mark(7), mark(8)];
		document.createElement = () => ({});
		document.querySelectorAll = (s) => (s === "[data-mark]" ? list : []);
		var titles = () => { store.marks(); return list.map((m) => m.title).join("; "); };
		store.change("prml-4.7:7", (r) => { r.answer.passed = true; r.answer.tries = 1; })`)
	b.wantResult(`titles()`, "passed, variant 7; not begun; passed; not begun")
	b.run(`store.change("prml-4.7", (r) => { r.answer.tries = 1; })`)
	b.wantResult(`titles()`, "passed, variant 7; tried; passed; not begun")
	b.run(`store.change("prml-4.7", (r) => { r.answer.passed = true; })`)
	b.wantResult(`titles()`, "passed; passed; passed; not begun")
}

// TestGuessedConstant checks a cell that the reader can run. Before the cell runs, the page must
// replace exercises.NoGuess with the guess that the browser has stored.
func TestGuessedConstant(t *testing.T) {
	b := newBrowser(t)
	b.run(`document.querySelector = (s) => (s === 'form[data-constant="giants"]' ? { dataset: { guess: "lesson-2:giants" } } : null)`)
	b.run(string(must.Get(own.ReadFile("guess.js"))(t)))
	const source = "const giants = exercises.NoGuess // yours\nconst other = exercises.NoGuess"
	b.wantResult(`hyperplaneGuessed(`+quoteJS(t, source)+`)`, source)
	b.run(`store.keepGuess("lesson-2:giants", null)`)
	b.wantResult(`hyperplaneGuessed(`+quoteJS(t, source)+`)`, source)
	b.run(`store.keepGuess("lesson-2:giants", 9.5)`)
	b.wantResult(`hyperplaneGuessed(`+quoteJS(t, source)+`)`, strings.Replace(source, "exercises.NoGuess", "9.5", 1))
}
