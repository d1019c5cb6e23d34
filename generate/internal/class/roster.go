// Package class keeps a class: who is in it, what each learner was given, what they
// handed in and what became of it.
package class

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
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
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(text))
	head, _, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.Contains(head, []byte(",")) && bytes.Contains(head, []byte(";")) {
		r.Comma = ';'
	}
	names, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: the roster is empty; its first line names the columns: id,name,email,due", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	column := map[string]int{}
	for i, name := range names {
		column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range []string{"id", "name"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("%s:1: there is no column %s; the first line has %s", file, name, strings.Join(names, ", "))
		}
	}
	var list []Learner
	first := map[string]int{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := r.FieldPos(0)
		field := func(name string) string {
			if i, ok := column[name]; ok {
				return strings.Join(strings.Fields(norm.NFC.String(row[i])), " ")
			}
			return ""
		}
		l := Learner{ID: field("id"), Name: field("name"), Email: field("email")}
		if err := validID(row[column["id"]], l.ID); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		if l.Name == "" || strings.ContainsFunc(l.Name, unprintable) {
			return nil, fmt.Errorf("%s:%d: the name %q of %s is none", file, line, l.Name, l.ID)
		}
		key := strings.ToLower(l.ID) // some file systems have one folder for both
		if before, ok := first[key]; ok {
			return nil, fmt.Errorf("%s:%d: the id %s stands in line %d already; the id is who a learner is", file, line, l.ID, before)
		}
		first[key] = line
		if l.Due, err = due(field("due")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
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
	case strings.ContainsAny(id, `/\`), strings.HasPrefix(id, "."), len(id) > 200:
		return fmt.Errorf("the id %q cannot be the name of a folder: no slash, no dot in front, 200 bytes at most", id)
	}
	return nil
}

// due is a date as RFC 3339: of a day alone its end, by the clock of this machine.
func due(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		t, err := time.ParseInLocation(layout, text, time.Local)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		return t.Format(time.RFC3339), nil
	}
	return "", fmt.Errorf("the due date %q is none: write it as 2026-12-01 or 2026-12-01 18:00", text)
}

// find is the learner with an id, nil if there is none.
func find(list []Learner, id string) *Learner {
	if i := slices.IndexFunc(list, func(l Learner) bool { return l.ID == id }); i >= 0 {
		return &list[i]
	}
	return nil
}
