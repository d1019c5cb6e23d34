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
		Valid: func(m *Logistic) error { return m.checkSizes(0) },
		New:   func() *Logistic { return &Logistic{unknownPenalty} }})
	_ = codec.Register(codec.Kind[Probit]{Schema: "hyperplane-probit/1",
		Valid: func(m *Probit) error { return m.checkSizes(0) },
		New:   func() *Probit { return &Probit{unknownPenalty} }})
	_ = codec.Register(codec.Kind[LabelFlip]{Schema: "hyperplane-label-flip/1", Valid: (*LabelFlip).checkSizes,
		New: func() *LabelFlip { return &LabelFlip{Estimate: unknownPenalty} }})
	_ = codec.Register(codec.Kind[GLM]{Schema: "hyperplane-glm/1", Valid: (*GLM).checkSizes,
		New: func() *GLM { return &GLM{Estimate: unknownPenalty} }})
	_ = codec.Register(codec.Kind[Softmax]{Schema: "hyperplane-softmax/1", Valid: (*Softmax).checkSizes,
		New: func() *Softmax { return &Softmax{Penalty: math.NaN()} }})
	_ = codec.Register(codec.Kind[QuadraticLogistic]{Schema: "hyperplane-quadratic-logistic/1",
		Valid: (*QuadraticLogistic).checkSizes})
	_ = codec.Register(codec.Kind[SigmoidSquares]{Schema: "hyperplane-sigmoid-squares/1",
		Valid: (*SigmoidSquares).checkSizes})
)

// unknownPenalty is the Estimate of a model before Load reads a file into the model. A file of version
// 0.1 does not store the penalty, so Penalty is still NaN when checkSizes runs.
var unknownPenalty = Estimate{Penalty: math.NaN()}

// checkSizes checks the sizes of all fields. The Hessian and the covariance must have one row for
// each weight, and `extra` more rows. For a file of version 0.1, checkSizes also sets HasPrior and
// Penalty.
func (m *Estimate) checkSizes(extra int) error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	s.checkVector("direction", m.Direction, n)
	if m.Infinite != nil {
		s.requireLength("infinite", len(m.Infinite), n)
	}
	s.checkMatrix("hessian", m.Hessian, n+extra, n+extra)
	s.checkMatrix("covariance", m.Covariance, n+extra, n+extra)
	s.checkTrace(m.Trace, n)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *LabelFlip) checkSizes() error {
	if m.Estimated {
		return m.Estimate.checkSizes(1)
	}
	return m.Estimate.checkSizes(0)
}

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

func (m *Softmax) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows (the first for the bias) and at least two columns (one per class)", r, k)
	}
	s := sizeChecker{}
	s.checkMatrix("direction", m.Direction, r, k)
	s.checkMatrix("hessian", m.Hessian, r*k, r*k)
	s.checkMatrix("covariance", m.Covariance, r*k, r*k)
	s.checkTrace(m.Trace, r*k)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *QuadraticLogistic) checkSizes() error {
	s := sizeChecker{}
	d, k := dims(m.Linear)
	if k < 2 {
		return errors.New("the field linear is missing or has fewer than two columns: want one column per class")
	}
	s.requireLength("mean", len(m.Mean), d)
	s.requireLength("std", len(m.Std), d)
	s.requireLength("bias", len(m.Bias), k)
	s.requireLength("quadratic", len(m.Quadratic), k)
	for _, q := range m.Quadratic {
		s.requireMatrix("quadratic", q, d, d)
	}
	return s.err
}

func (m *SigmoidSquares) checkSizes() error {
	r, k := dims(m.W)
	if r < 2 || len(m.Outputs) != k {
		return fmt.Errorf("w is %d×%d with %d outputs: want at least two rows (the first for the bias), and one column for each output", r, k, len(m.Outputs))
	}
	s := sizeChecker{}
	for _, o := range m.Outputs {
		s.checkMatrix("hessian", o.Hessian, r, r)
		s.checkVector("direction", o.Direction, r)
		s.checkTrace(o.Trace, r)
	}
	return s.err
}

