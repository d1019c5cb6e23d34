package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// noCurvature is how small the curvature along a direction may be, as a share of what
// the logistic loss can have at most, before the direction counts as having none.
const noCurvature = 1e-12

// exactPath is a path to a stationary point of an objective that is not convex.
type exactPath struct {
	*path
	fit   *estimateFit
	row   func(ε float64) func(a, t float64) glm.ExactRow
	ε     float64 // a parameter of the loss, estimated if joint is set
	joint bool
	sums  *glm.ExactSums // at the end
	e     float64
}

// exactly goes on from where a first phase with a second derivative that is never
// negative has ended: by Newton steps in w, and ε if it is estimated, with the
// exact Hessian, damped (Levenberg) where that is not positive definite or E would
// not fall.
func (f *estimateFit) exactly(way *path, row func(ε float64) func(a, t float64) glm.ExactRow, ε float64, joint bool) *exactPath {
	n := &exactPath{path: way, fit: f, row: row, ε: ε, joint: joint}
	n.converged, n.quad = false, nil
	n.sums = f.glm.EvaluateExact(n.w, row(ε))
	n.e = n.sums.E + f.prior.value(f.coord.Outer(n.w))
	first := n.trace[len(n.trace)-1].Iteration
	last, damping := math.Inf(1), 0.0
	for it := 0; ; it++ {
		g, h := n.model()
		λ, near := math.Inf(1), false
		if r, _ := linalg.Cholesky(h.At, len(g)); r != nil {
			z := r.SolveT(g)
			λ, near = floats.Norm(z, 2), n.near(r.Solve(z))
		}
		short := it > 0 && λ <= f.tol || λ <= rounding && λ > last/2
		if short && near {
			n.converged = true
			n.reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", first+it, λ)
			break
		}
		if short && !n.held() {
			n.reason = fmt.Sprintf("not converged: stopped after %d iterations, where the Newton step is %.1g standard errors long but not short beside the weights", first+it, λ)
			break // far out on a tail, which judge takes for what it is
		}
		if it >= f.maxIt {
			n.reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d with the exact Hessian, the Newton step is still %.2g standard errors long", it, λ)
			break
		}
		last = λ
		if damping = n.advance(g, h, damping); damping > 1e12 {
			n.reason = fmt.Sprintf("not converged: stopped after %d iterations, because no step lowers the objective", first+it)
			break
		}
		s := f.step(n.w, n.sums.Evaluation, n.e)
		s.Iteration = first + it + 1
		n.trace = append(n.trace, s)
	}
	n.judge()
	return n
}

// near reports that a step in the free coordinates, ε last, is short beside the
// weights and the activations.
func (n *exactPath) near(d []float64) bool {
	f, k := n.fit, len(n.w)
	if f.rank != nil {
		k = f.rank.R
	}
	share := math.Max(1e-8, f.tol)
	if len(d) > k && !(math.Abs(d[k]) <= share) {
		return false
	}
	d = d[:k]
	if f.rank != nil {
		d = linalg.MulVec(f.rank.Free, d)
	}
	return f.near(n.w, d, share)
}

// held reports that a prior makes E grow in every direction in the end.
func (n *exactPath) held() bool { return n.fit.prior != nil && !n.fit.prior.free }

// atZero reports that ε is estimated and held at the edge.
func (n *exactPath) atZero() bool { return n.joint && n.ε == 0 && n.sums.Eps >= 0 }

// model returns gradient and Hessian in the free coordinates, ε last if it is
// estimated and not held at 0.
func (n *exactPath) model() ([]float64, *mat.SymDense) {
	f, s := n.fit, n.sums
	g := f.innerGradient(n.w, s.Evaluation)
	m := f.glm.M
	full := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			full.SetSym(i, j, s.Plus.At(i, j)-s.Minus.At(i, j))
		}
	}
	addSquares(full, f.root)
	mixed := s.AEps
	if f.rank != nil {
		var a, b mat.Dense
		a.Mul(full, f.rank.Free)
		b.Mul(f.rank.Free.T(), &a)
		full = linalg.Symmetrised(&b)
		mixed = linalg.MulVecT(f.rank.Free, mixed)
	}
	if !n.joint || n.atZero() {
		return g, full
	}
	k := len(g)
	h := mat.NewSymDense(k+1, nil)
	for i := range k {
		for j := i; j < k; j++ {
			h.SetSym(i, j, full.At(i, j))
		}
		h.SetSym(i, k, mixed[i])
	}
	h.SetSym(k, k, s.EpsEps)
	return append(g, s.Eps), h
}

// advance takes the first step that does not raise E, of ever more damped ones,
// and returns the damping to begin with the next time.
func (n *exactPath) advance(g []float64, h *mat.SymDense, damping float64) float64 {
	f := n.fit
	slack := 1e-13 * math.Abs(n.e)
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
		ε := n.ε
		if n.joint && !n.atZero() {
			ε = math.Min(math.Max(ε-d[len(d)-1], 0), 0.5-1e-9)
			d = d[:len(d)-1]
		}
		if f.rank != nil {
			d = linalg.MulVec(f.rank.Free, d)
		}
		w := along(n.w, d, -1)
		s := f.glm.EvaluateExact(w, n.row(ε))
		e := s.E + f.prior.value(f.coord.Outer(w))
		if !(e <= n.e+slack) {
			continue
		}
		n.w, n.ε, n.sums, n.e = w, ε, s, e
		if damping < 1e-2 {
			return 0
		}
		return damping / 10
	}
	return damping
}
