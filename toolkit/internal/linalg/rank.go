package linalg

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// RankTolerance is the size, relative to the largest, at which a singular value
// of the design matrix (columns centred and scaled to length 1) counts as zero.
// Rounding of dependent columns and of the factorisation stays below it.
const RankTolerance = 1e-13

// Rank describes a design matrix whose columns are linearly dependent. The
// activations fix w only up to the null space; of all such w the fits return
// the shortest, as the pseudo-inverse does (PRML 4.17).
type Rank struct {
	R         int
	Free      *mat.Dense // M×r: w′ = free·u reaches every activation once
	Null      *mat.Dense // M×(M−r), orthonormal, in the coordinates of w
	Dependent []int      // the columns of φ that take part, bias 0
}

// newRank returns nil if the columns of Φ with the given triangular factor are
// independent.
func newRank(u *Upper, c *Coordinates) *Rank {
	m := u.N
	length := make([]float64, m)
	a := mat.NewDense(m, m, nil)
	for j := range m {
		for i := 0; i <= j; i++ {
			length[j] = math.Hypot(length[j], u.At(i, j))
		}
		if length[j] == 0 {
			length[j] = 1
		}
		for i := 0; i <= j; i++ {
			a.Set(i, j, u.At(i, j)/length[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThinV) {
		return nil // not reached for finite numbers; the solvers then meet a zero pivot
	}
	sv := svd.Values(nil)
	r := 0
	for r < m && sv[r] > RankTolerance*sv[0] {
		r++
	}
	if r == m {
		return nil
	}
	var v mat.Dense
	svd.VTo(&v)
	k := &Rank{R: r}
	for i := range m {
		if mat.Norm(v.Slice(i, i+1, r, m), 2) > 1e-8 {
			k.Dependent = append(k.Dependent, i)
		}
		for j := range m {
			v.Set(i, j, v.At(i, j)/length[i])
		}
	}
	k.Free = mat.DenseCopyOf(v.Slice(0, m, 0, r))
	k.Null = orthonormal(c.Columns(mat.DenseCopyOf(v.Slice(0, m, r, m))))
	return k
}

// orthonormal returns an orthonormal basis of the columns of a.
func orthonormal(a *mat.Dense) *mat.Dense {
	m, k := a.Dims()
	for j := range k {
		col := mat.Col(nil, j, a)
		big := 0.0
		for _, v := range col {
			big = math.Max(big, math.Abs(v))
		}
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

// Shortest takes the null space out of w, in place. A nil rank leaves w alone.
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

// RankOf factorises Φ and returns its rank description, nil for full rank. When
// the Gram matrix already proves independence the factorisation is saved.
func RankOf(d *block.Design, c *Coordinates) *Rank {
	n, m := d.Dims()
	if n >= m && Large(n, m) {
		g := block.Reduce(d, 0, func() *block.Gram { return block.NewGram(m) },
			func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
		if r, pivot := Cholesky(g.At, m); r != nil && pivot > WellConditioned {
			return nil
		}
	}
	t := block.Reduce(d, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(int) func(*block.Triangle, *block.Block) { return (*block.Triangle).Add }, (*block.Triangle).Merge)
	return newRank(Leading(t, m), c)
}

// Leading copies the leading m×m part of a factor.
func Leading(t *block.Triangle, m int) *Upper {
	u := NewUpper(m)
	for i := range m {
		for j := i; j < m; j++ {
			u.Set(i, j, t.At(i, j))
		}
	}
	return u
}

// Describe names the dependent columns for a message.
func (k *Rank) Describe(cols *block.Columns) string {
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
	return fmt.Sprintf("columns of x (from 0) that are %s; w is the shortest of all equally good ones", strings.Join(s, "; "))
}
