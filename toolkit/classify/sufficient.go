package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// SufficientMoments are the sufficient statistics of labelled inputs for Gaussian class densities
// and for least squares: the number N_k of rows, the mean and the scatter of each class, PRML
// (4.75)–(4.80). Call Add for every row, in a single pass. Merge combines the moments of the parts
// of a data set into the moments of the whole data set. The parts may be on several machines, which
// send their moments with Save.
//
// A fit to the moments equals the fit to the rows up to rounding. Relative to the spread of a
// column, the rounding error is about 1e-14, even if the column is far from 0. If the same rows are
// added and the same parts are merged in the same order, the results have the same bits.
//
// For each class SufficientMoments stores the triangular factor R of an orthogonal factorisation of
// the rows (1, x − c), where c is the first row of the class. RᵀR contains the sums of products of
// the columns. R has twice as many accurate digits as these sums.
//
// Equations: PRML (4.71)–(4.80); Alpaydin (10.2).
type SufficientMoments struct {
	Counts []int // N_k, K entries

	d       int
	origin  [][]float64    // origin c of each class; nil for a class without rows
	factor  []*mat.Dense   // factor R of each class, (D+1)×(D+1); nil while the class has no rows or all are pending
	pending []*block.Block // rows of each class that have not yet been added to the factor R
}

// momentRows is the number of rows of a class that are added to its factor at a time.
const momentRows = 256

// NewSufficientMoments returns empty moments, for inputs of d columns in k classes. Errors: d below
// 1, k below 2, sizes that need more than a gigabyte.
func NewSufficientMoments(d, k int) (*SufficientMoments, error) {
	if d < 1 || k < 2 || float64(k)*float64(d+momentRows)*float64(d) > 1<<27 {
		return nil, failure("NewSufficientMoments",
			fmt.Errorf("%d columns and %d classes: want at least 1 column and 2 classes, and statistics of at most 1 GB", d, k))
	}
	return &SufficientMoments{Counts: make([]int, k), d: d, origin: make([][]float64, k),
		factor: make([]*mat.Dense, k)}, nil
}

// Add adds an input x of D numbers with the class label 0…K−1. Errors: a wrong length, NaN or Inf, a
// number whose difference from the first row of the class overflows, an invalid label. After an error
// the statistics are unchanged.
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
		return fmt.Errorf("the label is %d: with %d classes it must be one of 0…%d", label, len(s.Counts), len(s.Counts)-1)
	case len(x) != s.d:
		return fmt.Errorf("x has %d numbers: these statistics have %d columns", len(x), s.d)
	}
	for j, v := range x {
		if c := s.origin[label]; v-v != 0 || c != nil && math.IsInf(v-c[j], 0) {
			return fmt.Errorf("x[%d] is %v: want a finite number with a finite difference from the first row of the class", j, v)
		}
	}
	return nil
}

var errNoMoments = errors.New("there are no statistics: make them with NewSufficientMoments")

// factorise adds the pending rows of a class to its factor.
func (s *SufficientMoments) factorise(k int) {
	if s.pending == nil || s.pending[k] == nil || s.pending[k].N == 0 {
		return
	}
	t := triangleOf(s.factor[k], s.d+1)
	t.Add(s.pending[k])
	s.pending[k].Reset()
	s.factor[k] = factorOf(t, s.d+1)
}

