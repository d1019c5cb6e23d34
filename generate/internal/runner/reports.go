package runner

import (
	"encoding/json"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

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
	steps := false
	for _, r := range reports {
		if !r.Passed() {
			if !r.Optional {
				return false
			}
			steps = true
		}
	}
	return steps
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
