package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// schemaName and schemaVersion make the file's schema, "hyperplane-progress/1". A
// field more is a version more.
const (
	schemaName    = "hyperplane-progress/"
	schemaVersion = "1"
)

// Progress is what the file holds.
type Progress struct {
	Schema    string             `json:"schema"`
	Exercises map[string]*Record `json:"exercises"` // by id
}

// New returns the progress of a learner who has not begun.
func New() *Progress {
	return &Progress{Schema: schemaName + schemaVersion, Exercises: map[string]*Record{}}
}

// Exercise returns the record of the exercise with this id, which is made if need
// be. Changes to it are changes to p.
func (p *Progress) Exercise(id string) *Record {
	r := p.Peek(id)
	p.Exercises[id] = r
	return r
}

// Peek returns a record to read, an empty one for an exercise that has none.
func (p *Progress) Peek(id string) *Record {
	if r := p.Exercises[id]; r != nil {
		return r
	}
	return &Record{}
}

// A brokenError says what is wrong with a text that is damaged or empty.
type brokenError string

func (e brokenError) Error() string { return string(e) }

// parse reads the text of a file. A damaged text is a brokenError; a text that is
// whole but not for this toolkit is another error.
func parse(text []byte) (*Progress, error) {
	var fields map[string]any
	err := json.Unmarshal(text, &fields)
	if errors.As(err, new(*json.SyntaxError)) {
		return nil, brokenError(err.Error())
	}
	if err != nil || len(fields) == 0 {
		return nil, brokenError("it holds no exercises")
	}
	schema, _ := fields["schema"].(string)
	version, ours := strings.CutPrefix(schema, schemaName)
	const newer = "it is of another version of the toolkit (%s, this one knows %s): update the toolkit"
	switch {
	case !ours:
		return nil, fmt.Errorf("it is another program's, without \"schema\": \"%s\"", schemaName+schemaVersion)
	case version != schemaVersion:
		return nil, fmt.Errorf(newer, schema, schemaName+schemaVersion)
	}
	p := New()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // writing would lose them
	if err := d.Decode(p); err != nil {
		if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			return nil, fmt.Errorf(newer, "with the field "+field, "other fields")
		}
		return nil, brokenError(err.Error())
	}
	p.Schema = schema // JSON takes "Schema" for it too
	if p.Exercises == nil {
		p.Exercises = map[string]*Record{}
	}
	return p, nil
}

// text writes p as a file holds it, exercises in order of their ids. The schema
// comes first, where a file that was cut short still has it.
func (p *Progress) text() ([]byte, error) {
	for id, r := range p.Exercises {
		if r == nil || r.empty() { // a try that was none
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
