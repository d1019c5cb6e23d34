package exercises

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

const good = `# A title with $\lambda^2$

- id: prml-4.99
- source: PRML exercise 4.99
- stars: 1
- slug: two-words
- equations: (4.1), (4.2)
- figure: fig-prml-4.9
- needs: nothing

## Task

Do it.

### A part of the task

More.

## Hints

### Hint 1

First.

### Hint 2

Second, with code:

` + "```go\n# not a heading\n```" + `

## Derivation

Because.

## Explore

` + "```go\n%%\n```" + `

## Next

Onwards.
`

func TestParse(t *testing.T) {
	e, err := parse(Standard(), "good.md", good)
	requireNoError(t, err)
	if e.ID != "prml-4.99" || e.Stars != 1 || e.Slug != "two-words" || len(e.Equations) != 2 ||
		e.Title != `A title with $\lambda^2$` {
		t.Errorf("got the id %q, %d stars, the slug %q, %d equations and the title %q, want \"prml-4.99\", 1, \"two-words\", 2 and %q",
			e.ID, e.Stars, e.Slug, len(e.Equations), e.Title, `A title with $\lambda^2$`)
	}
	if !strings.Contains(e.Task, "### A part of the task") || !strings.HasSuffix(e.Task, "More.") {
		t.Errorf("got the task %q, want a task that contains \"### A part of the task\" and ends in \"More.\"", e.Task)
	}
	if len(e.Hints) != 2 || e.Hints[0] != "First." || !strings.Contains(e.Hints[1], "# not a heading") {
		t.Errorf("got the hints %q, want \"First.\" and a second hint that contains \"# not a heading\"", e.Hints)
	}
	crlf, err := parse(Standard(), "good.md", strings.ReplaceAll(good, "\n", "\r\n"))
	if err != nil || crlf.Task != e.Task {
		t.Errorf("for CRLF line endings, got the exercise %+v and the error %v, want the task %q and no error", crlf, err, e.Task)
	}
}

func TestParseErrors(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the fixture lacks %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"empty file", "", "bad.md:1: the first line must be the title"},
		{"text before title", "hello\n" + good, "bad.md:1: text before the title"},
		{"no id", edit("- id: prml-4.99\n", ""), `bad.md:1: the list under the title has no line "- id: …"`},
		{"bad id", edit("prml-4.99", "prml 4.99"), `bad.md:3: invalid id "prml 4.99"`},
		{"unknown book", edit("prml-4.99", "cauchit-1"), "want a form like lesson-N or prml-4.N or alpaydin-10.N or own-N"},
		{"unknown chapter", edit("prml-4.99", "prml-3.1"), `bad.md:3: invalid id "prml-3.1"`},
		{"bad stars", edit("stars: 1", "stars: many"), "bad.md:5: stars is"},
		{"bad slug", edit("two-words", "Two Words"), "bad.md:6: slug is"},
		{"unknown key", edit("- needs", "- wants"), "bad.md:9: unknown key"},
		{"given twice", edit("- stars: 1", "- stars: 1\n- stars: 2"), "bad.md:6: \"stars\" is given twice"},
		{"missing heading", edit("## Derivation\n", ""),
			`bad.md:36: found the heading "## Explore", want "## Derivation"`},
		{"missing last heading", edit("## Next\n\nOnwards.\n", ""), `the heading "## Next" is missing`},
		{"empty section", edit("Because.", ""), "bad.md:33: the section Derivation is empty"},
		{"empty hint", edit("First.", ""), "bad.md:21: Hint 1 is empty"},
		{"hints out of order", edit("### Hint 2", "### Hint 3"), `, want "### Hint 2"`},
		{"no hints",
			edit("### Hint 1\n\nFirst.\n\n### Hint 2\n\nSecond, with code:\n\n```go\n# not a heading\n```", ""),
			"no \"### Hint 1\""},
		{"open fence", edit("%%\n```", "%%\n"), "the code fence that opens here is never closed"},
		{"extra section", good + "\n## More\n\nx\n", `unexpected heading "More"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := parse(Standard(), "bad.md", tc.text); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got the error %v, want an error that contains %q", err, tc.want)
			}
		})
	}
}

// folder returns a file system that contains the given exercise.md and answer_test.go.
func folder(text, answer string) fstest.MapFS {
	return fstest.MapFS{"exercise.md": {Data: []byte(text)}, "answer_test.go": {Data: []byte(answer)}}
}

func TestHintNumbers(t *testing.T) {
	two := MustParse("x", folder(good, "package x\n"))
	one := two.Copy()
	one.Hints = one.Hints[:1]
	for _, tt := range []struct {
		e    *Exercise
		n    int
		want string
	}{
		{two, -1, "There is no hint -1: this exercise has hints 1 to 2, "},
		{two, 0, "This exercise has hints 1 to 2, from a nudge to nearly there: write the number of the one you want in place of 0."},
		{two, 1, "**Hint 1 of 2.** First."},
		{two, 3, "There is no hint 3: this exercise has hints 1 to 2, "},
		{one, 0, "This exercise has one hint, number 1: write"},
		{one, 2, "There is no hint 2: this exercise has one hint, number 1."},
	} {
		if got := tt.e.Hint(tt.n); !strings.HasPrefix(got, tt.want) {
			t.Errorf("with %d hints, Hint(%d) = %q, want a text that begins with %q", len(tt.e.Hints), tt.n, got, tt.want)
		}
	}
	if got := two.Solution(); !strings.Contains(got, "Because.") || !strings.Contains(got, "package x") {
		t.Errorf("Solution() = %q, want a text that contains \"Because.\" and \"package x\"", got)
	}
}

// wantPanic fails the test unless f panics with a message that contains the string `words`.
func wantPanic(t *testing.T, words string, f func()) {
	t.Helper()
	defer func() {
		if cause := recover(); cause == nil || !strings.Contains(fmt.Sprint(cause), words) {
			t.Errorf("got the panic %v, want a panic with a message that contains %q", cause, words)
		}
	}()
	f()
}

// FuzzParse checks that, for any text, parse returns either an exercise with hints, a task and an
// id, or an error that begins with the file's name.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("# t\n```\n")
	if b, err := os.ReadFile("prml4/ex25/exercise.md"); err == nil {
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parse(Standard(), "f.md", text)
		if err == nil && (len(e.Hints) == 0 || e.Task == "" || e.ID == "") {
			t.Errorf("got the exercise %+v, want an exercise with hints, a task and an id, or an error", e)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.md:") {
			t.Errorf("got the error %v, want an error that begins with \"f.md:\"", err)
		}
	})
}
