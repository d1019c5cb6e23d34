package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/variational"
)

var _ ActivationPosterior = (*VariationalLogistic)(nil)

// VariationalLogisticOptions are the options of FitVariationalLogistic. The zero value means a flat
// prior.
type VariationalLogisticOptions struct {
	// Prior is N(w|m0, S0). Nil means a flat prior. The classes must then overlap.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Method is the predictive method that Posterior, Scores and Predict use. The zero value is
	// PredictiveModerated (4.155).
	Method PredictiveMethod
	// StartXi is the ξ of every row before the first iteration; 0 means 1.
	StartXi float64
	// Plain restricts the fit to the updates of the book. Without Plain, the fit also takes Newton
	// steps for m_N and extrapolates ξ. It rejects a Newton step or an extrapolation that lowers the
	// bound. The optimum is the same, but the fit needs far fewer passes without Plain.
	Plain bool
	// MaxIterations is the number of passes over the rows after which no further iteration begins; 0
	// means 1000.
	MaxIterations int
	// Tolerance is the distance from the optimum at which the fit has converged; 0 means 1e-10. The
	// distance is the largest error of a ξ_n, divided by 1+ξ_n. The fit estimates this error from
	// the recent updates.
	Tolerance float64
}

// VariationalStep is an entry in the trace of a variational fit: the start, an iteration, or an accepted
// extrapolation.
type VariationalStep struct {
	Bound        float64   // the lower bound L(ξ) ≤ ln p(t)
	Mean         []float64 // m_N
	Change       float64   // the largest |Δξ_n|/(1+ξ_n) of this step; at the start +Inf, or 0 without data
	Extrapolated bool      // reports whether the step was made by extrapolation
}

// VariationalLogistic is Bayesian logistic regression with the local variational bound of Jaakkola
// and Jordan, PRML 10.6,
//
//	σ(a) ≥ σ(ξ) exp{(a−ξ)/2 − λ(ξ)(a²−ξ²)}, λ(ξ) = (σ(ξ)−½)/(2ξ) (10.144, 10.150).
//
// The bound replaces every factor of the likelihood with a Gaussian in w, so the posterior is
//
//	q(w) = N(w|m_N, S_N),
//	S_N⁻¹ = S0⁻¹ + 2 Σ_n λ(ξ_n)φ_nφ_nᵀ (10.158),
//	m_N = S_N (S0⁻¹m0 + Σ_n (t_n−½)φ_n) (10.157),
//	ξ_n² = φ_nᵀ(S_N + m_Nm_Nᵀ)φ_n (10.163),
//
// where the ξ_n of the last equation maximise the bound L(ξ) on ln p(t). The Laplace approximation
// describes the posterior near its mode. In contrast, q describes the region that contains most of
// the posterior's probability, but q is usually too narrow. The reason is that 2λ(ξ) ≥ y(1−y) at a
// = ±ξ. Each row therefore adds more to S_N⁻¹ than its curvature y(1−y)φφᵀ.
type VariationalLogistic struct {
	Names
	Mean       []float64         // m_N, bias first
	Covariance *mat.SymDense     // S_N
	Root       *mat.Dense        // S_N = Root·Rootᵀ; if S_N is ill-conditioned, Root is more accurate than S_N
	Xi         []float64         // parameters ξ_n ≥ 0, one for each row with a nonzero weight
	Bound      float64           // the lower bound L(ξ) ≤ ln p(t); the density of a flat prior counts as 1
	Method     PredictiveMethod  // the method that Posterior, Scores and Predict use
	N          int               // number of rows in the fit: SumWeights, rounded
	SumWeights float64           // the sum of the row weights; 0 for a model from a file without this sum
	Iterations int               // number of passes over the rows
	Converged  bool              // reports whether ξ is at the optimum, to Tolerance or as far as rounding allows
	Reason     string            // why the fit stopped
	Trace      []VariationalStep // the start and all later steps; the bound never falls, except by rounding
}

// FitVariationalLogistic maximises the variational bound for inputs x (N×D) and targets t in [0,1].
// t = 1 means C₁.
//
// A proper prior allows separable classes, a single class, dependent columns and more columns than
// rows. Without data the posterior is the prior. In this case x is an empty mat.Dense,
// t is empty, and a Gaussian prior determines the number of weights. An iteration makes one pass over
// the rows, or more if it rejects a Newton step or if columns are nearly dependent. The fit allocates
// N numbers ξ_n, or 3N numbers without Plain, but no array of size N×D.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], an invalid prior or option. With a
// flat prior, separable classes, a single class and dependent columns are also errors, because the
// posterior cannot be normalised. With a prior that is flat only in the bias, a single class is an
// error.
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
	b, err := bayesPriorOnly(x, t, BayesLogisticOptions{Prior: o.Prior, Weights: o.Weights})
	if err != nil {
		return nil, err
	}
	if b != nil {
		return &VariationalLogistic{
			Mean: b.W, Covariance: b.Covariance, Root: b.Root, Method: o.Method, Converged: true, Reason: onlyPrior,
			Trace: []VariationalStep{{Mean: append([]float64(nil), b.W...)}},
		}, nil
	}
	p, err := variationalProblem(x, t, o.Weights, o.Prior)
	if err != nil {
		return nil, err
	}
	f, err := variational.Start(p,
		variational.Options{StartXi: o.StartXi, Plain: o.Plain, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance})
	if err != nil {
		return nil, err
	}
	return variationalModel(f, o.Method)
}