// withoutPending returns a copy of the statistics in which the pending rows have been added to the
// factors. It does not modify s, so several goroutines may call it at the same time.
func (s *SufficientMoments) withoutPending() *SufficientMoments {
	c := *s
	c.pending = slices.Clone(s.pending)
	c.factor = slices.Clone(s.factor) // c and s can share a factor, because no code modifies a factor in place
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

// triangleOf returns a p×p triangle that contains the rows of r, or an empty triangle if r is nil.
func triangleOf(r *mat.Dense, p int) *block.Triangle {
	t := block.NewTriangle(p)
	if r != nil {
		for i := range p {
			t.AddRow(r.RawRowView(i))
		}
	}
	return t
}

// factorOf returns a copy of t with the sign of each row chosen so that the diagonal is non-negative.
func factorOf(t *block.Triangle, p int) *mat.Dense {
	r := mat.NewDense(p, p, nil)
	for i := range p {
		sign := math.Copysign(1, t.At(i, i))
		for j := i; j < p; j++ {
			r.Set(i, j, sign*t.At(i, j)+0) // adding 0 converts −0 to 0
		}
	}
	return r
}

// Merge adds the rows of o to s and leaves o unchanged. Errors: o is nil, or has a different number
// of columns or classes.
func (s *SufficientMoments) Merge(o *SufficientMoments) error {
	if s == nil || o == nil {
		return failure("SufficientMoments.Merge", errNoMoments)
	}
	if s.d != o.d || len(s.Counts) != len(o.Counts) {
		return failure("SufficientMoments.Merge",
			fmt.Errorf("the statistics have %d columns and %d classes, but the statistics to merge have %d and %d: merge only statistics of parts of the same data set", s.d, len(s.Counts), o.d, len(o.Counts)))
	}
	merged, o := s.withoutPending(), o.withoutPending()
	s.factor, s.pending = merged.factor, nil
	for k, n := range o.Counts {
		switch {
		case n == 0:
			continue
		case s.Counts[k] == 0:
			// s and o can share the origin and the factor, because no code modifies them in place.
			s.origin[k], s.factor[k] = o.origin[k], o.factor[k]
		default:
			moved := mat.DenseCopyOf(o.factor[k])
			for j, c := range o.origin[k] { // a change of the origin changes only the first row of R
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

// open calls `fit` with constructed inputs instead of the rows. For each class with rows it
// constructs 2·D inputs, mean ± √(D/N_k)·r, where r is a row of the factor of the scatter. Each
// input has the weight N_k/(2·D). The constructed inputs have the same means, scatters and sums of
// weights as the data. A fit that depends only on these statistics therefore gives the same model.
// The origin of one class is subtracted from all inputs, so the inputs are accurate even if columns
// are far from 0.
func (s *SufficientMoments) open(d requirements, fit func(*check.Data) error) error {
	switch {
	case len(s.Counts) == 0:
		return errNoMoments
	case !d.moments:
		return errors.New("this fit needs the rows, not only their moments: use InMemory, NewRows or, for naive Bayes with discrete features, NewSufficientCounts")
	case d.weights != nil:
		return errNoSingleRows(len(d.weights))
	}
	s = s.withoutPending()
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
		weights[len(weights)-1] += rest // correct the last weight so that the weights sum to n
	}
	if filled < 2 {
		return errOneClass(s.Counts)
	}
	if !linalg.AllFinite(data) {
		return errors.New("the sums over the rows are outside the range of float64: choose other units for x")
	}
	points := InMemory{X: mat.NewDense(len(labels), s.d, data), Labels: labels, K: len(s.Counts)}
	in, err := points.checkedData(requirements{weights: weights, labels: true})
	if err != nil {
		return err
	}
	in.Origin = origin
	return fit(in)
}

var _ = codec.Register(codec.Kind[SufficientMoments]{Schema: "hyperplane-sufficient-moments/1",
	Valid: (*SufficientMoments).checkSizes, Fields: func(s *SufficientMoments) []codec.Field {
		return []codec.Field{{Name: "columns", Value: &s.d}, {Name: "origin", Value: &s.origin},
			{Name: "factor", Value: &s.factor}}
	}})

func (s *SufficientMoments) checkSizes() error {
	z := sizeChecker{}
	k := len(s.Counts)
	if k < 2 || s.d < 1 {
		z.say("%d columns and %d classes: want at least 1 column and 2 classes", s.d, k)
	}
	z.requireLength("origin", len(s.origin), k)
	z.requireLength("factor", len(s.factor), k)
	for c, n := range s.Counts {
		switch {
		case z.err != nil:
		case n < 0:
			z.say("counts[%d] is %d: it must be at least 0", c, n)
		case n == 0:
			s.origin[c], s.factor[c] = nil, nil
		default:
			z.requireLength("origin", len(s.origin[c]), s.d)
			z.requireMatrix("factor", s.factor[c], s.d+1, s.d+1)
			if z.err == nil && !(math.Abs(s.factor[c].At(0, 0)-math.Sqrt(float64(n))) <= 1e-9*math.Sqrt(float64(n))) {
				z.say("factor[%d] begins with %v: want √%d, the square root of the number of rows", c, s.factor[c].At(0, 0), n)
			}
		}
	}
	return z.err
}

func errNoSingleRows(weights int) error {
	return weightsError(fmt.Sprintf("option Weights has %d entries, but the statistics do not contain single rows: leave Weights out", weights))
}

func errOneClass(counts []int) error {
	return fmt.Errorf("the %d classes have %v rows: a classifier needs rows of at least two classes", len(counts), counts)
}

// SufficientCounts are the sufficient statistics of labelled inputs for naive Bayes with discrete
// features: the number N_kij of rows of class k with value j in feature i. Call Add for every row,
// in a single pass. Merge combines the counts of the parts of a data set, in any order, into
// exactly the counts of the whole data set. The parts may be on several machines, which send their
// counts with Save.
//
// Equations: PRML (4.81); Notes on part I (categorical).
type SufficientCounts struct {
	Levels []int   // L_i, the number of values of each feature, D entries
	Counts []int   // N_k, K entries
	Cells  [][]int // counts N_kij, K rows of ΣL_i entries, feature after feature
}

// NewSufficientCounts returns counts of 0, for k classes and inputs with the values 0…levels[i]−1
// in column i. Binary features have 2 levels. Errors: no levels, an entry of `levels` below 1, k
// below 2, sizes that need more than a gigabyte.
func NewSufficientCounts(levels []int, k int) (*SufficientCounts, error) {
	s := &SufficientCounts{Levels: append([]int(nil), levels...)}
	m := &NaiveBayesCategorical{Levels: s.Levels}
	if err := m.setStarts(); err != nil {
		return nil, failure("NewSufficientCounts", err)
	}
	cells := m.start[len(levels)] - 1
	if len(levels) == 0 || k < 2 || float64(cells)*float64(k) > 1<<27 {
		return nil, failure("NewSufficientCounts",
			fmt.Errorf("%d columns with %d values in total and %d classes: want at least 1 column and 2 classes, and counts of at most 1 GB", len(levels), cells, k))
	}
	s.Counts, s.Cells = make([]int, k), make([][]int, k)
	for c := range s.Cells {
		s.Cells[c] = make([]int, cells)
	}
	return s, nil
}

// Add adds an input x of D values with the class label 0…K−1. Errors: a wrong length, a number that
// is not a level of its feature, an invalid label. After an error the counts are unchanged.
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
		return fmt.Errorf("the label is %d: with %d classes it must be one of 0…%d", label, len(s.Counts), len(s.Counts)-1)
	case len(x) != len(s.Levels):
		return fmt.Errorf("x has %d numbers: these counts have %d columns", len(x), len(s.Levels))
	}
	for i, v := range x {
		if !(v >= 0 && v < float64(s.Levels[i]) && v == math.Trunc(v)) {
			return fmt.Errorf("x[%d] is %v: the values of this feature are numbered 0…%d", i, v, s.Levels[i]-1)
		}
	}
	return nil
}

var errNoCounts = errors.New("there are no counts: make them with NewSufficientCounts")

// Merge adds the rows of o to s and leaves o unchanged. Errors: o is nil, or has different levels
// or a different number of classes.
func (s *SufficientCounts) Merge(o *SufficientCounts) error {
	if s == nil || o == nil {
		return failure("SufficientCounts.Merge", errNoCounts)
	}
	if fmt.Sprint(s.Levels, len(s.Counts)) != fmt.Sprint(o.Levels, len(o.Counts)) {
		return failure("SufficientCounts.Merge",
			fmt.Errorf("the counts have levels %v and %d classes, but the counts to merge have %v and %d: merge only counts of parts of the same data set", s.Levels, len(s.Counts), o.Levels, len(o.Counts)))
	}
	for k, n := range o.Counts {
		s.Counts[k] += n
		for i, m := range o.Cells[k] {
			s.Cells[k][i] += m
		}
	}
	return nil
}

func (s *SufficientCounts) open(d requirements, fit func(*check.Data) error) error {
	switch {
	case len(s.Counts) == 0:
		return errNoCounts
	case !d.counts:
		return errors.New("this fit needs more than the counts of single features: use InMemory, NewRows or, for Gaussian densities and least squares, NewSufficientMoments")
	case d.weights != nil:
		return errNoSingleRows(len(d.weights))
	}
	filled := 0
	for _, n := range s.Counts {
		if n > 0 {
			filled++
		}
	}
	if filled < 2 {
		return errOneClass(s.Counts)
	}
	return fit(&check.Data{K: len(s.Counts), Rows: s.Counts, Levels: s.Levels, Cells: s.Cells})
}

var _ = codec.Register(codec.Kind[SufficientCounts]{Schema: "hyperplane-sufficient-counts/1",
	Valid: (*SufficientCounts).checkSizes})

func (s *SufficientCounts) checkSizes() error {
	z := sizeChecker{}
	if _, err := NewSufficientCounts(s.Levels, len(s.Counts)); err != nil {
		return err
	}
	z.requireLength("cells", len(s.Cells), len(s.Counts))
	for k := 0; k < len(s.Counts) && z.err == nil; k++ {
		at := 0
		for i, l := range s.Levels {
			sum := 0
			for j := at; j < at+l && j < len(s.Cells[k]); j++ {
				sum += s.Cells[k][j]
				if s.Cells[k][j] < 0 {
					z.say("cells[%d][%d] is %d: it must be at least 0", k, j, s.Cells[k][j])
				}
			}
			if at += l; sum != s.Counts[k] {
				z.say("the counts of the values of feature %d add up to %d rows of class %d, want %d", i, sum, k, s.Counts[k])
			}
		}
		z.requireLength("a row of cells", len(s.Cells[k]), at)
	}
	return z.err
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

// LogisticSums contains the sums over rows that Newton's method for logistic regression needs for
// one step from weights w: the error (4.90), its gradient (4.91) and its Hessian (4.97),
//
//	E = −Σ_n {t_n ln y_n + (1−t_n) ln(1−y_n)},  ∇E = Σ_n (y_n−t_n)φ_n,  H = Σ_n y_n(1−y_n)φ_nφ_nᵀ.
//
// Merge combines the sums of the parts of a data set into the sums of the whole data set. The parts
// may be on several machines, which send their sums with Save. One machine merges the sums, calls
// Step and sends the new weights. If the same rows are added and the same parts are merged in the
// same order, the results have the same bits.
//
// Equations: PRML (4.90), (4.91), (4.97).
type LogisticSums struct {
	W []float64 // the weights, bias first, D+1 entries
	N int       // number of rows added

	e        float64
	gradient []float64
	hessian  *mat.SymDense
	x, t     []float64 // rows that are not yet included in the sums
}

// logisticRows is the number of rows that are added to the sums at a time.
const logisticRows = 256

// NewLogisticSums returns sums without rows, for the weights w, bias first. Errors: fewer than two
// weights, NaN or Inf.
func NewLogisticSums(w []float64) (*LogisticSums, error) {
	if len(w) < 2 {
		return nil, failure("NewLogisticSums", fmt.Errorf("w has %d entries: want one entry for the bias and one for each column", len(w)))
	}
	if err := check.Vector("w", w, len(w), "one entry for the bias and one for each column"); err != nil {
		return nil, failure("NewLogisticSums", err)
	}
	return &LogisticSums{W: append([]float64(nil), w...), gradient: make([]float64, len(w)),
		hessian: mat.NewSymDense(len(w), nil)}, nil
}

// Add adds an input x of D numbers with a target t in [0,1]. t = 1 means C₁. Errors: an x of the
// wrong length, NaN or Inf, a target outside [0,1]. After an error the sums are unchanged.
func (s *LogisticSums) Add(x []float64, t float64) error {
	if err := s.accepts(x, t); err != nil {
		return failure("LogisticSums.Add", err)
	}
	s.x, s.t = append(s.x, x...), append(s.t, t)
	s.N++
	if len(s.t) == logisticRows {
		s.includePending()
	}
	return nil
}

func (s *LogisticSums) accepts(x []float64, t float64) error {
	if s == nil || s.hessian == nil {
		return errNoLogisticSums
	}
	if err := check.Vector("x", x, len(s.W)-1, "one number for each weight except the bias"); err != nil {
		return err
	}
	return check.Targets([]float64{t}, 1)
}

var errNoLogisticSums = errors.New("there are no sums: make them with NewLogisticSums")

// includePending adds the pending rows to the sums.
func (s *LogisticSums) includePending() {
	n := len(s.t)
	if n == 0 {
		return
	}
	src := block.NewSource(mat.NewDense(n, len(s.x)/n, s.x))
	ev := glm.New(block.NewDesign(src, nil, nil), s.t, glm.CrossEntropy{}).Evaluate(s.W, glm.WithGram)
	s.take(ev.E, ev.Grad, ev.Gram.Sym(len(s.W)))
	s.x, s.t = s.x[:0], s.t[:0]
}

// withoutPending returns a copy of s in which the pending rows are included in the sums. It does
// not change s, so several goroutines may call it at the same time.
func (s *LogisticSums) withoutPending() *LogisticSums {
	c := *s
	c.gradient, c.hessian = slices.Clone(s.gradient), mat.NewSymDense(len(s.W), nil)
	c.hessian.CopySym(s.hessian)
	c.includePending()
	return &c
}

func (s *LogisticSums) take(e float64, gradient []float64, hessian *mat.SymDense) {
	s.e += e
	floats.Add(s.gradient, gradient)
	s.hessian.AddSym(s.hessian, hessian)
}

// Merge adds the rows of o to s and leaves o unchanged. Errors: o is nil or has different weights.
func (s *LogisticSums) Merge(o *LogisticSums) error {
	if s == nil || o == nil || s.hessian == nil || o.hessian == nil {
		return failure("LogisticSums.Merge", errNoLogisticSums)
	}
	if !floats.Equal(s.W, o.W) {
		return failure("LogisticSums.Merge", errors.New("the sums to merge were computed at different weights W: merge only sums of the same pass"))
	}
	o = o.withoutPending()
	s.includePending()
	s.take(o.e, o.gradient, o.hessian)
	s.N += o.N
	return nil
}

// Sums returns E, ∇E (D+1 entries) and H, (D+1)×(D+1), over all rows added so far. If s is nil or the
// zero value of LogisticSums, the results are 0, nil and nil.
//
// Equations: PRML (4.90), (4.91), (4.97).
func (s *LogisticSums) Sums() (e float64, gradient []float64, hessian *mat.SymDense) {
	if s == nil || s.hessian == nil {
		return 0, nil, nil
	}
	s = s.withoutPending()
	return s.e, s.gradient, s.hessian
}

// Step returns the weights w − H⁻¹∇E after a Newton step (4.92), and the length √(∇EᵀH⁻¹∇E) of the
// step in standard errors of w. ∇E and H include the prior; a nil prior means maximum likelihood.
// If the length is below about 1e-8 and the weights hardly change, the weights are the optimum. For
// separable classes, the length also falls, but w grows without bound.
//
// Errors: no rows, an invalid prior, and a Hessian that is singular in double precision, for
// example because of dependent columns or weights far from the optimum.
//
// Equations: PRML (4.92), (4.143).
func (s *LogisticSums) Step(prior Prior) (w []float64, length float64, err error) {
	e, g, h := s.Sums()
	if h == nil || s.N == 0 {
		return nil, 0, failure("LogisticSums.Step", errors.New("there are no rows: call Add or Merge first"))
	}
	p, err := resolvePrior(prior, len(g))
	if err != nil {
		return nil, 0, failure("LogisticSums.Step", err)
	}
	p.AddGradient(g, s.W)
	p.AddPrecision(h)
	r, _ := linalg.Cholesky(h.At, len(g))
	if r == nil || !r.Regular() || math.IsNaN(e) {
		return nil, 0, failure("LogisticSums.Step",
			errors.New("the Hessian is singular in double precision: look for dependent columns or separable classes, begin at w = 0, or give a Prior"))
	}
	z := r.SolveT(g)
	return floats.AddScaledTo(make([]float64, len(g)), s.W, -1, r.Solve(z)), floats.Norm(z, 2), nil
}

var _ = codec.Register(codec.Kind[LogisticSums]{Schema: "hyperplane-logistic-sums/1", Valid: (*LogisticSums).checkSizes,
	Fields: func(s *LogisticSums) []codec.Field {
		return []codec.Field{{Name: "e", Value: &s.e}, {Name: "gradient", Value: &s.gradient},
			{Name: "hessian", Value: &s.hessian}}
	}})

func (s *LogisticSums) checkSizes() error {
	z := sizeChecker{}
	z.checkWeights("w", len(s.W))
	z.requireLength("gradient", len(s.gradient), len(s.W))
	if z.requireMatrix("hessian", s.hessian, len(s.W), len(s.W)); s.N < 0 {
		z.say("n is %d: it must be at least 0", s.N)
	}
	return z.err
}
