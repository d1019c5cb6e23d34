package solve

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// noCurvature decides which directions count as flat. In a flat direction, the absolute value of the
// curvature is at most noCurvature times an upper bound on the curvature in this direction (see
// boundFactor).
const noCurvature = 1e-12

// ExactPath is a path to a stationary point of an objective that is not convex.
type ExactPath struct {
	*Path
	Fit   *Problem
	Row   func(ε float64) func(a, t float64) glm.ExactRow
	Eps   float64 // parameter ε of the loss; if Joint is true, it is estimated
	Joint bool
	Sums  *glm.ExactSums // sums over the rows at the last iterate
	E     float64
}

// MinimiseExact minimises E with the exact Hessian. It starts at the end of `path`, the result of a first
// minimisation that replaced the second derivatives with numbers that are never negative. It takes
// Newton steps in w. If `joint` is true, the steps also change ε. If the Hessian is not positive
// definite, or if a step would increase E, MinimiseExact damps the step: it increases the diagonal elements
// of the Hessian (Levenberg–Marquardt).
func (f *Problem) MinimiseExact(path *Path, row func(ε float64) func(a, t float64) glm.ExactRow, ε float64,
	joint bool) *ExactPath {
	n := &ExactPath{Path: path, Fit: f, Row: row, Eps: ε, Joint: joint}
	n.Converged, n.Quad = false, nil
	n.Sums = f.GLM.EvaluateExact(n.W, row(ε))
	n.E = n.Sums.E + f.Prior.Value(f.Coord.Outer(n.W))
	first := n.Trace[len(n.Trace)-1].Iteration
	last, damping := math.Inf(1), 0.0
	for it := 0; ; it++ {
		g, h := n.computeModel()
		λ, near := math.Inf(1), false
		if r, _ := linalg.Cholesky(h.At, len(g)); r != nil {
			z := r.SolveT(g)
			λ, near = floats.Norm(z, 2), n.isShort(r.Solve(z))
		}
		short := it > 0 && λ <= f.Tol || λ <= rounding && λ > last/2
		if short && near {
			n.Converged = true
			n.Reason = fmt.Sprintf("converged after %d iterations: the Newton step is %.1g standard errors long",
				first+it, λ)
			break
		}
		if short && !n.priorBounds() {
			n.Reason = fmt.Sprintf("not converged: stopped after %d iterations, where the Newton step is only %.1g standard errors long, but too long relative to weights or activations, or in ε", first+it, λ)
			break // w is on a flat tail of E, far from any minimum; examineCurvature reports this
		}
		if it >= f.MaxIt {
			n.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d with the exact Hessian, the Newton step is still %.2g standard errors long", it, λ)
			break
		}
		last = λ
		if damping = n.advance(g, h, damping); damping > 1e12 {
			n.Reason = fmt.Sprintf("not converged: stopped after %d iterations, because no step lowers the objective",
				first+it)
			break
		}
		s := f.step(n.W, n.Sums.Evaluation, n.E)
		s.Iteration = first + it + 1
		n.Trace = append(n.Trace, s)
	}
	n.examineCurvature()
	n.checkRounding()
	return n
}

// isShort reports whether a step d in the free coordinates is short relative to the weights and the
// activations. If d has one entry more than w has free coordinates, the last entry is the step of ε.
// The absolute value of this step must be at most requiredAccuracy.
func (n *ExactPath) isShort(d []float64) bool {
	f, k := n.Fit, len(n.W)
	if f.Rank != nil {
		k = f.Rank.R
	}
	share := f.requiredAccuracy()
	if len(d) > k && !(math.Abs(d[k]) <= share) {
		return false
	}
	d = d[:k]
	return f.isShort(n.W, f.Rank.Embed(d), share)
}

// priorBounds reports whether, because of the prior, E increases in every direction for large w.
func (n *ExactPath) priorBounds() bool { return n.Fit.Prior != nil && !n.Fit.Prior.Free }

