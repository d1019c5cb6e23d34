package mcmc

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// ChainOptions are the options of a Markov chain. They select random-walk moves or Hamiltonian
// moves. They also set the number of draws to keep, the number of warm-up draws before these, and
// the target acceptance rate.
type ChainOptions struct {
	Walk          bool
	Draws, Warmup int
	Target        float64
	Seed          uint64
}

const (
	chainStream = 4500 // number of the first random stream; chain c uses stream chainStream + c
	wideStart   = 2    // standard deviation of the starting points, in the coordinates z
)

// Run is the result of one Markov chain.
type Run struct {
	Draws    *mat.Dense
	LogP     []float64
	Accepted float64
	Step     float64
	Lost     int
}

// transitions describes a sampler that makes moves in the coordinates z.
type transitions interface {
	// run makes one move for each row of z. The first move begins at `start`. run writes the point
	// after each move to the row of z for this move. It returns the acceptance rate, which is the
	// fraction of accepted moves or the mean acceptance probability.
	run(z *mat.Dense, start []float64) (accepted float64)
	// warmUp starts at z and makes n moves that adapt the step size. It writes the last point to z.
	warmUp(z []float64, n int)
	// size returns the step size. It also returns how many trajectories since the end of warmUp had
	// a large energy error.
	size() (step float64, lost int)
}

// Chain draws the Markov chain with index c. Its random numbers depend only on the seed and on c.
func (s *Target) Chain(o ChainOptions, c int) Run {
	rng := rand.New(rand.NewPCG(o.Seed, chainStream+uint64(c)))
	z := make([]float64, s.M)
	for i := range z {
		z[i] = wideStart * rng.NormFloat64()
	}
	var k transitions
	e := s.newEvaluator()
	if o.Walk {
		k = newMetropolis(e, rng, o.Target)
	} else {
		k = newLeapfrog(e, rng, o.Target)
	}
	k.warmUp(z, o.Warmup)
	draws := mat.NewDense(o.Draws, s.M, nil)
	r := Run{Draws: draws, LogP: make([]float64, o.Draws)}
	r.Accepted = k.run(draws, z)
	r.Step, r.Lost = k.size()
	for i := range o.Draws {
		row := draws.RawRowView(i)
		if i > 0 && slices.Equal(row, z) {
			r.LogP[i] = r.LogP[i-1]
		} else {
			r.LogP[i] = e.logTarget(row, nil)
		}
		copy(z, row)
		copy(row, s.Coord.Outer(e.innerWeights(row)))
	}
	return r
}

// metropolis is the Metropolis algorithm. It accepts the proposal z* = z + s·N(0, I) with
// probability min(1, p(z*)/p(z)). If it rejects z*, the chain repeats z. gonum's sampler makes the
// moves.
type metropolis struct {
	e      *evaluator
	rng    *rand.Rand
	s      float64
	target float64
}

const (
	metropolisBatch = 20  // number of moves between two changes in the step size
	metropolisGain  = 3.0 // gain of the first change in ln s; the gain of change k is this number times k^-0.6
)

// newMetropolis returns a sampler. The initial step size is the best step size for a Gaussian
// posterior of e.M weights.
func newMetropolis(e *evaluator, rng *rand.Rand, target float64) *metropolis {
	return &metropolis{e, rng, 2.38 / math.Sqrt(float64(e.M)), target}
}

// ConditionalRand draws a proposal, given the current point z.
func (k *metropolis) ConditionalRand(to, z []float64) []float64 {
	for i, v := range z {
		to[i] = v + k.s*k.rng.NormFloat64()
	}
	return to
}

// ConditionalLogProb returns 0, because the two conditional probabilities of a symmetric proposal
// cancel.
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

