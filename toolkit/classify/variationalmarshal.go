package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ json.Marshaler   = (*VariationalLogistic)(nil)
	_ json.Unmarshaler = (*VariationalLogistic)(nil)
	_ gob.GobEncoder   = (*VariationalLogistic)(nil)
	_ gob.GobDecoder   = (*VariationalLogistic)(nil)
)

const variationalSchema = "hyperplane-variational-logistic/1"

type variationalStepJSON struct {
	Bound        number   `json:"bound"`
	Mean         []number `json:"mean"`
	Change       number   `json:"change"`
	Extrapolated bool     `json:"extrapolated"`
}

type variationalJSON struct {
	Schema     string                `json:"schema"`
	Mean       []number              `json:"mean"`
	Covariance *matrix               `json:"covariance"`
	Root       *matrix               `json:"root"`
	Xi         []number              `json:"xi"`
	Bound      number                `json:"bound"`
	Method     int                   `json:"method"`
	N          int                   `json:"n"`
	Iterations int                   `json:"iterations"`
	Converged  bool                  `json:"converged"`
	Reason     string                `json:"reason"`
	Trace      []variationalStepJSON `json:"trace"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *VariationalLogistic) MarshalJSON() ([]byte, error) {
	j := variationalJSON{
		Schema: variationalSchema, Mean: numbers(m.Mean),
		Covariance: toMatrix(m.Covariance, m.Covariance == nil), Root: toMatrix(m.Root, m.Root == nil),
		Xi: numbers(m.Xi), Bound: number(m.Bound), Method: int(m.Method), N: m.N,
		Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason,
	}
	for _, s := range m.Trace {
		j.Trace = append(j.Trace, variationalStepJSON{number(s.Bound), numbers(s.Mean), number(s.Change), s.Extrapolated})
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *VariationalLogistic) UnmarshalJSON(b []byte) error {
	var j variationalJSON
	if err := decode(b, variationalSchema, &j); err != nil {
		return failure("VariationalLogistic from JSON", err)
	}
	cov, err := j.check()
	if err != nil {
		return failure("VariationalLogistic from JSON", err)
	}
	out := VariationalLogistic{
		Mean: floats64(j.Mean), Covariance: cov, Root: mat.NewDense(j.Root.Rows, j.Root.Cols, floats64(j.Root.Data)),
		Xi: floats64(j.Xi), Bound: float64(j.Bound), Method: PredictiveMethod(j.Method), N: j.N,
		Iterations: j.Iterations, Converged: j.Converged, Reason: j.Reason,
	}
	for _, s := range j.Trace {
		out.Trace = append(out.Trace, VariationalStep{float64(s.Bound), floats64(s.Mean), float64(s.Change), s.Extrapolated})
	}
	*m = out
	return nil
}

// check compares all sizes and returns the covariance.
func (j *variationalJSON) check() (*mat.SymDense, error) {
	n := len(j.Mean)
	switch {
	case n < 2:
		return nil, fmt.Errorf("mean has %d weights: needed are the bias and at least one more", n)
	case len(j.Xi) != j.N:
		return nil, fmt.Errorf("xi has %d entries but n is %d", len(j.Xi), j.N)
	case j.Method < int(Moderated) || j.Method > int(PlugIn):
		return nil, fmt.Errorf("method is %d: it must be 0, 1 or 2", j.Method)
	case j.Covariance == nil || j.Root == nil:
		return nil, errors.New("covariance or root is missing")
	}
	for i, s := range j.Trace {
		if len(s.Mean) != n {
			return nil, fmt.Errorf("step %d of the trace has %d weights but mean has %d", i, len(s.Mean), n)
		}
	}
	if err := j.Root.check("root"); err != nil {
		return nil, err
	}
	if j.Root.Rows != n {
		return nil, fmt.Errorf("root has %d rows but mean has %d weights", j.Root.Rows, n)
	}
	return j.Covariance.symmetric("covariance", n)
}

// GobEncode saves the model for encoding/gob.
func (m *VariationalLogistic) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *VariationalLogistic) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
