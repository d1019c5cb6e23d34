//go:build playtest

package play

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestEditor tests the keys of the editor in Chromium. TestFirefox tests the same keys in Firefox.
func TestEditor(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	d := openPage(t, site+"/index.html", browsertest.View{Width: 1280})
	testEditing(t, d, site)
	d.wantNoErrors()
}

const (
	answerText = `document.getElementById("play-answer").value`
	reported   = `document.getElementById("play-report").innerText + document.getElementById("play-says").innerText`
	popup      = `document.querySelector(".cm-tooltip-autocomplete")`
)

// testEditing uses keys to check an answer, leave the editor, complete a name and format the text. The
// page must name the keys that check an answer and that leave the editor.
func testEditing(t *testing.T, k keyboard, site string) {
	t.Helper()
	k.open(addressOf(site, find(t, "prml-4.25")))
	awaitLoaded(k)
	must.Contain(t, k.get(`document.querySelector(".play .keys").innerText`), "Esc, then Tab leaves the editor")
	must.Contain(t, k.get(`document.querySelector(".play .primary").innerText`), "Check", "Ctrl ↵")
	must.Contain(t, k.get(`document.querySelector(".cm-content").getAttribute("aria-description")`), "Ctrl+Enter", "Esc, then Tab")
	idle := func() { t.Helper(); k.until(`document.getElementById("play").dataset.busy === ""`) }

	// Each of the three key combinations must check the answer without changing the text.
	for value, held := range map[string]key{"math.Pi / 8": control, "math.Sqrt(math.Pi / 8)": meta, "1": shift} {
		k.press(".cm-content")
		k.letter('a', control)
		text := header + "{ return " + value + " }"
		k.keys(text)
		k.get(`(document.getElementById("play-report").textContent = "")`)
		k.chord(enter, held)
		k.until(`document.getElementById("play-report").textContent !== ""`)
		idle()
		must.Contain(t, k.get(reported), map[string]string{"math.Pi / 8": "passed: all 3",
			"math.Sqrt(math.Pi / 8)": "Show hint 3", "1": "not passed"}[value])
		if strings.Contains(k.get(reported), ".Hint(") {
			t.Errorf("the page mentions a call that works only in a notebook: %s", k.get(reported))
		}
		if got := k.get(answerText); got != text {
			t.Errorf("the editor contains %q, want %q", got, text)
		}
	}
	k.get(`(document.querySelector('[data-call^="CheckSteps("]').focus(), "")`)
	k.chord(enter, control)
	idle()
	must.Contain(t, k.get(reported), "the check calls SigmoidSlope")

	// Tab indents the line. After Escape, Tab leaves the editor.
	const inside = `String(document.querySelector(".cm-editor").contains(document.activeElement))`
	k.press(".cm-content")
	k.letter('a', control)
	k.keys("x")
	k.chord(home)
	k.chord(tab)
	if got := k.get(answerText); got != "\tx" || k.get(inside) != "true" {
		t.Errorf("after Tab, the editor contains %q and has the focus: %s; want \"\\tx\" and true", got, k.get(inside))
	}
	k.chord(escape)
	k.chord(tab)
	if k.get(inside) != "false" {
		t.Error("after Escape and Tab, the focus is still in the editor")
	}

	// After a package's name and a dot, the editor offers the package's names with signatures.
	// Ctrl+Space offers the names of packages.
	k.press(".cm-content")
	k.letter('a', control)
	k.keys(header + "{ return math.S")
	k.until(popup + `?.innerText.includes("(x float64) float64")`)
	k.keys("ignb")
	k.until(popup + `.querySelectorAll("li").length === 1`)
	k.until(popup + `.querySelector("[aria-selected]") !== null`)
	k.chord(enter)
	k.until(answerText + `.endsWith("return math.Signbit")`)
	k.keys("(mat")
	k.letter(' ', control)
	k.until(popup + `?.innerText.includes("mat\npackage") || ` + popup + `?.innerText.includes("matpackage")`)
	k.chord(escape)

	// Formatting must keep the cursor between the same characters. If the text is not valid Go,
	// formatting must report the line of the error.
	k.letter('a', control)
	k.keys("func  LambdaSquared( )   float64{return math.Pi/8")
	k.letter('f', shift, alt)
	k.until(state + `.includes("cannot be formatted: line 1: ")`)
	k.keys("+0")
	k.get(`(document.getElementById("play-state").textContent = "")`)
	k.keys(" }")
	k.letter('f', shift, alt)
	k.until(answerText + ` === "func LambdaSquared() float64 { return math.Pi/8 + 0 }"`)
	k.keys("//")
	k.press("#play-format")
	k.until(answerText + `.endsWith("0 } //")`)
}

