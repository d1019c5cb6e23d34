package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ = codec.Register(codec.Kind[Logistic]{Schema: "hyperplane-logistic/1",
		Valid: func(m *Logistic) error { return m.sized(0) },
		New:   func() *Logistic { return &Logistic{untold} }})
	_ = codec.Register(codec.Kind[Probit]{Schema: "hyperplane-probit/1",
		Valid: func(m *Probit) error { return m.sized(0) },
		New:   func() *Probit { return &Probit{untold} }})
	_ = codec.Register(codec.Kind[LabelFlip]{Schema: "hyperplane-label-flip/1", Valid: (*LabelFlip).sized,
		New: func() *LabelFlip { return &LabelFlip{Estimate: untold} }})
	_ = codec.Register(codec.Kind[GLM]{Schema: "hyperplane-glm/1", Valid: (*GLM).sized,
		New: func() *GLM { return &GLM{Estimate: untold} }})
	_ = codec.Register(codec.Kind[Softmax]{Schema: "hyperplane-softmax/1", Valid: (*Softmax).sized,
		New: func() *Softmax { return &Softmax{Penalty: math.NaN()} }})
	_ = codec.Register(codec.Kind[QuadraticLogistic]{Schema: "hyperplane-quadratic-logistic/1",
		Valid: (*QuadraticLogistic).sized})
	_ = codec.Register(codec.Kind[SigmoidSquares]{Schema: "hyperplane-sigmoid-squares/1",
		Valid: (*SigmoidSquares).sized})
)

// untold is the default for a file of version 0.1, which does not describe the prior.
var untold = Estimate{Penalty: math.NaN()}

// sized checks the sizes of all fields. The Hessian and the covariance contain rows for the weights
// and for extra more parameters.
func (m *Estimate) sized(extra int) error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	s.vector("direction", m.Direction, n)
	if m.Infinite != nil {
		s.list("infinite", len(m.Infinite), n)
	}
	s.matrix("hessian", m.Hessian, n+extra, n+extra)
	s.matrix("covariance", m.Covariance, n+extra, n+extra)
	s.trace(m.Trace, n)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *LabelFlip) sized() error {
	if m.Estimated {
		return m.Estimate.sized(1)
	}
	return m.Estimate.sized(0)
}

func (m *GLM) sized() error {
	if _, err := glm.NewCanonical(m.Family, m.Scale); err != nil {
		return err
	}
	untold := math.IsNaN(m.Penalty)
	err := m.Estimate.sized(0)
	if untold && m.Family != "Bernoulli" { // E omits terms that depend only on t, so E does not determine the penalty
		m.HasPrior, m.Penalty = false, math.NaN()
	}
	return err
}

func (m *Softmax) sized() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want the bias and at least one more row, and two classes", r, k)
	}
	s := sizes{}
	s.matrix("direction", m.Direction, r, k)
	s.matrix("hessian", m.Hessian, r*k, r*k)
	s.matrix("covariance", m.Covariance, r*k, r*k)
	s.trace(m.Trace, r*k)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *QuadraticLogistic) sized() error {
	s := sizes{}
	d, k := dims(m.Linear)
	if k < 2 {
		return errors.New("linear is missing or has fewer than two columns")
	}
	s.list("mean", len(m.Mean), d)
	s.list("std", len(m.Std), d)
	s.list("bias", len(m.Bias), k)
	s.list("quadratic", len(m.Quadratic), k)
	for _, q := range m.Quadratic {
		s.need("quadratic", q, d, d)
	}
	return s.err
}

func (m *SigmoidSquares) sized() error {
	r, k := dims(m.W)
	if r < 2 || len(m.Outputs) != k {
		return fmt.Errorf("w is %d×%d with %d outputs: want the bias and at least one more row, and one column for each output", r, k, len(m.Outputs))
	}
	s := sizes{}
	for _, o := range m.Outputs {
		s.matrix("hessian", o.Hessian, r, r)
		s.vector("direction", o.Direction, r)
		s.trace(o.Trace, r)
	}
	return s.err
}

