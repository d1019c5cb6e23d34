package remote

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// sendMessage sends a message, which consists of its length, kind, serial number and body.
func (c *Conn) sendMessage(kind byte, serial uint64, body []byte) error {
	if len(body) > Limit {
		return fmt.Errorf("a message of %d bytes: want at most %d", len(body), Limit)
	}
	head := make([]byte, 13, 13+len(body))
	binary.LittleEndian.PutUint32(head, uint32(len(body)))
	head[4] = kind
	binary.LittleEndian.PutUint64(head[5:], serial)
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.rw.Write(append(head, body...))
	return err
}

var errTooLong = errors.New("a message that is too long")

func receive(r io.Reader) (kind byte, serial uint64, body []byte, err error) {
	var head [13]byte
	if _, err = io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > Limit {
		return 0, 0, nil, fmt.Errorf("%w: %d bytes, want at most %d", errTooLong, n, Limit)
	}
	body = make([]byte, n)
	_, err = io.ReadFull(r, body)
	return head[4], binary.LittleEndian.Uint64(head[5:]), body, err
}

// A writer appends values to a message. If a value cannot be sent, the writer stores an error, and the
// message must not be sent.
type writer struct {
	b   []byte
	c   *Conn
	err error
}

func (w *writer) uint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) float(v float64) {
	w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(v))
}
func (w *writer) string(s string) { w.uint(uint64(len(s))); w.b = append(w.b, s...) }
func (w *writer) bool(v bool) {
	if v {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *writer) floats(v []float64) {
	w.uint(uint64(len(v)))
	for _, x := range v {
		w.float(x)
	}
}

var (
	denseType = reflect.TypeFor[*mat.Dense]()
	symType   = reflect.TypeFor[*mat.SymDense]()
	codedType = reflect.TypeFor[Coded]()
)

// Coded is an interface for types that the connection cannot send directly. Encode converts a value of
// such a type to a code, a value that the connection can send. The codes of a type must all have the
// same type. Decode converts a code back. The receiver of both methods may be a zero value.
type Coded interface {
	Encode() any                  // returns a value of a type that the connection can send
	Decode(code any) (any, error) // the argument `code` has the type that Encode returns
}

func (w *writer) value(v reflect.Value) {
	t := v.Type()
	switch {
	case t == denseType || t == symType:
		w.bool(!v.IsNil())
		if v.IsNil() {
			return
		}
		if t == denseType {
			m := v.Interface().(*mat.Dense).RawMatrix()
			w.dims(m.Rows, m.Cols, m.Stride)
			w.floats(m.Data)
		} else {
			m := v.Interface().(*mat.SymDense).RawSymmetric()
			w.dims(m.N, int(m.Uplo), m.Stride)
			w.floats(m.Data)
		}
	case t.Implements(codedType):
		w.value(reflect.ValueOf(v.Interface().(Coded).Encode()))
	case t.Kind() == reflect.Float64:
		w.float(v.Float())
	case t.Kind() == reflect.Int:
		w.b = binary.AppendVarint(w.b, v.Int())
	case t.Kind() == reflect.Bool:
		w.bool(v.Bool())
	case t.Kind() == reflect.String:
		w.string(v.String())
	case t.Kind() == reflect.Slice:
		w.bool(!v.IsNil())
		w.uint(uint64(v.Len()))
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			w.value(v.Field(i))
		}
	case t.Kind() == reflect.Func:
		w.uint(w.c.register(v))
	default:
		w.err = fmt.Errorf("a value of type %v cannot be sent", t)
	}
}

func (w *writer) dims(list ...int) {
	for _, n := range list {
		w.uint(uint64(n))
	}
}

