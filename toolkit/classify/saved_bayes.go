package classify

import (
	"errors"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ savedModel = (*BayesLogistic)(nil)
	_ savedModel = (*BayesSoftmax)(nil)
	_ savedModel = (*VariationalLogistic)(nil)
	_ savedModel = (*LogisticSample)(nil)
)

var (
	_ = codec.Register(codec.Kind[BayesLogistic]{Schema: "hyperplane-bayes-logistic/1", Valid: (*BayesLogistic).sized})
	_ = codec.Register(codec.Kind[BayesSoftmax]{Schema: "hyperplane-bayes-softmax/1", Valid: (*BayesSoftmax).sized})
	_ = codec.Register(codec.Kind[VariationalLogistic]{Schema: "hyperplane-variational-logistic/1", Valid: (*VariationalLogistic).sized})
	_ = codec.Register(codec.Kind[LogisticSample]{Schema: "hyperplane-logistic-sample/1", Valid: (*LogisticSample).sized})
)

// method compares a way of averaging.
func (s *sizes) method(m PredictiveMethod) {
	if m < PredictiveModerated || m > PredictivePlugIn {
		s.say("method is %d: it is 0, 1 or 2", m)
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
		return fmt.Errorf("w is %d×%d: needed are the bias and at least one more row, and two classes", r, k)
	}
	const most = 1 << 24
	if m.Draws < 2 || m.Draws%2 != 0 || m.Draws > most {
		return fmt.Errorf("draws is %d: it is an even number from 2 to %d", m.Draws, most)
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
	if m.SumWeights == 0 { // a file that tells no weights
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
		s.say("chain 0 has %d draws: needed are 4 at least", draws)
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

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *BayesLogistic) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *BayesLogistic) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *BayesLogistic) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *BayesLogistic) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *BayesSoftmax) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *BayesSoftmax) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *BayesSoftmax) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *BayesSoftmax) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *VariationalLogistic) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *VariationalLogistic) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *VariationalLogistic) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *VariationalLogistic) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LogisticSample) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *LogisticSample) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LogisticSample) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LogisticSample) GobDecode(b []byte) error { return restore(b, m) }
