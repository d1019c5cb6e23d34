package classify

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// judge looks at the curvature at the end, in units of the largest possible. A
// minimum has some in every direction. Where there is none, E only approaches its
// lowest value as w grows; where it is negative, the point is a saddle.
func (n *exactPath) judge() {
	f := n.fit
	if n.held() {
		return
	}
	b := f.boundFactor() // with the prior's part: data of few rows alone have no regular factor
	if !b.Regular() {
		return
	}
	was := n.joint
	n.joint = false
	_, h := n.model()
	n.joint = was
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
		if n.converged {
			n.reason = fmt.Sprintf("not converged: a stationary point that is no minimum; try other starts (%s)", n.reason)
		}
		n.converged = false
		return
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	// The part of w that lies in the flat directions is what has grown.
	u := n.w
	if f.rank != nil {
		var free mat.VecDense
		if err := free.SolveVec(f.rank.Free, mat.NewVecDense(len(u), u)); err != nil {
			return // not reached: the free directions are independent
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
	d := linalg.MulVec(inv, grown)
	if f.rank != nil {
		d = linalg.MulVec(f.rank.Free, d)
	}
	if floats.Norm(d, 2) == 0 {
		n.converged, n.reason = false, n.reason+"; the curvature is zero, the likelihood does not depend on w here"
		return
	}
	n.converged, n.direction = false, d
	n.reason = fmt.Sprintf("the objective has no minimum here: it approaches its lowest value as w grows, because a hyperplane separates all rows that still count; "+
		"W is the iterate after %d iterations; for finite weights use a Prior", len(n.trace)-1)
}

// matrices returns Hessian and covariance of w, and ε if it is estimated, in the
// units of x.
func (n *exactPath) matrices(covariance bool) (h, c *mat.SymDense) {
	f := n.fit
	s := f.objective().glm.EvaluateExact(f.outer(n.w), n.row(n.ε))
	m := f.glm.M
	k := m
	if n.joint {
		k++
	}
	h = mat.NewSymDense(k, nil)
	for i := range m {
		for j := i; j < m; j++ {
			h.SetSym(i, j, s.Plus.At(i, j)-s.Minus.At(i, j))
		}
		if n.joint {
			h.SetSym(i, m, s.AEps[i])
		}
	}
	if n.joint {
		h.SetSym(m, m, s.EpsEps)
	}
	f.prior.addPrecision(h)
	if !covariance || n.atZero() {
		return h, nil
	}
	_, inner := n.model()
	r, _ := linalg.Cholesky(inner.At, k)
	if r == nil {
		return h, nil
	}
	inv := r.Inverse()
	top := f.coord.Columns(mat.DenseCopyOf(inv.Slice(0, m, 0, k)))
	if n.joint {
		var all mat.Dense
		all.Stack(top, inv.Slice(m, k, 0, k))
		top = &all
	}
	c = mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			c.SetSym(i, j, linalg.Dot(top.RawRowView(i), top.RawRowView(j)))
		}
	}
	return h, c
}
