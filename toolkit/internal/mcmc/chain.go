package mcmc

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ChainOptions are the options of a chain: random walk or Hamiltonian, the numbers of draws kept
// and of draws before them, and the share of proposals to accept.
type ChainOptions struct {
	Walk          bool
	Draws, Warmup int
	Target        float64
	Seed          uint64
}

const (
	chainStream = 4500 // of the generators; chain c uses chainStream + c
	wideStart   = 2    // standard deviation of the starts in z
)

// Run is one chain.
type Run struct {
	Draws    *mat.Dense
	LogP     []float64
	Accepted float64
	Step     float64
	Lost     int
}

// transitions are the moves of a sampler in the coordinates z.
type transitions interface {
	// run makes as many moves as z has rows, starting at start, writes each to its row, and
	// returns the mean acceptance.
	run(z *mat.Dense, start []float64) (accepted float64)
	// warm makes n moves that adapt the step size, and writes the last to z.
	warm(z []float64, n int)
	// size returns the step size, and how many trajectories were lost since warm.
	size() (step float64, lost int)
}

// Chain runs chain c.
func (s *Target) Chain(o ChainOptions, c int) Run {
	rng := rand.New(rand.NewPCG(o.Seed, chainStream+uint64(c)))
	z := make([]float64, s.M)
	for i := range z {
		z[i] = wideStart * rng.NormFloat64()
	}
	var k transitions
	e := s.evaluator()
	if o.Walk {
		k = newMetropolis(e, rng, o.Target)
	} else {
		k = newLeapfrog(e, rng, o.Target)
	}
	k.warm(z, o.Warmup)
	draws := mat.NewDense(o.Draws, s.M, nil)
	r := Run{Draws: draws, LogP: make([]float64, o.Draws)}
	r.Accepted = k.run(draws, z)
	r.Step, r.Lost = k.size()
	for i := range o.Draws {
		row := draws.RawRowView(i)
		if i > 0 && slices.Equal(row, z) {
			r.LogP[i] = r.LogP[i-1]
		} else {
			r.LogP[i] = e.at(row, nil)
		}
		copy(z, row)
		copy(row, s.Coord.Outer(e.inner(row)))
	}
	return r
}
