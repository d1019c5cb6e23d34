package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Without a prior the likelihood has a maximum if and only if no hyperplane separates the classes,
// not even with points of both on it. That is: no direction d ≠ 0 (up to the null space of Φ) has
// dᵀφ_n ≥ 0 for t_n = 1, ≤ 0 for t_n = 0 and = 0 for 0 < t_n < 1. Newton's iterates usually prove
// one of the two, by separating the classes themselves or by the inequality in enclosed. Otherwise
// recession decides by exact arithmetic.

// verdict is the knowledge about the existence of the optimum.
type verdict int

const (
	undecided verdict = iota
	exists
	none
)

// existence decides whether the optimum exists; if it does not, the Recession is the proof. Unless
// exact is set, only the inequality is tried. It is called once per iterate. A proof that the
// optimum exists is kept, because existence depends on the data alone.
func (n *newton) existence(exact bool) (verdict, *Recession) {
	if n.Proper || n.proved {
		return exists, nil
	}
	// Columns that are dependent up to rounding may be independent exactly.
	whole := n.Rank == nil || n.Rank.Dependent == nil || exact && !n.Other && !n.Recede().Known
	if !n.tested && (!n.Other || n.Decay != nil) && n.q != nil && whole {
		n.tested = true
		n.proved = n.enclosed()
	}
	switch {
	case n.proved:
		return exists, nil
	case !exact:
		return undecided, nil
	case n.Other && n.recession == nil:
		n.recession = n.logisticRecession()
	}
	switch r := n.Recede(); {
	case r.Known && r.Direction != nil:
		return none, r
	case r.Known:
		n.proved = true
		return exists, nil
	}
	return undecided, nil
}

// separated reports whether the iterate separates the classes with every row strictly on its side.
func (n *newton) separated() bool {
	if n.Proper || n.Other || !n.ev.Hard {
		return false
	}
	// A bound on the rounding of any activation: inner inputs are at most 2.
	var size float64
	for _, v := range n.out.W {
		size += math.Abs(v)
	}
	return n.ev.Margin > 1e-14*float64(n.GLM.M)*size
}

// enclosed reports whether this inequality proves that the minimum exists: λ·ρ < 1 with
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
//
// For another loss with e″ ≤ c·|e′| in the rows of class 0 or 1 it is λ·ρ·c < 1. Because
// Hd = −∇E for the step d, Σ (e′_n + e″_nφ_nᵀd)φ_n = 0, in these rows with factors of the
// sign of e′_n, for |φ_nᵀd| ≤ λρ < 1/c. A direction v along which no row of them loses and
// the others stay makes no term of Σ (e′_n + e″_nφ_nᵀd)φ_nᵀv positive: all are 0, so
// φ_nᵀv = 0 in every row, and v = 0 (Stiemke's theorem).
func (n *newton) enclosed() bool {
	safe := 0.5
	if !n.q.R.Sharp() {
		return false
	}
	if n.Other {
		safe /= n.Decay(n.widest() * linalg.Norm(n.out.W))
	}
	inv := n.Rank.EmbedColumns(n.q.inverse())
	// Inner inputs are at most 2 in size, the bias is 1.
	if bound := math.Sqrt(1+4*float64(n.GLM.M-1)) * longest(inv); n.λ*bound <= safe {
		return true
	}
	_, k := inv.Dims()
	col := make([][]float64, k)
	for j := range col {
		col[j] = mat.Col(nil, j, inv)
	}
	if many := n.GLM.Many; many != nil {
		return n.λ*math.Sqrt(many.Leverage(col)) <= safe
	}
	ρ2 := glm.RowMax(n.GLM.Design, func(rows int) func(*block.Block, []float64) {
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
	return n.λ*math.Sqrt(ρ2) <= safe
}

// approximateRecession looks for a direction that separates with some rows on the plane, where
// there are too many rows for exact arithmetic. On such data the margins of the other rows grow by
// about 1 with every Newton step without end, while the margins of the rows on the plane converge.
// So the direction is the change of w over the last watchEvery steps, without its part along the
// rows that have converged. Any growth below watchEvery may separate the two kinds of rows. It
// returns nil if it finds no direction. If no row is on the plane, the separation is complete and
// the iterates show it.
func (n *newton) approximateRecession() *Recession {
	tr := n.out.Trace
	if len(tr) <= watchEvery {
		return nil
	}
	d := n.Coord.Inner(tr[len(tr)-1].W)
	floats.Sub(d, n.Coord.Inner(tr[len(tr)-1-watchEvery].W))
	dir, on := existence.Plane(n.GLM, d, watchEvery/2, watchEvery/4, watchEvery/8.)
	if dir == nil {
		return nil
	}
	r := &Recession{Direction: n.Coord.Outer(dir), On: on}
	if !n.Other {
		r.Pivots = n.Recede().Pivots
	}
	return r
}
