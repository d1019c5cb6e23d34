package remote

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"
)

// maxKeptBytes is a limit, in bytes, for the total size of the replies that a connection keeps.
const maxKeptBytes = Limit / 4

// ErrLong means that the connection did not keep all calls, because the total length of their
// replies was too large. Again and RecordedCalls return this error.
var ErrLong = errors.New("the replies are too long to be kept and compared")

// A storedCall contains a call that this end sent to the other end, and the reply. The call is in the
// encoded form in which it was sent.
type storedCall struct {
	function uint64
	t        reflect.Type
	call     []byte // the number of the function, followed by the arguments
	kind     byte
	reply    []byte
}

func (c *Conn) keep(q storedCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.options.Keep {
		return
	}
	if c.storedBytes += len(q.reply); c.storedBytes <= maxKeptBytes {
		c.stored = append(c.stored, q)
	}
}

// These constants determine how many calls Again makes. Again first repeats every kept call once.
// It then makes moreAgain additional calls. If the total is still below leastAgain, it makes more
// calls until the total is leastAgain. After the time moreTime it makes no additional calls.
const (
	leastAgain = 16
	moreAgain  = 8
	moreTime   = time.Second
)

// Again repeats the calls that c kept. It makes them on `fresh`, a connection to another process of
// the same program. It makes every call once, in a random order, and then repeats some calls
// several times. It returns the number of the first function whose reply differs, or −1 if no reply
// differs. A call of a returned function counts as a part of the call that returned it. Numbers that
// differ by at most the tolerance (see replyTolerance) count as equal, because the last digits may
// depend on the order of a map or of goroutines. Two panics count as equal even if their texts
// differ, unless only one of them has Todo, or only one has Exit (see Panic). If Again returns an
// error, it is ErrLong, the reason why the connection `fresh` ended, or an error about a call or
// reply that cannot be decoded.
func (c *Conn) Again(fresh *Conn, r *rand.Rand) (function int, err error) {
	c.mu.Lock()
	calls, local, kept := c.stored, slices.Clone(c.local), c.storedBytes
	c.mu.Unlock()
	if kept > maxKeptBytes {
		return -1, ErrLong
	}
	fresh.mu.Lock()
	fresh.local = local // the stored calls refer by number to functions at this end, so `fresh` needs these functions
	fresh.mu.Unlock()

	// Some of the called functions are results of earlier calls. Repeat a call of such a function
	// directly after the call that returned it.
	made := map[uint64]origin{}
	below := make([][]int, len(calls))
	var top []int
	for i, q := range calls {
		if from, ok := made[q.function]; ok {
			below[from.call] = append(below[from.call], i)
		} else {
			top = append(top, i)
		}
		_, functions, err := fresh.decodeReply(q, q.kind, q.reply)
		if err != nil {
			return -1, err
		}
		for k, f := range functions {
			made[f] = origin{i, k}
		}
	}
	var repeat func(i int, function uint64) (same bool, err error)
	repeat = func(i int, function uint64) (bool, error) {
		q := calls[i]
		_, n := binary.Uvarint(q.call)
		w := &writer{}
		w.uint(function)
		m, err := fresh.sendCall(append(w.b, q.call[n:]...))
		if err != nil {
			return false, err
		}
		before, _, err := fresh.decodeReply(q, q.kind, q.reply)
		if err != nil {
			return false, err
		}
		now, functions, err := fresh.decodeReply(q, m.kind, m.body.b)
		if err != nil {
			return false, err
		}
		if q.kind != m.kind || len(before) != len(now) {
			return false, nil
		}
		for k := range now {
			if !equalReplies(before[k], now[k]) {
				return false, nil
			}
		}
		for _, k := range below[i] {
			at := made[calls[k].function].index
			if at >= len(functions) {
				return false, nil
			}
			if same, err := repeat(k, functions[at]); !same || err != nil {
				return same, err
			}
		}
		return true, nil
	}
	begun := time.Now()
	r.Shuffle(len(top), func(i, k int) { top[i], top[k] = top[k], top[i] })
	for n := range max(leastAgain, len(top)+moreAgain) {
		if len(top) == 0 || n >= len(top) && time.Since(begun) > moreTime {
			break
		}
		i := top[n%len(top)]
		if n >= len(top) {
			i = top[r.IntN(len(top))]
		}
		if same, err := repeat(i, calls[i].function); !same || err != nil {
			return int(calls[i].function), err
		}
	}
	return -1, nil
}

// A RecordedCall is a kept call with its reply. The caller of RecordedCalls may change the values.
type RecordedCall struct {
	Function int
	Type     reflect.Type
	In, Out  []reflect.Value // arguments before the call, and results; Out is nil if the function panicked
}

