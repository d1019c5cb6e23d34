package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// bayesSoftmaxFit is the data and options of a fit that may try several priors.
type bayesSoftmaxFit struct {
	src   *block.Source
	cols  *block.Columns
	t     *glm.ClassTargets
	o     BayesSoftmaxOptions
	start []float64
}

// solve finds the mode under a prior, and the evidence.
func (f *bayesSoftmaxFit) solve(prior *glm.Gaussian) (*bayesMode, error) {
	p := solve.NewSoftmaxProblem(f.src, f.cols, f.t, prior)
	p.Factor = true
	if p.Rank != nil && p.Rank.Dependent != nil {
		return nil, fmt.Errorf("the prior is flat and %s: the posterior cannot be normalised along those that the data do not determine; drop columns, or give a Prior", p.Rank.Describe(f.cols))
	}
	p.Start, p.MaxIt, p.Tol, p.Warm = p.Coord.Inner(f.start), f.o.MaxIterations, f.o.Tolerance, f.o.Start == nil && floats.Norm(f.start, 1) == 0
	way := solve.Newton{}.Solve(p)
	if way.Direction != nil {
		return nil, fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not fall off in that direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", way.Reason)
	}
	s := &bayesMode{p: p, way: way, w: p.Returned(way), prior: prior}
	m := len(s.w)
	if err := check.Vector("w", s.w, m, "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	if way.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + way.Reason)
	}
	_, d := f.src.Dims()
	// The parameters that the posterior holds: all, or under a flat prior all but
	// the common shift, of every weight or of the bias alone.
	copies := float64(f.t.K) // of B in the free coordinates, |B| = Π s_j
	free := m
	switch {
	case prior == nil:
		copies--
		free = (f.t.K - 1) * (d + 1)
	case prior.Free:
		free = m - 1
	}
	logDet := way.Quad.R.LogDet()
	if p.FreeRoot != nil { // whose R is that of the contrasts
		copies--
		logDet += prior.Each.LogDet()
	}
	for _, v := range p.Coord.Scale {
		logDet -= 2 * copies * math.Log(v)
	}
	s.evidence = Evidence{
		LogLikelihood: prior.Value(s.w) - way.Trace[len(way.Trace)-1].E,
		LogPrior:      prior.LogDensity(s.w), LogDet: logDet, M: free, N: wholeRows(f.src.Total()), SumWeights: f.src.Total(), Flat: free - prior.Proper(),
	}
	return s, nil
}

// model turns the mode into the result in the units of x.
func (f *bayesSoftmaxFit) model(s *bayesMode) (*BayesSoftmax, error) {
	e, precision := s.p.At(s.way)
	s.prior.AddPrecision(precision)
	m := &BayesSoftmax{
		W: byClass(s.w, f.t.K), Precision: precision, Covariance: s.p.SoftmaxCovariance(s.way.Quad), Root: s.p.SoftmaxRoot(s.way.Quad),
		Evidence: s.evidence, Draws: f.o.Draws, Seed: f.o.Seed, N: s.evidence.N,
		Iterations: len(s.way.Trace) - 1, Converged: s.way.Converged, Reason: s.way.Reason,
	}
	m.Evidence.LogLikelihood = -e
	if !linalg.Finite(m.Precision) || !linalg.Finite(m.Covariance) {
		return nil, errors.New("the Hessian or the covariance of the weights overflows: choose other units for x, or another prior")
	}
	return m, nil
}

// reestimate fits with the α of greatest evidence.
func (f *bayesSoftmaxFit) reestimate() (*BayesSoftmax, error) {
	_, d := f.src.Dims()
	first, with := f.o.Prior.precision()
	last, trace, found, why, err := alphaMode(first,
		func(alpha float64) (*glm.Gaussian, error) { return softmaxPrior(with(alpha), d+1, f.t.K) },
		func(g *glm.Gaussian) (*bayesMode, error) {
			m, err := f.solve(g)
			if err == nil {
				f.start = m.w
			}
			return m, err
		})
	if err != nil {
		return nil, err
	}
	m, err := f.model(last)
	if err != nil {
		return nil, err
	}
	m.Alpha, m.AlphaTrace = trace[len(trace)-1].Alpha, trace
	m.Converged = m.Converged && found
	m.Reason += "; " + why
	return m, nil
}

// bayesSoftmaxPriorOnly returns the prior itself when there are no data.
func bayesSoftmaxPriorOnly(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	empty, ok := x.(*mat.Dense)
	if !ok || empty == nil || !empty.IsEmpty() || len(labels) > 0 || o.Prior == nil {
		return nil, nil
	}
	size := o.Prior.weights()
	if size == 0 {
		return nil, nil
	}
	g, err := o.Prior.resolve(size)
	if err != nil {
		return nil, err
	}
	if k < 2 || size%k != 0 || size/k < 2 {
		return nil, fmt.Errorf("the prior has %d weights, but k is %d: needed are k·(D+1), k ≥ 2", size, k)
	}
	m := &BayesSoftmax{W: byClass(g.Mean, k), Precision: g.PrecisionMatrix(size), Draws: o.Draws, Seed: o.Seed, Converged: true, Reason: onlyPrior}
	m.Evidence = Evidence{LogPrior: g.LogDensity(g.Mean), M: len(g.Mean)}
	m.Root, m.Covariance, m.Evidence.LogDet = g.Itself()
	return m, nil
}
