package block

import (
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Design is the N×M design matrix Φ, where M = D+1. Its rows are φ = (1, x·scale − shift) for the
// inputs x of a Source. In a design from NewClassDesign, each row begins with 0 instead of 1 and has
// the shift of its class. A Design computes a row only when the row is read. If the scale is a power
// of two, the product x·scale is exact.
type Design struct {
	src     *Source
	packing *vec.Packing
	shifts  bool  // whether each class of rows has its own shift
	class   []int // class of each row; if nil, the classes come with the rows of src

	inspect bool // whether the next pass over the rows also computes column statistics
	columns *Columns
}

// NewDesign returns the design matrix of the inputs in s. Scale and shift have one entry per column
// of s, or both are nil.
func NewDesign(s *Source, scale, shift []float64) *Design {
	return &Design{src: s, packing: vec.NewPacking(s.d, 1, scale, shift)}
}

// Again returns a new design with the same source as d but with a different scale and shift.
func (d *Design) Again(scale, shift []float64) *Design {
	return &Design{src: d.src, packing: vec.NewPacking(d.src.d, 1, scale, shift)}
}

// NewClassDesign returns a design with rows (0, x·scale − shift_k), where k is the class of the
// row. If `class` is nil, the classes come with the rows of the source.
func NewClassDesign(s *Source, scale []float64, shift [][]float64, class []int) *Design {
	return &Design{src: s, packing: vec.NewPacking(s.d, 0, scale, shift...), shifts: true, class: class}
}

// Dims returns the number of rows N and the number of columns M = D+1.
func (d *Design) Dims() (n, m int) {
	n, k := d.src.Dims()
	return n, k + 1
}

// Source returns the source of the inputs, before scaling and shifting.
func (d *Design) Source() *Source { return d.src }

// Block contains N consecutive rows of a design matrix in one slice Z. Row r is Z[r·LD … r·LD+P−1].
// Its first M numbers are the row φ. The numbers of the extra columns follow; they are zero until
// set. The columns P … LD−1 are always zero.
type Block struct {
	Lo, N    int     // the block contains rows Lo … Lo+N−1
	W        Weights // weights of rows Lo … Lo+N−1
	M, P, LD int
	Z        []float64
	Whole    int // if this block is a part of a larger block, the number of rows of the larger block; otherwise 0

	raw        []float64
	class      []int
	w          []float64 // copy of the argument w of Margins, padded with zeros to LD numbers
	weighted   []float64 // buffer of AddRows, which contains g_r times the weight of row r
	ahead      []float64 // if the source is in memory, its next rows after this block, at most N
	prefetched bool      // whether Gram.Add has already prefetched the rows in the field `ahead`
	scratch    [3][]float64
}

// pad rounds p up to a multiple of the width that the Gram kernel has on processors without vector
// instructions. The number of rows in a block, and therefore the number of chunks, then does not
// depend on the kernel.
func pad(p int) int { return (p + 3) &^ 3 }

// spareBlocks contains blocks that finished passes no longer need. Later passes over any design
// reuse them.
var spareBlocks sync.Pool

// newBlock returns a block for rows of d with the given number of extra columns. It reuses a block
// from spareBlocks if possible. A reused block needs no clearing, because each load sets all
// columns.
func (d *Design) newBlock(extra int) *Block {
	_, m := d.Dims()
	b, ok := spareBlocks.Get().(*Block)
	if !ok {
		b = &Block{class: noClass[:]}
	}
	b.M, b.P, b.LD = m, m+extra, vec.Width(m+extra)
	rows := d.maxBlockRows(b.P)
	b.Z = resize(b.Z, rows*b.LD+vec.Pad)[:rows*b.LD] // vector instructions may read beyond the last row
	b.w = resize(b.w, b.LD)
	clear(b.w)
	if !d.src.InMemory() {
		b.raw = resize(b.raw, rows*d.src.d)
	}
	return b
}

// release puts b into spareBlocks. It first removes the references to rows and weights, so that b
// does not keep them in memory.
func (b *Block) release() {
	b.W, b.ahead, b.Whole, b.prefetched = nil, nil, 0, false
	spareBlocks.Put(b)
}

// resize returns a slice of n numbers. It uses the memory of v if the capacity of v suffices.
func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// maxBlockRows returns the largest number of rows in a block with p columns.
func (d *Design) maxBlockRows(p int) int { return min(Rows(pad(p)), d.src.n) }

// noClass assigns class 0 to every row, for designs in which all rows have the same shift.
var noClass [maxRows]int

// load computes the rows lo…hi−1 of the design d and writes them to b.
func (b *Block) load(d *Design, lo, hi int) {
	b.Lo, b.N, b.W = lo, hi-lo, d.src.weights.Run(lo, hi)
	rows, stride := d.src.Rows(lo, hi, b.raw)
	class := b.class
	if d.shifts {
		class = d.src.Labels(d.class, lo, hi)
	}
	vec.For(b.N).Affine(b.Z, b.LD, rows, stride, b.N, d.packing, class, !b.prefetched)
	b.prefetched, b.ahead = false, nil
	if d.src.InMemory() {
		b.ahead = rows[min(b.N*stride, len(rows)):min(2*b.N*stride, len(rows))]
	}
}

// Margins writes the activations wᵀφ_r of all rows r to the slice a, which must have at least N
// entries.
func (b *Block) Margins(w, a []float64) {
	copy(b.w, w[:b.M])
	vec.Use().Margins(a, b.Z, b.N, b.LD, b.M, b.w)
}

// AddRows adds Σ_r W_r g_r φ_r to dst, a vector of M entries. W_r is the weight of row r. If g_r is
// the derivative of row r's loss with respect to the row's activation, this sum is the gradient of
// the loss.
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

// ScaleRows multiplies the M columns of φ in each row r by s_r. Afterwards the values of the extra
// columns are undefined until they are set again.
func (b *Block) ScaleRows(s []float64) { vec.For(b.N).Scale(b.Z, b.LD, b.Z, b.LD, b.M, b.N, s) }

// Scratch returns scratch buffer i, for i = 0, 1 or 2. The buffer has N numbers. Scratch does not
// clear it.
func (b *Block) Scratch(i int) []float64 {
	b.scratch[i] = resize(b.scratch[i], b.N)
	return b.scratch[i]
}

// Set writes v to extra column j of row r.
func (b *Block) Set(r, j int, v float64) { b.Z[r*b.LD+b.M+j] = v }

// Row returns the P numbers of row r.
func (b *Block) Row(r int) []float64 { return b.Z[r*b.LD : r*b.LD+b.P] }

// NewRows returns an empty block with p columns and space for the given number of rows. The method
// Append adds rows to it. Such a block can be added to a Gram or a Triangle with p columns.
func NewRows(p, rows int) *Block {
	b := &Block{M: p, P: p, LD: vec.Width(p)}
	b.Z = make([]float64, rows*b.LD)
	return b
}

// Append adds a row of zeros to the block and returns the P numbers of this row. The block must not
// be full; see Full.
func (b *Block) Append() []float64 {
	z := b.Z[b.N*b.LD : (b.N+1)*b.LD]
	clear(z)
	b.N++
	return z[:b.P]
}

// Full reports whether the block has no room for another row.
func (b *Block) Full() bool { return (b.N+1)*b.LD > len(b.Z) }

// Reset removes all rows.
func (b *Block) Reset() { b.N = 0 }

// Scaled writes the M columns of φ from src to b, with each row r multiplied by s_r. It also copies
// the weights of the rows. NewRows must have created b with space for all rows of src.
func (b *Block) Scaled(src *Block, s []float64) {
	b.N, b.W = src.N, src.W
	vec.For(b.N).Scale(b.Z, b.LD, src.Z, src.LD, b.M, src.N, s)
}

// Reduce divides the rows of d into blocks. It calls a function, the body, with each block and an
// accumulator. It returns the merged accumulator (see Walk). The blocks have the given number of
// extra columns, and the body may overwrite a block. Reduce calls newBody once per goroutine, so
// that each body can have its own scratch memory. The argument of newBody is the largest number of
// rows in a block.
func Reduce[A any](d *Design, extra int, newAcc func() A, newBody func(rows int) func(acc A, b *Block),
	merge func(dst, src A)) A {
	_, m := d.Dims()
	return reduce(d, extra, pad(m+extra)*pad(m+extra), newAcc, newBody, merge)
}

// ReduceWide is like Reduce, but without extra columns and for accumulators that are larger than a
// Gram matrix of the rows. The argument `size` is the approximate count of numbers in an
// accumulator. The limit for the memory of all accumulators together is the same as in Reduce.
func ReduceWide[A any](d *Design, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block),
	merge func(dst, src A)) A {
	return reduce(d, 0, size, newAcc, newBody, merge)
}

