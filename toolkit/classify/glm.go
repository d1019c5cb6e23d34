package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// TargetFamily is the distribution of the target of a generalized linear model with canonical link.
// It is a BernoulliTarget, PoissonTarget, GaussianTarget or GammaTarget. With the natural parameter
// η and the scale s, its density is
//
//	p(t|η,s) = exp{(ηt − b(η))/s + c(t,s)},  y = E[t] = b′(η),  var[t] = s·b″(η).
//
// PRML (4.118) has another form, in which the functions h and g do not depend on s. A Gaussian has
// the form (4.118) with s = β^−½ and y = sη. PRML states s = β⁻¹ (erratum P27).
//
// Equations: PRML (4.118), (4.119).
type TargetFamily interface {
	canonical() (*glm.CanonicalLoss, error)
}

var (
	_ TargetFamily = BernoulliTarget{}
	_ TargetFamily = PoissonTarget{}
	_ TargetFamily = GaussianTarget{}
	_ TargetFamily = GammaTarget{}
)

// BernoulliTarget is a target in [0,1] with mean σ(η): logistic regression.
type BernoulliTarget struct{}

// PoissonTarget is a count with mean exp(η).
type PoissonTarget struct{}

// GaussianTarget is a real number with mean η and variance Scale: least squares.
//
// Equations: PRML (4.93)–(4.95).
type GaussianTarget struct {
	Scale float64 // s, the variance 1/β of the target; 0 means 1
}

// GammaTarget is a positive number with mean −1/η, η < 0. The variance is Scale times the squared
// mean, so the shape is 1/Scale. With Scale 1 the distribution is exponential.
type GammaTarget struct {
	Scale float64 // s; 0 means 1
}

func (BernoulliTarget) canonical() (*glm.CanonicalLoss, error) {
	return glm.NewCanonical("Bernoulli", 1)
}

func (PoissonTarget) canonical() (*glm.CanonicalLoss, error) { return glm.NewCanonical("Poisson", 1) }

func (f GaussianTarget) canonical() (*glm.CanonicalLoss, error) {
	return glm.NewCanonical("Gaussian", f.Scale)
}

func (f GammaTarget) canonical() (*glm.CanonicalLoss, error) {
	return glm.NewCanonical("gamma", f.Scale)
}

func canonicalOf(f TargetFamily) (*glm.CanonicalLoss, error) {
	if check.Nil(f) {
		return nil, errors.New("the family is nil: give BernoulliTarget{}, PoissonTarget{}, GaussianTarget{} or GammaTarget{}")
	}
	return f.canonical()
}

// GLMOptions are the options of FitGLM. The fields have the same meaning as in LogisticOptions, except
// for a nil Start. For every family but the Bernoulli family, a nil Start means the best bias, with
// all other weights 0. If the best bias is infinite, because all counts are 0, the bias is also 0.
type GLMOptions LogisticOptions

// GLM is a generalized linear model with canonical link, PRML 4.3.6. The target has an
// exponential-family distribution (4.118) with natural parameter η = wᵀφ, φ = (1, x). The link is
// f⁻¹(y) = ψ(y) (4.123). The activation function is the inverse of the link. Its value at η is the
// mean y = b′(η), where b is −s ln g (4.119). With this link, ψ′(y)f′(a) = 1 in the general
// gradient (4.122). The gradient is therefore, for every family,
//
//	∇E(w) = (1/s)·Σ_n (y_n − t_n)φ_n
//
// with E = −ln p(t|w). PRML (4.124) prints ∇ ln E instead (erratum P7). E omits terms that do not
// depend on w; LogLikelihood includes these terms. With the Bernoulli family the model equals the
// model of FitLogistic. The iterates in Trace contain the number of misclassified rows only for the
// Bernoulli family.
//
// Equations: PRML (4.118)–(4.124).
type GLM struct {
	Estimate
	Family string  // name of the family: Bernoulli, Poisson, Gaussian or gamma
	Scale  float64 // s
}

