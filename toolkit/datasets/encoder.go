package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Missing specifies how an Encoder treats missing values.
type Missing int

const (
	MissingError Missing = iota // a missing value is an error
	MissingSkip                 // NewEncoder, Encode and Indices leave the row out; other methods return an error
	MissingFill                 // a missing value is replaced with the column's mean or its most frequent level
)

var missingNames = []string{"error", "skip", "fill"}

// MarshalText writes "error", "skip" or "fill".
func (m Missing) MarshalText() ([]byte, error) {
	if m < 0 || int(m) >= len(missingNames) {
		return nil, fmt.Errorf("datasets: invalid Missing(%d): want MissingError, MissingSkip or MissingFill", int(m))
	}
	return []byte(missingNames[m]), nil
}

// UnmarshalText reads a name that MarshalText writes. It returns an error for any other name.
func (m *Missing) UnmarshalText(text []byte) error { return fromText(missingNames, text, m) }

// EncoderOptions specify how to turn a Table into numbers. With the zero value, every column except
// the class is a feature, and every level has its own column.
type EncoderOptions struct {
	// Columns lists the names of the columns to use as features, in order. If Columns is nil, every
	// column except the class is a feature.
	Columns []string
	// Levels maps the name of a categorical column to the levels of this column, in order; any other
	// level is then an error. For a column without an entry, the levels are the ones in the table, in
	// the order of Column.Levels.
	Levels map[string][]string
	// Classes lists the classes in order (index 0 is C₁). If Classes is nil, the classes have the
	// order of Column.Levels.
	Classes []string
	// DropFirst leaves out one column of every categorical feature: the column of the first level,
	// which is called the reference level. Without DropFirst the columns of one feature sum to 1, so
	// they are collinear with the bias. A fit without a prior then has no unique solution.
	DropFirst bool
	// Missing specifies the treatment of missing values, which are an error by default. MissingFill
	// never fills in a missing class.
	Missing Missing
	// MaxLevels is the largest allowed number of levels of a column; 0 means 50. The limit detects
	// columns that have a different value in each row, such as names.
	MaxLevels int
}

// A Feature describes how an Encoder treats one column of a table.
type Feature struct {
	Name   string   `json:"name"`
	Kind   Kind     `json:"kind"`
	Levels []string `json:"levels,omitempty"` // the levels of a categorical column, at least one
	Mean   float64  `json:"mean"`             // with MissingFill, this number replaces a missing number; rounded to nine digits
	Mode   int      `json:"mode"`             // index of the level that, with MissingFill, replaces a missing level
}

// Encoder turns the rows of a Table into inputs. A numeric column becomes one column of x. A
// categorical column becomes one column "name=level" for each level (1-of-L coding). The value is 1
// if the row has this level, and 0 otherwise. With DropFirst, the first level has no column. The
// Encoder stores everything that it learned from its table, so that it encodes new rows in the same
// way. An Encoder can be saved as JSON.
type Encoder struct {
	Features  []Feature `json:"features"`
	Label     string    `json:"label"`   // name of the class column; "" if the table had no class
	Classes   []string  `json:"classes"` // names of the K classes; label k means Classes[k]
	DropFirst bool      `json:"drop_first"`
	Missing   Missing   `json:"missing"`
}

// NewEncoder learns levels, classes and fill-in values from a table. Errors: a table that fails
// Table.Check, no feature, options that are invalid or name an unknown column, a column without a
// value, too many levels, a value outside EncoderOptions.Levels or Classes, a missing value unless
// Missing allows it.
func NewEncoder(t *Table, o EncoderOptions) (*Encoder, error) {
	e, err := newEncoder(t, o)
	return withPrefix("NewEncoder", e, err)
}

