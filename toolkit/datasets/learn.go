package datasets

import (
	"errors"
	"fmt"
	"slices"
)

// rows returns the rows of the table that are learned from and encoded: all, or with
// MissingSkip those without a missing value in these columns and in the class.
func (e *Encoder) rows(t *Table, columns []string) ([]int, error) {
	rows := ascending(t.N())
	if e.Missing != MissingSkip {
		return rows, nil
	}
	for _, c := range t.Columns {
		if c.Name == e.Label || slices.Contains(columns, c.Name) {
			rows = slices.DeleteFunc(rows, func(i int) bool { return c.Values[i] == "" })
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("all %d rows have a missing value: nothing is left; leave columns out with EncoderOptions.Columns, or fill them in with MissingFill", t.N())
	}
	return rows, nil
}

// learn looks at the values of one column.
func learn(c Column, rows []int, o EncoderOptions) (Feature, error) {
	f := Feature{Name: c.Name, Kind: c.Kind}
	var known []int // rows with a value
	var values []string
	for _, i := range rows {
		if c.Values[i] != "" {
			known = append(known, i)
			values = append(values, c.Values[i])
		} else if o.Missing == MissingError {
			return f, missingAt(i, c.Name)
		}
	}
	if len(known) == 0 {
		return f, fmt.Errorf("column %q has no value in any row: leave it out with EncoderOptions.Columns", c.Name)
	}
	given, fixed := o.Levels[c.Name]
	if c.Kind == KindNumeric {
		if fixed {
			return f, fmt.Errorf("option Levels has column %q, which is numeric: name it in TableOptions.Categorical", c.Name)
		}
		numbers := make([]float64, len(values))
		for i, s := range values {
			numbers[i], _ = finite(s) // which Table.Check has made sure of
		}
		f.Mean, _ = moments(numbers)
		f.Mean = nineDigits(f.Mean)
		return f, nil
	}
	f.Levels = slices.Clone(given)
	if !fixed {
		f.Levels = Column{Values: values}.Levels()
	}
	if len(f.Levels) > o.MaxLevels {
		return f, fmt.Errorf("column %q has %d levels (%q, %q, …), more than %d: leave it out with EncoderOptions.Columns, or raise MaxLevels if it is a factor", c.Name, len(f.Levels), f.Levels[0], f.Levels[1], o.MaxLevels)
	}
	if err := unique("level", f.Levels); err != nil {
		return f, fmt.Errorf("column %q: %s", c.Name, bare(err))
	}
	count, index := make([]int, len(f.Levels)), numbered(f.Levels)
	for j, i := range known {
		k, ok := index[values[j]]
		if !ok {
			return f, f.unseen(i, values[j])
		}
		count[k]++
	}
	f.Mode = slices.Index(count, slices.Max(count))
	return f, nil
}

func (e *Encoder) learnClasses(t *Table, rows []int, given []string) error {
	if e.Label == "" {
		if given != nil {
			return errors.New("option Classes is set but the table has no class (Table.Label)")
		}
		return nil
	}
	c, err := t.Column(e.Label)
	if err != nil {
		return err
	}
	var seen []string
	for _, i := range rows {
		if s := c.Values[i]; s == "" || given != nil && !slices.Contains(given, s) {
			return wrongClass(i, c, "is none of EncoderOptions.Classes:", given)
		}
		seen = append(seen, c.Values[i])
	}
	if e.Classes = slices.Clone(given); given == nil {
		e.Classes = Column{Values: seen}.Levels()
	}
	return nil
}

func missingAt(row int, column string) error {
	return fmt.Errorf("row %d, column %q: the value is missing: fill it in, or set EncoderOptions.Missing to MissingSkip or MissingFill", row, column)
}

// unseen is the error of a level that the feature has not.
func (f Feature) unseen(row int, level string) error {
	return fmt.Errorf("row %d, column %q: the level %q is not known: the levels are %s", row, f.Name, level, quoted(f.Levels))
}
