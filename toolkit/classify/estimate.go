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

// Estimate is what every fit of a single weight vector by likelihood tells:
// Logistic, Probit, LabelFlip and GLM embed it.
type Estimate struct {
	Names
	W             []float64     // w0, w1 … wD
	E             float64       // the objective at W
	LogLikelihood float64       // ln p(t|W)
	HasPrior      bool          // the fit had a prior
	Penalty       float64       // its part of E, 0 without; NaN in a GLM from a file that does not tell it
	Hessian       *mat.SymDense // ∇∇E at W: the observed information, and the prior's precision
	// Covariance is the inverse Hessian: the asymptotic covariance of the
	// maximum-likelihood estimate, or S_N of the Laplace approximation (4.143,
	// whose right-hand side is the inverse of what it says). Nil if there is no
	// optimum or Φ has dependent columns.
	Covariance        *mat.SymDense
	NullLogLikelihood float64   // ln p(t) of a bias alone, by maximum likelihood
	N                 int       // rows of the fit: the sum of their weights, rounded
	SumWeights        float64   // that sum; 0 in a model from a file that does not tell it
	Rank              int       // of Φ, or D+1 with a prior
	Iterations        int       // steps taken
	Converged         bool      // W is the optimum
	Reason            string    // why the fit stopped
	Separable         bool      // the maximum does not exist
	Direction         []float64 // if Separable: of length 1, along it the likelihood never falls
	Trace             Trace     // the iterates, the start first
}

var errNoEstimate = errors.New("the model has no weights: make it with its Fit function")

// Activations returns a_n = wᵀφ_n for each row of x. Errors: x with other columns
// than the fit, NaN or Inf, a model without a fit.
func (m *Estimate) Activations(x mat.Matrix) ([]float64, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	s, err := linearScores(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("Activations", err)
	}
	return s.RawMatrix().Data, nil
}

// to writes N×2 numbers of each activation to dst.
func (m *Estimate) to(dst *mat.Dense, x mat.Matrix, l link) error {
	if m.classes() == 0 {
		return failure("Activations", errNoEstimate)
	}
	if err := linearTo(dst, x, [][]float64{m.W}, l); err != nil {
		return failure("Activations", err)
	}
	return nil
}

// pair returns N×2 numbers of each activation.
func (m *Estimate) pair(x mat.Matrix, l link) (*mat.Dense, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	dst, err := newPrediction(x, 2, func(dst *mat.Dense) error { return linearTo(dst, x, [][]float64{m.W}, l) })
	if err != nil {
		return nil, failure("Activations", err)
	}
	return dst, nil
}

// classes returns 2, or 0 for a model without a fit.
func (m *Estimate) classes() int {
	if m == nil || len(m.W) == 0 {
		return 0
	}
	return 2
}

// predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for the others.
func (m *Estimate) predict(x mat.Matrix) ([]int, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	class, err := signs(x, m.W)
	if err != nil {
		return nil, failure("Activations", err)
	}
	return class, nil
}

// newEstimateProblem checks the inputs and options and sets the problem up; targets
// are the caller's to check, with n rows, by checkTargets.
func newEstimateProblem(x mat.Matrix, t []float64, l glm.Loss, o LogisticOptions, checkTargets func(n int) error) (*solve.Problem, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if err := checkTargets(n); err != nil {
		return nil, err
	}
	return (&targeted{src, cols, t}).problem(l, o)
}

// targeted are inputs and two-class targets that have been checked.
type targeted struct {
	src  *block.Source
	cols *block.Columns
	t    []float64 // nil: the rows bring theirs
}

// newTargeted checks inputs and targets in memory.
func newTargeted(x mat.Matrix, t []float64) (*targeted, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	return &targeted{src, cols, t}, check.Targets(t, n)
}

// problem checks the options and sets the problem up.
func (in *targeted) problem(l glm.Loss, o LogisticOptions) (*solve.Problem, error) {
	_, d := in.src.Dims()
	prior, err := resolvePrior(o.Prior, d+1)
	if err != nil {
		return nil, err
	}
	start, err := o.complete(d + 1)
	if err != nil {
		return nil, err
	}
	p := solve.NewProblem(in.src, in.cols, in.t, l, prior)
	p.Start, p.MaxIt, p.Tol, p.Warm = p.Coord.Inner(start), o.MaxIterations, o.Tolerance, o.Start == nil
	return p, nil
}

