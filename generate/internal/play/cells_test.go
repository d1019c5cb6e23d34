//go:build playtest

package play

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// run clicks the Run button of runnable cell i, counted from 0, and waits until the cell has finished.
func (d *desk) run(i int) {
	d.t.Helper()
	d.eval(fmt.Sprintf(`(document.querySelectorAll(".try .run")[%d].click(), true)`, i))
	d.Wait(`document.getElementById("play").dataset.busy === ""`, 2*time.Minute)
}

// writeCell replaces the source of a cell that is open for editing. The argument `cell` is a CSS selector.
func (d *desk) writeCell(cell, source string) {
	d.t.Helper()
	d.press(cell + " .cm-content")
	d.Key("a", chromedp.ModifierCtrl)
	d.Type(source)
}

// printedText returns the text in the result of runnable cell i, and the number of pictures in this
// result. It counts only pictures that are wider than 100 pixels and have an alternative text.
func (d *desk) printedText(i int) (text string, pictures int) {
	d.t.Helper()
	box := fmt.Sprintf(`document.querySelectorAll(".try")[%d].querySelector(".result:not(.before)")`, i)
	return d.get(`[...` + box + `.querySelectorAll("pre, p")].map((e) => e.textContent).join("")`),
		browsertest.Get[int](d.Page, `[...`+box+
			`.querySelectorAll("img")].filter((e) => e.naturalWidth > 100 && e.alt !== "").length`)
}

// TestLessonCells runs those cells of lessons that are marked with “go try”. In the page, these cells
// must print the same text as in the kernel, and show the same number of pictures. Lessons do not
// mark cells that run a Markov chain, because the last bits of exp and log differ in the page, and a
// Markov chain amplifies this difference.
func TestLessonCells(t *testing.T) {
	t.Parallel()
	site, cells := serveSite(t), 0
	var d *desk
	const every = 4 // by default, the test runs only every fourth lesson
	least := 23
	for n, l := range must.Get(catalog.Lessons(os.DirFS(root)))(t) {
		if os.Getenv("HYPERPLANE_PLAY_ALL") == "" {
			if least = 4; n%every != 0 {
				continue
			}
		}
		nb := must.Get(nbformat.Parse(l.Path(), []byte(must.Read(t, path.Join(root, "notebooks", l.Path())))))(t)
		var marked []*nbformat.Cell
		for _, c := range nb.Cells {
			if tags, _ := c.Metadata["tags"].([]any); slices.Contains(tags, any("try")) {
				marked = append(marked, c)
			}
		}
		if len(marked) == 0 {
			continue
		}
		address := site + "/" + strings.TrimSuffix(l.Path(), ".ipynb") + ".html"
		if d == nil {
			d = openDesk(t, address, browsertest.View{Width: 1280})
		} else {
			d.Go(address)
			d.ready()
		}
		for _, c := range marked {
			want, pictures := "", 0
			for _, o := range c.Outputs {
				if _, text := o.Stream(); o.Data("image/png") == nil {
					want += text
				} else {
					pictures++
				}
			}
			began, i := time.Now(), browsertest.Get[int](d.Page, fmt.Sprintf(`[...document.querySelectorAll(".try")]
				.findIndex((box) => JSON.parse(box.dataset.cell).id === %q)`, c.ID))
			d.run(i)
			got, drawn := d.printedText(i)
			t.Logf("%s: %d pictures, %v", c.ID, drawn, time.Since(began).Round(time.Millisecond))
			if got != want || drawn != pictures {
				t.Errorf("%s: got the text\n%s\nwith %d pictures, want\n%s\nwith %d pictures",
					c.ID, got, drawn, want, pictures)
			}
			cells++
		}
	}
	d.Screenshot("play-lesson")
	d.wantNoErrors()
	if cells < least {
		t.Errorf("the test ran only %d cells, want at least %d", cells, least)
	}
}

