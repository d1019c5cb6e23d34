package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Without a prior the likelihood has a maximum if and only if no hyperplane
// separates the classes, not even with points of both on it: no direction d ≠ 0
// (up to the null space of Φ) has dᵀφ_n ≥ 0 for t_n = 1, ≤ 0 for t_n = 0 and = 0
// for 0 < t_n < 1. Newton's iterates mostly prove one of the two, by separating
// the classes themselves or by the inequality in enclosed; where they do not,
// recession decides by exact arithmetic.

// verdict is what is known of the existence of the optimum.
type verdict int

const (
	undecided verdict = iota
	exists
	none
)

// existence decides, at an iterate with Newton's λ; none comes with the proof.
// Without exact only the inequality is tried.
func (n *newton) existence(λ float64, exact bool) (verdict, *recession) {
	// Columns that are dependent to rounding may not be so exactly.
	whole := n.rank == nil || n.rank.Dependent == nil || exact && n.signs == nil && !n.recede().known
	switch {
	case n.proper || n.signs == nil && n.q != nil && whole && n.enclosed(λ):
		return exists, nil
	case !exact:
		return undecided, nil
	case n.signs != nil && n.recession == nil:
		n.recession = n.borrow()
	}
	switch r := n.recede(); {
	case r.known && r.direction != nil:
		return none, r
	case r.known:
		return exists, nil
	}
	return undecided, nil
}

// separated reports that the iterate itself separates the classes with every
// row strictly on its side. The solver goes on for a while then: the
// first separating iterate may be little more than the least-squares solution,
// later ones turn towards the widest margin.
func (n *newton) separated() bool {
	if n.proper || n.signs != nil || !n.ev.Hard {
		return false
	}
	// A bound on the rounding of any activation: inner inputs are at most 2.
	var size float64
	for _, v := range n.out.w {
		size += math.Abs(v)
	}
	return n.ev.Margin > 1e-14*float64(n.glm.M)*size
}

func (n *newton) sayComplete() {
	n.out.direction = n.out.w
	n.out.reason = fmt.Sprintf("the classes are linearly separable: the likelihood has no maximum, it grows as long as w does; "+
		"W is the iterate after %d iterations; for finite weights use a Prior", len(n.out.trace)-1)
}

// enclosed reports a proof that the minimum exists: λ·ρ < 1 with
// ρ = max_n √(φ_nᵀH⁻¹φ_n).
//
// The third derivative of the logistic loss is at most its second, so along a
// step h the Hessian falls no faster than exp(−|φᵀh|) ≥ exp(−ρ‖h‖_H). Two
// integrations give, at distance δ and with u = ρδ,
//
//	E(w+h) − E(w) ≥ δ·[ (exp(−u) + u − 1)/u − λρ ]/ρ,
//
// and the fraction tends to 1: if λρ < 1, E is larger than E(w) all around a
// large enough ball, and a convex function then has its minimum inside.
// On separable data this can never come true, as long as H has digits in every
// direction.
func (n *newton) enclosed(λ float64) bool {
	const safe = 0.5
	if !n.q.r.Sharp() {
		return false
	}
	inv := n.q.r.Inverse()
	if n.rank != nil {
		var f mat.Dense
		f.Mul(n.rank.Free, inv)
		inv = &f
	}
	// Inner inputs are at most 2 in size, the bias is 1.
	if bound := math.Sqrt(1+4*float64(n.glm.M-1)) * mat.Norm(inv, 2); λ*bound <= safe {
		return true
	}
	_, k := inv.Dims()
	col := make([][]float64, k)
	for j := range col {
		col[j] = mat.Col(nil, j, inv)
	}
	if many := n.glm.Many; many != nil {
		return λ*math.Sqrt(many.Leverage(col)) <= safe
	}
	ρ2 := glm.RowMax(n.glm.Design, func(rows int) func(*block.Block, []float64) {
		a := make([]float64, rows)
		return func(b *block.Block, s []float64) {
			clear(s)
			for _, c := range col {
				b.Margins(c, a)
				for r := range s {
					s[r] += a[r] * a[r]
				}
			}
		}
	})
	return λ*math.Sqrt(ρ2) <= safe
}

