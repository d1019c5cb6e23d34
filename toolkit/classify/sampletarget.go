package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

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