// TestExplore checks a cell of the section Explore, which uses the learner's answer. With the stub,
// the cell must report that it needs an answer. With an answer, it must draw a picture. The learner
// must be able to edit the cell and to restore the original, and errors must name the line in the
// cell.
func TestExplore(t *testing.T) {
	t.Parallel()
	e := find(t, "prml-4.25")
	d := openDesk(t, addressOf(serveSite(t), e), browsertest.View{Width: 1280})
	d.run(0)
	if text, pictures := d.printedText(0); !strings.Contains(text, "This cell needs your LambdaSquared") || pictures != 0 {
		t.Errorf("with the stub, the cell prints %q and shows %d pictures, want a note about the missing answer and no picture", text, pictures)
	}
	d.write(right)
	d.run(0)
	if _, pictures := d.printedText(0); pictures == 0 {
		t.Error("the cell that uses the answer draws no picture")
	}
	d.Screenshot("play-explore")
	d.press(".try button:nth-of-type(2)") // Change
	d.press(".try .cm-content")
	d.Type("oops\n")
	d.run(0)
	says := d.get(`document.querySelector(".try [role=status]").textContent`)
	text, _ := d.printedText(0)
	must.Contain(t, says, "does not compile")
	must.Contain(t, text, "line ")
	d.press(".try button:nth-of-type(3)") // Back to the original
	d.run(0)
	if _, pictures := d.printedText(0); pictures == 0 {
		t.Error("the restored cell draws no picture, want at least one")
	}
	d.wantNoErrors()
}

// unfold opens the code of a cell if the code is folded below the cell's picture. The argument `cell` is
// a CSS selector.
func (d *desk) unfold(cell string) {
	d.t.Helper()
	if d.eval(fmt.Sprintf(`document.querySelector(%q).querySelector("details:not([open])") !== null`, cell)) {
		d.press(cell + " summary")
	}
}

// TestMuchOutput checks that a large output causes few updates of the page, and that the page cuts
// the output and adds a note. The learner must be able to stop a program that keeps printing. If a
// program does not end, the page itself must stop the program. It must report why the program stopped.
func TestMuchOutput(t *testing.T) {
	t.Parallel()
	const says, out = `document.querySelector(".try [role=status]").textContent`,
		`document.querySelector(".try .result:not(.before)").textContent`
	const cut = "… The page shows the first 100000 characters. The rest is left out.\n"
	d := openDesk(t, serveSite(t)+"/lessons/01-lines.html", browsertest.View{Width: 1280})
	d.unfold(".try")
	d.press(".try button:nth-of-type(2)") // Change
	d.eval(`(() => {
		globalThis.changes = 0;
		new MutationObserver((list) => { changes += list.length; }).observe(document.querySelector(".try"), { childList: true, characterData: true, subtree: true });
		return true;
	})()`)
	for _, tc := range []struct {
		name, source, stopAt string
		says, begins, ends   string
	}{
		{"ends", "for i := range 30000 {\n\tfmt.Println(i)\n}", "", "", "0\n1\n",
			cut + "… 68890 characters were left out.\n"},
		{"long line", "fmt.Print(strings.Repeat(\"x\", 100001))", "", "", "xx",
			cut + "… 1 characters were left out.\n"},
		{"stopped", "for i := 0; ; i++ {\n\tfmt.Println(i)\n}", out + ".includes(\"left out\")", "Stopped.", "0\n1\n",
			cut},
		{"endless", "for i := 0; ; i++ {\n\tfmt.Println(i)\n}", "", "Stopped: after more output than the page shows",
			"0\n1\n", cut},
		{"silent", "fmt.Println(\"a\")\nfmt.Println(\"b\")\nfor {\n}", "", "Stopped: no output", "a\nb\n", "b\n"},
	} {
		d.writeCell(".try", "%%\n"+tc.source)
		browsertest.Get[int](d.Page, "changes = 0")
		if tc.stopAt == "" {
			d.run(0)
		} else {
			d.press(".try .run")
			d.Until(tc.stopAt)
			d.press(".try .stop")
			d.Until(`document.getElementById("play").dataset.busy === ""`)
		}
		text, message := d.get(out), d.get(says)
		if !strings.HasPrefix(text, tc.begins) || !strings.HasSuffix(text, tc.ends) || len([]rune(text)) > 100200 {
			t.Errorf("%s: the page shows %d characters that begin with %.20q and end with %q, want at most 100200 characters that begin with %q and end with %q", tc.name, len([]rune(text)), text,
				text[max(0, len(text)-150):], tc.begins, tc.ends)
		}
		if !strings.HasPrefix(message, tc.says) || (tc.says == "") != (message == "") {
			t.Errorf("%s: the page shows the message %q, want a message that begins with %q (\"\" means no message)", tc.name, message, tc.says)
		}
		changes := browsertest.Get[int](d.Page, "changes")
		if t.Logf("%s: the page changed %d times for %d bytes", tc.name, changes, len(text)); changes > 1000 {
			t.Errorf("%s: the page changed %d times, want at most 1000 times", tc.name, changes)
		}
	}
	d.Screenshot("play-much-output")
	d.wantNoErrors()
}

