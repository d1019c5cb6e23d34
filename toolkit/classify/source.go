package classify

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Source is the data of a fit. There are four types of sources:
//   - InMemory contains rows in memory.
//   - *Rows reads the rows again in each pass of the fit.
//   - *SufficientMoments contains sums over rows, for models that need only counts, means and
//     scatters.
//   - *SufficientCounts contains sums over rows, for models that need only counts of values.
//
// A function with a name of the form Fit…From fits a model to a source. The function without From
// in its name fits the same model to a matrix. For example, FitLDAFrom corresponds to FitLDA.
//
// All sources of the same rows give the same model. InMemory and *Rows give the same bits, with one
// exception. Likelihood fits of 50 000 rows or more agree only up to rounding, because the starting
// points differ: only with all rows in memory does Newton's method start at the optimum for a
// sample of the rows. A fit to moments agrees with the fit to the rows up to rounding, and a fit to
// counts agrees exactly.
type Source interface {
	// open checks the source and calls `fit` with its data. It returns the error of the check or of
	// `fit`.
	open(d requirements, fit func(*check.Data) error) error
}

var (
	_ Source = InMemory{}
	_ Source = (*Rows)(nil)
	_ Source = (*SufficientMoments)(nil)
	_ Source = (*SufficientCounts)(nil)
)

// InMemory is a Source of rows in memory: inputs X (N×D) with either targets T or class labels. A
// fit for targets converts the labels of two classes to targets, with target 1 for label 0. A fit
// for labels converts the targets 1 and 0 to the labels 0 and 1.
type InMemory struct {
	X      mat.Matrix
	T      []float64 // targets in [0,1], 1 for C₁; nil if the rows have labels
	Labels []int     // class labels 0…K−1; nil if the rows have targets
	K      int       // number of classes of the labels
}

// requirements describes what a fit requires of its source.
type requirements struct {
	weights  []float64                      // the option Weights of the fit
	solver   Solver                         // the option Solver of the fit
	labels   bool                           // true if the fit needs class labels instead of targets in [0,1]
	oneClass bool                           // true if the fit accepts labels of a single class
	inspects bool                           // true if the fit itself inspects the columns when many rows are in memory
	moments  bool                           // true if the fit needs only counts, means and scatters of the classes
	counts   bool                           // true if the fit needs only the counts of each value of each feature
	targets  func(t []float64, n int) error // function that checks the targets of rows in memory; nil means check.Targets
}

var errNoSource = errors.New("the source is nil: want InMemory{X: x, T: t}, or the result of NewRows, NewSufficientMoments or NewSufficientCounts")

// fitFrom calls `fit` with the checked data of s. It adds the name in `function` to an error.
func fitFrom[M any](function string, s Source, d requirements, fit func(*check.Data) (M, error)) (m M, err error) {
	if check.Nil(s) {
		return m, failure(function, errNoSource)
	}
	err = s.open(d, func(in *check.Data) (err error) {
		m, err = fit(in)
		return err
	})
	if err != nil {
		var none M
		return none, weightedFailure(function, d.weights, err)
	}
	return m, nil
}

func (s InMemory) open(d requirements, fit func(*check.Data) error) error {
	in, err := s.checkedData(d)
	if err != nil {
		return err
	}
	return fit(in)
}

// checkedData checks the rows. It also inspects their columns, unless the fit will inspect the
// columns.
func (s InMemory) checkedData(d requirements) (*check.Data, error) {
	if s.T != nil && s.Labels != nil {
		return nil, errors.New("the rows have both T and Labels: want one of them")
	}
	labelled := s.Labels != nil || s.T == nil && s.K != 0
	in := &check.Data{}
	var x mat.Matrix
	var err error
	if labelled {
		in.K = s.K
		x, in.Labels, err = weightedData(s.X, s.Labels, d.weights)
	} else {
		x, in.T, err = weightedData(s.X, s.T, d.weights)
	}
	if err != nil {
		return nil, err
	}
	if in.Src, err = check.Rows(x); err != nil {
		return nil, err
	}
	n, _ := in.Src.Dims()
	switch {
	case labelled:
		in.Rows, err = check.LabelRange(in.Labels, n, in.K)
	case d.targets != nil:
		err = d.targets(in.T, n)
	default:
		err = check.Targets(in.T, n)
	}
	if err == nil && labelled != d.labels {
		err = convertTargets(in)
	}
	if err == nil && d.labels && !d.oneClass {
		err = check.TwoClasses(in.Rows, n)
	}
	if err != nil {
		if bad := in.Inspect(); bad != nil { // report a NaN in x before invalid targets
			return nil, bad
		}
		return nil, err
	}
	if d.inspects && n >= check.ManyRows && in.Src.InMemory() {
		return in, nil
	}
	return in, in.Inspect()
}

// convertTargets converts checked labels of two classes to targets, or targets of 1 and 0 to
// labels.
func convertTargets(in *check.Data) error {
	if in.Labels != nil {
		if in.K > 2 {
			return errTwoClasses(in.K)
		}
		in.T = make([]float64, len(in.Labels))
		for i, l := range in.Labels {
			in.T[i] = float64(1 - l)
		}
		in.Labels = nil
		return nil
	}
	in.K, in.Rows, in.Labels = 2, make([]int, 2), make([]int, len(in.T))
	for i, v := range in.T {
		if v != 0 && v != 1 {
			return fmt.Errorf("t[%d] is %v: this fit requires targets 0 or 1, because each row must belong to one class", i, v)
		}
		in.Labels[i] = int(1 - v)
		in.Rows[in.Labels[i]]++
	}
	in.T = nil
	return nil
}

func errTwoClasses(k int) error {
	return fmt.Errorf("the rows have %d classes, but this fit is for two classes: use FitSoftmax", k)
}

// checkOrder returns an error for solvers that need the rows in memory.
func checkOrder(s Solver) error {
	switch s.(type) {
	case Sequential, *Sequential, CoordinateAscent, *CoordinateAscent:
		return fmt.Errorf("option Solver is %T, which needs the rows in memory: use Newton, LBFGS or GradientDescent",
			s)
	}
	return nil
}
