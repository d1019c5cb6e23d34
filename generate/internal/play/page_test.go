//go:build playtest

package play

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

const (
	header = "func LambdaSquared() float64 "
	right  = header + "{ return math.Pi / 8 }"
)

// find returns the exercise with the given id.
func find(t *testing.T, id string) *exercise.Exercise {
	t.Helper()
	for _, e := range allExercises(t) {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("there is no exercise %s", id)
	return nil
}

// TestPreparing opens a page while its compiler is being built. The page must show the remaining
// time, let the learner write an answer, and load the compiler as soon as it is built. After a failed
// build, the Check button must try to load the compiler again. The page can show a variant only when
// the compiler is built. Until then, the editor must be read-only, because the stub of the variant
// will replace the text in the editor.
func TestPreparing(t *testing.T) {
	t.Parallel()
	var built atomic.Bool
	var current atomic.Pointer[State]
	files := Handler(siteFolder(t), func() State { return *current.Load() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == path.Base(ManifestPath) && !built.Load() {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d := openPage(t, "about:blank", browsertest.View{})
	open := func(id, query string, s State) {
		built.Store(false)
		current.Store(&s)
		d.Go(addressOf(server.URL, find(t, id)) + query)
	}
	readOnly := func() bool { return d.eval(`document.getElementById("play-answer").readOnly`) }

	open("prml-4.25", "", State{Left: 170})
	d.Until(state + `.includes("being prepared (3 minutes left). You can write")`)
	current.Store(&State{Left: 61})
	d.Until(state + `.includes("(1 minute left)")`)
	d.write(right)
	built.Store(true)
	d.Until(state + `.includes("is ready")`)
	d.check("Check")
	must.Contain(t, d.report(), "passed: all 3 parts right")

	open("prml-4.25", "", State{Failed: "no room"})
	d.Until(state + `.includes("could not be built") && ` + state + `.includes("no room")`)
	built.Store(true)
	d.check("Check")
	must.Contain(t, d.report(), "passed: all 3 parts right")

	open("prml-4.3", "?seed=7", State{Left: 10})
	d.Until(state + `.includes("(less than a minute left). After that, the page shows variant 7.")`)
	if !readOnly() {
		t.Error("the page lets the learner edit a stub that it will replace")
	}
	built.Store(true)
	d.Until(state + `.includes("is ready")`)
	if readOnly() || !strings.Contains(d.taskText(), "atargetofsixentries") {
		t.Error("the page does not show the statement of the variant, or the editor is still read-only")
	}
}

// TestAnswers checks what the page shows for answers that are right, wrong or not attempted, that do not
// compile, that crash, and that do not end.
func TestAnswers(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 1280})
	for _, tt := range []struct {
		name, answer string
		// Texts that the elements play-report, play-trouble and play-says must contain; "" means no text.
		report  string
		trouble string
		says    string
	}{
		{"right", right, "passed: all 3 parts right", "", ""},
		{"stub", header + "{ panic(verify.TODO) }", "·\u00a0not attempted", "", ""},
		{"own import", "import m \"math\"\n\n" + header + "{ return m.Pi / 8 }", "passed", "", ""},
		{"variable named like a package", header + "{ sort := struct{ X float64 }{math.Pi}; return sort.X / 8 }",
			"passed", "", ""},
		{"wrong", header + "{ return math.Sqrt(math.Pi / 8) }", "Your number is λ, not λ²", "", ""},
		{"type error", header + "{\n\tx := 3\n\treturn math.Pi / \"8\"\n}", "", "does not compile", "line 3, column"},
		{"wrong result", "func LambdaSquared() int { return 1 }", "", "does not compile",
			"the call of the check: cannot use LambdaSquared (value of type func() int) as func() float64 value in argument to ex25.Check"},
		{"syntax error", header + "{\n\treturn 1 2\n}", "", "does not compile", "line 2"},
		{"unknown package", header + "{ return mta.Pi }", "", "does not compile", "line 1, column 39: undefined: mta"},
		{"panic", header + "{\n\tvar a []float64\n\treturn a[3]\n}", "in LambdaSquared, at the line: return a[3]", "",
			"index out of range"},
		{"prints", header + "{ fmt.Println(\"here I am\"); return math.Pi / 8 }", "passed", "", "here I am"},
		{"endless loop", header + "{ x := 0.0; for { x++ }; return x }", "stopped: 0 of 3 parts done",
			"Stopped: no output for 10 seconds while part 1 called LambdaSquared.", ""},
		{"recursion", "func f(x float64) float64 { return f(x+1) + 1 }\n\n" + header + "{ return f(0) }",
			"stopped: 0 of 3", "without end: the call stack is full", ""},
		{"memory", header + "{ var s [][]float64; for { s = append(s, make([]float64, 1<<20)) }; return 0 }",
			"stopped: 0 of 3", "gigabyte", ""},
		{"exit", header + "{ os.Exit(0); return 0 }", "stopped: 0 of 3", "os.Exit", ""},
		{"right again", right, "passed: all 3 parts right", "", ""},
	} {
		d.judge(tt.answer)
		for _, part := range []struct{ id, want string }{{"play-report", tt.report}, {"play-trouble", tt.trouble},
			{"play-says", tt.says}} {
			if got := d.text(part.id); !strings.Contains(got, part.want) || part.want == "" && got != "" {
				t.Errorf("%s: the element %s shows %q, want a text that contains %q (\"\" means no text)", tt.name, part.id, got, part.want)
			}
		}
		if below := d.eval(`document.getElementById("play-trouble").previousElementSibling.className === "sum"`); below != strings.HasPrefix(tt.report, "stopped: ") {
			t.Errorf("%s: the message is directly below the summary of the report: %t, want %t", tt.name, below, !below)
		}
		if offered := d.eval(`document.querySelector(".dispute") !== null`); tt.name == "stub" && offered {
			t.Error("the page offers to dispute the verdict on the stub")
		}
		d.Screenshot("play-" + tt.name)
	}
	d.wantNoErrors()
}

// TestWalk follows a reader who opens the start page, finds the exercise and makes a mistake. The
// reader then opens a hint, solves the exercise and runs a cell that uses the answer to draw a
// figure. The test uses a desktop in light mode and a phone in dark mode.
func TestWalk(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	for _, v := range []browsertest.View{{Width: 1280, Height: 900}, {Width: 390, Height: 844, Dark: true}} {
		light := map[bool]string{false: "light", true: "dark"}[v.Dark]
		t.Run(fmt.Sprintf("%d %s", v.Width, light), func(t *testing.T) {
			d := openPage(t, site+"/index.html", v)
			step := func(name string) {
				d.Screenshot(fmt.Sprintf("walk-%d-%s-%s", v.Width, light, name))
				for _, fault := range d.TooWide() {
					t.Errorf("at the step %s, the page is too wide: %s", name, fault)
				}
			}
			d.press(`header a[href="exercises.html"]`)
			d.Until(`document.title.startsWith("Exercises")`)
			d.press(`a[href^="exercises/prml4/25-"]`)
			d.ready()
			step("1-begin")
			d.judge(header + "{ return math.Sqrt(math.Pi / 8) }")
			step("2-wrong")
			d.press("#play-report button")
			d.Until(`document.querySelectorAll("details.hint")[2].open`)
			step("3-hint")
			d.judge(right, "passed: all 3 parts right")
			step("4-right")
			d.press(".try .run")
			d.Until(`document.getElementById("play").dataset.busy === ""`)
			step("5-explore")
			d.wantNoErrors()
		})
	}
}

// TestAnswerInSight checks a wrong answer in a window of small height. The report must scroll in
// its own box. The answer's label and first line, the button Check and the summary of the report
// must all be visible. On a phone, all buttons must be in one row. The height of the button that
// loads the compiler must be at least 24 pixels and at most 0.7 times the height of the button Check.
// The headline of the page must contain the record of the learner's tries.
func TestAnswerInSight(t *testing.T) {
	t.Parallel()
	address := addressOf(serveSite(t), find(t, "prml-4.7"))
	d := openPage(t, address, browsertest.View{Width: 390, Height: 844})
	d.Until(`!document.getElementById("play-load").hidden`)
	rows := browsertest.Get[[]int](d.Page, `[...document.querySelectorAll(".act > button:not([hidden])")].map((e) => Math.round(e.getBoundingClientRect().top))`)
	if slices.Max(rows) != slices.Min(rows) {
		t.Errorf("on a phone the buttons have the vertical positions %v, want equal positions", rows)
	}
	const height = `.getBoundingClientRect().height`
	if load, check := browsertest.Get[float64](d.Page, `document.getElementById("play-load")`+height),
		browsertest.Get[float64](d.Page, `document.querySelector(".act .primary")`+height); load < 24 || load > 0.7*check {
		t.Errorf("the heights of the buttons are %v px (load the compiler) and %v px (Check); want the first between 24 px and 0.7 times the second", load, check)
	}
	d = openDesk(t, address, browsertest.View{Width: 1280, Height: 700})
	const wrong = "func Sigmoid(a float64) float64 { return 1 / (1 + math.Exp(a)) }\n\nfunc Logit(y float64) float64 { return y }"
	d.judge(wrong)
	for _, part := range []string{"#answer-label", ".play .cm-line", ".act .primary", "#play-report .sum"} {
		d.Until(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; })()`, part))
	}
	if !d.eval(`(() => { const e = document.querySelector(".outcome"); return e.scrollHeight > e.clientHeight + 50; })()`) {
		t.Error("the report does not scroll in a window of small height")
	}
	must.Contain(t, d.text("play-record"), "tried once, the last one ")
	// The report must have enough room even if the answer is very long.
	d.judge(strings.Repeat("// A remark.\n", 90) + wrong)
	d.Until(`document.querySelector(".outcome").clientHeight > 100`)
	if !d.eval(`document.getElementById("play-record").closest(".headline") !== null`) {
		t.Error("the record of the learner's tries is not in the headline of the page")
	}
	d.Screenshot("play-answer-in-sight")
	d.wantNoErrors()
}

// TestVerdict checks how the page shows a report. The report must contain a summary, and a bar with one
// step for each part. A right part must be one line that opens on a click. A wrong part must be open,
// with a button that shows its hint. On a wide screen, the editor must be to the right of the task.
func TestVerdict(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 1280})
	left := func(selector string) float64 {
		return browsertest.Get[float64](d.Page, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().left`,
			selector))
	}
	if left(".answer") < left(".task")+300 {
		t.Error("on a wide screen, the editor is not beside the task: want the left edge of the editor at least 300 px to the right of the left edge of the task")
	}
	if n := browsertest.Get[int](d.Page, `document.querySelectorAll("button.primary").length`); n != 1 {
		t.Errorf("the page has %d primary buttons, want 1", n)
	}
	d.judge(header + "{ return math.Sqrt(math.Pi / 8) }")
	must.Contain(t, d.text("play-report"), "not passed: 1 of 3 parts right", "Your number is λ, not λ²", "Show hint 3")
	if strings.Contains(d.text("play-report"), "Hint(") {
		t.Error("the report mentions a call of Hint, which works only in a notebook")
	}
	right := `document.querySelector("#play-report tr.right details")`
	if d.eval(right+`.open`) || browsertest.Get[int](d.Page,
		`document.querySelectorAll("#play-report tr.wrong details").length`) != 0 {
		t.Error("the part that is Right is unfolded, or a part that is Wrong is folded")
	}
	if got := d.get(`[...document.querySelectorAll("#play-report .steps i")].map((i) => i.className).sort().join(" ")`); got != "right wrong wrong" {
		t.Errorf("the bar has the steps %q, want one right and two wrong steps", got)
	}
	// Buttons in the report must have the same left edge as the text of the report. The parts of the page
	// below the editor must have the same left edge as the task.
	for _, pair := range [][2]string{{"#play-report tr.wrong td button", "#play-report tr.wrong td > span"},
		{".dispute button", "#play-report .steps i"}, {".after", ".task"}, {".after .cell", ".task"}} {
		if a, b := left(pair[0]), left(pair[1]); math.Abs(a-b) > 1 {
			t.Errorf("the left edge of %s is at %v, and the left edge of %s at %v; want a difference of at most 1 px", pair[0], a, pair[1], b)
		}
	}
	d.press("#play-report tr.right summary")
	d.Until(right + `.open`)
	d.Until(`document.querySelector("[data-mark]").dataset.state === "tried"`)
	d.wantNoErrors()
}

// TestIncompleteFile checks that the page loads a file of the compiler again if the browser has kept
// only the beginning of the file. Firefox keeps only the beginning if the reader leaves the page
// while the file is loading.
func TestIncompleteFile(t *testing.T) {
	t.Parallel()
	d := openDesk(t, addressOf(serveSite(t), find(t, "prml-4.25")), browsertest.View{Width: 1280})
	d.judge(right, "passed: all 3 parts right")
	cut := browsertest.Get[int](d.Page, `(async () => {
		let cut = 0;
		for (const name of await caches.keys()) {
			if (!name.includes("compiler")) continue;
			const cache = await caches.open(name);
			for (const request of await cache.keys()) {
				if (request.url.endsWith(".whole")) {
					await cache.delete(request);
					continue;
				}
				const bytes = await (await cache.match(request)).arrayBuffer();
				await cache.put(request, new Response(bytes.slice(0, 1000)));
				cut++;
			}
		}
		return cut;
	})()`)
	if cut < 4 {
		t.Fatalf("the browser has kept %d files of the compiler, want at least 4", cut)
	}
	d.Reload()
	d.ready()
	d.check("Check")
	must.Contain(t, d.report(), "passed: all 3 parts right")
	d.wantNoErrors()
}
