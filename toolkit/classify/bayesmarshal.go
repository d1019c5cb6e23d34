package classify

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ savedModel = (*BayesLogistic)(nil)
	_ savedModel = (*BayesSoftmax)(nil)
)

const (
	bayesLogisticSchema = "hyperplane-bayes-logistic/1"
	bayesSoftmaxSchema  = "hyperplane-bayes-softmax/1"
)

type evidenceJSON struct {
	LogLikelihood number `json:"log_likelihood"`
	LogPrior      number `json:"log_prior"`
	LogDet        number `json:"log_det"`
	M             int    `json:"m"`
	N             int    `json:"n"`
	Flat          int    `json:"flat"`
}

func (e Evidence) saved() evidenceJSON {
	return evidenceJSON{number(e.LogLikelihood), number(e.LogPrior), number(e.LogDet), e.M, e.N, e.Flat}
}

func (j evidenceJSON) restored() Evidence {
	return Evidence{float64(j.LogLikelihood), float64(j.LogPrior), float64(j.LogDet), j.M, j.N, j.Flat}
}

// MarshalJSON saves the evidence; UnmarshalJSON restores it exactly.
func (e Evidence) MarshalJSON() ([]byte, error) { return json.Marshal(e.saved()) }

// UnmarshalJSON restores an evidence that MarshalJSON saved. What is no
// JSON of its fields is an error.
func (e *Evidence) UnmarshalJSON(b []byte) error {
	var j evidenceJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return failure("Evidence from JSON", err)
	}
	*e = j.restored()
	return nil
}

type alphaJSON struct {
	Alpha       number `json:"alpha"`
	LogEvidence number `json:"log_evidence"`
}

func alphasJSON(t []AlphaStep) []alphaJSON {
	var out []alphaJSON
	for _, s := range t {
		out = append(out, alphaJSON{number(s.Alpha), number(s.LogEvidence)})
	}
	return out
}

func alphasOf(t []alphaJSON) []AlphaStep {
	var out []AlphaStep
	for _, s := range t {
		out = append(out, AlphaStep{float64(s.Alpha), float64(s.LogEvidence)})
	}
	return out
}

// rooted returns the factor, of n rows, of a covariance.
func (m *matrix) rooted(n int) (*mat.Dense, error) {
	if m == nil {
		return nil, nil
	}
	if err := m.check("root"); err != nil {
		return nil, err
	}
	if m.Rows != n {
		return nil, fmt.Errorf("root has %d rows but there are %d weights", m.Rows, n)
	}
	return mat.NewDense(m.Rows, m.Cols, floats64(m.Data)), nil
}

