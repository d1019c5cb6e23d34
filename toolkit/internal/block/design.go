package block

import (
	"slices"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Design is the N×M design matrix Φ, M = D+1, with rows φ = (1, x·Scale − Shift)
// made on the fly. A power of two as scale makes the product exact.
type Design struct {
	src     *Source
	packing *vec.Packing
	shifts  bool  // one for each class of rows
	class   []int // of each row; nil: the rows bring theirs

	mu    sync.Mutex
	spare []*Block // of the last pass
}

// NewDesign returns the design matrix of s. Scale and shift have one entry per
// column of s, or are both nil.
func NewDesign(s *Source, scale, shift []float64) *Design {
	return &Design{src: s, packing: vec.NewPacking(s.d, 1, scale, shift)}
}

// NewClassDesign returns the rows (0, x·scale − shift_k), with the shift of the class
// of each row, which nil says that the rows bring.
func NewClassDesign(s *Source, scale []float64, shift [][]float64, class []int) *Design {
	return &Design{src: s, packing: vec.NewPacking(s.d, 0, scale, shift...), shifts: true, class: class}
}

// Dims returns the number of rows N and of weights M = D+1.
func (d *Design) Dims() (n, m int) {
	n, k := d.src.Dims()
	return n, k + 1
}

// Source returns the inputs as they are.
func (d *Design) Source() *Source { return d.src }

// Block is a run of rows of a design matrix, packed: row r of N is
// Z[r·LD … r·LD+P−1], first the M columns of φ, then the extra columns, zero
// until set. The columns from P to LD are zero and stay so.
type Block struct {
	Lo, N    int     // the block holds rows Lo … Lo+N−1
	W        Weights // of these rows
	M, P, LD int
	Z        []float64
	Whole    int // rows of the block that these are a part of; 0: they are none

	raw      []float64
	class    []int
	w        []float64 // weights, padded
	weighted []float64 // g_r by the weight of the row
}

// pad rounds up to the width of the plain Gram kernel. The rows of a block and the
// number of chunks follow from it on every path.
func pad(p int) int { return (p + 3) &^ 3 }

// block returns a spare block, or a new one.
func (d *Design) block(extra int) *Block {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, b := range d.spare {
		if b.P == b.M+extra {
			d.spare = slices.Delete(d.spare, i, i+1)
			return b
		}
	}
	return newBlock(d, extra)
}

// keep keeps the blocks of a pass for the next one.
func (d *Design) keep(blocks []*Block) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spare = blocks
}

func newBlock(d *Design, extra int) *Block {
	_, m := d.Dims()
	b := &Block{M: m, P: m + extra, LD: vec.Width(m + extra), class: noClass[:]}
	rows := Rows(pad(m + extra))
	b.Z = make([]float64, rows*b.LD+vec.Pad)[:rows*b.LD] // a vector may reach over the last row
	b.w = make([]float64, b.LD)
	b.raw = d.src.buffer(rows)
	return b
}

// noClass are the classes of rows that all have the same shift.
var noClass [maxRows]int

// load packs rows lo…hi−1.
func (b *Block) load(d *Design, lo, hi int) {
	b.Lo, b.N, b.W = lo, hi-lo, d.src.weights.Run(lo, hi)
	rows, stride := d.src.Rows(lo, hi, b.raw)
	class := b.class
	if d.shifts {
		class = d.src.Labels(d.class, lo, hi)
	}
	vec.For(b.N).Affine(b.Z, b.LD, rows, stride, b.N, d.packing, class)
}

// Margins writes the activations wᵀφ_r to a, of at least N entries.
func (b *Block) Margins(w, a []float64) {
	copy(b.w, w[:b.M])
	vec.Use().Margins(a, b.Z, b.N, b.LD, b.M, b.w)
}

