package exercises

import (
	"html"
	"os"
	"path/filepath"
	"regexp"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// names are what a text says for the number of an equation, {eq:prml-4.97}, and for an
// exercise, a lesson, a figure or a misprint, which the notebooks link.
var names = []struct {
	macro *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`\{eq:[a-z0-9]+-([\w.-]+)\}`), "($1)"},
	{regexp.MustCompile(`\{(?:ex|lesson|fig|erratum|page):[\w.-]+:([^{}]+)\}`), "$1"},
	{regexp.MustCompile(`\{ex:prml-([\w.-]+)\}`), "PRML $1"},
	{regexp.MustCompile(`\{ex:alpaydin-([\w.-]+)\}`), "Alpaydin $1"},
	{regexp.MustCompile(`\{lesson:([\w.-]+)\}`), "lesson $1"},
	{regexp.MustCompile(`\{fig:[a-z]+-([\w.-]+)\}`), "figure $1"},
	{regexp.MustCompile(`\{(?:erratum|page):([\w.-]+)\}`), "$1"},
}

// show displays markdown in a notebook, and does nothing elsewhere.
func show(markdown string) string {
	for _, n := range names {
		markdown = n.macro.ReplaceAllString(markdown, n.plain)
	}
	if gonbui.IsNotebook {
		gonbui.DisplayMarkdown(markdown)
		gonbui.Sync() // else the program may end before the kernel has read the pipe
	}
	return markdown
}

// display shows a line in a notebook. A test replaces it.
var display = func(line string) { showBoth("<p>"+html.EscapeString(line)+"</p>\n", line+"\n") }

// showBoth displays what has a form for the page and one for a terminal.
func showBoth(page, text string) {
	if gonbui.IsNotebook {
		gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
			protocol.MIMETextHTML:  page,
			protocol.MIMETextPlain: text,
		}})
		gonbui.Sync()
	}
}

// headlessVariable is set where no person works in the notebook, as by `generate
// run`: what happens there is nobody's progress.
const headlessVariable = "HYPERPLANE_HEADLESS"

// HeadlessMark is the name of an empty file that says the same to every program
// below the folder that it lies in. A runner has the programs of the cells compiled
// below such a folder: the environment is a cell's to change.
const HeadlessMark = "hyperplane-headless"

func headless() bool {
	v := os.Getenv(headlessVariable)
	return v != "" && v != "0" || os.Getenv("NBGRADER_EXECUTION") != "" || marked()
}

// executable is the path of this program. A test replaces it.
var executable = os.Executable

// marked reports whether this program lies below a HeadlessMark.
func marked() bool {
	path, err := executable()
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if _, err := os.Lstat(filepath.Join(path, HeadlessMark)); err == nil {
			return true
		}
	}
	return false
}
