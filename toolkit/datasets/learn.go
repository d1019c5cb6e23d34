package datasets

import (
	"errors"
	"fmt"
	"slices"
)

// skipped returns the rows that MissingSkip leaves out. The class is looked at
// if there is a Label.
func (e *Encoder) skipped(t *Table, columns []string) ([]bool, error) {
	skip := make([]bool, t.N())
	if e.Missing != MissingSkip {
		return skip, nil
	}
	left := t.N()
	for _, c := range t.Columns {
		if c.Name != e.Label && !slices.Contains(columns, c.Name) {
			continue
		}
		for i, s := range c.Values {
			if s == "" && !skip[i] {
				skip[i] = true
				left--
			}
		}
	}
	if left == 0 {
		return nil, fmt.Errorf("all %d rows have a missing value: nothing is left; leave columns out with EncoderOptions.Columns, or fill them in with MissingFill", t.N())
	}
	return skip, nil
}

// learn looks at the values of one column.
func learn(c Column, skip []bool, o EncoderOptions) (Feature, error) {
	f := Feature{Name: c.Name, Kind: c.Kind}
	var known []string
	for i, s := range c.Values {
		switch {
		case skip[i]:
		case s != "":
			known = append(known, s)
		case o.Missing == MissingError:
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
		v := make([]float64, len(known))
		for i, s := range known {
			var err error
			if v[i], err = finite(s); err != nil {
				return f, fmt.Errorf("column %q: %w", c.Name, err)
			}
		}
		f.Mean, _ = moments(v)
		f.Mean = nineDigits(f.Mean)
		return f, nil
	}
	f.Levels = slices.Clone(given)
	if !fixed {
		f.Levels = Column{Values: known}.Levels()
	}
	if len(f.Levels) > o.MaxLevels {
		return f, fmt.Errorf("column %q has %d levels (%q, %q, …), more than %d: leave it out with EncoderOptions.Columns, or raise MaxLevels if it is a factor", c.Name, len(f.Levels), f.Levels[0], f.Levels[1], o.MaxLevels)
	}
	if err := unique("level", f.Levels); err != nil {
		return f, fmt.Errorf("column %q: %s", c.Name, bare(err))
	}
	count, index := make([]int, len(f.Levels)), numbered(f.Levels)
	for i, s := range c.Values {
		if skip[i] || s == "" {
			continue
		}
		k, ok := index[s]
		if !ok {
			return f, f.unseen(i, s)
		}
		count[k]++
	}
	f.Mode = slices.Index(count, slices.Max(count))
	return f, nil
}

func (e *Encoder) learnClasses(t *Table, skip []bool, given []string) error {
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
	for i, s := range c.Values {
		switch {
		case skip[i]:
		case s == "":
			return fmt.Errorf("row %d has no class (column %q): leave such rows out with MissingSkip", i, e.Label)
		case given != nil && !slices.Contains(given, s):
			return fmt.Errorf("row %d, column %q: class %q is none of EncoderOptions.Classes (%s)", i, e.Label, s, quoted(given))
		default:
			seen = append(seen, s)
		}
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
	hint := ""
	for _, s := range f.Levels {
		if distance(plain(s), plain(level)) <= 1 && len(level) > 2 {
			hint = fmt.Sprintf(" (did you mean %q?)", s)
		}
	}
	return fmt.Errorf("row %d, column %q: the level %q is not known%s: the levels are %s", row, f.Name, level, hint, quoted(f.Levels))
}
