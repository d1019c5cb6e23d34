package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"
)

var (
	denseType     = reflect.TypeFor[*mat.Dense]()
	symType       = reflect.TypeFor[*mat.SymDense]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
)

// encode writes a value as JSON text. The function decode reads this text.
func encode(b *bytes.Buffer, v reflect.Value) error {
	t := v.Type()
	switch kind := t.Kind(); {
	case (kind == reflect.Pointer || kind == reflect.Interface) && v.IsNil():
		b.WriteString("null")
	case t == denseType || t == symType:
		encodeMatrix(b, v.Interface().(mat.Matrix))
	case kind == reflect.Float64:
		b.Write(number(v.Float()))
	case kind == reflect.Interface:
		return marshal(b, v.Interface())
	case t.Implements(marshalerType):
		return encodeJSON(b, v)
	case kind == reflect.Slice && v.IsNil():
		b.WriteString("null")
	case kind == reflect.Slice || kind == reflect.Array:
		return encodeList(b, v)
	case kind == reflect.Pointer:
		return encode(b, v.Elem())
	case kind == reflect.Struct:
		return encodeStruct(b, v)
	default:
		return encodeJSON(b, v)
	}
	return nil
}

func encodeJSON(b *bytes.Buffer, v reflect.Value) error {
	text, err := json.Marshal(v.Interface())
	b.Write(text)
	return err
}

func encodeList(b *bytes.Buffer, v reflect.Value) error {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encode(b, v.Index(i)); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func encodeStruct(b *bytes.Buffer, v reflect.Value) error {
	comma := byte('{')
	err := exported(v, func(name string, v reflect.Value) error {
		b.WriteByte(comma)
		comma = ','
		fmt.Fprintf(b, "%q:", name)
		return encode(b, v)
	})
	if comma == '{' {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return err
}

// Matrix returns the form in which the matrix m is saved.
func Matrix(m mat.Matrix) []byte {
	var b bytes.Buffer
	encodeMatrix(&b, m)
	return b.Bytes()
}

func encodeMatrix(b *bytes.Buffer, m mat.Matrix) {
	rows, cols := m.Dims()
	fmt.Fprintf(b, `{"rows":%d,"cols":%d,"data":[`, rows, cols)
	for i := range rows * cols {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(number(m.At(i/cols, i%cols)))
	}
	b.WriteString("]}")
}

// decode reads JSON text that encode wrote. It also reads a vector that was saved as a matrix with
// one row.
func decode(text []byte, v reflect.Value) error {
	t := v.Type()
	kind := t.Kind()
	restores := t.Implements(marshalerType)
	switch {
	case string(text) == "null" &&
		(kind == reflect.Interface || kind == reflect.Slice || kind == reflect.Pointer && !restores):
		return nil
	case t == denseType || t == symType:
		m, err := decodeMatrix(text)
		if err == nil {
			err = setMatrix(v, m)
		}
		return err
	case kind == reflect.Float64:
		x, err := parse(text)
		v.SetFloat(x)
		return err
	case kind == reflect.Interface:
		m, err := Load(text)
		if err != nil {
			return err
		}
		if !reflect.TypeOf(m).Implements(t) {
			return fmt.Errorf("a %T is not a %s", m, t.Name())
		}
		v.Set(reflect.ValueOf(m))
		return nil
	case kind == reflect.Pointer && !restores:
		v.Set(reflect.New(t.Elem()))
		return decode(text, v.Elem())
	case kind == reflect.Slice || kind == reflect.Array:
		return decodeList(text, v)
	case kind == reflect.Struct && !reflect.PointerTo(t).Implements(marshalerType):
		return decodeFields(text, v.Addr().Interface(), nil)
	}
	return json.Unmarshal(text, v.Addr().Interface())
}

func decodeList(text []byte, v reflect.Value) error {
	var list []json.RawMessage
	if text[0] == '{' && v.Type().Elem().Kind() == reflect.Float64 {
		m, err := decodeMatrix(text)
		if err != nil {
			return err
		}
		if m.Rows != 1 {
			return fmt.Errorf("%d rows where a vector is needed", m.Rows)
		}
		list = m.Data
	} else if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	if len(list) != v.Len() {
		return fmt.Errorf("%d entries, want %d", len(list), v.Len())
	}
	for i, text := range list {
		if err := decode(text, v.Index(i)); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// matrix is the saved form of a matrix. It contains all elements, row by row.
type matrix struct {
	Rows int               `json:"rows"`
	Cols int               `json:"cols"`
	Data []json.RawMessage `json:"data"`
}

func decodeMatrix(text []byte) (matrix, error) {
	var m matrix
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, err
	}
	if m.Rows <= 0 || m.Cols <= 0 || len(m.Data)/m.Rows != m.Cols || len(m.Data)%m.Rows != 0 {
		return m, fmt.Errorf("the matrix is declared as %d×%d and has %d numbers: want at least one row and one column, and rows × columns numbers", m.Rows, m.Cols, len(m.Data))
	}
	return m, nil
}

// setMatrix sets v to a new matrix with the elements of m. The new matrix is a *mat.Dense, or a
// *mat.SymDense with the upper triangle of m.
func setMatrix(v reflect.Value, m matrix) error {
	data := make([]float64, len(m.Data))
	for i, text := range m.Data {
		var err error
		if data[i], err = parse(text); err != nil {
			return err
		}
	}
	if v.Type() == denseType {
		v.Set(reflect.ValueOf(mat.NewDense(m.Rows, m.Cols, data)))
		return nil
	}
	if m.Rows != m.Cols {
		return fmt.Errorf("a %d×%d matrix where a symmetric matrix is needed", m.Rows, m.Cols)
	}
	s := mat.NewSymDense(m.Rows, nil)
	for i := range m.Rows {
		for j := i; j < m.Cols; j++ {
			s.SetSym(i, j, data[i*m.Cols+j])
		}
	}
	v.Set(reflect.ValueOf(s))
	return nil
}

func number(f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`)
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`)
	case math.IsNaN(f):
		return []byte(`"NaN"`)
	case f == 0 && math.Signbit(f):
		return []byte("-0")
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}

func parse(text []byte) (float64, error) {
	switch string(text) {
	case `"Infinity"`:
		return math.Inf(1), nil
	case `"-Infinity"`:
		return math.Inf(-1), nil
	case `"NaN"`:
		return math.NaN(), nil
	case "null":
		return 0, errors.New("null where a number is needed")
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%.40s is not a number", text)
	}
	return f, nil
}

// snake converts a field name to snake case: LogLikelihood becomes log_likelihood, MCError becomes
// mc_error, and W0 becomes w0.
func snake(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		lowerBefore := i > 0 && !unicode.IsUpper(letters[i-1])
		lowerAfter := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if unicode.IsUpper(r) && (lowerBefore || lowerAfter) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
