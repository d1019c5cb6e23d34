package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// Solution is the solution of a least-squares problem in inner coordinates (see Coordinates).
type Solution struct {
	W      [][]float64 // K vectors of M weights
	Half   float64     // half the sum of the squared residuals
	Rank   *Rank
	Method string
}

// SolveLeastSquares minimises ‖Φ′w_j − t_j‖² for each of k target vectors t_j. The function
// `target` writes the k target values of row i to t. SolveLeastSquares appends the extra rows,
// which have M values each, to Φ′. Their target values are 0.
//
// Equations: PRML (4.16).
func SolveLeastSquares(d *block.Design, c *Coordinates, k int, target func(i int, t []float64),
	extra ...[]float64) *Solution {
	n, m := d.Dims()
	if n >= max(m, sumsFromRows) {
		if s := normalEquations(d, k, target, extra...); s != nil {
			return s
		}
	}
	t := block.Reduce(d, k, func() *block.Triangle { return block.NewTriangle(m + k) },
		func(int) func(*block.Triangle, *block.Block) {
			return func(t *block.Triangle, b *block.Block) {
				for r := range b.N {
					target(b.Lo+r, b.Row(r)[m:])
				}
				t.Add(b)
			}
		}, (*block.Triangle).Merge)
	for _, e := range extra {
		t.AddRow(append(append(make([]float64, 0, m+k), e...), make([]float64, k)...))
	}
	u := Leading(t, m)
	s := &Solution{Rank: newRank(u, c), Method: "orthogonal factorisation"}
	for j := range k {
		z := make([]float64, m)
		for i := range z {
			z[i] = t.At(i, m+j)
		}
		for i := m; i <= m+j; i++ {
			s.Half += t.At(i, m+j) * t.At(i, m+j) / 2
		}
		if s.Rank == nil {
			s.W = append(s.W, u.Solve(z))
			continue
		}
		p, zp := u.Project(s.Rank.Free, z)
		// `left` is the squared length of the part of z that is orthogonal to all columns of R.
		left := Dot(z, z) - Dot(zp, zp)
		s.Half += math.Max(left, 0) / 2
		s.W = append(s.W, MulVec(s.Rank.Free, p.Solve(zp)))
	}
	return s
}

// MulVecT returns Aᵀx.
func MulVecT(a *mat.Dense, x []float64) []float64 {
	_, c := a.Dims()
	y := make([]float64, c)
	for i, v := range x {
		for j, e := range a.RawRowView(i) {
			y[j] += v * e
		}
	}
	return y
}

// Dot returns aᵀb. It adds the products in the order of the entries.
func Dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// MulVec returns Ax.
func MulVec(a *mat.Dense, x []float64) []float64 {
	r, _ := a.Dims()
	y := make([]float64, r)
	for i := range y {
		y[i] = Dot(a.RawRowView(i), x)
	}
	return y
}

// WellConditioned is a limit for the pivots of a Gram matrix that is scaled so that its diagonal
// elements are 1. If all pivots are larger, the condition number is at most about 10⁵ for the Gram
// matrix and a few hundred for Φ. With one step of refinement, the normal equations are then as
// accurate as the orthogonal factorisation, and an inverse Hessian has ten correct digits.
const WellConditioned = 1e-5

// sumsFromRows is a limit: SolveLeastSquares first tries the normal equations only if Φ has at least
// this number of rows, and at least as many rows as columns.
const sumsFromRows = 64

// Large reports whether the orthogonal factorisation of an N×M matrix takes more than about a
// hundredth of a second. If Large returns true, the fits use a Gram matrix instead, provided that
// it is well conditioned.
func Large(n, m int) bool { return n*m*m > 1<<24 }

// pivotWithoutRefinement is a limit: normalEquations omits the refinement only if no pivot is
// smaller. In this case the computation of ΦᵀΦ loses at most a few bits.
const pivotWithoutRefinement = 1e-2

// leastResidualShare decides how the sum of the squared residuals is computed. This sum is Σt² −
// wᵀΦᵀt. If the difference is at least leastResidualShare·Σt², it is accurate enough. Otherwise
// LsPass adds up the squares directly.
const leastResidualShare = 1. / 32

