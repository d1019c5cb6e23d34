package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// SufficientMoments are the sufficient statistics of labelled inputs for Gaussian class
// densities and for least squares: the rows N_k, the mean and the scatter of each class,
// PRML (4.75)–(4.80). They are made in one pass, row by row, and those of the parts of a
// data set merge to those of the whole: the parts may be of several machines, which send
// them as JSON or gob. Fits of them are those of the rows, but for rounding, about 1e-14
// of the spread of a column, however far from 0 it lies; the same parts, added and merged in
// the same order, give the same bits.
//
// For each class they hold the triangular factor R of an orthogonal factorisation of the
// rows (1, x − c), c the first row of the class: RᵀR are the sums of the products, with
// twice the digits that these would have.
//
// Equations: PRML (4.71)–(4.80); Alpaydin (10.2).
type SufficientMoments struct {
	Counts []int // N_k, K entries

	d       int
	origin  [][]float64    // c of each class; nil without rows
	factor  []*mat.Dense   // R of each class, D+1 square; nil without rows
	pending []*block.Block // rows not yet in factor
}

// momentRows is how many rows of a class are factorised in one go.
const momentRows = 256

// NewSufficientMoments returns those of no rows, for inputs of d columns in k classes.
// Errors: d below 1, k below 2, sizes that fill more than a gigabyte.
func NewSufficientMoments(d, k int) (*SufficientMoments, error) {
	if d < 1 || k < 2 || float64(k)*float64(d+momentRows)*float64(d) > 1<<27 {
		return nil, failure("NewSufficientMoments", fmt.Errorf("there are %d columns and %d classes: needed are at least 1 and 2, and no more than memory holds", d, k))
	}
	return &SufficientMoments{Counts: make([]int, k), d: d, origin: make([][]float64, k), factor: make([]*mat.Dense, k)}, nil
}

// Add adds an input x of D numbers of the class label, 0…K−1. Errors: another length,
// NaN or Inf, another label; the statistics are then unchanged.
func (s *SufficientMoments) Add(x []float64, label int) error {
	if err := s.accepts(x, label); err != nil {
		return failure("SufficientMoments.Add", err)
	}
	if s.Counts[label] == 0 {
		s.origin[label] = append([]float64(nil), x...)
	}
	if s.pending == nil {
		s.pending = make([]*block.Block, len(s.Counts))
	}
	b := s.pending[label]
	if b == nil {
		b = block.NewRows(s.d+1, momentRows)
		s.pending[label] = b
	}
	row := b.Append()
	row[0] = 1
	for j, v := range x {
		row[j+1] = v - s.origin[label][j]
	}
	s.Counts[label]++
	if b.Full() {
		s.factorise(label)
	}
	return nil
}

func (s *SufficientMoments) accepts(x []float64, label int) error {
	switch {
	case s == nil || len(s.Counts) == 0:
		return errNoMoments
	case label < 0 || label >= len(s.Counts):
		return fmt.Errorf("the label is %d: with %d classes the labels are 0…%d", label, len(s.Counts), len(s.Counts)-1)
	case len(x) != s.d:
		return fmt.Errorf("x has %d numbers: these statistics are of %d columns", len(x), s.d)
	}
	for j, v := range x {
		if c := s.origin[label]; v-v != 0 || c != nil && math.IsInf(v-c[j], 0) {
			return fmt.Errorf("x[%d] is %v: it must be a finite number, not too far from the others", j, v)
		}
	}
	return nil
}

var errNoMoments = errors.New("there are no statistics: make them with NewSufficientMoments")

// factorise takes the pending rows of a class into its factor.
func (s *SufficientMoments) factorise(k int) {
	if s.pending == nil || s.pending[k] == nil || s.pending[k].N == 0 {
		return
	}
	t := triangleOf(s.factor[k], s.d+1)
	t.Add(s.pending[k])
	s.pending[k].Reset()
	s.factor[k] = factorOf(t, s.d+1)
}

// completed returns the same statistics without pending rows. It changes nothing, so that
// several goroutines may read the same statistics.
func (s *SufficientMoments) completed() *SufficientMoments {
	c := *s
	c.pending = slices.Clone(s.pending)
	c.factor = slices.Clone(s.factor) // no factor is ever changed in place
	for k, b := range c.pending {
		if b != nil {
			own := *b
			own.Z = slices.Clone(b.Z)
			c.pending[k] = &own
		}
		c.factorise(k)
	}
	return &c
}

