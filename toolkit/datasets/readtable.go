package datasets

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// TableOptions say how to read a Table. The zero value reads a comma separated
// file with a header row whose last column is the class.
type TableOptions struct {
	// Label is the name of the column with the class; "" is the last column.
	Label string
	// NoLabel says that no column is the class: new inputs to be predicted.
	NoLabel bool
	// Categorical and Numeric name columns whose kind is not to be found out:
	// numbers that are only codes, such as 1, 2, 3 for three wards, are Categorical.
	Categorical, Numeric []string
	// Missing lists further marks of a missing value, such as "-" or "-999",
	// beside the empty field, "NA", "N/A", "NaN", "null" and "?".
	Missing []string
	// Comma separates the fields; 0 is ','.
	Comma rune
	// NoHeader says that the first line is data. The columns are then called
	// x1, x2, … and the class, which is the last one, class.
	NoHeader bool
	// Name and Source describe the table; Name "" is "CSV" or the file's name.
	Name, Source string
}

// ReadTableFile reads the named CSV file (see ReadTable). Errors: those of
// ReadTable, and a file that cannot be opened.
func ReadTableFile(path string, o TableOptions) (*Table, error) {
	return fromFile(path, &o.Name, func(r io.Reader) (*Table, error) { return ReadTable(r, o) })
}

// ReadTable reads a file with columns of numbers and of words. A column is
// numeric if all its values but the missing ones are finite numbers, and
// categorical otherwise; the class is always categorical. If more than half of a
// column, but not all, are numbers, it is more likely spoilt than categorical:
// that is an error with the first line that has no number, and the options that
// settle it. The form of the file is that of ReadCSV, and so are the errors. A
// table keeps the text of every field: for a large file of numbers use ReadCSV.
func ReadTable(r io.Reader, o TableOptions) (*Table, error) { return tagged(o.read(r)) }

func (o TableOptions) read(r io.Reader) (*Table, error) {
	s := &scanner{options: "TableOptions", labelled: o.Label, noLabel: o.NoLabel, noHeader: o.NoHeader, comma: o.Comma}
	if err := s.open(r); err != nil {
		return nil, err
	}
	for _, n := range slices.Concat(o.Categorical, o.Numeric) {
		if err := s.known(n, "Categorical, Numeric"); err != nil {
			return nil, err
		}
		if slices.Contains(o.Categorical, n) && slices.Contains(o.Numeric, n) {
			return nil, fmt.Errorf("TableOptions: column %q is both in Categorical and in Numeric", n)
		}
	}
	t := &Table{Name: cmp.Or(o.Name, "CSV"), Source: o.Source}
	for _, n := range s.names {
		t.Columns = append(t.Columns, Column{Name: n})
	}
	if s.label >= 0 {
		t.Label = s.names[s.label]
	}
	var lines []int // of the rows
	for fields, err := range s.rows() {
		if err != nil {
			return nil, err
		}
		lines = append(lines, s.line(0))
		for j, f := range fields {
			if missing(f) || slices.Contains(o.Missing, f) {
				f = ""
			}
			t.Columns[j].Values = append(t.Columns[j].Values, strings.Clone(f))
		}
	}
	for j := range t.Columns {
		if err := o.findKind(&t.Columns[j], j, s, lines); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// findKind finds out whether column j is numeric; lines are those of the rows.
func (o TableOptions) findKind(c *Column, j int, s *scanner, lines []int) error {
	c.Kind = KindCategorical
	if j == s.label || slices.Contains(o.Categorical, c.Name) {
		return nil
	}
	numbers, words, odd := 0, 0, -1
	for i, v := range c.Values {
		if v == "" {
			continue
		}
		_, err := finite(v)
		switch {
		case err == nil:
			numbers++
		case slices.Contains(o.Numeric, c.Name):
			return fmt.Errorf("%s: %w", s.place(lines[i], j), err)
		default:
			words++
			if odd < 0 {
				odd = i
			}
		}
	}
	if words == 0 {
		c.Kind = KindNumeric
	} else if numbers > words {
		return fmt.Errorf("%s: %q is not a finite number, but %d other values of the column are: mend it, name it in TableOptions.Missing, or name the column in TableOptions.Categorical",
			s.place(lines[odd], j), c.Values[odd], numbers)
	}
	return nil
}