// fitTwoClass fits a convex loss to targets in [0,1]; prepare, which may be nil,
// completes the problem.
func fitTwoClass(x mat.Matrix, t []float64, l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) (*Estimate, error) {
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
		return nil, err
	}
	if m := fitEarly(x, t, l, o, prepare); m != nil {
		return m, nil
	}
	in, err := newTargeted(x, t)
	if err != nil {
		return nil, err
	}
	return in.fit(l, o, prepare)
}

// fitEarly is fitTwoClass without a pass that inspects the columns of many rows before the
// fit. It returns nil where that will not do, and where there is an error to be told.
func fitEarly(x mat.Matrix, t []float64, l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) *Estimate {
	src, err := check.Rows(x)
	if _, newton := o.Solver.(Newton); err != nil || o.Start != nil || o.Solver != nil && !newton {
		return nil
	}
	n, _ := src.Dims()
	if n < check.ManyRows || !src.InMemory() || check.Targets(t, n) != nil {
		return nil
	}
	in := &targeted{src, block.InspectSome(src), t}
	if in.cols.BadRow >= 0 {
		return nil
	}
	m, err := in.fit(l, o, func(p *solve.Problem) {
		if p.Early = true; prepare != nil {
			prepare(p)
		}
	})
	if err != nil {
		return nil
	}
	return m
}

// errEarly says that the coordinates of a few rows are none for all.
var errEarly = errors.New("the columns of a few rows are not like those of all")

func (in *targeted) fit(l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) (*Estimate, error) {
	f, err := in.problem(l, o)
	if err != nil {
		return nil, err
	}
	if f.Prior == nil || f.Prior.Free {
		if err := check.OneClass(in.src.EachTarget(in.t)); err != nil {
			return nil, err
		}
	}
	if prepare != nil {
		prepare(f)
	}
	way := solverOf(o.Solver).Solve(f)
	if way == nil {
		return nil, errEarly
	}
	m, err := finish(f, way)
	if err != nil {
		return nil, err
	}
	m.NullLogLikelihood = glm.BernoulliNull(in.src.EachTarget(in.t), in.src.Weights(), in.src.Total())
	return m, nil
}

// finish turns the solver's path into the numbers of the fit in the units of x.
func finish(f *solve.Problem, way *solve.Path) (*Estimate, error) {
	_, d := f.Src.Dims()
	w := f.Returned(way)
	m := &Estimate{
		W: w, N: wholeRows(f.Src.Total()), SumWeights: f.Src.Total(), Rank: d + 1, Iterations: way.Trace[len(way.Trace)-1].Iteration,
		Converged: way.Converged, Reason: way.Reason, Trace: traceOf(way.Trace),
	}
	if err := check.Vector("w", m.W, d+1, "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	e, h := f.At(way)
	f.Prior.AddPrecision(h)
	m.HasPrior, m.Penalty = f.Prior != nil, f.Prior.Value(m.W)
	m.LogLikelihood, m.E, m.Hessian = -e, e+m.Penalty, h
	if !linalg.Finite(m.Hessian) || math.IsInf(m.E, 0) || math.IsNaN(m.E) {
		return nil, errors.New("the error at W or its Hessian overflows in the units of x: choose other units for x")
	}
	if way.Direction != nil {
		m.Separable = true
		m.Direction = f.Outer(way.Direction)
		floats.Scale(1/floats.Norm(m.Direction, 2), m.Direction)
	}
	if f.Rank != nil {
		m.Rank = f.Rank.R
		m.Reason += "; " + f.Rank.Describe(f.Cols)
	}
	if m.Converged && f.Rank == nil && way.Quad != nil {
		m.Covariance = f.Covariance(way.Quad)
		if !linalg.Finite(m.Covariance) {
			return nil, errors.New("the covariance of the weights overflows: choose other units for x")
		}
	}
	return m, nil
}