// triangleOf is the factor of the rows of r, which may be nil.
func triangleOf(r *mat.Dense, p int) *block.Triangle {
	t := block.NewTriangle(p)
	if r != nil {
		for i := range p {
			t.AddRow(r.RawRowView(i))
		}
	}
	return t
}

// factorOf copies a factor; its diagonal is not negative.
func factorOf(t *block.Triangle, p int) *mat.Dense {
	r := mat.NewDense(p, p, nil)
	for i := range p {
		sign := math.Copysign(1, t.At(i, i))
		for j := i; j < p; j++ {
			r.Set(i, j, sign*t.At(i, j)+0) // no −0
		}
	}
	return r
}

// Merge adds the rows of o, which stays as it is. Errors: nil, and other numbers of
// columns or classes.
func (s *SufficientMoments) Merge(o *SufficientMoments) error {
	if s == nil || o == nil {
		return failure("SufficientMoments.Merge", errNoMoments)
	}
	if s.d != o.d || len(s.Counts) != len(o.Counts) {
		return failure("SufficientMoments.Merge", fmt.Errorf("these are statistics of %d columns and %d classes, the others of %d and %d: merge those of parts of one data set", s.d, len(s.Counts), o.d, len(o.Counts)))
	}
	own, o := s.completed(), o.completed()
	s.factor, s.pending = own.factor, nil
	for k, n := range o.Counts {
		switch {
		case n == 0:
			continue
		case s.Counts[k] == 0:
			s.origin[k], s.factor[k] = o.origin[k], o.factor[k] // neither is ever changed in place
		default:
			moved := mat.DenseCopyOf(o.factor[k])
			for j, c := range o.origin[k] { // (1, x−c) to (1, x−c′): only the row of the sums changes
				moved.Set(0, j+1, moved.At(0, j+1)+moved.At(0, 0)*(c-s.origin[k][j]))
			}
			t := triangleOf(s.factor[k], s.d+1)
			t.Merge(triangleOf(moved, s.d+1))
			s.factor[k] = factorOf(t, s.d+1)
		}
		s.Counts[k] += n
	}
	return nil
}

// points returns 2D inputs for each class with rows, mean ± √(D/N_k)·r for the rows r of
// the factor of the scatter, with weights N_k/2D: rows with the same sums of weights, means
// and scatters, to which a fit that knows the data by these alone gives the same model. They
// are differences to a row, so that columns far from 0 cost no digits.
func (s *SufficientMoments) points(given []float64) (*check.Labelled, error) {
	switch {
	case s == nil || len(s.Counts) == 0:
		return nil, errNoMoments
	case given != nil:
		return nil, fmt.Errorf("option Weights has %d entries: the rows are no longer known, leave it out", len(given))
	}
	s = s.completed()
	var data, weights, origin []float64
	var labels []int
	filled := 0
	for k, n := range s.Counts {
		if n == 0 {
			continue
		}
		if filled++; origin == nil {
			origin = s.origin[k]
		}
		r, rest := s.factor[k], float64(n)
		for i := range s.d {
			for _, sign := range []float64{1, -1} {
				for j, c := range s.origin[k] {
					mean := r.At(0, j+1) / r.At(0, 0)
					data = append(data, (c-origin[j])+(mean+sign*math.Sqrt(float64(s.d)/float64(n))*r.At(i+1, j+1)))
				}
				labels = append(labels, k)
				weights = append(weights, float64(n)/float64(2*s.d))
				rest -= weights[len(weights)-1]
			}
		}
		weights[len(weights)-1] += rest // so that their sum is n
	}
	if filled < 2 {
		return nil, fmt.Errorf("the %d classes have %v rows: a classifier needs rows of at least two", len(s.Counts), s.Counts)
	}
	if !linalg.AllFinite(data) {
		return nil, errors.New("the rows leave the range of float64: choose other units for x")
	}
	in, err := newLabelled(mat.NewDense(len(labels), s.d, data), labels, len(s.Counts), weights)
	if err != nil {
		return nil, err
	}
	in.Origin = origin
	return in, nil
}

// fitMoments fits to the points.
func fitMoments[M any](s *SufficientMoments, function string, given []float64, fit func(in *check.Labelled) (*M, error)) (*M, error) {
	in, err := s.points(given)
	if err != nil {
		return nil, failure("SufficientMoments."+function, err)
	}
	m, err := fit(in)
	if err != nil {
		return nil, failure("SufficientMoments."+function, err)
	}
	return m, nil
}
