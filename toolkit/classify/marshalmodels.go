package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ json.Marshaler   = (*Logistic)(nil)
	_ json.Unmarshaler = (*Logistic)(nil)
	_ gob.GobEncoder   = (*Logistic)(nil)
	_ gob.GobDecoder   = (*Logistic)(nil)
	_ json.Marshaler   = (*LeastSquares)(nil)
	_ json.Unmarshaler = (*LeastSquares)(nil)
	_ gob.GobEncoder   = (*LeastSquares)(nil)
	_ gob.GobDecoder   = (*LeastSquares)(nil)
)

const (
	leastSquaresSchema = "hyperplane-least-squares/1"
	logisticSchema     = "hyperplane-logistic/1"
)

type leastSquaresJSON struct {
	Schema    string  `json:"schema"`
	W         *matrix `json:"w"`
	SumSquare number  `json:"sum_square"`
	E         number  `json:"e"`
	Rank      int     `json:"rank"`
	Reason    string  `json:"reason"`
	N         int     `json:"n"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LeastSquares) MarshalJSON() ([]byte, error) {
	return json.Marshal(leastSquaresJSON{leastSquaresSchema, toMatrix(m.W, m.W == nil), number(m.SumSquare), number(m.E), m.Rank, m.Reason, m.N})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *LeastSquares) UnmarshalJSON(b []byte) error {
	var j leastSquaresJSON
	if err := decode(b, leastSquaresSchema, &j); err != nil {
		return failure("LeastSquares from JSON", err)
	}
	if j.W == nil {
		return failure("LeastSquares from JSON", errors.New("w is missing"))
	}
	if err := j.W.check("w"); err != nil {
		return failure("LeastSquares from JSON", err)
	}
	w := mat.NewDense(j.W.Rows, j.W.Cols, floats64(j.W.Data))
	*m = LeastSquares{w, float64(j.SumSquare), float64(j.E), j.Rank, j.Reason, j.N}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *LeastSquares) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *LeastSquares) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type stepJSON struct {
	W             []number `json:"w"`
	E             number   `json:"e"`
	GradNorm      number   `json:"grad_norm"`
	Misclassified int      `json:"misclassified"`
	Iteration     int      `json:"iteration"`
	HeldOut       number   `json:"held_out"`
}

func stepsJSON(t Trace) []stepJSON {
	var out []stepJSON
	for _, s := range t {
		out = append(out, stepJSON{numbers(s.W), number(s.E), number(s.GradNorm), s.Misclassified, s.Iteration, number(s.HeldOut)})
	}
	return out
}

func traceOf(steps []stepJSON) Trace {
	var out Trace
	for _, s := range steps {
		out = append(out, Step{floats64(s.W), float64(s.E), float64(s.GradNorm), s.Misclassified, s.Iteration, float64(s.HeldOut)})
	}
	return out
}

type logisticJSON struct {
	Schema            string     `json:"schema"`
	W                 []number   `json:"w"`
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
	Direction         []number   `json:"direction"`
	Trace             []stepJSON `json:"trace"`
	priorJSON
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Logistic) MarshalJSON() ([]byte, error) {
	j := logisticJSON{
		Schema: logisticSchema, W: numbers(m.W), E: number(m.E),
		LogLikelihood: number(m.LogLikelihood), NullLogLikelihood: number(m.NullLogLikelihood),
		Hessian: toMatrix(m.Hessian, m.Hessian == nil), Covariance: toMatrix(m.Covariance, m.Covariance == nil),
		N: m.N, Rank: m.Rank, Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason,
		Separable: m.Separable, Direction: numbers(m.Direction), Trace: stepsJSON(m.Trace),
		priorJSON: toPriorJSON(m.HasPrior, m.Penalty),
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Logistic) UnmarshalJSON(b []byte) error {
	var j logisticJSON
	if err := decode(b, logisticSchema, &j); err != nil {
		return failure("Logistic from JSON", err)
	}
	h, c, err := j.check()
	if err != nil {
		return failure("Logistic from JSON", err)
	}
	*m = Logistic{
		W: floats64(j.W), E: float64(j.E),
		LogLikelihood: float64(j.LogLikelihood), NullLogLikelihood: float64(j.NullLogLikelihood),
		Hessian: h, Covariance: c,
		N: j.N, Rank: j.Rank, Iterations: j.Iterations, Converged: j.Converged, Reason: j.Reason,
		Separable: j.Separable, Direction: floats64(j.Direction), Trace: traceOf(j.Trace),
	}
	m.HasPrior, m.Penalty = j.prior(m.E, m.LogLikelihood)
	return nil
}

// check compares all sizes and returns the matrices.
func (j *logisticJSON) check() (h, c *mat.SymDense, err error) {
	n := len(j.W)
	if n < 2 {
		return nil, nil, fmt.Errorf("w has %d weights: needed are the bias and at least one more", n)
	}
	if j.Direction != nil && len(j.Direction) != n {
		return nil, nil, fmt.Errorf("direction has %d entries but w has %d", len(j.Direction), n)
	}
	for i, s := range j.Trace {
		if len(s.W) != n {
			return nil, nil, fmt.Errorf("step %d of the trace has %d weights but w has %d", i, len(s.W), n)
		}
	}
	if h, err = j.Hessian.symmetric("hessian", n); err != nil {
		return nil, nil, err
	}
	c, err = j.Covariance.symmetric("covariance", n)
	return h, c, err
}

// GobEncode saves the model for encoding/gob.
func (m *Logistic) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Logistic) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
