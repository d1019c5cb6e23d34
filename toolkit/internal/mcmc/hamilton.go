package mcmc

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// leapfrog is Hamiltonian Monte Carlo: with momenta p ~ N(0, I) and the energy
// H = −ln p(z|t) + ½‖p‖², the steps
//
//	p ← p + ½ε∇ln p(z|t),  z ← z + εp,  p ← p + ½ε∇ln p(z|t)
//
// keep H up to O(ε²). The end of a trajectory is accepted with probability min(1, exp(−ΔH)). On a
// Gaussian N(0, I) a trajectory of length π/2, a quarter of a turn, forgets the start. Lengths are
// drawn between half and three halves of π/2, so that no direction turns full circle every time.
type leapfrog struct {
	e       *eval
	rng     *rand.Rand
	ε       float64
	target  float64
	lost    int
	p, g, y []float64

	at   []float64 // the point of grad and logp
	grad []float64
	logp float64
}

const (
	leapSteps = 200  // most steps of a trajectory
	leapLost  = 1000 // an energy error from which a trajectory counts as lost
)

func newLeapfrog(e *eval, rng *rand.Rand, target float64) *leapfrog {
	n := func() []float64 { return make([]float64, e.M) }
	return &leapfrog{e: e, rng: rng, ε: math.Pow(float64(e.M), -0.25), target: target, p: n(), g: n(), y: n(), grad: n()}
}

// move makes one transition of z and returns its probability of acceptance.
func (k *leapfrog) move(z []float64) float64 {
	if k.at == nil || !slices.Equal(k.at, z) {
		k.at = append(k.at[:0], z...)
		k.logp = k.e.at(z, k.grad)
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
		logp = k.e.at(k.y, k.g)
		floats.AddScaled(k.p, k.ε/2, k.g)
	}
	change := logp - linalg.Dot(k.p, k.p)/2 - before
	u := k.rng.Float64() // drawn always, so that all trajectories use as many numbers
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

// warm adapts ε by dual averaging (Hoffman and Gelman 2014, with their constants), and sets it to
// the average of the later values.
func (k *leapfrog) warm(z []float64, n int) {
	const γ, t0, κ = 0.05, 10, 0.75
	μ := math.Log(10 * k.ε)
	var h, mean float64
	for i := 1; i <= n; i++ {
		t := float64(i)
		h += (k.target - k.move(z) - h) / (t + t0)
		l := μ - math.Sqrt(t)/γ*h
		mean += math.Pow(t, -κ) * (l - mean)
		// A trajectory of one step must not be longer than the longest.
		k.ε = kernels.Exp(math.Max(math.Min(l, math.Log(2)), math.Log(1e-3)))
	}
	k.ε = kernels.Exp(math.Max(math.Min(mean, math.Log(2)), math.Log(1e-3)))
	k.lost = 0
}

func (k *leapfrog) size() (float64, int) { return k.ε, k.lost }
