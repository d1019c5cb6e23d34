package solve

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var _ Solver = GradientDescent{}

// GradientDescent is a solver. Each of its steps has the direction of the negative gradient of E,
// where E is the sum over all rows.
type GradientDescent struct {
	Rate       float64
	SmallStart bool
	Seed       uint64
	Every      int
	Stop       Stopping
}

func (s GradientDescent) Prepare(d, k int) (int, error) {
	return 10_000, cmp.Or(checkWalk("GradientDescent", s.Every, false, rate{"Rate", s.Rate}), s.Stop.validate(d, k))
}

func (s GradientDescent) Solve(p *Problem) *Path {
	η := s.Rate
	if η == 0 {
		η = 1 / p.steepness()
	}
	k := newSolverRun(p, "gradient descent", startOf(p, s.SmallStart, s.Seed), s.Stop, s.Every, false)
	for !k.done {
		w := make([]float64, len(k.w))
		floats.AddScaledTo(w, k.w, -η, k.grad)
		k.it++
		k.accept(k.evaluateAt(w))
	}
	return k.finish()
}

// steepness returns an upper bound on the largest eigenvalue of ∇∇E that holds for all w. For a loss
// without such a bound, the result is a guess (see glm.Likelihood.Curvature). If ΦᵀΦ overflows, it is
// +Inf. The derivatives are with respect to the weights w in the units of x.
func (p *Problem) steepness() float64 {
	m := len(p.Coord.Scale) + 1
	full := p.Coord.Form(linalg.GramOf(p.GLM.Design).Sym(m)) // ΦᵀΦ
	if !linalg.AllFinite(full.RawMatrix().Data) {
		return math.Inf(1)
	}
	bound := mat.Trace(full)
	var eig mat.EigenSym
	if eig.Factorize(linalg.SymOf(m, full.At), false) {
		bound = eig.Values(nil)[m-1]
	}
	return p.GLM.Curvature()*bound + p.Prior.Largest()
}
