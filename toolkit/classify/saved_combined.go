package classify

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ savedModel = (*OneVersusRest)(nil)
	_ savedModel = (*OneVersusOne)(nil)
)

var (
	_ = codec.Register(codec.Kind[OneVersusRest]{Schema: "hyperplane-one-versus-rest/1", Valid: (*OneVersusRest).sized})
	_ = codec.Register(codec.Kind[OneVersusOne]{Schema: "hyperplane-one-versus-one/1", Valid: (*OneVersusOne).sized})

	_ = codec.Register(codec.Kind[PolynomialBasis]{Key: "kind", Schema: "polynomial"})
	_ = codec.Register(codec.Kind[GaussianBasis]{Key: "kind", Schema: "gaussian"})
	_ = codec.Register(codec.Kind[RidgeBasis]{Key: "kind", Schema: "ridge"})
	_ = codec.Register(codec.Kind[ScaledBasis]{Key: "kind", Schema: "scaled"})
	_ = codec.Register(codec.Kind[ColumnsBasis]{Key: "kind", Schema: "columns"})
	_ = codec.Register(codec.Kind[ChainBasis]{Key: "kind", Schema: "chain"})
	_ = codec.Register(codec.Kind[JoinedBasis]{Key: "kind", Schema: "joined"})
)

func (m *OneVersusRest) sized() error {
	if n := len(m.Machines); n < 1 || n > m.K || n < m.K-1 {
		return fmt.Errorf("%d machines for %d classes", n, m.K)
	}
	return nil
}

func (m *OneVersusOne) sized() error {
	if err := m.Rule.check(); err != nil {
		return err
	}
	if m.K < 2 || m.K > 2+2*len(m.Pairs)+1000 {
		return fmt.Errorf("k is %d with %d duels", m.K, len(m.Pairs))
	}
	for _, d := range m.Pairs {
		if d.First < 0 || d.Second <= d.First || d.Second >= m.K {
			return fmt.Errorf("a duel of classes %d and %d of %d", d.First, d.Second, m.K)
		}
		if d.Machine == nil {
			return errors.New("a duel has no machine")
		}
	}
	return nil
}

const onBasisSchema = "hyperplane-on-basis/1"

type onBasisJSON struct {
	Schema string          `json:"schema"`
	Basis  json.RawMessage `json:"basis"`
	Model  json.RawMessage `json:"model"`
}

// MarshalJSON saves the model and its basis; UnmarshalJSON restores both exactly.
// A basis of a type from another package is an error.
func (m *OnBasis[M]) MarshalJSON() ([]byte, error) {
	const name = "a model on a basis to JSON"
	if check.Nil(m.Basis) {
		return nil, failure(name, errors.New("the basis is nil: make the model with FitOnBasis"))
	}
	b, err := codec.Marshal(m.Basis)
	if err != nil {
		return nil, failure(name, fmt.Errorf("%w: only the bases that the constructors Basis… make can be saved", err))
	}
	model, err := json.Marshal(m.Model)
	if err != nil {
		return nil, err
	}
	return json.Marshal(onBasisJSON{onBasisSchema, b, model})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema, another
// kind of model or sizes that contradict each other are errors; m is then
// unchanged.
func (m *OnBasis[M]) UnmarshalJSON(data []byte) error {
	const name = "a model on a basis from JSON"
	var j onBasisJSON
	if err := codec.Strict(data, onBasisSchema, &j); err != nil {
		return failure(name, err)
	}
	switch {
	case missing(j.Basis):
		return failure(name, errors.New("basis is missing"))
	case missing(j.Model):
		return failure(name, errors.New("model is missing"))
	}
	b, err := codec.Load(j.Basis)
	if err != nil {
		return failure(name, err)
	}
	basis, ok := b.(Basis)
	if !ok {
		return failure(name, fmt.Errorf("a %T is no basis", b))
	}
	if err := basisCheck(basis); err != nil {
		return failure(name, err)
	}
	var model M
	if err := codec.Value(j.Model, &model); err != nil {
		return failure(name, err)
	}
	m.Model, m.Basis = model, basis
	return nil
}

func missing(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

// GobEncode saves the model for encoding/gob.
func (m *OnBasis[M]) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *OnBasis[M]) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *OneVersusRest) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *OneVersusRest) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *OneVersusRest) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusRest) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *OneVersusOne) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *OneVersusOne) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *OneVersusOne) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusOne) GobDecode(b []byte) error { return restore(b, m) }
