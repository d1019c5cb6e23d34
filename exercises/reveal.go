package exercises

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
)

// Hint shows hint n (from 1) in the notebook and returns its markdown. For an n
// that does not exist it says which hints there are; a notebook comes with Hint(0).
func (e *Exercise) Hint(n int) string {
	e = e.chosen()
	if n >= 1 && n <= len(e.Hints) {
		e.keep(func(r *progress.Record) { r.SawHint(n) })
	}
	return show(e.hint(n))
}

// Solution shows the reference answer and the worked derivation in the notebook
// and returns the markdown.
//
// In a notebook it offers the hints first: as long as the exercise is not passed
// and some hints were not seen, or no answer was tried (a notebook whose cells were
// all run at once), the first call says so, and the next call shows the solution.
// A solution that is shown before the exercise is passed counts as revealed, and
// says so. Where nothing can be recorded it is shown at once.
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
	if !kept { // an offer that cannot be remembered would be made for ever
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

// offer is the text that stands for the solution when there are hints left, or when
// nothing was tried.
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
