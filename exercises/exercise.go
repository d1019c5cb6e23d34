package exercises

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Exercise is the text of one exercise, as its folder's exercise.md tells it,
// with the source of the reference answer.
type Exercise struct {
	ID        string   // "prml-4.25"
	Title     string   // one line, plain text with LaTeX maths
	Source    string   // "PRML exercise 4.25"
	Stars     int      // difficulty, 1 to 3
	Slug      string   // the notebook's file name is <number>-<slug>.ipynb
	Equations []string // the equations of the source that it uses
	Figure    string   // id of the figure that belongs to it, or ""
	Needs     string   // what it builds on, one line

	Task       string   // markdown
	Hints      []string // markdown, from nudge to nearly there
	Derivation string   // markdown, the worked derivation
	Explore    string   // markdown with fenced Go cells
	Next       string   // markdown, where to go next

	Answer string // Go source of answer_test.go

	Seed uint64    // the variant that the texts are of, 0 for the common one
	Vary Constants // the constants of the texts, nil where none vary

	Known []Known // wrong answers that the check recognises, for its tests

	source Text // what the texts were made of
}

// OfLesson reports whether this is the task of a lesson, which has no notebook of its
// own.
func (e *Exercise) OfLesson() bool { return strings.HasPrefix(e.ID, "lesson-") }

// packageName is what cells call the exercise's package: "ex25" or "lesson04".
func (e *Exercise) packageName() string {
	number := e.ID[strings.LastIndexAny(e.ID, ".-")+1:]
	if e.OfLesson() {
		return fmt.Sprintf("lesson%02s", number)
	}
	return fmt.Sprintf("ex%02s", number)
}

// Known is a wrong answer with the key that its report must hold.
type Known struct {
	Key   string
	Check func() *verify.Report
}

// Copy returns a copy that shares nothing that could be changed.
func (e *Exercise) Copy() *Exercise {
	c := *e
	c.Equations, c.Hints, c.Known = slices.Clone(e.Equations), slices.Clone(e.Hints), slices.Clone(e.Known)
	return &c
}

// MustParse is Text.Parse of the exercise.md and the answer_test.go among files, which an
// exercise's package embeds, for its package variable; dir is its folder in the
// module. It panics where Parse returns an error, which the exercise gate turns into
// a failing test.
func MustParse(dir string, files fs.ReadFileFS) *Exercise { return MustParseVaried(dir, files, nil) }

// MustParseVaried is MustParse for an exercise whose constants vary. What it
// returns has the texts of the common variant; Hint, Solution and Judge speak of
// the variant that the program has chosen by then.
func MustParseVaried(dir string, files fs.ReadFileFS, vary Constants) *Exercise {
	read := func(name string) (string, string) {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		return path.Join(dir, name), string(b)
	}
	t := Text{Vary: vary}
	t.Name, t.Markdown = read("exercise.md")
	t.AnswerName, t.Answer = read("answer_test.go")
	e, err := t.Parse(0)
	if err != nil {
		panic(err)
	}
	return e
}

// chosen is the exercise in the variant that the program has chosen.
func (e *Exercise) chosen() *Exercise {
	n := seed.Get()
	if e.Vary == nil || n == e.Seed {
		return e
	}
	v, err := e.source.Parse(n)
	if err != nil {
		panic(err) // the gate parses every exercise for many seeds; a text of another variant would be a lie
	}
	return v
}

// hint returns the markdown of hint n, or a line that says which hints there are.
func (e *Exercise) hint(n int) string {
	if n >= 1 && n <= len(e.Hints) {
		return fmt.Sprintf("**Hint %d of %d.** %s", n, len(e.Hints), e.Hints[n-1])
	}
	has := fmt.Sprintf("exercise has hints 1 to %d, from a nudge to nearly there", len(e.Hints))
	if len(e.Hints) == 1 {
		has = "exercise has one hint, number 1"
	}
	if n == 0 {
		return "This " + has + ": write the number of the one you want in place of 0."
	}
	return fmt.Sprintf("There is no hint %d: this %s.", n, has)
}
