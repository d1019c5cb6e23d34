package frontends

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// frontEnd contains everything that differs between the classic Notebook and JupyterLab.
type frontEnd struct {
	name    string
	start   func(t *testing.T, base string) *server
	address func(path string) string // returns the address of a notebook, relative to the server's address

	// script is the name of a JavaScript file. The script defines an object named `reader` with the
	// functions ready, idle, done, runAll, sources, count, output, edit, red, saved and trusted.
	script string

	dark  string      // script that switches to a dark theme; "" if the front end has no dark theme
	quiet []complaint // console messages that come from Jupyter itself, and not from the notebook
}

// A complaint describes messages that Jupyter itself writes to the console of a page. The test
// ignores such messages.
type complaint struct {
	message *regexp.Regexp
	why     string
}

//go:embed classic.js lab.js
var scripts embed.FS

var frontEnds = []frontEnd{
	{
		name: "notebook", start: startNotebook, script: "classic.js",
		address: func(path string) string { return "notebooks/" + path + "?" },
		quiet: []complaint{
			{regexp.MustCompile(`nbextensions/widgets/notebook/js/extension`),
				"Debian's ipywidgets are enabled for the classic Notebook, but not installed for it"},
			{regexp.MustCompile(`font at 'about:blank'|^Failed to load resource: net::ERR_FAILED about:blank$`),
				"MathJax's style sheet in the Notebook names a font without an address"},
		},
	},
	{
		name: "lab", start: startLab, script: "lab.js",
		address: func(path string) string {
			// Open each notebook in a separate workspace, because JupyterLab reopens all notebooks
			// that were open in a workspace before.
			return fmt.Sprintf("lab/workspaces/test%d/tree/%s?reset&", rand.Uint64(), path)
		},
		dark: `jupyterapp.commands.execute("apputils:change-theme", { theme: "JupyterLab Dark" }).then(() => true)`,
		quiet: []complaint{
			{regexp.MustCompile(`404 \(Not Found\) http://[^ ]*/lsp/status\?`),
				"JupyterLab asks for language servers where none is installed"},
			{regexp.MustCompile(`(?s)TypeError: Cannot read properties of undefined \(reading 'type'\).*packages_notebook_lib_index_js`), "when a notebook opens, JupyterLab 4.0 reads a cell that does not exist yet; the stack trace contains only code of JupyterLab"},
		},
	},
}

// notebook is a notebook that a front end has opened.
type notebook struct {
	*browsertest.Page
	t       *testing.T
	front   frontEnd
	server  *server
	name    string // prefix for the names of screenshots
	sources []string
}

// open opens a notebook in the learner's folder and waits for its kernel.
func (f frontEnd) open(t *testing.T, s *server, path string) *notebook {
	t.Helper()
	t.Cleanup(func() { s.endKernels(t) })
	escaped := (&url.URL{Path: path}).EscapedPath()
	p := browsertest.Open(t, s.address+f.address(escaped)+"token="+s.token, browsertest.View{Width: 1200})
	n := &notebook{Page: p, t: t, front: f, server: s,
		name: f.name + "-" + strings.NewReplacer("/", "-", ".ipynb", "").Replace(path)}
	n.awaitIdle()
	return n
}

// awaitIdle waits until the page has loaded the notebook and its kernel is idle. Then it stores the
// sources of the cells in n.sources.
func (n *notebook) awaitIdle() {
	n.t.Helper()
	script := string(must.Get(scripts.ReadFile(n.front.script))(n.t))
	n.Until("(globalThis.reader || (() => {" + script + "})(), reader.ready())")
	n.sources = browsertest.Get[[]string](n.Page, "reader.sources()")
}

func (n *notebook) shot(what string) { n.Screenshot(n.name + "-" + what) }

// runAll runs all cells and waits until they have finished.
func (n *notebook) runAll() {
	n.t.Helper()
	browsertest.Get[any](n.Page, "reader.runAll()")
	n.Wait("reader.done()", 10*time.Minute)
}

// cell returns the index of the first cell that contains the given text. The search begins at the
// cell with the index `start`.
func (n *notebook) cell(text string, start int) int {
	n.t.Helper()
	for i := start; i < len(n.sources); i++ {
		if strings.Contains(n.sources[i], text) {
			return i
		}
	}
	n.t.Fatalf("%s: no cell contains %q; the search began at the cell with the index %d", n.name, text, start)
	return -1
}

// runCell clicks into a cell, runs it with Shift+Enter and waits until it has finished.
func (n *notebook) runCell(cell int) {
	n.t.Helper()
	n.focusCell(cell)
	before := browsertest.Get[int](n.Page, fmt.Sprintf("reader.count(%d) || 0", cell))
	n.Key(kb.Enter, chromedp.ModifierShift)
	n.Until(fmt.Sprintf("reader.count(%d) > %d && reader.idle()", cell, before))
}

// writeCell clicks into a cell, replaces the cell's content with the given text and runs the cell.
func (n *notebook) writeCell(cell int, text string) {
	n.t.Helper()
	n.focusCell(cell)
	n.Key("a", chromedp.ModifierCtrl)
	n.Type(text)
	n.Until(fmt.Sprintf("reader.sources()[%d].trim() === %s", cell, quote(strings.TrimSpace(text))))
	n.runCell(cell)
}

// focusCell clicks into the editor of a cell, so that the editor has the focus.
func (n *notebook) focusCell(cell int) {
	n.t.Helper()
	browsertest.Get[bool](n.Page, fmt.Sprintf(`(() => {
		document.querySelectorAll("[data-editor]").forEach(e => delete e.dataset.editor);
		reader.edit(%d).dataset.editor = "this";
		return true;
	})()`, cell))
	n.Click(n.Center(`[data-editor="this"]`))
}

// output returns the text below a cell.
func (n *notebook) output(cell int) string {
	n.t.Helper()
	return browsertest.Get[string](n.Page, fmt.Sprintf("reader.output(%d).innerText", cell))
}

// save saves the notebook with Ctrl+S.
func (n *notebook) save() {
	n.t.Helper()
	n.Key("s", chromedp.ModifierCtrl)
	n.Until("reader.saved()")
}

func (n *notebook) reload() {
	n.t.Helper()
	n.Reload()
	n.awaitIdle()
}

// wantNoRed fails the test for every output that the page shows in red, which is the colour of
// errors.
func (n *notebook) wantNoRed() {
	n.t.Helper()
	for _, red := range browsertest.Get[[]string](n.Page, "reader.red()") {
		n.t.Errorf("%s: the notebook shows the red output %s", n.name, red)
	}
}

// wantNoMessages fails the test for every error in the page's console, except for Jupyter's known
// complaints.
func (n *notebook) wantNoMessages() {
	n.t.Helper()
	for _, e := range n.Errors() {
		known := false
		for _, q := range n.front.quiet {
			known = known || q.message.MatchString(e)
		}
		if !known {
			n.t.Errorf("%s: the page reported the error %s", n.name, e)
		}
	}
}
