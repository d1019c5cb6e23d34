package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/variational"
)

var _ ActivationPosterior = (*VariationalLogistic)(nil)

// VariationalLogisticOptions of FitVariationalLogistic. The zero value has a flat
// prior.
type VariationalLogisticOptions struct {
	// Prior N(w|m0, S0). Nil is flat; then the classes must not be separable.
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Method of Posterior, Scores and Predict; the zero value is PredictiveModerated (4.155).
	Method PredictiveMethod
	// StartXi is the ξ of every row before the first iteration; 0 is 1.
	StartXi float64
	// Plain keeps to the updates of the text. Without it they start from a mean
	// found by Newton's method, and every two of them are followed by an
	// extrapolation; either is kept only if the bound has not fallen. The optimum
	// is the same, in far fewer passes.
	Plain bool
	// MaxIterations bounds the passes over the rows; 0 is 1000.
	MaxIterations int
	// Tolerance is the distance from the optimum, as the largest error of a ξ_n
	// divided by 1+ξ_n and estimated from the last two updates, at which the fit
	// has converged; 0 is 1e-10.
	Tolerance float64
}

// VariationalStep is one iteration of a variational fit.
type VariationalStep struct {
	Bound        float64   // L(ξ) ≤ ln p(t)
	Mean         []float64 // m_N
	Change       float64   // the largest |Δξ_n|/(1+ξ_n) that led here; +Inf at the start
	Extrapolated bool      // by extrapolation rather than an update
}

// VariationalLogistic is Bayesian logistic regression with the local variational
// bound of Jaakkola and Jordan, PRML 10.6,
//
//	σ(a) ≥ σ(ξ) exp{(a−ξ)/2 − λ(ξ)(a²−ξ²)},  λ(ξ) = (σ(ξ)−½)/(2ξ)  (10.144, 10.150).
//
// It makes every factor of the likelihood a Gaussian in w, so that the posterior is
//
//	q(w) = N(w|m_N, S_N),
//	S_N⁻¹ = S0⁻¹ + 2 Σ_n λ(ξ_n)φ_nφ_nᵀ                     (10.158),
//	m_N = S_N (S0⁻¹m0 + Σ_n (t_n−½)φ_n)                    (10.157),
//	ξ_n² = φ_nᵀ(S_N + m_Nm_Nᵀ)φ_n                          (10.163),
//
// the last being where the bound L(ξ) on ln p(t) is largest. Where the Laplace
// approximation looks at the mode alone, q follows the bulk of the posterior, but
// mostly it is too narrow: 2λ(ξ) ≥ y(1−y) at a = ±ξ, so that a row counts for more
// than its curvature there.
type VariationalLogistic struct {
	Names
	Mean       []float64         // m_N, bias first
	Covariance *mat.SymDense     // S_N
	Root       *mat.Dense        // S_N = Root·Rootᵀ, with more digits than S_N where that is ill-conditioned
	Xi         []float64         // ξ_n ≥ 0, one for each row whose weight is not 0
	Bound      float64           // L(ξ) ≤ ln p(t); for parameters with a flat prior their density is taken as 1
	Method     PredictiveMethod  // of Posterior, Scores and Predict
	N          int               // rows of the fit: the sum of their weights, rounded
	SumWeights float64           // that sum; 0 in a model from a file that does not tell it
	Iterations int               // passes over the rows
	Converged  bool              // the bound is at its maximum, to what rounding leaves of 8 digits
	Reason     string            // why the fit stopped
	Trace      []VariationalStep // the bound never falls, but for rounding
}

// FitVariationalLogistic maximises the variational bound for inputs x (N×D) and
// targets t in [0,1], t = 1 meaning C₁.
//
// With a proper prior separable classes, a single class, dependent columns and
// more columns than rows are fine; and without data (x an empty mat.Dense, t
// empty, a Gaussian prior that says how many weights there are) the prior comes
// back. An iteration is one pass over the rows, N numbers ξ_n are kept (three
// times N unless Plain) and nothing of size N×D.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], a bad
// prior; and where the prior is flat, separable classes, a single class or
// dependent columns: the posterior cannot be normalised.
//
// Equations: PRML (4.140), (4.141).
func FitVariationalLogistic(x mat.Matrix, t []float64, o VariationalLogisticOptions) (*VariationalLogistic, error) {
	m, err := fitVariational(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitVariationalLogistic", o.Weights, err)
	}
	return m, nil
}

