package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// RowsOptions are the options of NewRows.
type RowsOptions struct {
	// Classes is the number of classes K if the targets are class labels 0…K−1, with label 0 for
	// C₁. If Classes is 0, the targets are numbers in [0,1] for two classes, with target 1 for C₁.
	Classes int
	// Progress, if not nil, is called every few rows. Its arguments are the number of the pass, the
	// number of rows read in this pass and the total number of rows. NewRows makes pass 0, in which
	// rows is 0 because the total is not known yet. A fit calls Progress on a separate goroutine,
	// between two rows. show.Progress draws a bar.
	Progress func(pass, row, rows int)
}

// Rows is N inputs of D columns, each with a target. The rows may come from a file, a database or a
// generator, and need not fit into memory. Rows has a Fit method for every model with an objective
// that is a sum over rows. A Fit method reads the rows in several passes and keeps a few thousand
// rows in memory at a time. The method returns the same model, bit for bit, as the package function
// of the same name for the same rows in memory. Likelihood fits of 50 000 rows or more agree only
// up to rounding, because the starting points differ. With all rows in memory, Newton's method
// begins at the optimum of a sample.
//
// Rows is safe for concurrent use by several goroutines if the function that yields the rows is.
type Rows struct {
	stream  *block.Stream
	classes int       // number of classes; 0 means targets in [0,1]
	counts  []float64 // rows of each class; nil if a target is neither 0 nor 1
}

// NewRows returns the rows that the function each yields. One call of each is one pass. In a pass,
// each calls yield with an input and its target, row after row, until there are no more rows or
// yield returns false. If each cannot read the rows, it returns an error. All passes must yield the
// same rows in the same order; each may reuse the slice for the next row. A fit reads some rows
// ahead on a separate goroutine, and returns only after each has returned. [RowsOf] returns such a
// function for a matrix. For a file, use the method Each of the rows that datasets.OpenCSVFile
// returns. For an iterator seq, write
//
//	func(yield func(x []float64, t float64) bool) error { seq(yield); return nil }
//
// NewRows makes one pass to count and check the rows. Errors: an error of each, no rows, rows of
// different lengths, NaN or Inf, targets that are not labels 0…K−1 or not in [0,1]. If a later pass
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

// valid returns an error if t is not a valid target.
func (r *Rows) valid(t float64) error {
	switch {
	case r.classes == 0 && !(t >= 0 && t <= 1):
		return fmt.Errorf("the target is %v: want a number in [0,1], 1 for class C1 and 0 for C2; for labels 0…K−1 set RowsOptions.Classes", t)
	case r.classes > 0 && !(t >= 0 && t < float64(r.classes) && t == math.Trunc(t)):
		return fmt.Errorf("the label is %v: with RowsOptions.Classes = %d the labels are 0…%d", t, r.classes,
			r.classes-1)
	}
	return nil
}

