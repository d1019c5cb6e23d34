package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// Coordinates are the inner coordinates φ′ = (1, s·x − s·c) that the fits use. From each
// column a centre c is subtracted, and the difference is multiplied by a power of two s. Units and
// offsets of the inputs therefore cost no digits. The weights w for φ and the weights w′ for φ′
// give the same activations if w = B·w′. In components, w_j = s_j w′_j and w0 = w′0 − Σ s_j c_j
// w′_j. If a vector contains the weights of several classes one after the other, B transforms the
// weights of each class separately.
type Coordinates struct {
	Scale, Shift []float64 // s and s·c
}

// largestSpread decides which columns are not centred if a prior sets the lower bounds `floor` (see
// NewCoordinates). A column is not centred if its spread exceeds largestSpread times its bound and
// its centre lies within this spread of 0. If such a column separates the classes, the loss
// decreases until the weights are very large. The rounding errors of w0 = w′0 − Σ s_j c_j w′_j could
// then end the minimisation too early.
const largestSpread = 1 << 20

// NewCoordinates chooses the coordinates from the spread of each column. If `floor` is not nil, it
// contains a lower bound on the spread for each column. This bound keeps the entries of a prior's
// root small in the inner coordinates.
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

// spreadAbout returns the largest distance between m and any number from low to high, or the largest
// float64 if this distance overflows. It halves the numbers first, because the difference of two
// finite numbers can overflow.
func spreadAbout(m, low, high float64) float64 {
	return 2 * math.Min(math.Max(high/2-m/2, m/2-low/2), math.MaxFloat64/2)
}

// Design returns the design matrix with the rows φ′ for the inputs in src.
func (c *Coordinates) Design(src *block.Source) *block.Design {
	return block.NewDesign(src, c.Scale, c.Shift)
}

// Outer converts the inner weights w′ to the weights w = B·w′ for φ.
func (c *Coordinates) Outer(in []float64) []float64 { return c.eachClass(in, c.outer) }

// largestCancellation decides how the function `outer` computes the sum w0. If the sum of the
// absolute values of the terms is at most largestCancellation·(1 + |w0|), simple summation is
// accurate enough. Otherwise `outer` computes the sum with 31 digits.
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

// Bias returns w0 = w′0 − Σ s_j c_j w′_j for one class. It computes the sum with 31 digits.
func (c *Coordinates) Bias(in []float64) Twofold {
	v := Twofold{Hi: in[0]}
	for j, s := range c.Shift {
		v = v.AddProduct(-s, in[j+1])
	}
	return v
}

// Inner converts the weights w for φ to the inner weights w′ = B⁻¹·w.
func (c *Coordinates) Inner(w []float64) []float64 {
	return c.eachClass(w, func(w, in []float64) {
		in[0] = w[0]
		for j, s := range c.Scale {
			in[j+1] = w[j+1] / s
			in[0] += c.Shift[j] * in[j+1]
		}
	})
}

// Displacement returns the difference B⁻¹·w − w′ of two vectors of inner weights, without losing
// digits.
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

// Row returns the row vector v·B. Its product with w′ is the same as the product of the row vector
// v with w.
func (c *Coordinates) Row(v []float64) []float64 {
	return c.eachClass(v, func(v, in []float64) {
		in[0] = v[0]
		for j, s := range c.Scale {
			in[j+1] = s*v[j+1] - c.Shift[j]*v[0]
		}
	})
}

// eachClass calls f once for each class. The arguments of f are the class's D+1 numbers and the
// slice for the results.
func (c *Coordinates) eachClass(from []float64, f func(from, to []float64)) []float64 {
	to := make([]float64, len(from))
	m := len(c.Scale) + 1
	for i := 0; i < len(from); i += m {
		f(from[i:i+m], to[i:i+m])
	}
	return to
}

// Columns returns B·m for a matrix m. Each column of m is a vector of inner weights w′.
func (c *Coordinates) Columns(m *mat.Dense) *mat.Dense { return c.eachColumn(m, c.outer) }

// Form converts the matrix m of a quadratic form in w′ to the matrix B⁻ᵀ·m·B⁻¹ of the same form in
// w.
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
