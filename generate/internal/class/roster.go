// Package class manages a class: the learners, their variants, their submissions and the results.
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

// A Learner contains the data of one line of the roster, and the seed of the learner's variants.
type Learner struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
	Due   string `json:"due,omitempty"` // RFC 3339
	Seed  uint64 `json:"seed"`
}

// ReadRoster reads a roster, which is a table with commas or semicolons between the columns. The
// first line must contain the columns id and name, and may contain email and due, in any order.
// ReadRoster ignores other columns. It returns an error for a malformed table, a missing column, an
// invalid id, name or date, or a roster without learners. An id is invalid if it is empty, contains a
// control character or invalid UTF-8, cannot be the name of a folder, or looks like a spreadsheet
// formula. It is also invalid if an earlier id differs from it at most in upper and lower case. Errors
// start with the file's name, and also contain the number of the line.
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
			return nil, fmt.Errorf("%s:%d: invalid name %q for %s: want some text, without control characters or invalid UTF-8", file, row.line, l.Name, l.ID)
		}
		key := strings.ToLower(l.ID) // use lower case, because some file systems ignore case
		if before, ok := first[key]; ok {
			return nil, fmt.Errorf("%s:%d: the id %s is already in line %d; want one line per learner, and ids that differ in more than upper and lower case",
				file, row.line, l.ID, before)
		}
		first[key] = row.line
		if l.Due, err = parseDue(row.text("due")); err != nil {
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

// validID returns an error if the id is empty, contains a control character or invalid UTF-8, cannot
// be the name of a folder, or would be a formula in a spreadsheet. `raw` is the id before
// normalisation.
func validID(raw, id string) error {
	switch {
	case id == "":
		return errors.New("the id is empty")
	case strings.ContainsFunc(raw, unprintable):
		return fmt.Errorf("the id %q has a control character or invalid UTF-8", raw)
	case formulaStart.MatchString(id):
		return fmt.Errorf("invalid id %q: a spreadsheet would read it as a formula; want no =, +, - or @ (in normal or full width) at the start or after a comma or semicolon", id)
	case strings.ContainsAny(id, `/\`), strings.HasPrefix(id, "."), len(id) > 200:
		return fmt.Errorf("the id %q cannot be the name of a folder: want no slash or backslash, no leading dot and at most 200 bytes", id)
	}
	return nil
}

// parseDue converts a date to RFC 3339. It returns "" for an empty text.
func parseDue(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	t, ok := parseTime(text)
	if !ok {
		return "", fmt.Errorf("invalid due date %q: want the form 2026-12-01 or 2026-12-01 18:00", text)
	}
	return t.Format(time.RFC3339), nil
}

// parseTime parses a time. If the text states no time zone, parseTime assumes the local time zone.
// It reads a date without a time as the end of that day. If the text has none of the accepted forms,
// parseTime returns false.
func parseTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700",
		"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
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

// find returns the learner with the given id, or nil if the list contains no such learner.
func find(list []Learner, id string) *Learner {
	if i := slices.IndexFunc(list, func(l Learner) bool { return l.ID == id }); i >= 0 {
		return &list[i]
	}
	return nil
}

// A row is one line of a table. Its methods find a field by the name of the column.
type row struct {
	line   int
	column map[string]int
	fields []string
}

// raw returns a field unchanged, or "" if the column is missing.
func (r row) raw(name string) string {
	if i, ok := r.column[name]; ok {
		return r.fields[i]
	}
	return ""
}

// text returns a field in Unicode's normal form C, with a single space between words.
func (r row) text(name string) string {
	return strings.Join(strings.Fields(norm.NFC.String(r.raw(name))), " ")
}

// readTable reads a table with commas or semicolons between the columns. The first line names the
// columns, in any order. It must name every column in `needed`. Errors contain the file's name and
// the line. `what` (a description of the table) and `form` (an example of the first line) are used
// only in errors.
func readTable(file string, text []byte, what, form string, needed ...string) ([]row, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(text))
	head, _, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.Contains(head, []byte(",")) && bytes.Contains(head, []byte(";")) {
		r.Comma = ';'
	}
	names, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: %s is empty; want a first line that names the columns: %s", file, what, form)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	column := map[string]int{}
	for i, name := range names {
		column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	if i := slices.IndexFunc(needed, func(name string) bool { _, ok := column[name]; return !ok }); i >= 0 {
		return nil, fmt.Errorf("%s:1: there is no column %s; the columns are %s", file, needed[i],
			strings.Join(names, ", "))
	}
	var rows []row
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, row{line, column, fields})
	}
}
