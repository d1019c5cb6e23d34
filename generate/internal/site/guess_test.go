package site

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

const noGuess = "You made no guess: write one in place of exercises.NoGuess next time, before you look."

// withGuess returns a function that adds a guess to the tour. The function adds two cells: the cell
// with the constant, and the cell with the answer and its outputs.
func withGuess(constant, call string, said ...string) func(*nbformat.Notebook) {
	return func(nb *nbformat.Notebook) {
		nb.AddCode("ask", constant)
		c := nb.AddCode("answer", call)
		c.Metadata["hyperplane"] = map[string]any{"lesson": "lesson-2"}
		for _, text := range said {
			c.Outputs = append(c.Outputs, nbformat.Output{"output_type": "display_data", "metadata": map[string]any{},
				"data": map[string]any{"text/html": "<p>" + text + "</p>\n", "text/plain": text + "\n"}})
		}
	}
}

// TestGuess checks that the page asks for the guess before it shows the answer. The answer must be
// a closed fold, which also works without a script. The committed output is meant for a reader who
// has made no guess. Of this output, the page may show only the part that ends with the number.
func TestGuess(t *testing.T) {
	const call = "%%\nexercises.Guess(\"with \\\"eight\\\" giants\", giants, 15)"
	add := withGuess("const giants = exercises.NoGuess // your guess, between 0 and 1", call,
		`with "eight" giants: -1.5e+01. `+noGuess, "a plot with nine words of Gauss")
	site := must.Get(Build(t.Context(), smallSite(t, func(nb *nbformat.Notebook) {
		add(nb)
		nb.AddMarkdown("comment", "So it is below zero.\n\nWatch it move:")
		nb.AddCode("move", "%%\nmove()")
	})))(t)
	page := string(site["tour.html"])
	must.Contain(t, page, `<form class="ask" data-guess="lesson-2:with &#34;eight&#34; giants" data-constant="giants" hidden>`,
		`<label for="guess-giants">Your guess</label>`, `with &#34;eight&#34; giants (between 0 and 1)</span>`, ">No guess, show me</button>",
		"<p>So it is below zero.</p>\n</div>\n</details>\n", "\n<p>Watch it move:</p>",
		"<details class=\"answer\">\n<summary>Output</summary>\n<p class=\"told\"", `data-found="-1.5e+01"`,
		`>with &#34;eight&#34; giants: -1.5e+01.</p>`, "a plot with nine words of Gauss",
		`<script src="assets/guess.js" defer>`)
	for name, file := range site {
		if path.Ext(name) == ".html" && strings.Contains(string(file), "NoGuess") ||
			name == "assets/search-index.js" && strings.Contains(string(file), "nine words of Gauss") {
			t.Errorf("%s contains the word NoGuess, or is the search index and contains the text of the answer", name)
		}
	}
	if i, j := strings.Index(page, "<form class=\"ask\""), strings.Index(page, "<details class=\"answer\""); i < 0 || i > j {
		t.Errorf("the field for the guess is at position %d and the answer at position %d (−1 means missing), want the field before the answer", i, j)
	}
	for _, tt := range []struct{ name, constant, call, want string }{
		{"more in the cell", "const a = exercises.NoGuess\nconst b = 2", "%%\nexercises.Guess(\"x\", a, 1)", "cell ask: invalid declaration of a guess"},
		{"no answer", "const a = exercises.NoGuess", "%%\nexercises.Hint(1)", "no cell passes the guess a"},
		{"no question", "const a = 3", "%%\nexercises.Guess(\"x\", a, 1)", "cell answer: no earlier cell declares a"},
	} {
		_, err := Build(t.Context(), smallSite(t, withGuess(tt.constant, tt.call)))
		must.Fail(t, err, "notebooks/tour.ipynb: ", tt.want)
	}
}

// TestComment checks which part of the text after an answer is in the same fold as the answer. This
// part must be empty if the text begins with a heading. It must not contain a last paragraph that
// introduces a code cell, unless this paragraph is itself a fold.
func TestComment(t *testing.T) {
	text := func(c *nbformat.Cell) string {
		if c == nil {
			return ""
		}
		return c.Source
	}
	const question = "Why?\n\n<details><summary>Open</summary>\n\nBecause.\n\n</details>"
	for _, tt := range []struct{ source, next, inside, outside string }{
		{"It is 3.", "# More", "It is 3.", ""},
		{"It is 3.", "", "It is 3.", ""},
		{"It is 3.\n\nSo it is.\n\nMove it:", "%%", "It is 3.\n\nSo it is.", "Move it:"},
		{"Move it:", "%%", "", "Move it:"},
		{question, "%%", question, ""},
		{"## A heading\n\nIt is 3.", "%%", "", ""},
		{"%%", "It is 3.", "", ""},
	} {
		nb := nbformat.New()
		for _, source := range []string{tt.source, tt.next} {
			if source == "%%" {
				nb.AddCode("code", source)
			} else if source != "" {
				nb.AddMarkdown("text", source)
			}
		}
		inside, outside := commentText(nb.Cells)
		if a, b := text(inside), text(outside); a != tt.inside || b != tt.outside {
			t.Errorf("for the text %q before the cell %q, the fold contains %q and the rest of the page contains %q; want %q and %q",
				tt.source, tt.next, a, b, tt.inside, tt.outside)
		}
	}
	if inside, outside := commentText(nil); inside != nil || outside != nil {
		t.Error("without cells after the answer, commentText returns a text, want none")
	}
}

// hiddenData matches data that the page stores for cells that can be run. A reader does not see
// these data.
var hiddenData = regexp.MustCompile(`data-cell="[^"]*"`)

// wantNoAnswers fails the test for each page that says that the reader made no guess or contains
// exercises.NoGuess, and for each page with a guess whose right number is missing. It treats the
// search index like a page. It also fails the test if all pages together ask for fewer than 15
// guesses.
func wantNoAnswers(t *testing.T, site map[string][]byte) {
	t.Helper()
	forms := 0
	for name, file := range site {
		text := hiddenData.ReplaceAllString(string(file), "")
		forms += strings.Count(text, `<form class="ask"`)
		if kind := path.Ext(name); (kind == ".html" || name == "assets/search-index.js") &&
			(strings.Contains(text, "made no guess") || strings.Contains(text, "exercises.NoGuess")) {
			t.Errorf("%s contains the words \"made no guess\" or \"exercises.NoGuess\", want neither", name)
		}
		if n := strings.Count(text, "data-found=\"\""); n > 0 {
			t.Errorf("%s contains %d guesses whose right number is missing", name, n)
		}
	}
	if forms < 15 {
		t.Errorf("the pages ask for %d guesses, want at least 15", forms)
	}
}