// Sums are the sums that LsPass computes over all rows.
type Sums struct {
	rhs  [][]float64 // K vectors Φᵀ(t − Φw) of length M
	Half float64     // half the sum of the squared residuals
}

// normalEquations solves the problem of SolveLeastSquares with the Cholesky factor of ΦᵀΦ. It
// computes ΦᵀΦ and ΦᵀT in one pass over the rows. If the solution or the sum of the squared residuals
// is not accurate enough, it computes the residuals in a second pass and corrects the solution once.
// It returns nil if Φ is not clearly well conditioned, or if a sum overflows.
func normalEquations(d *block.Design, k int, target func(i int, t []float64), extra ...[]float64) *Solution {
	_, m := d.Dims()
	g := targetGram(d, k, target)
	r, pivot := Cholesky(func(i, j int) float64 {
		v := g.At(i, j)
		for _, e := range extra {
			v += e[i] * e[j]
		}
		return v
	}, m)
	if r == nil || pivot < WellConditioned {
		return nil
	}
	s := &Solution{Method: "normal equations"}
	precise := pivot >= pivotWithoutRefinement
	for j := range k {
		rhs := make([]float64, m)
		for i := range rhs {
			rhs[i] = g.At(i, m+j)
		}
		w, size := r.Solve(r.SolveT(rhs)), g.At(m+j, m+j)
		if math.IsInf(size, 1) {
			return nil
		}
		left := size - Dot(w, rhs)
		precise = precise && left >= leastResidualShare*size
		s.W, s.Half = append(s.W, w), s.Half+left/2
	}
	if precise {
		return s
	}
	s.Method += " with refinement"
	residuals := LsPass(d, s.W, target, extra...)
	s.Half = residuals.Half
	for j, g := range residuals.rhs {
		step := r.Solve(r.SolveT(g))
		s.Half -= Dot(g, step) / 2
		for i, v := range step {
			s.W[j][i] += v
		}
		if !AllFinite(s.W[j]) {
			return nil
		}
	}
	s.Half = math.Max(s.Half, 0)
	return s
}

// targetGram returns the Gram matrix of the columns of Φ followed by the k targets.
func targetGram(d *block.Design, k int, target func(i int, t []float64)) *block.Gram {
	_, m := d.Dims()
	return block.Reduce(d, k, func() *block.Gram { return block.NewGram(m + k) },
		func(int) func(*block.Gram, *block.Block) {
			return func(g *block.Gram, b *block.Block) {
				for r := range b.N {
					target(b.Lo+r, b.Row(r)[m:])
				}
				g.Add(b)
			}
		}, (*block.Gram).Merge)
}

// LsPass computes the residuals t − Φw of all rows, including the extra rows, and returns the sums
// that the type Sums describes.
func LsPass(d *block.Design, w [][]float64, target func(i int, t []float64), extra ...[]float64) *Sums {
	_, m := d.Dims()
	k := len(w)
	sums := block.Reduce(d, 0, func() *Sums {
		s := &Sums{rhs: make([][]float64, k)}
		for j := range s.rhs {
			s.rhs[j] = make([]float64, m)
		}
		return s
	}, func(rows int) func(*Sums, *block.Block) {
		t, a := make([]float64, rows*k), make([]float64, rows)
		return func(s *Sums, b *block.Block) {
			for r := range b.N {
				target(b.Lo+r, t[r*k:(r+1)*k])
			}
			var half float64
			for j, wj := range w {
				b.Margins(wj, a)
				for r := range b.N {
					a[r] = t[r*k+j] - a[r]
					half += b.W.At(r) * a[r] * a[r] / 2
				}
				b.AddRows(s.rhs[j], a)
			}
			s.Half += half
		}
	}, func(dst, src *Sums) {
		for j, g := range src.rhs {
			for i, v := range g {
				dst.rhs[j][i] += v
			}
		}
		dst.Half += src.Half
	})
	for _, e := range extra {
		for j, wj := range w {
			a := -Dot(e, wj)
			sums.Half += a * a / 2
			for i, v := range e {
				sums.rhs[j][i] += a * v
			}
		}
	}
	return sums
}
