package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// schemaName and schemaVersion form the schema of the file, "hyperplane-progress/1". A new field
// requires a new version.
const (
	schemaName    = "hyperplane-progress/"
	schemaVersion = "1"
)

// Progress is the contents of the file.
type Progress struct {
	Schema    string             `json:"schema"`
	Exercises map[string]*Record `json:"exercises"` // by id
}

// New returns the progress of a learner who has not begun.
func New() *Progress {
	return &Progress{Schema: schemaName + schemaVersion, Exercises: map[string]*Record{}}
}

// Exercise returns the record of the exercise with this id, and creates the record if necessary.
// Changes to the record are changes to p.
func (p *Progress) Exercise(id string) *Record {
	r := p.Peek(id)
	p.Exercises[id] = r
	return r
}

// Peek returns the record of an exercise for reading. If there is no record, Peek returns an empty
// one that is not part of p.
func (p *Progress) Peek(id string) *Record {
	if r := p.Exercises[id]; r != nil {
		return r
	}
	return &Record{}
}

// A brokenError reports what is wrong with a damaged or empty text.
type brokenError string

func (e brokenError) Error() string { return string(e) }

// parse parses the text of a file. The error is a brokenError if the text is damaged. If the text
// is intact but not for this toolkit, the error has a different type.
func parse(text []byte) (*Progress, error) {
	var fields map[string]any
	err := json.Unmarshal(text, &fields)
	if errors.As(err, new(*json.SyntaxError)) {
		return nil, brokenError(err.Error())
	}
	if err != nil || len(fields) == 0 {
		return nil, brokenError("it contains no exercises")
	}
	schema, _ := fields["schema"].(string)
	version, ours := strings.CutPrefix(schema, schemaName)
	const newer = "it needs another version of the toolkit (the file has %s, this toolkit reads %s): update the toolkit"
	switch {
	case !ours:
		return nil, fmt.Errorf("it belongs to another program, because it lacks \"schema\": \"%s\"", schemaName+schemaVersion)
	case version != schemaVersion:
		return nil, fmt.Errorf(newer, schema, schemaName+schemaVersion)
	}
	p := New()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // writing would lose unknown fields
	if err := d.Decode(p); err != nil {
		if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			return nil, fmt.Errorf(newer, "the field "+field, "other fields")
		}
		return nil, brokenError(err.Error())
	}
	p.Schema = schema // encoding/json also accepts the field name "Schema"
	if p.Exercises == nil {
		p.Exercises = map[string]*Record{}
	}
	return p, nil
}

// text returns p as the text of a file, with the exercises sorted by id. The schema comes first, so
// that even a truncated file contains it.
func (p *Progress) text() ([]byte, error) {
	for id, r := range p.Exercises {
		if r == nil || r.empty() { // left by a withdrawn try
			delete(p.Exercises, id)
			continue
		}
		if r.Steps != nil && *r.Steps == (Attempts{}) {
			r.Steps = nil
		}
		r.Hints = append([]int{}, r.Hints...) // [] in JSON, not null
	}
	b, err := json.MarshalIndent(p, "", "  ")
	return append(b, '\n'), err
}

// A Record is the history of one exercise. The zero value is the record of an exercise that has not
// been begun.
type Record struct {
	Answer   Attempts  `json:"answer"`
	Steps    *Attempts `json:"steps"`    // tries at the exercise's CheckSteps; nil before the first
	Hints    []int     `json:"hints"`    // numbers of the hints that the learner saw, in ascending order
	Offered  bool      `json:"offered"`  // the solution was requested, and the hints were offered instead
	Revealed bool      `json:"revealed"` // the solution was shown before the exercise was passed
}

// Attempts counts the tries at one check.
type Attempts struct {
	Passed bool `json:"passed"` // some try passed; later tries do not reset the field
	Tries  int  `json:"tries"`
	Last   *Try `json:"last"` // the latest try; nil before the first
}

// A Try is the outcome of one check.
type Try struct {
	Right    int  `json:"right"` // number of parts that are right
	Parts    int  `json:"parts"`
	Finished bool `json:"finished"` // false if the program ended during the check
}

// SawHint records that the learner saw hint n.
func (r *Record) SawHint(n int) {
	if i, seen := slices.BinarySearch(r.Hints, n); !seen {
		r.Hints = slices.Insert(r.Hints, i, n)
	}
}

// Unseen returns the hints from 1 to n that the learner has not seen.
func (r *Record) Unseen(n int) []int {
	var out []int
	for i := range n {
		if !slices.Contains(r.Hints, i+1) {
			out = append(out, i+1)
		}
	}
	return out
}

// Begin records the beginning of a try at a check with this many parts.
func (a *Attempts) Begin(parts int) {
	a.Tries++
	a.Last = &Try{Parts: parts}
}

// Finish records the result of the latest try.
func (a *Attempts) Finish(right, parts int, passed bool) {
	a.Last = &Try{Finished: true, Parts: parts, Right: right}
	a.Passed = a.Passed || passed
}

// Withdraw removes a try that called only unwritten stubs. last is the previous try.
func (a *Attempts) Withdraw(last *Try) {
	a.Tries = max(a.Tries-1, 0)
	a.Last = last
}

// empty reports whether the record contains no information.
func (r *Record) empty() bool {
	return r.Answer == (Attempts{}) && (r.Steps == nil || *r.Steps == (Attempts{})) && len(r.Hints) == 0 &&
		!r.Offered && !r.Revealed
}

// A State summarises a learner's progress on an exercise.
type State string

// The states.
const (
	NotBegun State = "not begun"
	Tried    State = "tried"
	Revealed State = "revealed" // solution shown, and not passed since
	Passed   State = "passed"   // passed, even if the solution was shown before
)

// State returns the learner's progress on the exercise. An exercise of which the learner only saw
// hints is not begun.
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
