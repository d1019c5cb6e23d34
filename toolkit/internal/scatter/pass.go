package scatter

import (
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

const (
	// scatterCentreRows is the number of rows, spread over a class, whose mean is the shift of its
	// sums. Their mean differs from the true one by a fraction of the class's spread, so that the
	// shifted squares do not cancel.
	scatterCentreRows = 32
	// scatterNumbers bounds the matrices of a pass over classes with a scatter
	// of their own: 64 MB in the at most 64 accumulators together.
	scatterNumbers = 1 << 23
)

// Plan is the single pass of Fisher's discriminant and the Gaussian models, with z = s·(x − c_k).
// Here s is a power of two per column, and c_k a point in the middle of class k. The sums Σz and
// Σzzᵀ give class means and scatters without the cancellation of Σxxᵀ − N·mmᵀ.
type Plan struct {
	*check.Labelled
	k, d   int
	rows   []int     // of each class
	counts []float64 // the sum of the weights of each class
	scale  []float64
	own    bool // each class has a scatter of its own
}

// sums are the sums of one pass.
type sums struct {
	sum  []float64 // K packed rows of Σz, nil for triangles
	gram []*block.Gram
	tri  []*block.Triangle
	cols *block.Columns // statistics of the columns if the pass inspected them, or nil
}

// centres returns c_k, the mean of some rows of each class. A column that is
// constant within a class gives exactly that constant.
func (p *Plan) centres() [][]float64 {
	c, first := make([][]float64, p.k), make([][]float64, p.k)
	skip := make([]int, p.k) // rows of the class until the next one taken
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

// Shifts returns s·c_k and c_k.
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

// pass sums over the rows of classes first…last−1, with shift s·c_k, as Gram matrices or as
// triangles (then without Σz).
func (p *Plan) pass(shift [][]float64, first, last int, triangle bool) *sums {
	groups := 1
	if p.own {
		groups = last - first
	}
	ld := vec.Width(p.d + 1)
	size := ld * max(ld, p.k) // including a sum for each class
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

// byClass adds the rows of each class to its own accumulator, after sorting the
// block's rows by class.
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

// of returns Σz of class k.
func (s *sums) of(k, d int) []float64 {
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

// shiftBy replaces a row x by s·x − c, in place.
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

// AllFinite reports whether no number is NaN or infinite.
func AllFinite(v []float64) bool { return linalg.AllFinite(v) }
