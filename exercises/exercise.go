package exercises

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Exercise is the parsed text of one exercise: the contents of the exercise.md in its folder, and
// the source of the reference answer.
type Exercise struct {
	ID        string   // "prml-4.25"
	Title     string   // the title in one line, plain text with LaTeX maths
	Book      Book     // the book to which the id belongs
	Source    string   // "PRML exercise 4.25"
	Stars     int      // difficulty, 1 to 3
	Slug      string   // the notebook's file name is <number>-<slug>.ipynb
	Equations []string // the equations that the exercise uses
	Figure    string   // id of the exercise's figure, or ""
	Needs     string   // prerequisites, one line

	Task       string   // markdown
	Hints      []string // markdown; the first hint is vague, the last one almost gives the solution
	Derivation string   // markdown, the worked derivation
	Explore    string   // markdown with fenced Go cells
	Next       string   // markdown that suggests what to do after the exercise

	Answer string // Go source of answer_test.go

	Seed uint64    // the seed for which the texts were parsed; 0 selects the constants that all learners share
	Vary Constants // returns the constants for a seed; nil if the constants are the same for every seed

	Known []Known // wrong answers that the check recognises; the exercise's tests use them

	source Text // the exercise's files before the constants were inserted
}

// Checked is an exercise together with the functions that check answers to it. A course lists its
// exercises in this form.
type Checked struct {
	*Exercise
	Checks []any // the function Check and, if it exists, CheckSteps of the exercise's package

	// Provided is the import path of a package, or "". If it is not "" and an answer imports the
	// exercise's own package, the program that runs the answer imports the package Provided instead.
	// This package must contain the names that the exercise provides to learners, but not the check.
	// It must belong to the toolkit's module.
	Provided string
}

// OfLesson reports whether e is the task of a lesson. Such a task has no notebook of its own.
func (e *Exercise) OfLesson() bool { return strings.HasPrefix(e.ID, "lesson-") }

// Dir returns the folder of the exercise in its module, such as "exercises/prml4/ex25".
func (e *Exercise) Dir() string { return path.Dir(e.source.Name) }

// packageName returns the name of the exercise's package in cells: "ex25" or "lesson04".
func (e *Exercise) packageName() string {
	number := e.ID[strings.LastIndexAny(e.ID, ".-")+1:]
	if e.OfLesson() {
		return fmt.Sprintf("lesson%02s", number)
	}
	return fmt.Sprintf("ex%02s", number)
}

// Known is a wrong answer, together with the key that must occur in the report on this answer.
type Known struct {
	Key   string
	Check func() *verify.Report
}

// Copy returns a copy of e with its own slices Equations, Hints and Known.
func (e *Exercise) Copy() *Exercise {
	c := *e
	c.Equations, c.Hints, c.Known = slices.Clone(e.Equations), slices.Clone(e.Hints), slices.Clone(e.Known)
	return &c
}

// MustParse returns the exercise whose package is in the folder `dir` of the module. It reads
// exercise.md and answer_test.go from `files`, which the package embeds, and calls Text.Parse. If
// Parse returns an error, MustParse prints the error on one line and ends the program.
func MustParse(dir string, files fs.ReadFileFS) *Exercise { return MustParseVaried(dir, files, nil) }

// MustParseVaried is like MustParse, for an exercise whose constants depend on the seed. The result
// contains the texts for seed 0. When Hint, Solution and Judge are called, they use the constants
// for the seed that the program has set.
func MustParseVaried(dir string, files fs.ReadFileFS, vary Constants) *Exercise {
	return mustParse(nil, dir, files, vary)
}

func mustParse(books Books, dir string, files fs.ReadFileFS, vary Constants) *Exercise {
	read := func(name string) (string, string) {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		return path.Join(dir, name), string(b)
	}
	t := Text{Vary: vary, Books: books}
	t.Name, t.Markdown = read("exercise.md")
	t.AnswerName, t.Answer = read("answer_test.go")
	e, err := t.Parse(0)
	if err != nil {
		stop(err)
	}
	return e
}