// The JSON of a generative model also contains the numbers that the fit computes from the
// estimates. On the same kind of processor, the results of a loaded model therefore have the same
// bits as the results of the fitted model.
var (
	_ = codec.Register(codec.Kind[LDA]{Schema: "hyperplane-lda/1", Valid: (*LDA).checkSizes,
		Fields: func(m *LDA) []codec.Field {
			return []codec.Field{{Name: "root", Value: &m.root}, {Name: "inner", Value: &m.inner},
				{Name: "common", Value: &m.common}}
		}})
	_ = codec.Register(codec.Kind[QDA]{Schema: "hyperplane-qda/1", Valid: (*QDA).checkSizes,
		Fields: func(m *QDA) []codec.Field {
			return []codec.Field{{Name: "root", Value: &m.root}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesGaussian]{Schema: "hyperplane-naive-bayes-gaussian/1",
		Valid: (*NaiveBayesGaussian).checkSizes, Fields: func(m *NaiveBayesGaussian) []codec.Field {
			return []codec.Field{{Name: "scale", Value: &m.scale}, {Name: "constant", Value: &m.constant}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesBernoulli]{Schema: "hyperplane-naive-bayes-bernoulli/1",
		Valid: (*NaiveBayesBernoulli).checkSizes, Fields: func(m *NaiveBayesBernoulli) []codec.Field {
			return []codec.Field{{Name: "log_one", Value: &m.one}, {Name: "log_zero", Value: &m.zero}}
		}})
	_ = codec.Register(codec.Kind[NaiveBayesCategorical]{Schema: "hyperplane-naive-bayes-categorical/1",
		Valid: (*NaiveBayesCategorical).checkSizes})
	_ = codec.Register(codec.Kind[ExponentialFamily]{Schema: "hyperplane-exponential-family/1",
		Valid: (*ExponentialFamily).checkSizes, Fields: func(m *ExponentialFamily) []codec.Field {
			return []codec.Field{{Name: "inner", Value: &m.inner}, {Name: "origin", Value: &m.origin}}
		}})
)

// checkShares checks the fields that all generative models have. k is the number of classes.
func (s *sizeChecker) checkShares(c *ClassShares) (k int) {
	k = len(c.Priors)
	s.checkVector("class_weights", c.ClassWeights, k)
	if k < 2 || len(c.Counts) != k {
		s.say("got %d priors and %d counts: want one prior and one count for each of at least two classes", k, len(c.Counts))
		return k
	}
	for i, p := range c.Priors {
		if !(p >= 0 && p <= 1) || (p > 0 && c.perClass()[i] == 0) {
			s.say("priors[%d] is %v for a class of %d rows: it must be a probability, and 0 for a class without rows", i, p,
				c.Counts[i])
		}
	}
	return k
}

// requireMatrices checks that each of the listed matrices is not nil and has the size rows×cols.
func (s *sizeChecker) requireMatrices(rows, cols int, names string, list ...*mat.Dense) {
	for _, m := range list {
		s.requireMatrix(names, m, rows, cols)
	}
}

func (s *sizeChecker) checkRoot(u *linalg.Upper, d int) {
	switch {
	case u == nil:
		s.say("root is missing")
	case u.N != d:
		s.say("root is %d×%d, want %d×%d", u.N, u.N, d, d)
	case !u.Regular():
		s.say("root is singular")
	}
}

func (m *LDA) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means", m.Means)
	s.requireMatrices(d+1, k, "w or inner", m.W, m.inner)
	s.requireMatrix("sigma", m.Sigma, d, d)
	s.requireLength("mean", len(m.Mean), d)
	s.requireLength("common", len(m.common), d+1)
	s.checkRoot(m.root, d)
	return s.err
}

func (m *QDA) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means", m.Means)
	s.requireLength("log_det", len(m.LogDet), k)
	s.requireLength("root", len(m.root), k)
	s.requireLength("sigma", len(m.Sigma), k)
	for c, n := range m.perClass() {
		if n != 0 && s.err == nil {
			s.requireMatrix("sigma", m.Sigma[c], d, d)
			s.checkRoot(m.root[c], d)
		}
	}
	return s.err
}

func (m *NaiveBayesGaussian) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means, variance or scale", m.Means, m.Variance, m.scale)
	s.requireLength("constant", len(m.constant), k)
	return s.err
}

func (m *NaiveBayesBernoulli) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Mu)
	s.requireMatrices(k, d, "mu, log_one or log_zero", m.Mu, m.one, m.zero)
	s.requireMatrices(d+1, k, "w", m.W)
	return s.err
}

