package classify

import (
	"encoding/json"
	"errors"
	"fmt"
)

var (
	_ savedModel = (*OneVersusRest)(nil)
	_ savedModel = (*OneVersusOne)(nil)
	_ savedModel = (*Separability)(nil)
)

const (
	oneVersusRestSchema = "hyperplane-one-versus-rest/1"
	oneVersusOneSchema  = "hyperplane-one-versus-one/1"
	separabilitySchema  = "hyperplane-separability/1"
)

// machineKinds are the models that can be saved as machines of a combined one.
var machineKinds = map[string]func() savedModel{
	logisticSchema:         func() savedModel { return new(Logistic) },
	leastSquaresSchema:     func() savedModel { return new(LeastSquares) },
	perceptronSchema:       func() savedModel { return new(Perceptron) },
	adalineSchema:          func() savedModel { return new(Adaline) },
	hyperplaneSchema:       func() savedModel { return new(Hyperplane) },
	linearMachineSchema:    func() savedModel { return new(LinearMachine) },
	probitSchema:           func() savedModel { return new(Probit) },
	labelFlipSchema:        func() savedModel { return new(LabelFlip) },
	softmaxSchema:          func() savedModel { return new(Softmax) },
	fisherSchema:           func() savedModel { return new(Fisher) },
	ldaSchema:              func() savedModel { return new(LDA) },
	qdaSchema:              func() savedModel { return new(QDA) },
	naiveGaussianSchema:    func() savedModel { return new(NaiveBayesGaussian) },
	naiveBernoulliSchema:   func() savedModel { return new(NaiveBayesBernoulli) },
	naiveCategoricalSchema: func() savedModel { return new(NaiveBayesCategorical) },
}