// AtZero reports whether ε is estimated and remains 0, its lower bound, because a small ε > 0 would
// not reduce E.
func (n *ExactPath) AtZero() bool { return n.Joint && n.Eps == 0 && n.Sums.Eps >= 0 }

// computeModel returns the gradient and the Hessian in the free coordinates. If ε is estimated and
// AtZero is false, the last entries are the derivatives with respect to ε.
func (n *ExactPath) computeModel() ([]float64, *mat.SymDense) {
	f, s := n.Fit, n.Sums
	g := f.innerGradient(n.W, s.Evaluation)
	full := hessian(s, f.GLM.M)
	glm.AddSquares(full, f.Root)
	mixed := s.AEps
	if f.Rank != nil {
		var a, b mat.Dense
		a.Mul(full, f.Rank.Free)
		b.Mul(f.Rank.Free.T(), &a)
		full = linalg.Symmetrised(&b)
		mixed = linalg.MulVecT(f.Rank.Free, mixed)
	}
	if !n.Joint || n.AtZero() {
		return g, full
	}
	return append(g, s.Eps), withBorder(full, mixed, s.EpsEps)
}

// hessian returns the Hessian of the likelihood's part of E with respect to w.
func hessian(s *glm.ExactSums, m int) *mat.SymDense {
	return linalg.SymOf(m, func(i, j int) float64 { return s.Plus.At(i, j) - s.Minus.At(i, j) })
}

// withBorder returns the matrix a with one more row and column, which contain `col` and `corner`.
func withBorder(a *mat.SymDense, col []float64, corner float64) *mat.SymDense {
	k := len(col)
	h := a.GrowSym(1).(*mat.SymDense)
	for i, v := range col {
		h.SetSym(i, k, v)
	}
	h.SetSym(k, k, corner)
	return h
}

// advance tries steps with increasing damping. It accepts the first step that does not increase E by
// more than the rounding errors of E. It returns the initial damping for the next call, or a number
// above 1e12 if it accepts no step.
func (n *ExactPath) advance(g []float64, h *mat.SymDense, damping float64) float64 {
	f := n.Fit
	slack := 1e-13 * math.Abs(n.E)
	for ; damping <= 1e12; damping = math.Max(10*damping, 1e-3) {
		r, _ := linalg.Cholesky(func(i, j int) float64 {
			v := h.At(i, j)
			if i == j {
				v += damping * (math.Abs(v) + 1e-300)
			}
			return v
		}, len(g))
		if r == nil || !r.Regular() {
			continue
		}
		d := r.Solve(r.SolveT(g))
		ε := n.Eps
		if n.Joint && !n.AtZero() {
			ε = math.Min(math.Max(ε-d[len(d)-1], 0), 0.5-1e-9)
			d = d[:len(d)-1]
		}
		w := pointAlong(n.W, f.Rank.Embed(d), -1)
		s := f.GLM.EvaluateExact(w, n.Row(ε))
		e := s.E + f.Prior.Value(f.Coord.Outer(w))
		if !(e <= n.E+slack) {
			continue
		}
		n.W, n.Eps, n.Sums, n.E = w, ε, s, e
		if damping < 1e-2 {
			return 0
		}
		return damping / 10
	}
	return damping
}