// The JSON of a generative model also contains the numbers that the fit computes from the
// estimates. A loaded model therefore returns the same bits as the fitted model on the same kind of
// processor.
var (
	_ = codec.Register(codec.Kind[LDA]{Schema: "hyperplane-lda/1", Valid: (*LDA).sized,
		Fields: func(m *LDA) []codec.Field {
			return []codec.Field{{Name: "root", Value: &m.root}, {Name: "inner", Value: &m.inner},
				{Name: "common", Value: &m.common}}
		}})
	_ = codec.Register(codec.Kind[QDA]{Schema: "hyperplane-qda/1", Valid: (*QDA).sized,
		Fields: func(m *QDA) []codec.Field {
			return []codec.Field{{Name: "root", Value: &m.root}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesGaussian]{Schema: "hyperplane-naive-bayes-gaussian/1",
		Valid: (*NaiveBayesGaussian).sized, Fields: func(m *NaiveBayesGaussian) []codec.Field {
			return []codec.Field{{Name: "scale", Value: &m.scale}, {Name: "constant", Value: &m.constant}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesBernoulli]{Schema: "hyperplane-naive-bayes-bernoulli/1",
		Valid: (*NaiveBayesBernoulli).sized, Fields: func(m *NaiveBayesBernoulli) []codec.Field {
			return []codec.Field{{Name: "log_one", Value: &m.one}, {Name: "log_zero", Value: &m.zero}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesCategorical]{Schema: "hyperplane-naive-bayes-categorical/1",
		Valid: (*NaiveBayesCategorical).sized})
	_ = codec.Register(codec.Kind[ExponentialFamily]{Schema: "hyperplane-exponential-family/1",
		Valid: (*ExponentialFamily).sized, Fields: func(m *ExponentialFamily) []codec.Field {
			return []codec.Field{{Name: "inner", Value: &m.inner}, {Name: "origin", Value: &m.origin}}
		}})
)

// shares checks the fields that all generative models have. k is the number of classes.
func (s *sizes) shares(c *ClassShares) (k int) {
	k = len(c.Priors)
	s.vector("class_weights", c.ClassWeights, k)
	if k < 2 || len(c.Counts) != k {
		s.say("%d priors and %d counts: want one of each for at least two classes", k, len(c.Counts))
		return k
	}
	for i, p := range c.Priors {
		if !(p >= 0 && p <= 1) || (p > 0 && c.perClass()[i] == 0) {
			s.say("priors[%d] is %v with %d rows: it must be a probability, 0 for a class without rows", i, p,
				c.Counts[i])
		}
	}
	return k
}

// each checks that the matrices in list are present and that all are rows×cols.
func (s *sizes) each(rows, cols int, names string, list ...*mat.Dense) {
	for _, m := range list {
		s.need(names, m, rows, cols)
	}
}

func (s *sizes) root(u *linalg.Upper, d int) {
	switch {
	case u == nil:
		s.say("root is missing")
	case u.N != d:
		s.say("root is %d×%d, want %d×%d", u.N, u.N, d, d)
	case !u.Regular():
		s.say("root is singular")
	}
}

func (m *LDA) sized() error {
	s := sizes{}
	k := s.shares(&m.ClassShares)
	_, d := dims(m.Means)
	s.each(k, d, "means", m.Means)
	s.each(d+1, k, "w or inner", m.W, m.inner)
	s.need("sigma", m.Sigma, d, d)
	s.list("mean", len(m.Mean), d)
	s.list("common", len(m.common), d+1)
	s.root(m.root, d)
	return s.err
}

func (m *QDA) sized() error {
	s := sizes{}
	k := s.shares(&m.ClassShares)
	_, d := dims(m.Means)
	s.each(k, d, "means", m.Means)
	s.list("log_det", len(m.LogDet), k)
	s.list("root", len(m.root), k)
	s.list("sigma", len(m.Sigma), k)
	for c, n := range m.perClass() {
		if n != 0 && s.err == nil {
			s.need("sigma", m.Sigma[c], d, d)
			s.root(m.root[c], d)
		}
	}
	return s.err
}

func (m *NaiveBayesGaussian) sized() error {
	s := sizes{}
	k := s.shares(&m.ClassShares)
	_, d := dims(m.Means)
	s.each(k, d, "means, variance or scale", m.Means, m.Variance, m.scale)
	s.list("constant", len(m.constant), k)
	return s.err
}

func (m *NaiveBayesBernoulli) sized() error {
	s := sizes{}
	k := s.shares(&m.ClassShares)
	_, d := dims(m.Mu)
	s.each(k, d, "mu, log_one or log_zero", m.Mu, m.one, m.zero)
	s.each(d+1, k, "w", m.W)
	return s.err
}

func (m *NaiveBayesCategorical) sized() error {
	s := sizes{}
	k := s.shares(&m.ClassShares)
	if err := m.setStarts(); err != nil {
		return err
	}
	if len(m.Levels) == 0 || len(m.Mu) != len(m.Levels) {
		return fmt.Errorf("%d levels and %d mu: want one of each for every feature", len(m.Levels), len(m.Mu))
	}
	s.each(m.start[len(m.Levels)], k, "w", m.W)
	for i, l := range m.Levels {
		s.each(k, l, "mu", m.Mu[i])
	}
	return s.err
}

func (m *ExponentialFamily) sized() error {
	o := ExponentialFamilyOptions{Density: m.Density, Scale: m.Scale, Shape: m.Shape}
	if err := o.expFamilyComplete(); err != nil {
		return err
	}
	m.Scale, m.Shape = o.Scale, o.Shape
	s := sizes{}
	k := s.shares(&m.ClassShares)
	_, d := dims(m.Means)
	s.each(k, d, "means or lambda", m.Means, m.Lambda)
	s.each(d+1, k, "w or inner", m.W, m.inner)
	s.list("log_g", len(m.LogG), k)
	s.list("origin", len(m.origin), d)
	return s.err
}

var (
	_ = codec.Register(codec.Kind[BayesLogistic]{Schema: "hyperplane-bayes-logistic/1", Valid: (*BayesLogistic).sized})
	_ = codec.Register(codec.Kind[BayesSoftmax]{Schema: "hyperplane-bayes-softmax/1", Valid: (*BayesSoftmax).sized})
	_ = codec.Register(codec.Kind[VariationalLogistic]{Schema: "hyperplane-variational-logistic/1",
		Valid: (*VariationalLogistic).sized})
	_ = codec.Register(codec.Kind[LogisticSample]{Schema: "hyperplane-logistic-sample/1",
		Valid: (*LogisticSample).sized})
)

// method checks a PredictiveMethod.
func (s *sizes) method(m PredictiveMethod) {
	if m < PredictiveModerated || m > PredictivePlugIn {
		s.say("method is %d: want 0, 1 or 2", m)
	}
}

func (m *BayesLogistic) sized() error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	s.vector("prior_mean", m.PriorMean, n)
	s.method(m.Method)
	s.matrix("precision", m.Precision, n, n)
	s.matrix("covariance", m.Covariance, n, n)
	s.matrix("prior_precision", m.PriorPrecision, n, n)
	_, c := dims(m.Root)
	s.matrix("root", m.Root, n, c)
	return s.err
}

func (m *BayesSoftmax) sized() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want the bias and at least one more row, and two classes", r, k)
	}
	const most = 1 << 24
	if m.Draws < 2 || m.Draws%2 != 0 || m.Draws > most {
		return fmt.Errorf("draws is %d: want an even number from 2 to %d", m.Draws, most)
	}
	s := sizes{}
	s.matrix("precision", m.Precision, r*k, r*k)
	s.matrix("covariance", m.Covariance, r*k, r*k)
	_, c := dims(m.Root)
	s.matrix("root", m.Root, r*k, c)
	return s.err
}

func (m *VariationalLogistic) sized() error {
	s, n := sizes{}, len(m.Mean)
	s.weights("mean", n)
	if m.SumWeights == 0 { // the fit had no row weights, so xi has one entry per row
		s.list("xi", len(m.Xi), m.N)
	}
	s.method(m.Method)
	for i, step := range m.Trace {
		s.list(fmt.Sprintf("the mean of step %d", i), len(step.Mean), n)
	}
	s.need("covariance", m.Covariance, n, n)
	_, c := dims(m.Root)
	s.need("root", m.Root, n, c)
	return s.err
}

func (m *LogisticSample) sized() error {
	s, n, c := sizes{}, len(m.Mean), len(m.Chains)
	s.weights("mean", n)
	if c == 0 {
		return errors.New("chains are missing")
	}
	s.list("log_posterior", len(m.LogPosterior), c)
	s.list("acceptance", len(m.Acceptance), c)
	s.list("step_size", len(m.StepSize), c)
	s.list("r_hat", len(m.RHat), n)
	s.list("ess", len(m.ESS), n)
	s.list("mc_error", len(m.MCError), n)
	if m.Method < SamplerHamiltonian || m.Method > SamplerRandomWalk {
		s.say("method is %d: it must be 0 or 1", m.Method)
	}
	draws, _ := dims(m.Chains[0])
	if draws < 4 {
		s.say("chain 0 has %d draws: want at least 4", draws)
	}
	for i, w := range m.Chains {
		s.need(fmt.Sprintf("chain %d", i), w, draws, n)
		if s.err == nil {
			s.list(fmt.Sprintf("log_posterior %d", i), len(m.LogPosterior[i]), draws)
		}
	}
	s.need("covariance", m.Covariance, n, n)
	return s.err
}
