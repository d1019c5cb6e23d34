package classify

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Sampler is a way of drawing from the posterior of the weights.
type Sampler int

const (
	// Hamiltonian Monte Carlo: trajectories along the gradient, of random length
	// around a quarter of a turn, by the leapfrog rule.
	Hamiltonian Sampler = iota
	// RandomWalk is the Metropolis algorithm with Gaussian steps of equal size in
	// all directions. Its draws are the most alike.
	RandomWalk
)

// SampleOptions of SampleLogistic. The zero value draws 4 chains of 1000 by
// Hamiltonian Monte Carlo under a flat prior.
type SampleOptions struct {
	// Prior N(w|m0, S0). Nil is flat; then the classes must not be separable.
	Prior Prior
	// Method is the sampler; the zero value is Hamiltonian.
	Method Sampler
	// Chains is how many; each has a start and random numbers of its own. 0 is 4.
	Chains int
	// Draws kept of each chain; 0 is 1000.
	Draws int
	// Warmup is how many draws are made before, while the step size is adapted, and
	// thrown away; 0 is 500.
	Warmup int
	// Target is the share of proposals accepted that the step size is adapted to;
	// 0 is 0.8 for Hamiltonian, and for RandomWalk 0.44 for one weight, falling to
	// 0.234 for many.
	Target float64
	// Seed of the random numbers: equal seeds give equal draws.
	Seed uint64
}

// complete checks the options and fills in the defaults but that of Target.
func (o *SampleOptions) complete() error {
	if o.Method < Hamiltonian || o.Method > RandomWalk {
		return fmt.Errorf("option Method is %d: it must be Hamiltonian or RandomWalk", o.Method)
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
	if !(o.Target >= 0 && o.Target < 1) {
		return fmt.Errorf("option Target is %v: it is a share of proposals, between 0 and 1 (0 is the default)", o.Target)
	}
	return nil
}

// target returns the acceptance that the step size is adapted to for m weights: the
// best for Gaussian posteriors (Roberts, Gelman and Gilks 1997), and for
// Hamiltonian trajectories a little above it (Hoffman and Gelman 2014).
func (s Sampler) target(m int) float64 {
	if s == RandomWalk {
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