// sayRecession ends with a direction of recession.
func (n *newton) sayRecession(r *recession) {
	if r.on == 0 {
		n.sayComplete()
	} else {
		n.out.reason = fmt.Sprintf("the classes are quasi-separable: a hyperplane has every row on its side and %d rows on it, so the likelihood has no maximum, it grows as long as w does; "+
			"W is the iterate after %d iterations; for finite weights use a Prior", r.on, len(n.out.trace)-1)
	}
	n.out.direction, n.out.on = n.coord.Inner(r.direction), r.on
}

// approximateRecession looks for a direction that separates with some rows on the
// plane, where there are too many rows for exact arithmetic. On such data the
// margins of the other rows grow by about 1 with every Newton step, for ever,
// while those on the plane settle. So the change of w over the last steps, with
// its part along the settled rows taken out, is the direction; every row is then
// tested against it. It returns nil if it finds none.
func (n *newton) approximateRecession() *recession {
	tr := n.out.trace
	if len(tr) <= watchEvery {
		return nil
	}
	old := n.coord.Inner(tr[len(tr)-1-watchEvery].W)
	d := make([]float64, len(old))
	floats.SubTo(d, n.coord.Inner(tr[len(tr)-1].W), old)
	for _, growth := range []float64{2, 1, 0.5} {
		dir := n.alongPlane(d, growth)
		if dir == nil {
			continue
		}
		// With no row on the plane the separation is complete, and the iterates
		// will show it themselves.
		if on, ok := n.certify(dir); ok && on > 0 {
			return &recession{direction: n.coord.Outer(dir), on: on}
		}
	}
	return nil
}

// remark adds to a reason what stands in the way, and what helps.
func (n *newton) remark() string {
	switch {
	case n.prior == nil && !n.proper && !n.recede().known:
		return "; that the maximum exists is not proved: use a Prior"
	case n.q == nil || !n.q.r.Regular():
		return "; the Hessian is singular in double precision: look for columns or entries of extreme size"
	case n.precise || n.length() <= rounding:
		return "; rounding is in the way: " + n.outlying()
	}
	return ""
}

// signed returns the margin of a row in its own direction: a for t = 1, −a for
// t = 0, and −|a| for a soft target, which has no good side.
func signed(a, t float64) float64 {
	switch t {
	case 1:
		return a
	case 0:
		return -a
	}
	return -math.Abs(a)
}

// alongPlane projects d on the null space of the rows whose margin grows less
// than growth along d. It returns nil if that leaves nothing.
func (n *newton) alongPlane(d []float64, growth float64) []float64 {
	m := n.glm.M
	var tri *block.Triangle
	if many := n.glm.Many; many != nil {
		tri = many.Along(d, growth)
	} else {
		tri = n.along(d, growth)
	}
	a := mat.NewDense(m, m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			a.Set(i, j, tri.At(i, j))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThinV) {
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

// along returns the triangular factor of the rows that do not grow along d.
func (n *newton) along(d []float64, growth float64) *block.Triangle {
	m := n.glm.M
	return block.Reduce(n.glm.Design, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(rows int) func(*block.Triangle, *block.Block) {
			a, on := make([]float64, rows), make([]float64, rows)
			return func(t *block.Triangle, b *block.Block) {
				b.Margins(d, a)
				clear(on)
				for r := range b.N {
					if signed(a[r], n.glm.T[b.Lo+r]) < growth {
						on[r] = 1
					}
				}
				b.ScaleRows(on)
				t.Add(b)
			}
		}, (*block.Triangle).Merge)
}

// certify tests every row against a direction of unit length: none may lie on
// the wrong side, and some must lie clearly on the right one. It returns how many
// lie on the plane. Activations are called zero up to their rounding.
func (n *newton) certify(dir []float64) (on int, ok bool) {
	zero := 1e-12 * math.Sqrt(float64(n.glm.M))
	if many := n.glm.Many; many != nil {
		return many.Certify(dir, zero)
	}
	type sides struct{ on, right, wrong int }
	s := block.Reduce(n.glm.Design, 0, func() *sides { return new(sides) },
		func(rows int) func(*sides, *block.Block) {
			a := make([]float64, rows)
			return func(s *sides, b *block.Block) {
				b.Margins(dir, a)
				for r := range b.N {
					switch v := signed(a[r], n.glm.T[b.Lo+r]); {
					case v < -zero:
						s.wrong++
					case v > 1e4*zero:
						s.right++
					default:
						s.on++
					}
				}
			}
		}, func(dst, src *sides) { dst.on += src.on; dst.right += src.right; dst.wrong += src.wrong })
	return s.on, s.wrong == 0 && s.right > 0
}
