package datasets

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Kind is the type of the values in a column of a Table.
type Kind int

const (
	KindNumeric     Kind = iota // finite numbers
	KindCategorical             // words; each different word is a level
)

var kindNames = []string{"numeric", "categorical"}

// String returns "numeric" or "categorical". For an unknown kind it returns a text such as "Kind(7)".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// MarshalText returns the same text as String, or an error for an unknown kind.
func (k Kind) MarshalText() ([]byte, error) {
	if k < 0 || int(k) >= len(kindNames) {
		return nil, fmt.Errorf("datasets: invalid Kind(%d): want KindNumeric or KindCategorical", int(k))
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText reads "numeric" or "categorical". It returns an error for any other text.
func (k *Kind) UnmarshalText(text []byte) error { return fromText(kindNames, text, k) }

// fromText finds a text in a list of names and stores its index in *at.
func fromText[T ~int](names []string, text []byte, at *T) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("%q is not one of %s", text, quoted(names))
	}
	*at = T(i)
	return nil
}

// Column is a named column of a Table.
type Column struct {
	Name   string
	Kind   Kind
	Values []string // the N values, as written in the file; "" is a missing value
}

// A Table contains data as they were read from a file. Its columns contain numbers or words, and
// values may be missing. An Encoder turns a Table into a Dataset.
type Table struct {
	Name, Source string
	Columns      []Column // the columns, all of the same length
	Label        string   // name of the class column; "" if the table has no class
}

// N returns the number of rows.
func (t *Table) N() int {
	if t == nil || len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0].Values)
}

// Column returns a copy of the column with the given name. If the table has no such column, the error
// lists the columns.
func (t *Table) Column(name string) (Column, error) {
	if t == nil {
		return Column{}, fmt.Errorf("datasets: the table is nil")
	}
	for _, c := range t.Columns {
		if c.Name == name {
			c.Values = slices.Clone(c.Values)
			return c, nil
		}
	}
	return Column{}, fmt.Errorf("datasets: there is no column %q in %s: choose one of %s", name, dataName(t.Name, "table"),
		quoted(t.names()))
}

// Check returns an error for the first inconsistency among the fields of t. Inconsistencies are a
// table without rows, columns of different length, a name that is empty or used twice, a Label that
// is not a column, and an unknown Kind. Another inconsistency is a value of a numeric column that is
// neither missing nor a finite number. Check does not check the values of the class column.
func (t *Table) Check() error {
	if t.N() == 0 {
		return fmt.Errorf("datasets: the table is empty: want at least one column and one row")
	}
	if err := checkNames("column", t.names()); err != nil {
		return err
	}
	if t.Label != "" && !slices.Contains(t.names(), t.Label) {
		return fmt.Errorf("datasets: no column is called %q (Table.Label): the table has %s", t.Label,
			quoted(t.names()))
	}
	for _, c := range t.Columns {
		if len(c.Values) != t.N() {
			return fmt.Errorf("datasets: column %q has %d values but %q has %d: give one per row", c.Name,
				len(c.Values), t.Columns[0].Name, t.N())
		}
		if c.Kind != KindNumeric && c.Kind != KindCategorical {
			return fmt.Errorf("datasets: column %q has the unknown kind %v: want KindNumeric or KindCategorical", c.Name,
				c.Kind)
		}
		for i, s := range c.Values {
			if c.Kind != KindNumeric || s == "" || c.Name == t.Label {
				continue
			}
			if _, err := parseFinite(s); err != nil {
				return fmt.Errorf("datasets: row %d, column %q: %w", i, c.Name, err)
			}
		}
	}
	return nil
}

// Levels returns the distinct values of the column in sorted order, without the missing value. If
// all values are numbers, it sorts them by value, otherwise as text.
func (c Column) Levels() []string {
	levels := slices.Clone(c.Values)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	if len(levels) > 0 && levels[0] == "" {
		levels = levels[1:]
	}
	size := make(map[string]float64, len(levels))
	for _, s := range levels {
		v, err := parseFinite(s)
		if err != nil {
			return levels
		}
		size[s] = v
	}
	slices.SortStableFunc(levels, func(a, b string) int { return cmp.Compare(size[a], size[b]) })
	return levels
}