func fitVariational(x mat.Matrix, t []float64, o VariationalLogisticOptions) (*VariationalLogistic, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
		return nil, err
	}
	b, err := bayesPriorOnly(x, t, BayesLogisticOptions{Prior: o.Prior})
	if err != nil {
		return nil, err
	}
	if b != nil {
		return &VariationalLogistic{
			Mean: b.W, Covariance: b.Covariance, Root: b.Root, Method: o.Method, Converged: true, Reason: onlyPrior,
			Trace: []VariationalStep{{Mean: append([]float64(nil), b.W...)}},
		}, nil
	}
	p, err := variationalProblem(x, t, o.Prior)
	if err != nil {
		return nil, err
	}
	f, err := variational.Start(p, variational.Options{StartXi: o.StartXi, Plain: o.Plain, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance})
	if err != nil {
		return nil, err
	}
	return variationalModel(f, o.Method)
}

// complete checks the options and fills in the defaults.
func (o *VariationalLogisticOptions) complete() error {
	if o.Method < PredictiveModerated || o.Method > PredictivePlugIn {
		return fmt.Errorf("option Method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn", o.Method)
	}
	if !(o.StartXi >= 0) || o.StartXi > 1e100 {
		return fmt.Errorf("option StartXi is %v: it must be a number ≥ 0 (0 is the default, 1)", o.StartXi)
	}
	if o.MaxIterations < 0 {
		return fmt.Errorf("option MaxIterations is %d: it must not be negative (0 is the default, 1000)", o.MaxIterations)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) {
		return fmt.Errorf("option Tolerance is %v: it must not be negative (0 is the default, 1e-10)", o.Tolerance)
	}
	if o.StartXi == 0 {
		o.StartXi = 1
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 1000
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	return nil
}

// variationalProblem checks the data and the prior and sets up the posterior in
// inner coordinates. Without a proper prior on all weights it makes sure that the
// posterior can be normalised: that is so exactly if the likelihood has a maximum
// and Φ has independent columns.
func variationalProblem(x mat.Matrix, t []float64, o Prior) (*solve.Problem, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	prior, err := resolvePrior(o, d+1)
	if err != nil {
		return nil, err
	}
	if prior == nil || prior.Free {
		if err := check.OneClass(slices.All(t)); err != nil {
			return nil, fmt.Errorf("the posterior cannot be normalised under a prior that is flat in the bias: %w", err)
		}
	}
	if prior == nil {
		if err := variationalProper(src, cols, t); err != nil {
			return nil, err
		}
	}
	p := solve.NewProblem(src, cols, t, glm.CrossEntropy{}, prior)
	p.Factor = true
	return p, nil
}

// variationalProper decides whether a flat prior gives a posterior, by maximum
// likelihood.
func variationalProper(src *block.Source, cols *block.Columns, t []float64) error {
	p := solve.NewProblem(src, cols, t, glm.CrossEntropy{}, nil)
	if p.Rank != nil {
		return fmt.Errorf("the prior is flat and %s: the posterior cannot be normalised along those that the data do not determine; drop columns, or give a Prior", p.Rank.Describe(cols))
	}
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-6
	switch way := (solve.Newton{}).Solve(p); {
	case way.Direction != nil:
		return fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not fall off in that direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", way.Reason)
	case !way.Converged:
		return fmt.Errorf("the prior is flat, and that the posterior can be normalised is not proved: %s; give a Prior", way.Reason)
	}
	return nil
}

// model turns the last state into the result in the units of x.
func variationalModel(f *variational.Fit, method PredictiveMethod) (*VariationalLogistic, error) {
	m := &VariationalLogistic{
		Mean: f.Coord.Outer(f.At.Mean), Root: f.Coord.Columns(f.At.R.Inverse()), Xi: f.Xi, Bound: f.At.Bound,
		Covariance: f.Covariance(&solve.Quadratic{R: f.At.R}), Method: method, N: wholeRows(f.Src.Total()), SumWeights: f.Src.Total(),
		Iterations: f.Passes, Converged: f.Converged, Reason: f.Reason,
	}
	for _, step := range f.Trace {
		m.Trace = append(m.Trace, VariationalStep(step))
	}
	if err := check.Vector("w", m.Mean, f.GLM.M, "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	if !linalg.Finite(m.Covariance) || math.IsNaN(m.Bound) || math.IsInf(m.Bound, 0) {
		return nil, errors.New("the covariance of the weights or the bound overflows: choose other units for x, or another prior")
	}
	return m, nil
}
