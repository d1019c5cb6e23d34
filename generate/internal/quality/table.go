package quality

import (
	"fmt"
	"io"
)

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
