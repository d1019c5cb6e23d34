package solve

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// UseJeffreys adds Jeffreys' penalty −½ ln|H(w)| to the objective of p, which must be a logistic
// regression. The objective then has a minimum for all data (Kosmidis and Firth 2021). UseJeffreys
// returns an error if the columns of Φ are dependent, because |H| is then 0 for every w.
func (p *Problem) UseJeffreys() error {
	if p.Rank != nil {
		return fmt.Errorf("%s: Jeffreys' prior needs independent columns, because |H| is 0 otherwise; leave the columns out",
			p.Rank.Columns(p.Cols))
	}
	p.Jeffreys, p.Proper, p.Convex, p.MayChangeStart = true, true, false, false
	p.Factor = true // with the orthogonal factor, ln|H| has twice as many correct digits as with the Gram matrix
	return nil
}

// evaluatePenalised is like Evaluate, but with Jeffreys' prior. The result ev.Grad includes the
// gradient of the penalty, except at level OnlyValue, where ev.Info is nil. The results ev.E,
// ev.Gram and ev.Tri do not include the penalty. If H is singular in double precision, the objective
// is +Inf and ev.Info is nil.
func (p *Problem) evaluatePenalised(in []float64, lv glm.Level) (*glm.Evaluation, float64) {
	ev := p.GLM.Evaluate(in, max(lv, p.Moments()))
	r := p.informationFactor(ev)
	if r == nil && ev.Gram != nil {
		ev = p.GLM.Evaluate(in, glm.WithTriangle)
		r = p.informationFactor(ev)
	}
	if r == nil {
		return ev, math.Inf(1)
	}
	if lv != glm.OnlyValue {
		ev.Info = p.GLM.InformationAt(in, r, p.Exact)
		floats.Add(ev.Grad, ev.Info.Grad)
	}
	return ev, ev.E + p.penaltyOf(r)
}

func (p *Problem) informationFactor(ev *glm.Evaluation) *linalg.Upper {
	var r *linalg.Upper
	if ev.Tri != nil {
		r = linalg.Leading(ev.Tri, p.GLM.M)
	} else {
		var pivot float64
		if r, pivot = linalg.Cholesky(ev.Gram.At, p.GLM.M); pivot < linalg.WellConditioned {
			r = nil
		}
	}
	if r == nil || !r.Regular() {
		return nil
	}
	return r
}

// penaltyOf returns −½ ln|H|, where H is the Hessian with respect to the weights in the units of x.
// Its argument is the factor of the Hessian in inner coordinates.
func (p *Problem) penaltyOf(r *linalg.Upper) float64 {
	logDet := r.LogDet()
	for _, s := range p.Coord.Scale {
		logDet -= 2 * math.Log(s)
	}
	return -logDet / 2
}

// Penalty returns Jeffreys' penalty −½ ln|H| at the end of a path, or +Inf if H is singular there in
// double precision.
func (p *Problem) Penalty(path *Path) float64 {
	if path.last == nil || path.last.Info == nil {
		return math.Inf(1)
	}
	return p.penaltyOf(path.last.Info.R)
}

// PenalisedGradient returns ∇E with Jeffreys' prior for the weights w in the units of x. It returns
// an error if H is singular in double precision.
func (p *Problem) PenalisedGradient(w []float64) ([]float64, error) {
	ev, _ := p.Evaluate(p.Coord.Inner(w), glm.WithGradient)
	if ev.Info == nil {
		return nil, errSaturated
	}
	return p.Coord.Gradient(ev.Grad), nil
}

// PenalisedHessian returns the second derivatives of E with Jeffreys' prior for the weights w in
// the units of x. It returns an error if H is singular in double precision. The field p.Exact must
// be true.
func (p *Problem) PenalisedHessian(w []float64) (*mat.SymDense, error) {
	ev, _ := p.Evaluate(p.Coord.Inner(w), glm.WithGradient)
	if ev.Info == nil {
		return nil, errSaturated
	}
	m := p.GLM.M
	c, r := mat.NewDense(m, m, ev.Info.Curvature), mat.NewDense(m, m, ev.Info.R.A)
	var h mat.Dense
	h.Product(r.T(), c, r)
	return linalg.Symmetrised(p.Coord.Form(linalg.Symmetrised(&h))), nil
}

var errSaturated = errors.New("the Hessian of the likelihood is singular in double precision at w, where Jeffreys' prior has density 0: choose smaller weights")

