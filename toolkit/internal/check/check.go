// Package check contains the argument checks that all models share. Each error names the argument
// and the value found, and says what to do. Rows, columns and classes are counted from 0.
package check

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// Inputs checks that x is a non-empty matrix of finite numbers. It returns a source of the rows of
// x, and the column statistics for the fit.
func Inputs(x mat.Matrix) (*block.Source, *block.Columns, error) {
	src, err := Rows(x)
	if err != nil {
		return nil, nil, err
	}
	cols := block.Inspect(src)
	if err := Finite(cols, src); err != nil {
		return nil, nil, err
	}
	return src, cols, nil
}

// Finite returns an error if an entry of src is not finite. The argument cols contains the column
// statistics of src.
func Finite(cols *block.Columns, src *block.Source) error {
	if cols.BadRow < 0 {
		return nil
	}
	_, d := src.Dims()
	row, _ := src.Rows(cols.BadRow, cols.BadRow+1, make([]float64, d))
	return fmt.Errorf("x row %d, column %d is %v: remove the row or fill in a finite number",
		cols.BadRow, cols.BadCol, row[cols.BadCol])
}

// Data contains the checked data of a fit: rows with targets, or rows with class labels. Most fits
// accept only targets in [0,1]. For discrete features, Data contains, instead of the rows, the
// number of rows of each class with each value.
type Data struct {
	Src    *block.Source
	Cols   *block.Columns // column statistics of all rows, or of a sample; nil if no row has been inspected
	T      []float64      // targets; nil if Src contains the targets or if the rows have labels
	Labels []int          // class labels; nil if Src contains the labels or if the rows have targets
	K      int            // number of classes
	Rows   []int          // number of rows of each class
	Origin []float64      // the inputs in Src are differences from this origin; nil means 0

	// For discrete features, Levels and Cells replace Src. Levels contains the number of possible
	// values of each feature. Cells contains, for each class, the numbers of rows with each value:
	// first for the values of the first feature, then for the values of the next feature, and so
	// on.
	Levels []int
	Cells  [][]int
}

// ManyRows is the smallest number of rows for which a fit avoids extra passes over the rows where
// possible.
const ManyRows = 50_000

// Inspect makes a pass over the rows to compute the statistics of the columns. It returns an error
// if a number is not finite.
func (in *Data) Inspect() error { return in.Inspected(block.Inspect(in.Src)) }

// Inspected is like Inspect, but makes no pass: its argument contains the column statistics, which
// a pass of the fit has already computed.
func (in *Data) Inspected(cols *block.Columns) error {
	in.Cols = cols
	return Finite(cols, in.Src)
}

// At returns the labels of the rows lo … hi−1.
func (in *Data) At(lo, hi int) []int { return in.Src.Labels(in.Labels, lo, hi) }

// Targets yields the targets of all rows in order, each with its row number.
func (in *Data) Targets() iter.Seq2[int, float64] { return in.Src.EachTarget(in.T) }

// Counts returns, for each class, the sum of the weights of its rows.
func (in *Data) Counts() []float64 {
	if in.Src != nil {
		return in.Src.PerClass(in.Labels, in.K)
	}
	counts := make([]float64, in.K)
	for k, n := range in.Rows {
		counts[k] = float64(n)
	}
	return counts
}

// Rows returns a source of the rows of x. It checks only that x has at least one row and one column.
func Rows(x mat.Matrix) (*block.Source, error) {
	if _, err := Height(x); err != nil {
		return nil, err
	}
	return block.NewSource(x), nil
}

// TargetRows returns the rows of an N×K matrix of targets, or an error if t is nil or empty.
func TargetRows(t mat.Matrix) (*block.Source, error) {
	if Nil(t) {
		return nil, errors.New("the targets t are nil: want an N×K matrix, one row for each row of x")
	}
	if n, k := t.Dims(); n == 0 || k == 0 {
		return nil, fmt.Errorf("the targets t are %d×%d: want at least one row and one column", n, k)
	}
	return block.NewSource(t), nil
}

// Height returns the number of rows of x. If x is nil or empty, it returns the same error as the
// function Rows.
func Height(x mat.Matrix) (int, error) {
	if Nil(x) {
		return 0, errors.New("x is nil: it must be an N×D matrix, one input per row")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return 0, fmt.Errorf("x is %d×%d: it must have at least one row and one column", n, d)
	}
	return n, nil
}

