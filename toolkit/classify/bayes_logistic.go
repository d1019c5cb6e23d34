package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ ActivationPosterior = (*BayesLogistic)(nil)
	_ Criteria            = (*BayesLogistic)(nil)
)

// BayesLogisticOptions are the options of FitBayesLogistic. The zero value means a flat prior.
type BayesLogisticOptions struct {
	// Prior is N(w|m0, S0). Nil means a flat prior, or Isotropic{Alpha: 1} if Reestimate is set.
	// Under a flat prior, the likelihood must have a unique maximum w_ML. The covariance of the Laplace
	// approximation is then the inverse of the observed information at w_ML, and the value of
	// LogEvidence is not a true evidence.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Reestimate sets α of an Isotropic prior to the value with the largest Laplace evidence (PRML
	// 3.5, applied to this model). The search starts at the Alpha of Prior, or at 1 if Prior is nil.
	Reestimate bool
	// Method is the predictive method that Posterior, Scores and Predict use. The zero value is
	// PredictiveModerated (4.155).
	Method PredictiveMethod
	// Start is the first iterate, bias first, D+1 entries; nil has the same meaning as in
	// LogisticOptions.
	Start []float64
	// MaxIterations is the maximum number of Newton iterations; 0 means 100.
	MaxIterations int
	// Tolerance has the same meaning as in LogisticOptions; 0 means 1e-10.
	Tolerance float64
}

// BayesLogistic is Bayesian logistic regression by the Laplace approximation, PRML 4.5,
//
//	p(w|t) ≃ q(w) = N(w|w_MAP, S_N) (4.144),
//	S_N⁻¹ = S0⁻¹ + Σ_n y_n(1−y_n)φ_nφ_nᵀ.
//
// The book's (4.143) calls this sum S_N (erratum P3), but the sum is the inverse of the covariance
// S_N. The text near (4.143) calls the sum the second derivatives of −ln p(t|w) (erratum P4).
// Because the sum includes S0⁻¹, it contains the second derivatives of −ln p(w|t). The Brief notes
// on section 4.5.1 repeat both mistakes (erratum N1).
//
// Equations: PRML (4.137), (4.138), (4.140)–(4.144).
type BayesLogistic struct {
	Names
	W []float64 // w_MAP: w0, w1 … wD
	// Precision is A = S_N⁻¹ = −∇∇ ln p(w|t), the right-hand side of (4.143).
	Precision *mat.SymDense
	// Covariance is S_N.
	Covariance *mat.SymDense
	// Root is a factor of S_N, S_N = Root·Rootᵀ. If S_N is ill-conditioned, Root is more accurate
	// than S_N. Predictions and draws use Root.
	Root           *mat.Dense
	PriorMean      []float64     // m0
	PriorPrecision *mat.SymDense // precision matrix S0⁻¹ of the prior; a weight with a flat prior has a row of zeros
	Alpha          float64       // α of an Isotropic prior, after re-estimation if requested; 0 for other priors
	Evidence       Evidence      // the Laplace evidence at the mode, (4.137)
	// Determined is γ = M − tr(S0⁻¹S_N) (PRML 3.91), a number between 0 and M. Determined is the
	// effective number of weights that the data determine. The prior determines the other M − γ
	// weights.
	Determined float64
	Method     PredictiveMethod // the method that Posterior, Scores and Predict use
	N          int              // number of rows in the fit: the sum of the row weights, rounded
	Iterations int              // number of Newton steps in the fit with the final prior
	// Converged reports whether W is the mode and, with Reestimate, whether Alpha has the greatest
	// evidence.
	Converged  bool
	Reason     string      // why the fit stopped
	AlphaTrace []AlphaStep // with Reestimate, the evidence at every α that the search tried
}

// FitBayesLogistic fits the Laplace approximation of the posterior to inputs x (N×D) and targets t
// in [0,1]. t = 1 means C₁.
//
// With a proper prior the posterior exists for any data, for example separable classes, a single
// class, dependent columns, or more columns than rows. Without data, that is, for x without rows and
// an empty t, the posterior is the prior. If x has no columns either (an empty mat.Dense), a Gaussian
// prior must determine the number of weights. A Newton step makes one pass over the rows, or more if
// the line search shortens the step. The result contains no array of size N×D.
//
// FitBayesLogistic returns the errors of FitLogistic. With a flat prior, separable classes, a
// single class and dependent columns are also errors, because the posterior cannot be normalised.
// Other errors: an unknown Method, the prior Jeffreys, Reestimate with a prior that is not Isotropic.
//
// Equations: PRML (4.138), (4.140)–(4.144).
func FitBayesLogistic(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	return fitBayesLogistic("FitBayesLogistic", InMemory{X: x, T: t}, o)
}

