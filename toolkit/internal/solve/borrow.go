package solve

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// borrow decides whether the likelihood of another loss than the logistic has a
// maximum. Losses that fall along a direction d exactly where the logistic one
// does for the targets signs share its answer, because only the signs of dᵀφ_n
// enter. So the logistic Newton method runs from about the weights reached, until
// its own proof of either answer; mostly one step.
func (n *newton) borrow() *Recession {
	p := *n.Problem
	p.GLM = glm.New(n.GLM.Design, n.Signs, glm.CrossEntropy{})
	p.Signs = nil
	p.Start = make([]float64, len(n.out.W))
	for i, v := range n.out.W {
		p.Start[i] = n.Steeper * v
	}
	p.MaxIt, p.Tol = 100, math.Inf(1)
	proof := Newton{}.Solve(&p)
	if proof.Direction != nil {
		return &Recession{Known: true, Direction: n.Coord.Outer(proof.Direction), On: proof.on}
	}
	return &Recession{Known: proof.Converged}
}