// stop prints the error and ends the program with exit status 2. A panic would print a stack trace
// below the error.
var stop = func(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// inProgramVariant returns the exercise with the constants for the seed that the program has set.
func (e *Exercise) inProgramVariant() *Exercise {
	n := seed.Get()
	if e.Vary == nil || n == e.Seed {
		return e
	}
	v, err := e.source.Parse(n)
	if err != nil {
		panic(err) // the standard exercises cause no error, because tests parse them for many seeds
	}
	return v
}

// hint returns the markdown of hint n. If hint n does not exist, it returns a sentence that says
// which hints exist.
func (e *Exercise) hint(n int) string {
	if n >= 1 && n <= len(e.Hints) {
		return fmt.Sprintf("**Hint %d of %d.** %s", n, len(e.Hints), e.Hints[n-1])
	}
	available := fmt.Sprintf("exercise has hints 1 to %d, from a nudge to nearly there", len(e.Hints))
	if len(e.Hints) == 1 {
		available = "exercise has one hint, number 1"
	}
	if n == 0 {
		return "This " + available + ": write the number of the one you want in place of 0."
	}
	return fmt.Sprintf("There is no hint %d: this %s.", n, available)
}

// Hint shows hint n, counted from 1, in the notebook and returns its markdown. If hint n does not
// exist, Hint says which hints exist. New notebooks contain the call Hint(0).
func (e *Exercise) Hint(n int) string {
	e = e.inProgramVariant()
	if n >= 1 && n <= len(e.Hints) {
		e.saveRecord(func(r *progress.Record) { r.SawHint(n) })
	}
	return e.show(e.hint(n))
}

// Solution shows the reference answer and the worked derivation in the notebook and returns the
// markdown.
//
// In a notebook, the first call may show an offer instead of the solution, so that a run of all
// cells does not reveal the solution. If the exercise is not passed and the learner has not seen
// all hints, the call offers the remaining hints. If the learner has seen all hints but has not
// tried an answer, the call suggests trying one. The next call shows the solution. If a call shows the
// solution before the exercise is passed, the exercise counts as revealed, and the text says so. If
// progress cannot be recorded, the first call shows the solution.
func (e *Exercise) Solution() string {
	e = e.inProgramVariant()
	if !isRecording() {
		return e.show(e.solution())
	}
	const passed = "You had passed this exercise before, so seeing its solution does not change your result."
	lead, offer := "", ""
	kept := e.saveRecord(func(r *progress.Record) {
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
			offer = e.offerText(unseen)
		}
	})
	// If the offer cannot be recorded, show the solution now. Otherwise every later call would
	// return the offer again.
	if !kept {
		lead, offer = "This exercise counts as *revealed*.", ""
		if p, err := notebookProgress().Read(); err == nil && p.Peek(e.key()).Answer.Passed {
			lead = passed
		}
	}
	if offer != "" {
		return e.show(offer)
	}
	return e.show(lead + "\n\n" + e.solution())
}

func (e *Exercise) solution() string {
	return fmt.Sprintf("## Solution: %s\n\n%s\n\n### In Go\n\n```go\n%s```\n", e.Title, e.Derivation, e.Answer)
}

// offerText returns the text that Solution shows at first instead of the solution. If the learner
// has not seen all hints, the text lists the unseen hints. Otherwise it suggests that the learner
// should try an answer.
func (e *Exercise) offerText(unseen []int) string {
	const again = "To see the solution all the same, run this cell again: the exercise then counts as *revealed*, until you pass it."
	if len(unseen) == 0 {
		return "**Before the solution:** try an answer of your own. " + again
	}
	which := "Hint " + progress.Series(unseen) + " is"
	if len(unseen) > 1 {
		which = "Hints " + progress.Series(unseen) + " are"
	}
	return fmt.Sprintf("**Before the solution:** %s still unseen (of %d); `%s.Hint(%d)` shows the next one. ",
		which, len(e.Hints), e.packageName(), unseen[0]) + again
}