type bayesLogisticJSON struct {
	Schema         string           `json:"schema"`
	W              []number         `json:"w"`
	Precision      *matrix          `json:"precision"`
	Covariance     *matrix          `json:"covariance"`
	Root           *matrix          `json:"root"`
	PriorMean      []number         `json:"prior_mean"`
	PriorPrecision *matrix          `json:"prior_precision"`
	Alpha          number           `json:"alpha"`
	Evidence       evidenceJSON     `json:"evidence"`
	Determined     number           `json:"determined"`
	Method         PredictiveMethod `json:"method"`
	N              int              `json:"n"`
	Iterations     int              `json:"iterations"`
	Converged      bool             `json:"converged"`
	Reason         string           `json:"reason"`
	AlphaTrace     []alphaJSON      `json:"alpha_trace"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *BayesLogistic) MarshalJSON() ([]byte, error) {
	return json.Marshal(bayesLogisticJSON{
		Schema: bayesLogisticSchema, W: numbers(m.W), Precision: toMatrix(m.Precision, m.Precision == nil),
		Covariance: toMatrix(m.Covariance, m.Covariance == nil), Root: toMatrix(m.Root, m.Root == nil),
		PriorMean: numbers(m.PriorMean), PriorPrecision: toMatrix(m.PriorPrecision, m.PriorPrecision == nil),
		Alpha: number(m.Alpha), Evidence: m.Evidence.saved(), Determined: number(m.Determined), Method: m.Method,
		N: m.N, Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason, AlphaTrace: alphasJSON(m.AlphaTrace),
	})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *BayesLogistic) UnmarshalJSON(b []byte) error {
	got, err := bayesLogisticFrom(b)
	if err != nil {
		return failure("BayesLogistic from JSON", err)
	}
	*m = *got
	return nil
}

func bayesLogisticFrom(b []byte) (*BayesLogistic, error) {
	var j bayesLogisticJSON
	err := decode(b, bayesLogisticSchema, &j)
	if err != nil {
		return nil, err
	}
	n := len(j.W)
	if n < 2 {
		return nil, fmt.Errorf("w has %d weights: needed are the bias and at least one more", n)
	}
	if j.PriorMean != nil && len(j.PriorMean) != n {
		return nil, fmt.Errorf("prior_mean has %d entries but w has %d", len(j.PriorMean), n)
	}
	if j.Method < Moderated || j.Method > PlugIn {
		return nil, fmt.Errorf("method is %d: it is 0, 1 or 2", j.Method)
	}
	m := &BayesLogistic{
		W: floats64(j.W), PriorMean: floats64(j.PriorMean), Alpha: float64(j.Alpha), Evidence: j.Evidence.restored(),
		Determined: float64(j.Determined), Method: j.Method, N: j.N, Iterations: j.Iterations,
		Converged: j.Converged, Reason: j.Reason, AlphaTrace: alphasOf(j.AlphaTrace),
	}
	if m.Precision, err = j.Precision.symmetric("precision", n); err != nil {
		return nil, err
	}
	if m.Covariance, err = j.Covariance.symmetric("covariance", n); err != nil {
		return nil, err
	}
	if m.PriorPrecision, err = j.PriorPrecision.symmetric("prior_precision", n); err != nil {
		return nil, err
	}
	m.Root, err = j.Root.rooted(n)
	return m, err
}

// GobEncode saves the model for encoding/gob.
func (m *BayesLogistic) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *BayesLogistic) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type bayesSoftmaxJSON struct {
	Schema     string       `json:"schema"`
	W          *matrix      `json:"w"`
	Precision  *matrix      `json:"precision"`
	Covariance *matrix      `json:"covariance"`
	Root       *matrix      `json:"root"`
	Alpha      number       `json:"alpha"`
	Evidence   evidenceJSON `json:"evidence"`
	Draws      int          `json:"draws"`
	Seed       uint64       `json:"seed"`
	N          int          `json:"n"`
	Iterations int          `json:"iterations"`
	Converged  bool         `json:"converged"`
	Reason     string       `json:"reason"`
	AlphaTrace []alphaJSON  `json:"alpha_trace"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *BayesSoftmax) MarshalJSON() ([]byte, error) {
	return json.Marshal(bayesSoftmaxJSON{
		Schema: bayesSoftmaxSchema, W: toMatrix(m.W, m.W == nil), Precision: toMatrix(m.Precision, m.Precision == nil),
		Covariance: toMatrix(m.Covariance, m.Covariance == nil), Root: toMatrix(m.Root, m.Root == nil),
		Alpha: number(m.Alpha), Evidence: m.Evidence.saved(), Draws: m.Draws, Seed: m.Seed,
		N: m.N, Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason, AlphaTrace: alphasJSON(m.AlphaTrace),
	})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *BayesSoftmax) UnmarshalJSON(b []byte) error {
	got, err := bayesSoftmaxFrom(b)
	if err != nil {
		return failure("BayesSoftmax from JSON", err)
	}
	*m = *got
	return nil
}

func bayesSoftmaxFrom(b []byte) (*BayesSoftmax, error) {
	var j bayesSoftmaxJSON
	err := decode(b, bayesSoftmaxSchema, &j)
	if err != nil {
		return nil, err
	}
	if j.W == nil {
		return nil, fmt.Errorf("w is missing")
	}
	if err := j.W.check("w"); err != nil {
		return nil, err
	}
	if j.W.Rows < 2 || j.W.Cols < 2 {
		return nil, fmt.Errorf("w is %d×%d: needed are the bias and at least one more row, and two classes", j.W.Rows, j.W.Cols)
	}
	const most = 1 << 24
	if j.Draws < 2 || j.Draws%2 != 0 || j.Draws > most {
		return nil, fmt.Errorf("draws is %d: it is an even number from 2 to %d", j.Draws, most)
	}
	n := j.W.Rows * j.W.Cols
	m := &BayesSoftmax{
		W: mat.NewDense(j.W.Rows, j.W.Cols, floats64(j.W.Data)), Alpha: float64(j.Alpha), Evidence: j.Evidence.restored(),
		Draws: j.Draws, Seed: j.Seed, N: j.N, Iterations: j.Iterations,
		Converged: j.Converged, Reason: j.Reason, AlphaTrace: alphasOf(j.AlphaTrace),
	}
	if m.Precision, err = j.Precision.symmetric("precision", n); err != nil {
		return nil, err
	}
	if m.Covariance, err = j.Covariance.symmetric("covariance", n); err != nil {
		return nil, err
	}
	m.Root, err = j.Root.rooted(n)
	return m, err
}

// GobEncode saves the model for encoding/gob.
func (m *BayesSoftmax) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *BayesSoftmax) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