func (m *NaiveBayesCategorical) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	if err := m.setStarts(); err != nil {
		return err
	}
	if len(m.Levels) == 0 || len(m.Mu) != len(m.Levels) {
		return fmt.Errorf("levels has %d entries and mu has %d: want one entry of each for every feature", len(m.Levels), len(m.Mu))
	}
	s.requireMatrices(m.start[len(m.Levels)], k, "w", m.W)
	for i, l := range m.Levels {
		s.requireMatrices(k, l, "mu", m.Mu[i])
	}
	return s.err
}

func (m *ExponentialFamily) checkSizes() error {
	o := ExponentialFamilyOptions{Density: m.Density, Scale: m.Scale, Shape: m.Shape}
	if err := o.expFamilyComplete(); err != nil {
		return err
	}
	m.Scale, m.Shape = o.Scale, o.Shape
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means or lambda", m.Means, m.Lambda)
	s.requireMatrices(d+1, k, "w or inner", m.W, m.inner)
	s.requireLength("log_g", len(m.LogG), k)
	s.requireLength("origin", len(m.origin), d)
	return s.err
}

var (
	_ = codec.Register(codec.Kind[BayesLogistic]{Schema: "hyperplane-bayes-logistic/1", Valid: (*BayesLogistic).checkSizes})
	_ = codec.Register(codec.Kind[BayesSoftmax]{Schema: "hyperplane-bayes-softmax/1", Valid: (*BayesSoftmax).checkSizes})
	_ = codec.Register(codec.Kind[VariationalLogistic]{Schema: "hyperplane-variational-logistic/1",
		Valid: (*VariationalLogistic).checkSizes})
	_ = codec.Register(codec.Kind[LogisticSample]{Schema: "hyperplane-logistic-sample/1",
		Valid: (*LogisticSample).checkSizes})
)

// checkMethod checks that m is a valid PredictiveMethod.
func (s *sizeChecker) checkMethod(m PredictiveMethod) {
	if m < PredictiveModerated || m > PredictivePlugIn {
		s.say("method is %d: want 0, 1 or 2", m)
	}
}

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

func (m *BayesSoftmax) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows (the first for the bias) and at least two columns (one per class)", r, k)
	}
	const most = 1 << 24
	if m.Draws < 2 || m.Draws%2 != 0 || m.Draws > most {
		return fmt.Errorf("draws is %d: want an even number from 2 to %d", m.Draws, most)
	}
	s := sizeChecker{}
	s.checkMatrix("precision", m.Precision, r*k, r*k)
	s.checkMatrix("covariance", m.Covariance, r*k, r*k)
	_, c := dims(m.Root)
	s.checkMatrix("root", m.Root, r*k, c)
	return s.err
}

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

func (m *LogisticSample) checkSizes() error {
	s, n, c := sizeChecker{}, len(m.Mean), len(m.Chains)
	s.checkWeights("mean", n)
	if c == 0 {
		return errors.New("chains are missing")
	}
	s.requireLength("log_posterior", len(m.LogPosterior), c)
	s.requireLength("acceptance", len(m.Acceptance), c)
	s.requireLength("step_size", len(m.StepSize), c)
	s.requireLength("r_hat", len(m.RHat), n)
	s.requireLength("ess", len(m.ESS), n)
	s.requireLength("mc_error", len(m.MCError), n)
	if m.Method < SamplerHamiltonian || m.Method > SamplerRandomWalk {
		s.say("method is %d: it must be 0 or 1", m.Method)
	}
	draws, _ := dims(m.Chains[0])
	if draws < 4 {
		s.say("chain 0 has %d draws: want at least 4", draws)
	}
	for i, w := range m.Chains {
		s.requireMatrix(fmt.Sprintf("chain %d", i), w, draws, n)
		if s.err == nil {
			s.requireLength(fmt.Sprintf("log_posterior %d", i), len(m.LogPosterior[i]), draws)
		}
	}
	s.requireMatrix("covariance", m.Covariance, n, n)
	return s.err
}
