package progress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// schemaName and schemaVersion make the file's schema, "hyperplane-progress/1".
const (
	schemaName    = "hyperplane-progress/"
	schemaVersion = "1"
)

// Progress is what the file holds.
type Progress struct {
	Schema    string             `json:"schema"`
	Exercises map[string]*Record `json:"exercises"` // by id

	rest object
}

// New returns the progress of a learner who has not begun.
func New() *Progress {
	return &Progress{Schema: schemaName + schemaVersion, Exercises: map[string]*Record{}}
}

// Exercise returns the record of the exercise with this id, which is made if need
// be. Changes to it are changes to p.
func (p *Progress) Exercise(id string) *Record {
	r := p.Exercises[id]
	if r == nil {
		r = &Record{}
		p.Exercises[id] = r
	}
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
	if !json.Valid(text) {
		var any json.RawMessage
		err := json.Unmarshal(text, &any) // says where
		return nil, brokenError(err.Error())
	}
	var head struct {
		Schema string `json:"schema"`
	}
	var fields object
	if err := json.Unmarshal(text, &fields); err != nil || len(fields) == 0 {
		return nil, brokenError("it holds no exercises")
	}
	_ = json.Unmarshal(text, &head) // another type is another program's
	version, ours := strings.CutPrefix(head.Schema, schemaName)
	switch {
	case !ours:
		return nil, fmt.Errorf("it is another program's, without \"schema\": \"%s\"", schemaName+schemaVersion)
	case version != schemaVersion:
		return nil, fmt.Errorf("it is of another version of the toolkit (%s, this one knows %s): update the toolkit", head.Schema, schemaName+schemaVersion)
	}
	p := New()
	if err := json.Unmarshal(text, p); err != nil {
		return nil, brokenError(err.Error())
	}
	if p.Exercises == nil {
		p.Exercises = map[string]*Record{}
	}
	return p, nil
}

// text writes p as a file holds it, exercises in order of their ids. The schema
// comes first, where a file that was cut short still has it.
func (p *Progress) text() ([]byte, error) {
	for id, r := range p.Exercises {
		switch {
		case r == nil:
		case r.empty(): // a try that was none
			delete(p.Exercises, id)
		default:
			if r.Steps != nil && r.Steps.empty() {
				r.Steps = nil
			}
			r.Hints = append([]int{}, r.Hints...) // [] in JSON, not null
		}
	}
	compact, err := marshal(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