func (t *Table) names() []string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// countMissing returns the number of missing values in the column.
func (c Column) countMissing() int {
	n := 0
	for _, s := range c.Values {
		if s == "" {
			n++
		}
	}
	return n
}

// TableOptions specify how to read a Table. The zero value reads a comma-separated file with a
// header row; the last column contains the class.
type TableOptions struct {
	// Label is the name of the column with the class; "" means the last column.
	Label string
	// NoLabel means that the table has no class column, for instance because it contains new inputs
	// whose classes are to be predicted.
	NoLabel bool
	// Categorical and Numeric list the names of columns whose kind ReadTable need not guess. List a
	// column under Categorical if its numbers are only codes, such as 1, 2, 3 for three wards. List a
	// column under Numeric if a value that is not a finite number must be an error.
	Categorical, Numeric []string
	// Missing lists additional marks of a missing value, such as "-" or "-999". The empty field,
	// "NA", "N/A", "NaN", "null" and "?", in capital or small letters, always mark a missing value.
	Missing []string
	// Comma is the character between two fields; 0 means ','.
	Comma rune
	// NoHeader means that the first line contains data instead of column names. The columns are
	// then called x1, x2, …. Without NoLabel, the last column is the class and is called "class".
	NoHeader bool
	// Name and Source describe the table. If Name is empty, the table has the name of its file,
	// or the name "CSV" if the rows are not read from a file.
	Name, Source string
}

// ReadTableFile reads the named CSV file (see ReadTable). It returns the same errors as ReadTable,
// and an error if the file cannot be opened.
func ReadTableFile(path string, o TableOptions) (*Table, error) {
	return readFile(path, &o.Name, func(r io.Reader) (*Table, error) { return ReadTable(r, o) })
}

// ReadTable reads a file with columns of numbers and columns of words. The class and the columns that
// TableOptions.Categorical lists are categorical. Any other column is numeric if all its values except
// missing ones are finite numbers, and categorical otherwise. If more than half of the values of such
// a column, but not all, are numbers, the column is more likely damaged than categorical. ReadTable
// then returns an error, which names the first line whose value is not a number, and the options that
// allow such a value. ReadTable accepts the same file format as ReadCSV. Other errors: a line with too
// few or too many fields, a repeated or empty name in the header, no rows. Errors of the options: an
// unknown column, options that contradict each other, a word in a column that TableOptions.Numeric
// lists. A table stores the text of every field, so use ReadCSV for a large file of numbers.
func ReadTable(r io.Reader, o TableOptions) (*Table, error) { return prefixError(o.read(r)) }

func (o TableOptions) read(r io.Reader) (*Table, error) {
	s := &scanner{options: "TableOptions", labelled: o.Label, noLabel: o.NoLabel, noHeader: o.NoHeader, comma: o.Comma}
	if err := s.open(r); err != nil {
		return nil, err
	}
	for _, n := range slices.Concat(o.Categorical, o.Numeric) {
		if err := s.checkOption(n, "Categorical, Numeric"); err != nil {
			return nil, err
		}
		if slices.Contains(o.Categorical, n) && slices.Contains(o.Numeric, n) {
			return nil, fmt.Errorf("TableOptions: column %q is both in Categorical and in Numeric: list it in only one of them", n)
		}
	}
	t := &Table{Name: cmp.Or(o.Name, "CSV"), Source: o.Source}
	for _, n := range s.names {
		t.Columns = append(t.Columns, Column{Name: n})
	}
	if s.label >= 0 {
		t.Label = s.names[s.label]
	}
	var lines []int // line of each row
	for fields, err := range s.rows() {
		if err != nil {
			return nil, err
		}
		lines = append(lines, s.line(0))
		for j, f := range fields {
			if isMissing(f) || slices.Contains(o.Missing, f) {
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

// findKind sets the kind of c, which is column j. It returns an error for a word in a column that
// TableOptions.Numeric lists, and for a column that is more likely damaged than categorical. The
// argument `lines` contains the line number of each row.
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
		_, err := parseFinite(v)
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
		return fmt.Errorf("%s: %q is not a finite number, but %d other values of the column are: fix the value, list it in TableOptions.Missing, or list the column in TableOptions.Categorical",
			s.place(lines[odd], j), c.Values[odd], numbers)
	}
	return nil
}
