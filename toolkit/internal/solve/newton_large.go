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

// With many rows a pass for H costs several times as much as a pass for ∇E alone, so few passes
// compute H. Newton's method starts at the optimum of a sample of the rows. It uses a factor of H
// for several steps (chords), first the factor of the sample. Where bounds are enough, they
// replace further passes. The promise of Converged is always checked on all rows.

const (
	manyRows         = 50_000
	sampleRuns       = 64  // runs of rows in a sample, evenly spaced
	sampleOf         = 16  // a sample has one row out of so many
	sampleTol        = 1   // λ in a sample: another sample is about √M standard errors away
	contracts        = 0.3 // largest share of λ that a chord may leave
	chordsPerHessian = 2   // chords in a row that cost no more than a new H
)

// many reports whether the problem has enough rows, and a Hessian that is a Gram matrix.
func (p *Problem) many() bool {
	n, _ := p.GLM.Design.Dims()
	return n >= manyRows && p.Convex && !p.precise && p.Moments() == glm.WithGram
}

// rehearsal is an estimate for all rows from a sample of them.
type rehearsal struct {
	w           []float64  // about the optimum of one row out of sampleOf
	q           *Quadratic // with about the H of all rows at w, without a gradient
	contraction float64    // in all rows the next λ is about this times λ²
	rate        float64    // about the share of λ that a step with q leaves
}

// sampled solves larger and larger samples, each from the optimum of the smaller one. It returns
// nil if Newton's method does not converge there at once.
func (p *Problem) sampled() *rehearsal {
	if !p.Warm || !p.many() || !p.Src.InMemory() || p.FreeRoot != nil {
		return nil
	}
	p.scratch = new(scratch) // for the samples, too
	var r *rehearsal
	rows, m := p.GLM.Design.Dims()
	for _, of := range []int{16 * sampleOf, 4 * sampleOf, sampleOf} {
		if rows/of < 40*m {
			continue
		}
		s := p.sample(of)
		if r != nil {
			s.Start = r.w
		}
		if r = s.settle(); r == nil {
			return nil
		}
		size, _ := s.GLM.Design.Dims()
		more := float64(rows) / float64(size)
		r.q.R = r.q.R.Scaled(math.Sqrt(more))
		r.contraction /= math.Sqrt(more)
		// The eigenvalues of H^−½·H_sample·H^−½ lie within about 1 ± 2√(M/n).
		r.rate = 2 * math.Sqrt(float64(r.q.R.N)/float64(size))
	}
	return r
}

// settle makes full Newton steps until λ is below sampleTol.
func (p *Problem) settle() *rehearsal {
	w := p.Start
	last, before := math.Inf(1), math.Inf(1)
	for range 15 {
		ev, e := p.Evaluate(w, glm.WithGram)
		q := p.quadratic(w, ev)
		ev.Gram.Spend()
		if q == nil || ev.Hard && ev.Margin > 0 || !(e <= last) {
			return nil
		}
		λ := q.decrement()
		contraction := λ / (before * before)
		w, last, before = along(w, p.direction(q), 1), e, λ
		if λ <= sampleTol {
			return &rehearsal{w: w, q: q, contraction: contraction}
		}
	}
	return nil
}

// sample returns the problem of one row out of so many, with a prior that is weaker by the same
// factor.
func (p *Problem) sample(of int) *Problem {
	n, _ := p.Src.Dims()
	index := block.Spread(n, n/of, sampleRuns)
	s := *p
	s.Src = block.NewSource(block.NewRowsView(p.Src, index))
	design := p.Coord.Design(s.Src)
	if many := p.GLM.Many; many != nil {
		s.GLM = glm.NewSoftmax(design, many.T.Rows(index))
	} else {
		t := make([]float64, len(index))
		for i, at := range index {
			t[i] = p.GLM.T[at]
		}
		s.GLM = glm.New(design, t, p.GLM.Loss)
	}
	if p.Prior == nil {
		return &s
	}
	share := math.Sqrt(float64(len(index)) / float64(n))
	prior := *p.Prior
	prior.Root = scaledRows(p.Prior.Root, share)
	s.Prior, s.Root = &prior, scaledRows(p.Root, share)
	return &s
}

func scaledRows(rows [][]float64, s float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		floats.Scale(s, out[i])
	}
	return out
}

// rehearse starts at the optimum of a sample, with chords of its H. It reports whether a sample
// was used and the iterate has everything that the next iteration needs.
func (n *newton) rehearse() bool {
	r := n.sampled()
	if r == nil {
		return false
	}
	n.out.W, n.contraction = r.w, r.contraction
	if r.rate > contracts {
		return false
	}
	if n.Early {
		n.GLM.Design.Inspect()
	}
	ev, e := n.Evaluate(r.w, glm.WithGradient)
	if n.Early && !n.confirm() {
		return false
	}
	n.record(r.w, ev, e)
	n.q = r.q
	n.q.z = n.q.R.SolveT(n.innerGradient(r.w, ev))
	n.λ = n.q.decrement()
	if !n.chordsOf(r.rate) {
		n.again()
	}
	n.it = n.steps()
	return true
}

