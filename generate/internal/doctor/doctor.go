// Package doctor looks at what notebooks need on this machine, and says for
// everything that is missing or does not fit what to do about it.
package doctor

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A Status is how a thing stands.
type Status string

const (
	Present    Status = "present"
	Missing    Status = "missing"
	Mismatched Status = "mismatched" // there, but not the one that is needed
)

// A Finding is one thing that was looked at.
type Finding struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"` // of what is not present
	Needed bool   `json:"needed"`           // false: only for what Found or Remedy says
}

// Report is all findings, in the order in which they build on one another.
type Report struct {
	Schema   string    `json:"schema"` // "hyperplane-doctor/1"
	Well     bool      `json:"well"`   // nothing that is needed is missing or mismatched
	Findings []Finding `json:"findings"`
}

// Examine looks at everything. A cell is run last, and only if all that it needs
// is there.
func Examine(m Machine) Report {
	r := Report{Schema: "hyperplane-doctor/1", Well: true}
	add := func(f Finding) {
		r.Findings = append(r.Findings, f)
		r.Well = r.Well && (f.Status == Present || !f.Needed)
	}
	add(m.goRelease())
	for _, f := range m.tools() {
		add(f)
	}
	add(m.python())
	add(m.kernel())
	for _, f := range m.folders() {
		add(f)
	}
	if r.Well {
		add(m.cell())
	} else {
		add(Finding{Name: "a cell", Status: Missing, Needed: true, Found: "not tried, as something above is not right",
			Remedy: "put the above right first"})
	}
	add(m.lab())
	add(m.image())
	return r
}

// WriteTable writes a line per finding, the remedy below it.
func (r Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range r.Findings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Status, f.Found)
		if f.Remedy != "" {
			fmt.Fprintf(t, "\t\t→ %s\n", f.Remedy)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	last := "All that notebooks need is here."
	if !r.Well {
		last = "Something that notebooks need is not right: do what stands behind the arrows, from the top."
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

func present(name, found string) Finding {
	return Finding{Name: name, Status: Present, Found: found, Needed: true}
}

func missing(name, found, remedy string) Finding {
	return Finding{Name: name, Status: Missing, Found: found, Remedy: remedy, Needed: true}
}

func mismatched(name, found, remedy string) Finding {
	return Finding{Name: name, Status: Mismatched, Found: found, Remedy: remedy, Needed: true}
}

// optional marks a finding that most work can do without.
func optional(f Finding) Finding {
	f.Needed = false
	return f
}
