package block

import "gonum.org/v1/gonum/mat"

// Gram accumulates G += ZᵀZ, P×P and symmetric, of blocks with P columns.
// With rows scaled by √r it is the weighted Gram matrix ΦᵀRΦ of PRML (4.97).
type Gram struct {
	p, ld int
	g     []float64 // tiles on and above the diagonal
}

// NewGram returns a zero Gram matrix of p columns.
func NewGram(p int) *Gram {
	ld := pad(p)
	return &Gram{p, ld, make([]float64, ld*ld)}
}

// Add adds ZᵀZ of the block, each row as often as its weight says; the weights go
// into the block's contents.
func (g *Gram) Add(b *Block) {
	b.weigh()
	gramTiles(g.g, b.Z, b.N, g.ld)
}

// Merge adds o to g.
func (g *Gram) Merge(o *Gram) {
	for i, v := range o.g {
		g.g[i] += v
	}
}

// At returns element (i, j).
func (g *Gram) At(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return g.g[i*g.ld+j]
}

// Sym returns the leading n×n part.
func (g *Gram) Sym(n int) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := 0; i < n; i++ {
		for j := i; j < n; j++ {
			s.SetSym(i, j, g.g[i*g.ld+j])
		}
	}
	return s
}

// gramTiles adds ZᵀZ of n rows of length ld to the tiles of 2×4 on and above
// the diagonal. Eight sums and six operands fit the sixteen registers that
// compiled Go can use; a 4×4 tile spills and is slower.
func gramTiles(g, z []float64, n, ld int) {
	for i := 0; i < ld; i += 2 {
		for j := i &^ 3; j < ld; j += 4 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			zi, zj := z[i:], z[j:]
			off := 0
			for r := 0; r < n; r++ {
				u := zi[off : off+2 : off+2]
				v := zj[off : off+4 : off+4]
				off += ld
				x, y := u[0], u[1]
				a0 += x * v[0]
				b0 += y * v[0]
				a1 += x * v[1]
				b1 += y * v[1]
				a2 += x * v[2]
				b2 += y * v[2]
				a3 += x * v[3]
				b3 += y * v[3]
			}
			p := g[i*ld+j : i*ld+j+4 : i*ld+j+4]
			p[0] += a0
			p[1] += a1
			p[2] += a2
			p[3] += a3
			q := g[(i+1)*ld+j : (i+1)*ld+j+4 : (i+1)*ld+j+4]
			q[0] += b0
			q[1] += b1
			q[2] += b2
			q[3] += b3
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
