package class

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A row is one line of a table; its fields go by the names of their columns.
type row struct {
	line   int
	column map[string]int
	fields []string
}

// raw is a field as it stands there, "" for a column that there is not.
func (r row) raw(name string) string {
	if i, ok := r.column[name]; ok {
		return r.fields[i]
	}
	return ""
}

// text is a field in its normal form, with single spaces.
func (r row) text(name string) string {
	return strings.Join(strings.Fields(norm.NFC.String(r.raw(name))), " ")
}

// readTable reads comma- or semicolon-separated lines below a line that names the columns,
// of which some are needed, in any order. An error has the file's name and the line; what
// is what the table is, and form an example of its first line.
func readTable(file string, text []byte, what, form string, needed ...string) ([]row, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(text))
	head, _, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.Contains(head, []byte(",")) && bytes.Contains(head, []byte(";")) {
		r.Comma = ';'
	}
	names, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: %s is empty; its first line names the columns: %s", file, what, form)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	column := map[string]int{}
	for i, name := range names {
		column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	if i := slices.IndexFunc(needed, func(name string) bool { _, ok := column[name]; return !ok }); i >= 0 {
		return nil, fmt.Errorf("%s:1: there is no column %s; the first line has %s", file, needed[i], strings.Join(names, ", "))
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
