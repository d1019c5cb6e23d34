package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

var (
	_ savedModel = (*Hyperplane)(nil)
	_ savedModel = (*LinearMachine)(nil)
	_ savedModel = (*Perceptron)(nil)
	_ savedModel = (*Adaline)(nil)
)

// savedModel is what a model must have to be saved and loaded.
type savedModel interface {
	json.Marshaler
	json.Unmarshaler
	gob.GobEncoder
	gob.GobDecoder
}

const (
	hyperplaneSchema    = "hyperplane-plane/1"
	linearMachineSchema = "hyperplane-linear-machine/1"
	perceptronSchema    = "hyperplane-perceptron/1"
	adalineSchema       = "hyperplane-adaline/1"
)

type planeJSON struct {
	Schema string   `json:"schema"`
	W0     number   `json:"w0"`
	W      []number `json:"w"`
}

// MarshalJSON saves the plane; UnmarshalJSON restores it exactly.
func (h *Hyperplane) MarshalJSON() ([]byte, error) {
	return json.Marshal(planeJSON{hyperplaneSchema, number(h.W0), numbers(h.W)})
}

// UnmarshalJSON restores a plane that MarshalJSON saved. Another schema is an
// error; h is then unchanged.
func (h *Hyperplane) UnmarshalJSON(b []byte) error {
	var j planeJSON
	if err := decode(b, hyperplaneSchema, &j); err != nil {
		return failure("Hyperplane from JSON", err)
	}
	if len(j.W) == 0 {
		return failure("Hyperplane from JSON", errors.New("w is missing"))
	}
	*h = Hyperplane{float64(j.W0), floats64(j.W)}
	return nil
}

// GobEncode saves the plane for encoding/gob.
func (h *Hyperplane) GobEncode() ([]byte, error) { return h.MarshalJSON() }

// GobDecode restores a plane that GobEncode saved.
func (h *Hyperplane) GobDecode(b []byte) error { return h.UnmarshalJSON(b) }

type linearMachineJSON struct {
	Schema string  `json:"schema"`
	W      *matrix `json:"w"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LinearMachine) MarshalJSON() ([]byte, error) {
	return json.Marshal(linearMachineJSON{linearMachineSchema, toMatrix(m.W, m.W == nil)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *LinearMachine) UnmarshalJSON(b []byte) error {
	var j linearMachineJSON
	if err := decode(b, linearMachineSchema, &j); err != nil {
		return failure("LinearMachine from JSON", err)
	}
	if j.W == nil {
		return failure("LinearMachine from JSON", errors.New("w is missing"))
	}
	if err := j.W.check("w"); err != nil {
		return failure("LinearMachine from JSON", err)
	}
	if j.W.Rows < 2 || j.W.Cols < 2 {
		return failure("LinearMachine from JSON", fmt.Errorf("w is %d×%d: needed are two rows and two columns at least", j.W.Rows, j.W.Cols))
	}
	m.W = mat.NewDense(j.W.Rows, j.W.Cols, floats64(j.W.Data))
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *LinearMachine) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *LinearMachine) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type updateJSON struct {
	Pass int      `json:"pass"`
	Row  int      `json:"row"`
	W    []number `json:"w"`
}

type perceptronJSON struct {
	Schema        string       `json:"schema"`
	W             []number     `json:"w"`
	Updates       []updateJSON `json:"updates"`
	Mistakes      int          `json:"mistakes"`
	Passes        int          `json:"passes"`
	Misclassified int          `json:"misclassified"`
	Converged     bool         `json:"converged"`
	Reason        string       `json:"reason"`
	N             int          `json:"n"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Perceptron) MarshalJSON() ([]byte, error) {
	j := perceptronJSON{Schema: perceptronSchema, W: numbers(m.W), Mistakes: m.Mistakes, Passes: m.Passes,
		Misclassified: m.Misclassified, Converged: m.Converged, Reason: m.Reason, N: m.N}
	for _, u := range m.Updates {
		j.Updates = append(j.Updates, updateJSON{u.Pass, u.Row, numbers(u.W)})
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Perceptron) UnmarshalJSON(b []byte) error {
	var j perceptronJSON
	if err := decode(b, perceptronSchema, &j); err != nil {
		return failure("Perceptron from JSON", err)
	}
	if len(j.W) < 2 {
		return failure("Perceptron from JSON", fmt.Errorf("w has %d weights: needed are the bias and at least one more", len(j.W)))
	}
	var updates []Update
	for i, u := range j.Updates {
		if len(u.W) != len(j.W) {
			return failure("Perceptron from JSON", fmt.Errorf("update %d has %d weights but w has %d", i, len(u.W), len(j.W)))
		}
		updates = append(updates, Update{u.Pass, u.Row, floats64(u.W)})
	}
	*m = Perceptron{floats64(j.W), updates, j.Mistakes, j.Passes, j.Misclassified, j.Converged, j.Reason, j.N}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *Perceptron) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Perceptron) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type adalineJSON struct {
	Schema        string     `json:"schema"`
	W             []number   `json:"w"`
	E             number     `json:"e"`
	LeastSquares  []number   `json:"least_squares"`
	LeastE        number     `json:"least_e"`
	Excess        number     `json:"excess"`
	Rate          number     `json:"rate"`
	Passes        int        `json:"passes"`
	Misclassified int        `json:"misclassified"`
	Converged     bool       `json:"converged"`
	Reason        string     `json:"reason"`
	N             int        `json:"n"`
	Trace         []stepJSON `json:"trace"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Adaline) MarshalJSON() ([]byte, error) {
	return json.Marshal(adalineJSON{adalineSchema, numbers(m.W), number(m.E), numbers(m.LeastSquares), number(m.LeastE),
		number(m.Excess), number(m.Rate), m.Passes, m.Misclassified, m.Converged, m.Reason, m.N, stepsJSON(m.Trace)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Adaline) UnmarshalJSON(b []byte) error {
	var j adalineJSON
	if err := decode(b, adalineSchema, &j); err != nil {
		return failure("Adaline from JSON", err)
	}
	n := len(j.W)
	if n < 2 || len(j.LeastSquares) != n {
		return failure("Adaline from JSON", fmt.Errorf("w has %d weights and least_squares %d: needed are as many, the bias and at least one more", n, len(j.LeastSquares)))
	}
	for i, s := range j.Trace {
		if len(s.W) != n {
			return failure("Adaline from JSON", fmt.Errorf("step %d of the trace has %d weights but w has %d", i, len(s.W), n))
		}
	}
	*m = Adaline{floats64(j.W), float64(j.E), floats64(j.LeastSquares), float64(j.LeastE), float64(j.Excess), float64(j.Rate),
		j.Passes, j.Misclassified, j.Converged, j.Reason, j.N, traceOf(j.Trace)}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *Adaline) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Adaline) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