func newEncoder(t *Table, o EncoderOptions) (*Encoder, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if err := checkCount("MaxLevels", &o.MaxLevels, 50); err != nil {
		return nil, err
	}
	if o.Missing < MissingError || o.Missing > MissingFill {
		return nil, fmt.Errorf("option Missing is %d: choose MissingError, MissingSkip or MissingFill", o.Missing)
	}
	if o.Columns == nil {
		o.Columns = slices.DeleteFunc(t.names(), func(name string) bool { return name == t.Label })
	}
	if len(o.Columns) == 0 {
		return nil, errors.New("there is no feature: add a column besides the class, or name one in option Columns")
	}
	if err := checkNames("column", o.Columns); err != nil {
		return nil, err
	}
	for name := range o.Levels {
		if !slices.Contains(o.Columns, name) {
			return nil, fmt.Errorf("option Levels has an entry for column %q, which is not a feature: the features are %s", name,
				quoted(o.Columns))
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
		f, err := learnFeature(c, rows, o)
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

// Check returns an error for the first inconsistency among the fields of e.
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
			return fmt.Errorf("datasets: feature %q is numeric with %d levels and mode %d: want no levels and mode 0", f.Name, len(f.Levels), f.Mode)
		case f.Kind == KindNumeric && (math.IsNaN(f.Mean) || math.IsInf(f.Mean, 0)):
			return fmt.Errorf("datasets: the mean of feature %q is %v: it must be a finite number", f.Name, f.Mean)
		case f.Kind == KindCategorical && (len(f.Levels) == 0 || f.Mode < 0 || f.Mode >= len(f.Levels) || f.Mean != 0):
			return fmt.Errorf("datasets: feature %q is categorical with %d levels, mode %d and mean %v: want at least one level, a mode among the levels and mean 0", f.Name, len(f.Levels), f.Mode, f.Mean)
		case f.Kind != KindNumeric && f.Kind != KindCategorical:
			return fmt.Errorf("datasets: feature %q has the unknown kind %v: want KindNumeric or KindCategorical", f.Name, f.Kind)
		}
		if err := checkNames("level", f.Levels); err != nil {
			return fmt.Errorf("%w (in the levels of feature %q)", err, f.Name)
		}
	}
	if (e.Label == "") != (len(e.Classes) == 0) {
		return fmt.Errorf("datasets: the encoder's label is %q but the encoder has %d classes: want a label if and only if there are classes", e.Label, len(e.Classes))
	}
	if err := cmp.Or(checkNames("class", e.Classes), checkNames("feature", e.names())); err != nil {
		return err
	}
	names := e.FeatureNames()
	if len(names) == 0 {
		return errors.New("datasets: every feature has a single level, and DropFirst drops it: no column is left")
	}
	if err := checkNames("feature", names); err != nil {
		return fmt.Errorf("%w: rename a column", err)
	}
	return nil
}

// FeatureNames returns the names of the columns of x: the name of a numeric column, and "name=level" for
// each level of a categorical column. With DropFirst, the first level has no column.
func (e *Encoder) FeatureNames() []string {
	var names []string
	for _, f := range e.Features {
		if f.Kind == KindNumeric {
			names = append(names, f.Name)
			continue
		}
		for _, l := range f.Levels[e.droppedLevels():] {
			names = append(names, f.Name+"="+l)
		}
	}
	return names
}

// LevelCounts returns the number of levels L_i of each feature i, which is 0 for a numeric feature.
// Naive Bayes for categorical features needs these numbers, and also the inputs that Indices
// returns.
func (e *Encoder) LevelCounts() []int {
	var counts []int
	for _, f := range e.Features {
		counts = append(counts, len(f.Levels))
	}
	return counts
}

// droppedLevels returns how many levels of each categorical feature have no column in x: 1 with
// DropFirst, and 0 otherwise.
func (e *Encoder) droppedLevels() int {
	if e.DropFirst {
		return 1
	}
	return 0
}

// names returns the names of the table columns that are features.
func (e *Encoder) names() []string {
	var names []string
	for _, f := range e.Features {
		names = append(names, f.Name)
	}
	return names
}

// Encode returns the table as a Dataset whose columns have the names that FeatureNames returns.
// Encode ignores columns of the table that are neither features nor the class. Errors: an Encoder
// made from a table without a class, a table that lacks the column of a feature or of the class, a
// value of a numeric feature that is not a finite number, an unknown level or class. A missing value
// is an error unless Missing allows it.
func (e *Encoder) Encode(t *Table) (*Dataset, error) {
	d, err := e.dataset(t, false)
	return withPrefix("Encode", d, err)
}

// EncodeInputs returns the inputs of new rows, but no labels, so the table needs no class. The
// result has a column for each name that FeatureNames returns. It also has a row for every row of
// the table, so even with MissingSkip a missing value is an error. The other errors are the same as
// for Encode, without the errors about the class.
func (e *Encoder) EncodeInputs(t *Table) (*mat.Dense, error) {
	x, _, err := e.inputs(t, false, false)
	return withPrefix("EncodeInputs", x, err)
}