// FitGLM fits inputs x (N×D) and targets t with the given family. FitGLM uses the prior and the
// solver, treats dependent columns and sets Converged in the same way as FitLogistic.
//
// A maximum of the likelihood always exists for the Gaussian and the gamma family. For the Bernoulli
// family, a maximum exists under the same conditions as for FitLogistic. For the Poisson family, the
// maximum does not exist if there is a direction of w with three properties. Along this direction η
// falls for at least one row with t = 0, rises for no row with t = 0, and stays constant for every
// row with t > 0. The fit then sets Separable.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside the range of the family, a nil
// family, an invalid scale or prior, a start at which the objective is not finite. Without a prior on
// the bias, targets that are all 0 (Poisson) or all of one class (Bernoulli) are also errors.
//
// Equations: PRML (4.118)–(4.124).
func FitGLM(x mat.Matrix, t []float64, family TargetFamily, o GLMOptions) (*GLM, error) {
	l, err := canonicalOf(family)
	if err != nil {
		return nil, weightedFailure("FitGLM", o.Weights, err)
	}
	return fitFrom("FitGLM", InMemory{X: x, T: t}, requirements{weights: o.Weights, targets: l.Check},
		func(in *check.Data) (*GLM, error) { return glmOf(in, l, LogisticOptions(o)) })
}

func glmOf(in *check.Data, l *glm.CanonicalLoss, o LogisticOptions) (*GLM, error) {
	f, err := newProblem(in, l, o)
	if err != nil {
		return nil, err
	}
	t := in.T
	if f.Prior == nil || f.Prior.Free {
		if err := l.Degenerate(t); err != nil {
			return nil, err
		}
	}
	mean, weights, n := 0.0, f.Src.Weights(), f.Src.Total()
	for i, v := range t {
		mean += weights.At(i) * v / n
	}
	bias := l.Link(mean)
	if o.Start == nil && l.Name != "Bernoulli" && !math.IsInf(bias, 0) {
		f.Start[0] = bias
	}
	if _, e := f.Evaluate(f.Start, glm.OnlyValue); math.IsInf(e, 0) || math.IsNaN(e) {
		return nil, fmt.Errorf("the error at the start is %v: choose a Start where every mean of the %s family is defined and finite, or other units for t", e, l.Name)
	}
	f.Proper = f.Proper || l.Name == "Gaussian" || l.Name == "gamma"
	if l.Name == "Poisson" {
		f.NonLogistic = &solve.NonLogistic{
			Steeper: 1,
			Decay:   func(float64) float64 { return 1 }, // for t = 0, e″ equals e′, so e″/|e′| is 1
			Signs:   make([]float64, len(t)),            // 0 for t = 0; 0.5 for t > 0, where a direction must not change η
		}
		for i, v := range t {
			if v > 0 {
				f.NonLogistic.Signs[i] = 0.5
			}
		}
	}
	e, err := resultOf(f, solverOf(o.Solver).Solve(f))
	if err != nil {
		return nil, err
	}
	m := &GLM{Estimate: *e, Family: l.Name, Scale: l.S}
	var constant float64
	for i, v := range t {
		constant += weights.At(i) * l.Constant(v, l.S)
	}
	m.LogLikelihood += constant
	m.NullLogLikelihood = constant - l.ConstantModel(t, weights, bias)
	if l.Name != "Bernoulli" {
		for i := range m.Trace {
			m.Trace[i].Misclassified = 0
		}
	}
	return m, nil
}

// GLMObjective returns the function that FitGLM minimises; prior may be nil.
// Errors: shapes that do not agree, NaN or Inf, targets outside the range of the family, a nil
// family, an invalid scale or prior.
//
// Equations: PRML (4.93), (4.94), (4.121), (4.124).
func GLMObjective(x mat.Matrix, t []float64, family TargetFamily, prior Prior) (*Objective, error) {
	o, err := glmObjective(x, t, family, prior)
	if err != nil {
		return nil, failure("GLMObjective", err)
	}
	return o, nil
}

