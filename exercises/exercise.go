package exercises

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Exercise is the text of one exercise, as parsed from its folder's exercise.md,
// with the source of the reference answer.
type Exercise struct {
	ID        string   // "prml-4.25"
	Title     string   // one line, plain text with LaTeX maths
	Source    string   // "PRML exercise 4.25"
	Stars     int      // difficulty, 1 to 3
	Slug      string   // the notebook's file name is <number>-<slug>.ipynb
	Equations []string // the equations of the source that the exercise uses
	Figure    string   // id of its figure, or ""
	Needs     string   // prerequisites, one line

	Task       string   // markdown
	Hints      []string // markdown, from nudge to nearly there
	Derivation string   // markdown, the worked derivation
	Explore    string   // markdown with fenced Go cells
	Next       string   // markdown, where to go next

	Answer string // Go source of answer_test.go

	Seed uint64    // the variant of the texts, 0 for the common one
	Vary Constants // the constants of the texts, nil if none vary

	Known []Known // wrong answers that the check recognises, for its tests

	source Text // the source of the texts
}

// OfLesson reports whether this is the task of a lesson, which has no notebook of its
// own.
func (e *Exercise) OfLesson() bool { return strings.HasPrefix(e.ID, "lesson-") }

// packageName returns the name of the exercise's package in cells: "ex25" or "lesson04".
func (e *Exercise) packageName() string {
	number := e.ID[strings.LastIndexAny(e.ID, ".-")+1:]
	if e.OfLesson() {
		return fmt.Sprintf("lesson%02s", number)
	}
	return fmt.Sprintf("ex%02s", number)
}

// Known is a wrong answer with the key that its report must contain.
type Known struct {
	Key   string
	Check func() *verify.Report
}

// Copy returns a copy that shares no mutable data with e.
func (e *Exercise) Copy() *Exercise {
	c := *e
	c.Equations, c.Hints, c.Known = slices.Clone(e.Equations), slices.Clone(e.Hints), slices.Clone(e.Known)
	return &c
}

// MustParse calls Text.Parse with the exercise.md and the answer_test.go among files, which an
// exercise's package embeds. The result initialises its package variable; dir is its folder in
// the module. MustParse panics if Parse returns an error, which the exercise gate turns into
// a failing test.
func MustParse(dir string, files fs.ReadFileFS) *Exercise { return MustParseVaried(dir, files, nil) }

// MustParseVaried is MustParse for an exercise whose constants vary. The result has the texts
// of the common variant; Hint, Solution and Judge use the variant that the program has chosen
// by then.
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

// chosen returns the exercise in the variant that the program has chosen.
func (e *Exercise) chosen() *Exercise {
	n := seed.Get()
	if e.Vary == nil || n == e.Seed {
		return e
	}
	v, err := e.source.Parse(n)
	if err != nil {
		panic(err) // the gate parses every exercise for many seeds; another variant's text would be wrong
	}
	return v
}

// hint returns the markdown of hint n, or a sentence that lists the existing hints.
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

// Hint shows hint n (from 1) in the notebook and returns its markdown. For an n that does not exist
// it lists the existing hints; a notebook comes with Hint(0).
func (e *Exercise) Hint(n int) string {
	e = e.chosen()
	if n >= 1 && n <= len(e.Hints) {
		e.keep(func(r *progress.Record) { r.SawHint(n) })
	}
	return show(e.hint(n))
}

// Solution shows the reference answer and the worked derivation in the notebook and returns the
// markdown.
//
// In a notebook, Solution offers the hints first if the exercise is not passed and some hints were
// not seen. It does the same if no answer was tried, for example when all cells of a notebook were
// run at once. The next call shows the solution. A solution that is shown before the exercise is
// passed counts as revealed, and says so. If nothing can be recorded, the first call shows it.
func (e *Exercise) Solution() string {
	e = e.chosen()
	if !recording() {
		return show(e.solution())
	}
	const passed = "You had passed this exercise before: seeing its solution takes nothing away."
	lead, offer := "", ""
	kept := e.keep(func(r *progress.Record) {
		unseen := r.Unseen(len(e.Hints))
		switch {
		case r.Answer.Passed && !r.Revealed:
			lead = passed
		case r.Answer.Passed:
			lead = "You have passed this exercise; its solution was revealed before that."
		case r.Revealed || r.Offered || len(unseen) == 0 && r.Answer.Tries > 0:
			r.Revealed = true
			lead = "This exercise now counts as *revealed*."
		default:
			r.Offered = true
			offer = e.offer(unseen)
		}
	})
	if !kept { // an offer that cannot be recorded would be repeated forever
		lead, offer = "This exercise counts as *revealed*.", ""
		if p, err := here().Read(); err == nil && p.Peek(e.ID).Answer.Passed {
			lead = passed
		}
	}
	if offer != "" {
		return show(offer)
	}
	return show(lead + "\n\n" + e.solution())
}

func (e *Exercise) solution() string {
	return fmt.Sprintf("## Solution: %s\n\n%s\n\n### In Go\n\n```go\n%s```\n", e.Title, e.Derivation, e.Answer)
}

// offer returns the text shown instead of the solution if there are hints left, or if nothing was
// tried.
func (e *Exercise) offer(unseen []int) string {
	const again = "To see the solution all the same, run this cell again: the exercise then counts as *revealed*, until you pass it."
	if len(unseen) == 0 {
		return "**Before the solution:** try an answer of your own. " + again
	}
	which := "Hint " + progress.Series(unseen) + " is"
	if len(unseen) > 1 {
		which = "Hints " + progress.Series(unseen) + " are"
	}
	return fmt.Sprintf("**Before the solution:** %s still unseen, of %d; `%s.Hint(%d)` shows the next one. ",
		which, len(e.Hints), e.packageName(), unseen[0]) + again
}
