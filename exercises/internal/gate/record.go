package gate

import (
	"encoding/json"
	"fmt"
	"os"
)

// recordVariable names the file, by its absolute path, to which every call of
// Right and Wrong adds a line of JSON; none is written where it is not set.
// `generate judge` counts them.
const recordVariable = "HYPERPLANE_JUDGE"

// A record is what a call of Right or Wrong found.
type record struct {
	Kind     string `json:"kind"`              // "right" or "wrong": what the answer is
	Exercise string `json:"exercise"`          // its id
	Test     string `json:"test"`              // the test's name
	Key      string `json:"key,omitempty"`     // the key that a wrong answer must earn
	Passed   bool   `json:"passed"`            // the report is passed
	Complete bool   `json:"complete"`          // the report is complete
	Own      bool   `json:"own,omitempty"`     // a wrong answer has earned its key, with a message
	Message  string `json:"message,omitempty"` // of the part with that key
	HTML     string `json:"html"`              // the whole report, as a learner sees it
}

// write adds the record to the file, in one write, as several packages are tested
// at a time. A line that cannot be written fails the test: it would not be
// counted.
func (r record) write(t TB) {
	t.Helper()
	name := os.Getenv(recordVariable)
	if name == "" {
		return
	}
	if t, ok := t.(interface{ Name() string }); ok {
		r.Test = t.Name()
	}
	if err := appendLine(name, r); err != nil {
		t.Errorf("what %s found cannot be recorded (%s): %v", r.Kind, recordVariable, err)
	}
}

func appendLine(name string, r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = file.Write(append(line, '\n')); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return file.Close()
}
