package existence

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// signedActivation returns the activation a if t = 1, and −a if t = 0. The result is positive if
// the row lies on the correct side of the boundary. For any other target t, no side is correct, and
// the result is −|a|.
func signedActivation(a, t float64) float64 {
	switch t {
	case 1:
		return a
	case 0:
		return -a
	}
	return -math.Abs(a)
}

// Plane looks for a vector dir of length 1 with the following property. No row lies on the wrong
// side of the plane through 0 perpendicular to dir, and some rows lie clearly on the correct side.
// All other rows, at least one, lie on the plane, and Plane returns their number.
//
// Plane tries each value in `growths`. It selects the rows whose margins grow by less than this
// value if the weights move along the given direction d. It then projects d onto the null space of
// these rows. If no projection has the property, Plane returns nil.
func Plane(g *glm.Likelihood, d []float64, growths ...float64) (dir []float64, rowsOnPlane int) {
	for _, growth := range growths {
		dir = alongPlane(g, d, growth)
		if dir == nil {
			continue
		}
		if n, ok := certify(g, dir); ok && n > 0 {
			return dir, n
		}
	}
	return nil, 0
}

// alongPlane selects the rows whose margins grow by less than the argument `growth` if the weights
// move along d. It projects d onto the null space of these rows and returns the projection, scaled
// to length 1. It returns nil if the projection is 0.
func alongPlane(g *glm.Likelihood, d []float64, growth float64) []float64 {
	m := g.M
	var tri *block.Triangle
	if many := g.Many; many != nil {
		tri = many.Along(d, growth)
	} else {
		tri = steadyRows(g, d, growth)
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(m, m, linalg.Leading(tri, m).A), mat.SVDThinV) {
		return nil
	}
	sv := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	dir := make([]float64, m)
	for k := range m {
		if sv[k] > 1e-12*sv[0] {
			continue
		}
		col := mat.Col(nil, k, &v)
		floats.AddScaled(dir, linalg.Dot(col, d), col)
	}
	if size := floats.Norm(dir, 2); size > 1e-12*floats.Norm(d, 2) {
		floats.Scale(1/size, dir)
		return dir
	}
	return nil
}

// steadyRows selects the rows whose margins grow by less than the argument `growth` if the weights
// move along d. It returns the triangular factor of the matrix of these rows.
func steadyRows(g *glm.Likelihood, d []float64, growth float64) *block.Triangle {
	m := g.M
	return block.Reduce(g.Design, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(rows int) func(*block.Triangle, *block.Block) {
			a, selected := make([]float64, rows), make([]float64, rows)
			return func(steady *block.Triangle, b *block.Block) {
				b.Margins(d, a)
				clear(selected)
				for r, t := range g.Targets(b.Lo, b.Lo+b.N) {
					if signedActivation(a[r], t) < growth {
						selected[r] = 1
					}
				}
				b.ScaleRows(selected)
				steady.Add(b)
			}
		}, (*block.Triangle).Merge)
}

// certify finds the side of every row with respect to the plane through 0 perpendicular to dir,
// which has length 1. The result `ok` reports whether no row lies on the wrong side and some rows
// lie clearly on the correct side. The result rowsOnPlane is the number of rows on the plane. A row
// counts as on the plane if its signed activation is between −zero and 10⁴·zero, where zero is an
// upper bound on the rounding error of an activation.
func certify(g *glm.Likelihood, dir []float64) (rowsOnPlane int, ok bool) {
	zero := 1e-12 * math.Sqrt(float64(g.M))
	if many := g.Many; many != nil {
		return many.Certify(dir, zero)
	}
	type counts struct{ on, right, wrong int }
	s := block.Reduce(g.Design, 0, func() *counts { return new(counts) },
		func(rows int) func(*counts, *block.Block) {
			a := make([]float64, rows)
			return func(s *counts, b *block.Block) {
				b.Margins(dir, a)
				for r, t := range g.Targets(b.Lo, b.Lo+b.N) {
					switch v := signedActivation(a[r], t); {
					case v < -zero:
						s.wrong++
					case v > 1e4*zero:
						s.right++
					default:
						s.on++
					}
				}
			}
		}, func(dst, src *counts) { dst.on += src.on; dst.right += src.right; dst.wrong += src.wrong })
	return s.on, s.wrong == 0 && s.right > 0
}