// register stores f and returns 1 plus the number with which the other end calls f. For a nil
// function it returns 0.
func (c *Conn) register(f reflect.Value) uint64 {
	if f.IsNil() {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.local = append(c.local, f)
	return uint64(len(c.local))
}

// A reader decodes values from a message. After an error, it returns only zero values and keeps the
// error.
type reader struct {
	b         []byte
	c         *Conn
	err       error
	functions []uint64 // numbers of the functions in the message
	values    uint64   // total size of the decoded slices, which can be many times the length of the message
}

var errShort = errors.New("the message ends in the middle of a value or contains an invalid number")

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the number of the items that follow. It fails if the rest of the message is too short
// for these items. Each item has at least the given number of bytes.
func (r *reader) count(size int) int {
	n := r.uint()
	if n > uint64(len(r.b)/size) {
		r.fail(errShort)
		return 0
	}
	return int(n)
}

func (r *reader) float() float64 {
	if len(r.b) < 8 {
		r.fail(errShort)
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return v
}

func (r *reader) bool() bool {
	if len(r.b) == 0 {
		r.fail(errShort)
		return false
	}
	v := r.b[0] != 0
	r.b = r.b[1:]
	return v
}

func (r *reader) string() string {
	n := r.count(1)
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) floats() []float64 {
	v := make([]float64, r.count(8))
	for i := range v {
		v[i] = r.float()
	}
	return v
}

func (r *reader) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == denseType || t == symType:
		if !r.bool() {
			return v
		}
		rows, cols, stride := r.uint(), r.uint(), r.uint()
		data := r.floats()
		if m, err := matrix(t, rows, cols, stride, data); err != nil {
			r.fail(err)
		} else {
			v.Set(reflect.ValueOf(m))
		}
	case t.Implements(codedType):
		zero := v.Interface().(Coded)
		code := r.value(reflect.TypeOf(zero.Encode()))
		if r.err != nil {
			return v
		}
		if made, err := zero.Decode(code.Interface()); err != nil {
			r.fail(err)
		} else {
			v.Set(reflect.ValueOf(made))
		}
	case t.Kind() == reflect.Float64:
		v.SetFloat(r.float())
	case t.Kind() == reflect.Int:
		n, size := binary.Varint(r.b)
		if size <= 0 {
			r.fail(errShort)
			return v
		}
		r.b = r.b[size:]
		v.SetInt(n)
	case t.Kind() == reflect.Bool:
		v.SetBool(r.bool())
	case t.Kind() == reflect.String:
		v.SetString(r.string())
	case t.Kind() == reflect.Slice:
		there := r.bool()
		n := r.count(1)
		if r.values += uint64(n) * uint64(t.Elem().Size()); r.values > mostValues {
			r.fail(fmt.Errorf("values of %d bytes: want at most %d", r.values, mostValues))
		}
		if !there || r.err != nil {
			return v
		}
		v.Set(reflect.MakeSlice(t, n, n))
		for i := 0; i < n && r.err == nil; i++ {
			v.Index(i).Set(r.value(t.Elem()))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				r.fail(fmt.Errorf("%v has the field %s, which cannot be sent", t, t.Field(i).Name))
				return v
			}
			v.Field(i).Set(r.value(t.Field(i).Type))
		}
	case t.Kind() == reflect.Func:
		if n := r.uint(); n > 0 {
			r.functions = append(r.functions, n-1)
			v.Set(r.c.Function(int(n-1), t))
		}
	default:
		r.fail(fmt.Errorf("a value of type %v cannot be sent", t))
	}
	return v
}

// matrix returns a matrix of type t with the given dimensions, stride and data. For a symmetric
// matrix, it ignores cols. If the data are too short, or if the dimensions do not fit the stride, it
// returns an error.
func matrix(t reflect.Type, rows, cols, stride uint64, data []float64) (any, error) {
	n := uint64(len(data))
	if t == symType {
		cols = rows
	}
	if rows > 0 && (rows > n || cols == 0 || cols > stride || stride > Limit || (rows-1)*stride+cols > n) {
		return nil, fmt.Errorf("invalid matrix: %d×%d with stride %d in %d numbers", rows, cols, stride, n)
	}
	if t == denseType {
		m := new(mat.Dense)
		if rows > 0 {
			m.SetRawMatrix(blas64.General{Rows: int(rows), Cols: int(cols), Stride: int(stride), Data: data})
		}
		return m, nil
	}
	m := new(mat.SymDense)
	if rows > 0 {
		m = mat.NewSymDense(int(rows), nil)
		s := m.RawSymmetric()
		s.Stride, s.Data = int(stride), data
		m.SetRawSymmetric(s)
	}
	return m, nil
}
