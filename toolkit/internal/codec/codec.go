// Package codec saves fitted models and restores them exactly.
//
// The saved form of a model is a JSON object. The first field is the schema, which states the kind
// and the version of the model. The exported fields of the model follow, and then the unexported
// fields that Kind.Fields lists. The name of an exported field is its Go name in snake case, unless
// the tag "saved" gives another name. A number has as many digits as are needed to restore it
// exactly. JSON has no ±Inf and NaN, so these values are written as strings. A matrix is saved as
// its size and its elements, row by row.
package codec

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Kind describes how models of type T are saved.
type Kind[T any] struct {
	Schema string // kind and version of the model, such as "hyperplane-lda/1"
	Key    string // name of the JSON field that contains the schema: "schema" or "kind"; "" means "schema"
	// returns a model with default values; the fields that a file lacks keep these values; nil means
	// new(T)
	New    func() *T
	Valid  func(*T) error   // returns an error if the sizes of the fields do not match; nil accepts all sizes
	Fields func(*T) []Field // returns the unexported fields of T that are also saved; may be nil
}

// Field is a field that is saved and loaded with its model. `Value` is a pointer to the field.
type Field struct {
	Name  string
	Value any
}

// kind contains the same information as a Kind, but has no type parameter.
type kind struct {
	key    string
	schema string
	fresh  func() any
	valid  func(any) error
	fields func(any) []Field
}

var (
	bySchema = map[string]*kind{}
	byType   = map[reflect.Type]*kind{}
)

// Register registers a kind of model. It panics if the schema or the type is registered already. The
// empty result lets the declaration of a package variable call Register.
func Register[T any](k Kind[T]) struct{} {
	t := reflect.TypeFor[*T]()
	if bySchema[k.Schema] != nil || byType[t] != nil {
		panic("codec: the schema " + k.Schema + " or its Go type is registered twice")
	}
	bySchema[k.Schema] = &kind{
		key:    cmp.Or(k.Key, "schema"),
		schema: k.Schema,
		fresh: func() any {
			if k.New != nil {
				return k.New()
			}
			return new(T)
		},
		valid: func(m any) error {
			if k.Valid == nil {
				return nil
			}
			return k.Valid(m.(*T))
		},
		fields: func(m any) []Field {
			if k.Fields == nil {
				return nil
			}
			return k.Fields(m.(*T))
		},
	}
	byType[t] = bySchema[k.Schema]
	return struct{}{}
}

// Marshal encodes a model of a registered kind. The argument `model` must be a pointer.
func Marshal(model any) ([]byte, error) {
	var b bytes.Buffer
	if err := marshal(&b, model); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func marshal(b *bytes.Buffer, model any) error {
	k := byType[reflect.TypeOf(model)]
	if k == nil {
		return fmt.Errorf("a %T cannot be saved: it is not a pointer to a model of this package", model)
	}
	if reflect.ValueOf(model).IsNil() {
		b.WriteString("null")
		return nil
	}
	fmt.Fprintf(b, "{%q:%q", k.key, k.schema)
	err := eachField(model, k, func(name string, v reflect.Value) error {
		fmt.Fprintf(b, ",%q:", name)
		return encode(b, v)
	})
	b.WriteByte('}')
	return err
}

// Load decodes a model and returns a pointer to it. The schema in the text determines the kind of
// the model. Load returns an error for unknown fields and for sizes that contradict each other.
func Load(text []byte) (any, error) {
	schema, err := SchemaOf(text)
	if err != nil {
		return nil, err
	}
	k := bySchema[schema]
	if k == nil {
		return nil, fmt.Errorf("unknown schema %q: the text is not a model, or was saved by a different version",
			schema)
	}
	return k.read(text)
}

// SchemaOf returns the schema of the text, from its field "schema" or "kind".
func SchemaOf(text []byte) (string, error) {
	var head struct {
		Schema string `json:"schema"`
		Kind   string `json:"kind"`
	}
	err := json.Unmarshal(text, &head)
	return cmp.Or(head.Schema, head.Kind), err
}

func (k *kind) read(text []byte) (any, error) {
	fresh := k.fresh()
	if err := decodeFields(text, fresh, k); err != nil {
		return nil, err
	}
	return fresh, k.valid(fresh)
}

// eachField calls do(name, v) for every exported field of a struct, including the fields of exported
// embedded structs. If k is not nil, eachField also calls do for the fields that k.fields returns. The
// argument `at` is a pointer to the struct. If do returns an error, eachField stops and returns this error.
func eachField(at any, k *kind, do func(name string, v reflect.Value) error) error {
	if err := exported(reflect.ValueOf(at).Elem(), do); err != nil || k == nil {
		return err
	}
	for _, f := range k.fields(at) {
		if err := do(f.Name, reflect.ValueOf(f.Value).Elem()); err != nil {
			return err
		}
	}
	return nil
}

func exported(v reflect.Value, do func(name string, v reflect.Value) error) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		var err error
		switch {
		case !f.IsExported():
		case f.Anonymous:
			err = exported(v.Field(i), do)
		default:
			name := f.Tag.Get("saved")
			if name == "" {
				name = snake(f.Name)
			}
			err = do(name, v.Field(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeFields decodes a JSON object into the struct to which the argument `at` points. It ignores
// the fields "schema" and "kind", one of which contains the schema.
func decodeFields(text []byte, at any, k *kind) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if raw == nil {
		return errors.New("null, want an object")
	}
	delete(raw, "schema")
	delete(raw, "kind")
	err := eachField(at, k, func(name string, v reflect.Value) error {
		b, ok := raw[name]
		delete(raw, name)
		if !ok {
			return nil
		}
		if err := decode(b, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var unknown []string
	for name := range raw {
		unknown = append(unknown, name)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("unknown field %q", slices.Min(unknown))
	}
	return nil
}

// Strict decodes an object of the given schema with encoding/json. It returns an error for another
// schema and for an unknown field.
func Strict(text []byte, schema string, into any) error {
	got, err := SchemaOf(text)
	if err != nil {
		return err
	}
	if got != schema {
		return fmt.Errorf("the schema is %q, want %q: the text is a model of another kind or version", got, schema)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Value decodes text into *at. If T is an interface, it calls Load.
func Value[T any](text []byte, at *T) error {
	return decode(text, reflect.ValueOf(at).Elem())
}
