package arrowrows

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Options say which column is the target.
type Options struct {
	// Label is the name of the column with the class or the target; "" is the last
	// column. Words, whole numbers and truth values are classes. Floating-point numbers
	// are targets, as they are: then there are no classes.
	Label string
	// Classes fixes the order of the classes (index 0 is C₁) and allows no others; nil
	// sorts their names, by size if all are numbers.
	Classes []string
}

// Rows are the rows of a file or another origin of record batches, which is read again
// at every pass. All columns but the target are numbers: integers, floating-point
// numbers, truth values as 0 and 1. Integers beyond 2⁵³ are rounded.
type Rows struct {
	FeatureNames []string // D, the columns of the rows
	ClassNames   []string // K, named by the labels; nil where the column holds targets

	batches batches
	path    string // for messages
	label   int    // the column
	index   map[string]int
}

// batches makes a pass: it calls yield with each batch until yield returns false.
type batches func(yield func(arrow.RecordBatch) bool) error

// New returns the rows of the record batches that open's readers yield; each pass opens
// one and releases it. Errors: a nil open, no rows, a column that is no number or has no
// name of its own, a missing value, a label column that is not there, a class that is
// none of Options.Classes, and those of open and of reading.
func New(open func() (array.RecordReader, error), o Options) (*Rows, error) {
	if open == nil {
		return nil, errors.New("arrowrows: New: open is nil: give a function that opens a record reader")
	}
	return newRows("", o, func(yield func(arrow.RecordBatch) bool) error {
		r, err := open()
		if err != nil {
			return err
		}
		defer r.Release()
		for r.Next() {
			if !yield(r.RecordBatch()) {
				return nil
			}
		}
		return r.Err()
	})
}

// newRows looks at the columns and finds the classes.
func newRows(path string, o Options, b batches) (*Rows, error) {
	f := &Rows{batches: b, path: path, label: -1, ClassNames: slices.Clone(o.Classes)}
	seen := map[string]bool{}
	var bad error
	err := b.guarded(new(bool), func(rec arrow.RecordBatch) bool {
		if f.label < 0 {
			if bad = f.columns(rec.Schema(), o); bad != nil || f.ClassNames != nil || f.targets(rec) {
				return false
			}
		}
		column := rec.Column(f.label)
		for i := range column.Len() {
			if !column.IsNull(i) { // a missing class is found with its row
				if name := column.ValueStr(i); !seen[name] {
					seen[strings.Clone(name)] = true
				}
			}
		}
		return true
	})
	if err = errors.Join(bad, err); err == nil && f.label < 0 {
		err = errors.New("there are no rows")
	}
	if err != nil {
		return nil, f.failure(err)
	}
	if len(seen) > 0 {
		var names []string
		for name := range seen {
			names = append(names, name)
		}
		f.ClassNames = datasets.Column{Values: names}.Levels()
	}
	f.index = map[string]int{}
	for k, name := range f.ClassNames {
		f.index[name] = k
	}
	if len(f.index) < len(f.ClassNames) {
		return nil, f.failure(fmt.Errorf("Options.Classes are %q: a name is there twice", f.ClassNames))
	}
	return f, nil
}

// columns finds the label's column and those of the features.
func (f *Rows) columns(s *arrow.Schema, o Options) error {
	var names []string
	for _, field := range s.Fields() {
		if slices.Contains(names, field.Name) {
			return fmt.Errorf("two columns are called %q: names must differ", field.Name)
		}
		names = append(names, field.Name)
	}
	if len(names) < 2 {
		return fmt.Errorf("there are columns %q: needed are at least one feature and the label", names)
	}
	label := len(names) - 1
	if o.Label != "" {
		if label = slices.Index(names, o.Label); label < 0 {
			return fmt.Errorf("no column is called %q (Options.Label): there are %q", o.Label, names)
		}
	}
	for j, field := range s.Fields() {
		if j != label && !numeric(field.Type) {
			return fmt.Errorf("column %q is of type %v: features are numbers; turn it into numbers, or leave it out", field.Name, field.Type)
		}
	}
	f.label, f.FeatureNames = label, slices.Delete(names, label, label+1)
	return nil
}

