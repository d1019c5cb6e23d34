package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// RowsOptions are the options of NewRows.
type RowsOptions struct {
	// Classes is the number of classes K if the targets are class labels 0…K−1, with label 0 for
	// C₁. If Classes is 0, the targets are numbers in [0,1] for two classes, with target 1 for C₁.
	Classes int
	// Progress, if not nil, is called at intervals of 256 to about 1000 rows. Its arguments are the
	// number of the pass, the number of rows read so far in this pass and the total number of rows.
	// NewRows makes pass 0, in which the total is still unknown and is passed as 0. The goroutine that
	// reads the rows makes the calls. show.Progress() returns a function that draws a progress bar.
	Progress func(pass, row, rows int)
}

// Rows contains N inputs of D columns, each with a target. The rows may come from a file, a
// database or a generator, and need not fit into memory. Every function with a name of the form
// Fit…From, such as FitLogisticFrom, accepts Rows as its Source. A fit reads the rows in several
// passes and keeps a few thousand rows in memory at a time.
//
// Rows is safe for concurrent use if the function that yields the rows and the function Progress are
// safe for concurrent use.
type Rows struct {
	stream  *block.Stream
	classes int       // number of classes; 0 means targets in [0,1]
	counts  []float64 // number of rows of each class; nil if a target is strictly between 0 and 1
}

// NewRows returns the rows that a function yields. One call of the function is one pass. In a pass,
// the function calls yield with an input and its target, row after row, until there are no more
// rows or yield returns false. If the function cannot read the rows, it returns an error. All
// passes must yield the same rows in the same order. The function may reuse the slice of a row for
// the next row. A fit calls the function on a separate goroutine, which reads up to a few thousand
// rows ahead. The fit returns only after the function has returned. [RowsOf] returns such a function for a matrix.
// For a file, use the method Each of the rows that datasets.OpenCSVFile returns. For an iterator
// seq, write
//
//	func(yield func(x []float64, t float64) bool) error { seq(yield); return nil }
//
// NewRows makes one pass to count and check the rows. Errors: a nil function, an invalid option
// Classes, an error of the function, no rows or columns, rows of different lengths, NaN or Inf, and
// targets that are not labels 0…K−1 (with Classes) or numbers in [0,1] (without). If a later pass
// fails or yields different rows, the fit returns an error.
func NewRows(each func(yield func(x []float64, t float64) bool) error, o RowsOptions) (*Rows, error) {
	if each == nil {
		return nil, failure("NewRows", errors.New("each is nil: want a function that yields the rows"))
	}
	if o.Classes < 0 || o.Classes == 1 {
		return nil, failure("NewRows",
			fmt.Errorf("option Classes is %d: want the number of classes, 2 or more, or 0 for targets in [0,1]",
				o.Classes))
	}
	r := &Rows{classes: o.Classes, counts: make([]float64, max(o.Classes, 2))}
	hard := true
	r.stream = &block.Stream{Each: each, Progress: o.Progress, Target: func(t float64) (float64, error) {
		if err := r.checkTarget(t); err != nil {
			return 0, err
		}
		if r.classes == 0 {
			t = 1 - t
		}
		hard = hard && t == math.Trunc(t)
		r.counts[int(t)]++
		return t, nil
	}}
	if err := r.stream.Count(); err != nil {
		return nil, failure("NewRows", err)
	}
	if !hard {
		r.counts = nil
	}
	return r, nil
}

// RowsOf returns a function for NewRows that yields the rows of x with targets or labels t, one per
// row. The function returns an error if x is nil or empty or the number of targets is wrong.
func RowsOf(x mat.Matrix, t []float64) func(yield func(x []float64, t float64) bool) error {
	return func(yield func(x []float64, t float64) bool) error {
		src, err := check.Rows(x)
		if err != nil {
			return err
		}
		n, d := src.Dims()
		if len(t) != n {
			return fmt.Errorf("t has %d entries but x has %d rows: give one entry for each row", len(t), n)
		}
		buf := make([]float64, d)
		for i, v := range t {
			if row, _ := src.Rows(i, i+1, buf); !yield(row[:d], v) {
				break
			}
		}
		return nil
	}
}

// N returns the number of rows.
func (r *Rows) N() int { return r.stream.N }

// D returns the number of columns.
func (r *Rows) D() int { return r.stream.D }

// checkTarget returns an error if t is not a valid target.
func (r *Rows) checkTarget(t float64) error {
	switch {
	case r.classes == 0 && !(t >= 0 && t <= 1):
		return fmt.Errorf("the target is %v: want a number in [0,1], 1 for class C1 and 0 for C2; for labels 0…K−1 set RowsOptions.Classes", t)
	case r.classes > 0 && !(t >= 0 && t < float64(r.classes) && t == math.Trunc(t)):
		return fmt.Errorf("the label is %v: with RowsOptions.Classes = %d it must be one of 0…%d", t, r.classes,
			r.classes-1)
	}
	return nil
}

func (r *Rows) open(d requirements, fit func(*check.Data) error) (err error) {
	if r.stream == nil {
		return errors.New("there are no rows: make them with NewRows")
	}
	if d.weights != nil {
		return weightsError(fmt.Sprintf("option Weights has %d entries, but only fits to rows in memory accept Weights: leave Weights nil", len(d.weights)))
	}
	if err := checkOrder(d.solver); err != nil {
		return err
	}
	s := r.stream.Reader()
	defer s.End(&err)
	in := &check.Data{Src: s.Source(), K: max(r.classes, 2)}
	switch {
	case d.labels && r.counts == nil:
		return errors.New("a target lies between 0 and 1, but this fit requires a single class for each row: use targets 0 and 1")
	case d.labels:
		for _, n := range r.counts {
			in.Rows = append(in.Rows, int(n))
		}
		if !d.oneClass {
			if err := check.TwoClasses(in.Rows, s.N); err != nil {
				return err
			}
		}
		s.PerClass = r.counts
	case in.K > 2:
		return errTwoClasses(in.K)
	}
	// C₁ has the target 1 but the label 0. flip says whether to convert between the two: the fit needs
	// labels but the rows have targets, or the reverse.
	flip := d.labels == (r.classes == 0)
	s.Target = func(t float64) (float64, error) {
		err := r.checkTarget(t)
		if flip {
			t = 1 - t
		}
		return t, err
	}
	if err := in.Inspect(); err != nil {
		return err
	}
	return fit(in)
}
