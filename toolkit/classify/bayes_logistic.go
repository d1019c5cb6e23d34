package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ ActivationPosterior = (*BayesLogistic)(nil)
	_ Criteria            = (*BayesLogistic)(nil)
)

// BayesLogisticOptions of FitBayesLogistic. The zero value has a flat prior.
type BayesLogisticOptions struct {
	// Prior N(w|m0, S0). Nil is flat: the posterior then is N(w_ML, inverse
	// observed information), if the maximum exists, and has no evidence of its own.
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Reestimate makes α of an Isotropic prior the maximum of the Laplace evidence
	// (PRML 3.5 for this model). Prior's Alpha is where the search begins; a nil
	// Prior begins at 1.
	Reestimate bool
	// Method of Posterior, Scores and Predict; the zero value is PredictiveModerated (4.155).
	Method PredictiveMethod
	// Start is the first iterate, bias first, D+1 entries; nil is 0.
	Start []float64
	// MaxIterations bounds the Newton iterations; 0 is 100.
	MaxIterations int
	// Tolerance is that of LogisticOptions; 0 is 1e-10.
	Tolerance float64
}

// BayesLogistic is Bayesian logistic regression by the Laplace approximation,
// PRML 4.5,
//
//	p(w|t) ≃ q(w) = N(w|w_MAP, S_N)  (4.144),
//	S_N⁻¹ = S0⁻¹ + Σ_n y_n(1−y_n)φ_nφ_nᵀ.
//
// The book's (4.143) calls this sum S_N (erratum P3), and its text second
// derivatives of the likelihood (erratum P4): it is the inverse covariance, and
// belongs to the posterior, as the term S0⁻¹ shows. Notes on the section repeat
// both (erratum N1).
//
// Equations: PRML (4.137), (4.138), (4.140)–(4.144).
type BayesLogistic struct {
	Names
	W []float64 // w_MAP: w0, w1 … wD
	// Precision is A = S_N⁻¹ = −∇∇ ln p(w|t), the right-hand side of (4.143).
	Precision *mat.SymDense
	// Covariance is S_N.
	Covariance *mat.SymDense
	// Root is a factor of it, S_N = Root·Rootᵀ, with more digits than S_N where
	// that is ill-conditioned. Predictions and draws use it.
	Root           *mat.Dense
	PriorMean      []float64     // m0
	PriorPrecision *mat.SymDense // S0⁻¹; zero rows for a flat prior
	Alpha          float64       // of an Isotropic prior, re-estimated if asked for; else 0
	Evidence       Evidence      // the Laplace evidence at the mode, (4.137)
	// Determined is the number of weights that the data determine rather than the
	// prior, γ = M − tr(S0⁻¹S_N) (PRML 3.91), between 0 and M.
	Determined float64
	Method     PredictiveMethod // of Posterior, Scores and Predict
	N          int              // rows of the fit: the sum of their weights, rounded
	Iterations int              // Newton steps of the last fit
	Converged  bool             // W is the mode, and Alpha the maximum if re-estimated
	Reason     string           // why the fit stopped
	AlphaTrace []AlphaStep      // if re-estimated: the evidence at every α tried
}

// FitBayesLogistic fits the Laplace approximation of the posterior to inputs x
// (N×D) and targets t in [0,1], t = 1 meaning C₁.
//
// With a proper prior the posterior exists whatever the data: separable classes,
// a single class, dependent columns, more columns than rows; and without data
// (x an empty mat.Dense, t empty, a Gaussian prior that says how many weights
// there are) the prior comes back. One pass over the rows is made per Newton step
// and nothing of size N×D is kept.
//
// Errors: those of FitLogistic; and where the prior is flat, separable classes, a
// single class or dependent columns, for which the posterior cannot be normalised.
//
// Equations: PRML (4.138), (4.140)–(4.144).
func FitBayesLogistic(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	m, err := fitBayesLogistic(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitBayesLogistic", o.Weights, err)
	}
	return m, nil
}

func fitBayesLogistic(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
		return nil, err
	}
	if m, err := bayesPriorOnly(x, t, o); m != nil || err != nil {
		return m, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	return (&targeted{src, cols, t}).fitBayes(o)
}

