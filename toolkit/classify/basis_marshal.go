package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
)

var (
	_ json.Marshaler   = (*OnBasis[*Logistic])(nil)
	_ json.Unmarshaler = (*OnBasis[*Logistic])(nil)
	_ gob.GobEncoder   = (*OnBasis[*Logistic])(nil)
	_ gob.GobDecoder   = (*OnBasis[*Logistic])(nil)
)

const onBasisSchema = "hyperplane-on-basis/1"

type onBasisJSON struct {
	Schema string          `json:"schema"`
	Basis  *basisJSON      `json:"basis"`
	Model  json.RawMessage `json:"model"`
}

// basisJSON is the form of every basis: its kind and the fields of that kind.
type basisJSON struct {
	Kind     string       `json:"kind"`
	Powers   [][]int      `json:"powers,omitempty"`
	Centres  [][]number   `json:"centres,omitempty"`
	Widths   []number     `json:"widths,omitempty"`
	Function string       `json:"function,omitempty"`
	W        [][]number   `json:"w,omitempty"`
	Shift    []number     `json:"shift,omitempty"`
	Scale    []number     `json:"scale,omitempty"`
	Inputs   int          `json:"inputs,omitempty"`
	Index    []int        `json:"index,omitempty"`
	Parts    []*basisJSON `json:"parts,omitempty"`
}

// MarshalJSON saves the model and its basis; UnmarshalJSON restores both exactly.
// A basis of a type from another package is an error.
func (m *PredictorOnBasis[M]) MarshalJSON() ([]byte, error) {
	b, err := toBasisJSON(m.Basis)
	if err != nil {
		return nil, failure("a model on a basis to JSON", err)
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
func (m *PredictorOnBasis[M]) UnmarshalJSON(data []byte) error {
	const name = "a model on a basis from JSON"
	var j onBasisJSON
	if err := decode(data, onBasisSchema, &j); err != nil {
		return failure(name, err)
	}
	if len(j.Model) == 0 || string(j.Model) == "null" {
		return failure(name, errors.New("model is missing"))
	}
	b, err := j.Basis.basis()
	if err != nil {
		return failure(name, err)
	}
	if err := basisCheck(b); err != nil {
		return failure(name, err)
	}
	var model M
	if err := json.Unmarshal(j.Model, &model); err != nil {
		return failure(name, err)
	}
	m.Model, m.Basis = model, b
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *PredictorOnBasis[M]) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *PredictorOnBasis[M]) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

func toBasisJSON(b Basis) (*basisJSON, error) {
	switch b := b.(type) {
	case *PolynomialBasis:
		return &basisJSON{Kind: "polynomial", Powers: b.Powers}, nil
	case *GaussianBasis:
		return &basisJSON{Kind: "gaussian", Centres: basisNumbers(b.Centres), Widths: numbers(b.Widths)}, nil
	case *RidgeBasis:
		return &basisJSON{Kind: "ridge", Function: b.Function, W: basisNumbers(b.W)}, nil
	case *ScaledBasis:
		return &basisJSON{Kind: "scaled", Shift: numbers(b.Shift), Scale: numbers(b.Scale)}, nil
	case *ColumnsBasis:
		return &basisJSON{Kind: "columns", Inputs: b.Inputs, Index: b.Index}, nil
	case *ChainBasis:
		return basisPartsJSON("chain", b.Parts)
	case *JoinedBasis:
		return basisPartsJSON("joined", b.Parts)
	case nil:
		return nil, errors.New("the basis is nil: make the model with FitOnBasis")
	}
	return nil, fmt.Errorf("a basis of type %T cannot be saved: only those that the constructors Basis… make", b)
}

func basisPartsJSON(kind string, parts []Basis) (*basisJSON, error) {
	j := &basisJSON{Kind: kind}
	for _, p := range parts {
		q, err := toBasisJSON(p)
		if err != nil {
			return nil, err
		}
		j.Parts = append(j.Parts, q)
	}
	return j, nil
}

func (j *basisJSON) basis() (Basis, error) {
	if j == nil {
		return nil, errors.New("basis is missing")
	}
	switch j.Kind {
	case "polynomial":
		return &PolynomialBasis{j.Powers}, nil
	case "gaussian":
		return &GaussianBasis{basisFloats(j.Centres), floats64(j.Widths)}, nil
	case "ridge":
		return &RidgeBasis{j.Function, basisFloats(j.W)}, nil
	case "scaled":
		return &ScaledBasis{floats64(j.Shift), floats64(j.Scale)}, nil
	case "columns":
		return &ColumnsBasis{j.Inputs, j.Index}, nil
	case "chain", "joined":
		var parts []Basis
		for _, p := range j.Parts {
			q, err := p.basis()
			if err != nil {
				return nil, err
			}
			parts = append(parts, q)
		}
		if j.Kind == "chain" {
			return &ChainBasis{parts}, nil
		}
		return &JoinedBasis{parts}, nil
	}
	return nil, fmt.Errorf("unknown kind of basis %q", j.Kind)
}

func basisNumbers(v [][]float64) [][]number {
	out := make([][]number, len(v))
	for i, row := range v {
		out[i] = numbers(row)
	}
	return out
}

func basisFloats(v [][]number) [][]float64 {
	out := make([][]float64, len(v))
	for i, row := range v {
		out[i] = floats64(row)
	}
	return out
}
