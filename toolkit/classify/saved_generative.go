package classify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ savedModel = (*LDA)(nil)
	_ savedModel = (*QDA)(nil)
	_ savedModel = (*NaiveBayesGaussian)(nil)
	_ savedModel = (*NaiveBayesBernoulli)(nil)
	_ savedModel = (*NaiveBayesCategorical)(nil)
	_ savedModel = (*ExponentialFamily)(nil)
)

// A generative model is saved with all that was computed from its estimates, so that
// a loaded model gives the same bits as the fitted one on the same kind of processor.
var (
	_ = codec.Register(codec.Kind[LDA]{Schema: "hyperplane-lda/1", Valid: (*LDA).sized, Fields: func(m *LDA) []codec.Field {
		return []codec.Field{{Name: "root", Value: &m.root}, {Name: "inner", Value: &m.inner}, {Name: "common", Value: &m.common}}
	}})
	_ = codec.Register(codec.Kind[QDA]{Schema: "hyperplane-qda/1", Valid: (*QDA).sized, Fields: func(m *QDA) []codec.Field {
		return []codec.Field{{Name: "root", Value: &m.root}}
	}})
	_ = codec.Register(codec.Kind[NaiveBayesGaussian]{Schema: "hyperplane-naive-bayes-gaussian/1", Valid: (*NaiveBayesGaussian).sized, Fields: func(m *NaiveBayesGaussian) []codec.Field {
		return []codec.Field{{Name: "scale", Value: &m.scale}, {Name: "constant", Value: &m.constant}}
	}})
	_ = codec.Register(codec.Kind[NaiveBayesBernoulli]{Schema: "hyperplane-naive-bayes-bernoulli/1", Valid: (*NaiveBayesBernoulli).sized, Fields: func(m *NaiveBayesBernoulli) []codec.Field {
		return []codec.Field{{Name: "log_one", Value: &m.one}, {Name: "log_zero", Value: &m.zero}}
	}})
	_ = codec.Register(codec.Kind[NaiveBayesCategorical]{Schema: "hyperplane-naive-bayes-categorical/1", Valid: (*NaiveBayesCategorical).sized})
	_ = codec.Register(codec.Kind[ExponentialFamily]{Schema: "hyperplane-exponential-family/1", Valid: (*ExponentialFamily).sized, Fields: func(m *ExponentialFamily) []codec.Field {
		return []codec.Field{{Name: "inner", Value: &m.inner}, {Name: "origin", Value: &m.origin}}
	}})
)

// shares compares what all generative models have; k is the number of classes.
func (s *sizes) shares(c *ClassShares) (k int) {
	k = len(c.Priors)
	s.vector("class_weights", c.ClassWeights, k)
	if k < 2 || len(c.Counts) != k {
		s.say("%d priors and %d counts: needed is one of each for at least two classes", k, len(c.Counts))
		return k
	}
	for i, p := range c.Priors {
		if !(p >= 0 && p <= 1) || (p > 0 && c.perClass()[i] == 0) {
			s.say("priors[%d] is %v with %d rows: it must be a probability, 0 for a class without rows", i, p, c.Counts[i])
		}
	}
	return k
}

// each compares matrices that a model needs, all of one size.
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
		s.say("root is %d×%d, needed is %d×%d", u.N, u.N, d, d)
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
	if err := m.place(); err != nil {
		return err
	}
	if len(m.Levels) == 0 || len(m.Mu) != len(m.Levels) {
		return fmt.Errorf("%d levels and %d mu: needed is one of each for every feature", len(m.Levels), len(m.Mu))
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

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LDA) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *LDA) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LDA) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LDA) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *QDA) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *QDA) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *QDA) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *QDA) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesGaussian) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *NaiveBayesGaussian) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesGaussian) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesGaussian) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesBernoulli) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *NaiveBayesBernoulli) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesBernoulli) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesBernoulli) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesCategorical) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *NaiveBayesCategorical) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesCategorical) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesCategorical) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *ExponentialFamily) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *ExponentialFamily) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *ExponentialFamily) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *ExponentialFamily) GobDecode(b []byte) error { return restore(b, m) }
