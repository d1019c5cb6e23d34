package arrowrows

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Options choose the target column and the classes.
type Options struct {
	// Label is the name of the column with the class or the target; "" means the last column. If
	// the column contains strings, integers or booleans, its values are the classes. If it contains
	// floating-point numbers, its values are classes only if Classes is not nil. If Classes is nil,
	// the numbers are the targets, unchanged, and K returns 0.
	Label string
	// Classes lists the classes in order (index 0 is C₁); any other class is an error. If Classes
	// is nil, the class names are sorted: by value if all of them are numbers, otherwise as text.
	Classes []string
}

// Rows are the rows of a file or of another source of record batches. Every pass reads the source
// again. All columns except the target must contain numbers: integers, floating-point numbers, or
// booleans, which become 0 and 1. Integers beyond 2⁵³ are rounded.
type Rows struct {
	FeatureNames []string // names of the D features, in the order of the columns
	ClassNames   []string // names of the K classes, indexed by class number; nil if the label column contains targets

	batches batches
	path    string // for error messages
	label   int    // index of the label column in the source
	index   map[string]int
}

// batches is a function that makes one pass over the source. It calls yield with each batch until
// yield returns false.
type batches func(yield func(arrow.RecordBatch) bool) error

// New returns the rows of a source of record batches. Each pass over the rows calls `open`, reads
// the record batches from the returned reader, and releases the reader. Errors: a nil function, no
// record batches, fewer than two columns, a feature column that is not numeric, a duplicate column
// name, an unknown label column, or a name that occurs twice in Options.Classes. New also returns
// errors from opening and reading. Missing values and classes not in Options.Classes are errors of
// Each, not of New.
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

