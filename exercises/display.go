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

// names lists the replacements of macros by plain text. {eq:prml-4.97} becomes the number of the
// equation. The macros of exercises, lessons, figures and misprints, which are links in the
// notebooks, become their names.
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

// Plain returns markdown with plain names in place of macros, such as (4.97) for {eq:prml-4.97}.
func (e *Exercise) Plain(markdown string) string {
	markdown = e.source.Books.namesIn(markdown)
	for _, n := range names {
		markdown = n.macro.ReplaceAllString(markdown, n.plain)
	}
	return markdown
}

// show displays markdown in a notebook, and does nothing elsewhere. It returns the markdown
// with plain names in place of macros.
func (e *Exercise) show(markdown string) string {
	markdown = e.Plain(markdown)
	if gonbui.IsNotebook {
		gonbui.DisplayMarkdown(markdown)
		gonbui.Sync() // Otherwise the program may end before the kernel has read the pipe
	}
	return markdown
}

// display shows a line in a notebook. Tests replace this variable.
var display = func(line string) { showBoth("<p>"+html.EscapeString(line)+"</p>\n", line+"\n") }

// showBoth displays the same content in one of two forms: page as HTML in a notebook, and text in a
// terminal.
func showBoth(page, text string) {
	if gonbui.IsNotebook {
		gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
			protocol.MIMETextHTML:  page,
			protocol.MIMETextPlain: text,
		}})
		gonbui.Sync()
	}
}

// headlessVariable is the environment variable that is set when a notebook runs unattended, for
// example by `generate run`. If it is set, no progress is recorded.
const headlessVariable = "HYPERPLANE_HEADLESS"

// HeadlessMark is the name of an empty file that has the same effect as the variable for every
// program below its folder. A runner compiles the programs of the cells below such a folder. The
// variable alone is not enough, because a cell can change the environment.
const HeadlessMark = "hyperplane-headless"

func headless() bool {
	v := os.Getenv(headlessVariable)
	return v != "" && v != "0" || os.Getenv("NBGRADER_EXECUTION") != "" || belowHeadlessMark()
}

// executable returns the path of this program. Tests replace this variable.
var executable = os.Executable

// belowHeadlessMark reports whether this program lies below a HeadlessMark.
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

// NoGuess marks the place in a lesson where the learner writes a number before running the
// cell that computes it.
const NoGuess = 1e300

// Guess shows a guess beside the number that was found, and reports whether they agree to half a
// percent. A guess does not count as right or wrong; it lets the learner compare an expectation
// with the result.
func Guess(what string, guess, found float64) string {
	line := fmt.Sprintf("%s: %.4g.", what, found)
	switch {
	case guess == NoGuess && runtime.GOOS == "js":
		// On a page the reader guesses in a field and may leave it empty.
	case guess == NoGuess:
		line += " You made no guess: write one in place of exercises.NoGuess next time, before you look."
	case guess == found || math.Abs(guess-found) <= 0.005*math.Abs(found):
		line += fmt.Sprintf(" You said %.4g: so it is.", guess)
	default:
		line += fmt.Sprintf(" You said %.4g.", guess)
	}
	display(line)
	return line
}
