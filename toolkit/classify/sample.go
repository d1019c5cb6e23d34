package classify

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
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
//
// Equations: PRML (4.141).
type LogisticSample struct {
	Names
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
	N          int // rows of the data: the sum of their weights, rounded
	// Converged says that the chains agree (all R̂ ≤ 1.01, that of LogPosterior
	// too) and are worth at least 100 independent draws for every weight.
	Converged bool
	Reason    string // what was found; warnings, if any
}

const (
	sampleRHat  = 1.01 // Vehtari et al. 2021
	sampleLeast = 100  // independent draws for a mean to a tenth of a standard deviation

	sampleWarmup = 1 << 27 // draws that are thrown away at most
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
//
// Equations: PRML (4.140), (4.141).
func SampleLogistic(x mat.Matrix, t []float64, o SampleLogisticOptions) (*LogisticSample, error) {
	m, err := sampleLogistic(x, t, o)
	if err != nil {
		return nil, weightedFailure("SampleLogistic", o.Weights, err)
	}
	return m, nil
}

func sampleLogistic(x mat.Matrix, t []float64, o SampleLogisticOptions) (*LogisticSample, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
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
		Method: o.Method, Warmup: o.Warmup, Seed: o.Seed,
	}
	if target.N > 0 {
		m.N = wholeRows(target.Src.Total())
	}
	lost := make([]int, o.Chains)
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for c := range o.Chains {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r := target.Chain(mcmc.ChainOptions{Walk: o.Method == SamplerRandomWalk, Draws: o.Draws, Warmup: o.Warmup, Target: o.Target, Seed: o.Seed}, c)
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

// Sampler is a way of drawing from the posterior of the weights.
type Sampler int

const (
	// Hamiltonian Monte Carlo: trajectories along the gradient, of random length
	// around a quarter of a turn, by the leapfrog rule.
	SamplerHamiltonian Sampler = iota
	// SamplerRandomWalk is the Metropolis algorithm with Gaussian steps of equal size in
	// all directions. Its draws are the most alike.
	SamplerRandomWalk
)

// SampleLogisticOptions of SampleLogistic. The zero value draws 4 chains of 1000 by
// Hamiltonian Monte Carlo under a flat prior.
type SampleLogisticOptions struct {
	// Prior N(w|m0, S0). Nil is flat; then the classes must not be separable.
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Method is the sampler; the zero value is SamplerHamiltonian.
	Method Sampler
	// Chains is how many; each has a start and random numbers of its own. 0 is 4.
	Chains int
	// Draws kept of each chain; 0 is 1000.
	Draws int
	// Warmup is how many draws are made before, while the step size is adapted, and
	// thrown away; 0 is 500.
	Warmup int
	// Target is the share of proposals accepted that the step size is adapted to;
	// 0 is 0.8 for SamplerHamiltonian, and for SamplerRandomWalk 0.44 for one weight, falling to
	// 0.234 for many.
	Target float64
	// Seed of the random numbers: equal seeds give equal draws.
	Seed uint64
}

// complete checks the options and fills in the defaults but that of Target.
func (o *SampleLogisticOptions) complete() error {
	if o.Method < SamplerHamiltonian || o.Method > SamplerRandomWalk {
		return fmt.Errorf("option Method is %d: it must be SamplerHamiltonian or SamplerRandomWalk", o.Method)
	}
	for _, v := range []struct {
		name        string
		at          *int
		least, none int
	}{{"Chains", &o.Chains, 1, 4}, {"Draws", &o.Draws, 4, 1000}, {"Warmup", &o.Warmup, 1, 500}} {
		if *v.at == 0 {
			*v.at = v.none
		}
		if *v.at < v.least {
			return fmt.Errorf("option %s is %d: it must be at least %d (0 is the default, %d)", v.name, *v.at, v.least, v.none)
		}
	}
	if o.Warmup > sampleWarmup {
		return fmt.Errorf("option Warmup is %d: want at most %d draws", o.Warmup, sampleWarmup)
	}
	if !(o.Target >= 0 && o.Target < 1) {
		return fmt.Errorf("option Target is %v: it is a share of proposals, between 0 and 1 (0 is the default)", o.Target)
	}
	return nil
}

// target returns the acceptance that the step size is adapted to for m weights: the
// best for Gaussian posteriors (Roberts, Gelman and Gilks 1997), and for
// Hamiltonian trajectories a little above it (Hoffman and Gelman 2014).
func (s Sampler) target(m int) float64 {
	if s == SamplerRandomWalk {
		return 0.234 + 0.206/float64(m)
	}
	return 0.8
}

// newSampleTarget checks the data and finds the mode and the curvature there.
func newSampleTarget(x mat.Matrix, t []float64, prior Prior) (*mcmc.Target, error) {
	b, err := bayesPriorOnly(x, t, BayesLogisticOptions{Prior: prior})
	if err != nil {
		return nil, err
	}
	if b != nil {
		return priorTarget(b), nil
	}
	p, err := variationalProblem(x, t, prior)
	if err != nil {
		return nil, err
	}
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-6
	way := solve.Newton{}.Solve(p)
	if way.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + way.Reason)
	}
	s := &mcmc.Target{
		N: p.GLM.N, M: p.GLM.M, Src: p.GLM.Design.Source(), T: p.GLM.T, Coord: p.Coord,
		Mode: way.W, Root: way.Quad.R.Inverse(), Rest: p.Residual(way.W),
	}
	for _, row := range p.Root {
		s.Prior = append(s.Prior, linalg.MulVecT(s.Root, row))
	}
	return s, nil
}

// priorTarget is the posterior of no data: the prior, ½‖z‖² around its mean.
func priorTarget(b *BayesLogistic) *mcmc.Target {
	m := len(b.W)
	s := &mcmc.Target{M: m, Mode: b.W, Root: b.Root, Rest: make([]float64, m), Coord: &linalg.Coordinates{Scale: make([]float64, m-1), Shift: make([]float64, m-1)}}
	for j := range s.Coord.Scale {
		s.Coord.Scale[j] = 1
	}
	for i := range m {
		row := make([]float64, m)
		row[i] = 1
		s.Prior = append(s.Prior, row)
	}
	return s
}