// examineCurvature examines the curvature of E as a function of w at the last iterate, relative to an
// upper bound on this curvature. If the curvature is negative in some direction, the iterate is not a
// minimum. If E is flat in some direction, E has no minimum but approaches its lowest value as w
// grows. The exception is a w that has no component in the flat directions: there, E may simply be
// nearly constant. In all these cases examineCurvature sets Converged to false. If the prior bounds w,
// or if the upper bound is singular, it does nothing.
func (n *ExactPath) examineCurvature() {
	f := n.Fit
	if n.priorBounds() {
		return
	}
	// b includes the prior, because otherwise b would be singular if there are fewer rows than
	// weights.
	b := f.boundFactor()
	if !b.Regular() {
		return
	}
	was := n.Joint
	n.Joint = false
	_, h := n.computeModel()
	n.Joint = was
	inv := b.Inverse()
	var a, c mat.Dense
	a.Mul(h, inv)
	c.Mul(inv.T(), &a)
	var eig mat.EigenSym
	if !eig.Factorize(linalg.Symmetrised(&c), true) {
		return
	}
	values := eig.Values(nil)
	switch {
	case values[0] > noCurvature:
		return
	case values[0] < -noCurvature:
		if n.Converged {
			n.Reason = fmt.Sprintf("not converged: a stationary point that is not a minimum; try other starts (%s)",
				n.Reason)
		}
		n.Converged = false
		return
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	// By the time the search stopped, w had grown in the flat directions. The vector d is the
	// component of w in these directions.
	u := n.W
	if f.Rank != nil {
		var free mat.VecDense
		if err := free.SolveVec(f.Rank.Free, mat.NewVecDense(len(u), u)); err != nil {
			return // this cannot happen, because the free directions are independent
		}
		u = free.RawVector().Data
	}
	grown := make([]float64, b.N)
	for k, c := range values {
		if c > noCurvature {
			break
		}
		col := mat.Col(nil, k, &v)
		floats.AddScaled(grown, linalg.Dot(col, b.Times(u)), col)
	}
	d := f.Rank.Embed(linalg.MulVec(inv, grown))
	if floats.Norm(d, 2) == 0 {
		n.Converged, n.Reason = false, n.Reason+"; the curvature is zero in some direction, so the objective hardly changes along this direction near W"
		return
	}
	n.Converged, n.Direction = false, d
	n.Reason = fmt.Sprintf("the objective has no minimum here: it approaches its lowest value as w grows, because a hyperplane separates all rows that still affect the objective; "+
		"W is the iterate after %d iterations; for finite weights use a Prior", n.Trace[len(n.Trace)-1].Iteration)
}

// checkRounding sets Converged to false, and writes the cause to Reason, if the weights lose too many
// digits when they are rounded in the units of x. Problem.FinalWeights does the same for other fits.
func (n *ExactPath) checkRounding() {
	if !n.Converged {
		return
	}
	g, h := n.computeModel()
	if n.Joint && !n.AtZero() {
		g = g[:len(g)-1] // only the weights are rounded, because ε does not depend on the units of x
	}
	r, _ := linalg.Cholesky(h.At, len(g))
	if r == nil {
		return
	}
	if why := n.Fit.WeightRoundingReason(n.W, n.Fit.Outer(n.W), &Quadratic{R: r, z: r.SolveT(g)}); why != "" {
		n.Converged, n.Reason = false, why
	}
}

// Matrices returns the Hessian and the covariance of w in the units of x. If ε is estimated, the
// matrices have an additional row and column for ε. The covariance is nil if the argument
// `covariance` is false, if AtZero is true, or if the Hessian is not positive definite. If
// `covariance` is true, the columns of Φ must be independent.
func (n *ExactPath) Matrices(covariance bool) (h, c *mat.SymDense) {
	f := n.Fit
	s := f.Likelihood().EvaluateExact(f.Outer(n.W), n.Row(n.Eps))
	m := f.GLM.M
	k := m
	h = hessian(s, m)
	if n.Joint {
		k++
		h = withBorder(h, s.AEps, s.EpsEps)
	}
	f.Prior.AddPrecision(h)
	if !covariance || n.AtZero() {
		return h, nil
	}
	_, inner := n.computeModel()
	r, _ := linalg.Cholesky(inner.At, k)
	if r == nil {
		return h, nil
	}
	inv := r.Inverse()
	top := f.Coord.Columns(mat.DenseCopyOf(inv.Slice(0, m, 0, k)))
	if n.Joint {
		var all mat.Dense
		all.Stack(top, inv.Slice(m, k, 0, k))
		top = &all
	}
	return h, linalg.Squared(top)
}
