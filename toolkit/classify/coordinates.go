package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// coordinates are those in which fits are computed: φ′ = (1, s·x − s·c), each
// column centred at c and scaled by a power of two s, so that units and offsets
// of the inputs cost no digits. Weights w of φ and w′ of φ′ give the same
// activations: w = B·w′ with w_j = s_j w′_j and w0 = w′0 − Σ s_j c_j w′_j.
type coordinates struct {
	scale, shift []float64 // s and s·c
}

// newCoordinates chooses them from the spread of each column; floor, if not nil,
// is the least spread per column (a prior needs its own unit to be small too).
func newCoordinates(cols *block.Columns, floor []float64) *coordinates {
	d := len(cols.Mean)
	c := &coordinates{make([]float64, d), make([]float64, d)}
	for j, m := range cols.Mean {
		// Halved, because the difference of two finite numbers may overflow.
		spread := 2 * math.Min(math.Max(cols.Max[j]/2-m/2, m/2-cols.Min[j]/2), math.MaxFloat64/2)
		if floor != nil {
			spread = math.Max(spread, floor[j])
		}
		e := 0
		if spread > 0 {
			_, e = math.Frexp(spread)
		}
		c.scale[j] = math.Ldexp(1, -min(max(e, -1000), 1000))
		c.shift[j] = m * c.scale[j]
	}
	return c
}

func (c *coordinates) design(src *block.Source) *block.Design {
	return block.NewDesign(src, c.scale, c.shift)
}

// outer returns w = B·w′.
func (c *coordinates) outer(in []float64) []float64 {
	w := make([]float64, len(in))
	w[0] = in[0]
	for j, s := range c.scale {
		w[j+1] = s * in[j+1]
		w[0] -= c.shift[j] * in[j+1]
	}
	return w
}

// inner returns w′ = B⁻¹·w.
func (c *coordinates) inner(w []float64) []float64 {
	in := make([]float64, len(w))
	in[0] = w[0]
	for j, s := range c.scale {
		in[j+1] = w[j+1] / s
		in[0] += c.shift[j] * in[j+1]
	}
	return in
}

// gradient returns the gradient in w from that in w′: B⁻ᵀ·g′.
func (c *coordinates) gradient(in []float64) []float64 {
	g := make([]float64, len(in))
	g[0] = in[0]
	for j, s := range c.scale {
		g[j+1] = (in[j+1] + c.shift[j]*in[0]) / s
	}
	return g
}

// row returns v·B for a row vector v that multiplies w.
func (c *coordinates) row(v []float64) []float64 {
	in := make([]float64, len(v))
	in[0] = v[0]
	for j, s := range c.scale {
		in[j+1] = s*v[j+1] - c.shift[j]*v[0]
	}
	return in
}

// columns returns B·m for a matrix whose columns are weight vectors w′.
func (c *coordinates) columns(m *mat.Dense) *mat.Dense {
	r, k := m.Dims()
	out := mat.NewDense(r, k, nil)
	for j := range k {
		out.SetCol(j, c.outer(mat.Col(nil, j, m)))
	}
	return out
}
