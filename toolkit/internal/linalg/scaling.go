package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// Coordinates are the inner coordinates φ′ = (1, s·x − s·c) in which the fits compute. Each column
// is centred at c and scaled by a power of two s, so units and offsets of the inputs cost no
// digits. Weights w of φ and w′ of φ′ give the same activations if w = B·w′. This means w_j = s_j
// w′_j and w0 = w′0 − Σ s_j c_j w′_j. For a vector with the weights of several classes, one after
// the other, B transforms each class separately.
type Coordinates struct {
	Scale, Shift []float64 // s and s·c
}

// largestSpread limits the columns that are centred. A column is centred only if the ratio of its
// spread to the unit of the prior is at most largestSpread. At a larger ratio, the loss of a
// separable column keeps falling for very large weights. The rounding errors of w0 = w′0 − Σ s_j
// c_j w′_j can end this descent too early.
const largestSpread = 1 << 20

// NewCoordinates chooses the coordinates from the spread of each column. If floor is not nil, it
// contains a lower bound of the spread for each column. The bound keeps the entries of a prior
// small.
func NewCoordinates(cols *block.Columns, floor []float64) *Coordinates {
	d := len(cols.Mean)
	c := &Coordinates{make([]float64, d), make([]float64, d)}
	for j, m := range cols.Centre {
		spread := spreadAbout(m, cols.Min[j], cols.Max[j])
		if floor != nil {
			if spread/largestSpread > floor[j] && math.Abs(m) <= spread {
				m, spread = 0, spreadAbout(0, cols.Min[j], cols.Max[j])
			}
			spread = math.Max(spread, floor[j])
		}
		e := 0
		if spread > 0 {
			_, e = math.Frexp(spread)
		}
		c.Scale[j] = math.Ldexp(1, -min(max(e, -1000), 1000))
		c.Shift[j] = m * c.Scale[j]
	}
	return c
}

// spreadAbout returns the largest distance between m and any number from low to high. It halves the
// numbers first, because the difference of two finite numbers can overflow.
func spreadAbout(m, low, high float64) float64 {
	return 2 * math.Min(math.Max(high/2-m/2, m/2-low/2), math.MaxFloat64/2)
}

// Design returns the design matrix of the rows φ′ of src.
func (c *Coordinates) Design(src *block.Source) *block.Design {
	return block.NewDesign(src, c.Scale, c.Shift)
}

// Outer converts inner weights w′ to the weights w = B·w′ of φ.
func (c *Coordinates) Outer(in []float64) []float64 { return c.eachClass(in, c.outer) }

// largestCancellation is the largest ratio of Σ|terms of w0| to 1 + |w0| at which plain summation
// is accurate enough. For a larger ratio, outer sums with 31 digits.
const largestCancellation = 1 << 20

func (c *Coordinates) outer(in, w []float64) {
	w[0] = in[0]
	size := math.Abs(in[0])
	for j, s := range c.Scale {
		w[j+1] = s * in[j+1]
		t := c.Shift[j] * in[j+1]
		w[0] -= t
		size += math.Abs(t)
	}
	if size > largestCancellation*(1+math.Abs(w[0])) {
		w[0] = c.Bias(in).Hi
	}
}

// Bias returns w0 = w′0 − Σ s_j c_j w′_j of one class, with 31 digits.
func (c *Coordinates) Bias(in []float64) Twofold {
	v := Twofold{Hi: in[0]}
	for j, s := range c.Shift {
		v = v.AddProduct(-s, in[j+1])
	}
	return v
}

// Inner converts weights w of φ to inner weights w′ = B⁻¹·w.
func (c *Coordinates) Inner(w []float64) []float64 {
	return c.eachClass(w, func(w, in []float64) {
		in[0] = w[0]
		for j, s := range c.Scale {
			in[j+1] = w[j+1] / s
			in[0] += c.Shift[j] * in[j+1]
		}
	})
}

// Displacement returns the difference B⁻¹·w − w′ of inner weights, with all digits.
func (c *Coordinates) Displacement(w, in []float64) []float64 {
	d := make([]float64, len(in))
	m := len(c.Scale) + 1
	for i := 0; i < len(in); i += m {
		bias := Twofold{Hi: w[i]}.Add(-in[i])
		for j, s := range c.Scale {
			v := w[i+j+1] / s
			d[i+j+1] = v - in[i+j+1]
			bias = bias.AddProduct(c.Shift[j], v)
		}
		d[i] = bias.Hi
	}
	return d
}

// Gradient converts a gradient g′ with respect to w′ to the gradient B⁻ᵀ·g′ with respect to w.
func (c *Coordinates) Gradient(in []float64) []float64 { return c.eachClass(in, c.gradient) }

func (c *Coordinates) gradient(in, g []float64) {
	g[0] = in[0]
	for j, s := range c.Scale {
		g[j+1] = (in[j+1] + c.Shift[j]*in[0]) / s
	}
}

// Row returns v·B, which multiplies w′, for a row vector v that multiplies w.
func (c *Coordinates) Row(v []float64) []float64 {
	return c.eachClass(v, func(v, in []float64) {
		in[0] = v[0]
		for j, s := range c.Scale {
			in[j+1] = s*v[j+1] - c.Shift[j]*v[0]
		}
	})
}

// eachClass calls f once for each class, with the D+1 entries of the class and the slice for its
// results.
func (c *Coordinates) eachClass(from []float64, f func(from, to []float64)) []float64 {
	to := make([]float64, len(from))
	m := len(c.Scale) + 1
	for i := 0; i < len(from); i += m {
		f(from[i:i+m], to[i:i+m])
	}
	return to
}

// Columns returns B·m for a matrix m with weight vectors w′ as columns.
func (c *Coordinates) Columns(m *mat.Dense) *mat.Dense { return c.eachColumn(m, c.outer) }

// Form converts the matrix m of a quadratic form in w′ to the matrix B⁻ᵀ·m·B⁻¹ of the form in w.
func (c *Coordinates) Form(m *mat.SymDense) *mat.Dense {
	half := c.eachColumn(m, c.gradient)
	return c.eachColumn(half.T(), c.gradient)
}

func (c *Coordinates) eachColumn(m mat.Matrix, f func(from, to []float64)) *mat.Dense {
	r, k := m.Dims()
	out := mat.NewDense(r, k, nil)
	class := len(c.Scale) + 1
	from, to := make([]float64, r), make([]float64, r)
	for j := range k {
		mat.Col(from, j, m)
		for i := 0; i < r; i += class {
			f(from[i:i+class], to[i:i+class])
		}
		out.SetCol(j, to)
	}
	return out
}
