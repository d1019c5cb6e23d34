package classify

import (
	"errors"
	"fmt"
	"math"
)

// SufficientCounts are the sufficient statistics of labelled inputs for naive Bayes with
// discrete features: how many rows N_kij of class k have value j in feature i. They are
// made in one pass, and those of the parts of a data set merge to those of the whole, in
// any order and exactly; the parts may be of several machines, which send them as JSON
// or gob.
//
// Equations: PRML (4.81); Notes on part I (categorical).
type SufficientCounts struct {
	Levels []int   // L_i, the number of values of each feature, D entries
	Counts []int   // N_k, K entries
	Cells  [][]int // N_kij, K rows of ΣL_i, feature after feature
}

// NewSufficientCounts returns those of no rows, for inputs whose column i holds the
// numbers 0…levels[i]−1 and k classes; levels of 2 are binary features. Errors: no
// levels, one below 1, k below 2, sizes that fill more than a gigabyte.
func NewSufficientCounts(levels []int, k int) (*SufficientCounts, error) {
	s := &SufficientCounts{Levels: append([]int(nil), levels...)}
	m := &NaiveBayesCategorical{Levels: s.Levels}
	if err := m.place(); err != nil {
		return nil, failure("NewSufficientCounts", err)
	}
	cells := m.start[len(levels)] - 1
	if len(levels) == 0 || k < 2 || float64(cells)*float64(k) > 1<<27 {
		return nil, failure("NewSufficientCounts", fmt.Errorf("there are %d columns with %d values in all and %d classes: needed are at least 1 and 2, and no more than memory holds", len(levels), cells, k))
	}
	s.Counts, s.Cells = make([]int, k), make([][]int, k)
	for c := range s.Cells {
		s.Cells[c] = make([]int, cells)
	}
	return s, nil
}

// Add adds an input x of D values of the class label, 0…K−1. Errors: another length,
// what is no number of a value, another label; the counts are then unchanged.
func (s *SufficientCounts) Add(x []float64, label int) error {
	if err := s.accepts(x, label); err != nil {
		return failure("SufficientCounts.Add", err)
	}
	s.Counts[label]++
	at := 0
	for i, v := range x {
		s.Cells[label][at+int(v)]++
		at += s.Levels[i]
	}
	return nil
}

func (s *SufficientCounts) accepts(x []float64, label int) error {
	switch {
	case s == nil || len(s.Counts) == 0:
		return errNoCounts
	case label < 0 || label >= len(s.Counts):
		return fmt.Errorf("the label is %d: with %d classes the labels are 0…%d", label, len(s.Counts), len(s.Counts)-1)
	case len(x) != len(s.Levels):
		return fmt.Errorf("x has %d numbers: these counts are of %d columns", len(x), len(s.Levels))
	}
	for i, v := range x {
		if !(v >= 0 && v < float64(s.Levels[i]) && v == math.Trunc(v)) {
			return fmt.Errorf("x[%d] is %v: the values of this feature are numbered 0…%d", i, v, s.Levels[i]-1)
		}
	}
	return nil
}

var errNoCounts = errors.New("there are no counts: make them with NewSufficientCounts")

// Merge adds the rows of o, which stays as it is. Errors: nil, and other levels or
// another number of classes.
func (s *SufficientCounts) Merge(o *SufficientCounts) error {
	if s == nil || o == nil {
		return failure("SufficientCounts.Merge", errNoCounts)
	}
	if fmt.Sprint(s.Levels, len(s.Counts)) != fmt.Sprint(o.Levels, len(o.Counts)) {
		return failure("SufficientCounts.Merge", fmt.Errorf("these are counts of levels %v in %d classes, the others of %v in %d: merge those of parts of one data set", s.Levels, len(s.Counts), o.Levels, len(o.Counts)))
	}
	for k, n := range o.Counts {
		s.Counts[k] += n
		for i, m := range o.Cells[k] {
			s.Cells[k][i] += m
		}
	}
	return nil
}

// FitNaiveBayesCategorical is [FitNaiveBayesCategorical] of the rows that were added.
// Errors: those of that function; Weights are refused.
//
// Equations: PRML (4.159); Notes on part I (categorical).
func (s *SufficientCounts) FitNaiveBayesCategorical(o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	counts, err := s.filled(o.Weights)
	if err != nil {
		return nil, failure("SufficientCounts.FitNaiveBayesCategorical", err)
	}
	m := &NaiveBayesCategorical{Levels: append([]int(nil), s.Levels...)}
	if err = m.place(); err == nil {
		m, err = m.fit(wholeNumbers(s.Cells), counts, o)
	}
	if err != nil {
		return nil, failure("SufficientCounts.FitNaiveBayesCategorical", err)
	}
	return m, nil
}

// FitNaiveBayesBernoulli is [FitNaiveBayesBernoulli] of the rows that were added, all of
// whose features have two levels. Errors: those of that function, other levels; Weights
// are refused.
//
// Equations: PRML (4.81), (4.159).
func (s *SufficientCounts) FitNaiveBayesBernoulli(o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	counts, err := s.filled(o.Weights)
	if err != nil {
		return nil, failure("SufficientCounts.FitNaiveBayesBernoulli", err)
	}
	ones := make([][]float64, len(counts))
	for k := range ones {
		for i, l := range s.Levels {
			if l != 2 {
				return nil, failure("SufficientCounts.FitNaiveBayesBernoulli", fmt.Errorf("feature %d has %d levels: binary features have 2, use FitNaiveBayesCategorical", i, l))
			}
			ones[k] = append(ones[k], float64(s.Cells[k][2*i+1]))
		}
	}
	m, err := naiveBernoulliOf(ones, counts, o)
	if err != nil {
		return nil, failure("SufficientCounts.FitNaiveBayesBernoulli", err)
	}
	return m, nil
}

// filled returns N_k of at least two classes with rows.
func (s *SufficientCounts) filled(weights []float64) ([]float64, error) {
	if s == nil || len(s.Counts) == 0 {
		return nil, errNoCounts
	}
	if weights != nil {
		return nil, fmt.Errorf("option Weights has %d entries: the rows are no longer known, leave it out", len(weights))
	}
	n := wholeNumbers([][]int{s.Counts})[0]
	filled := 0
	for _, v := range n {
		if v > 0 {
			filled++
		}
	}
	if filled < 2 {
		return nil, fmt.Errorf("the %d classes have %v rows: a classifier needs rows of at least two", len(n), s.Counts)
	}
	return n, nil
}

func wholeNumbers(rows [][]int) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		for _, v := range row {
			out[i] = append(out[i], float64(v))
		}
	}
	return out
}