// Drawn returns an error if random data with the given number of rows and d columns would need more
// than a gigabyte.
func Drawn(rows float64, d int) error {
	const most = 1 << 27
	if rows*float64(d) > most {
		return fmt.Errorf("%.6g rows of %d numbers would fill %.3g GB: draw fewer rows, which must fit into 1 GB",
			rows, d, rows*float64(d)*8/(1<<30))
	}
	return nil
}

// Wide checks that x is an N×d matrix. It does not check the entries of x.
func Wide(x mat.Matrix, d int) (*block.Source, error) {
	src, err := Rows(x)
	if err != nil {
		return nil, err
	}
	if n, got := src.Dims(); got != d {
		return nil, fmt.Errorf("x is %d×%d: this model was fitted to inputs with %d columns", n, got, d)
	}
	return src, nil
}

// Nil reports whether v is nil or contains a nil pointer, function, map or slice. A caller passes
// such a value, for example, if a fit has failed and the caller has ignored the error.
func Nil(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice:
		return r.IsNil()
	}
	return false
}

// New checks the inputs x of a prediction. They must have d columns, like the inputs of the fit,
// and must not contain NaN or Inf.
func New(x mat.Matrix, d int) (*block.Source, error) {
	if _, err := Wide(x, d); err != nil {
		return nil, err
	}
	src, _, err := Inputs(x)
	return src, err
}

// Targets checks that t contains n targets, each in [0,1].
func Targets(t []float64, n int) error {
	if len(t) != n {
		return fmt.Errorf("t has %d targets but x has %d rows: give one target per row", len(t), n)
	}
	for i, v := range t {
		if math.IsNaN(v) || v < 0 || v > 1 {
			return fmt.Errorf("t[%d] is %v: targets lie in [0,1], 1 for class C1 and 0 for C2 (not −1 and +1)", i, v)
		}
	}
	return nil
}

// OneClass returns an error if all targets are 1 or all are 0.
func OneClass(t iter.Seq2[int, float64]) error {
	n, first := 0, 0.0
	for _, v := range t {
		if n == 0 {
			first = v
		}
		if v != first || (v != 0 && v != 1) {
			return nil
		}
		n++
	}
	return fmt.Errorf("all %d targets are %v, a single class: the likelihood has no maximum (the bias tends to +∞ for targets 1 and to −∞ for targets 0); "+
		"add rows of the other class, or a prior on all weights", n, first)
}

// Labels checks n labels of k classes. At least two classes must have rows. Labels returns the
// number of rows of each class.
func Labels(labels []int, n, k int) ([]int, error) {
	counts, err := LabelRange(labels, n, k)
	if err == nil {
		err = TwoClasses(counts, n)
	}
	return counts, err
}

// TwoClasses returns an error if all n rows belong to the same class. The slice `counts` contains
// the number of rows of each class.
func TwoClasses(counts []int, n int) error {
	if k := slices.Index(counts, n); k >= 0 {
		return fmt.Errorf("all %d rows are class %d: a classifier needs rows of at least two classes", n, k)
	}
	return nil
}

// LabelRange is like Labels, but accepts data in which all rows have the same class.
func LabelRange(labels []int, n, k int) ([]int, error) {
	if k < 2 {
		return nil, fmt.Errorf("k is %d: a classifier needs at least two classes", k)
	}
	if len(labels) != n {
		return nil, fmt.Errorf("labels has %d entries but x has %d rows: give one label per row", len(labels), n)
	}
	if k > 1000 && k > n {
		return nil, fmt.Errorf("k is %d but there are only %d rows: k is the number of classes, the labels are 0…k−1",
			k, n)
	}
	counts := make([]int, k)
	for i, l := range labels {
		if l < 0 || l >= k {
			return nil, fmt.Errorf("labels[%d] is %d: with k = %d classes the labels are 0…%d", i, l, k, k-1)
		}
		counts[l]++
	}
	return counts, nil
}

// Vector checks that v contains n finite numbers. The argument `name` is the name of v in the errors.
// The argument `what` explains, in the error for a wrong length, why v must have n numbers.
func Vector(name string, v []float64, n int, what string) error {
	if len(v) != n {
		return fmt.Errorf("%s has %d entries, want %d (%s)", name, len(v), n, what)
	}
	for i, a := range v {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return fmt.Errorf("%s[%d] is %v: want a finite number", name, i, a)
		}
	}
	return nil
}
