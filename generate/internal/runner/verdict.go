package runner

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Verdict names what became of a cell or of a whole notebook.
type Verdict string

const (
	OK            Verdict = "OK"            // ran to its end; it checks nothing
	Passed        Verdict = "Passed"        // every part of every report is Right
	NotPassed     Verdict = "NotPassed"     // a complete report with a part that is not Right
	NoVerdict     Verdict = "NoVerdict"     // an exercise's check that gave no report
	Mismatch      Verdict = "Mismatch"      // a report of another exercise or variant than the notebook is of
	Panicked      Verdict = "Panicked"      // panic or fatal error of the Go runtime
	Exited        Verdict = "Exited"        // the program ended early: os.Exit, log.Fatal, a signal
	TimedOut      Verdict = "TimedOut"      // interrupted at the time limit
	TooMuchOutput Verdict = "TooMuchOutput" // interrupted at the output limit
	CompileError  Verdict = "CompileError"  // the cell did not build
	ShellFailed   Verdict = "ShellFailed"   // a ! or % line failed
	KernelDied    Verdict = "KernelDied"    // the kernel ended during the cell
	NotRun        Verdict = "NotRun"        // the run ended before the cell
	NotANotebook  Verdict = "NotANotebook"  // the file is no notebook of format 4
	NotJudged     Verdict = "NotJudged"     // the file could not be read, or the run not be finished: nothing is known of it
)

// Pass reports whether the verdict is one of success.
func (v Verdict) Pass() bool { return v == OK || v == Passed }

// Cell is what became of one code cell.
type Cell struct {
	Number   int              `json:"cell"` // position among all cells of the notebook, from 1
	ID       string           `json:"id"`
	Exercise string           `json:"exercise,omitempty"` // of a cell that checks one
	Verdict  Verdict          `json:"verdict"`
	Detail   string           `json:"detail,omitempty"`   // one line: what was seen
	Expected bool             `json:"expected,omitempty"` // the notebook says that this verdict is meant to come
	Optional bool             `json:"optional,omitempty"` // NotPassed, but for optional steps alone: a learner's notebook passes without them
	Reports  []*verify.Report `json:"reports,omitempty"`
}

// Pass reports whether the cell ended well, or as the notebook says it should.
func (c Cell) Pass() bool { return c.Verdict.Pass() || c.Expected }

// Notebook is what became of one notebook.
type Notebook struct {
	Path    string   `json:"notebook"`
	Verdict Verdict  `json:"verdict"`
	Detail  string   `json:"detail,omitempty"`
	Cells   []Cell   `json:"cells"`
	Files   []string `json:"files,omitempty"`   // written to Options.Out
	Warning string   `json:"warning,omitempty"` // what the run could not clean up; it does not touch the verdict
	Reused  bool     `json:"reused,omitempty"`  // it was not run: nothing has changed since it passed
}

// Summary is what became of all notebooks of a run, in the order they were given.
type Summary struct {
	Schema    string     `json:"schema"` // "hyperplane-run/1"
	Passed    bool       `json:"passed"` // every notebook passed
	Notebooks []Notebook `json:"notebooks"`
}

// Judged reports whether every notebook got a verdict on what it holds.
func (s *Summary) Judged() bool {
	return !slices.ContainsFunc(s.Notebooks, func(n Notebook) bool { return n.Verdict == NotJudged })
}

// conclude gives the notebook the verdict of its first cell that did not pass, or
// else Passed if it checked exercises and OK if it did not. What the claim k asks for
// and no cell showed makes it NoVerdict; a report on the steps of an exercise does not
// count for it. Nor does it count against it: an exercise is passed by its Check
// alone. Only in a solved notebook, and in one that is of no exercise, a wrong step is
// a fault like any other.
func (n *Notebook) conclude(k claim) {
	if k.fault != "" {
		n.Verdict, n.Detail = Mismatch, k.fault
		return
	}
	extra := len(k.exercises) > 0 && !k.solved
	n.Verdict = OK
	passed := map[string]bool{}
	for _, c := range n.Cells {
		if !c.Pass() && !(extra && c.Optional) {
			n.Verdict, n.Detail = c.Verdict, c.Detail
			return
		}
		for _, r := range c.Reports {
			if r.Passed() && !r.Optional {
				passed[r.Exercise] = true
				n.Verdict = Passed
			}
		}
	}
	for _, e := range k.exercises {
		if !passed[e] {
			n.Verdict, n.Detail = NoVerdict, "no cell reported on exercise "+e
			return
		}
	}
	if k.checks && len(passed) == 0 {
		n.Verdict, n.Detail = NoVerdict, "nothing was checked, though the notebook uses an exercise"
	}
}

// reported judges a cell that ran to its end by the reports that it gave. Every one
// counts, whatever came after it.
func reported(c Cell, k claim) (Verdict, string) {
	if len(c.Reports) == 0 {
		return NoVerdict, "the check gave no report (did the program end before it?)"
	}
	for _, r := range c.Reports {
		if fault := k.mismatch(c.Exercise, r); fault != "" {
			return Mismatch, fault
		}
		if !r.Complete {
			return Exited, "the program ended before the report was complete (os.Exit?): " + r.Summary()
		}
	}
	passed, left, wrong := "", "", "" // steps that were left alone nobody has to take
	for _, r := range c.Reports {
		switch {
		case r.Passed():
			passed = r.Summary()
		case !r.Optional:
			return NotPassed, r.Summary()
		case leftAlone(r):
			left = "optional steps: " + r.Summary()
		default:
			wrong = "optional steps: " + r.Summary()
		}
	}
	switch {
	case wrong != "":
		return NotPassed, wrong
	case passed != "":
		return Passed, passed
	}
	return OK, left
}

// leftAlone reports whether a part is not attempted, and nothing that was
// attempted is wrong.
func leftAlone(r *verify.Report) bool {
	left := r.Count(verify.NotAttempted)
	return left > 0 && left+r.Count(verify.Right) == len(r.Parts)
}

// failsInSteps reports whether all that did not pass are steps on the way, and
// the answers that were judged, if any, are right.
func failsInSteps(reports []*verify.Report) bool {
	failed := slices.DeleteFunc(slices.Clone(reports), (*verify.Report).Passed)
	return len(failed) > 0 && !slices.ContainsFunc(failed, func(r *verify.Report) bool { return !r.Optional })
}

// reportsIn returns the reports among outputs: one for each display, as it was when
// the cell ended.
func reportsIn(outputs []nbformat.Output) ([]*verify.Report, error) {
	var reports []*verify.Report
	for _, o := range outputs {
		data := o.Data(verify.ReportMIME)
		if data == nil {
			continue
		}
		text, err := json.Marshal(data)
		if err != nil {
			return reports, fmt.Errorf("the report cannot be read: %w", err)
		}
		r := new(verify.Report)
		if err := json.Unmarshal(text, r); err != nil {
			return reports, fmt.Errorf("the report cannot be read: %w", err)
		}
		reports = append(reports, r)
	}
	return reports, nil
}