// saveMachine returns the JSON of one machine, null for none.
func saveMachine(m Scorer) (json.RawMessage, error) {
	if m == nil {
		return json.RawMessage("null"), nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if _, err := loadMachine(b); err != nil {
		return nil, fmt.Errorf("a machine of type %T cannot be saved: %w", m, err)
	}
	return b, nil
}

func loadMachine(b json.RawMessage) (Scorer, error) {
	if string(b) == "null" || len(b) == 0 {
		return nil, nil
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, err
	}
	empty, ok := machineKinds[head.Schema]
	if !ok {
		return nil, fmt.Errorf("no machines of schema %q are known: another kind of model, or one saved by another version", head.Schema)
	}
	m := empty()
	if err := m.UnmarshalJSON(b); err != nil {
		return nil, err
	}
	return m.(Scorer), nil
}

type oneVersusRestJSON struct {
	Schema   string            `json:"schema"`
	K        int               `json:"k"`
	Machines []json.RawMessage `json:"machines"`
}

// MarshalJSON saves the model and its machines, which must be models of this
// package; UnmarshalJSON restores it exactly.
func (m *OneVersusRest) MarshalJSON() ([]byte, error) {
	j := oneVersusRestJSON{Schema: oneVersusRestSchema, K: m.K}
	for _, machine := range m.Machines {
		b, err := saveMachine(machine)
		if err != nil {
			return nil, failure("OneVersusRest to JSON", err)
		}
		j.Machines = append(j.Machines, b)
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *OneVersusRest) UnmarshalJSON(b []byte) error {
	var j oneVersusRestJSON
	if err := decode(b, oneVersusRestSchema, &j); err != nil {
		return failure("OneVersusRest from JSON", err)
	}
	if n := len(j.Machines); n < 1 || n > j.K || n < j.K-1 {
		return failure("OneVersusRest from JSON", fmt.Errorf("%d machines for %d classes", n, j.K))
	}
	out := OneVersusRest{K: j.K}
	for _, b := range j.Machines {
		machine, err := loadMachine(b)
		if err != nil {
			return failure("OneVersusRest from JSON", err)
		}
		out.Machines = append(out.Machines, machine)
	}
	*m = out
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *OneVersusRest) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusRest) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type duelJSON struct {
	First   int             `json:"first"`
	Second  int             `json:"second"`
	Machine json.RawMessage `json:"machine"`
}

type oneVersusOneJSON struct {
	Schema string     `json:"schema"`
	K      int        `json:"k"`
	Rule   DuelRule   `json:"rule"`
	Duels  []duelJSON `json:"duels"`
}

// MarshalJSON saves the model and its machines, which must be models of this
// package; UnmarshalJSON restores it exactly.
func (m *OneVersusOne) MarshalJSON() ([]byte, error) {
	j := oneVersusOneJSON{Schema: oneVersusOneSchema, K: m.K, Rule: m.Rule}
	for _, d := range m.Duels {
		b, err := saveMachine(d.Machine)
		if err != nil {
			return nil, failure("OneVersusOne to JSON", err)
		}
		j.Duels = append(j.Duels, duelJSON{d.First, d.Second, b})
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or classes
// that contradict each other are errors; m is then unchanged.
func (m *OneVersusOne) UnmarshalJSON(b []byte) error {
	var j oneVersusOneJSON
	if err := decode(b, oneVersusOneSchema, &j); err != nil {
		return failure("OneVersusOne from JSON", err)
	}
	if err := j.Rule.check(); err != nil {
		return failure("OneVersusOne from JSON", err)
	}
	if j.K < 2 || j.K > 2+2*len(j.Duels)+1000 {
		return failure("OneVersusOne from JSON", fmt.Errorf("k is %d with %d duels", j.K, len(j.Duels)))
	}
	out := OneVersusOne{K: j.K, Rule: j.Rule}
	for _, d := range j.Duels {
		if d.First < 0 || d.Second <= d.First || d.Second >= j.K {
			return failure("OneVersusOne from JSON", fmt.Errorf("a duel of classes %d and %d of %d", d.First, d.Second, j.K))
		}
		machine, err := loadMachine(d.Machine)
		if err == nil && machine == nil {
			err = errors.New("a duel has no machine")
		}
		if err != nil {
			return failure("OneVersusOne from JSON", err)
		}
		out.Duels = append(out.Duels, Duel{d.First, d.Second, machine})
	}
	*m = out
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *OneVersusOne) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusOne) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type separabilityJSON struct {
	Schema    string   `json:"schema"`
	Separable bool     `json:"separable"`
	W         []number `json:"w"`
	Margin    number   `json:"margin"`
	RowsC1    []int    `json:"rows_c1"`
	RowsC2    []int    `json:"rows_c2"`
	Alpha     []number `json:"alpha"`
	Beta      []number `json:"beta"`
	Common    []number `json:"common"`
	Gap       number   `json:"gap"`
}

// MarshalJSON saves the answer and its certificate; UnmarshalJSON restores them
// exactly.
func (s *Separability) MarshalJSON() ([]byte, error) {
	return json.Marshal(separabilityJSON{separabilitySchema, s.Separable, numbers(s.W), number(s.Margin),
		s.RowsC1, s.RowsC2, numbers(s.Alpha), numbers(s.Beta), numbers(s.Common), number(s.Gap)})
}

// UnmarshalJSON restores what MarshalJSON saved. Another schema is an error; s is
// then unchanged. Verify tells whether the certificate holds for given data.
func (s *Separability) UnmarshalJSON(b []byte) error {
	var j separabilityJSON
	if err := decode(b, separabilitySchema, &j); err != nil {
		return failure("Separability from JSON", err)
	}
	*s = Separability{j.Separable, floats64(j.W), float64(j.Margin), j.RowsC1, j.RowsC2,
		floats64(j.Alpha), floats64(j.Beta), floats64(j.Common), float64(j.Gap)}
	return nil
}

// GobEncode saves the answer for encoding/gob.
func (s *Separability) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode restores what GobEncode saved.
func (s *Separability) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }
