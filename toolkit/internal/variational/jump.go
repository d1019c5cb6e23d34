package variational

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// jump returns the mean to which Newton's method goes from q. With S fixed the bound is a concave
// function of the mean, of curvature S0⁻¹ + Σ h_nφ_nφ_nᵀ. The update m′ of (10.157) raises the
// bound too, but with the larger G in place of Σ h_nφ_nφ_nᵀ, so it is slow if many rows are far
// from the boundary. Both have the same gradient, (S0⁻¹+G)(m′−m).
//
// blur is the length of the step that the rounding of the gradient causes, N·2⁻⁵³ in inner
// coordinates. It is in standard errors, or relative to the activations if that is longer.
func (f *Fit) jump(q, next *State, s *sums) (to []float64, blur float64) {
	c, pivot := f.cholesky(s.curve)
	if c == nil || pivot < linalg.WellConditioned*linalg.WellConditioned {
		return nil, 0
	}
	m := f.GLM.M
	e, n := make([]float64, m), f.Src.Total()
	for j := range e {
		e[j] = n * 0x1p-53
	}
	e = c.Solve(c.SolveT(e))
	blur = math.Max(linalg.Norm(next.R.Times(e)), f.Reach(next.Mean, e))
	d, u := make([]float64, m), make([]float64, m)
	floats.SubTo(d, next.Mean, q.Mean)
	copy(u, next.R.Times(d))
	clear(d)
	for i := range m { // Rᵀ·u
		floats.AddScaled(d[i:], u[i], next.R.A[i*m+i:(i+1)*m])
	}
	to = c.Solve(c.SolveT(d))
	floats.Add(to, q.Mean)
	if floats.HasNaN(to) || math.IsInf(floats.Norm(to, math.Inf(1)), 0) {
		return nil, blur
	}
	return to, blur
}

// curve returns √h of a row, where h = −∂²/∂μ² of its part in the bound as a function of q,
//
//	−ln 2cosh(ξ/2),  ξ² = μ² + v:  h = {y(1−y)μ² + 2λ(ξ)v}/ξ²,  y = σ(ξ).
func curve(xi, mu, v, lambda float64) float64 {
	if xi == 0 {
		return math.Sqrt(2 * lambda)
	}
	y, c, _ := kernels.SigmoidParts(xi)
	s := mu / xi
	return math.Sqrt(y*c*s*s + 2*lambda*(v/xi/xi))
}
