package solve

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Quadratic is a quadratic model of the objective at an iterate. With H = RᵀR, the Newton step is
// −R⁻¹z, where z = R⁻ᵀ∇E. If the problem has a Rank, R and z are in the free coordinates that Rank
// defines.
type Quadratic struct {
	R *linalg.Upper
	z []float64
	// The fields `shift` and `shiftLength` are set only if the problem has a FreeRoot. Only the
	// prior determines the part of w outside the free coordinates: `shift` is this part, and `shiftLength`
	// is its length in standard errors.
	shift       []float64
	shiftLength float64

	inv         *mat.Dense    // R⁻¹; nil until inverse is called
	information *linalg.Upper // factor of the Fisher information with Jeffreys' prior; nil without this prior
}

// AtOptimum returns the quadratic model with the factor r and a Newton step of length 0.
func AtOptimum(r *linalg.Upper) *Quadratic { return &Quadratic{R: r, z: make([]float64, r.N)} }

// inverse returns R⁻¹. Callers must not change the result.
func (q *Quadratic) inverse() *mat.Dense {
	if q.inv == nil {
		q.inv = q.R.Inverse()
	}
	return q.inv
}

// decrement returns λ = √(∇Eᵀ H⁻¹ ∇E), the length of the Newton step in standard errors of the
// weights.
func (q *Quadratic) decrement() float64 { return math.Hypot(floats.Norm(q.z, 2), q.shiftLength) }

// quadratic computes the quadratic model of the objective from an evaluation that includes second
// moments. It returns nil if H is singular in double precision, if a Gram matrix is too ill
// conditioned, or if the length of the Newton step is not finite.
func (p *Problem) quadratic(in []float64, ev *glm.Evaluation) *Quadratic {
	if p.Jeffreys {
		return p.jeffreysQuadratic(in, ev)
	}
	u := p.Residual(in)
	g := p.innerGradient(in, ev)
	var q *Quadratic
	if ev.Tri != nil {
		q = p.fromTriangle(ev, u)
	} else {
		q = p.fromGram(ev, g)
	}
	if q == nil || !q.R.Regular() {
		return nil
	}
	if ev.Tri != nil && (ev.Steepest > 1e6 || p.precise) {
		// If a row lies far on the wrong side of the boundary, e″ is nearly 0 and e′/√e″ is very
		// large. The z of the triangular factor has then lost the digits of the other rows. If the
		// precise gradient is in use, this z lacks the additional digits of that gradient. In both
		// cases z is computed from the gradient.
		q.z = q.R.SolveT(g)
	}
	if p.FreeRoot != nil {
		// If the prior does not penalise the biases, Shortest removes their common shift.
		q.shift = p.Rank.Shortest(commonShift(in, p.GLM.Many.K))
		for _, row := range p.Root {
			q.shiftLength = math.Hypot(q.shiftLength, linalg.Dot(row, q.shift))
		}
	}
	if λ := q.decrement(); math.IsNaN(λ) || math.IsInf(λ, 0) {
		return nil
	}
	return q
}

// commonShift returns K copies of the mean of the weights of the K classes, one after the other. In
// the free coordinates the weights of all classes add up to 0, so the result is the part of the
// vector `in` outside the free coordinates. The difference of `in` and Embed(Restrict(in)) is the
// same part, but with a different rounding error for every class.
func commonShift(in []float64, k int) []float64 {
	m := len(in) / k
	mean := make([]float64, len(in))
	for i := range m {
		for j := i; j < len(in); j += m {
			mean[i] += in[j] / float64(k)
		}
	}
	for j := m; j < len(in); j += m {
		copy(mean[j:], mean[:m])
	}
	return mean
}

// fromTriangle adds the prior's rows to the triangular factor of the likelihood's rows, and returns
// the quadratic model.
func (p *Problem) fromTriangle(ev *glm.Evaluation, u []float64) *Quadratic {
	if p.FreeRoot == nil {
		for i, row := range p.Root {
			ev.Tri.AddRow(append(slices.Clone(row), u[i]))
		}
	}
	q := factorOf(ev.Tri, p.GLM.M)
	if p.Rank != nil {
		q.R, q.z = q.R.Project(p.Rank.Free, q.z)
	}
	if p.FreeRoot == nil {
		return q
	}
	t := block.NewTriangle(p.Rank.R + 1)
	for i, z := range q.z {
		t.AddRow(append(slices.Clone(q.R.A[i*q.R.N:(i+1)*q.R.N]), z))
	}
	for i, row := range p.FreeRoot {
		t.AddRow(append(slices.Clone(row), u[i]))
	}
	return factorOf(t, p.Rank.R)
}

