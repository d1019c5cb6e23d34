package quality

import (
	"fmt"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/trial"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Summary is what was found of all exercises.
type Summary struct {
	Exercises []*Result `json:"exercises"`
}

// Red counts the exercises that are not as they should be.
func (s *Summary) Red() int {
	n := 0
	for _, r := range s.Exercises {
		if r.Red() {
			n++
		}
	}
	return n
}

// A Count is how many of how many are as they should be.
type Count struct {
	Good int `json:"good"`
	Of   int `json:"of"`
}

func (c *Count) add(good bool) {
	c.Of++
	if good {
		c.Good++
	}
}

// String is the count as n/n.
func (c Count) String() string { return fmt.Sprintf("%d/%d", c.Good, c.Of) }

// A Result is what was found of one exercise.
type Result struct {
	ID         string   `json:"id"`
	Right      Count    `json:"right"`      // right forms accepted
	Rejected   Count    `json:"rejected"`   // wrong answers rejected
	Own        Count    `json:"own"`        // wrong answers with their own message
	Made       int      `json:"made"`       // mutants that there are
	Judged     int      `json:"judged"`     // mutants that were judged, a spread where there are too many
	Killed     int      `json:"killed"`     // mutants that the check refuses
	Equivalent int      `json:"equivalent"` // mutants that pass and are right, as check_test.go explains
	Seconds    float64  `json:"seconds"`    // time of the check, on the reference
	Peak       int64    `json:"peak"`       // most resident memory of a process that checks the reference, bytes
	Faults     []string `json:"faults"`     // why the exercise is red; none where it is not
	Fates      []Fate   `json:"mutants"`
}

// Red reports whether anything is not as it should be.
func (r *Result) Red() bool { return len(r.Faults) > 0 }

// Mutants is how many of those that ought to be killed are.
func (r *Result) Mutants() Count { return Count{r.Killed, r.Judged - r.Equivalent} }

// Survivors names the mutants that pass without an explanation.
func (r *Result) Survivors() []string {
	var names []string
	for _, f := range r.Fates {
		if f.Fate == Survived {
			names = append(names, f.Mutant)
		}
	}
	return names
}

// What becomes of a mutant.
const (
	Killed     = "killed"     // the check refuses it, or it crashes or does not end
	Equivalent = "equivalent" // it passes, and is right
	Survived   = "survived"   // it passes, and nobody has said why
)

// A Fate is what became of a mutant.
type Fate struct {
	Mutant string `json:"mutant"`
	Fate   string `json:"fate"`
	How    string `json:"how"` // what killed it, or why it is right
}

// how says in a few words what killed a mutant: the first part that is not Right
// with its key, or the end of its process.
func how(j trial.Judgement) string {
	if j.Died != "" {
		first, _, _ := strings.Cut(j.Died, "\n")
		return "died: " + first
	}
	for _, r := range j.Reports {
		for _, p := range r.Parts {
			if p.Outcome != verify.Right {
				return strings.TrimSpace(p.Outcome.String() + " " + p.Key)
			}
		}
	}
	return ""
}
