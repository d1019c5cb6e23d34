package scatter

import (
	"errors"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

const (
	// scatterCentreRows is the largest number of evenly spaced rows of a class from which the
	// function `centres` computes a mean. This mean differs from the class mean by a fraction of the
	// class's spread. Sums of squares about this mean therefore lose no digits to cancellation.
	scatterCentreRows = 32
	// scatterNumbers limits the number of matrix elements in a pass that computes one scatter for
	// each class. The accumulators, of which there are at most 64, then need at most 64 MB
	// together.
	scatterNumbers = 1 << 23
)

// Plan describes a single pass over the rows for Fisher's discriminant and the Gaussian models. The
// pass computes z = s·(x − c_k). Here s is a power of two for each column, and c_k is a point in
// the middle of class k. The class means and scatters follow from the sums Σz and Σzzᵀ, without the
// loss of digits in the difference Σxxᵀ − N·mmᵀ.
type Plan struct {
	*check.Data
	k, d   int
	rows   []int     // number of rows of each class
	counts []float64 // for each class, the sum of the weights of its rows
	scale  []float64
	own    bool // whether each class has its own scatter
}

// sums contains the sums that one pass over the rows computes.
type sums struct {
	sum  []float64 // the sum Σz of each of the K classes; nil if the pass computes triangles
	gram []*block.Gram
	tri  []*block.Triangle
	cols *block.Columns // column statistics if the pass also inspected the columns; otherwise nil
}

// centres returns the points c_k, where c_k is the mean of some rows of class k. If a column is
// constant within a class, the entry of c_k for this column is exactly the constant.
func (p *Plan) centres() [][]float64 {
	c, first := make([][]float64, p.k), make([][]float64, p.k)
	skip := make([]int, p.k) // for each class, the number of rows to skip before the next sampled row
	buf := make([]float64, p.d)
	n, _ := p.Src.Dims()
	for i := range n {
		k := p.At(i, i+1)[0]
		if skip[k]--; skip[k] >= 0 {
			continue
		}
		stride := (p.rows[k] + scatterCentreRows - 1) / scatterCentreRows
		skip[k] = stride - 1
		rows, _ := p.Src.Rows(i, i+1, buf)
		if c[k] == nil {
			c[k], first[k] = slices.Clone(rows[:p.d]), slices.Clone(rows[:p.d])
			continue
		}
		n := float64((p.rows[k] + stride - 1) / stride)
		for j, v := range rows[:p.d] {
			c[k][j] += v/n - first[k][j]/n
		}
	}
	return c
}

// Shifts returns the scaled points s·c_k and the points c_k.
func (p *Plan) Shifts() (shift, centre [][]float64) {
	centre = p.centres()
	shift = make([][]float64, p.k)
	for k := range shift {
		for j, v := range centre[k] {
			shift[k] = append(shift[k], v*p.scale[j])
		}
	}
	return shift, centre
}

// sumRows makes a pass over the differences z = s·x − s·c_k. It returns Σz for every class, and Gram
// matrices Σzzᵀ: one for all rows or, if p.own is true, one for each of the classes first…last−1. If
// `triangle` is true, it returns triangular factors instead of both.
func (p *Plan) sumRows(shift [][]float64, first, last int, triangle bool) *sums {
	groups := 1
	if p.own {
		groups = last - first
	}
	ld := vec.Width(p.d + 1)
	size := ld * max(ld, p.k) // the accumulator also contains a sum for each class
	design := p.Design(shift)
	all := block.ReduceWide(design, size, func() *sums {
		s := &sums{}
		for range groups {
			if triangle {
				s.tri = append(s.tri, block.NewTriangle(p.d+1))
			} else {
				s.gram = append(s.gram, block.NewGram(p.d+1))
			}
		}
		if !triangle {
			s.sum = make([]float64, p.k*ld)
		}
		return s
	}, func(rows int) func(*sums, *block.Block) {
		var sorted *block.Block
		end := make([]int, groups)
		once := slices.Repeat([]float64{1}, rows)
		return func(s *sums, b *block.Block) {
			labels := p.At(b.Lo, b.Lo+b.N)
			if !triangle {
				w := once
				if b.W != nil {
					w = b.W
				}
				vec.For(b.N).AddByClass(s.sum, b.Z, b.N, b.LD, labels, w)
			}
			if !p.own {
				s.add(0, b)
				return
			}
			if sorted == nil {
				sorted = &block.Block{M: b.M, P: b.P, LD: b.LD, Z: make([]float64, len(b.Z))}
			}
			p.byClass(s, b, sorted, end, first)
		}
	}, func(dst, src *sums) { dst.merge(src) })
	all.cols = design.Inspected()
	return all
}

// byClass sorts the rows of the block by class, and adds the rows of each class to the accumulator
// of this class. Accumulator g is for class first+g. Rows of classes without an accumulator are
// left out.
func (p *Plan) byClass(s *sums, b, sorted *block.Block, end []int, first int) {
	labels := p.At(b.Lo, b.Lo+b.N)
	sorted.W = nil
	if b.W != nil {
		sorted.W = make(block.Weights, b.N)
	}
	clear(end)
	for _, k := range labels {
		if g := k - first; g >= 0 && g < len(end) {
			end[g]++
		}
	}
	at := 0
	for g, n := range end {
		end[g] = at
		at += n
	}
	for r, k := range labels {
		if g := k - first; g >= 0 && g < len(end) {
			copy(sorted.Z[end[g]*b.LD:(end[g]+1)*b.LD], b.Z[r*b.LD:(r+1)*b.LD])
			if b.W != nil {
				sorted.W[end[g]] = b.W[r]
			}
			end[g]++
		}
	}
	lo := 0
	for g, hi := range end {
		if hi > lo {
			run := *sorted
			run.Whole = b.N
			run.N, run.Z, run.W = hi-lo, sorted.Z[lo*b.LD:hi*b.LD], sorted.W.Run(lo, hi)
			s.add(g, &run)
		}
		lo = hi
	}
}

func (s *sums) add(g int, b *block.Block) {
	if s.tri != nil {
		s.tri[g].Add(b)
	} else {
		s.gram[g].Add(b)
	}
}

// sumOf returns Σz over the rows of class k.
func (s *sums) sumOf(k, d int) []float64 {
	ld := vec.Width(d + 1)
	return s.sum[k*ld+1:][:d]
}

func (s *sums) merge(o *sums) {
	AddTo(s.sum, o.sum)
	for g := range s.gram {
		s.gram[g].Merge(o.gram[g])
	}
	for g := range s.tri {
		s.tri[g].Merge(o.tri[g])
	}
}

// shiftBy replaces the row z with s·z − c.
func shiftBy(z, s, c []float64) {
	s, c = s[:len(z)], c[:len(z)]
	for j, v := range z {
		z[j] = v*s[j] - c[j]
	}
}

// AddTo adds v to dst.
func AddTo(dst, v []float64) {
	v = v[:len(dst)]
	for j := range dst {
		dst[j] += v[j]
	}
}

// AddTimes adds s·v to dst.
func AddTimes(dst []float64, s float64, v []float64) {
	v = v[:len(dst)]
	for j := range dst {
		dst[j] += s * v[j]
	}
}

// AllFinite reports whether v contains neither NaN nor ±Inf.
func AllFinite(v []float64) bool { return linalg.AllFinite(v) }

// roots returns the sums Σz of the classes. For each group of classes with a common scatter, it
// also returns a factor R. RᵀR is the sum of Σzzᵀ − (Σz)(Σz)ᵀ/N_k over the classes of the group. If
// the Gram matrix of a group is not clearly well conditioned, the result `sound` is false for this
// group. In this case roots makes a second pass and computes R by an orthogonal factorisation of
// the rows minus their exact class means. R may be nil for a class without rows that has its own
// scatter. roots also returns the errors of Inspected.
func (p *Plan) roots(shift [][]float64) (sum [][]float64, root []*linalg.Upper, sound []bool, err error) {
	size := p.k
	if p.own {
		ld := p.d + 4
		size = min(max(scatterNumbers/(64*ld*ld), 1), p.k)
	}
	sum = make([][]float64, p.k)
	for first := 0; first < p.k; first += size {
		last := min(first+size, p.k)
		s := p.sumRows(shift, first, last, false)
		if err := p.Inspected(s.cols); err != nil {
			return nil, nil, nil, err
		}
		for k := first; k < last; k++ {
			if p.rows[k] > 0 {
				sum[k] = s.sumOf(k, p.d)
			}
		}
		ill := false
		at := len(root)
		for g, gram := range s.gram {
			lo, hi := first, last
			if p.own {
				lo, hi = first+g, first+g+1
			}
			r, pivot := linalg.Cholesky(p.aboutMeans(gram, sum, lo, hi), p.d)
			ok := r != nil && pivot > linalg.WellConditioned
			root, sound = append(root, r), append(sound, ok)
			ill = ill || !ok && !(p.own && p.rows[lo] == 0)
		}
		if !ill {
			continue
		}
		exact := make([][]float64, p.k)
		for k := first; k < last; k++ {
			for j, v := range sum[k] {
				exact[k] = append(exact[k], shift[k][j]+v/p.counts[k])
			}
		}
		for g, t := range p.sumRows(exact, first, last, true).tri {
			if !sound[at+g] {
				// column 0 is zero in every row, so R begins at column 1 of t
				root[at+g] = linalg.UpperOf(p.d, func(i, j int) float64 { return t.At(i+1, j+1) })
			}
		}
	}
	return sum, root, sound, nil
}

// aboutMeans returns a function that computes element (i, j) of the Gram matrix of the rows of the
// classes lo…hi−1, after the mean of its class has been subtracted from each row. The function
// computes the element from g and from the sums of the classes.
func (p *Plan) aboutMeans(g *block.Gram, sum [][]float64, lo, hi int) func(i, j int) float64 {
	return func(i, j int) float64 {
		v := g.At(i+1, j+1)
		for k := lo; k < hi; k++ {
			if sum[k] != nil {
				v -= sum[k][i] * sum[k][j] / p.counts[k]
			}
		}
		return v
	}
}

// If there are many rows, a single pass both computes the sums and inspects the columns. This pass
// needs the scale of the columns at its start, so it uses the scale of a sample of the rows. Any
// power of two near the exact scale gives the same digits. The pass must be repeated only if the
// sample differs strongly from the other rows.

// nearScale is the largest allowed ratio of two scales: the scale of the sample and the scale of
// all rows. The larger of them is the numerator.
const nearScale = 1 << 8

// errScale is the error that is returned if the scale of a sample is not near the scale of all
// rows.
var errScale = errors.New("the scale of the sample differs from the scale of all rows")

// InScale calls the function `fit`. If `fit` returns errScale, InScale calls it a second time, with
// the scale of all rows (see Inspected).
func InScale(fit func() error) error {
	err := fit()
	if errors.Is(err, errScale) {
		err = fit()
	}
	return err
}

// scaleOf returns the scale of each column. If the columns have not been inspected, it computes the
// scales from a sample of the rows. If a number in the sample is not finite, scaleOf returns scales
// of 1, because the pass over all rows will report this number.
func scaleOf(in *check.Data) []float64 {
	cols := in.Cols
	if cols == nil {
		cols = block.InspectSome(in.Src)
		if cols.BadRow >= 0 {
			return slices.Repeat([]float64{1}, len(cols.Mean))
		}
	}
	return linalg.NewCoordinates(cols, nil).Scale
}

// Design returns the design with the rows (0, s·(x − c_k)). If the columns have not been inspected,
// the next pass over the rows of the design also inspects the columns.
func (p *Plan) Design(shift [][]float64) *block.Design {
	d := block.NewClassDesign(p.Src, p.scale, shift, p.Labels)
	if p.Cols == nil {
		d.Inspect()
	}
	return d
}

// Inspected stores cols, the column statistics that a pass over the rows computed. If cols is nil,
// Inspected does nothing. It returns an error if a number is not finite. It returns errScale if the
// scale of the plan is not near the scale of all rows. After this error, the next fit uses the
// scale of all rows.
func (p *Plan) Inspected(cols *block.Columns) error {
	if cols == nil {
		return nil
	}
	if err := p.Data.Inspected(cols); err != nil {
		return err
	}
	for j, s := range linalg.NewCoordinates(cols, nil).Scale {
		if r := s / p.scale[j]; r > nearScale || r < 1./nearScale {
			return errScale
		}
	}
	return nil
}
