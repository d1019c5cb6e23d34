package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// RowsOptions of NewRows.
type RowsOptions struct {
	// Classes is K if the targets are class labels 0…K−1, index 0 for C₁. 0 says that
	// they are those of two classes, numbers in [0,1], 1 for C₁.
	Classes int
	// Progress, if not nil, is called every few rows with the pass under way and how
	// many of how many rows it has read. Pass 0 is that of NewRows, which does not yet
	// know how many: rows is 0. The passes of a fit run on a goroutine of their own, and
	// so do these calls, between two rows. show.Progress draws a bar.
	Progress func(pass, row, rows int)
}

// Rows are N inputs of D columns with a target each that need not fit into memory: of
// a file, a database, a generator. Its methods Fit… are the fits whose objective is a
// sum over rows. They read the rows pass after pass, keep a few thousand of them at a
// time, and return the model that the function of the same name returns for the same
// rows in memory: the same numbers, bit by bit. Likelihoods of 50 000 rows or more, for
// which Newton's method begins at the optimum of a sample where all are in memory, agree
// up to rounding.
//
// Rows are safe for use by several goroutines if the function that yields them is.
type Rows struct {
	stream  *block.Stream
	classes int       // of labels; 0: targets in [0,1]
	counts  []float64 // of each class; nil if a target is neither 0 nor 1
}

// NewRows returns the rows that each yields. A call of each is one pass: it calls yield
// with an input and its target, row after row, until there are no more or yield returns
// false, and returns an error if the rows cannot be read. All passes must yield the same
// rows in the same order. The slice may be used again for the next row. A fit reads some
// rows ahead on a goroutine of its own, and is back when each is. [RowsOf] makes
// such a function for a matrix, datasets.OpenCSVFile for a file, and of an iterator seq it is
//
//	func(yield func(x []float64, t float64) bool) error { seq(yield); return nil }
//
// One pass counts and checks the rows. Errors: that of each, no rows, rows of different
// lengths, NaN or Inf, targets that are no labels 0…K−1 or not in [0,1]. A later pass
// that yields other rows or fails is an error of the fit.
func NewRows(each func(yield func(x []float64, t float64) bool) error, o RowsOptions) (*Rows, error) {
	if each == nil {
		return nil, failure("NewRows", errors.New("each is nil: give a function that yields the rows"))
	}
	if o.Classes < 0 || o.Classes == 1 {
		return nil, failure("NewRows", fmt.Errorf("option Classes is %d: it is the number of classes, 2 or more, or 0 for targets in [0,1]", o.Classes))
	}
	r := &Rows{classes: o.Classes, counts: make([]float64, max(o.Classes, 2))}
	hard := true
	r.stream = &block.Stream{Each: each, Progress: o.Progress, Target: func(t float64) (float64, error) {
		if err := r.valid(t); err != nil {
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

// RowsOf returns the rows of x with targets or labels t, one per row, in the form that
// NewRows takes. The function returns an error for a nil or empty x and for another
// number of targets.
func RowsOf(x mat.Matrix, t []float64) func(yield func(x []float64, t float64) bool) error {
	return func(yield func(x []float64, t float64) bool) error {
		src, err := check.Rows(x)
		if err != nil {
			return err
		}
		n, d := src.Dims()
		if len(t) != n {
			return fmt.Errorf("t has %d entries but x has %d rows: give one per row", len(t), n)
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

// valid says what is wrong with a target.
func (r *Rows) valid(t float64) error {
	switch {
	case r.classes == 0 && !(t >= 0 && t <= 1):
		return fmt.Errorf("the target is %v: targets lie in [0,1], 1 for class C1 and 0 for C2; for labels 0…K−1 set RowsOptions.Classes", t)
	case r.classes > 0 && !(t >= 0 && t < float64(r.classes) && t == math.Trunc(t)):
		return fmt.Errorf("the label is %v: with RowsOptions.Classes = %d the labels are 0…%d", t, r.classes, r.classes-1)
	}
	return nil
}

// labels opens the rows for a fit to class labels.
func (r *Rows) labels(s *block.Stream) (*check.Labelled, error) {
	if r.counts == nil {
		return nil, errors.New("a target lies between 0 and 1: this fit needs every row in one class, targets 0 or 1")
	}
	in := &check.Labelled{Src: s.Source(), K: len(r.counts)}
	for k, n := range r.counts {
		if int(n) == s.N {
			return nil, fmt.Errorf("all %d rows are class %d: a classifier needs rows of at least two classes", s.N, k)
		}
		in.Rows = append(in.Rows, int(n))
	}
	s.PerClass = r.counts
	s.Target = func(t float64) (float64, error) {
		if r.classes == 0 {
			return 1 - t, r.valid(t)
		}
		return t, r.valid(t)
	}
	in.Cols = block.Inspect(in.Src)
	return in, nil
}

// twoClass opens the rows for a fit to targets in [0,1].
func (r *Rows) twoClass(s *block.Stream) (*targeted, error) {
	if r.classes > 2 {
		return nil, fmt.Errorf("the rows have %d classes: this fit is for two, use FitSoftmax", r.classes)
	}
	s.Target = func(t float64) (float64, error) {
		if r.classes == 2 {
			return 1 - t, r.valid(t)
		}
		return t, r.valid(t)
	}
	src := s.Source()
	return &targeted{src: src, cols: block.Inspect(src)}, nil
}

// overRows runs a fit over the rows as open gives them.
func overRows[In, M any](r *Rows, function string, weights []float64, open func(*block.Stream) (In, error), fit func(In) (*M, error)) (*M, error) {
	m, err := func() (_ *M, err error) {
		if r == nil || r.stream == nil {
			return nil, errors.New("there are no rows: make them with NewRows")
		}
		if weights != nil {
			return nil, fmt.Errorf("option Weights has %d entries: it is for rows in memory, leave it out", len(weights))
		}
		s := r.stream.Reader()
		defer s.End(&err)
		in, err := open(s)
		if err != nil {
			return nil, err
		}
		return fit(in)
	}()
	if err != nil {
		return nil, failure("Rows."+function, err)
	}
	return m, nil
}

// inOrder refuses solvers that do not take the rows from the first to the last.
func inOrder(s Solver) error {
	switch s.(type) {
	case Sequential, *Sequential, CoordinateAscent, *CoordinateAscent:
		return fmt.Errorf("option Solver is %T, which goes from row to row in memory: use Newton, LBFGS or GradientDescent", s)
	}
	return nil
}