// jeffreysQuadratic returns a quadratic model of the penalised objective. It uses the exact second
// derivative if this was computed and is clearly positive definite. Otherwise it uses an upper bound
// on the second derivative, which leads to shorter steps. The standard errors are computed from H
// itself, as in Firth (1993). The result is nil if double precision allows neither.
func (p *Problem) jeffreysQuadratic(in []float64, ev *glm.Evaluation) *Quadratic {
	if ev.Info == nil {
		return nil
	}
	r := ev.Info.Hessian
	if r == nil {
		r = ev.Info.Bound
	}
	if r == nil || !r.Regular() {
		return nil
	}
	q := &Quadratic{R: p.restrictToFree(r), information: ev.Info.R}
	q.z = q.R.SolveT(p.innerGradient(in, ev))
	if λ := q.decrement(); math.IsNaN(λ) || math.IsInf(λ, 0) {
		return nil
	}
	return q
}

// restrictToFree returns the factor of a quadratic form restricted to the free directions.
func (p *Problem) restrictToFree(r *linalg.Upper) *linalg.Upper {
	if p.Rank != nil {
		r, _ = r.Project(p.Rank.Free, make([]float64, r.N))
	}
	return r
}

// jeffreysNoise returns the length of the step, in standard errors, that rounding errors of the
// leverages can cause. A relative error of R changes a leverage by at most this error times the
// condition number of R.
func (n *newton) jeffreysNoise() float64 {
	if n.ev.Info == nil {
		return 0
	}
	r := n.ev.Info.R
	return 0x1p-53 * (float64(r.N) + r.Condition(r.Inverse())) * n.ev.Info.Noise
}

// blurredPenalty is the step length λ below which the rounding error of ln|H| can be larger than the
// decrease of the objective.
const blurredPenalty = 1e-5

// firstRegular evaluates the objective at point(0), point(1), … and returns the first of these
// points at which H is regular, and the objective there. If H is singular at all points, the
// objective is +Inf.
func (n *newton) firstRegular(point func(k int) []float64) (w []float64, e float64) {
	for k := range doublings {
		w = point(k)
		if _, e = n.Evaluate(w, glm.OnlyValue); !math.IsInf(e, 1) {
			break
		}
	}
	return w, e
}

// shortenStep takes a step in the descent direction d and shortens it until E decreases. It returns
// nil instead of a point only if the change in E is smaller than the rounding errors of E.
func (n *newton) shortenStep(d []float64) (w []float64, e float64) {
	for k := range 60 {
		w = pointAlong(n.out.W, d, math.Ldexp(1, -k))
		if _, e = n.Evaluate(w, glm.OnlyValue); e < n.e {
			return w, e
		}
	}
	return nil, n.e
}

// Fixed returns the problem in which the weight w_j, in the units of x, has the fixed value c. A
// solver of this problem starts near the inner weights `start`. It can change the weights only in
// the remaining free directions of p. Fixed returns nil if the activations do not determine w_j.
func (p *Problem) Fixed(j int, c float64, start []float64) *Problem {
	row := make([]float64, len(start))
	row[j] = 1
	row = p.Coord.Row(row)
	u := p.Rank.Restrict(row)
	lead := 0
	for i, v := range u {
		if math.Abs(v) > math.Abs(u[lead]) {
			lead = i
		}
	}
	if p.Rank != nil && linalg.Norm(mat.Row(nil, j, p.Rank.Null)) > 1e-8 {
		return nil
	}
	// A step in the direction `lead` changes w_j. The columns of `free` span the directions in
	// which a step does not change w_j.
	r := len(u)
	step, free := make([]float64, r), mat.NewDense(r, max(r-1, 1), nil)
	step[lead] = (c - linalg.Dot(row, start)) / u[lead]
	for k, i := 0, 0; i < r; i++ {
		if i != lead {
			free.Set(i, k, 1)
			free.Set(lead, k, -u[i]/u[lead])
			k++
		}
	}
	f := *p
	f.Start = pointAlong(start, p.Rank.Embed(step), 1)
	f.Rank = &linalg.Rank{R: r - 1, Free: p.Rank.EmbedColumns(free), Null: &mat.Dense{}}
	f.scratch, f.MayChangeStart, f.Proper, f.fixed = nil, false, true, true
	return &f
}
