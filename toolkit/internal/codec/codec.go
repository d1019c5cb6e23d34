// Package codec saves fitted models and restores them exactly.
//
// The saved form of a model is JSON: a schema that names kind and version, then its
// exported fields in snake case, or by the name in their tag "saved". Numbers are written with the digits that the exact
// value needs; ±Inf and NaN, which JSON has not, as strings; a matrix as its size and
// its elements by rows. Gob carries the same bytes.
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

// A Kind says how models of type T are saved.
type Kind[T any] struct {
	Schema string           // kind and version, as "hyperplane-lda/1"
	Key    string           // under which the schema stands; "" is "schema"
	New    func() *T        // what fields that a file does not have stay as; nil is new(T)
	Valid  func(*T) error   // whether the sizes of what was read agree; nil: nothing to compare
	Fields func(*T) []Field // of T that are saved and not exported; may be nil
}

// A Field is a value of a model, by its address.
type Field struct {
	Name  string
	Value any
}

// kind is a Kind whose type is known at run time alone.
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

// Register makes a kind of model known. It panics on a schema or a type that has one.
func Register[T any](k Kind[T]) struct{} {
	t := reflect.TypeFor[*T]()
	if bySchema[k.Schema] != nil || byType[t] != nil {
		panic("codec: " + k.Schema + " is registered twice")
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

// Marshal writes a model of a registered kind, given by its address.
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
		return fmt.Errorf("a %T cannot be saved: it is no model of this package", model)
	}
	if reflect.ValueOf(model).IsNil() {
		b.WriteString("null")
		return nil
	}
	fmt.Fprintf(b, "{%q:%q", k.key, k.schema)
	err := each(model, k, func(name string, v reflect.Value) error {
		fmt.Fprintf(b, ",%q:", name)
		return encode(b, v)
	})
	b.WriteByte('}')
	return err
}

// Unmarshal reads what Marshal wrote into a model of the same kind. Another schema,
// unknown fields and sizes that contradict each other are errors; the model is then
// unchanged.
func Unmarshal(text []byte, model any) error {
	k := byType[reflect.TypeOf(model)]
	if k == nil {
		return fmt.Errorf("a %T cannot be restored: it is no model of this package", model)
	}
	schema, err := SchemaOf(text)
	if err != nil {
		return err
	}
	if schema != k.schema {
		return fmt.Errorf("the schema is %q, needed is %q: another kind of model, or one saved by another version", schema, k.schema)
	}
	m, err := k.read(text)
	if err == nil {
		reflect.ValueOf(model).Elem().Set(reflect.ValueOf(m).Elem())
	}
	return err
}

// Load returns a pointer to a model of the kind that the text names.
func Load(text []byte) (any, error) {
	schema, err := SchemaOf(text)
	if err != nil {
		return nil, err
	}
	k := bySchema[schema]
	if k == nil {
		return nil, fmt.Errorf("no model of schema %q is known: another kind, or one saved by another version", schema)
	}
	return k.read(text)
}

// SchemaOf returns the schema that the text names, as one or as a kind.
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

// each calls do with every field of the struct at that address that is saved, those of
// embedded structs included.
func each(at any, k *kind, do func(name string, v reflect.Value) error) error {
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

// decodeFields reads an object into the struct at that address. A schema may stand in
// any of them.
func decodeFields(text []byte, at any, k *kind) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if raw == nil {
		return errors.New("null where an object is needed")
	}
	delete(raw, "schema")
	delete(raw, "kind")
	err := each(at, k, func(name string, v reflect.Value) error {
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

// Strict reads an object of the given schema by encoding/json; unknown fields are
// errors.
func Strict(text []byte, schema string, into any) error {
	got, err := SchemaOf(text)
	if err != nil {
		return err
	}
	if got != schema {
		return fmt.Errorf("the schema is %q, needed is %q: another kind of model, or one saved by another version", got, schema)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Value reads what stands at that address: a model, or by Load where it is an interface.
func Value[T any](text []byte, at *T) error {
	return decode(text, reflect.ValueOf(at).Elem())
}