// TestLessonTask checks that the page of a lesson judges the lesson's task and offers the first hint.
// The downloaded notebook must contain the answer.
func TestLessonTask(t *testing.T) {
	t.Parallel()
	e := find(t, "lesson-1")
	d := openDesk(t, addressOf(serveSite(t), e), browsertest.View{})
	d.check("Check")
	must.Contain(t, d.report(), "lesson-1", "The function still holds the stub.")
	d.visibleHints(1, 0)
	d.judge(e.Answer.Solution.Source, "passed: all")
	nb := must.Get(nbformat.Parse("download", []byte(d.download("#play-notebook"))))(t)
	if !slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.Source == e.Answer.Solution.Source }) {
		t.Error("the downloaded notebook does not contain the answer")
	}
	d.Screenshot("play-lesson-task")
	d.wantNoErrors()
}

// TestKeptCells changes a cell of a lesson and reloads the page. The page must show the changed
// cell with a note, until the reader asks for the original. Deleting all data must also restore the
// original.
func TestKeptCells(t *testing.T) {
	t.Parallel()
	address := serveSite(t) + "/lessons/01-lines.html"
	d := openDesk(t, address, browsertest.View{Width: 1280})
	const says = `document.querySelector(".try [role=status]").textContent`
	const stored = `Object.keys(localStorage).filter((k) => k.startsWith("hyperplane-cell:lesson-1/")).length`
	text := func(want string) {
		t.Helper()
		d.Until(`document.querySelector(".try textarea").value === ` + quote(t, want))
	}
	change := func(source string) {
		t.Helper()
		d.writeCell(".try", source)
		text(source)
	}
	original := d.get(`JSON.parse(document.querySelector(".try").dataset.cell).source`)
	d.unfold(".try")
	d.press(".try button:nth-of-type(2)") // Change
	change("%%\nfmt.Println(\"mine\")")
	d.Until(stored + ` === 1`)
	d.Reload()
	d.Until(says + `.startsWith("Your changed cell, kept in this browser.")`)
	text("%%\nfmt.Println(\"mine\")")
	d.Screenshot("play-kept-cell")
	d.ready()
	d.run(0)
	if got, _ := d.printedText(0); got != "mine\n" {
		t.Errorf("the changed cell that the browser has kept prints %q, want \"mine\\n\"", got)
	}
	d.press(".try button:nth-of-type(3)") // Back to the original
	text(original)
	d.Until(stored + ` === 0`)
	d.Reload()
	d.Until(`document.querySelector(".try .run") !== null`)
	if d.eval(`document.querySelector(".try .cm-editor") !== null`) {
		t.Error("the page opens the cell for editing, although the reader restored the original before the reload")
	}
	d.unfold(".try")
	d.press(".try button:nth-of-type(2)")
	change("%%")
	d.eval(`hyperplaneStore.deleteAll(), dispatchEvent(new Event("hyperplane-deleted")), true`)
	text(original)
	d.wantNoErrors()
}