// AddRows adds Σ_r g_r φ_r, each row as often as its weight says, to dst, of M
// entries: a gradient.
func (b *Block) AddRows(dst, g []float64) {
	if b.W != nil {
		b.weighted = append(b.weighted[:0], g[:b.N]...)
		for r := range b.weighted {
			b.weighted[r] *= b.W[r]
		}
		g = b.weighted
	}
	vec.For(b.N).AddRows(dst[:b.M], b.Z, b.N, b.LD, g)
}

// ScaleRows multiplies the M columns of φ in row r by s_r. The extra columns are
// undefined afterwards, until set.
func (b *Block) ScaleRows(s []float64) { vec.For(b.N).Scale(b.Z, b.LD, b.Z, b.LD, b.M, b.N, s) }

// SetColumn writes v to extra column j, counted from 0.
func (b *Block) SetColumn(j int, v []float64) {
	for r := 0; r < b.N; r++ {
		b.Z[r*b.LD+b.M+j] = v[r]
	}
}

// Set writes v to extra column j of row r.
func (b *Block) Set(r, j int, v float64) { b.Z[r*b.LD+b.M+j] = v }

// Row returns the P numbers of row r.
func (b *Block) Row(r int) []float64 { return b.Z[r*b.LD : r*b.LD+b.P] }

// NewRows returns an empty block of p columns for up to rows rows, to be filled
// with Append and added to an accumulator of p columns.
func NewRows(p, rows int) *Block {
	b := &Block{M: p, P: p, LD: vec.Width(p)}
	b.Z = make([]float64, rows*b.LD)
	return b
}

// Append makes room for one more row, of zeros, and returns its P numbers. The
// block must have room: see Full.
func (b *Block) Append() []float64 {
	z := b.Z[b.N*b.LD : (b.N+1)*b.LD]
	clear(z)
	b.N++
	return z[:b.P]
}

// Full reports whether Append has no room left.
func (b *Block) Full() bool { return (b.N+1)*b.LD > len(b.Z) }

// Reset takes all rows out.
func (b *Block) Reset() { b.N = 0 }

// Scaled writes the M columns of φ of src, row r multiplied by s_r, to b, which
// NewRows made for as many rows; their weights come along.
func (b *Block) Scaled(src *Block, s []float64) {
	b.N, b.W = src.N, src.W
	vec.For(b.N).Scale(b.Z, b.LD, src.Z, src.LD, b.M, src.N, s)
}

// Reduce walks all rows of d, packed with the given number of extra columns,
// and returns the merged accumulator (see Walk). newBody is called once per
// goroutine, for its scratch memory, with the rows that a block holds at most.
// The body may overwrite the block.
func Reduce[A any](d *Design, extra int, newAcc func() A, newBody func(rows int) func(acc A, b *Block), merge func(dst, src A)) A {
	_, m := d.Dims()
	return reduce(d, extra, pad(m+extra)*pad(m+extra), newAcc, newBody, merge)
}

// ReduceWide is Reduce for accumulators that are larger than a Gram matrix of
// the row: of about size numbers each. It keeps the memory of all accumulators
// together within the same bound.
func ReduceWide[A any](d *Design, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block), merge func(dst, src A)) A {
	return reduce(d, 0, size, newAcc, newBody, merge)
}

func reduce[A any](d *Design, extra, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block), merge func(dst, src A)) A {
	n, m := d.Dims()
	rows := Rows(pad(m + extra))
	var mu sync.Mutex
	var used []*Block
	defer func() { d.keep(used) }()
	return walk(n, size, rows, d.src.workers(), newAcc, func() func(A, int, int) {
		b := d.block(extra)
		mu.Lock()
		used = append(used, b)
		mu.Unlock()
		body := newBody(rows)
		return func(acc A, lo, hi int) {
			b.load(d, lo, hi)
			body(acc, b)
		}
	}, merge)
}

// Nothing is the accumulator of a walk that has none.
func Nothing() struct{} { return struct{}{} }
