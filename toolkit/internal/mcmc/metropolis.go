package mcmc

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// metropolis is the Metropolis algorithm. The proposal z* = z + s·N(0, I) is accepted with
// probability min(1, p(z*)/p(z)), and otherwise z counts once more. gonum's sampler makes the
// moves.
type metropolis struct {
	e      *eval
	rng    *rand.Rand
	s      float64
	target float64
}

const (
	metropolisBatch = 20  // moves between two changes of the step size
	metropolisGain  = 3.0 // gain of the first change; the gain of the k-th is k^-0.6 times this
)

// newMetropolis starts with the best step for a Gaussian posterior of m weights.
func newMetropolis(e *eval, rng *rand.Rand, target float64) *metropolis {
	return &metropolis{e, rng, 2.38 / math.Sqrt(float64(e.M)), target}
}

// ConditionalRand draws a proposal from z.
func (k *metropolis) ConditionalRand(to, z []float64) []float64 {
	for i, v := range z {
		to[i] = v + k.s*k.rng.NormFloat64()
	}
	return to
}

// ConditionalLogProb of a symmetric proposal cancels.
func (k *metropolis) ConditionalLogProb(_, _ []float64) float64 { return 0 }

func (k *metropolis) run(z *mat.Dense, start []float64) float64 {
	samplemv.MetropolisHastingser{Initial: start, Target: k.e, Proposal: k, Src: k.rng}.Sample(z)
	n, _ := z.Dims()
	moved, last := 0, start
	for i := range n {
		if row := z.RawRowView(i); !slices.Equal(row, last) {
			moved++
			last = row
		}
	}
	return float64(moved) / float64(n)
}

// warm adapts ln s by a stochastic approximation (Robbins and Monro): by the difference between
// the share accepted and the target, with a decreasing gain.
func (k *metropolis) warm(z []float64, n int) {
	for batch := 1; n > 0; batch++ {
		b := mat.NewDense(min(n, metropolisBatch), len(z), nil)
		accepted := k.run(b, z)
		rows, _ := b.Dims()
		copy(z, b.RawRowView(rows-1))
		k.s *= kernels.Exp(metropolisGain * math.Pow(float64(batch), -0.6) * (accepted - k.target))
		n -= rows
	}
}

func (k *metropolis) size() (float64, int) { return k.s, 0 }
