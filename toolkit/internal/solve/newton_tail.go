package solve

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// E may consist only of an exponential tail of rows far from the boundary. Every Newton step then
// moves their activations by 1, however far the optimum is, and λ falls by e^−½ each time. So λ is
// below any bound long before the end, and a short λ alone does not prove an optimum.

// near reports whether the remaining step is short.
func (n *newton) near() bool {
	const room = 0.9 // for the rounding of the step
	return n.q != nil && n.Problem.near(n.out.W, n.direction(n.q), room*n.digits())
}

// near reports whether a step d from w is at most a share of the weights and, in every row, of the
// activation: both then have the digits required. In a softmax the differences of two classes'
// weights have them as well; they are up to √2 times as long.
func (p *Problem) near(w, d []float64, share float64) bool {
	one := 1.0
	if p.GLM.Many != nil {
		one = math.Sqrt2 / 2
	}
	reach := math.Sqrt2 * p.widest() * linalg.Norm(d)
	if reach > share {
		reach = p.Reach(w, d)
	}
	return reach <= share && linalg.Norm(d) <= share*(one+linalg.Norm(w)) &&
		linalg.Norm(p.Coord.Outer(d)) <= share*(one+linalg.Norm(p.Coord.Outer(w)))
}

// Reach returns the largest |φᵀd|/(1+|φᵀw|) over the rows. For a softmax the activations are the
// differences of two classes' activations.
func (p *Problem) Reach(w, d []float64) float64 {
	if many := p.GLM.Many; many != nil {
		return many.Reach(w, d)
	}
	return glm.RowMax(p.GLM.Design, func(rows int) func(*block.Block, []float64) {
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

// tailShare is the share of the slope that is left after a step along an exponential tail.
const tailShare = 0.25

// followTail continues from w = from + s·d, the step just made: it doubles the step as long as E
// still falls. It tests the sign of the slope of E, because E itself may be too flat. So it
// crosses an exponential tail in about as many steps as the length of the tail has binary digits.
func (n *newton) followTail(from, d []float64, s float64) {
	if !n.Convex || n.λ > steadyTol || !(n.slope(n.out.W, n.ev, d) < -tailShare*n.λ*n.λ) || n.Reach(from, d) <= rounding {
		return
	}
	if answer, _ := n.existence(true); answer != exists {
		return // the tail has no end
	}
	var best []float64
	for range doublings {
		s *= 2
		w := along(from, d, s)
		ev, e := n.Evaluate(w, glm.WithGradient)
		if !(n.slope(w, ev, d) < 0 && e <= n.e+1e-13*math.Abs(n.e)) {
			break
		}
		best = w
	}
	if best == nil {
		return
	}
	n.out.Trace = n.out.Trace[:len(n.out.Trace)-1]
	n.accept(best)
}

// slope returns ∇Eᵀd at w, whose evaluation has the gradient.
func (p *Problem) slope(w []float64, ev *glm.Evaluation, d []float64) float64 {
	return linalg.Dot(p.fullGradient(w, ev), d)
}