// TestCellMessages checks the message and the output of cells that are empty, do not compile, contain
// only declarations, print text, or fail.
func TestCellMessages(t *testing.T) {
	t.Parallel()
	d := openDesk(t, serveSite(t)+"/lessons/01-lines.html", browsertest.View{Width: 1280})
	d.unfold(".try")
	d.press(".try button:nth-of-type(2)") // Change
	for _, tt := range []struct{ name, source, says, prints string }{
		{"empty", "", "The cell is empty", ""},
		{"only %%", "%%\n// nothing", "The cell is empty", ""},
		{"statement without %%", "x := 3", "This does not compile. Put statements below a line that contains only %%", "line 1"},
		{"missing brace", "%%\nfor {\n\tfmt.Println(1)", "This does not compile", "line 3: syntax error"},
		{"declarations", "const a = 3", "The cell declares names for the cells below", ""},
		{"prints", "%%\nfmt.Print(1)", "", "1"},
		{"panic", "%%\nvar a []int\nfmt.Println(a[2])",
			"panic: runtime error: index out of range [2] with length 0 (line 3)", "goroutine 1"},
		{"exit", "%%\nos.Exit(3)", "The program called os.Exit(3).", ""},
		{"deadlock", "%%\n<-make(chan int)", "fatal error: all goroutines are asleep - deadlock! (line 2)",
			"chan receive"},
		{"waits", "%%\ntime.Sleep(time.Second / 4)\nfmt.Print(2)", "", "2"},
	} {
		d.press(".try .cm-content")
		d.Key("a", chromedp.ModifierCtrl)
		if tt.source == "" {
			d.Press("x\b")
		} else {
			d.Type(tt.source)
		}
		d.Key("\r", chromedp.ModifierCtrl)
		d.Until(`document.querySelector(".try .stop").hidden`)
		text, _ := d.printedText(0)
		says := d.get(`document.querySelector(".try [role=status]").textContent`)
		if !strings.HasPrefix(says, tt.says) || tt.says == "" && says != "" || !strings.Contains(text, tt.prints) ||
			tt.prints == "" && text != "" {
			t.Errorf("%s: the page shows the message %q and prints %q, want a message that begins with %q and an output that contains %q (\"\" means nothing)",
				tt.name, says, text, tt.says, tt.prints)
		}
	}
	d.wantNoErrors()
}

// TestEarlierCell does what lesson 2 asks: it changes the giant flowers in one cell and runs a later
// cell. The later cell must use the changed flowers. The page must also draw a figure of package
// figures as an interactive chart.
func TestEarlierCell(t *testing.T) {
	t.Parallel()
	d := openDesk(t, serveSite(t)+"/lessons/02-least-squares.html", browsertest.View{Width: 1280})
	at := func(part string) int {
		return browsertest.Get[int](d.Page, fmt.Sprintf(`[...document.querySelectorAll(".try")]
			.findIndex((box) => JSON.parse(box.dataset.cell).source.includes(%q))`, part))
	}
	later := at("range []int{0, 1, 2, 4, 8, 16}")
	d.run(later)
	before, _ := d.printedText(later)
	must.Contain(t, before, " 8 giants: least squares 15 wrong")
	// Reveal the answer to the lesson's question, because the answer contains the cell with the giants.
	d.press(".ask button.quiet")
	const cell = `.try[data-cell*="12 + 0.3"]`
	d.unfold(cell)
	d.press(cell + " button:nth-of-type(2)") // Change
	text := fmt.Sprintf(`document.querySelector(%q).value`, cell+" textarea")
	changed := strings.Replace(d.get(text), "12 + 0.3", "5 + 0.3", 1)
	d.writeCell(cell, changed)
	d.run(later)
	after, _ := d.printedText(later)
	if must.Contain(t, after, "16 giants: "); after == before || strings.Contains(after, "line ") {
		t.Errorf("with changed flowers in an earlier cell, the later cell prints\n%s\nwant a new text without an error",
			after)
	}
	chart := at("PRML4x4Chart")
	box := fmt.Sprintf(`document.querySelectorAll(".try")[%d]`, chart)
	d.run(chart)
	d.Until(box + `.querySelector(".result canvas") !== null`)
	d.Screenshot("play-live-chart")
	d.wantNoErrors()
}
