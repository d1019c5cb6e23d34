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
// for H: Newton starts at the optimum of a sample of the rows, keeps a factor of H for
// some steps (chords), and takes bounds instead of further passes where they do. What
// Converged promises is measured on all rows as ever.

const (
	manyRows   = 50_000
	sampleRuns = 64   // a sample is as many runs of rows, evenly spaced
	sampleOf   = 16   // and one row out of so many
	rough      = 1    // λ in a sample: another sample is about √M standard errors away
	contracts  = 0.1  // share of λ that a chord must leave at most
	lastChord  = 1e-3 // λ from which a step with H made anew is the last but for rounding
)

// many reports whether the problem has rows enough, in memory, and a Hessian that is a
// Gram matrix.
func (p *Problem) many() bool {
	n, _ := p.GLM.Design.Dims()
	return n >= manyRows && p.Src.InMemory() && p.Convex && !p.precise && p.Moments() == glm.WithGram
}

// sampled returns a start for Newton's method: about the optimum of one row out of
// sampleOf, itself begun at that of fewer; or nil where Newton's method does not settle
// there at once. bend is about the factor of λ² that the next λ is in all rows.
func (p *Problem) sampled() (w []float64, bend float64) {
	if !p.Warm || !p.many() || p.FreeRoot != nil {
		return nil, 0
	}
	rows, m := p.GLM.Design.Dims()
	for _, of := range []int{16 * sampleOf, 4 * sampleOf, sampleOf} {
		if rows/of < 40*m {
			continue
		}
		s := p.sample(of)
		if w != nil {
			s.Start = w
		}
		if w, bend = s.settle(); w == nil {
			return nil, 0
		}
		bend /= math.Sqrt(float64(of))
	}
	return w, bend
}

// settle makes full Newton steps until they are rough.
func (p *Problem) settle() (w []float64, bend float64) {
	w = p.Start
	last, before := math.Inf(1), math.Inf(1)
	for range 15 {
		ev, e := p.Evaluate(w, glm.WithGram)
		q := p.quadratic(w, ev)
		if q == nil || ev.Hard && ev.Margin > 0 || !(e <= last) {
			return nil, 0
		}
		λ := q.decrement()
		bend = λ / (before * before)
		w, last, before = along(w, p.direction(q), 1), e, λ
		if λ <= rough {
			return w, bend
		}
	}
	return nil, 0
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

// chords makes steps w ← w − H⁻¹∇E(w) with the factor of H from an iterate before, as
// long as each shortens the next by much, then takes H anew. It reports whether it has
// made any.
func (n *newton) chords() (moved bool) {
	if n.q == nil || n.lv != glm.WithGram || !n.many() || n.λ <= lastChord || !(n.bend*n.λ <= contracts) {
		return false
	}
	q, λ, ratio := n.q, n.λ, 1.0
	for n.steps() < n.MaxIt && λ*ratio > lastChord {
		w := along(n.out.W, n.direction(q), 1)
		ev, e := n.Evaluate(w, glm.WithGradient)
		if !(e <= n.e-sufficient*λ*λ+1e-13*math.Abs(n.e)) {
			break
		}
		n.record(w, ev, e)
		moved = true
		next := *q
		next.z = q.R.SolveT(n.innerGradient(w, ev))
		shorter := next.decrement()
		if ratio = shorter / λ; !(ratio < contracts) {
			break
		}
		q, λ = &next, shorter
		n.it++
	}
	if !moved {
		return false
	}
	// The last step is made with the H that the next iteration needs, if it is one.
	if λ*ratio <= lastChord && ratio < contracts {
		w := along(n.out.W, n.direction(q), 1)
		if ev, e := n.Evaluate(w, n.lv); e <= n.e+1e-13*math.Abs(n.e) {
			n.record(w, ev, e)
			return true
		}
	}
	n.out.Trace = n.out.Trace[:len(n.out.Trace)-1]
	n.accept(n.out.W)
	return true
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
// so with D = diag(√H_jj) the step moves by γ·√(Σ e′_n²/e″_n)·√M·‖D·R⁻¹‖ at most, and
// by γ‖w‖max‖φ‖·√Σe″_n for the rounding of the activations, sums in four parts or more. Of a matrix A, ‖A‖² is at most
// the product of its largest sums of a column and of a row.
func (n *newton) surely() bool {
	if n.GLM.Many != nil || !n.many() || n.q == nil || n.ev.Gram == nil {
		return false
	}
	rows, m := n.GLM.Design.Dims()
	inv := n.Rank.EmbedColumns(n.q.R.Inverse())
	inner, outer := mat.Norm(inv, 2), mat.Norm(n.Coord.Columns(inv), 2)
	scaled := mat.DenseCopyOf(inv)
	for j := range m {
		floats.Scale(math.Sqrt(n.ev.Gram.At(j, j)), scaled.RawRowView(j))
	}
	spread := math.Sqrt(float64(m) * mat.Norm(scaled, 1) * mat.Norm(scaled, math.Inf(1)))
	w := linalg.Norm(n.out.W)
	z := 0x1p-53 * (float64(block.SumDepth(rows, m)+8)*math.Sqrt(n.ev.Pearson)*spread +
		float64(m/4+8)*n.widest()*w*math.Sqrt(n.ev.Bends))
	far := 1 + linalg.Norm(n.Coord.Outer(n.out.W))
	return z*math.Max(1, math.Max(inner*n.widest(), math.Max(inner/(1+w), outer/far))) <= 0.5*n.digits()
}
