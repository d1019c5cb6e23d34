package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Missing says what an Encoder does with missing values.
type Missing int

const (
	MissingError Missing = iota // an error that names row and column
	MissingSkip                 // the row is left out; an error in inputs to predict
	MissingFill                 // the column's mean or its most frequent level
)

var missingNames = []string{"error", "skip", "fill"}

// MarshalText writes "error", "skip" or "fill".
func (m Missing) MarshalText() ([]byte, error) {
	if m < 0 || int(m) >= len(missingNames) {
		return nil, fmt.Errorf("datasets: there is no Missing(%d)", int(m))
	}
	return []byte(missingNames[m]), nil
}

// UnmarshalText reads a name; an unknown one is an error.
func (m *Missing) UnmarshalText(text []byte) error { return fromText(missingNames, text, m) }

// EncoderOptions say how to turn a Table into numbers. The zero value takes all
// columns and gives every level a column of its own.
type EncoderOptions struct {
	// Columns names the features, in this order; nil is every column but the class.
	Columns []string
	// Levels fixes the levels of a categorical column, their order, and which is
	// the first; others are then errors. A column without an entry has the levels
	// of the table in the order of Column.Levels.
	Levels map[string][]string
	// Classes fixes the order of the classes (index 0 is C₁); nil sorts them as
	// Column.Levels does.
	Classes []string
	// DropFirst leaves out the column of each first level, the reference. Without
	// it the columns of a factor sum to 1 and are collinear with the bias: a
	// fit without a prior has no single solution then.
	DropFirst bool
	// Missing says what happens to missing values; the zero value is an error.
	// A missing class is never filled in.
	Missing Missing
	// MaxLevels is the largest number of levels of a column; 0 is 50. A name or a
	// number for each row is no factor.
	MaxLevels int
}

// Feature is how an Encoder treats one column.
type Feature struct {
	Name   string   `json:"name"`
	Kind   Kind     `json:"kind"`
	Levels []string `json:"levels,omitempty"` // of a Categorical column, at least one
	Mean   float64  `json:"mean"`             // what MissingFill puts into a Numeric column, to nine digits
	Mode   int      `json:"mode"`             // what it puts into a Categorical one: index of the level
}

// Encoder turns the rows of a Table into inputs: a numeric column becomes one
// column of x, a categorical one becomes one column "name=level" per level, 1
// where the row has the level and 0 elsewhere (1-of-L). It keeps all that was
// learned from the table it was made from, so that new rows are encoded the same
// way; it can be saved as JSON.
type Encoder struct {
	Features  []Feature `json:"features"`
	Label     string    `json:"label"`   // the column with the class; "" if the table had none
	Classes   []string  `json:"classes"` // in the order of the labels
	DropFirst bool      `json:"drop_first"`
	Missing   Missing   `json:"missing"`
}

// NewEncoder learns levels, classes and fill-in values from a table. Errors: a
// column that is not there, a column without a value, too many levels, a value
// outside EncoderOptions.Levels or Classes, missing values where Missing says so.
func NewEncoder(t *Table, o EncoderOptions) (*Encoder, error) {
	e, err := newEncoder(t, o)
	return named("NewEncoder", e, err)
}

func newEncoder(t *Table, o EncoderOptions) (*Encoder, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if err := amount("MaxLevels", &o.MaxLevels, 50); err != nil {
		return nil, err
	}
	if o.Missing < MissingError || o.Missing > MissingFill {
		return nil, fmt.Errorf("option Missing is %d: choose MissingError, MissingSkip or MissingFill", o.Missing)
	}
	if o.Columns == nil {
		o.Columns = slices.DeleteFunc(t.names(), func(name string) bool { return name == t.Label })
	}
	if len(o.Columns) == 0 {
		return nil, errors.New("there is no feature: the table has a column beside the class, or option Columns names one")
	}
	if err := unique("column", o.Columns); err != nil {
		return nil, err
	}
	for name := range o.Levels {
		if !slices.Contains(o.Columns, name) {
			return nil, fmt.Errorf("option Levels has column %q, which is no feature: the features are %s", name, quoted(o.Columns))
		}
	}
	e := &Encoder{Label: t.Label, DropFirst: o.DropFirst, Missing: o.Missing}
	rows, err := e.rows(t, o.Columns)
	if err != nil {
		return nil, err
	}
	for _, name := range o.Columns {
		c, err := t.Column(name)
		if err != nil {
			return nil, err
		}
		if name == t.Label {
			return nil, fmt.Errorf("column %q is the class (Table.Label): it cannot be a feature too", name)
		}
		f, err := learn(c, rows, o)
		if err != nil {
			return nil, err
		}
		e.Features = append(e.Features, f)
	}
	if err := e.learnClasses(t, rows, o.Classes); err != nil {
		return nil, err
	}
	return e, e.Check()
}

// Check returns an error that tells the first contradiction among the fields of e.
func (e *Encoder) Check() error {
	if e == nil || len(e.Features) == 0 {
		return errors.New("datasets: the encoder has no features")
	}
	if e.Missing < MissingError || e.Missing > MissingFill {
		return fmt.Errorf("datasets: Encoder.Missing is %d: choose MissingError, MissingSkip or MissingFill", e.Missing)
	}
	for _, f := range e.Features {
		switch {
		case f.Kind == KindNumeric && (len(f.Levels) > 0 || f.Mode != 0):
			return fmt.Errorf("datasets: feature %q is numeric and has levels", f.Name)
		case f.Kind == KindNumeric && (math.IsNaN(f.Mean) || math.IsInf(f.Mean, 0)):
			return fmt.Errorf("datasets: the mean of feature %q is %v: it must be a finite number", f.Name, f.Mean)
		case f.Kind == KindCategorical && (len(f.Levels) == 0 || f.Mode < 0 || f.Mode >= len(f.Levels) || f.Mean != 0):
			return fmt.Errorf("datasets: feature %q is categorical with %d levels, mode %d and mean %v: it needs a level, a mode among them and no mean", f.Name, len(f.Levels), f.Mode, f.Mean)
		case f.Kind != KindNumeric && f.Kind != KindCategorical:
			return fmt.Errorf("datasets: feature %q has the unknown kind %v", f.Name, f.Kind)
		}
		if err := unique("level", f.Levels); err != nil {
			return fmt.Errorf("%w of feature %q", err, f.Name)
		}
	}
	if (e.Label == "") != (len(e.Classes) == 0) {
		return fmt.Errorf("datasets: the encoder's label is %q but it has %d classes", e.Label, len(e.Classes))
	}
	if err := cmp.Or(unique("class", e.Classes), unique("feature", e.names())); err != nil {
		return err
	}
	names := e.FeatureNames()
	if len(names) == 0 {
		return errors.New("datasets: every feature has a single level, and DropFirst drops it: no column is left")
	}
	if err := unique("feature", names); err != nil {
		return fmt.Errorf("%w: rename a column", err)
	}
	return nil
}