// labels prepares the stream s for a fit to class labels. It returns an error if a target lies
// between 0 and 1 or if all rows belong to one class.
func (r *Rows) labels(s *block.Stream) (*check.Labelled, error) {
	if r.counts == nil {
		return nil, errors.New("a target lies between 0 and 1: this fit requires a single class for each row, target 0 or 1")
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

// twoClass prepares the stream s for a fit to targets in [0,1]. It returns an error if there are
// more than two classes.
func (r *Rows) twoClass(s *block.Stream) (*targeted, error) {
	if r.classes > 2 {
		return nil, fmt.Errorf("the rows have %d classes: this fit is for two classes; use FitSoftmax", r.classes)
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

// overRows calls fit with the rows of r, which open prepares. It adds the name of the method to the
// error of open or fit.
func overRows[In, M any](r *Rows, function string, weights []float64, open func(*block.Stream) (In, error),
	fit func(In) (*M, error)) (*M, error) {
	m, err := func() (_ *M, err error) {
		if r == nil || r.stream == nil {
			return nil, errors.New("there are no rows: make them with NewRows")
		}
		if weights != nil {
			return nil, fmt.Errorf("option Weights has %d entries: only fits to rows in memory accept Weights; leave Weights nil",
				len(weights))
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

// inOrder rejects solvers that do not read the rows from first to last.
func inOrder(s Solver) error {
	switch s.(type) {
	case Sequential, *Sequential, CoordinateAscent, *CoordinateAscent:
		return fmt.Errorf("option Solver is %T, which needs the rows in memory: use Newton, LBFGS or GradientDescent",
			s)
	}
	return nil
}

// FitLeastSquares applies the function [FitLeastSquares] to the rows. It returns the errors of the
// function, and an error if reading the rows fails or if Weights is set.
//
// Equations: PRML (4.15), (4.16).
func (r *Rows) FitLeastSquares(o LeastSquaresOptions) (*LeastSquares, error) {
	return overRows(r, "FitLeastSquares", o.Weights, r.labels,
		func(in *check.Labelled) (*LeastSquares, error) { return leastSquaresOf(in, o) })
}

// FitFisher applies the function [FitFisher] to the rows, which must belong to two classes. It
// returns the errors of the function, and an error if reading the rows fails or if Weights is set.
//
// Equations: PRML (4.23)–(4.30).
func (r *Rows) FitFisher(o FisherOptions) (*Fisher, error) {
	return overRows(r, "FitFisher", o.Weights, r.labels, func(in *check.Labelled) (*Fisher, error) {
		if in.K != 2 {
			return nil, errors.New("Fisher's discriminant is for two classes: use FitLDA")
		}
		if err := o.check(); err != nil {
			return nil, err
		}
		return fisherOf(in, o)
	})
}

// FitLDA applies the function [FitLDA] to the rows. It returns the errors of the function, and an
// error if reading the rows fails or if Weights is set.
//
// Equations: PRML (4.71)–(4.80).
func (r *Rows) FitLDA(o LDAOptions) (*LDA, error) {
	return overRows(r, "FitLDA", o.Weights, r.labels, func(in *check.Labelled) (*LDA, error) { return ldaOf(in, o) })
}

// FitQDA applies the function [FitQDA] to the rows. It returns the errors of the function, and an
// error if reading the rows fails or if Weights is set.
//
// Equations: Alpaydin (10.2), (10.34).
func (r *Rows) FitQDA(o QDAOptions) (*QDA, error) {
	return overRows(r, "FitQDA", o.Weights, r.labels, func(in *check.Labelled) (*QDA, error) { return qdaOf(in, o) })
}

// FitNaiveBayesGaussian applies the function [FitNaiveBayesGaussian] to the rows. It returns the
// errors of the function, and an error if reading the rows fails or if Weights is set.
//
// Equations: PRML (4.159), (4.161).
func (r *Rows) FitNaiveBayesGaussian(o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	return overRows(r, "FitNaiveBayesGaussian", o.Weights, r.labels,
		func(in *check.Labelled) (*NaiveBayesGaussian, error) { return naiveGaussianOf(in, o) })
}

// FitNaiveBayesBernoulli applies the function [FitNaiveBayesBernoulli] to the rows. It returns the
// errors of the function, and an error if reading the rows fails or if Weights is set.
//
// Equations: PRML (4.81), (4.159).
func (r *Rows) FitNaiveBayesBernoulli(o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	return overRows(r, "FitNaiveBayesBernoulli", o.Weights, r.labels,
		func(in *check.Labelled) (*NaiveBayesBernoulli, error) { return naiveBernoulli(in, o) })
}

// FitNaiveBayesCategorical applies the function [FitNaiveBayesCategorical] to the rows; levels has
// one entry per column. It returns the errors of the function, and an error if reading the rows
// fails or if Weights is set.
//
// Equations: PRML (4.159).
func (r *Rows) FitNaiveBayesCategorical(levels []int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	return overRows(r, "FitNaiveBayesCategorical", o.Weights, r.labels,
		func(in *check.Labelled) (*NaiveBayesCategorical, error) {
			return naiveCategorical(in, levels, o)
		})
}

// FitLogistic applies the function [FitLogistic] to the rows, which must belong to two classes. It
// returns the errors of the function, and an error if reading the rows fails or if Weights is set.
// The solvers Sequential and CoordinateAscent are also an error, because they need the rows in
// memory.
//
// Equations: PRML (4.89)–(4.92), (4.96), (4.97).
func (r *Rows) FitLogistic(o LogisticOptions) (*Logistic, error) {
	return overRows(r, "FitLogistic", o.Weights, r.twoClass, func(in *targeted) (*Logistic, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		m, err := in.fit(glm.CrossEntropy{}, o, nil)
		if err != nil {
			return nil, err
		}
		return &Logistic{*m}, nil
	})
}

// FitProbit applies the function [FitProbit] to the rows. It has the same restrictions and returns
// the same errors as the method FitLogistic.
//
// Equations: PRML (4.111), (4.114), (4.122).
func (r *Rows) FitProbit(o ProbitOptions) (*Probit, error) {
	return overRows(r, "FitProbit", o.Weights, r.twoClass, func(in *targeted) (*Probit, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		m, err := in.fit(glm.ProbitLoss{}, LogisticOptions(o), probitProblem)
		if err != nil {
			return nil, err
		}
		return &Probit{*m}, nil
	})
}

// FitLabelFlip applies the function [FitLabelFlip] to the rows. It has the same restrictions and
// returns the same errors as the method FitLogistic. An Epsilon outside [0, ½) is also an error.
//
// Equations: PRML (4.117).
func (r *Rows) FitLabelFlip(o LabelFlipOptions) (*LabelFlip, error) {
	return overRows(r, "FitLabelFlip", o.Weights, r.twoClass, func(in *targeted) (*LabelFlip, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		if err := o.check(); err != nil {
			return nil, err
		}
		return in.fitLabelFlip(o)
	})
}

// FitBayesLogistic applies the function [FitBayesLogistic] to the rows, which must belong to two
// classes. It returns the errors of the function, and an error if reading the rows fails or if
// Weights is set.
//
// Equations: PRML (4.138), (4.140)–(4.144).
func (r *Rows) FitBayesLogistic(o BayesLogisticOptions) (*BayesLogistic, error) {
	return overRows(r, "FitBayesLogistic", o.Weights, r.twoClass, func(in *targeted) (*BayesLogistic, error) {
		if err := o.check(); err != nil {
			return nil, err
		}
		return in.fitBayes(o)
	})
}

// FitSoftmax applies the function [FitSoftmax] to the rows. It returns the errors of the function,
// and an error if reading the rows fails or if Weights is set. The solvers Sequential and
// CoordinateAscent are also an error, because they need the rows in memory.
//
// Equations: PRML (4.104)–(4.110).
func (r *Rows) FitSoftmax(o SoftmaxOptions) (*Softmax, error) {
	return overRows(r, "FitSoftmax", o.Weights, r.labels, func(in *check.Labelled) (*Softmax, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		_, d := in.Src.Dims()
		if err := glm.SoftmaxSize(d+1, in.K); err != nil {
			return nil, err
		}
		return fitSoftmax(in.Src, in.Cols, &glm.ClassTargets{K: in.K, Inputs: in.Src}, o, nil)
	})
}
