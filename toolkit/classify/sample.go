package classify

import (
	"errors"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
)

var _ ActivationPosterior = (*LogisticSample)(nil)

// LogisticSample is the posterior p(w|t) of logistic regression by Markov chain
// Monte Carlo: nothing about its shape is assumed, and every number drawn from it
// comes with its Monte Carlo error.
//
// All samplers work in the coordinates w = w_MAP + Rz, RRᵀ = S_N, in which the
// Laplace approximation (4.144) is N(z|0, I): one step size fits all directions.
// The starts are drawn from N(z|0, 4I), wider than the posterior, so that chains
// that agree have forgotten where they began.
type LogisticSample struct {
	Chains       []*mat.Dense // the draws, one matrix for each chain: Draws×(D+1), bias first
	LogPosterior [][]float64  // ln p(t|w) − ½(w−m0)ᵀS0⁻¹(w−m0) of each draw

	Mean       []float64     // of all draws
	Covariance *mat.SymDense // of all draws, divided by their number − 1
	// RHat is the split-R̂ of each weight (Gelman et al. 2013): the chains, each cut
	// into halves, agree if it is near 1.
	RHat []float64
	// ESS is the effective sample size of each weight: how many independent draws
	// would give a mean with the same error. Chains whose draws alternate about the
	// mean have more than were drawn.
	ESS []float64
	// MCError is the Monte Carlo standard error of Mean, √(variance/ESS).
	MCError []float64

	Method     Sampler
	Acceptance []float64 // share of proposals accepted after the warm-up, for each chain
	StepSize   []float64 // after the warm-up, for each chain, in units of z
	Divergent  int       // Hamiltonian trajectories after the warm-up that the leapfrog rule lost
	Warmup     int       // draws thrown away of each chain
	Seed       uint64
	N          int // rows of the data
	// Converged says that the chains agree (all R̂ ≤ 1.01, that of LogPosterior
	// too) and are worth at least 100 independent draws for every weight.
	Converged bool
	Reason    string // what was found; warnings, if any
}

const (
	sampleRHat  = 1.01 // Vehtari et al. 2021
	sampleLeast = 100  // independent draws for a mean to a tenth of a standard deviation
)

// SampleLogistic draws from the posterior of the weights for inputs x (N×D) and
// targets t in [0,1], t = 1 meaning C₁. The chains run side by side; the draws
// depend on the options alone, not on the number of processors.
//
// With a proper prior separable classes, a single class, dependent columns and
// more columns than rows are fine; and without data (x an empty mat.Dense, t
// empty, a Gaussian prior that says how many weights there are) the draws are from
// the prior.
//
// A draw costs one or two passes over the rows, a Hamiltonian one as many as its
// trajectory has steps and one more; nothing of size N×D is kept.
//
// Errors: those of FitVariationalLogistic; options that are out of range.
func SampleLogistic(x mat.Matrix, t []float64, o SampleOptions) (*LogisticSample, error) {
	m, err := sampleLogistic(x, t, o)
	if err != nil {
		return nil, failure("SampleLogistic", err)
	}
	return m, nil
}

func sampleLogistic(x mat.Matrix, t []float64, o SampleOptions) (*LogisticSample, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	target, err := newSampleTarget(x, t, o.Prior)
	if err != nil {
		return nil, err
	}
	if err := check.Drawn(float64(o.Chains)*float64(o.Draws), target.M); err != nil {
		return nil, err
	}
	if o.Target == 0 {
		o.Target = o.Method.target(target.M)
	}
	m := &LogisticSample{
		Chains: make([]*mat.Dense, o.Chains), LogPosterior: make([][]float64, o.Chains),
		Acceptance: make([]float64, o.Chains), StepSize: make([]float64, o.Chains),
		Method: o.Method, Warmup: o.Warmup, Seed: o.Seed, N: target.N,
	}
	lost := make([]int, o.Chains)
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for c := range o.Chains {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r := target.Chain(mcmc.ChainOptions{Walk: o.Method == RandomWalk, Draws: o.Draws, Warmup: o.Warmup, Target: o.Target, Seed: o.Seed}, c)
			m.Chains[c], m.LogPosterior[c], m.Acceptance[c], m.StepSize[c], lost[c] = r.Draws, r.LogP, r.Accepted, r.Step, r.Lost
		})
	}
	wg.Wait()
	for c, v := range lost {
		m.Divergent += v
		for _, w := range m.Chains[c].RawMatrix().Data {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return nil, errors.New("a weight drawn cannot be represented: choose other units for x, or a narrower prior")
			}
		}
	}
	m.measure()
	if !linalg.Finite(m.Covariance) {
		return nil, errors.New("the covariance of the weights overflows: choose other units for x, or a narrower prior")
	}
	return m, nil
}

// check returns an error if the model holds no draws, or x does not fit it.
func (m *LogisticSample) check(x mat.Matrix) error {
	if m == nil || len(m.Chains) == 0 || len(m.Mean) == 0 {
		return failure("LogisticSample", errNoWeights("SampleLogistic"))
	}
	if _, err := check.New(x, len(m.Mean)-1); err != nil {
		return failure("LogisticSample", err)
	}
	return nil
}
