package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Where all that is left of E is an exponential tail, of rows far on their sides,
// every Newton step moves their activations by 1, however far the optimum is, and
// λ falls by e^−½ each time: below any bound long before the end. So a short λ
// alone is no optimum.

// near reports that the step left is short.
func (n *newton) near() bool {
	return n.q != nil && n.problem.near(n.out.w, n.direction(n.q), math.Max(1e-8, n.tol))
}

// near reports that a step d from w is no longer than a share of the weights and, in
// every row, of the activation: both have the digits asked for.
func (p *problem) near(w, d []float64, share float64) bool {
	return p.reach(w, d) <= share && norm(d) <= share*(1+norm(w)) &&
		norm(p.coord.Outer(d)) <= share*(1+norm(p.coord.Outer(w)))
}

// reach returns the largest |φᵀd|/(1+|φᵀw|) over the rows; of a softmax that of
// the differences of two activations.
func (p *problem) reach(w, d []float64) float64 {
	if many := p.glm.Many; many != nil {
		return many.Reach(w, d)
	}
	return glm.RowMax(p.glm.Design, func(rows int) func(*block.Block, []float64) {
		a, change := make([]float64, rows), make([]float64, rows)
		return func(b *block.Block, s []float64) {
			b.Margins(w, a)
			b.Margins(d, change)
			for r := range s {
				s[r] = math.Abs(change[r]) / (1 + math.Abs(a[r]))
			}
		}
	})
}

// stretch goes on from w = from + s·d, the step just made, by doubling it as long
// as E still falls there: as its slope tells, because E itself may be too flat.
// That crosses an exponential tail in about as many steps as its length has
// binary digits.
func (n *newton) stretch(from, d []float64, s, λ float64) {
	if !n.convex || λ > settled || !(n.slope(n.out.w, n.ev, d) < -tail*λ*λ) || n.reach(from, d) <= rounding || !n.ends(λ) {
		return
	}
	var best []float64
	for range 1000 {
		s *= 2
		w := along(from, d, s)
		ev, e := n.evaluate(w, glm.WithGradient)
		if !(n.slope(w, ev, d) < 0 && e <= n.e+1e-13*math.Abs(n.e)) {
			break
		}
		best = w
	}
	if best == nil {
		return
	}
	n.out.trace = n.out.trace[:len(n.out.trace)-1]
	n.arrive(best)
}

// ends reports that the tail has an end.
func (n *newton) ends(λ float64) bool {
	answer, _ := n.existence(λ, true)
	return answer == exists
}

// slope returns ∇Eᵀd at w, whose evaluation has the gradient.
func (p *problem) slope(w []float64, ev *glm.Evaluation, d []float64) float64 {
	return linalg.Dot(p.lbfgsGradient(w, ev), d)
}

// norm is the Euclidean norm, which cannot overflow before its result does.
func norm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s = math.Hypot(s, x)
	}
	return s
}
