package verify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// ReportMIME is the type under which a report goes into a notebook's output.
const ReportMIME = "application/vnd.hyperplane.report+json"

// Report is the judgement of one exercise, part by part.
type Report struct {
	Schema   string   `json:"schema"`
	Exercise string   `json:"exercise"`
	Title    string   `json:"title"`
	Version  string   `json:"version"`
	Seed     uint64   `json:"seed"`               // of a personal variant, 0 for the common one
	Optional bool     `json:"optional,omitempty"` // of steps on the way: the exercise is passed without them
	Complete bool     `json:"complete"`
	Parts    []Result `json:"parts"`
}

// Result is what became of one part of a report.
type Result struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Key     string  `json:"key,omitempty"`
	Message string  `json:"message,omitempty"`
	Hint    int     `json:"hint,omitempty"`
}

func newReport(h Heading, parts []Part) *Report {
	r := &Report{
		Schema: "hyperplane-report/1", Version: toolkit.Version,
		Exercise: h.Exercise, Title: h.Title, Seed: h.Seed, Optional: h.Optional, Parts: []Result{},
	}
	for _, p := range parts {
		r.Parts = append(r.Parts, Result{Name: p.Name, Outcome: NotRun})
	}
	return r
}

func (p *Result) set(v Verdict) {
	p.Outcome, p.Key, p.Message, p.Hint = v.Outcome, v.Key, v.Message, v.Hint
}

// Passed reports whether every part was judged Right. A report without parts,
// or one that is not complete, is not passed.
func (r *Report) Passed() bool {
	if !r.Complete || len(r.Parts) == 0 {
		return false
	}
	for _, p := range r.Parts {
		if p.Outcome != Right {
			return false
		}
	}
	return true
}

// MarshalJSON writes the report with its "passed", so that a program need not
// know the rule.
func (r *Report) MarshalJSON() ([]byte, error) {
	type plain Report // without methods
	return json.Marshal(struct {
		*plain
		Passed bool `json:"passed"`
	}{(*plain)(r), r.Passed()})
}

// Count returns how many parts have the given outcome.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, p := range r.Parts {
		if p.Outcome == o {
			n++
		}
	}
	return n
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	switch {
	case r.Passed():
		return fmt.Sprintf("passed: all %d parts right", len(r.Parts))
	case !r.Complete:
		return fmt.Sprintf("judging: %d of %d parts done", len(r.Parts)-r.Count(NotRun), len(r.Parts))
	case r.Count(NotAttempted) == len(r.Parts):
		return "not attempted yet: replace the stub's panic(verify.TODO) by your answer"
	}
	return fmt.Sprintf("not passed: %d of %d parts right", r.Count(Right), len(r.Parts))
}

// String is the report for a terminal: a line per part, messages indented.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s%s\n", r.Exercise, r.Title, r.variant())
	for i, p := range r.Parts {
		fmt.Fprintf(&b, "  %s %-12s %s\n", mark(p.Outcome), p.Outcome, r.numbered(i))
		for _, line := range strings.Split(r.note(p), "\n") {
			if line != "" {
				fmt.Fprintf(&b, "                   %s\n", line)
			}
		}
	}
	fmt.Fprintf(&b, "%s\n", r.Summary())
	return b.String()
}

// variant is the ending of the headline for a personal variant.
func (r *Report) variant() string {
	if r.Seed == 0 {
		return ""
	}
	return fmt.Sprintf(" · variant %d", r.Seed)
}

// numbered is the name of a part behind its number, by which messages speak of it,
// where there are several.
func (r *Report) numbered(i int) string {
	if len(r.Parts) < 2 {
		return r.Parts[i].Name
	}
	return fmt.Sprintf("%d. %s", i+1, r.Parts[i].Name)
}

// note is the message of a part with the call that shows its hint.
func (r *Report) note(p Result) string {
	if p.Hint == 0 {
		return p.Message
	}
	return fmt.Sprintf("%s\n%sHint(%d) takes it from here.", p.Message, packageOf(r.Exercise), p.Hint)
}

var numbered = regexp.MustCompile(`^[a-z]+-[0-9]+\.([0-9]+)$`)

// packageOf is the exercise's package as a cell writes it, ex07. for prml-4.7; ""
// for a report of anything else.
func packageOf(exercise string) string {
	m := numbered.FindStringSubmatch(exercise)
	if m == nil {
		return ""
	}
	return fmt.Sprintf("ex%02s.", m[1])
}

func mark(o Outcome) string {
	switch o {
	case Right:
		return "✓"
	case NotRun, NotAttempted:
		return "·"
	}
	return "✗"
}