func glmObjective(x mat.Matrix, t []float64, family TargetFamily, prior Prior) (*Objective, error) {
	l, err := canonicalOf(family)
	if err != nil {
		return nil, err
	}
	in, err := InMemory{X: x, T: slices.Clone(t)}.checkedData(requirements{targets: l.Check})
	if err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	g, err := resolvePrior(prior, d+1)
	if err != nil {
		return nil, err
	}
	return &Objective{glm: glm.New(block.NewDesign(in.Src, nil, nil), in.T, l), prior: g}, nil
}

func (m *GLM) estimate() *Estimate {
	if m == nil {
		return nil
	}
	return &m.Estimate
}

// Mean returns y = E[t|x] for each row of x. It returns the errors of Activations, and an error if the
// natural parameter of a row is outside the range of the family. An unknown Family and an invalid
// Scale are also errors.
//
// Equations: PRML (4.3), (4.119), (4.120); Gambosi (glm-surfaces).
func (m *GLM) Mean(x mat.Matrix) ([]float64, error) {
	y, _, err := m.moments(x)
	return y, err
}

// moments returns the mean and the derivative b″ for each row of x.
func (m *GLM) moments(x mat.Matrix) (y, variance []float64, err error) {
	if m == nil {
		return nil, nil, failure("GLM", errNoWeights("FitGLM"))
	}
	l, err := glm.NewCanonical(m.Family, m.Scale)
	if err != nil {
		return nil, nil, failure("GLM", err)
	}
	a, err := m.Activations(x)
	if err != nil {
		return nil, nil, err
	}
	variance = make([]float64, len(a))
	for i, η := range a {
		if l.Name == "gamma" && !(η < 0) {
			return nil, nil, failure("GLM",
				fmt.Errorf("the natural parameter of row %d is %v: the gamma family requires a negative parameter, so the model has no mean for this row", i, η))
		}
		a[i], variance[i] = l.Mean(η)
	}
	return a, variance, nil
}

// PearsonScale estimates the scale s from the residuals of a fit to x and t. It returns Σ_n r_n (t_n −
// y_n)²/b″(η_n)/(N − M), where r_n is the weight of row n, N is the sum of these weights, and M is
// Rank. If the fit had Weights, pass the same weights. Without weights every row counts once. The
// weights W of a fit without prior do not depend on s. The covariance of W is proportional to s, so
// standard errors need this estimate unless s is known. PearsonScale returns the errors of Mean, and an
// error for t of the wrong length, for invalid weights, and for too few rows: N must exceed M.
func (m *GLM) PearsonScale(x mat.Matrix, t []float64, weights ...float64) (float64, error) {
	x, t, err := weightedData(x, t, weights)
	if err != nil {
		return 0, failure("PearsonScale", err)
	}
	y, v, err := m.moments(x)
	if err != nil {
		return 0, err
	}
	if len(t) != len(y) {
		return 0, failure("PearsonScale",
			fmt.Errorf("t has %d targets but x has %d rows: give one target for each row", len(t), len(y)))
	}
	src := block.NewSource(x)
	left := src.Total() - float64(m.Rank)
	if left <= 0 {
		return 0, failure("PearsonScale",
			fmt.Errorf("%.6g rows are too few for %d weights and the scale: want more rows than weights", src.Total(),
				m.Rank))
	}
	var sum float64
	for i := range y {
		sum += src.Weights().At(i) * (t[i] - y[i]) * (t[i] - y[i]) / v[i]
	}
	return sum / left, nil
}

var _ = codec.Register(codec.Kind[GLM]{Schema: "hyperplane-glm/1", Valid: (*GLM).checkSizes,
	New: func() *GLM { return &GLM{Estimate: unknownPenalty} }})

func (m *GLM) checkSizes() error {
	if _, err := glm.NewCanonical(m.Family, m.Scale); err != nil {
		return err
	}
	unknownPenalty := math.IsNaN(m.Penalty)
	err := m.Estimate.checkSizes(0)
	// Except for the Bernoulli family, E omits terms that do not depend on w, but LogLikelihood
	// contains them. The penalty is therefore not E + LogLikelihood.
	if unknownPenalty && m.Family != "Bernoulli" {
		m.HasPrior, m.Penalty = false, math.NaN()
	}
	return err
}
