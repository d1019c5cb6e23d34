package solve

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// judge examines the curvature at the end, in units of the largest possible. A minimum has
// positive curvature in every direction. In a flat direction E only approaches its lowest value as
// w grows. With a negative curvature the point is a saddle.
func (n *ExactPath) judge() {
	f := n.Fit
	if n.held() {
		return
	}
	b := f.boundFactor() // with the prior's part: data of few rows alone have no regular factor
	if !b.Regular() {
		return
	}
	was := n.Joint
	n.Joint = false
	_, h := n.model()
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
			n.Reason = fmt.Sprintf("not converged: a stationary point that is not a minimum; try other starts (%s)", n.Reason)
		}
		n.Converged = false
		return
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	// The part of w in the flat directions has grown.
	u := n.W
	if f.Rank != nil {
		var free mat.VecDense
		if err := free.SolveVec(f.Rank.Free, mat.NewVecDense(len(u), u)); err != nil {
			return // unreachable: the free directions are independent
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
		n.Converged, n.Reason = false, n.Reason+"; the curvature is zero, the likelihood does not depend on w here"
		return
	}
	n.Converged, n.Direction = false, d
	n.Reason = fmt.Sprintf("the objective has no minimum here: it approaches its lowest value as w grows, because a hyperplane separates all rows that still count; "+
		"W is the iterate after %d iterations; for finite weights use a Prior", len(n.Trace)-1)
}

// round tests the weights of x, as Returned does.
func (n *ExactPath) round() {
	if !n.Converged {
		return
	}
	g, h := n.model()
	if n.Joint && !n.AtZero() {
		g = g[:len(g)-1] // the bias alone is rounded
	}
	r, _ := linalg.Cholesky(h.At, len(g))
	if r == nil {
		return
	}
	if why := n.Fit.Rounding(n.W, n.Fit.Outer(n.W), &Quadratic{R: r, z: r.SolveT(g)}); why != "" {
		n.Converged, n.Reason = false, why
	}
}

// Matrices returns the Hessian and the covariance of w, and of ε if it is estimated, in the units
// of x.
func (n *ExactPath) Matrices(covariance bool) (h, c *mat.SymDense) {
	f := n.Fit
	s := f.Likelihood().EvaluateExact(f.Outer(n.W), n.Row(n.Eps))
	m := f.GLM.M
	k := m
	h = hessian(s, m)
	if n.Joint {
		k++
		h = bordered(h, s.AEps, s.EpsEps)
	}
	f.Prior.AddPrecision(h)
	if !covariance || n.AtZero() {
		return h, nil
	}
	_, inner := n.model()
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