// RecordedCalls returns the kept calls in the order in which their replies arrived. They include calls of
// functions that were results of other calls. RecordedCalls returns ErrLong if the connection did not keep
// all calls, and an error if a call or reply cannot be decoded.
func (c *Conn) RecordedCalls() ([]RecordedCall, error) {
	c.mu.Lock()
	calls, kept := c.stored, c.storedBytes
	c.mu.Unlock()
	if kept > maxKeptBytes {
		return nil, ErrLong
	}
	var list []RecordedCall
	for _, q := range calls {
		call := &reader{b: q.call, c: c}
		call.uint()
		recorded := RecordedCall{Function: int(q.function), Type: q.t}
		for i := range q.t.NumIn() {
			recorded.In = append(recorded.In, call.value(q.t.In(i)))
		}
		if q.kind == returnMessage {
			values, _, err := c.decodeReply(q, q.kind, q.reply)
			if err != nil {
				return nil, err
			}
			recorded.Out = values[:q.t.NumOut()]
		}
		if call.err != nil {
			return nil, call.err
		}
		list = append(list, recorded)
	}
	return list, nil
}

// An origin describes how this end received a function as the result of a call. It contains the
// index of this call, and the index of the function in the list of functions that the reply
// contains.
type origin struct{ call, index int }

// decodeReply decodes a reply. The first values that it returns are the results of the call or, if
// the called function panicked, the flags Todo and Exit of the Panic. The next values are the
// arguments as they were after the call. If results are functions, decodeReply also returns their
// numbers.
func (c *Conn) decodeReply(q storedCall, kind byte, reply []byte) (values []reflect.Value, functions []uint64,
	err error) {
	call := &reader{b: q.call, c: c}
	call.uint()
	in := make([]reflect.Value, q.t.NumIn())
	for i := range in {
		in[i] = call.value(q.t.In(i))
	}
	r := &reader{b: reply, c: c}
	if kind == panicMessage {
		values = []reflect.Value{reflect.ValueOf(r.bool()), reflect.ValueOf(r.bool())}
		r.string()
		r.string()
	} else {
		for i := range q.t.NumOut() {
			v := r.readShared(q.t.Out(i), in)
			if !v.IsValid() {
				v = r.value(q.t.Out(i))
			}
			values = append(values, v)
		}
	}
	functions = r.functions
	c.readChanges(r, in)
	if err := cmp.Or(call.err, r.err); err != nil {
		return nil, nil, fmt.Errorf("the stored call or its reply is invalid: %w", err)
	}
	return append(values, in...), functions, nil
}

// replyTolerance is the largest difference at which a number in one value and the corresponding number
// in another value count as equal. It is relative to the largest absolute number in the two values, or
// to 1 if all numbers are smaller. Rounding errors are much smaller, even in a badly conditioned
// problem, and every check accepts larger differences.
const replyTolerance = 1e-6

// equalReplies reports whether two values in replies are equal except for rounding errors.
func equalReplies(a, b reflect.Value) bool {
	x, y := &flat{}, &flat{}
	x.value(a)
	y.value(b)
	if !bytes.Equal(x.form, y.form) || len(x.numbers) != len(y.numbers) {
		return false
	}
	scale := 1.0
	for i := range x.numbers {
		scale = max(scale, math.Abs(x.numbers[i]), math.Abs(y.numbers[i]))
	}
	for i := range x.numbers {
		if math.Abs(x.numbers[i]-y.numbers[i]) > replyTolerance*scale {
			return false
		}
	}
	return true
}

// The type `flat` contains a value in a form that can be compared: the finite numbers in a list, and
// everything else as a text.
type flat struct {
	form    []byte
	numbers []float64
}

func (f *flat) add(what ...any) { f.form = fmt.Append(f.form, what...) }

func (f *flat) number(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		f.add("|", x)
		return
	}
	f.numbers = append(f.numbers, x)
	f.add("|x")
}

func (f *flat) value(v reflect.Value) {
	switch t := v.Type(); {
	case t == denseType || t == symType:
		if v.IsNil() {
			f.add("|nil")
			return
		}
		m := v.Interface().(mat.Matrix)
		rows, cols := m.Dims()
		f.add("|", rows, "×", cols)
		for i := range rows {
			for j := range cols {
				f.number(m.At(i, j))
			}
		}
	case t.Implements(codedType):
		f.value(reflect.ValueOf(v.Interface().(Coded).Encode()))
	case t.Kind() == reflect.Float64:
		f.number(v.Float())
	case t.Kind() == reflect.Slice:
		f.add("|[", v.Len())
		for i := range v.Len() {
			f.value(v.Index(i))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f.value(v.Field(i))
		}
	case t.Kind() == reflect.Func:
		f.add("|", v.IsNil())
	default:
		f.add("|", v.Interface())
	}
}
