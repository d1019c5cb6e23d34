package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// lsSolution holds the weights of each target in inner coordinates.
type lsSolution struct {
	w      [][]float64 // K of M
	half   float64     // ½ Σ squares of the residuals
	rank   *rank
	method string
}

// solveLeastSquares minimises ‖Φ′w_k − t_k‖² for k targets; target writes row i.
// The extra rows, of M numbers, follow those of Φ′ and have targets 0.
func solveLeastSquares(d *block.Design, c *coordinates, k int, target func(i int, t []float64), extra ...[]float64) *lsSolution {
	n, m := d.Dims()
	if n >= m && large(n, m) {
		if s := normalEquations(d, k, target, extra...); s != nil {
			return s
		}
	}
	t := block.Reduce(d, k, func() *block.Triangle { return block.NewTriangle(m + k) },
		func(int) func(*block.Triangle, *block.Block) {
			row := make([]float64, k)
			return func(t *block.Triangle, b *block.Block) {
				for r := range b.N {
					target(b.Lo+r, row)
					copy(b.Row(r)[m:], row)
				}
				t.Add(b)
			}
		}, (*block.Triangle).Merge)
	for _, e := range extra {
		t.AddRow(append(append(make([]float64, 0, m+k), e...), make([]float64, k)...))
	}
	u := leading(t, m)
	s := &lsSolution{rank: newRank(u, c), method: "orthogonal factorisation"}
	for j := range k {
		z := make([]float64, m)
		for i := range z {
			z[i] = t.At(i, m+j)
		}
		for i := m; i <= m+j; i++ {
			s.half += t.At(i, m+j) * t.At(i, m+j) / 2
		}
		if s.rank == nil {
			s.w = append(s.w, u.solve(z))
			continue
		}
		p, zp := u.project(s.rank.free, z)
		left := dot(z, z) - dot(zp, zp) // part of z outside the column space
		s.half += math.Max(left, 0) / 2
		s.w = append(s.w, mulVec(s.rank.free, p.solve(zp)))
	}
	return s
}

func mulVecT(a *mat.Dense, x []float64) []float64 {
	_, c := a.Dims()
	y := make([]float64, c)
	for i, v := range x {
		for j, e := range a.RawRowView(i) {
			y[j] += v * e
		}
	}
	return y
}

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func mulVec(a *mat.Dense, x []float64) []float64 {
	r, _ := a.Dims()
	y := make([]float64, r)
	for i := range y {
		y[i] = dot(a.RawRowView(i), x)
	}
	return y
}