// TestRunInPlace runs a cell that draws a picture. The code below the picture must not move while the
// cell runs. The old picture must stay, dimmed, until the new picture replaces it. A cell must also
// keep its height when the reader opens the cell for editing.
func TestRunInPlace(t *testing.T) {
	t.Parallel()
	d := openDesk(t, serveSite(t)+"/lessons/02-least-squares.html", browsertest.View{Width: 1280})
	d.unfold(".try")
	d.eval(`(() => {
		globalThis.seen = { tops: new Set(), pictures: new Set(), opacities: new Set() };
		const card = document.querySelector(".try > .drawing"), fold = card.querySelector(".code-of");
		(function frame() {
			const shown = [...card.querySelectorAll("img")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
			seen.tops.add(Math.round(fold.getBoundingClientRect().top - card.getBoundingClientRect().top));
			seen.pictures.add(shown.length);
			shown.forEach((e) => seen.opacities.add(getComputedStyle(e.parentNode).opacity));
			requestAnimationFrame(frame);
		})();
		return true;
	})()`)
	d.run(0)
	d.Until(`document.querySelector(".try .before") === null`)
	if got := browsertest.Get[[]int](d.Page, `[...seen.pictures]`); !slices.Equal(got, []int{1}) {
		t.Errorf("the number of pictures changes while the cell runs: got the numbers %v, want always 1", got)
	}
	// Allow one pixel, because the heights of the page's picture and of the kernel's picture may differ.
	if got := browsertest.Get[[]int](d.Page, `[...seen.tops]`); slices.Max(got)-slices.Min(got) > 1 {
		t.Errorf("while the cell runs, the code below the picture moves: got the positions %v in pixels, want a difference of at most 1", got)
	}
	if !d.eval(`seen.opacities.has("0.4")`) {
		t.Error("while the cell runs, the old picture is not dimmed")
	}
	if n := browsertest.Get[int](d.Page, `document.querySelector(".try").childElementCount`); n != 1 {
		t.Errorf("the cell consists of %d elements, want 1 that contains the buttons, the message and the output", n)
	}
	const cell, height = `[...document.querySelectorAll(".try")].find((e) => e.querySelector(".cell:not(.drawing)") && e.checkVisibility())`,
		`.getBoundingClientRect().height`
	before := browsertest.Get[float64](d.Page, cell+height)
	d.eval(`(` + cell + `.querySelector("button:nth-of-type(2)").click(), true)`) // Change
	d.Until(cell + `.querySelector(".cm-line") !== null`)
	d.Until(fmt.Sprintf(`Math.abs(%s%s - %v) < 3`, cell, height, before))
	d.wantNoErrors()
}

// TestFirstRun runs a cell before the compiler is loaded. While the compiler is being loaded, the cell
// must show how many megabytes have arrived. A cell that only prints text must not load the packages for
// pictures; a cell that draws a picture must load them once.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	var packs atomic.Int32
	files := Handler(siteFolder(t), nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(path.Base(r.URL.Path), "cells-") {
			packs.Add(1)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d := openPage(t, server.URL+"/lessons/01-lines.html", browsertest.View{Width: 1280})
	d.Until(`!document.getElementById("play-load").hidden`)
	d.unfold(".try")
	d.press(".try button:nth-of-type(2)") // Change
	d.writeCell(".try", "%%\nfmt.Println(\"a\", math.Sqrt(4))")
	d.eval(`(() => {
		globalThis.told = [];
		const says = document.querySelector(".try [role=status]");
		new MutationObserver(() => told.push(says.textContent)).observe(says, { childList: true, characterData: true, subtree: true });
		return true;
	})()`)
	d.press(".try .run")
	d.Until(`told.length > 0`)
	d.Wait(`document.getElementById("play").dataset.busy === "" && told.includes("Running …")`, 2*time.Minute)
	if got, _ := d.printedText(0); got != "a 2\n" {
		t.Errorf("the cell prints %q, want \"a 2\\n\"", got)
	}
	messages := browsertest.Get[[]string](d.Page, "told")
	loading := slices.IndexFunc(messages, func(s string) bool { return strings.HasPrefix(s, "Loading the compiler: ") })
	if loading < 0 || loading > slices.Index(messages, "Compiling …") || !strings.Contains(messages[loading], " MB of ") {
		t.Errorf("the cell shows the messages %q, want the progress of loading, in MB, before “Compiling …”", messages)
	}
	if n := packs.Load(); n != 0 {
		t.Errorf("a cell that only prints loads the packages for pictures %d times, want 0", n)
	}
	d.press(".try button:nth-of-type(3)") // Back to the original, which draws a picture
	d.run(0)
	if _, pictures := d.printedText(0); pictures == 0 || packs.Load() != 1 {
		t.Errorf("the cell shows %d pictures, and the packages for pictures were loaded %d times; want at least one picture, and packages loaded once", pictures, packs.Load())
	}
	d.wantNoErrors()
}
