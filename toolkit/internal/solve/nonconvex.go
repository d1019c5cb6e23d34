package solve

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

// ExactPath is a path to a stationary point of an objective that is not convex.
type ExactPath struct {
	*Path
	Fit   *Problem
	Row   func(ε float64) func(a, t float64) glm.ExactRow
	Eps   float64 // a parameter of the loss, estimated if joint is set
	Joint bool
	Sums  *glm.ExactSums // at the end
	E     float64
}

// Exactly goes on from where a first phase with a second derivative that is never
// negative has ended: by Newton steps in w, and ε if it is estimated, with the
// exact Hessian, damped (Levenberg) where that is not positive definite or E would
// not fall.
func (f *Problem) Exactly(way *Path, row func(ε float64) func(a, t float64) glm.ExactRow, ε float64, joint bool) *ExactPath {
	n := &ExactPath{Path: way, Fit: f, Row: row, Eps: ε, Joint: joint}
	n.Converged, n.Quad = false, nil
	n.Sums = f.GLM.EvaluateExact(n.W, row(ε))
	n.E = n.Sums.E + f.Prior.Value(f.Coord.Outer(n.W))
	first := n.Trace[len(n.Trace)-1].Iteration
	last, damping := math.Inf(1), 0.0
	for it := 0; ; it++ {
		g, h := n.model()
		λ, near := math.Inf(1), false
		if r, _ := linalg.Cholesky(h.At, len(g)); r != nil {
			z := r.SolveT(g)
			λ, near = floats.Norm(z, 2), n.near(r.Solve(z))
		}
		short := it > 0 && λ <= f.Tol || λ <= rounding && λ > last/2
		if short && near {
			n.Converged = true
			n.Reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", first+it, λ)
			break
		}
		if short && !n.held() {
			n.Reason = fmt.Sprintf("not converged: stopped after %d iterations, where the Newton step is %.1g standard errors long but not short beside the weights", first+it, λ)
			break // far out on a tail, which judge takes for what it is
		}
		if it >= f.MaxIt {
			n.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d with the exact Hessian, the Newton step is still %.2g standard errors long", it, λ)
			break
		}
		last = λ
		if damping = n.advance(g, h, damping); damping > 1e12 {
			n.Reason = fmt.Sprintf("not converged: stopped after %d iterations, because no step lowers the objective", first+it)
			break
		}
		s := f.step(n.W, n.Sums.Evaluation, n.E)
		s.Iteration = first + it + 1
		n.Trace = append(n.Trace, s)
	}
	n.judge()
	return n
}

// near reports that a step in the free coordinates, ε last, is short beside the
// weights and the activations.
func (n *ExactPath) near(d []float64) bool {
	f, k := n.Fit, len(n.W)
	if f.Rank != nil {
		k = f.Rank.R
	}
	share := math.Max(1e-8, f.Tol)
	if len(d) > k && !(math.Abs(d[k]) <= share) {
		return false
	}
	d = d[:k]
	if f.Rank != nil {
		d = linalg.MulVec(f.Rank.Free, d)
	}
	return f.near(n.W, d, share)
}

// held reports that a prior makes E grow in every direction in the end.
func (n *ExactPath) held() bool { return n.Fit.Prior != nil && !n.Fit.Prior.Free }

// AtZero reports that ε is estimated and held at the edge.
func (n *ExactPath) AtZero() bool { return n.Joint && n.Eps == 0 && n.Sums.Eps >= 0 }

// model returns gradient and Hessian in the free coordinates, ε last if it is
// estimated and not held at 0.
func (n *ExactPath) model() ([]float64, *mat.SymDense) {
	f, s := n.Fit, n.Sums
	g := f.innerGradient(n.W, s.Evaluation)
	m := f.GLM.M
	full := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			full.SetSym(i, j, s.Plus.At(i, j)-s.Minus.At(i, j))
		}
	}
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
		if f.Rank != nil {
			d = linalg.MulVec(f.Rank.Free, d)
		}
		w := along(n.W, d, -1)
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