// factorOf returns the quadratic model with the R and z that a triangular factor contains. Column m
// of the triangular factor is z.
func factorOf(t *block.Triangle, m int) *Quadratic {
	q := &Quadratic{R: linalg.Leading(t, m), z: make([]float64, m)}
	for i := range q.z {
		q.z[i] = t.At(i, m)
	}
	return q
}

// scratch is memory that fromGram reuses for every Hessian of a problem that has a prior or a Rank.
type scratch struct {
	all  *mat.SymDense // in all coordinates
	free mat.Dense     // scratch memory in the free coordinates
}

// fromGram factorises the sum of the Gram matrix and the prior's precision, and returns the
// quadratic model. It returns nil if the sum is not well conditioned.
func (p *Problem) fromGram(ev *glm.Evaluation, g []float64) *Quadratic {
	n, h := p.GLM.M, ev.Gram.At
	if p.Prior != nil || p.Rank != nil {
		if p.scratch == nil {
			p.scratch = new(scratch)
		}
		if p.scratch.all == nil {
			p.scratch.all = mat.NewSymDense(n, nil)
		}
		s, f := p.scratch.all, &p.scratch.free
		ev.Gram.SymTo(s)
		if p.FreeRoot == nil {
			glm.AddSquares(s, p.Root)
		}
		h = s.At
		if p.Rank != nil {
			f.Product(p.Rank.Free.T(), s, p.Rank.Free)
			n, h = p.Rank.R, func(i, j int) float64 { return f.At(i, j)/2 + f.At(j, i)/2 }
		}
		if p.FreeRoot != nil {
			s = linalg.SymOf(n, h)
			glm.AddSquares(s, p.FreeRoot)
			h = s.At
		}
	}
	r, pivot := linalg.Cholesky(h, n)
	if r == nil || pivot < linalg.WellConditioned {
		return nil
	}
	return &Quadratic{R: r, z: r.SolveT(g)}
}

// fullGradient returns ∇E in all inner coordinates, even if columns are linearly dependent.
func (p *Problem) fullGradient(in []float64, ev *glm.Evaluation) []float64 {
	if p.precise {
		return p.preciseGradient(in)
	}
	g := slices.Clone(ev.Grad)
	if p.Prior != nil {
		addRows(g, p.Prior.Residual(p.Coord.Outer(in)), p.Root)
	}
	return g
}

// innerGradient returns ∇E in the free coordinates that Rank defines.
func (p *Problem) innerGradient(in []float64, ev *glm.Evaluation) []float64 {
	if p.precise || p.FreeRoot == nil {
		return p.Rank.Restrict(p.fullGradient(in, ev))
	}
	g := p.Rank.Restrict(ev.Grad)
	addRows(g, p.Residual(in), p.FreeRoot)
	return g
}

// addRows adds Σ u_i·row_i to g.
func addRows(g, u []float64, rows [][]float64) {
	for i, v := range u {
		floats.AddScaled(g, v, rows[i])
	}
}

// boundFactor returns the triangular factor of an upper bound on the Hessian of the objective at all
// weights. This bound is S0⁻¹ plus an upper bound on the Hessian of the likelihood, for example ¼ΦᵀΦ for
// the logistic loss. If the curvature of the loss has no upper bound, the part of the likelihood is only
// a guess (see glm.Likelihood.Bound). If p.Rank is not nil, the factor is for the free coordinates.
func (p *Problem) boundFactor() *linalg.Upper {
	m := p.GLM.M
	t := p.GLM.Bound()
	for _, row := range p.Root {
		t.AddRow(row)
	}
	r := linalg.Leading(t, m)
	if p.Rank != nil {
		r, _ = r.Project(p.Rank.Free, make([]float64, m))
	}
	return r
}

// Covariance returns the inverse Hessian for the weights w in the units of x, which is
// B·R⁻¹(B·R⁻¹)ᵀ (for B see linalg.Coordinates). With Jeffreys' prior it returns the inverse of the
// Fisher information.
func (p *Problem) Covariance(q *Quadratic) *mat.SymDense {
	if q.information != nil {
		return linalg.Squared(p.Coord.Columns(q.information.Inverse()))
	}
	return linalg.Squared(p.Coord.Columns(q.inverse()))
}
