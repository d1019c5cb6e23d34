package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// Solution holds the weights of each target in inner coordinates.
type Solution struct {
	W      [][]float64 // K of M
	Half   float64     // ½ Σ squares of the residuals
	Rank   *Rank
	Method string
}

// SolveLeastSquares minimises ‖Φ′w_k − t_k‖² for k targets; target writes row i. The extra rows,
// of M numbers, are appended to Φ′ and have targets 0.
//
// Equations: PRML (4.16).
func SolveLeastSquares(d *block.Design, c *Coordinates, k int, target func(i int, t []float64), extra ...[]float64) *Solution {
	n, m := d.Dims()
	if n >= max(m, summed) {
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
		left := Dot(z, z) - Dot(zp, zp) // part of z outside the column space
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

// Dot returns aᵀb, summed in the order of the entries.
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
