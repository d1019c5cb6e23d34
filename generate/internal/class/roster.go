// Package class keeps a class: who is in it, what each learner was given, what they
// handed in and what became of it.
package class

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Learner is one line of the roster, and the seed of the learner's variants.
type Learner struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
	Due   string `json:"due,omitempty"` // RFC 3339
	Seed  uint64 `json:"seed"`
}

// ReadRoster reads a roster: comma- or semicolon-separated lines below a line that names
// the columns id, name and, optionally, email and due, in any order; other columns are
// not looked at. An error has the file's name and the line of what is wrong: a missing
// column, an id that is empty, given twice or no name of a folder, a date that is none.
func ReadRoster(file string, text []byte) ([]Learner, error) {
	rows, err := readTable(file, text, "the roster", "id,name,email,due", "id", "name")
	if err != nil {
		return nil, err
	}
	var list []Learner
	first := map[string]int{}
	for _, row := range rows {
		l := Learner{ID: row.text("id"), Name: row.text("name"), Email: row.text("email")}
		if err := validID(row.raw("id"), l.ID); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, row.line, err)
		}
		if l.Name == "" || strings.ContainsFunc(l.Name, unprintable) {
			return nil, fmt.Errorf("%s:%d: the name %q of %s is none", file, row.line, l.Name, l.ID)
		}
		key := strings.ToLower(l.ID) // some file systems have one folder for both
		if before, ok := first[key]; ok {
			return nil, fmt.Errorf("%s:%d: the id %s stands in line %d already; the id is who a learner is", file, row.line, l.ID, before)
		}
		first[key] = row.line
		if l.Due, err = due(row.text("due")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, row.line, err)
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s:2: the roster has no learner", file)
	}
	return list, nil
}

func unprintable(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) }

// validID returns an error for an id that cannot be the name of a folder.
func validID(raw, id string) error {
	switch {
	case id == "":
		return errors.New("the id is empty")
	case strings.ContainsFunc(raw, unprintable):
		return fmt.Errorf("the id %q has a character that is none", raw)
	case formula.MatchString(id):
		return fmt.Errorf("invalid id %q: want no formula of a spreadsheet: put a letter or a digit before the sign", id)
	case strings.ContainsAny(id, `/\`), strings.HasPrefix(id, "."), len(id) > 200:
		return fmt.Errorf("the id %q cannot be the name of a folder: no slash, no dot in front, 200 bytes at most", id)
	}
	return nil
}

// due is a date as RFC 3339.
func due(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	t, ok := moment(text)
	if !ok {
		return "", fmt.Errorf("the due date %q is none: write it as 2026-12-01 or 2026-12-01 18:00", text)
	}
	return t.Format(time.RFC3339), nil
}

// moment is the time that a text says, by the clock of this machine where it names no
// zone; of a day alone its end.
func moment(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		t, err := time.ParseInLocation(layout, text, time.Local)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		return t, true
	}
	return time.Time{}, false
}

// find is the learner with an id, nil if there is none.
func find(list []Learner, id string) *Learner {
	if i := slices.IndexFunc(list, func(l Learner) bool { return l.ID == id }); i >= 0 {
		return &list[i]
	}
	return nil
}