// warmUp adapts ln s with the stochastic approximation of Robbins and Monro. In each change it
// computes the acceptance rate minus the target rate, and multiplies this difference by a gain. It
// then adds the product to ln s. The gain decreases from change to change.
func (k *metropolis) warmUp(z []float64, n int) {
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

// leapfrog is Hamiltonian Monte Carlo. With momenta p ~ N(0, I) and the energy H = −ln p(z|t) +
// ½‖p‖², the steps
//
//	p ← p + ½ε∇ln p(z|t), z ← z + εp, p ← p + ½ε∇ln p(z|t)
//
// conserve H except for an error of order ε². The end of a trajectory is accepted with probability
// min(1, exp(−ΔH)). For a Gaussian N(0, I), the end of a trajectory of length π/2 (a quarter of a
// circle) is independent of its start. The lengths are random numbers between π/4 and 3π/4, rounded
// up to whole steps, because with a fixed length a component of z could return to its start in every
// trajectory. The lengths are shorter if the number of steps would exceed leapSteps.
type leapfrog struct {
	e       *evaluator
	rng     *rand.Rand
	ε       float64
	target  float64
	lost    int
	p, g, y []float64

	at   []float64 // the point at which grad and logp were computed
	grad []float64
	logp float64
}

const (
	leapSteps = 200  // largest number of steps of a trajectory
	leapLost  = 1000 // a trajectory counts as failed if its energy error is at least this number
)

func newLeapfrog(e *evaluator, rng *rand.Rand, target float64) *leapfrog {
	n := func() []float64 { return make([]float64, e.M) }
	return &leapfrog{e: e, rng: rng, ε: math.Pow(float64(e.M), -0.25), target: target, p: n(), g: n(), y: n(),
		grad: n()}
}

// move makes one transition from z, overwrites z with the new point, and returns the acceptance
// probability.
func (k *leapfrog) move(z []float64) float64 {
	if k.at == nil || !slices.Equal(k.at, z) {
		k.at = append(k.at[:0], z...)
		k.logp = k.e.logTarget(z, k.grad)
	}
	for i := range k.p {
		k.p[i] = k.rng.NormFloat64()
	}
	before := k.logp - linalg.Dot(k.p, k.p)/2
	steps := min(int(math.Ceil(math.Pi/2*(0.5+k.rng.Float64())/k.ε)), leapSteps)
	copy(k.y, z)
	copy(k.g, k.grad)
	logp := k.logp
	for range steps {
		floats.AddScaled(k.p, k.ε/2, k.g)
		floats.AddScaled(k.y, k.ε, k.p)
		logp = k.e.logTarget(k.y, k.g)
		floats.AddScaled(k.p, k.ε/2, k.g)
	}
	change := logp - linalg.Dot(k.p, k.p)/2 - before
	u := k.rng.Float64() // draw u even if it is not needed, so that every trajectory uses the same number of random numbers
	if !(change > -leapLost) {
		k.lost++
		return 0
	}
	accept := math.Min(1, kernels.Exp(change))
	if u < accept {
		copy(z, k.y)
		k.at = append(k.at[:0], z...)
		copy(k.grad, k.g)
		k.logp = logp
	}
	return accept
}

func (k *leapfrog) run(z *mat.Dense, start []float64) float64 {
	n, _ := z.Dims()
	now := slices.Clone(start)
	var sum float64
	for i := range n {
		sum += k.move(now)
		z.SetRow(i, now)
	}
	return sum / float64(n)
}

// warmUp adapts ε by dual averaging (Hoffman and Gelman 2014, with their constants). At the end it
// sets ε to a weighted geometric mean of the values in all moves, with larger weights for later
// values.
func (k *leapfrog) warmUp(z []float64, n int) {
	const γ, t0, κ = 0.05, 10, 0.75
	μ := math.Log(10 * k.ε)
	var h, mean float64
	for i := 1; i <= n; i++ {
		t := float64(i)
		h += (k.target - k.move(z) - h) / (t + t0)
		l := μ - math.Sqrt(t)/γ*h
		mean += math.Pow(t, -κ) * (l - mean)
		// Keep ε ≤ 2, so that one step is not longer than the longest trajectory.
		k.ε = kernels.Exp(math.Max(math.Min(l, math.Log(2)), math.Log(1e-3)))
	}
	k.ε = kernels.Exp(math.Max(math.Min(mean, math.Log(2)), math.Log(1e-3)))
	k.lost = 0
}

func (k *leapfrog) size() (float64, int) { return k.ε, k.lost }
