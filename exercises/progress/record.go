package progress

import "slices"

// A Record is what became of one exercise. Its zero value is that of an exercise
// that nobody has begun.
type Record struct {
	Answer   Attempts  `json:"answer"`
	Steps    *Attempts `json:"steps"`    // of the exercise's CheckSteps; nil before the first
	Hints    []int     `json:"hints"`    // the hints seen, in ascending order
	Offered  bool      `json:"offered"`  // the solution was asked for, and the hints offered instead
	Revealed bool      `json:"revealed"` // the solution was shown before the exercise was passed
}

// Attempts counts the tries at one check.
type Attempts struct {
	Passed bool `json:"passed"` // by any try; a later one does not take it away
	Tries  int  `json:"tries"`
	Last   *Try `json:"last"` // nil before the first
}

// A Try is the outcome of one check.
type Try struct {
	Right    int  `json:"right"` // of the parts
	Parts    int  `json:"parts"`
	Finished bool `json:"finished"` // false when the program ended while it was judged
}

// SawHint records that hint n was seen.
func (r *Record) SawHint(n int) {
	if i, seen := slices.BinarySearch(r.Hints, n); !seen {
		r.Hints = slices.Insert(r.Hints, i, n)
	}
}

// Unseen returns which of the hints 1 to n were not seen.
func (r *Record) Unseen(n int) []int {
	var out []int
	for i := 1; i <= n; i++ {
		if !slices.Contains(r.Hints, i) {
			out = append(out, i)
		}
	}
	return out
}

// Begin records that a try at a check of this many parts has begun.
func (a *Attempts) Begin(parts int) {
	a.Tries++
	a.Last = &Try{Parts: parts}
}

// Finish records how the try ended that began last.
func (a *Attempts) Finish(right, parts int, passed bool) {
	a.Last = &Try{Finished: true, Parts: parts, Right: right}
	a.Passed = a.Passed || passed
}

// Withdraw takes back a try that turned out to be none; last is the one before.
func (a *Attempts) Withdraw(last *Try) {
	a.Tries = max(a.Tries-1, 0)
	a.Last = last
}

// empty reports whether nothing is recorded.
func (r *Record) empty() bool {
	return r.Answer == (Attempts{}) && (r.Steps == nil || *r.Steps == (Attempts{})) && len(r.Hints) == 0 && !r.Offered && !r.Revealed
}

// A State is how far a learner is with an exercise.
type State string

// The states.
const (
	NotBegun State = "not begun"
	Tried    State = "tried"
	Revealed State = "revealed" // and not passed since
	Passed   State = "passed"   // also after it was revealed
)

// State says how far the learner is. Hints alone begin nothing.
func (r *Record) State() State {
	switch {
	case r.Answer.Passed:
		return Passed
	case r.Revealed:
		return Revealed
	case r.Answer.Tries > 0:
		return Tried
	}
	return NotBegun
}