// FitBayesLogisticFrom is like [FitBayesLogistic], but reads the rows from any source. It returns
// the errors of FitBayesLogistic. It also returns an error for more than two classes, for a source
// that cannot be read, and for a source that cannot provide what the fit or its options need.
//
// Equations: PRML (4.138), (4.140)–(4.144).
func FitBayesLogisticFrom(s Source, o BayesLogisticOptions) (*BayesLogistic, error) {
	return fitBayesLogistic("FitBayesLogisticFrom", s, o)
}

func fitBayesLogistic(function string, s Source, o BayesLogisticOptions) (*BayesLogistic, error) {
	if err := o.check(); err != nil {
		return nil, weightedFailure(function, o.Weights, err)
	}
	if rows, ok := s.(InMemory); ok {
		switch m, err := bayesPriorOnly(rows.X, rows.T, o); {
		case err != nil:
			return nil, weightedFailure(function, o.Weights, err)
		case m != nil:
			return m, nil
		}
	}
	return fitFrom(function, s, requirements{weights: o.Weights},
		func(in *check.Data) (*BayesLogistic, error) { return bayesLogisticOf(in, o) })
}

// bayesLogisticOf fits the model to the rows. The caller must have checked the options o with
// o.check.
func bayesLogisticOf(in *check.Data, o BayesLogisticOptions) (*BayesLogistic, error) {
	_, d := in.Src.Dims()
	f := &bayesFit{Data: in, o: o}
	var err error
	if f.start, err = f.o.complete(d + 1); err != nil {
		return nil, err
	}
	prior, err := resolvePrior(o.Prior, d+1)
	if err != nil {
		return nil, err
	}
	if prior == nil || prior.Free {
		if err := check.OneClass(in.Targets()); err != nil {
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

// check checks Method and the type of Prior. With Reestimate, it replaces a nil prior with
// Isotropic{Alpha: 1}.
func (o *BayesLogisticOptions) check() (err error) {
	if o.Method < PredictiveModerated || o.Method > PredictivePlugIn {
		return fmt.Errorf("option Method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn", o.Method)
	}
	o.Prior, err = priorOf(o.Prior)
	if err == nil && o.Reestimate {
		o.Prior, err = reestimatedPrior(o.Prior)
	}
	return err
}

// complete replaces a zero MaxIterations or Tolerance with the default. It returns the m starting
// weights.
func (o *BayesLogisticOptions) complete(m int) ([]float64, error) {
	l := LogisticOptions{Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance}
	start, err := l.complete(m)
	o.MaxIterations, o.Tolerance = l.MaxIterations, l.Tolerance
	return start, err
}

// bayesFit contains the data and the options of a fit. The fit may compute the mode under several
// priors.
type bayesFit struct {
	*check.Data
	o     BayesLogisticOptions
	start []float64
}

// bayesMode is the mode of the posterior under one prior.
type bayesMode struct {
	p        *solve.Problem
	path     *solve.Path
	w        []float64
	prior    *glm.Gaussian
	evidence Evidence
}

// solve computes the mode of the posterior and the evidence under a prior.
func (f *bayesFit) solve(prior *glm.Gaussian) (*bayesMode, error) {
	p := solve.NewProblem(f.Src, f.Cols, f.T, glm.CrossEntropy{}, prior)
	if p.Rank != nil {
		return nil, fmt.Errorf("the prior is flat and the data do not determine all weights, so the posterior cannot be normalised: give a Prior, or drop some of the %s", p.Rank.Describe(f.Cols))
	}
	p.Start, p.MaxIt, p.Tol, p.MayChangeStart = p.Coord.Inner(f.start), f.o.MaxIterations, f.o.Tolerance,
		f.o.Start == nil && floats.Norm(f.start, 1) == 0
	path := solve.Newton{}.Solve(p)
	if path.Direction != nil {
		return nil, fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not decrease along at least one direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", path.Reason)
	}
	m := p.GLM.M
	s := &bayesMode{p: p, path: path, w: p.FinalWeights(path), prior: prior}
	if err := check.Vector("w", s.w, m, "weights"); err != nil {
		return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x", err)
	}
	if path.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + path.Reason)
	}
	logDet := path.Quad.R.LogDet()
	for _, v := range p.Coord.Scale { // logDet is ln|A′| in scaled coordinates: A = B⁻ᵀA′B⁻¹ and |B| = Π s_j
		logDet -= 2 * math.Log(v)
	}
	s.evidence = Evidence{
		LogLikelihood: prior.Value(s.w) - path.Trace[len(path.Trace)-1].E,
		LogPrior:      prior.LogDensity(s.w), LogDet: logDet,
		M: m, N: wholeRows(f.Src.Total()), SumWeights: f.Src.Total(), Flat: m - prior.Proper(),
	}
	return s, nil
}

// model returns the fitted model for the mode s. The weights of the model multiply the unscaled
// columns of x.
func (f *bayesFit) model(s *bayesMode) (*BayesLogistic, error) {
	e, precision := s.p.At(s.path)
	s.prior.AddPrecision(precision)
	m := &BayesLogistic{
		W: s.w, Precision: precision, Covariance: s.p.Covariance(s.path.Quad),
		Root:     s.p.Coord.Columns(s.path.Quad.R.Inverse()),
		Evidence: s.evidence, Method: f.o.Method, N: s.evidence.N,
		Iterations: len(s.path.Trace) - 1, Converged: s.path.Converged, Reason: s.path.Reason,
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

// ActivationMoments returns the mean μ_a = w_MAPᵀφ and the variance σ_a² = φᵀS_Nφ of the activation
// of each row of x, PRML (4.149, 4.150). The book writes m_N instead of w_MAP in (4.150), and calls
// q(w) variational (erratum P23).
//
// Equations: PRML (4.148)–(4.150).
func (m *BayesLogistic) ActivationMoments(x mat.Matrix) (mean, variance []float64, err error) {
	n, err := m.checkRows(x)
	if err != nil {
		return nil, nil, err
	}
	mean, variance = make([]float64, n), make([]float64, n)
	return mean, variance, m.eachActivation(x, func(i int, mu, sd float64) { mean[i], variance[i] = mu, sd*sd })
}

// checkRows checks the model and the shape of x, and returns the number N of rows.
func (m *BayesLogistic) checkRows(x mat.Matrix) (int, error) {
	if m == nil || len(m.W) == 0 || m.Root == nil {
		return 0, failure("BayesLogistic", errNoWeights("FitBayesLogistic"))
	}
	src, err := check.Wide(x, len(m.W)-1)
	if err != nil {
		return 0, failure("BayesLogistic", err)
	}
	n, _ := src.Dims()
	return n, nil
}

// eachActivation calls f, from several goroutines, with the mean and the standard deviation of each
// row's activation. It computes σ_a² = ‖Rootᵀφ‖² as a sum of squares, which has a small relative
// error and is never negative. eachActivation does not call f for a row whose mean or standard
// deviation is NaN, because it then returns an error.
func (m *BayesLogistic) eachActivation(x mat.Matrix, f func(i int, mu, sd float64)) error {
	err := linearWalk(x, append([][]float64{m.W}, weightColumns(m.Root)...), func(rows int) activationRun {
		sd := make([]float64, rows)
		return func(lo, n int, a []float64, stride int) {
			writeLengths(sd[:n], a[stride:], stride)
			for r, mu := range a[:n] {
				if !math.IsNaN(mu) && !math.IsNaN(sd[r]) {
					f(lo+r, mu, sd[r])
				}
			}
		}
	})
	if err != nil {
		return failure("BayesLogistic", err)
	}
	return nil
}

// writeLengths writes to out[r] the square root of the sum of the squares of a[r], a[r+stride], …
func writeLengths(out, a []float64, stride int) {
	clear(out)
	for at := 0; at < len(a); at += stride {
		for r, v := range a[at:][:len(out)] {
			out[r] += v * v
		}
	}
	for r, s := range out {
		if out[r] = math.Sqrt(s); s > 1e-280 && s < 1e280 {
			continue
		}
		out[r] = 0 // rescale, because the squares may be outside the range of float64
		for at := r; at < len(a); at += stride {
			out[r] = math.Hypot(out[r], a[at])
		}
	}
}

// Posterior returns an N×2 matrix: the predictive p(C₁|φ, t) and p(C₂|φ, t), computed by m.Method.
//
// Equations: PRML (4.145).
func (m *BayesLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("BayesLogistic", errNoWeights("FitBayesLogistic"))
	}
	return m.PosteriorBy(x, m.Method)
}

// PosteriorBy returns the predictive distribution for each row of x, N×2, computed by the given
// method. Probabilities near 0 have the same relative accuracy as other probabilities. PosteriorBy
// returns the errors of Posterior, and an error for an unknown method.
//
// Equations: PRML (4.145), (4.147), (4.151), (4.155).
func (m *BayesLogistic) PosteriorBy(x mat.Matrix, by PredictiveMethod) (*mat.Dense, error) {
	if by < PredictiveModerated || by > PredictivePlugIn {
		return nil, failure("PosteriorBy",
			fmt.Errorf("the method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn",
				by))
	}
	n, err := m.checkRows(x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, 2, nil)
	err = m.eachActivation(x, func(i int, mu, sd float64) {
		p, c := by.predict(mu, sd)
		row := out.RawRowView(i)
		row[0], row[1] = p, c
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// predict returns p(C₁) and p(C₂) for an activation with mean mu and standard deviation sd.
//
// Equations: Brief notes (other-class).
func (by PredictiveMethod) predict(mu, sd float64) (p, c float64) {
	switch by {
	case PredictiveQuadrature:
		return kernels.SigmoidGaussian(mu, sd)
	case PredictiveModerated:
		mu = moderatedMean(mu, sd)
	}
	return kernels.Sigmoid(mu), kernels.Sigmoid(-mu)
}

// moderatedMean returns κ(σ²)μ, where μ is mu and σ is sd.
func moderatedMean(mu, sd float64) float64 { return mu / math.Hypot(1, math.Sqrt(math.Pi/8)*sd) }

// PosteriorError returns the predictive distribution computed by m.Method, and its standard errors.
// All standard errors are 0, because m.Method does not use random draws.
func (m *BayesLogistic) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if p, err = m.Posterior(x); err != nil {
		return nil, nil, err
	}
	n, _ := p.Dims()
	return p, mat.NewDense(n, 2, nil), nil
}

// Scores returns an N×2 matrix: the logarithm of the predictive odds, ln p(C₁)/p(C₂), and 0. The
// logarithm is μ_a for PredictivePlugIn and κ(σ_a²)μ_a for PredictiveModerated.
func (m *BayesLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	n, err := m.checkRows(x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, 2, nil)
	err = m.eachActivation(x, func(i int, mu, sd float64) {
		switch m.Method {
		case PredictiveQuadrature:
			p, c := kernels.SigmoidGaussian(mu, sd)
			out.Set(i, 0, math.Log(p)-math.Log(c))
		case PredictiveModerated:
			out.Set(i, 0, moderatedMean(mu, sd))
		default:
			out.Set(i, 0, mu)
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Predict returns 0 (C₁) for rows with μ_a ≥ 0 and 1 (C₂) for rows with μ_a < 0. All methods
// predict the same class, because μ_a = 0 gives probability ½ for any variance (PRML 4.5.2). With
// unequal losses or a reject option the methods can predict different classes; see Decision.
func (m *BayesLogistic) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

// WeightMoments returns copies of w_MAP and S_N, or nil if m has no covariance.
//
// Equations: PRML (4.144).
func (m *BayesLogistic) WeightMoments() (mean []float64, cov *mat.SymDense) {
	if m == nil || m.Covariance == nil {
		return nil, nil
	}
	cov = mat.NewSymDense(len(m.W), nil)
	cov.CopySym(m.Covariance)
	return append([]float64(nil), m.W...), cov
}

// SampleWeights draws n weight vectors from q(w) = N(w_MAP, S_N), one per row. Equal seeds give
// equal draws. Errors: n < 1, draws that need more than 1 GB, an unfitted model.
//
// Equations: PRML (4.144).
func (m *BayesLogistic) SampleWeights(n int, seed uint64) (*mat.Dense, error) {
	if m == nil || len(m.W) == 0 || m.Root == nil {
		return nil, failure("SampleWeights", errNoWeights("FitBayesLogistic"))
	}
	if n < 1 {
		return nil, failure("SampleWeights", fmt.Errorf("n is %d: draw at least one weight vector", n))
	}
	if err := check.Drawn(float64(n), len(m.W)); err != nil {
		return nil, failure("SampleWeights", err)
	}
	return drawGaussian(m.W, m.Root, n, rand.New(rand.NewPCG(seed, bayesStream))), nil
}

const bayesStream = 45 // the second seed of each random generator that draws from a Gaussian posterior

// drawGaussian returns n draws mean + root·z, one per row, where z is standard normal.
func drawGaussian(mean []float64, root *mat.Dense, n int, rng *rand.Rand) *mat.Dense {
	_, k := root.Dims()
	out, z := mat.NewDense(n, len(mean), nil), make([]float64, k)
	for i := range n {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		row := out.RawRowView(i)
		for j, v := range linalg.MulVec(root, z) {
			row[j] = mean[j] + v
		}
	}
	return out
}

// LogEvidence returns the Laplace approximation of ln p(t), PRML (4.137). A nil prior is flat in all
// weights, and an Isotropic prior with FreeBias is flat in the bias. Flat weights have the constant
// density 1, which is not a proper prior. The value is then not an evidence: it changes with the units
// of x and may be positive. Such values can only be compared between models with the same flat weights
// (see Evidence.Flat).
//
// Equations: PRML (4.137).
func (m *BayesLogistic) LogEvidence() float64 { return m.Evidence.LogEvidence() }

// Deviance returns −2 ln p(t|w_MAP).
func (m *BayesLogistic) Deviance() float64 { return m.Evidence.Deviance() }

// AIC returns −2 ln p(t|w_MAP) + 2M; smaller is better.
func (m *BayesLogistic) AIC() float64 { return m.Evidence.AIC() }

// BIC returns −2 ln p(t|w_MAP) + M ln N; smaller is better. PRML (4.139) is −½ times the BIC.
//
// Equations: PRML (4.139).
func (m *BayesLogistic) BIC() float64 { return m.Evidence.BIC() }

// DegreesOfFreedom returns the number of weights, D+1. The field Determined states how many weights
// the data determine.
func (m *BayesLogistic) DegreesOfFreedom() int { return len(m.W) }

// Predictive is a Bayesian classifier. It has a posterior distribution over the weights, and its
// predictions integrate over the weights (PRML 4.145),
//
//	p(C_k|φ, t) = ∫ p(C_k|φ, w) p(w|t) dw.
//
// BayesLogistic, BayesSoftmax, VariationalLogistic and LogisticSample implement Predictive, so one
// plot or table can compare these models.
//
// Equations: PRML (4.145).
type Predictive interface {
	Predictor
	Scorer // Scores returns the log odds of the predictive distribution, or its log probabilities
	Prober // the predictive distribution

	// PosteriorError returns the predictive distribution, N×K, and the Monte Carlo standard error
	// of each probability, N×K. The standard errors are 0 if the model draws no samples.
	// PosteriorError returns the errors of Posterior.
	PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error)

	// WeightMoments returns the mean and the covariance of the weights under the posterior or its
	// approximation. The bias comes first. The weights of a BayesSoftmax are ordered class by class.
	WeightMoments() (mean []float64, cov *mat.SymDense)
}

// ActivationPosterior is a two-class Predictive that can also compute the posterior distribution of
// the activation a = wᵀφ, PRML (4.148).
//
// Equations: PRML (4.147)–(4.150).
type ActivationPosterior interface {
	Predictive

	// ActivationMoments returns the mean μ_a and the variance σ_a² of the activation for each row
	// of x, PRML (4.149, 4.150). It returns the errors of Posterior.
	ActivationMoments(x mat.Matrix) (mean, variance []float64, err error)
}

// PredictiveMethod is a method of integrating σ(a) over a Gaussian N(a|μ_a, σ_a²).
//
// Equations: PRML (4.151), (4.155).
type PredictiveMethod int

const (
	// PredictiveModerated is σ(κ(σ_a²)μ_a), PRML (4.155). The book writes (4.155) with an equals
	// sign, although it uses the approximation (4.153) (erratum P32). The error of the probability
	// is at most about 0.02.
	PredictiveModerated PredictiveMethod = iota
	// PredictiveQuadrature computes the integral (4.151) numerically, to about 13 digits.
	PredictiveQuadrature
	// PredictivePlugIn is σ(μ_a). It uses only the mean of the weights, not their distribution.
	PredictivePlugIn
)

// setPrior sets the fields PriorMean, PriorPrecision and Determined of m for the prior g.
func (m *BayesLogistic) setPrior(g *glm.Gaussian) {
	n := len(m.W)
	m.PriorMean, m.PriorPrecision = make([]float64, n), g.PrecisionMatrix(n)
	m.Determined = float64(n)
	if g == nil {
		return
	}
	copy(m.PriorMean, g.Mean)
	for _, row := range g.Root { // tr(S0⁻¹S_N) = ‖root·Root‖²
		u := linalg.MulVecT(m.Root, row)
		m.Determined -= linalg.Dot(u, u)
	}
	m.Determined = math.Max(m.Determined, 0)
}

// bayesPriorOnly handles the case without data, in which the posterior equals the prior. It returns
// the model with this posterior, or nil if there are data or if x is nil.
func bayesPriorOnly(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	if check.Nil(x) || len(t) > 0 {
		return nil, nil
	}
	n, d := x.Dims()
	if n != 0 {
		return nil, nil
	}
	if o.Weights != nil {
		if err := checkWeights("Weights", o.Weights, n); err != nil {
			return nil, err
		}
	}
	var err error
	if o.Prior, err = priorOf(o.Prior); err != nil {
		return nil, err
	}
	if o.Prior == nil {
		return nil, fmt.Errorf("x is %d×%d: want at least one row and one column, or a proper Prior", n, d)
	}
	m := d + 1
	if d == 0 {
		if m = o.Prior.weights(); m == 0 {
			return nil, errors.New("x is 0×0: want at least one row and one column, or a Gaussian prior that determines the number of weights")
		}
	}
	g, err := o.Prior.resolve(m)
	if err != nil {
		return nil, err
	}
	if g.Free || o.Reestimate {
		return nil, fmt.Errorf("x is 0×%d: want at least one row, or a proper prior without Reestimate", d)
	}
	b := &BayesLogistic{W: g.Mean, Precision: g.PrecisionMatrix(m), Method: o.Method, Converged: true,
		Reason: onlyPrior}
	b.Evidence = Evidence{LogPrior: g.LogDensity(g.Mean), M: m}
	b.Root, b.Covariance, b.Evidence.LogDet = g.Itself()
	b.setPrior(g)
	b.Determined = 0
	b.Alpha = alphaOf(o.Prior)
	return b, nil
}

const onlyPrior = "no data: the posterior is the prior"

// Moderation contains the decisions of one model by three predictive methods. The plug-in
// method ignores the uncertainty of the weights.
//
// Equations: PRML (4.151), (4.155).
type Moderation struct {
	PlugIn     []int // decisions by σ(μ_a)
	Moderated  []int // decisions by σ(κ(σ_a²)μ_a)
	Quadrature []int // decisions from the integral (4.151), which is computed numerically
	Changed    []int // rows for which PlugIn and Quadrature differ, in ascending order
}

// Moderation applies the rule d to the probabilities of each of the three predictive methods, for
// every row of x.
//
// With equal losses and no rejection, the decisions of the three methods are equal, because each
// method returns exactly ½ where μ_a = 0. With unequal losses the boundary is at a probability
// other than ½, and with rejection there are two boundaries. The uncertainty of the weights moves
// the probabilities towards ½. The larger σ_a² is, the larger this change is. The decision for a
// row can therefore differ between the methods. Moderation returns the errors of Posterior, and an
// error for an invalid Decision.
func (m *BayesLogistic) Moderation(x mat.Matrix, d Decision) (*Moderation, error) {
	out := new(Moderation)
	for _, by := range []struct {
		method  PredictiveMethod
		classes *[]int
	}{{PredictivePlugIn, &out.PlugIn}, {PredictiveModerated, &out.Moderated}, {PredictiveQuadrature, &out.Quadrature}} {
		p, err := m.PosteriorBy(x, by.method)
		if err != nil {
			return nil, err
		}
		if *by.classes, err = d.Decide(p); err != nil {
			return nil, err
		}
	}
	for i, c := range out.PlugIn {
		if c != out.Quadrature[i] {
			out.Changed = append(out.Changed, i)
		}
	}
	return out, nil
}

var _ = codec.Register(codec.Kind[BayesLogistic]{Schema: "hyperplane-bayes-logistic/1",
	Valid: (*BayesLogistic).checkSizes})

func (m *BayesLogistic) checkSizes() error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	s.checkVector("prior_mean", m.PriorMean, n)
	s.checkMethod(m.Method)
	s.checkMatrix("precision", m.Precision, n, n)
	s.checkMatrix("covariance", m.Covariance, n, n)
	s.checkMatrix("prior_precision", m.PriorPrecision, n, n)
	_, c := dims(m.Root)
	s.checkMatrix("root", m.Root, n, c)
	return s.err
}
