package block

import (
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Source reads the rows of an N×D matrix, several consecutive rows at a time.
type Source struct {
	n, d   int
	data   []float64 // the rows, if they are in memory; otherwise nil
	stride int
	view   *View      // if not nil, the view that computes the rows
	stream *Stream    // if not nil, the stream that reads the rows in order
	m      mat.Matrix // if data, view and stream are nil, the source reads this matrix with MakeRow or At

	weights Weights
}

// NewSource returns a source of the rows of m. The source reads a *mat.Dense (including a slice of a
// larger matrix) and a *mat.VecDense without a copy, and a *View row by row. For any other type it
// calls MakeRow for each row if m is a RowMaker, and otherwise At for each element. This includes
// types that embed one of the three types above, because such a type may define a different At. For
// a *View that neither selects nor changes rows, NewSource returns the source of the View itself.
func NewSource(m mat.Matrix) *Source {
	if v, ok := m.(*View); ok && v.index == nil && v.row == nil {
		return v.src
	}
	n, d := m.Dims()
	s := &Source{n: n, d: d, m: m}
	switch v := m.(type) {
	case *mat.Dense:
		raw := v.RawMatrix()
		s.data, s.stride = raw.Data, raw.Stride
	case *mat.VecDense:
		raw := v.RawVector()
		s.data, s.stride = raw.Data, raw.Inc
	case *View:
		s.view, s.weights = v, v.weights()
	}
	return s
}

// RowMaker is a matrix that computes a row only when a Source reads the row. MakeRow writes all
// numbers of row i to dst. Several goroutines may call MakeRow at the same time.
type RowMaker interface {
	MakeRow(dst []float64, i int)
}

// Dims returns the number of rows N and the number of columns D.
func (s *Source) Dims() (n, d int) { return s.n, s.d }

// Rows returns rows lo…hi−1. Row r begins at rows[(r−lo)·stride] and has D numbers. The caller must
// not change these numbers, because they may be the elements of the matrix itself. If the matrix is
// not stored in memory row by row, Rows writes the rows to buf, which must have space for (hi−lo)·D
// numbers. The rows of a Stream are an exception: they need no buf, but are valid only until the
// source is read again.
func (s *Source) Rows(lo, hi int, buf []float64) (rows []float64, stride int) {
	if s.data != nil {
		return s.data[lo*s.stride:], s.stride
	}
	if s.view != nil {
		s.view.read(lo, hi, buf)
		return buf, s.d
	}
	if s.stream != nil {
		rows, _ = s.stream.window(lo, hi)
		return rows, s.d
	}
	made, ok := s.m.(RowMaker)
	for i := lo; i < hi; i++ {
		row := buf[(i-lo)*s.d : (i-lo+1)*s.d]
		if ok {
			made.MakeRow(row, i)
			continue
		}
		for j := range row {
			row[j] = s.m.At(i, j)
		}
	}
	return buf, s.d
}

// InMemory reports whether the rows are already in memory, so that Rows needs no buffer.
func (s *Source) InMemory() bool { return s.data != nil }

// workers returns how many goroutines may read the source at the same time.
func (s *Source) workers() int {
	if s.stream != nil {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// buffer returns a buffer for Rows with space for the given number of rows, or nil if the source is
// in memory.
func (s *Source) buffer(rows int) []float64 {
	if s.InMemory() {
		return nil
	}
	return make([]float64, rows*s.d)
}

// Columns contains statistics of each column. A fit uses the statistics to choose the scale and
// shift of each column.
type Columns struct {
	Min, Max, Mean []float64 // D each
	// Centre is the mean of the column, or approximately the median if a few outliers pull the mean
	// away from all other entries. It is nil if an entry of any column is not finite.
	Centre         []float64
	BadRow, BadCol int // row and column of the first NaN or Inf in row-by-row order; −1 if all entries are finite

	src   *Source   // source of the rows; nil once the statistics are complete
	inv   float64   // factor by which each term is multiplied, so that sums cannot overflow: 1 / sum of the weights
	share []float64 // scratch memory: for each row that is being read, its weight divided by the sum of all weights
}

// Inspect returns the column statistics of s and the position of the first number that is not finite.
// It reads all rows and then, if all numbers are finite, a sample of at most 129 rows again.
func Inspect(s *Source) *Columns {
	c := walk(s.n, s.d*s.d, Rows(s.d), s.workers(), func() *Columns { return newColumns(s) },
		func() func(c *Columns, lo, hi int) {
			buf := s.buffer(Rows(s.d))
			return func(c *Columns, lo, hi int) { c.read(lo, hi, buf) }
		}, (*Columns).merge)
	c.finish()
	return c
}

func newColumns(s *Source) *Columns {
	d := s.d
	room := func() []float64 { return make([]float64, d, vec.Width(d)) }
	c := &Columns{Min: room(), Max: room(), Mean: room(), BadRow: -1, BadCol: -1, src: s, inv: 1 / s.Total()}
	for j := range c.Min {
		c.Min[j], c.Max[j] = math.Inf(1), math.Inf(-1)
	}
	return c
}

// finish completes the statistics after the last row.
func (c *Columns) finish() {
	for j := range c.Mean { // Rounding errors must not move the mean out of the range of the column.
		c.Mean[j] = math.Min(math.Max(c.Mean[j], c.Min[j]), c.Max[j])
	}
	if c.BadRow < 0 {
		c.centre(c.src)
	}
	c.src, c.share = nil, nil
}

// read adds the rows lo…hi−1 to the statistics.
func (c *Columns) read(lo, hi int, buf []float64) {
	s := c.src
	rows, stride := s.Rows(lo, hi, buf)
	c.share = slices.Grow(c.share[:0], hi-lo)
	for i := lo; i < hi; i++ {
		c.share = append(c.share, s.weights.At(i)*c.inv)
	}
	running := vec.Columns{D: s.d, Low: c.Min, High: c.Max, Sum: c.Mean}
	if finite := vec.For(hi-lo).Columns(running, rows, stride, hi-lo, c.share); finite || c.BadRow >= 0 {
		return
	}
	for i := 0; i < hi-lo && c.BadRow < 0; i++ {
		// the difference v − v is 0 except for NaN and ±Inf
		at := slices.IndexFunc(rows[i*stride:i*stride+s.d], func(v float64) bool { return v-v != 0 })
		if at >= 0 {
			c.BadRow, c.BadCol = lo+i, at
		}
	}
}

func (c *Columns) merge(o *Columns) {
	if c.BadRow < 0 {
		c.BadRow, c.BadCol = o.BadRow, o.BadCol
	}
	for j := range c.Min {
		c.Min[j] = math.Min(c.Min[j], o.Min[j])
		c.Max[j] = math.Max(c.Max[j], o.Max[j])
		c.Mean[j] += o.Mean[j]
	}
}

// View is an N×M matrix that stores no elements. It selects rows of a source. Whenever a row of the
// View is read, the View computes M numbers from the selected row. Basis functions and subsets
// of the rows therefore need no temporary N×M matrix. A Source reads a View row by row. The method
// At is slow, because it computes a whole row for one element. It is fast only if the View selects
// rows of a source in memory without changing them.
type View struct {
	src   *Source
	index []int // indices of the selected rows of src; nil selects all rows in order
	m     int
	row   func() func(phi, x []float64) // creates the function that computes a row; if nil, the rows are unchanged
}

var _ mat.Matrix = (*View)(nil)

// NewView returns the N×m matrix with the row φ(x) for each row x of s. The argument `row` creates
// a function that writes the m numbers of φ(x) to phi. The view calls `row` on several goroutines,
// each time before it reads a run of consecutive rows. Every function that `row` creates can
// therefore have its own scratch memory.
func NewView(s *Source, m int, row func() func(phi, x []float64)) *View {
	return &View{src: s, m: m, row: row}
}

// NewRowsView returns a view of rows of s. The slice `index` lists the indices of these rows, in
// the order of the view; nil means all rows. The view keeps this slice, so the caller must not
// change it.
func NewRowsView(s *Source, index []int) *View {
	_, d := s.Dims()
	return &View{src: s, index: index, m: d}
}

// Dims returns the number of rows N and the number of columns M.
func (v *View) Dims() (n, m int) {
	n, _ = v.src.Dims()
	if v.index != nil {
		n = len(v.index)
	}
	return n, v.m
}

// At returns element (i, j) of the view.
func (v *View) At(i, j int) float64 {
	if v.row == nil && v.src.InMemory() {
		x, _ := v.src.Rows(v.sourceRow(i), v.sourceRow(i)+1, nil)
		return x[j]
	}
	phi := make([]float64, v.m)
	v.read(i, i+1, phi)
	return phi[j]
}

// T returns the transpose.
func (v *View) T() mat.Matrix { return mat.Transpose{Matrix: v} }

// sourceRow returns the index of the source row from which the view computes row i.
func (v *View) sourceRow(i int) int {
	if v.index == nil {
		return i
	}
	return v.index[i]
}

// read writes the rows lo…hi−1 of the view to dst.
func (v *View) read(lo, hi int, dst []float64) {
	_, d := v.src.Dims()
	buf := v.src.buffer(1)
	f := func(phi, x []float64) { copy(phi, x) }
	if v.row != nil {
		f = v.row()
	}
	for i := lo; i < hi; i++ {
		x, _ := v.src.Rows(v.sourceRow(i), v.sourceRow(i)+1, buf)
		f(dst[(i-lo)*v.m:(i-lo+1)*v.m], x[:d])
	}
}

// Targets returns the targets of the rows lo…hi−1. It reads the targets from t, or from the source
// if t is nil.
func (s *Source) Targets(t []float64, lo, hi int) []float64 {
	if s.stream == nil || t != nil {
		return t[lo:hi]
	}
	_, t = s.stream.window(lo, hi)
	return t
}

// Labels is like Targets, but returns class labels.
func (s *Source) Labels(labels []int, lo, hi int) []int {
	if s.stream == nil || labels != nil {
		return labels[lo:hi]
	}
	_, t := s.stream.window(lo, hi)
	l := s.stream.labels[:0]
	for _, v := range t {
		l = append(l, int(v))
	}
	s.stream.labels = l
	return l
}

// EachTarget yields all targets in order, each with its row number.
func (s *Source) EachTarget(t []float64) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for i := range s.n {
			if !yield(i, s.Targets(t, i, i+1)[0]) {
				return
			}
		}
	}
}

// Spread selects about `count` of the indices 0…n−1. The selected indices form runs of consecutive
// indices. These runs are evenly spaced, and their number is `runs`.
func Spread(n, count, runs int) []int {
	long := max(count/runs, 1)
	index := make([]int, 0, runs*long)
	for r := range runs {
		lo := r * n / runs
		for i := lo; i < min(lo+long, (r+1)*n/runs); i++ {
			index = append(index, i)
		}
	}
	return index
}

// InspectSome is like Inspect, but reads only about 2048 rows: 64 evenly spaced groups of
// consecutive rows. The field BadRow of the result counts only these rows.
func InspectSome(s *Source) *Columns {
	const rows, runs = 2048, 64
	return Inspect(NewSource(NewRowsView(s, Spread(s.n, rows, runs))))
}

// SumDepth returns an upper bound on the number of additions that a term goes through in a sum over
// n rows of m columns. The bound is small, because the rows of each block are summed
// separately. The argument `size` is approximately how many numbers an accumulator holds (see
// ReduceWide).
func SumDepth(n, m, size int) int {
	rows := Rows(pad(m))
	return rows + chunkRows(n, max(size, pad(m)*pad(m)), rows)/rows + bits.Len(maxChunks)
}

// farOff decides whether Centre is the mean or the median. Centre is the median if the distance
// between mean and median exceeds farOff times the typical distance between an entry and the
// median. Otherwise Centre is the mean, and x − mean loses at most about 16 bits for a typical
// entry x.
const farOff = 1 << 16

// centre computes the field Centre from the means and from a sample of evenly spaced rows.
func (c *Columns) centre(s *Source) {
	const most = 129
	count := min(s.n, most)
	sample, buf := make([]float64, count*s.d), s.buffer(1)
	for i := range count {
		at := i * s.n / count
		row, _ := s.Rows(at, at+1, buf)
		copy(sample[i*s.d:(i+1)*s.d], row)
	}
	c.Centre = slices.Clone(c.Mean)
	v := make([]float64, count)
	for j, mean := range c.Mean {
		for i := range v {
			v[i] = sample[i*s.d+j]
		}
		if isScattered(v, c.Min[j], c.Max[j]) {
			continue
		}
		median := selectSmallest(v, count/2)
		if manyCloser(v, median, math.Abs(mean-median)/farOff) {
			c.Centre[j] = median
		}
	}
}

// isScattered is a quick test that often makes the median unnecessary: if isScattered returns true,
// manyCloser would return false for the numbers in v. isScattered divides the range low … high of
// the column into equal parts. It returns true if no two adjacent parts together contain more than a
// quarter of the numbers. The distance passed to manyCloser is at most (high−low)/farOff, so all
// numbers within this distance of the median lie in two adjacent parts.
func isScattered(v []float64, low, high float64) bool {
	var parts [64]int
	scale := float64(len(parts)-1) / (high - low)
	if !(scale > 0) || math.IsInf(scale, 1) {
		return low == high // if low equals high, all numbers are equal, so manyCloser returns false
	}
	for _, x := range v {
		parts[int((x-low)*scale)]++
	}
	before := 0
	for _, n := range parts {
		if before+n > len(v)/4 {
			return false
		}
		before = n
	}
	return true
}

// manyCloser considers the numbers in v that differ from the median. It reports whether more than a
// quarter of these numbers lie within the given distance of the median.
func manyCloser(v []float64, median, distance float64) bool {
	others, near := 0, 0
	for _, x := range v {
		if x == median {
			continue
		}
		others++
		if math.Abs(x-median) < distance {
			near++
		}
	}
	return near > others/4
}

// selectSmallest returns the number that would have index k if v were sorted in ascending order. It
// moves smaller numbers to the indices before k and larger numbers to the indices after k (Hoare's
// selection). The numbers must be finite.
func selectSmallest(v []float64, k int) float64 {
	for len(v) > 1 {
		pivot := v[len(v)/2]
		i, j := 0, len(v)-1
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			v = v[:j+1]
		case k >= i:
			v, k = v[i:], k-i
		default:
			return pivot
		}
	}
	return v[0]
}
