package linalg

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// RankTolerance is the limit below which a singular value of the design matrix counts as zero,
// relative to the largest singular value. The columns of the matrix are first centred and scaled to
// length 1. If columns are dependent, some singular values should be 0. Rounding errors make these
// values positive, but they stay below the limit.
const RankTolerance = 1e-13

// Spectrum is the singular value decomposition of the triangular factor R, after the columns of R
// are scaled to length 1. The rank therefore does not depend on the units of x.
type Spectrum struct {
	Rank   int       // number of singular values that count as nonzero; 0 if Values is nil
	Values []float64 // nil if R is not finite, or if the decomposition fails
	V      mat.Dense
	Length []float64 // length of each column of R; 1 for a column of zeros
	Zero   []bool    // for each column of R, whether all its elements are zero
}

// Spectrum decomposes u.
func (u *Upper) Spectrum() *Spectrum {
	s := &Spectrum{Length: make([]float64, u.N), Zero: make([]bool, u.N)}
	a := mat.NewDense(u.N, u.N, nil)
	for j := range u.N {
		s.Length[j] = u.columnLength(j)
		if s.Length[j] == 0 {
			s.Length[j], s.Zero[j] = 1, true
		}
		for i := 0; i <= j; i++ {
			a.Set(i, j, u.At(i, j)/s.Length[j])
		}
	}
	var svd mat.SVD
	if !AllFinite(a.RawMatrix().Data) || !svd.Factorize(a, mat.SVDThinV) {
		return s
	}
	s.Values = svd.Values(nil)
	svd.VTo(&s.V)
	for s.Rank < u.N && s.Values[s.Rank] > RankTolerance*s.Values[0] {
		s.Rank++
	}
	return s
}

// Dependent reports whether column j is part of a linear dependence between columns.
func (s *Spectrum) Dependent(j int) bool {
	n := len(s.Length)
	return mat.Norm(s.V.Slice(j, j+1, s.Rank, n), 2) > 1e-8
}

// Rank describes a design matrix with linearly dependent columns. Vectors of weights w that differ
// by a vector of the null space have the same activations. Of all w with the same activations, the
// fits return the shortest, which is also the solution with the pseudo-inverse, PRML (4.16).
type Rank struct {
	R         int
	Free      *mat.Dense // M×r; exactly one vector w′ = Free·u gives the same activations as a given vector w
	Null      *mat.Dense // M×(M−r); the columns are an orthonormal basis of the null space
	Dependent []int      // indices of the linearly dependent columns of Φ; column 0 is the bias
}

// newRank returns the Rank of a matrix Φ, computed from its triangular factor u. It returns nil if
// the columns of Φ are independent, or if u has no singular value decomposition.
func newRank(u *Upper, c *Coordinates) *Rank {
	m, s := u.N, u.Spectrum()
	r, v := s.Rank, &s.V
	if s.Values == nil || r == m {
		return nil
	}
	k := &Rank{R: r}
	for i := range m {
		if s.Dependent(i) {
			k.Dependent = append(k.Dependent, i)
		}
		for j := range m {
			v.Set(i, j, v.At(i, j)/s.Length[i])
		}
	}
	k.Free = mat.DenseCopyOf(v.Slice(0, m, 0, r))
	k.Null = orthonormalBasis(c.Columns(mat.DenseCopyOf(v.Slice(0, m, r, m))))
	return k
}

// orthonormalBasis returns an orthonormal basis of the space spanned by the columns of a.
func orthonormalBasis(a *mat.Dense) *mat.Dense {
	m, k := a.Dims()
	for j := range k {
		col := mat.Col(nil, j, a)
		big := floats.Norm(col, math.Inf(1))
		for i, v := range col {
			a.Set(i, j, v/big)
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, m, 0, k))
}

// Shortest subtracts from w its projection onto the null space. It overwrites w with the result,
// and returns w. If the rank is nil, it returns w unchanged.
func (k *Rank) Shortest(w []float64) []float64 {
	if k == nil {
		return w
	}
	_, c := k.Null.Dims()
	for j := range c {
		var s float64
		for i, v := range w {
			s += v * k.Null.At(i, j)
		}
		for i := range w {
			w[i] -= s * k.Null.At(i, j)
		}
	}
	return w
}

