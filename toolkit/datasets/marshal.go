package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// The methods in this file save data sets and encoders as JSON, and load them. The JSON contains a
// string called the schema, which names the kind of value and the version of the format. Without
// these methods, encoding/json would write {} for a *mat.Dense and return no error. encoding/gob
// needs no such methods for these types.

const (
	datasetSchema = "hyperplane-dataset/1"
	encoderSchema = "hyperplane-encoder/1"
)

type datasetJSON struct {
	Schema   string      `json:"schema"`
	Name     string      `json:"name"`
	Source   string      `json:"source"`
	Features []string    `json:"features"`
	Classes  []string    `json:"classes"`
	X        [][]float64 `json:"x"`
	Labels   []int       `json:"labels"`
	Hues     []int       `json:"hues,omitempty"`
}

// MarshalJSON writes all fields, with X as a list of rows. It returns an error if Check returns one
// or if a string is not valid UTF-8.
func (d Dataset) MarshalJSON() ([]byte, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := text(d.FeatureNames, d.ClassNames, []string{d.Name, d.Source}); err != nil {
		return nil, err
	}
	out := datasetJSON{datasetSchema, d.Name, d.Source, d.FeatureNames, d.ClassNames, nil, d.Labels, d.Hues}
	for i := range d.N() {
		out.X = append(out.X, d.X.RawRowView(i))
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the output of MarshalJSON. If the JSON has a different schema or an unknown
// field, or if the data set is invalid, it returns an error and leaves d unchanged.
func (d *Dataset) UnmarshalJSON(b []byte) error {
	var in datasetJSON
	if err := codec.Strict(b, datasetSchema, &in); err != nil {
		return prefixed("Dataset", err)
	}
	if len(in.X) == 0 || len(in.Features) == 0 {
		return fmt.Errorf("datasets: Dataset: the JSON has %d rows and %d features: want at least one of each", len(in.X),
			len(in.Features))
	}
	for i, row := range in.X {
		if len(row) != len(in.Features) {
			return fmt.Errorf("datasets: Dataset: row %d has %d numbers but there are %d features", i, len(row),
				len(in.Features))
		}
	}
	x := mat.NewDense(len(in.X), len(in.Features), slices.Concat(in.X...))
	e := Dataset{in.Name, x, in.Labels, in.Features, in.Classes, in.Source, in.Hues}
	if err := e.Check(); err != nil {
		return prefixed("Dataset", err)
	}
	*d = e
	return nil
}

// encoderJSON is the JSON form of an Encoder together with the schema.
type encoderJSON struct {
	Schema string `json:"schema"`
	*plainEncoder
}

type plainEncoder Encoder // without methods

// MarshalJSON writes all fields. It returns an error if Check returns one or if a string is not valid
// UTF-8.
func (e Encoder) MarshalJSON() ([]byte, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	words := [][]string{e.names(), e.Classes, {e.Label}}
	for _, f := range e.Features {
		words = append(words, f.Levels)
	}
	if err := text(words...); err != nil {
		return nil, err
	}
	return json.Marshal(encoderJSON{encoderSchema, (*plainEncoder)(&e)})
}

// UnmarshalJSON reads the output of MarshalJSON. If the JSON has a different schema or an unknown
// field, or if the Encoder is invalid, it returns an error and leaves e unchanged.
func (e *Encoder) UnmarshalJSON(b []byte) error {
	got := new(Encoder)
	err := codec.Strict(b, encoderSchema, &encoderJSON{plainEncoder: (*plainEncoder)(got)})
	if err == nil {
		err = got.Check()
	}
	if err != nil {
		return prefixed("Encoder", err)
	}
	*e = *got
	return nil
}

// text returns an error if a string in the lists is not valid UTF-8, because encoding/json would
// silently change such a string.
func text(lists ...[]string) error {
	for _, s := range slices.Concat(lists...) {
		if !utf8.ValidString(s) {
			return fmt.Errorf("datasets: %q is not UTF-8 and cannot be saved as JSON: save the file that it comes from as UTF-8", s)
		}
	}
	return nil
}
