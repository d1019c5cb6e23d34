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

// With many rows a pass for H costs several times one for ∇E alone, so few are made
// for H: Newton starts at the optimum of a sample of the rows, keeps a factor of H, that
// of the sample first, for some steps (chords), and takes bounds instead of further
// passes where they do. What Converged promises is measured on all rows as ever.

const (
	manyRows   = 50_000
	sampleRuns = 64  // a sample is as many runs of rows, evenly spaced
	sampleOf   = 16  // and one row out of so many
	rough      = 1   // λ in a sample: another sample is about √M standard errors away
	contracts  = 0.3 // share of λ that a chord must leave at most
	worth      = 2   // chords in a row that cost no more than an H made anew
)

// many reports whether the problem has rows enough, and a Hessian that is a Gram matrix.
func (p *Problem) many() bool {
	n, _ := p.GLM.Design.Dims()
	return n >= manyRows && p.Convex && !p.precise && p.Moments() == glm.WithGram
}

// rehearsal is what a sample of the rows tells of all of them.
type rehearsal struct {
	w    []float64  // about the optimum of one row out of sampleOf
	q    *Quadratic // with about the H of all rows there, without a gradient
	bend float64    // about the factor of λ² that the next λ is in all rows
	rate float64    // about the share of λ that a step with q leaves
}

// sampled takes sample after sample, each begun at the optimum of a smaller one. It
// returns nil where Newton's method does not settle there at once.
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
		r.bend /= math.Sqrt(more)
		// The eigenvalues of H^−½·H_sample·H^−½ lie within about 1 ± 2√(M/n).
		r.rate = 2 * math.Sqrt(float64(r.q.R.N)/float64(size))
	}
	return r
}

// settle makes full Newton steps until they are rough.
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
		bend := λ / (before * before)
		w, last, before = along(w, p.direction(q), 1), e, λ
		if λ <= rough {
			return &rehearsal{w: w, q: q, bend: bend}
		}
	}
	return nil
}

// sample is the problem of one row out of so many, with a prior as much weaker.
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

// rehearse begins at the optimum of a sample, with chords of its H. It reports whether
// there is a sample and the iterate has all that the next iteration needs.
func (n *newton) rehearse() bool {
	r := n.sampled()
	if r == nil {
		return false
	}
	n.out.W, n.bend = r.w, r.bend
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

// chords makes steps w ← w − H⁻¹∇E(w) with the factor of H from an iterate before, where
// they are worth it. It reports whether it has made any; the iterate then has second
// moments.
func (n *newton) chords() (moved bool) {
	return n.q != nil && n.lv == glm.WithGram && n.many() && n.chordsOf(n.bend*n.λ)
}

// chordsOf is chords where each is expected to leave that share of λ: as long as they
// do, and until the next iterate is worth an H of its own, with which the step to it is
// made; the last needs room within MaxIt.
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

// enough is the λ from which an iterate is worth an H of its own: the last one, if few
// chords lead there; else one from which a Newton step and a chord lead to it, the first
// to bend·λ² and the other to bend·λ times that.
func (n *newton) enough(λ, rate float64) float64 {
	end := n.Tol / 4
	if λ*math.Pow(rate, worth+1) <= end {
		return end
	}
	return math.Max(end, math.Cbrt(n.Tol/(n.bend*n.bend)))
}

// widest bounds ‖φ‖ in every row: inner inputs are at most 2 in size, the bias is 1.
func (p *Problem) widest() float64 { return math.Sqrt(1 + 4*float64(len(p.Coord.Scale))) }

// surely reports, by bounds alone, that the rounding of sums in float64 changes the
// Newton step by less than half of the digits asked for. With γ = k·2⁻⁵³, k the
// additions and roundings on the way of a term into its sum, the error of ∂E/∂w_j is at
// most
//
//	γ·Σ_n |e′_nφ_nj| ≤ γ·√(Σ e′_n²/e″_n)·√H_jj  (Cauchy and Schwarz),
//
// for every class of a softmax with e″ = y_k(1−y_k), so with D = diag(√H_jj) the step
// moves by γ·√(Σ e′_n²/e″_n)·√M·‖D·R⁻¹‖ at most, and by γ‖w‖max‖φ‖·√Σe″_n for the
// rounding of the activations, sums in four parts or more: of several activations a_k
// the posterior's variance of what is rounded takes the place of e″, at most the square
// of the largest. The prior's part is that of priorRounding.
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
	// The closer bound takes about 9M³ operations, sums of 31 digits 50 NM and more.
	return by(longest) || rows > n.GLM.M*n.GLM.M && by(closely)
}
