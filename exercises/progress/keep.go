package progress

import (
	"bytes"
	"encoding/json"
	"slices"
)

// An object is a JSON object whose values are not read. Every type of the file
// has one, rest, for the fields that it does not know: those of another version
// of the toolkit. No field of these types may be omitempty, because what
// marshalling a value yields is also the list of the fields that it knows.
type object map[string]json.RawMessage

// unmarshal reads b into known, which has no methods of its own, and returns the
// fields of b that known has not.
func unmarshal(b []byte, known any) (object, error) {
	if err := json.Unmarshal(b, known); err != nil {
		return nil, err
	}
	var rest, mine object
	if err := json.Unmarshal(b, &rest); err != nil {
		return nil, err
	}
	names, err := marshal(known)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(names, &mine); err != nil {
		return nil, err
	}
	for name := range mine {
		delete(rest, name)
	}
	if len(rest) == 0 {
		return nil, nil
	}
	return rest, nil
}

// join writes known, in the order of its fields, and then the fields of rest.
func join(known any, rest object) ([]byte, error) {
	text, err := marshal(known)
	if err != nil || len(rest) == 0 {
		return text, err
	}
	more, err := marshal(rest)
	if err != nil {
		return nil, err
	}
	return slices.Concat(text[:len(text)-1], []byte(","), more[1:]), nil // {…} and {…}
}

// marshal is json.Marshal that leaves <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// The methods below keep rest through reading and writing.

// UnmarshalJSON reads the file's form.
func (p *Progress) UnmarshalJSON(b []byte) (err error) {
	type plain Progress // without methods
	p.rest, err = unmarshal(b, (*plain)(p))
	return err
}

// MarshalJSON writes the file's form.
func (p *Progress) MarshalJSON() ([]byte, error) {
	type plain Progress
	return join((*plain)(p), p.rest)
}

// UnmarshalJSON reads the file's form.
func (r *Record) UnmarshalJSON(b []byte) (err error) {
	type plain Record
	r.rest, err = unmarshal(b, (*plain)(r))
	return err
}

// MarshalJSON writes the file's form.
func (r *Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return join((*plain)(r), r.rest)
}

// UnmarshalJSON reads the file's form.
func (a *Attempts) UnmarshalJSON(b []byte) (err error) {
	type plain Attempts
	a.rest, err = unmarshal(b, (*plain)(a))
	return err
}

// MarshalJSON writes the file's form.
func (a *Attempts) MarshalJSON() ([]byte, error) {
	type plain Attempts
	return join((*plain)(a), a.rest)
}

// UnmarshalJSON reads the file's form.
func (t *Try) UnmarshalJSON(b []byte) (err error) {
	type plain Try
	t.rest, err = unmarshal(b, (*plain)(t))
	return err
}

// MarshalJSON writes the file's form.
func (t *Try) MarshalJSON() ([]byte, error) {
	type plain Try
	return join((*plain)(t), t.rest)
}