// newRows checks the columns and collects the names of the classes in one pass.
func newRows(path string, o Options, b batches) (*Rows, error) {
	f := &Rows{batches: b, path: path, label: -1, ClassNames: slices.Clone(o.Classes)}
	seen := map[string]bool{}
	var bad error
	err := b.catchPanics(new(bool), func(rec arrow.RecordBatch) bool {
		if f.label < 0 {
			if bad = f.columns(rec.Schema(), o); bad != nil || f.ClassNames != nil || f.hasTargets(rec) {
				return false
			}
		}
		column := rec.Column(f.label)
		for i := range column.Len() {
			if !column.IsNull(i) { // skip missing classes here; Each reports them later, together with the row
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
		return nil, f.failure(fmt.Errorf("Options.Classes is %q: a name occurs twice", f.ClassNames))
	}
	return f, nil
}

// columns sets the label column and the feature columns from the schema s.
func (f *Rows) columns(s *arrow.Schema, o Options) error {
	var names []string
	for _, field := range s.Fields() {
		if slices.Contains(names, field.Name) {
			return fmt.Errorf("two columns are called %q: names must differ", field.Name)
		}
		names = append(names, field.Name)
	}
	if len(names) < 2 {
		return fmt.Errorf("the columns are %q: want at least one feature and the label", names)
	}
	label := len(names) - 1
	if o.Label != "" {
		if label = slices.Index(names, o.Label); label < 0 {
			return fmt.Errorf("no column %q (Options.Label): the columns are %q", o.Label, names)
		}
	}
	for j, field := range s.Fields() {
		if j != label && !isNumeric(field.Type) {
			return fmt.Errorf("column %q has type %v: want a numeric feature; convert the column to numbers, or leave it out",
				field.Name, field.Type)
		}
	}
	f.label, f.FeatureNames = label, slices.Delete(names, label, label+1)
	return nil
}

// hasTargets reports whether the label column contains floating-point numbers, which are targets if
// Options.Classes is nil.
func (f *Rows) hasTargets(rec arrow.RecordBatch) bool {
	return arrow.IsFloating(rec.Schema().Field(f.label).Type.ID())
}

// D returns the number of features per row.
func (f *Rows) D() int { return len(f.FeatureNames) }

// K returns the number of classes, or 0 if the label column contains targets.
func (f *Rows) K() int { return len(f.ClassNames) }

// Each makes one pass over the rows. It calls yield with the features x of each row and its label
// until yield returns false. The label is the number 0…K−1 of the class, or the target. Each reuses
// the slice x for the next row. Errors: nil rows, a nil yield, a missing value, a class not in
// ClassNames, or a record batch whose columns do not match the first batch. Each also returns errors from
// opening and reading. An error about a value names its row.
func (f *Rows) Each(yield func(x []float64, label float64) bool) error {
	if f == nil || f.batches == nil || yield == nil {
		return errors.New("arrowrows: Each: the rows or yield is nil: make rows with OpenParquet, OpenArrow or New, and give a function")
	}
	at := 0
	var bad error
	caller := false // true while yield is running; a panic at that time comes from yield, the caller's function
	err := f.batches.catchPanics(&caller, func(rec arrow.RecordBatch) bool {
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

// catchPanics makes one pass. Arrow may panic on invalid lengths and offsets in a damaged file, and
// catchPanics returns such a panic as an error. If *caller is true, the panic comes from the
// caller's function, and catchPanics panics with the same value.
func (b batches) catchPanics(caller *bool, yield func(arrow.RecordBatch) bool) (err error) {
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

// batch calls yield with each row of a record batch. The argument `first` is the number that the
// first row of the batch has in the source.
func (f *Rows) batch(rec arrow.RecordBatch, first int, yield func(x []float64, label float64) bool) (more bool,
	err error) {
	if int(rec.NumCols()) != len(f.FeatureNames)+1 {
		return false, fmt.Errorf("row %d (counting from 0) has %d columns, but earlier rows have %d: all batches must have the same columns",
			first, rec.NumCols(), len(f.FeatureNames)+1)
	}
	var read []func(i int) float64
	for j, column := range rec.Columns() {
		if j == f.label {
			continue
		}
		number := numbers(column)
		if number == nil {
			return false, fmt.Errorf("column %q has type %v in row %d (counting from 0): want a numeric feature",
				rec.ColumnName(j), column.DataType(), first)
		}
		read = append(read, number)
	}
	label, x := f.labels(rec), make([]float64, len(read))
	for i := range int(rec.NumRows()) {
		for j, column := range rec.Columns() {
			if column.IsNull(i) {
				return false, fmt.Errorf("row %d (counting from 0), column %q: the value is missing: fill it in, or leave the row out",
					first+i, rec.ColumnName(j))
			}
		}
		for j, number := range read {
			x[j] = number(i)
		}
		t, err := label(i)
		if err != nil {
			return false, fmt.Errorf("row %d (counting from 0): %w", first+i, err)
		}
		if !yield(x, t) {
			return false, nil
		}
	}
	return true, nil
}

// labels returns a function that reads the label column of a batch.
func (f *Rows) labels(rec arrow.RecordBatch) func(i int) (float64, error) {
	column := rec.Column(f.label)
	if number := numbers(column); f.ClassNames == nil && number != nil {
		return func(i int) (float64, error) { return number(i), nil }
	}
	return func(i int) (float64, error) {
		k, ok := f.index[column.ValueStr(i)]
		if !ok {
			return math.NaN(), fmt.Errorf("class %q is not in %q", column.ValueStr(i), f.ClassNames)
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

// batchRows is the largest number of rows of a Parquet file in one record batch.
const batchRows = 4096

// OpenParquet returns the rows of the named Parquet file. At any time, a few thousand rows and the
// pages that contain them are in memory. OpenParquet returns the same errors as New, and an error
// for a file that cannot be opened or is not a Parquet file.
func OpenParquet(path string, o Options) (*Rows, error) {
	return newRows(path, o, func(yield func(arrow.RecordBatch) bool) error {
		props := parquet.NewReaderProperties(memory.DefaultAllocator)
		props.BufferedStreamEnabled = true // read one page at a time instead of a whole row group
		in, err := file.OpenParquetFile(path, false, file.WithReadProps(props))
		if err != nil {
			return err
		}
		defer in.Close()
		f, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batchRows}, memory.DefaultAllocator)
		if err != nil {
			return err
		}
		r, err := f.GetRecordReader(context.Background(), nil, nil)
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

// OpenArrow returns the rows of the named Arrow IPC file, also called Feather version 2. At any
// time, only one record batch is in memory; the program that wrote the file chose the size of its
// batches. OpenArrow returns the same errors as New, and an error for a file that cannot be opened
// or is not an Arrow IPC file.
func OpenArrow(path string, o Options) (*Rows, error) {
	return newRows(path, o, func(yield func(arrow.RecordBatch) bool) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		f, err := ipc.NewFileReader(in)
		if err != nil {
			return err
		}
		defer f.Close()
		for i := range f.NumRecords() {
			rec, err := f.RecordBatch(i) // the record batch rec is valid until the next call of RecordBatch or Close
			if err != nil {
				return err
			}
			if !yield(rec) {
				break
			}
		}
		return nil
	})
}

// isNumeric reports whether the function `numbers` can read columns of type t.
func isNumeric(t arrow.DataType) bool {
	id := t.ID()
	return arrow.IsInteger(id) || arrow.IsFloating(id) || id == arrow.BOOL
}

// numbers returns a function that reads a column of numbers. It returns nil for a column of any
// other type.
func numbers(column arrow.Array) func(i int) float64 {
	switch c := column.(type) {
	case *array.Float64:
		return c.Value
	case *array.Float32:
		return asFloat64(c.Value)
	case *array.Float16:
		return func(i int) float64 { return float64(c.Value(i).Float32()) }
	case *array.Int64:
		return asFloat64(c.Value)
	case *array.Int32:
		return asFloat64(c.Value)
	case *array.Int16:
		return asFloat64(c.Value)
	case *array.Int8:
		return asFloat64(c.Value)
	case *array.Uint64:
		return asFloat64(c.Value)
	case *array.Uint32:
		return asFloat64(c.Value)
	case *array.Uint16:
		return asFloat64(c.Value)
	case *array.Uint8:
		return asFloat64(c.Value)
	case *array.Boolean:
		return func(i int) float64 {
			if c.Value(i) {
				return 1
			}
			return 0
		}
	}
	return nil
}

func asFloat64[T float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8](value func(i int) T) func(i int) float64 {
	return func(i int) float64 { return float64(value(i)) }
}
