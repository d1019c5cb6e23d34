package quality

import (
	"fmt"
	"io"
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

// head and row have the same columns; every exercise's line is printed as soon as
// there is one.
const (
	head = "%-15s %9s %9s %11s %9s %10s %9s %8s\n"
	row  = "%-15s %9s %9s %11s %9s %10d %6.1f ms %5.0f MB%s\n"
)

// WriteHead writes the head of the table.
func WriteHead(w io.Writer) {
	fmt.Fprintf(w, head, "", "right", "wrong", "with own", "mutants", "equivalent", "time per", "memory")
	fmt.Fprintf(w, head, "exercise", "accepted", "rejected", "message", "killed", "explained", "check", "")
}

// WriteRow writes the line of one exercise.
func (r *Result) WriteRow(w io.Writer) {
	note := ""
	if r.Judged < r.Made {
		note = fmt.Sprintf("  (%d of %d mutants)", r.Judged, r.Made)
	}
	if r.Red() {
		note += "  RED"
	}
	fmt.Fprintf(w, row, r.ID, r.Right, r.Rejected, r.Own, r.Mutants(), r.Equivalent, 1e3*r.Seconds, megabytes(r.Peak), note)
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// WriteFaults writes why exercises are red, with the mutants that survive; verbose
// adds what became of every mutant.
func (s *Summary) WriteFaults(w io.Writer, verbose bool) {
	for _, r := range s.Exercises {
		if !r.Red() && !verbose {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", r.ID)
		for _, f := range r.Faults {
			fmt.Fprintf(w, "  %s\n", f)
		}
		for _, f := range r.Fates {
			switch {
			case verbose && f.How != "":
				fmt.Fprintf(w, "    %-10s %s  (%s)\n", f.Fate, f.Mutant, f.How)
			case verbose:
				fmt.Fprintf(w, "    %-10s %s\n", f.Fate, f.Mutant)
			case f.Fate == Survived:
				fmt.Fprintf(w, "    %s\n", f.Mutant)
			}
		}
	}
}

// WriteTotals writes the last line.
func (s *Summary) WriteTotals(w io.Writer) {
	var right, rejected, own, mutants Count
	equivalent, seconds, peak := 0, 0.0, int64(0)
	for _, r := range s.Exercises {
		for _, c := range []struct {
			total *Count
			one   Count
		}{{&right, r.Right}, {&rejected, r.Rejected}, {&own, r.Own}, {&mutants, r.Mutants()}} {
			c.total.Good += c.one.Good
			c.total.Of += c.one.Of
		}
		equivalent += r.Equivalent
		seconds, peak = max(seconds, r.Seconds), max(peak, r.Peak)
	}
	fmt.Fprintf(w, "%d exercises, %d red: right forms accepted %s, wrong answers rejected %s, with their own message %s, mutants killed %s (%d equivalent, explained); the longest check takes %.0f ms, the largest %.0f MB\n",
		len(s.Exercises), s.Red(), right, rejected, own, mutants, equivalent, 1e3*seconds, megabytes(peak))
}
