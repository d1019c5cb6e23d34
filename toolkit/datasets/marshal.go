package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// Data sets and encoders are saved as JSON with a schema that names the kind and
// the version. (A *mat.Dense alone would become {} without a word.) Gob needs
// nothing of its own.

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
}

// MarshalJSON writes all fields, X as a list of rows. A data set that Check
// rejects is an error.
func (d Dataset) MarshalJSON() ([]byte, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := text(d.FeatureNames, d.ClassNames, []string{d.Name, d.Source}); err != nil {
		return nil, err
	}
	out := datasetJSON{datasetSchema, d.Name, d.Source, d.FeatureNames, d.ClassNames, nil, d.Labels}
	for i := range d.N() {
		out.X = append(out.X, d.X.RawRowView(i))
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote. On an error d is unchanged.
func (d *Dataset) UnmarshalJSON(b []byte) error {
	var in datasetJSON
	if err := decode(b, datasetSchema, &in); err != nil {
		return fmt.Errorf("datasets: Dataset: %w", err)
	}
	if len(in.X) == 0 || len(in.Features) == 0 {
		return fmt.Errorf("datasets: Dataset: it has %d rows and %d features: needed is one at least", len(in.X), len(in.Features))
	}
	e := Dataset{Name: in.Name, Source: in.Source, FeatureNames: in.Features, ClassNames: in.Classes, Labels: in.Labels}
	for i, row := range in.X {
		if len(row) != len(in.Features) {
			return fmt.Errorf("datasets: Dataset: row %d has %d numbers but there are %d features", i, len(row), len(in.Features))
		}
	}
	e.X = mat.NewDense(len(in.X), len(in.Features), nil)
	for i, row := range in.X {
		e.X.SetRow(i, row)
	}
	if err := e.Check(); err != nil {
		return prefixed("Dataset", err)
	}
	*d = e
	return nil
}

type encoderJSON struct {
	Schema    string        `json:"schema"`
	Features  []featureJSON `json:"features"`
	Label     string        `json:"label"`
	Classes   []string      `json:"classes"`
	DropFirst bool          `json:"drop_first"`
	Missing   string        `json:"missing"`
}

type featureJSON struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Levels []string `json:"levels,omitempty"`
	Mean   float64  `json:"mean"`
	Mode   int      `json:"mode"`
}

var missingNames = []string{MissingError: "error", MissingSkip: "skip", MissingFill: "fill"}

// MarshalJSON writes all fields. An encoder that Check rejects is an error.
func (e Encoder) MarshalJSON() ([]byte, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if err := text(e.featuresNames(), e.Classes, []string{e.Label}); err != nil {
		return nil, err
	}
	out := encoderJSON{encoderSchema, nil, e.Label, e.Classes, e.DropFirst, missingNames[e.Missing]}
	for _, f := range e.Features {
		if err := text(f.Levels); err != nil {
			return nil, err
		}
		out.Features = append(out.Features, featureJSON{f.Name, f.Kind.String(), f.Levels, f.Mean, f.Mode})
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote. On an error e is unchanged.
func (e *Encoder) UnmarshalJSON(b []byte) error {
	var in encoderJSON
	if err := decode(b, encoderSchema, &in); err != nil {
		return fmt.Errorf("datasets: Encoder: %w", err)
	}
	got := Encoder{Label: in.Label, Classes: in.Classes, DropFirst: in.DropFirst}
	m, ok := numbered(missingNames)[in.Missing]
	if !ok {
		return fmt.Errorf("datasets: Encoder: missing is %q: it must be one of %s", in.Missing, quoted(missingNames))
	}
	got.Missing = Missing(m)
	kinds := map[string]Kind{KindNumeric.String(): KindNumeric, KindCategorical.String(): KindCategorical}
	for _, f := range in.Features {
		k, ok := kinds[f.Kind]
		if !ok {
			return fmt.Errorf("datasets: Encoder: feature %q has the kind %q: it must be numeric or categorical", f.Name, f.Kind)
		}
		got.Features = append(got.Features, Feature{f.Name, k, f.Levels, f.Mean, f.Mode})
	}
	if err := got.Check(); err != nil {
		return prefixed("Encoder", err)
	}
	*e = got
	return nil
}

// text reports a string that is not UTF-8, which JSON would change without a word.
func text(lists ...[]string) error {
	for _, s := range slices.Concat(lists...) {
		if !utf8.ValidString(s) {
			return fmt.Errorf("datasets: %q is not UTF-8 and cannot be saved as JSON: save the file that it comes from as UTF-8", s)
		}
	}
	return nil
}

// decode reads a value of the given schema.
func decode(b []byte, schema string, into any) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return err
	}
	if head.Schema != schema {
		return fmt.Errorf("the schema is %q, needed is %q: something else, or saved by another version", head.Schema, schema)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
