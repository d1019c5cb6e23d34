package quality

import (
	"fmt"
	"io"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/trial"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Summary contains the results of all exercises.
type Summary struct {
	Exercises []*Result `json:"exercises"`
}

// Red returns the number of exercises with faults.
func (s *Summary) Red() int {
	n := 0
	for _, r := range s.Exercises {
		if r.Red() {
			n++
		}
	}
	return n
}

// A Count counts answers or mutants. The field Judged is the number of answers or mutants that were
// judged. The field Good is the number of answers or mutants for which the check gave the desired
// result.
type Count struct {
	Good   int `json:"good"`
	Judged int `json:"of"`
}

func (c *Count) add(good bool) {
	c.Judged++
	if good {
		c.Good++
	}
}

// String returns the count in the form "2/3".
func (c Count) String() string { return fmt.Sprintf("%d/%d", c.Good, c.Judged) }

// A Result is the result for one exercise.
type Result struct {
	ID         string   `json:"id"`
	Right      Count    `json:"right"`      // right forms accepted
	Rejected   Count    `json:"rejected"`   // wrong answers rejected
	Own        Count    `json:"own"`        // wrong answers for which the check has a message about their mistake
	Made       int      `json:"made"`       // number of all mutants
	Judged     int      `json:"judged"`     // number of judged mutants; less than Made if Options.Most limits it
	Killed     int      `json:"killed"`     // number of mutants with the fate Killed
	Equivalent int      `json:"equivalent"` // number of equivalent mutants: check_test.go explains why each of them is still right
	Seconds    float64  `json:"seconds"`    // time in seconds that the check takes for the reference answer
	Peak       int64    `json:"peak"`       // peak memory in bytes of a process that checks the reference answer
	Faults     []string `json:"faults"`     // faults of the exercise; an exercise with faults is red
	Fates      []Fate   `json:"mutants"`
}

// Red reports whether the exercise has a fault.
func (r *Result) Red() bool { return len(r.Faults) > 0 }

// Mutants returns a Count in which the field Good is the number of killed mutants, and the field
// Judged is the number of judged mutants that are not equivalent.
func (r *Result) Mutants() Count { return Count{r.Killed, r.Judged - r.Equivalent} }

// Survivors returns the names of the mutants that survived: they pass, but check_test.go does not
// explain why they are right.
func (r *Result) Survivors() []string {
	var names []string
	for _, f := range r.Fates {
		if f.Fate == Survived {
			names = append(names, f.Mutant)
		}
	}
	return names
}

// These are the possible values of Fate.Fate.
const (
	Killed     = "killed"     // the check rejects the mutant, or the mutant crashes or does not end
	Equivalent = "equivalent" // the mutant passes, and check_test.go explains why it is right
	Survived   = "survived"   // the mutant passes, without an explanation
)

// A Fate is the result of judging a mutant.
type Fate struct {
	Mutant string `json:"mutant"`
	Fate   string `json:"fate"`
	How    string `json:"how"` // how the mutant was killed, the reason why it is right, or "" if it survived
}

// describeKill returns a short text that says why a mutant counts as killed. If the check rejected
// the mutant, the text contains the outcome and the key of the first part that is not Right. If the
// mutant's process ended early, the text says how it ended. For an accepted mutant, the text is "".
func describeKill(j trial.Judgement) string {
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

// headFormat and rowFormat are the formats of the table's header and rows, with the same columns.
// The widths are fixed, because each exercise's row is printed as soon as its result is known.
const (
	headFormat = "%-15s %9s %9s %11s %9s %10s %9s %8s\n"
	rowFormat  = "%-15s %9s %9s %11s %9s %10d %6.1f ms %5.0f MB%s\n"
)

// WriteHead writes the header of the table.
func WriteHead(w io.Writer) {
	fmt.Fprintf(w, headFormat, "", "right", "wrong", "with own", "mutants", "equivalent", "time per", "memory")
	fmt.Fprintf(w, headFormat, "exercise", "accepted", "rejected", "message", "killed", "explained", "check", "")
}

// WriteRow writes the row of the table for one exercise.
func (r *Result) WriteRow(w io.Writer) {
	note := ""
	if r.Judged < r.Made {
		note = fmt.Sprintf("  (%d of %d mutants)", r.Judged, r.Made)
	}
	if r.Red() {
		note += "  RED"
	}
	fmt.Fprintf(w, rowFormat, r.ID, r.Right, r.Rejected, r.Own, r.Mutants(), r.Equivalent, 1e3*r.Seconds, megabytes(r.Peak),
		note)
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// WriteFaults writes the faults of red exercises, with the surviving mutants. If verbose is true,
// WriteFaults writes the faults of all exercises and the fate of every mutant.
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

// WriteTotals writes the last line, with the totals of the counts, and with the largest time and memory.
func (s *Summary) WriteTotals(w io.Writer) {
	var right, rejected, own, mutants Count
	equivalent, seconds, peak := 0, 0.0, int64(0)
	for _, r := range s.Exercises {
		for _, c := range []struct {
			total *Count
			one   Count
		}{{&right, r.Right}, {&rejected, r.Rejected}, {&own, r.Own}, {&mutants, r.Mutants()}} {
			c.total.Good += c.one.Good
			c.total.Judged += c.one.Judged
		}
		equivalent += r.Equivalent
		seconds, peak = max(seconds, r.Seconds), max(peak, r.Peak)
	}
	fmt.Fprintf(w,
		"%d exercises, %d red: right forms accepted %s, wrong answers rejected %s, with their own message %s, mutants killed %s (%d equivalent, explained); the longest check takes %.0f ms, the largest %.0f MB\n",
		len(s.Exercises), s.Red(), right, rejected, own, mutants, equivalent, 1e3*seconds, megabytes(peak))
}
