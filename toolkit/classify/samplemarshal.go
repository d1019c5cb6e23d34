package classify

import (
	"encoding/gob"
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ json.Marshaler   = (*LogisticSample)(nil)
	_ json.Unmarshaler = (*LogisticSample)(nil)
	_ gob.GobEncoder   = (*LogisticSample)(nil)
	_ gob.GobDecoder   = (*LogisticSample)(nil)
)

const sampleSchema = "hyperplane-logistic-sample/1"

type sampleJSON struct {
	Schema       string     `json:"schema"`
	Chains       []*matrix  `json:"chains"`
	LogPosterior [][]number `json:"log_posterior"`
	Mean         []number   `json:"mean"`
	Covariance   *matrix    `json:"covariance"`
	RHat         []number   `json:"r_hat"`
	ESS          []number   `json:"ess"`
	MCError      []number   `json:"mc_error"`
	Method       int        `json:"method"`
	Acceptance   []number   `json:"acceptance"`
	StepSize     []number   `json:"step_size"`
	Divergent    int        `json:"divergent"`
	Warmup       int        `json:"warmup"`
	Seed         uint64     `json:"seed"`
	N            int        `json:"n"`
	Converged    bool       `json:"converged"`
	Reason       string     `json:"reason"`
}

// MarshalJSON saves the model with all its draws; UnmarshalJSON restores it
// exactly.
func (m *LogisticSample) MarshalJSON() ([]byte, error) {
	j := sampleJSON{
		Schema: sampleSchema, Mean: numbers(m.Mean), Covariance: toMatrix(m.Covariance, m.Covariance == nil),
		RHat: numbers(m.RHat), ESS: numbers(m.ESS), MCError: numbers(m.MCError), Method: int(m.Method),
		Acceptance: numbers(m.Acceptance), StepSize: numbers(m.StepSize), Divergent: m.Divergent,
		Warmup: m.Warmup, Seed: m.Seed, N: m.N, Converged: m.Converged, Reason: m.Reason,
	}
	for _, c := range m.Chains {
		j.Chains = append(j.Chains, toMatrix(c, c == nil))
	}
	for _, l := range m.LogPosterior {
		j.LogPosterior = append(j.LogPosterior, numbers(l))
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *LogisticSample) UnmarshalJSON(b []byte) error {
	var j sampleJSON
	if err := decode(b, sampleSchema, &j); err != nil {
		return failure("LogisticSample from JSON", err)
	}
	cov, err := j.check()
	if err != nil {
		return failure("LogisticSample from JSON", err)
	}
	out := LogisticSample{
		Mean: floats64(j.Mean), Covariance: cov, RHat: floats64(j.RHat), ESS: floats64(j.ESS), MCError: floats64(j.MCError),
		Method: Sampler(j.Method), Acceptance: floats64(j.Acceptance), StepSize: floats64(j.StepSize), Divergent: j.Divergent,
		Warmup: j.Warmup, Seed: j.Seed, N: j.N, Converged: j.Converged, Reason: j.Reason,
	}
	for c, w := range j.Chains {
		out.Chains = append(out.Chains, mat.NewDense(w.Rows, w.Cols, floats64(w.Data)))
		out.LogPosterior = append(out.LogPosterior, floats64(j.LogPosterior[c]))
	}
	*m = out
	return nil
}

// check compares all sizes and returns the covariance.
func (j *sampleJSON) check() (*mat.SymDense, error) {
	n, c := len(j.Mean), len(j.Chains)
	if n < 2 {
		return nil, fmt.Errorf("mean has %d weights: needed are the bias and at least one more", n)
	}
	if c == 0 || len(j.LogPosterior) != c || len(j.Acceptance) != c || len(j.StepSize) != c {
		return nil, fmt.Errorf("there are %d chains, and log_posterior, acceptance and step_size of %d, %d and %d", c, len(j.LogPosterior), len(j.Acceptance), len(j.StepSize))
	}
	if len(j.RHat) != n || len(j.ESS) != n || len(j.MCError) != n {
		return nil, fmt.Errorf("mean has %d weights, but r_hat, ess and mc_error have %d, %d and %d", n, len(j.RHat), len(j.ESS), len(j.MCError))
	}
	if j.Method < int(Hamiltonian) || j.Method > int(RandomWalk) {
		return nil, fmt.Errorf("method is %d: it must be 0 or 1", j.Method)
	}
	for i, w := range j.Chains {
		name := fmt.Sprintf("chain %d", i)
		if w == nil {
			return nil, fmt.Errorf("%s is missing", name)
		}
		if err := w.check(name); err != nil {
			return nil, err
		}
		if w.Cols != n || w.Rows != j.Chains[0].Rows || w.Rows < 4 || len(j.LogPosterior[i]) != w.Rows {
			return nil, fmt.Errorf("%s has %d draws of %d weights with %d log posteriors; needed are as many draws as in chain 0, at least 4, of %d weights", name, w.Rows, w.Cols, len(j.LogPosterior[i]), n)
		}
	}
	if j.Covariance == nil {
		return nil, fmt.Errorf("covariance is missing")
	}
	return j.Covariance.symmetric("covariance", n)
}

// GobEncode saves the model for encoding/gob.
func (m *LogisticSample) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *LogisticSample) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
