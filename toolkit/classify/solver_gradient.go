package classify

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

var _ Solver = GradientDescent{}

// GradientDescent takes steps down the gradient of all rows at once, Alpaydin
// (10.24), (10.33) and figures 10.6 and 10.8:
//
//	w ← w − η∇E(w) = w + η Σ_n (t_n − y_n)φ_n   (and the prior's part)
//
// The update of figure 10.8 is printed with x_i in place of x_j. One rate η for
// all weights suits columns of one scale: standardise the columns.
//
// An iteration is one such step; there are at most 10 000 unless the fit's
// options say otherwise. If the optimum is approached so that every step lowers
// the error, η is below 2 divided by the largest eigenvalue of ∇∇E; a fit whose
// error keeps rising says so in its Reason.
type GradientDescent struct {
	// Rate is η; 0 takes 1/L, L a bound of the largest eigenvalue of ∇∇E: every
	// step then lowers the error.
	Rate float64
	// SmallStart adds to every starting weight a number drawn from
	// [−0.01, 0.01] with Seed, as figure 10.6 begins.
	SmallStart bool
	Seed       uint64
	// Every is how often an iterate is recorded in the Trace: each Every-th, and
	// the last. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// Stop is early stopping.
	Stop Stopping
}

func (s GradientDescent) prepare(d, k int) (int, error) {
	if err := walkRate("GradientDescent.Rate", s.Rate); err != nil {
		return 0, err
	}
	if err := walkEvery("GradientDescent.Every", s.Every); err != nil {
		return 0, err
	}
	return 10_000, s.Stop.check(d, k)
}

func (s GradientDescent) solve(p *problem) *path {
	η := s.Rate
	if η == 0 {
		η = 1 / p.steepness()
	}
	w := p.coord.Outer(p.start)
	if s.SmallStart {
		w = walkSmallStart(w, s.Seed)
	}
	k := newWalk(p, "gradient descent", w, s.Stop, s.Every)
	for !k.done {
		w := make([]float64, len(k.w))
		floats.AddScaledTo(w, k.w, -η, k.grad)
		k.it++
		k.arrive(w)
	}
	return k.finish()
}

// steepness bounds the largest eigenvalue of ∇∇E in the coordinates of w, for
// all w.
func (p *problem) steepness() float64 {
	m := len(p.coord.Scale) + 1
	g := block.Reduce(p.glm.Design, 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
	// ΦᵀΦ from that of the inner coordinates: B⁻ᵀ·G′·B⁻¹.
	half := mat.NewDense(m, m, nil)
	for j := range m {
		col := make([]float64, m)
		for i := range col {
			col[i] = g.At(i, j)
		}
		half.SetRow(j, p.coord.Gradient(col))
	}
	full := mat.NewSymDense(m, nil)
	for j := range m {
		col := p.coord.Gradient(mat.Col(nil, j, half))
		if !walkFinite(col) {
			return math.Inf(1)
		}
		for i := 0; i <= j; i++ {
			full.SetSym(i, j, col[i])
		}
	}
	bound := mat.Trace(full)
	var eig mat.EigenSym
	if eig.Factorize(full, false) {
		bound = eig.Values(nil)[m-1]
	}
	return p.glm.Curvature()*bound + p.prior.largest()
}

// largest bounds the largest eigenvalue of the precision: no row of a matrix has
// a smaller sum of sizes.
func (g *gaussian) largest() float64 {
	if g == nil {
		return 0
	}
	var big float64
	diagonal, full := g.matrix()
	for _, v := range diagonal {
		big = math.Max(big, v)
	}
	for _, row := range full {
		var s float64
		for _, v := range row {
			s += math.Abs(v)
		}
		big = math.Max(big, s)
	}
	return big
}
