package datasets

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind says what a column of a Table holds.
type Kind int

const (
	KindNumeric     Kind = iota // finite numbers
	KindCategorical             // words: the levels of a factor
)

var kindNames = []string{"numeric", "categorical"}

// String returns "numeric" or "categorical".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// MarshalText writes what String returns.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote; anything else is an error.
func (k *Kind) UnmarshalText(text []byte) error { return fromText(kindNames, text, k) }

// fromText finds a name among those of the values 0, 1, ….
func fromText[T ~int](names []string, text []byte, at *T) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %s", text, quoted(names))
	}
	*at = T(i)
	return nil
}

// Column is a named column of a Table.
type Column struct {
	Name   string
	Kind   Kind
	Values []string // N, as in the file; "" is a missing value
}

// Table is data as a file has them: columns of numbers and of words, with
// values missing here and there. An Encoder turns it into a Dataset.
type Table struct {
	Name, Source string
	Columns      []Column // all of the same length
	Label        string   // the column with the class; "" if there is none
}

// N returns the number of rows.
func (t *Table) N() int {
	if t == nil || len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0].Values)
}

// Column returns the column of that name. An unknown name is an error that lists
// the columns.
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
	return Column{}, fmt.Errorf("datasets: there is no column %q in %s: choose one of %s", name, title(t.Name, "table"), quoted(t.names()))
}

// Check returns an error that tells the first contradiction among the fields of t:
// no rows, columns of different length, a name that is empty or used twice, a Label that no column
// has, a value of a numeric column that is no finite number.
func (t *Table) Check() error {
	if t.N() == 0 {
		return fmt.Errorf("datasets: the table is empty: it needs a column and a row")
	}
	if err := unique("column", t.names()); err != nil {
		return err
	}
	if t.Label != "" && !slices.Contains(t.names(), t.Label) {
		return fmt.Errorf("datasets: no column is called %q (Table.Label): the table has %s", t.Label, quoted(t.names()))
	}
	for _, c := range t.Columns {
		if len(c.Values) != t.N() {
			return fmt.Errorf("datasets: column %q has %d values but %q has %d: give one per row", c.Name, len(c.Values), t.Columns[0].Name, t.N())
		}
		if c.Kind != KindNumeric && c.Kind != KindCategorical {
			return fmt.Errorf("datasets: column %q has the unknown kind %v: choose Numeric or Categorical", c.Name, c.Kind)
		}
		for i, s := range c.Values {
			if c.Kind != KindNumeric || s == "" || c.Name == t.Label {
				continue
			}
			if _, err := finite(s); err != nil {
				return fmt.Errorf("datasets: row %d, column %q: %w", i, c.Name, err)
			}
		}
	}
	return nil
}

// Levels returns the different values of the column without the missing one:
// bytewise sorted, or by size if all are numbers.
func (c Column) Levels() []string {
	levels := slices.Clone(c.Values)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	if len(levels) > 0 && levels[0] == "" {
		levels = levels[1:]
	}
	size := make(map[string]float64, len(levels))
	for _, s := range levels {
		v, err := finite(s)
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

// missingIn counts the missing values.
func (c Column) missingIn() int {
	n := 0
	for _, s := range c.Values {
		if s == "" {
			n++
		}
	}
	return n
}
