package classify

import "math"

// existence decides whether the likelihood of another loss than the logistic has
// a maximum. Losses that fall along a direction d exactly where the logistic one
// does for targets t share its answer, because only the signs of dᵀφ_n enter. So
// the logistic Newton method runs from scale times the weights reached, until its
// own proof of either answer; mostly one step.
//
// If there is no maximum it notes the direction and the reason in way.
func (f *estimateFit) existence(way *path, t []float64, scale float64) {
	p := *f.problem
	p.glm = newGLM(f.glm.design, t, crossEntropy{})
	p.prior, p.root, p.proper, p.signs = nil, nil, false, nil
	p.start = make([]float64, len(way.w))
	for i, v := range way.w {
		p.start[i] = scale * v
	}
	p.maxIt, p.tol = 100, math.Inf(1)
	proof := Newton{}.solve(&p)
	switch {
	case proof.direction != nil:
		way.converged = false
		way.direction, way.reason = proof.direction, proof.reason
	case !proof.converged && way.converged:
		way.converged = false
		way.reason += "; that the maximum exists is not proved"
	}
}
