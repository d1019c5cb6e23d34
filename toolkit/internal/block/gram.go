package block

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Gram adds up the symmetric P×P matrices ZᵀZ of blocks Z with P columns. If each row of Z is a row
// φ of Φ times the square root of its weight, the sum is the weighted Gram matrix ΦᵀRΦ of PRML
// (4.97). Here R is the diagonal matrix of the weights.
type Gram struct {
	p, ld int
	g     []float64 // rows of ld numbers; only the elements on and above the diagonal are valid
}

// NewGram returns a p×p Gram matrix of zeros.
func NewGram(p int) *Gram {
	ld := vec.Width(p)
	return &Gram{p, ld, Numbers(ld * ld)}
}

// spentMemory keeps the memory of accumulators that are no longer needed. A pass needs one
// accumulator for each chunk. The next pass needs as many accumulators, and can reuse the memory.
var spentMemory sync.Pool

// Release keeps the memory of an accumulator that is no longer needed, so that the function Numbers can
// reuse this memory.
func Release(v []float64) { spentMemory.Put(&v) }

// Numbers returns n zeros for an accumulator. If possible, it reuses memory that was passed to
// Release.
func Numbers(n int) []float64 {
	v, ok := spentMemory.Get().(*[]float64)
	if !ok || cap(*v) < n {
		return make([]float64, n)
	}
	clear((*v)[:n])
	return (*v)[:n]
}

// Add adds ZᵀZ to G, where Z is the block. It first multiplies each row of the block by the square
// root of the row's weight.
func (g *Gram) Add(b *Block) {
	b.scaleByWeights()
	vec.For(max(b.N, b.Whole)).Gram(g.g, b.Z, b.N, g.ld, g.p, b.ahead)
	b.prefetched = true
}

// Merge adds o to g. Afterwards o must not be used.
func (g *Gram) Merge(o *Gram) {
	for i, v := range o.g {
		g.g[i] += v
	}
	o.Release()
}

// At returns element (i, j) of G.
func (g *Gram) At(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return g.g[i*g.ld+j]
}

// Sym returns the leading n×n part of G.
func (g *Gram) Sym(n int) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	g.SymTo(s)
	return s
}

// SymTo writes the leading n×n part of G into s, which has the size n×n.
func (g *Gram) SymTo(s *mat.SymDense) {
	n := s.SymmetricDim()
	for i := 0; i < n; i++ {
		for j := i; j < n; j++ {
			s.SetSym(i, j, g.g[i*g.ld+j])
		}
	}
}

// Release lets other accumulators reuse the memory of g.
func (g *Gram) Release() {
	Release(g.g)
	*g = Gram{}
}

// AddPacked adds s·A to g. A is a symmetric n×n matrix. Its element (0,0) is added to element (i,
// j) of g. The slice `a` contains the rows of A one after the other, where each row begins with its
// diagonal element. The part of g to which A is added must lie on the diagonal of g (i = j) or
// entirely above it.
func (g *Gram) AddPacked(i, j, n int, s float64, a []float64) {
	for u := range n {
		for v := u; v < n; v++ {
			x := s * a[v-u]
			g.g[(i+u)*g.ld+j+v] += x
			if u != v && i != j {
				g.g[(i+v)*g.ld+j+u] += x
			}
		}
		a = a[n-u:]
	}
}