// fitBayes fits with options that have been checked.
func (in *targeted) fitBayes(o BayesLogisticOptions) (*BayesLogistic, error) {
	_, d := in.src.Dims()
	f := &bayesFit{targeted: in, o: o}
	var err error
	if f.start, err = f.o.complete(d + 1); err != nil {
		return nil, err
	}
	prior, err := resolvePrior(o.Prior, d+1)
	if err != nil {
		return nil, err
	}
	if prior == nil || prior.Free {
		if err := check.OneClass(in.src.EachTarget(in.t)); err != nil {
			return nil, fmt.Errorf("the posterior cannot be normalised under a prior that is flat in the bias: %w", err)
		}
	}
	if o.Reestimate {
		return f.reestimate()
	}
	s, err := f.solve(prior)
	if err != nil {
		return nil, err
	}
	m, err := f.model(s)
	if err != nil {
		return nil, err
	}
	m.Alpha = alphaOf(o.Prior)
	return m, nil
}

// check completes the prior.
func (o *BayesLogisticOptions) check() (err error) {
	if o.Method < PredictiveModerated || o.Method > PredictivePlugIn {
		return fmt.Errorf("option Method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn", o.Method)
	}
	o.Prior, err = priorOf(o.Prior)
	if err == nil && o.Reestimate {
		o.Prior, err = reestimated(o.Prior)
	}
	return err
}

// complete fills in the defaults and returns the starting weights.
func (o *BayesLogisticOptions) complete(m int) ([]float64, error) {
	l := LogisticOptions{Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance}
	start, err := l.complete(m)
	o.MaxIterations, o.Tolerance = l.MaxIterations, l.Tolerance
	return start, err
}

// bayesFit is the data and options of a fit that may try several priors.
type bayesFit struct {
	*targeted
	o     BayesLogisticOptions
	start []float64
}

// bayesMode is the mode under one prior.
type bayesMode struct {
	p        *solve.Problem
	way      *solve.Path
	w        []float64
	prior    *glm.Gaussian
	evidence Evidence
}

// solve finds the mode under a prior, and the evidence.
func (f *bayesFit) solve(prior *glm.Gaussian) (*bayesMode, error) {
	p := solve.NewProblem(f.src, f.cols, f.t, glm.CrossEntropy{}, prior)
	if p.Rank != nil {
		return nil, fmt.Errorf("the prior is flat and %s: the posterior cannot be normalised along those that the data do not determine; drop columns, or give a Prior", p.Rank.Describe(f.cols))
	}
	p.Start, p.MaxIt, p.Tol, p.Warm = p.Coord.Inner(f.start), f.o.MaxIterations, f.o.Tolerance, f.o.Start == nil && floats.Norm(f.start, 1) == 0
	way := solve.Newton{}.Solve(p)
	if way.Direction != nil {
		return nil, fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not fall off in that direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", way.Reason)
	}
	m := p.GLM.M
	s := &bayesMode{p: p, way: way, w: p.Returned(way), prior: prior}
	if err := check.Vector("w", s.w, m, "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	if way.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + way.Reason)
	}
	logDet := way.Quad.R.LogDet()
	for _, v := range p.Coord.Scale { // A = B⁻ᵀA′B⁻¹ and |B| = Π s_j
		logDet -= 2 * math.Log(v)
	}
	s.evidence = Evidence{
		LogLikelihood: prior.Value(s.w) - way.Trace[len(way.Trace)-1].E,
		LogPrior:      prior.LogDensity(s.w), LogDet: logDet,
		M: m, N: wholeRows(f.src.Total()), SumWeights: f.src.Total(), Flat: m - prior.Proper(),
	}
	return s, nil
}

// model turns the mode into the result in the units of x.
func (f *bayesFit) model(s *bayesMode) (*BayesLogistic, error) {
	e, precision := s.p.At(s.way)
	s.prior.AddPrecision(precision)
	m := &BayesLogistic{
		W: s.w, Precision: precision, Covariance: s.p.Covariance(s.way.Quad),
		Root:     s.p.Coord.Columns(s.way.Quad.R.Inverse()),
		Evidence: s.evidence, Method: f.o.Method, N: s.evidence.N,
		Iterations: len(s.way.Trace) - 1, Converged: s.way.Converged, Reason: s.way.Reason,
	}
	m.Evidence.LogLikelihood = -e
	m.setPrior(s.prior)
	if !linalg.Finite(m.Precision) {
		return nil, errors.New("the Hessian overflows: choose other units for x")
	}
	if !linalg.Finite(m.Covariance) || !linalg.Finite(m.PriorPrecision) {
		return nil, errors.New("the covariance of the weights overflows: choose other units for x, or another prior")
	}
	return m, nil
}
