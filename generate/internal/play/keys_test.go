//go:build playtest

package play

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// A key is the WebDriver code of a key that does not type a character.
type key rune

const (
	tab       key = '\ue004'
	enter     key = '\ue007'
	shift     key = '\ue008'
	control   key = '\ue009'
	alt       key = '\ue00a'
	escape    key = '\ue00c'
	end       key = '\ue010'
	home      key = '\ue011'
	arrowDown key = '\ue015'
	meta      key = '\ue03d'
)

// A keyboard is a page in a browser on which a test presses keys and clicks.
type keyboard interface {
	open(address string)
	press(selector string)           // clicks on the element that matches a CSS selector
	keys(text string)                // presses the key of each character; for a newline, presses Enter
	chord(k key, modifiers ...key)   // presses k while the modifiers are held down
	letter(r rune, modifiers ...key) // presses the key of a character, with modifiers held down
	until(condition string)
	get(expression string) string
}

func (d *desk) open(address string) { d.Go(address) }
func (d *desk) keys(text string) {
	d.t.Helper()
	d.Press(strings.ReplaceAll(text, "\n", kb.Enter))
}

func (d *desk) chord(k key, modifiers ...key) {
	d.t.Helper()
	d.letter([]rune(map[key]string{tab: kb.Tab, enter: kb.Enter, escape: kb.Escape, end: kb.End, home: kb.Home, arrowDown: kb.ArrowDown}[k])[0],
		modifiers...)
}

func (d *desk) letter(r rune, modifiers ...key) {
	d.t.Helper()
	var held []chromedp.Modifier
	for _, m := range modifiers {
		held = append(held, map[key]chromedp.Modifier{shift: chromedp.ModifierShift, control: chromedp.ModifierCtrl,
			alt: chromedp.ModifierAlt, meta: chromedp.ModifierMeta}[m])
	}
	if len(modifiers) == 0 || slices.Equal(modifiers, []key{shift}) {
		// Use Press, because Key inserts the text even if the page calls preventDefault, as for Enter.
		d.Press(string(r), held...)
		return
	}
	d.Key(string(r), held...)
}

func (d *desk) until(condition string) { d.t.Helper(); d.Until(condition) }
func (d *desk) get(expression string) string {
	d.t.Helper()
	return browsertest.Get[string](d.Page, expression)
}

// TestKeys types in Chromium. TestFirefox types the same text in Firefox.
func TestKeys(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	testTyping(t, openPage(t, site+"/index.html", browsertest.View{Width: 1280}), site)
}

// testTyping presses the keys of every printable ASCII character in an exercise's editor and in a
// lesson's cell. It also types the first answer in the README over the first panic(verify.TODO) of a stub. Typing in
// an editor must not open the search.
func testTyping(t *testing.T, k keyboard, site string) {
	t.Helper()
	ascii := ""
	for r := ' '; r <= '~'; r++ {
		ascii += string(r)
	}
	unsearched := func(where string) {
		t.Helper()
		if got := k.get(`[...document.querySelectorAll("input[name=q], #query")].map((box) => box.value).join("")`); got != "" {
			t.Errorf("%s: typing in an editor changed the search box to %q, want an empty box", where, got)
		}
	}
	// Outside editors, "/" opens the search.
	k.open(site + "/index.html")
	k.press("h1")
	k.keys("/1/2") // In the search box, "/" is an ordinary character.
	k.until(`document.activeElement.name === "q" && document.activeElement.value === "1/2"`)

	e := find(t, "prml-4.7")
	k.open(addressOf(site, e))
	awaitLoaded(k)
	answer := regexp.MustCompile("(?s)```go\n( +func Sigmoid.*?)```").FindStringSubmatch(must.Read(t,
		filepath.Join(root, "README.md")))
	if answer == nil {
		t.Fatal("the README contains no answer to its first exercise")
	}
	body := strings.TrimSpace(strings.Split(answer[1], "\n")[1])
	const text = `document.getElementById("play-answer").value`
	stub := k.get(text)
	before, _, found := strings.Cut(stub, "panic(verify.TODO)")
	if !found {
		t.Fatalf("the stub %q does not contain panic(verify.TODO)", stub)
	}
	k.press(".cm-content")
	k.chord(home, control)
	for range strings.Count(before, "\n") {
		k.chord(arrowDown)
	}
	k.chord(end)
	k.chord(home, shift) // select the line without its indentation
	k.keys(body)
	want := strings.Replace(stub, "panic(verify.TODO)", body, 1)
	if got := k.get(text); got != want {
		t.Errorf("after typing, the stub contains\n%s\nwant\n%s", got, want)
	}
	unsearched("the README's first answer")
	k.press(`[data-call^="Check("]`)
	k.until(`document.getElementById("play").dataset.busy === ""`)
	must.Contain(t, k.get(`document.getElementById("play-report").innerText`), "a wrong sign in the exponent")
	k.press(".cm-content")
	k.letter('a', control)
	k.keys("func Sigmoid(a float64) float64 {\nreturn 1 / (1 + math.Exp(-a)) // the sign\n}\nfunc Logit(y float64) float64 { return math.Log(y / (1 - y)) }")
	k.press(`[data-call^="Check("]`)
	k.until(`document.getElementById("play").dataset.busy === ""`)
	must.Contain(t, k.get(`document.getElementById("play-report").innerText`), "passed: all")
	must.Contain(t, k.get(text), "{\n\treturn 1 / (1 + math.Exp(-a)) // the sign\n}\nfunc") // the editor indents
	k.press(".cm-content")
	k.letter('a', control)
	k.keys(ascii + "\n" + ascii)
	if got := k.get(text); got != ascii+"\n"+ascii {
		t.Errorf("in the exercise's editor, typing all characters twice gives\n%s\nwant all characters twice", got)
	}
	unsearched("the exercise")

	lesson := must.Get(filepath.Glob(path.Join(siteFolder(t), "lessons", "02-*.html")))(t)
	if len(lesson) != 1 {
		t.Fatalf("got the lessons %q with number 2, want one", lesson)
	}
	k.open(site + "/lessons/" + filepath.Base(lesson[0]))
	awaitLoaded(k)
	k.press(".try summary")               // unfold the code of the first figure
	k.press(".try button:nth-of-type(2)") // Change
	k.press(".try .cm-content")
	k.letter('a', control)
	k.keys("// " + ascii)
	cell := `document.querySelector(".try textarea").value`
	if got := k.get(cell); got != "// "+ascii {
		t.Errorf("in the lesson's cell, typing // and all characters gives\n%s\nwant these characters", got)
	}
	k.letter('a', control)
	k.keys("%%\nfmt.Println(1 / 8.0) // a division")
	unsearched("the lesson's cell")
	k.press(".try .run")
	k.until(`document.getElementById("play").dataset.busy === ""`)
	must.Contain(t, k.get(`document.querySelector(".try .result:not(.before)").textContent`), "0.125")
}

// awaitLoaded waits until the compiler is loaded. If the page shows a button to load the compiler,
// awaitLoaded clicks the button.
func awaitLoaded(k keyboard) {
	k.until(state + `.includes("ready") || !document.getElementById("play-load").hidden`)
	if k.get(`String(document.getElementById("play-load").hidden)`) == "false" {
		k.press("#play-load")
	}
	k.until(state + `.includes("is ready")`)
}