// Inspect requests that the next pass over the rows also computes statistics of the source's
// columns. The source must be in memory.
func (d *Design) Inspect() { d.inspect = true }

// Inspected returns the column statistics from the last pass for which Inspect had requested them, or
// nil if there was no such pass.
func (d *Design) Inspected() *Columns { return d.columns }

// reduce calls reduceRows. If Inspect has requested the statistics of the columns for this pass,
// reduce also computes them.
func reduce[A any](d *Design, extra, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block),
	merge func(dst, src A)) A {
	if !d.inspect {
		return reduceRows(d, extra, size, newAcc, newBody, merge)
	}
	type both struct {
		acc  A
		cols *Columns
	}
	s := reduceRows(d, extra, size, func() *both { return &both{newAcc(), newColumns(d.src)} },
		func(rows int) func(*both, *Block) {
			body := newBody(rows)
			return func(s *both, b *Block) {
				s.cols.read(b.Lo, b.Lo+b.N, nil)
				body(s.acc, b)
			}
		}, func(dst, src *both) {
			dst.cols.merge(src.cols)
			merge(dst.acc, src.acc)
		})
	d.inspect, d.columns = false, s.cols
	s.cols.finish()
	return s.acc
}

func reduceRows[A any](d *Design, extra, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block),
	merge func(dst, src A)) A {
	n, m := d.Dims()
	rows := Rows(pad(m + extra))
	if n <= chunkRows(n, size, rows) { // a single chunk needs no goroutine and no merging
		b, body, acc := d.newBlock(extra), newBody(d.maxBlockRows(m+extra)), newAcc()
		for lo := 0; lo < n; lo += rows {
			b.load(d, lo, min(lo+rows, n))
			body(acc, b)
		}
		b.release()
		return acc
	}
	var mu sync.Mutex
	var used []*Block
	defer func() {
		for _, b := range used {
			b.release()
		}
	}()
	return walk(n, size, rows, d.src.workers(), newAcc, func() func(A, int, int) {
		b := d.newBlock(extra)
		mu.Lock()
		used = append(used, b)
		mu.Unlock()
		body := newBody(d.maxBlockRows(m + extra))
		return func(acc A, lo, hi int) {
			b.load(d, lo, hi)
			body(acc, b)
		}
	}, merge)
}

// Nothing is the argument newAcc of a pass over the rows that accumulates nothing. It returns an empty
// accumulator.
func Nothing() struct{} { return struct{}{} }