// complete checks the options and replaces zero options with their defaults.
func (o *VariationalLogisticOptions) complete() error {
	if o.Method < PredictiveModerated || o.Method > PredictivePlugIn {
		return fmt.Errorf("option Method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn", o.Method)
	}
	if !(o.StartXi >= 0) || o.StartXi > 1e100 {
		return fmt.Errorf("option StartXi is %v: want a number from 0 to 1e100 (0 means the default, 1)", o.StartXi)
	}
	if o.MaxIterations < 0 {
		return fmt.Errorf("option MaxIterations is %d: it must be at least 0 (0 means the default, 1000)",
			o.MaxIterations)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) {
		return fmt.Errorf("option Tolerance is %v: it must be finite and at least 0 (0 means the default, 1e-10)", o.Tolerance)
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

// variationalProblem checks the data and the prior, and returns the problem in internal
// coordinates. Under a flat prior it checks whether the posterior can be normalised: the likelihood
// must have a maximum, and the columns of Φ must be independent. If the prior is flat only in the
// bias, it checks that both classes have rows.
func variationalProblem(x mat.Matrix, t, weights []float64, o Prior) (*solve.Problem, error) {
	in, err := InMemory{X: x, T: t}.checkedData(requirements{weights: weights})
	if err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	prior, err := resolvePrior(o, d+1)
	if err != nil {
		return nil, err
	}
	if prior == nil || prior.Free {
		if err := check.OneClass(in.Targets()); err != nil {
			return nil, fmt.Errorf("the posterior cannot be normalised under a prior that is flat in the bias: %w", err)
		}
	}
	if prior == nil {
		if err := variationalProper(in); err != nil {
			return nil, err
		}
	}
	p := solve.NewProblem(in.Src, in.Cols, in.T, glm.CrossEntropy{}, prior)
	p.Factor = true
	return p, nil
}

// variationalProper returns an error unless it can prove that the posterior under a flat prior can be
// normalised. If the columns of Φ are independent, it makes a maximum-likelihood fit for the proof.
func variationalProper(in *check.Data) error {
	p := solve.NewProblem(in.Src, in.Cols, in.T, glm.CrossEntropy{}, nil)
	if p.Rank != nil {
		return fmt.Errorf("the prior is flat and the data do not determine all weights, so the posterior cannot be normalised: give a Prior, or drop some of the %s", p.Rank.Describe(in.Cols))
	}
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-6
	switch path := (solve.Newton{}).Solve(p); {
	case path.Direction != nil:
		return fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not decrease along at least one direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", path.Reason)
	case !path.Converged:
		return fmt.Errorf("the prior is flat, and the fit could not prove that the posterior can be normalised: %s; give a Prior",
			path.Reason)
	}
	return nil
}

// variationalModel converts the final state of the fit f to a model. The weights of the model
// multiply the unscaled columns of x.
func variationalModel(f *variational.Fit, method PredictiveMethod) (*VariationalLogistic, error) {
	m := &VariationalLogistic{
		Mean: f.Coord.Outer(f.At.Mean), Root: f.Coord.Columns(f.At.R.Inverse()), Xi: f.Xi, Bound: f.At.Bound,
		Covariance: f.Covariance(&solve.Quadratic{R: f.At.R}), Method: method, N: wholeRows(f.Src.Total()),
		SumWeights: f.Src.Total(),
		Iterations: f.Passes, Converged: f.Converged, Reason: f.Reason,
	}
	for _, step := range f.Trace {
		m.Trace = append(m.Trace, VariationalStep(step))
	}
	if err := check.Vector("w", m.Mean, f.GLM.M, "weights"); err != nil {
		return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x", err)
	}
	if !linalg.Finite(m.Covariance) || math.IsNaN(m.Bound) || math.IsInf(m.Bound, 0) {
		return nil, errors.New("the covariance of the weights or the bound overflows: choose other units for x, or another prior")
	}
	return m, nil
}

// asBayesLogistic returns a BayesLogistic with the moments of q(w). The predictions of
// BayesLogistic are valid for any Gaussian posterior.
func (m *VariationalLogistic) asBayesLogistic() (*BayesLogistic, error) {
	if m == nil || len(m.Mean) == 0 || m.Root == nil {
		return nil, failure("VariationalLogistic", errNoWeights("FitVariationalLogistic"))
	}
	return &BayesLogistic{W: m.Mean, Covariance: m.Covariance, Root: m.Root, Method: m.Method}, nil
}

// variationalError replaces the name in front of err, for example BayesLogistic, with
// VariationalLogistic.
func variationalError(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return failure("VariationalLogistic", err)
}

// ActivationMoments returns the mean μ_a = m_Nᵀφ and the variance σ_a² = φᵀS_Nφ of
// the activation of each row of x, PRML (4.149, 4.150).
//
// Equations: PRML (4.149), (4.150).
func (m *VariationalLogistic) ActivationMoments(x mat.Matrix) (mean, variance []float64, err error) {
	g, err := m.asBayesLogistic()
	if err != nil {
		return nil, nil, err
	}
	if mean, variance, err = g.ActivationMoments(x); err != nil {
		return nil, nil, variationalError(err)
	}
	return mean, variance, nil
}

// Posterior returns an N×2 matrix with the predictive p(C₁|φ, t) and p(C₂|φ, t), computed by
// m.Method.
//
// Equations: PRML (4.145).
func (m *VariationalLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	g, err := m.asBayesLogistic()
	if err != nil {
		return nil, err
	}
	return m.PosteriorBy(x, g.Method)
}

// PosteriorBy returns the predictive distribution computed by the given method, N×2. It returns the
// errors of Posterior, and an error for an unknown method.
func (m *VariationalLogistic) PosteriorBy(x mat.Matrix, by PredictiveMethod) (*mat.Dense, error) {
	g, err := m.asBayesLogistic()
	if err != nil {
		return nil, err
	}
	p, err := g.PosteriorBy(x, by)
	if err != nil {
		return nil, variationalError(err)
	}
	return p, nil
}

// PosteriorError returns the predictive distribution computed by m.Method, and its standard errors.
// All standard errors are 0, because m.Method does not use random draws.
func (m *VariationalLogistic) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if p, err = m.Posterior(x); err != nil {
		return nil, nil, err
	}
	n, _ := p.Dims()
	return p, mat.NewDense(n, 2, nil), nil
}

// Scores returns an N×2 matrix with the logarithm of the predictive odds, ln p(C₁)/p(C₂), and 0.
func (m *VariationalLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	g, err := m.asBayesLogistic()
	if err != nil {
		return nil, err
	}
	s, err := g.Scores(x)
	if err != nil {
		return nil, variationalError(err)
	}
	return s, nil
}

// Predict returns 0 (C₁) for rows with μ_a ≥ 0 and 1 (C₂) for rows with μ_a < 0.
func (m *VariationalLogistic) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

// WeightMoments returns copies of m_N and S_N, or nil if m has no covariance.
func (m *VariationalLogistic) WeightMoments() (mean []float64, cov *mat.SymDense) {
	if m == nil {
		return nil, nil
	}
	return (&BayesLogistic{W: m.Mean, Covariance: m.Covariance}).WeightMoments()
}

// SampleWeights draws n weight vectors from q(w), one per row. Equal seeds give equal draws.
// Errors: n < 1, draws that need more than 1 GB, an unfitted model.
func (m *VariationalLogistic) SampleWeights(n int, seed uint64) (*mat.Dense, error) {
	if _, err := m.asBayesLogistic(); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, failure("SampleWeights", fmt.Errorf("n is %d: draw at least one weight vector", n))
	}
	if err := check.Drawn(float64(n), len(m.Mean)); err != nil {
		return nil, failure("SampleWeights", err)
	}
	return drawGaussian(m.Mean, m.Root, n, rand.New(rand.NewPCG(seed, bayesStream))), nil
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *VariationalLogistic) DegreesOfFreedom() int { return len(m.Mean) }

var _ = codec.Register(codec.Kind[VariationalLogistic]{Schema: "hyperplane-variational-logistic/1",
	Valid: (*VariationalLogistic).checkSizes})

func (m *VariationalLogistic) checkSizes() error {
	s, n := sizeChecker{}, len(m.Mean)
	s.checkWeights("mean", n)
	// SumWeights is 0 in files of versions without row weights (and for a fit without data). The
	// number of entries of xi is then N. In other files, N can be the rounded sum of row weights, so
	// the number of entries is not checked.
	if m.SumWeights == 0 {
		s.requireLength("xi", len(m.Xi), m.N)
	}
	s.checkMethod(m.Method)
	for i, step := range m.Trace {
		s.requireLength(fmt.Sprintf("the mean of step %d", i), len(step.Mean), n)
	}
	s.requireMatrix("covariance", m.Covariance, n, n)
	_, c := dims(m.Root)
	s.requireMatrix("root", m.Root, n, c)
	return s.err
}
