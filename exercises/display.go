package exercises

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// names lists the plain text that replaces each kind of macro. For example, the number of the
// equation replaces {eq:prml-4.97}. Macros for exercises, lessons, figures, misprints and pages
// become plain names here. In generated notebooks they become links.
var names = []struct {
	macro *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`\{eq:[a-z0-9]+-([\w.-]+)\}`), "($1)"},
	{regexp.MustCompile(`\{(?:ex|lesson|fig|erratum|page):[\w.-]+:([^{}]+)\}`), "$1"},
	{regexp.MustCompile(`\{lesson:([\w.-]+)\}`), "lesson $1"},
	{regexp.MustCompile(`\{fig:[a-z]+-([\w.-]+)\}`), "figure $1"},
	{regexp.MustCompile(`\{(?:erratum|page):([\w.-]+)\}`), "$1"},
}

// Plain returns markdown with each macro replaced by a plain name. For example, {eq:prml-4.97}
// becomes (4.97).
func (e *Exercise) Plain(markdown string) string {
	markdown = e.source.Books.replaceExerciseMacros(markdown)
	for _, n := range names {
		markdown = n.macro.ReplaceAllString(markdown, n.plain)
	}
	return markdown
}

// show replaces the macros in markdown with plain names and returns the result. In a notebook it also
// displays the result.
func (e *Exercise) show(markdown string) string {
	markdown = e.Plain(markdown)
	if gonbui.IsNotebook {
		gonbui.DisplayMarkdown(markdown)
		gonbui.Sync() // wait for the kernel: otherwise the program may end before the kernel has read the output
	}
	return markdown
}

// display shows a line in a notebook. Tests replace this variable.
var display = func(line string) { showBoth("<p>"+html.EscapeString(line)+"</p>\n", line+"\n") }

// showBoth displays content in a notebook and does nothing elsewhere. `page` is the content as
// HTML; `text` is the same content for frontends that cannot show HTML.
func showBoth(page, text string) {
	if gonbui.IsNotebook {
		gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
			protocol.MIMETextHTML:  page,
			protocol.MIMETextPlain: text,
		}})
		gonbui.Sync()
	}
}

// headlessVariable names the environment variable that prevents the recording of progress, unless
// its value is empty or 0. A runner such as `generate run` sets the variable to 1 when a notebook
// runs unattended.
const headlessVariable = "HYPERPLANE_HEADLESS"

// HeadlessMark is the name of an empty file that a runner puts into a folder. A program whose
// executable lies in or below that folder then records no progress, as if the environment variable
// HYPERPLANE_HEADLESS were set. The variable alone is not enough, because the code of a cell can
// change the environment.
const HeadlessMark = "hyperplane-headless"

func headless() bool {
	v := os.Getenv(headlessVariable)
	return v != "" && v != "0" || os.Getenv("NBGRADER_EXECUTION") != "" || belowHeadlessMark()
}

// executable returns the path of this program. Tests replace this variable.
var executable = os.Executable

// belowHeadlessMark reports whether a folder above this program contains a HeadlessMark.
func belowHeadlessMark() bool {
	path, err := executable()
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if _, err := os.Lstat(filepath.Join(path, HeadlessMark)); err == nil {
			return true
		}
	}
	return false
}

// NoGuess stands for a missing guess. In a lesson the learner replaces NoGuess with a guess before
// running the cell that computes the right number.
const NoGuess = 1e300

// Guess shows a line with the computed number and the learner's guess, and returns this line. If the
// two numbers agree to half a percent, the line says so. If there is no guess, the line asks for a
// guess next time, except in a web page. A wrong guess has no consequences.
func Guess(what string, guess, found float64) string {
	line := fmt.Sprintf("%s: %.4g.", what, found)
	switch {
	case guess == NoGuess && runtime.GOOS == "js":
		// a web page has a field for the guess, so the reader needs no advice about the code
	case guess == NoGuess:
		line += " You made no guess: write one in place of exercises.NoGuess next time, before you look."
	case guess == found || math.Abs(guess-found) <= 0.005*math.Abs(found):
		line += fmt.Sprintf(" You said %.4g, which agrees.", guess)
	default:
		line += fmt.Sprintf(" You said %.4g.", guess)
	}
	display(line)
	return line
}
