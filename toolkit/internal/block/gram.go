package block

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Gram accumulates G += ZᵀZ, P×P and symmetric, of blocks with P columns.
// With rows scaled by √r it is the weighted Gram matrix ΦᵀRΦ of PRML (4.97).
type Gram struct {
	p, ld int
	g     []float64 // tiles on and above the diagonal
}

// NewGram returns a zero Gram matrix of p columns.
func NewGram(p int) *Gram {
	ld := vec.Width(p)
	return &Gram{p, ld, make([]float64, ld*ld)}
}

// Add adds ZᵀZ of the block, each row as often as its weight says; the weights go
// into the block's contents.
func (g *Gram) Add(b *Block) {
	b.weigh()
	vec.For(b.N).Gram(g.g, b.Z, b.N, g.ld)
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
