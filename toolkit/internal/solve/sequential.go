package solve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var _ Solver = Sequential{}

// Sequential is a solver that changes the weights after each row.
type Sequential struct {
	Rate        float64
	Decay       float64
	Corrected   bool
	Shuffle     bool
	SmallStart  bool
	Seed        uint64
	Every       int
	EveryUpdate bool
	Stop        Stopping
}

func (s Sequential) Prepare(d, k int) (int, error) {
	return 1000, cmp.Or(checkWalk("Sequential", s.Every, s.EveryUpdate, rate{"Rate", s.Rate}, rate{"Decay", s.Decay}),
		s.Stop.validate(d, k))
}

func (s Sequential) Solve(p *Problem) *Path {
	k := newSolverRun(p, "sequential descent", startOf(p, s.SmallStart, s.Seed), s.Stop, s.Every, s.EveryUpdate)
	k.noisy = true
	q := newSolverRows(p)
	η := s.Rate
	if η == 0 {
		η = 1 / (3 * q.largestCurvature(p))
	}
	order := make([]int, q.n)
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(s.Seed, 322))
	var memory *sagaMemory
	if s.Corrected {
		memory = &sagaMemory{make([]float64, q.n*q.k), make([]float64, q.m*q.k), make([]float64, q.k)}
	}
	for !k.done {
		if s.Shuffle {
			rng.Shuffle(q.n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		now := η / (1 + s.Decay*float64(k.it))
		w := slices.Clone(k.w)
		for at, i := range order {
			d := q.rowErrors(i, w)
			q.addPriorGradient(w, -now/float64(q.n))
			if s.Corrected {
				memory.step(q, i, w, now, d)
			} else {
				q.addToWeights(w, -now, d)
			}
			if s.EveryUpdate && at < q.n-1 && linalg.AllFinite(w) {
				k.recordUpdate(w)
			}
		}
		k.it++
		k.accept(k.evaluateAt(w))
	}
	if !k.out.Converged && k.out.Direction == nil && !k.early && !s.Corrected && s.Decay == 0 && k.it >= k.MaxIt && !math.IsInf(k.λ, 0) {
		k.out.Reason += "; with a constant rate the iterates jump around the optimum: lower Rate, set Decay, or set Corrected"
	}
	return k.finish()
}

// sagaMemory contains the last computed error of every row, and the mean of the gradients that
// these errors give.
type sagaMemory struct {
	errors, mean []float64
	change       []float64
}

func (g *sagaMemory) step(q *solverRows, i int, w []float64, η float64, d []float64) {
	old := g.errors[i*q.k : (i+1)*q.k]
	floats.SubTo(g.change, d, old)
	q.addToWeights(w, -η, g.change)
	floats.AddScaled(w, -η, g.mean)
	q.addToWeights(g.mean, 1/float64(q.n), g.change)
	copy(old, d)
}
