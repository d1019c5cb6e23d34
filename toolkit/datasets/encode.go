package datasets

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// FeatureNames returns the names of the columns of x: that of a numeric column,
// and "name=level" for each level of a categorical one.
func (e *Encoder) FeatureNames() []string {
	var names []string
	for _, f := range e.Features {
		if f.Kind == KindNumeric {
			names = append(names, f.Name)
			continue
		}
		for _, l := range f.Levels[e.dropped():] {
			names = append(names, f.Name+"="+l)
		}
	}
	return names
}

// LevelCounts returns L_i, the number of levels of each feature, which naive
// Bayes for categorical features needs beside the inputs of Indices.
func (e *Encoder) LevelCounts() []int {
	var counts []int
	for _, f := range e.Features {
		counts = append(counts, len(f.Levels))
	}
	return counts
}

// dropped is the number of levels without a column.
func (e *Encoder) dropped() int {
	if e.DropFirst {
		return 1
	}
	return 0
}

// names are those of the features.
func (e *Encoder) names() []string {
	var names []string
	for _, f := range e.Features {
		names = append(names, f.Name)
	}
	return names
}

// Encode returns the table as a Dataset with columns FeatureNames. Columns of
// the table that are no features are ignored. Errors: a feature or the class that
// the table has not, a level or a class that the encoder does not know, a missing
// value where Missing says so.
func (e *Encoder) Encode(t *Table) (*Dataset, error) {
	d, err := e.dataset(t, false)
	return named("Encode", d, err)
}

// EncodeInputs returns the inputs of new rows alone, N×len(FeatureNames); the
// table needs no class. No row is left out: with MissingSkip a missing value is
// an error. Other errors are those of Encode.
func (e *Encoder) EncodeInputs(t *Table) (*mat.Dense, error) {
	x, _, err := e.inputs(t, false, false)
	return named("EncodeInputs", x, err)
}

// EncodeRow returns the inputs of one row, given as the values of the features in
// their order; "" is a missing value. Errors are those of EncodeInputs.
func (e *Encoder) EncodeRow(values ...string) ([]float64, error) {
	if err := e.Check(); err != nil {
		return nil, prefixed("EncodeRow", err)
	}
	if len(values) != len(e.Features) {
		return nil, fmt.Errorf("datasets: EncodeRow: there are %d values but %d features: give one for each of %s", len(values), len(e.Features), quoted(e.names()))
	}
	t := &Table{}
	for j, f := range e.Features {
		t.Columns = append(t.Columns, Column{f.Name, KindCategorical, []string{values[j]}})
	}
	x, _, err := e.inputs(t, false, false)
	if err != nil {
		return nil, prefixed("EncodeRow", err)
	}
	return x.RawRowView(0), nil
}

// Indices returns the table as a Dataset with one column per feature that holds
// the number 0…L−1 of its level, the form of naive Bayes for categorical features
// (with LevelCounts). DropFirst has no effect. A numeric feature is an error.
func (e *Encoder) Indices(t *Table) (*Dataset, error) {
	d, err := e.dataset(t, true)
	return named("Indices", d, err)
}

// IndexInputs is to Indices what EncodeInputs is to Encode. Errors: those of
// EncodeInputs and Indices.
func (e *Encoder) IndexInputs(t *Table) (*mat.Dense, error) {
	x, _, err := e.inputs(t, true, false)
	return named("IndexInputs", x, err)
}

func (e *Encoder) dataset(t *Table, indices bool) (*Dataset, error) {
	if e != nil && e.Label == "" {
		return nil, errors.New("the encoder was made from a table without a class: use EncodeInputs or IndexInputs")
	}
	x, rows, err := e.inputs(t, indices, true)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Name: t.Name, X: x, ClassNames: slices.Clone(e.Classes), Source: t.Source}
	if d.FeatureNames = e.FeatureNames(); indices {
		d.FeatureNames = e.names()
	}
	c, err := t.Column(e.Label)
	if err != nil {
		return nil, err
	}
	index := numbered(e.Classes)
	for _, i := range rows {
		k, ok := index[c.Values[i]]
		if !ok {
			return nil, wrongClass(i, c, "is not known: the classes are", e.Classes)
		}
		d.Labels = append(d.Labels, k)
	}
	return d, d.Check()
}

// wrongClass is the error of a class that is missing or none of the given ones.
func wrongClass(row int, c Column, what string, classes []string) error {
	if c.Values[row] == "" {
		return fmt.Errorf("row %d has no class (column %q): leave such rows out with MissingSkip", row, c.Name)
	}
	return fmt.Errorf("row %d, column %q: the class %q %s %s", row, c.Name, c.Values[row], what, quoted(classes))
}

// inputs encodes the rows, and returns their numbers in the table. Rows with a
// missing value are left out only if skip is true and Missing is MissingSkip.
func (e *Encoder) inputs(t *Table, indices, skip bool) (*mat.Dense, []int, error) {
	if err := e.Check(); err != nil {
		return nil, nil, err
	}
	if err := t.Check(); err != nil {
		return nil, nil, err
	}
	rows := ascending(t.N())
	if skip {
		var err error
		if rows, err = e.rows(t, e.names()); err != nil {
			return nil, nil, err
		}
	}
	width := len(e.FeatureNames())
	if indices {
		width = len(e.Features)
	}
	x := mat.NewDense(len(rows), width, nil)
	at := 0
	for _, f := range e.Features {
		c, err := t.Column(f.Name)
		if err != nil {
			return nil, nil, err
		}
		if indices && f.Kind == KindNumeric {
			return nil, nil, fmt.Errorf("column %q is numeric and has no levels: leave it out with EncoderOptions.Columns, or name it in TableOptions.Categorical", f.Name)
		}
		levels := numbered(f.Levels)
		for r, i := range rows {
			v, err := f.value(i, c.Values[i], levels, e.Missing)
			switch k := int(v) - e.dropped(); {
			case err != nil:
				return nil, nil, err
			case indices || f.Kind == KindNumeric:
				x.Set(r, at, v)
			case k >= 0:
				x.Set(r, at+k, 1)
			}
		}
		at++
		if f.Kind == KindCategorical && !indices {
			at += len(f.Levels) - e.dropped() - 1
		}
	}
	return x, rows, nil
}

// value is the number that s says, or that of the level.
func (f Feature) value(row int, s string, levels map[string]int, missing Missing) (float64, error) {
	k, ok := levels[s]
	switch {
	case s == "" && missing == MissingSkip:
		return 0, fmt.Errorf("row %d, column %q: the value is missing, and an input to predict cannot be skipped: fill it in, or make the encoder with MissingFill", row, f.Name)
	case s == "" && missing == MissingError:
		return 0, missingAt(row, f.Name)
	case s == "":
		return f.Mean + float64(f.Mode), nil // one of them is 0
	case f.Kind == KindNumeric:
		v, err := finite(s)
		if err != nil {
			return 0, fmt.Errorf("row %d, column %q: %w", row, f.Name, err)
		}
		return v, nil
	case !ok:
		return 0, f.unseen(row, s)
	}
	return float64(k), nil
}

// numbered maps each name to its index.
func numbered(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, s := range names {
		index[s] = i
	}
	return index
}