// Embed returns the weights w′ = Free·u. If the rank is nil, it returns u.
func (k *Rank) Embed(u []float64) []float64 {
	if k == nil {
		return u
	}
	return MulVec(k.Free, u)
}

// EmbedColumns applies Embed to every column of the matrix a.
func (k *Rank) EmbedColumns(a *mat.Dense) *mat.Dense {
	if k == nil {
		return a
	}
	var f mat.Dense
	f.Mul(k.Free, a)
	return &f
}

// Restrict converts a gradient g with respect to w′ to the gradient Freeᵀ·g with respect to u. If
// the rank is nil, it returns g.
func (k *Rank) Restrict(g []float64) []float64 {
	if k == nil {
		return g
	}
	return MulVecT(k.Free, g)
}

// RankOf factorises Φ and returns its Rank, or nil if the columns are independent. If a sample of
// the rows or the Gram matrix proves that the columns are independent, RankOf does not factorise Φ.
func RankOf(d *block.Design, c *Coordinates) *Rank {
	n, m := d.Dims()
	if n >= m {
		factor := n / sampleRows(m)
		if factor > 1 && d.Source().InMemory() && independentSample(d.Source(), c, n/min(factor, 16)) {
			return nil
		}
		if r, pivot := Cholesky(GramOf(d).At, m); r != nil && pivot > WellConditioned {
			return nil
		}
	}
	t := block.Reduce(d, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(int) func(*block.Triangle, *block.Block) { return (*block.Triangle).Add }, (*block.Triangle).Merge)
	return newRank(Leading(t, m), c)
}

// sampleRows returns the smallest number of rows in a sample. If m columns are clearly independent,
// a sample of this size is usually enough to prove their independence.
func sampleRows(m int) int { return max(64, 8*m) }

// independentSample reports whether a sample of the rows proves that the columns are independent.
// In inner coordinates (see Coordinates), the absolute values of the inputs are at most 2. If all
// entries of a column in the sample are much smaller, independentSample returns false, because the
// column may have larger entries in other rows.
func independentSample(src *block.Source, c *Coordinates, rows int) bool {
	n, d := src.Dims()
	sample := block.NewSource(block.NewRowsView(src, block.Spread(n, rows, 64)))
	g := GramOf(c.Design(sample))
	for j := range d {
		if g.At(j+1, j+1) < 1e-6*4*src.Total() {
			return false
		}
	}
	r, pivot := Cholesky(g.At, d+1)
	return r != nil && pivot > WellConditioned
}

// GramOf returns ΦᵀΦ.
func GramOf(d *block.Design) *block.Gram {
	_, m := d.Dims()
	return block.Reduce(d, 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
}

// Leading returns a copy of the leading m×m part of a triangular factor.
func Leading(t *block.Triangle, m int) *Upper { return UpperOf(m, t.At) }

// Describe returns text for messages. It names the dependent columns and states which weights a
// fit returns.
func (k *Rank) Describe(cols *block.Columns) string {
	return k.Columns(cols) + "; of all equally good weight vectors, w has the smallest norm"
}

// Columns returns text for messages. The text lists the numbers of the dependent columns of x: first
// the constant columns, then the others.
func (k *Rank) Columns(cols *block.Columns) string {
	var constant, rest []string
	for _, i := range k.Dependent {
		switch {
		case i > 0 && cols.Min[i-1] == cols.Max[i-1]:
			constant = append(constant, fmt.Sprint(i-1))
		case i > 0:
			rest = append(rest, fmt.Sprint(i-1))
		}
	}
	var s []string
	if constant != nil {
		s = append(s, "constant like the bias: "+strings.Join(constant, ", "))
	}
	if rest != nil {
		s = append(s, "linearly dependent: "+strings.Join(rest, ", "))
	}
	return fmt.Sprintf("columns of x (numbered from 0) that are %s", strings.Join(s, "; "))
}
