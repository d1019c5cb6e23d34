package block

// ReduceWide is Reduce for accumulators that are larger than a Gram matrix of
// the row: of about size numbers each. It keeps the memory of all accumulators
// together within the same bound.
func ReduceWide[A any](d *Design, size int, newAcc func() A, newBody func(rows int) func(acc A, b *Block), merge func(dst, src A)) A {
	n, m := d.Dims()
	rows := Rows(pad(m))
	return walk(n, size, rows, newAcc, func() func(A, int, int) {
		b := newBlock(d, 0)
		body := newBody(rows)
		return func(acc A, lo, hi int) {
			b.load(d, lo, hi)
			body(acc, b)
		}
	}, merge)
}

// NewRows returns an empty block of p columns for up to rows rows, to be filled
// with Append and added to an accumulator of p columns.
func NewRows(p, rows int) *Block {
	b := &Block{M: p, P: p, LD: pad(p)}
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
	for r := range src.N {
		v := s[r]
		to := b.Z[r*b.LD:][:b.M]
		from := src.Z[r*src.LD:][:len(to)]
		for j, x := range from {
			to[j] = v * x
		}
	}
}

// AddAt adds s·o to g with the element (0,0) of o at (i, j) of g, where the
// square lies on the diagonal (i = j) or wholly above it.
func (g *Gram) AddAt(i, j int, s float64, o *Gram) {
	for u := range o.p {
		first := 0
		if i == j {
			first = u
		}
		for v := first; v < o.p; v++ {
			g.g[(i+u)*g.ld+j+v] += s * o.At(u, v)
		}
	}
}
