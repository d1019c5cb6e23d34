package classify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Models are saved as JSON with a schema that names the kind and the version.
// Numbers are written with the digits that the exact value needs; ±Inf and NaN,
// which JSON has not, as strings. Gob carries the same bytes.

// number is a float64 that may be infinite.
type number float64

func (v number) MarshalJSON() ([]byte, error) {
	switch f := float64(v); {
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case f == 0 && math.Signbit(f):
		return []byte("-0"), nil
	}
	return strconv.AppendFloat(nil, float64(v), 'g', -1, 64), nil
}

func (v *number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"Infinity"`:
		*v = number(math.Inf(1))
	case `"-Infinity"`:
		*v = number(math.Inf(-1))
	case `"NaN"`:
		*v = number(math.NaN())
	case "null":
		return errors.New("null where a number is needed")
	default:
		f, err := strconv.ParseFloat(string(b), 64)
		if err != nil {
			return fmt.Errorf("%s is not a number", b)
		}
		*v = number(f)
	}
	return nil
}

func numbers(v []float64) []number {
	if v == nil {
		return nil
	}
	out := make([]number, len(v))
	for i, a := range v {
		out[i] = number(a)
	}
	return out
}

func floats64(v []number) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i, a := range v {
		out[i] = float64(a)
	}
	return out
}

// matrix is the JSON form of a matrix, all elements by rows.
type matrix struct {
	Rows int      `json:"rows"`
	Cols int      `json:"cols"`
	Data []number `json:"data"`
}

func toMatrix(m mat.Matrix, isNil bool) *matrix {
	if isNil {
		return nil
	}
	r, c := m.Dims()
	out := &matrix{r, c, make([]number, 0, r*c)}
	for i := range r {
		for j := range c {
			out.Data = append(out.Data, number(m.At(i, j)))
		}
	}
	return out
}

func (m *matrix) check(name string) error {
	if m.Rows <= 0 || m.Cols <= 0 || len(m.Data)/m.Rows != m.Cols || len(m.Data)%m.Rows != 0 {
		return fmt.Errorf("%s says %d×%d but has %d numbers", name, m.Rows, m.Cols, len(m.Data))
	}
	return nil
}

// symmetric returns the n×n matrix, nil for nil.
func (m *matrix) symmetric(name string, n int) (*mat.SymDense, error) {
	if m == nil {
		return nil, nil
	}
	if err := m.check(name); err != nil {
		return nil, err
	}
	if m.Rows != n || m.Cols != n {
		return nil, fmt.Errorf("%s is %d×%d, needed is %d×%d", name, m.Rows, m.Cols, n, n)
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, float64(m.Data[i*n+j]))
		}
	}
	return s, nil
}

// priorJSON says what prior a fit had; files before it do not have it.
type priorJSON struct {
	HasPrior *bool   `json:"has_prior,omitempty"`
	Penalty  *number `json:"penalty,omitempty"`
}

func toPriorJSON(has bool, penalty float64) priorJSON {
	return priorJSON{&has, (*number)(&penalty)}
}

// prior returns what the file says. If it says nothing, E is more than the
// negative log likelihood by the penalty.
func (j *priorJSON) prior(e, logLikelihood float64) (has bool, penalty float64) {
	if j.HasPrior == nil || j.Penalty == nil {
		return e != -logLikelihood, e + logLikelihood
	}
	return *j.HasPrior, float64(*j.Penalty)
}

// decode reads a model of the given schema.
func decode(b []byte, schema string, into any) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return err
	}
	if head.Schema != schema {
		return fmt.Errorf("the schema is %q, needed is %q: another kind of model, or one saved by another version", head.Schema, schema)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
