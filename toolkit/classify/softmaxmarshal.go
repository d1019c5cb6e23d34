package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ json.Marshaler   = (*Softmax)(nil)
	_ json.Unmarshaler = (*Softmax)(nil)
	_ gob.GobEncoder   = (*Softmax)(nil)
	_ gob.GobDecoder   = (*Softmax)(nil)
)

const softmaxSchema = "hyperplane-softmax/1"

type softmaxJSON struct {
	Schema            string     `json:"schema"`
	W                 *matrix    `json:"w"`
	E                 number     `json:"e"`
	LogLikelihood     number     `json:"log_likelihood"`
	NullLogLikelihood number     `json:"null_log_likelihood"`
	Hessian           *matrix    `json:"hessian"`
	Covariance        *matrix    `json:"covariance"`
	N                 int        `json:"n"`
	Rank              int        `json:"rank"`
	Iterations        int        `json:"iterations"`
	Converged         bool       `json:"converged"`
	Reason            string     `json:"reason"`
	Separable         bool       `json:"separable"`
	Direction         *matrix    `json:"direction"`
	Trace             []stepJSON `json:"trace"`
	priorJSON
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Softmax) MarshalJSON() ([]byte, error) {
	return json.Marshal(softmaxJSON{
		Schema: softmaxSchema, W: toMatrix(m.W, m.W == nil), E: number(m.E),
		LogLikelihood: number(m.LogLikelihood), NullLogLikelihood: number(m.NullLogLikelihood),
		Hessian: toMatrix(m.Hessian, m.Hessian == nil), Covariance: toMatrix(m.Covariance, m.Covariance == nil),
		N: m.N, Rank: m.Rank, Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason,
		Separable: m.Separable, Direction: toMatrix(m.Direction, m.Direction == nil), Trace: stepsJSON(m.Trace),
		priorJSON: toPriorJSON(m.HasPrior, m.Penalty),
	})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Softmax) UnmarshalJSON(b []byte) error {
	got, err := softmaxFromJSON(b)
	if err != nil {
		return failure("Softmax from JSON", err)
	}
	*m = *got
	return nil
}

func softmaxFromJSON(b []byte) (*Softmax, error) {
	var j softmaxJSON
	if err := decode(b, softmaxSchema, &j); err != nil {
		return nil, err
	}
	if j.W == nil {
		return nil, errors.New("w is missing")
	}
	if err := j.W.check("w"); err != nil {
		return nil, err
	}
	r, k := j.W.Rows, j.W.Cols
	if r < 2 || k < 2 {
		return nil, fmt.Errorf("w is %d×%d: needed are the bias and at least one more row, and two classes", r, k)
	}
	m := &Softmax{
		W: mat.NewDense(r, k, floats64(j.W.Data)), E: float64(j.E),
		LogLikelihood: float64(j.LogLikelihood), NullLogLikelihood: float64(j.NullLogLikelihood),
		N: j.N, Rank: j.Rank, Iterations: j.Iterations, Converged: j.Converged, Reason: j.Reason,
		Separable: j.Separable, Trace: traceOf(j.Trace),
	}
	m.HasPrior, m.Penalty = j.prior(m.E, m.LogLikelihood)
	if j.Direction != nil {
		if err := j.Direction.check("direction"); err != nil {
			return nil, err
		}
		if j.Direction.Rows != r || j.Direction.Cols != k {
			return nil, fmt.Errorf("direction is %d×%d but w is %d×%d", j.Direction.Rows, j.Direction.Cols, r, k)
		}
		m.Direction = mat.NewDense(r, k, floats64(j.Direction.Data))
	}
	for i, s := range m.Trace {
		if len(s.W) != r*k {
			return nil, fmt.Errorf("step %d of the trace has %d weights but w has %d", i, len(s.W), r*k)
		}
	}
	var err error
	if m.Hessian, err = j.Hessian.symmetric("hessian", r*k); err != nil {
		return nil, err
	}
	m.Covariance, err = j.Covariance.symmetric("covariance", r*k)
	return m, err
}

// GobEncode saves the model for encoding/gob.
func (m *Softmax) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Softmax) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
