package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

var _ Solver = GradientDescent{}

// GradientDescent takes steps down the gradient of all rows.
type GradientDescent struct {
	Rate       float64
	SmallStart bool
	Seed       uint64
	Every      int
	Stop       Stopping
}

func (s GradientDescent) Prepare(d, k int) (int, error) {
	if err := walkRate("GradientDescent.Rate", s.Rate); err != nil {
		return 0, err
	}
	if err := walkEvery("GradientDescent.Every", s.Every); err != nil {
		return 0, err
	}
	return 10_000, s.Stop.check(d, k)
}

func (s GradientDescent) Solve(p *Problem) *Path {
	η := s.Rate
	if η == 0 {
		η = 1 / p.steepness()
	}
	w := p.Coord.Outer(p.Start)
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
func (p *Problem) steepness() float64 {
	m := len(p.Coord.Scale) + 1
	g := block.Reduce(p.GLM.Design, 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
	// ΦᵀΦ from that of the inner coordinates: B⁻ᵀ·G′·B⁻¹.
	half := mat.NewDense(m, m, nil)
	for j := range m {
		col := make([]float64, m)
		for i := range col {
			col[i] = g.At(i, j)
		}
		half.SetRow(j, p.Coord.Gradient(col))
	}
	full := mat.NewSymDense(m, nil)
	for j := range m {
		col := p.Coord.Gradient(mat.Col(nil, j, half))
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
	return p.GLM.Curvature()*bound + p.Prior.Largest()
}
