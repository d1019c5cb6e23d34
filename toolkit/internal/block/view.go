package block

import "gonum.org/v1/gonum/mat"

// View is an N×M matrix whose rows are made when they are read: chosen rows of a
// source, each taken through a function. It holds no numbers of its own, so that
// basis functions and subsets of the rows cost no N×M temporary. A Source reads
// it by rows; At makes a whole row for one element.
type View struct {
	src   *Source
	index []int // which rows; nil: all in turn
	m     int
	row   func() func(phi, x []float64) // nil: the rows as they are
}

var _ mat.Matrix = (*View)(nil)

// NewView returns the rows of s as an N×m matrix. row makes the function that
// writes φ(x), of m numbers, for a row x; it is called once for each run of rows,
// on several goroutines, and its function may keep scratch memory.
func NewView(s *Source, m int, row func() func(phi, x []float64)) *View {
	return &View{src: s, m: m, row: row}
}

// NewRowsView returns the rows of s with the given indices, in their order. The
// slice is kept.
func NewRowsView(s *Source, index []int) *View {
	_, d := s.Dims()
	return &View{src: s, index: index, m: d}
}

// Dims returns N and M.
func (v *View) Dims() (n, m int) {
	n, _ = v.src.Dims()
	if v.index != nil {
		n = len(v.index)
	}
	return n, v.m
}

// At returns element (i, j).
func (v *View) At(i, j int) float64 {
	if v.row == nil && v.src.InMemory() {
		x, _ := v.src.Rows(v.at(i), v.at(i)+1, nil)
		return x[j]
	}
	phi := make([]float64, v.m)
	v.read(i, i+1, phi)
	return phi[j]
}

// T returns the transpose.
func (v *View) T() mat.Matrix { return mat.Transpose{Matrix: v} }

// at returns the row of the source that is row i.
func (v *View) at(i int) int {
	if v.index == nil {
		return i
	}
	return v.index[i]
}

// read writes rows lo…hi−1 to dst.
func (v *View) read(lo, hi int, dst []float64) {
	_, d := v.src.Dims()
	var buf []float64
	if !v.src.InMemory() {
		buf = make([]float64, d)
	}
	f := func(phi, x []float64) { copy(phi, x) }
	if v.row != nil {
		f = v.row()
	}
	for i := lo; i < hi; i++ {
		x, _ := v.src.Rows(v.at(i), v.at(i)+1, buf)
		f(dst[(i-lo)*v.m:(i-lo+1)*v.m], x[:d])
	}
}