// again evaluates the last iterate with second moments.
func (n *newton) again() {
	n.out.Trace = n.out.Trace[:len(n.out.Trace)-1]
	n.accept(n.out.W)
}

// chords makes steps w ← w − H⁻¹∇E(w) with the factor of H from an earlier iterate, if they save
// time. It reports whether it made any. The iterate then has second moments.
func (n *newton) chords() (moved bool) {
	return n.q != nil && n.lv == glm.WithGram && n.many() && n.chordsOf(n.contraction*n.λ)
}

// chordsOf is chords with the share of λ that each step is expected to leave. It continues as long
// as they do, and until the next iterate deserves an H of its own. The step to that iterate
// computes the H. The last step must stay within MaxIt.
func (n *newton) chordsOf(rate float64) (moved bool) {
	q, λ := n.q, n.λ
	for rate <= contracts && λ*rate > n.enough(λ, rate) && n.steps()+1 < n.MaxIt {
		w := along(n.out.W, n.direction(q), 1)
		ev, e := n.Evaluate(w, glm.WithGradient)
		if !(e <= n.e-sufficient*λ*λ+1e-13*math.Abs(n.e)) {
			rate = 1
			break
		}
		n.record(w, ev, e)
		n.it++
		moved = true
		next := *q
		next.z = q.R.SolveT(n.innerGradient(w, ev))
		shorter := next.decrement()
		q, λ, rate = &next, shorter, shorter/λ
	}
	if !moved {
		return false
	}
	if rate <= contracts {
		w := along(n.out.W, n.direction(q), 1)
		if ev, e := n.Evaluate(w, n.lv); e <= n.e+1e-13*math.Abs(n.e) {
			n.record(w, ev, e)
			return true
		}
	}
	n.it--
	n.again()
	return true
}

// enough returns the λ at which an iterate deserves an H of its own. If few chords lead to the
// last λ, it is the last λ. Otherwise it is a λ from which a Newton step and a chord lead to the
// last one: the step to contraction·λ², the chord to contraction·λ times that.
func (n *newton) enough(λ, rate float64) float64 {
	end := n.Tol / 4
	if λ*math.Pow(rate, chordsPerHessian+1) <= end {
		return end
	}
	return math.Max(end, math.Cbrt(n.Tol/(n.contraction*n.contraction)))
}

// widest bounds ‖φ‖ in every row: inner inputs are at most 2 in size, the bias is 1.
func (p *Problem) widest() float64 { return math.Sqrt(1 + 4*float64(len(p.Coord.Scale))) }

// surely reports whether bounds alone prove that the rounding of sums in float64 changes the
// Newton step by less than half of the digits required. Let γ = k·2⁻⁵³, where k is the number of
// additions and roundings from a term to its sum. The error of ∂E/∂w_j is at most
//
//	γ·Σ_n |e′_nφ_nj| ≤ γ·√(Σ e′_n²/e″_n)·√H_jj  (Cauchy and Schwarz),
//
// and for every class of a softmax the same with e″ = y_k(1−y_k). So with D = diag(√H_jj) the step
// moves by at most γ·√(Σ e′_n²/e″_n)·√M·‖D·R⁻¹‖. The rounding of the activations, sums in four
// parts or more, moves it by at most γ‖w‖max‖φ‖·√Σe″_n. With several activations a_k the
// posterior's variance of the rounded term replaces e″; it is at most the square of the largest.
// priorRounding bounds the prior's part.
func (n *newton) surely() bool {
	held, prior, ok := n.priorRounding(n.out.W)
	if n.q == nil || n.ev.Gram == nil || !ok {
		return false
	}
	rows, m := n.GLM.Design.Dims()
	size, contrast := 0, 1.0
	if many := n.GLM.Many; many != nil {
		size, contrast = many.Size(glm.WithGram), math.Sqrt2
	}
	inv := n.Rank.EmbedColumns(n.q.inverse())
	outer := n.Coord.Columns(inv)
	scaled := mat.DenseCopyOf(inv)
	for j := range n.GLM.M {
		floats.Scale(math.Sqrt(n.ev.Gram.At(j, j)), scaled.RawRowView(j))
	}
	w := linalg.Norm(n.out.W)
	far := 1 + linalg.Norm(n.Coord.Outer(n.out.W))
	sums := float64(block.SumDepth(rows, m, size)+m+8) * math.Sqrt((n.ev.Pearson+held)*float64(m))
	margins := float64(m/4+8) * n.widest() * w * math.Sqrt(n.ev.Bends)
	by := func(norm func(mat.Matrix) float64) bool {
		inner := norm(inv)
		z := prior + 0x1p-53*(sums*norm(scaled)+margins)
		return z*math.Max(1, math.Max(contrast*inner*n.widest(), math.Max(inner/(1+w), norm(outer)/far))) <= 0.5*n.digits()
	}
	// The closer bound takes about 9M³ operations, sums of 31 digits at least 50 NM.
	return by(longest) || rows > n.GLM.M*n.GLM.M && by(closely)
}