// EncodeRow returns the inputs of one row. Its arguments are the values of the features, in order;
// "" is a missing value. EncodeRow returns an error if the number of values is wrong, and
// otherwise the same errors as EncodeInputs.
func (e *Encoder) EncodeRow(values ...string) ([]float64, error) {
	if err := e.Check(); err != nil {
		return nil, prefixed("EncodeRow", err)
	}
	if len(values) != len(e.Features) {
		return nil, fmt.Errorf("datasets: EncodeRow: there are %d values but %d features: give one for each of %s",
			len(values), len(e.Features), quoted(e.names()))
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

// Indices returns the table as a Dataset with one column per feature. The column contains the index
// 0…L−1 of each row's level. Naive Bayes for categorical features needs these indices, and also the
// numbers of levels L, which LevelCounts returns. DropFirst has no effect. Indices returns the same
// errors as Encode, and an error if a feature is numeric.
func (e *Encoder) Indices(t *Table) (*Dataset, error) {
	d, err := e.dataset(t, true)
	return withPrefix("Indices", d, err)
}

// IndexInputs returns the same level indices as Indices, but no labels, so the table needs no class.
// The result has a row for every row of the table, so even with MissingSkip a missing value is an error.
// IndexInputs returns the same errors as EncodeInputs, and an error if a feature is numeric.
func (e *Encoder) IndexInputs(t *Table) (*mat.Dense, error) {
	x, _, err := e.inputs(t, true, false)
	return withPrefix("IndexInputs", x, err)
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
	index := indexByName(e.Classes)
	for _, i := range rows {
		k, ok := index[c.Values[i]]
		if !ok {
			return nil, wrongClass(i, c, "is not known: the classes are", e.Classes)
		}
		d.Labels = append(d.Labels, k)
	}
	return d, d.Check()
}

// wrongClass returns the error for a class that is missing or unknown.
func wrongClass(row int, c Column, what string, classes []string) error {
	if c.Values[row] == "" {
		return fmt.Errorf("row %d has no class (column %q): leave such rows out with MissingSkip", row, c.Name)
	}
	return fmt.Errorf("row %d, column %q: the class %q %s %s", row, c.Name, c.Values[row], what, quoted(classes))
}

// inputs encodes the rows of a table. It also returns the indices of the encoded rows in the table.
// If `indices` is true, it encodes a level as its index instead of a 1-of-L code. It leaves out rows
// with a missing value only if `skip` is true and Missing is MissingSkip.
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
		levels := indexByName(f.Levels)
		for r, i := range rows {
			v, err := f.parseValue(i, c.Values[i], levels, e.Missing)
			switch k := int(v) - e.droppedLevels(); {
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
			at += len(f.Levels) - e.droppedLevels() - 1
		}
	}
	return x, rows, nil
}

// parseValue returns the number that s represents, or the index of the level s. For a missing value
// it returns the fill-in value if `missing` is MissingFill, and an error otherwise.
func (f Feature) parseValue(row int, s string, levels map[string]int, missing Missing) (float64, error) {
	k, ok := levels[s]
	switch {
	case s == "" && missing == MissingSkip:
		return 0, fmt.Errorf("row %d, column %q: the value is missing, and an input to predict cannot be skipped: fill it in, or make the encoder with MissingFill", row, f.Name)
	case s == "" && missing == MissingError:
		return 0, missingAt(row, f.Name)
	case s == "":
		return f.Mean + float64(f.Mode), nil // Mode is 0 for a numeric feature, and Mean is 0 for a categorical feature
	case f.Kind == KindNumeric:
		v, err := parseFinite(s)
		if err != nil {
			return 0, fmt.Errorf("row %d, column %q: %w", row, f.Name, err)
		}
		return v, nil
	case !ok:
		return 0, f.unknownLevel(row, s)
	}
	return float64(k), nil
}

// indexByName returns a map from each name to its index.
func indexByName(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, s := range names {
		index[s] = i
	}
	return index
}

// rows returns the indices of the rows that the Encoder does not leave out. With MissingSkip these
// are the rows in which neither the given columns nor the class has a missing value. Without
// MissingSkip, the Encoder leaves out no row.
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
		return nil, fmt.Errorf("no row is left: all %d rows have a missing value in a feature or in the class; leave columns out with EncoderOptions.Columns, or use MissingFill", t.N())
	}
	return rows, nil
}

// learnFeature returns the Feature of column c, computed from the values in the given rows.
func learnFeature(c Column, rows []int, o EncoderOptions) (Feature, error) {
	f := Feature{Name: c.Name, Kind: c.Kind}
	var known []int // indices of those rows that have a value in this column
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
			return f, fmt.Errorf("option Levels has column %q, which is numeric: name it in TableOptions.Categorical",
				c.Name)
		}
		numbers := make([]float64, len(values))
		for i, s := range values {
			numbers[i], _ = parseFinite(s) // the error is nil, because Table.Check has parsed every number
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
		return f, fmt.Errorf("column %q has %d levels (%q, %q, …), more than %d: leave it out with EncoderOptions.Columns, or raise MaxLevels if its values are categories", c.Name, len(f.Levels), f.Levels[0], f.Levels[1], o.MaxLevels)
	}
	if err := checkNames("level", f.Levels); err != nil {
		return f, fmt.Errorf("column %q: %s", c.Name, trimPrefix(err))
	}
	count, index := make([]int, len(f.Levels)), indexByName(f.Levels)
	for j, i := range known {
		k, ok := index[values[j]]
		if !ok {
			return f, f.unknownLevel(i, values[j])
		}
		count[k]++
	}
	f.Mode = slices.Index(count, slices.Max(count))
	return f, nil
}

func (e *Encoder) learnClasses(t *Table, rows []int, given []string) error {
	if e.Label == "" {
		if given != nil {
			return errors.New("option Classes is set but the table has no class: set Table.Label, or leave Classes nil")
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
			return wrongClass(i, c, "is not in EncoderOptions.Classes:", given)
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

// unknownLevel returns the error for a level that is not one of f.Levels.
func (f Feature) unknownLevel(row int, level string) error {
	return fmt.Errorf("row %d, column %q: the level %q is not known: the levels are %s", row, f.Name, level,
		quoted(f.Levels))
}
