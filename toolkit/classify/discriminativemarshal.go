package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ json.Marshaler   = (*SigmoidSquares)(nil)
	_ json.Unmarshaler = (*SigmoidSquares)(nil)
	_ gob.GobEncoder   = (*SigmoidSquares)(nil)
	_ gob.GobDecoder   = (*SigmoidSquares)(nil)
	_ json.Marshaler   = (*QuadraticLogistic)(nil)
	_ json.Unmarshaler = (*QuadraticLogistic)(nil)
	_ gob.GobEncoder   = (*QuadraticLogistic)(nil)
	_ gob.GobDecoder   = (*QuadraticLogistic)(nil)
)

const (
	sigmoidSquaresSchema = "hyperplane-sigmoid-squares/1"
	quadraticSchema      = "hyperplane-quadratic-logistic/1"
)

type sigmoidOutputJSON struct {
	E          number     `json:"e"`
	Hessian    *matrix    `json:"hessian"`
	Iterations int        `json:"iterations"`
	Converged  bool       `json:"converged"`
	Reason     string     `json:"reason"`
	Separable  bool       `json:"separable"`
	Direction  []number   `json:"direction"`
	Trace      []stepJSON `json:"trace"`
}

type sigmoidSquaresJSON struct {
	Schema    string              `json:"schema"`
	W         *matrix             `json:"w"`
	SumSquare number              `json:"sum_square"`
	N         int                 `json:"n"`
	Rank      int                 `json:"rank"`
	Outputs   []sigmoidOutputJSON `json:"outputs"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *SigmoidSquares) MarshalJSON() ([]byte, error) {
	j := sigmoidSquaresJSON{Schema: sigmoidSquaresSchema, W: toMatrix(m.W, m.W == nil), SumSquare: number(m.SumSquare), N: m.N, Rank: m.Rank}
	for _, o := range m.Outputs {
		j.Outputs = append(j.Outputs, sigmoidOutputJSON{
			number(o.E), toMatrix(o.Hessian, o.Hessian == nil), o.Iterations, o.Converged, o.Reason, o.Separable, numbers(o.Direction), stepsJSON(o.Trace),
		})
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *SigmoidSquares) UnmarshalJSON(b []byte) error {
	got, err := sigmoidFromJSON(b)
	if err != nil {
		return failure("SigmoidSquares from JSON", err)
	}
	*m = *got
	return nil
}

func sigmoidFromJSON(b []byte) (*SigmoidSquares, error) {
	var j sigmoidSquaresJSON
	if err := decode(b, sigmoidSquaresSchema, &j); err != nil {
		return nil, err
	}
	if j.W == nil {
		return nil, errors.New("w is missing")
	}
	if err := j.W.check("w"); err != nil {
		return nil, err
	}
	r, k := j.W.Rows, j.W.Cols
	if r < 2 || k == 2 || len(j.Outputs) != k {
		return nil, fmt.Errorf("w is %d×%d with %d outputs: needed are the bias and at least one more row, and one column for two classes or one per class", r, k, len(j.Outputs))
	}
	m := &SigmoidSquares{W: mat.NewDense(r, k, floats64(j.W.Data)), SumSquare: float64(j.SumSquare), N: j.N, Rank: j.Rank}
	for i, o := range j.Outputs {
		h, err := o.Hessian.symmetric("hessian", r)
		if err != nil {
			return nil, err
		}
		if o.Direction != nil && len(o.Direction) != r {
			return nil, fmt.Errorf("direction %d has %d entries, needed are %d", i, len(o.Direction), r)
		}
		out := SigmoidOutput{
			E: float64(o.E), Hessian: h, Iterations: o.Iterations, Converged: o.Converged, Reason: o.Reason,
			Separable: o.Separable, Direction: floats64(o.Direction), Trace: traceOf(o.Trace),
		}
		for _, s := range out.Trace {
			if len(s.W) != r {
				return nil, fmt.Errorf("the trace of output %d has %d weights, needed are %d", i, len(s.W), r)
			}
		}
		m.Outputs = append(m.Outputs, out)
	}
	return m, nil
}

// GobEncode saves the model for encoding/gob.
func (m *SigmoidSquares) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *SigmoidSquares) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type quadraticJSON struct {
	Schema        string    `json:"schema"`
	Mean          []number  `json:"mean"`
	Std           []number  `json:"std"`
	Bias          []number  `json:"bias"`
	Linear        *matrix   `json:"linear"`
	Quadratic     []*matrix `json:"quadratic"`
	E             number    `json:"e"`
	LogLikelihood number    `json:"log_likelihood"`
	MatrixRank    int       `json:"matrix_rank"`
	N             int       `json:"n"`
	Iterations    int       `json:"iterations"`
	Converged     bool      `json:"converged"`
	Reason        string    `json:"reason"`
	Separable     bool      `json:"separable"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *QuadraticLogistic) MarshalJSON() ([]byte, error) {
	j := quadraticJSON{
		Schema: quadraticSchema, Mean: numbers(m.Mean), Std: numbers(m.Std), Bias: numbers(m.Bias), Linear: toMatrix(m.Linear, m.Linear == nil),
		E: number(m.E), LogLikelihood: number(m.LogLikelihood), MatrixRank: m.MatrixRank, N: m.N,
		Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason, Separable: m.Separable,
	}
	for _, q := range m.Quadratic {
		j.Quadratic = append(j.Quadratic, toMatrix(q, q == nil))
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *QuadraticLogistic) UnmarshalJSON(b []byte) error {
	got, err := quadraticFromJSON(b)
	if err != nil {
		return failure("QuadraticLogistic from JSON", err)
	}
	*m = *got
	return nil
}

func quadraticFromJSON(b []byte) (*QuadraticLogistic, error) {
	var j quadraticJSON
	if err := decode(b, quadraticSchema, &j); err != nil {
		return nil, err
	}
	if j.Linear == nil {
		return nil, errors.New("linear is missing")
	}
	if err := j.Linear.check("linear"); err != nil {
		return nil, err
	}
	d, k := j.Linear.Rows, j.Linear.Cols
	if k < 2 || len(j.Mean) != d || len(j.Std) != d || len(j.Bias) != k || len(j.Quadratic) != k {
		return nil, fmt.Errorf("linear is %d×%d, but there are %d means, %d standard deviations, %d biases and %d matrices", d, k, len(j.Mean), len(j.Std), len(j.Bias), len(j.Quadratic))
	}
	m := &QuadraticLogistic{
		Mean: floats64(j.Mean), Std: floats64(j.Std), Bias: floats64(j.Bias), Linear: mat.NewDense(d, k, floats64(j.Linear.Data)),
		E: float64(j.E), LogLikelihood: float64(j.LogLikelihood), MatrixRank: j.MatrixRank, N: j.N,
		Iterations: j.Iterations, Converged: j.Converged, Reason: j.Reason, Separable: j.Separable,
	}
	for i, q := range j.Quadratic {
		s, err := q.symmetric("quadratic", d)
		if err != nil {
			return nil, err
		}
		if s == nil {
			return nil, fmt.Errorf("matrix %d is missing", i)
		}
		m.Quadratic = append(m.Quadratic, s)
	}
	return m, nil
}

// GobEncode saves the model for encoding/gob.
func (m *QuadraticLogistic) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *QuadraticLogistic) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