// targets reports whether the label's column holds targets themselves.
func (f *Rows) targets(rec arrow.RecordBatch) bool {
	return arrow.IsFloating(rec.Schema().Field(f.label).Type.ID())
}

// D returns the number of features.
func (f *Rows) D() int { return len(f.FeatureNames) }

// K returns the number of classes, 0 where the column holds targets.
func (f *Rows) K() int { return len(f.ClassNames) }

// Each makes a pass: it calls yield with the numbers of each row and the label 0…K−1 of
// its class, or its target, until yield returns false. The slice is used again for the
// next row. Errors: those of New, with the row and the column, and a nil yield.
func (f *Rows) Each(yield func(x []float64, label float64) bool) error {
	if f == nil || f.batches == nil || yield == nil {
		return errors.New("arrowrows: Each: the rows or yield are nil: make rows with OpenParquet, OpenArrow or New, and give a function")
	}
	at := 0
	var bad error
	caller := false // what panics is yield, not the reading
	err := f.batches.guarded(&caller, func(rec arrow.RecordBatch) bool {
		var more bool
		more, bad = f.batch(rec, at, func(x []float64, label float64) bool {
			caller = true
			more := yield(x, label)
			caller = false
			return more
		})
		at += int(rec.NumRows())
		return more && bad == nil
	})
	if err = errors.Join(bad, err); err != nil {
		return f.failure(err)
	}
	return nil
}

// guarded makes a pass in which a panic is an error, unless it is the caller's: of a
// damaged file Arrow may read lengths and places that do not exist.
func (b batches) guarded(caller *bool, yield func(arrow.RecordBatch) bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if *caller {
				panic(r)
			}
			err = fmt.Errorf("the data are damaged: %v", r)
		}
	}()
	return b(yield)
}

// batch yields the rows of a batch, whose first is row first.
func (f *Rows) batch(rec arrow.RecordBatch, first int, yield func(x []float64, label float64) bool) (more bool, err error) {
	if int(rec.NumCols()) != len(f.FeatureNames)+1 {
		return false, fmt.Errorf("from row %d (from 0) on there are %d columns, before %d: all batches must have the same", first, rec.NumCols(), len(f.FeatureNames)+1)
	}
	var read []func(i int) float64
	for j, column := range rec.Columns() {
		if j == f.label {
			continue
		}
		number := numbers(column)
		if number == nil {
			return false, fmt.Errorf("column %q is of type %v from row %d (from 0) on: features are numbers", rec.ColumnName(j), column.DataType(), first)
		}
		read = append(read, number)
	}
	label, x := f.labels(rec), make([]float64, len(read))
	for i := range int(rec.NumRows()) {
		for j, column := range rec.Columns() {
			if column.IsNull(i) {
				return false, fmt.Errorf("row %d (from 0), column %q is missing: fill it in, or leave the row out", first+i, rec.ColumnName(j))
			}
		}
		for j, number := range read {
			x[j] = number(i)
		}
		t, err := label(i)
		if err != nil {
			return false, fmt.Errorf("row %d (from 0): %w", first+i, err)
		}
		if !yield(x, t) {
			return false, nil
		}
	}
	return true, nil
}

// labels reads the label's column of a batch.
func (f *Rows) labels(rec arrow.RecordBatch) func(i int) (float64, error) {
	column := rec.Column(f.label)
	if number := numbers(column); f.ClassNames == nil && number != nil {
		return func(i int) (float64, error) { return number(i), nil }
	}
	return func(i int) (float64, error) {
		k, ok := f.index[column.ValueStr(i)]
		if !ok {
			return math.NaN(), fmt.Errorf("class %q is none of %q", column.ValueStr(i), f.ClassNames)
		}
		return float64(k), nil
	}
}

func (f *Rows) failure(err error) error {
	if f.path != "" {
		return fmt.Errorf("arrowrows: %w (in %s)", err, f.path)
	}
	return fmt.Errorf("arrowrows: %w", err)
}
