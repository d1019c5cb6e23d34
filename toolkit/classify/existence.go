package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// borrow decides whether the likelihood of another loss than the logistic has a
// maximum. Losses that fall along a direction d exactly where the logistic one
// does for the targets signs share its answer, because only the signs of dᵀφ_n
// enter. So the logistic Newton method runs from about the weights reached, until
// its own proof of either answer; mostly one step.
func (n *newton) borrow() *recession {
	p := *n.problem
	p.glm = glm.New(n.glm.Design, n.signs, glm.CrossEntropy{})
	p.signs = nil
	p.start = make([]float64, len(n.out.w))
	for i, v := range n.out.w {
		p.start[i] = n.steeper * v
	}
	p.maxIt, p.tol = 100, math.Inf(1)
	proof := Newton{}.solve(&p)
	if proof.direction != nil {
		return &recession{known: true, direction: n.coord.Outer(proof.direction), on: proof.on}
	}
	return &recession{known: proof.converged}
}
