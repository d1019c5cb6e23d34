// Package remote calls functions in another process as if they were local functions. A learner's
// answer and the program that judges it can therefore run in separate processes, which share no
// memory.
//
// Both ends of a connection know the types of the functions. The connection can transmit numbers,
// booleans, strings, slices and structs of these, matrices of gonum with their strides, and
// functions, in both directions. A function that is an argument or a result always runs on the end
// that has sent it. A called function may write into its arguments or into results of the last few
// calls. After the call, the caller sees these changes, as if the memory were shared, except changes
// within a struct. If the called function panics, the caller receives a *Panic.
package remote

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"
)

// ErrTime is the reason why a connection ended if a call exceeded its time limit.
var ErrTime = errors.New("the time limit passed")

// Limit is the maximum length of the body of a message in bytes. The other limits on memory are
// fractions or multiples of Limit.
const Limit = 64 << 20

// These constants limit how much memory the other end can make this end allocate.
const (
	mostCalled = Limit     // total length, in bytes, of simultaneous calls of the other end
	mostCalls  = 4096      // number of simultaneous calls of the other end
	mostValues = 2 * Limit // size, in bytes, of the values in one message
)

// A Conn is one end of a connection.
type Conn struct {
	rw      io.ReadWriter
	options Options

	writing     sync.Mutex
	mu          sync.Mutex // guards the fields below
	serial      uint64
	pending     map[uint64]chan message
	local       []reflect.Value // functions that the other end may call; the index is the function's number
	made        []callResults   // results that functions of this end have returned in the last few calls
	got         []callResults   // results that this end has received from its last few calls
	lost        error           // the reason why the connection ended
	ended       chan struct{}   // closed when the connection has ended
	stored      []storedCall    // calls that this end has made; recorded only if Options.Keep is true
	storedBytes int             // total length, in bytes, of the replies in `stored`
	calls       int             // number of running calls that the other end has made
	called      int             // total length, in bytes, of these running calls
}

// Options contains settings of one end of a connection.
type Options struct {
	TODO any               // the value with which a stub panics
	Why  func(error) error // if not nil, converts a read error into the reason why the connection ended
	Call time.Duration     // time limit of one call; after this time the connection ends with ErrTime; 0 for no limit
	Keep bool              // whether to keep calls and replies, for Again and RecordedCalls
}

// callResults contains the results of one call.
type callResults struct {
	serial  uint64
	results []reflect.Value
	texts   [][]byte // the results in the encoded form in which they were sent
}

// maxRemembered is the number of calls that one end of a connection remembers. The end checks the
// results of these latest calls for changes.
const maxRemembered = 4

// New returns a connection that reads from and writes to rw, and starts to run the calls from
// the other end. The other end calls the given functions by their indices.
func New(rw io.ReadWriter, o Options, functions ...any) *Conn {
	c := &Conn{rw: rw, options: o, pending: map[uint64]chan message{}, ended: make(chan struct{})}
	for _, f := range functions {
		c.local = append(c.local, reflect.ValueOf(f))
	}
	go c.readMessages()
	return c
}

// End ends the connection for the given reason. It does nothing if the connection has already
// ended.
func (c *Conn) End(why error) { c.endWith(why) }

// Ended returns a channel that is closed when the connection has ended.
func (c *Conn) Ended() <-chan struct{} { return c.ended }

// Lost returns the reason why the connection ended, or nil if it has not ended.
func (c *Conn) Lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Function returns a function of type t. The returned function calls the function with the given
// number on the other end.
func (c *Conn) Function(number int, t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value { return c.call(uint64(number), t, in) })
}

// Of returns a function, as Function does, but its type F is known at compile time.
func Of[F any](c *Conn, number int) F {
	return c.Function(number, reflect.TypeFor[F]()).Interface().(F)
}

// A Panic is the panic value of a call. The call panics if the function on the other end panicked or
// ended its goroutine, if the connection ended, or if an argument cannot be sent.
type Panic struct {
	Todo  bool   // whether the function is a stub and panicked with its TODO value
	Exit  bool   // whether the function ended its goroutine with runtime.Goexit, without a panic
	Text  string // text of the function's panic value
	Place string // place in the learner's code where the panic occurred; "" if it occurred elsewhere
	Lost  error  // the reason why the connection ended or the call could not be sent; otherwise nil
}

func (p *Panic) Error() string {
	if p.Lost != nil {
		return p.Lost.Error()
	}
	return p.Text
}

func (p *Panic) Unwrap() error { return p.Lost }

// maxText is the number of bytes that Short keeps of a long text. The remark that Short then adds has
// at most maxRemark bytes. Short does not cut texts of up to maxText + maxRemark bytes, because the
// result could be longer than the text.
const (
	maxText   = 2000
	maxRemark = 50
)

// Short cuts the text of a panic to about 2000 bytes, because the text can be as long as the memory
// allows.
func Short(text string) string {
	if len(text) <= maxText+maxRemark {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(strings.Clone(text[:maxText]), ""), len(text))
}

// These constants are the kinds of messages.
const (
	callMessage byte = iota
	returnMessage
	panicMessage
)

type message struct {
	kind   byte
	serial uint64
	body   *reader
}

// call calls a function at the other end and returns the results.
func (c *Conn) call(function uint64, t reflect.Type, in []reflect.Value) []reflect.Value {
	w := &writer{c: c}
	w.uint(function)
	for _, v := range in {
		w.value(v)
	}
	if w.err != nil {
		panic(&Panic{Lost: w.err})
	}
	m, lost := c.sendCall(w.b)
	if lost != nil {
		panic(&Panic{Lost: lost})
	}
	c.keep(storedCall{function, t, w.b, m.kind, m.body.b})
	r := m.body
	if m.kind == panicMessage {
		p := &Panic{Todo: r.bool(), Exit: r.bool(), Text: Short(r.string()), Place: Short(r.string())}
		c.readChanges(r, in)
		panic(p)
	}
	out := make([]reflect.Value, t.NumOut())
	for i := range out {
		if out[i] = r.readShared(t.Out(i), in); !out[i].IsValid() {
			out[i] = r.value(t.Out(i))
		}
	}
	c.readChanges(r, in)
	c.moved(r)
	if r.err != nil {
		c.endWith(fmt.Errorf("the reply is invalid: %w", r.err))
		panic(&Panic{Lost: c.Lost()})
	}
	c.mu.Lock()
	c.got = last(append(c.got, callResults{serial: m.serial, results: out}))
	c.mu.Unlock()
	return out
}

// sendCall sends a call and waits for the reply.
func (c *Conn) sendCall(call []byte) (message, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.serial++
	serial := c.serial
	lost := c.lost
	if lost == nil {
		c.pending[serial] = answer
	}
	c.mu.Unlock()
	if lost == nil && c.options.Call > 0 {
		timer := time.AfterFunc(c.options.Call, func() { c.endWith(ErrTime) })
		defer timer.Stop()
	}
	if lost == nil {
		lost = c.sendMessage(callMessage, serial, call)
	}
	if lost != nil {
		c.mu.Lock()
		delete(c.pending, serial)
		c.mu.Unlock()
		if said := c.Lost(); said != nil { // the reason why the connection ended explains more than the write error
			lost = said
		}
		return message{}, lost
	}
	m, ok := <-answer
	if !ok {
		return message{}, c.Lost()
	}
	return m, nil
}

// admitCall adds a call of `size` bytes to the counts of the running calls. It returns an error if
// a limit is exceeded. It does not wait for running calls to end, because they may need messages
// that arrive later.
func (c *Conn) admitCall(size int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls++; c.calls > mostCalls {
		return fmt.Errorf("%d calls at a time: want at most %d", c.calls, mostCalls)
	}
	if c.called += size; c.called > mostCalled {
		return fmt.Errorf("calls of %d bytes at a time: want at most %d", c.called, mostCalled)
	}
	return nil
}

// serveCall runs a function that the other end calls, and sends the reply.
func (c *Conn) serveCall(m message) {
	size := len(m.body.b)
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls--
		c.called -= size
	}()
	number := m.body.uint()
	c.mu.Lock()
	var f reflect.Value
	if number < uint64(len(c.local)) {
		f = c.local[number]
	}
	c.mu.Unlock()
	if !f.IsValid() || f.Kind() != reflect.Func {
		c.endWith(fmt.Errorf("the other end calls function %d, which does not exist", number))
		return
	}
	in := make([]reflect.Value, f.Type().NumIn())
	before := make([][]byte, len(in))
	for i := range in {
		from := m.body.b
		in[i] = m.body.value(f.Type().In(i))
		if m.body.err != nil {
			c.endWith(fmt.Errorf("argument %d: %w", i, m.body.err))
			return
		}
		before[i] = from[:len(from)-len(m.body.b)]
	}
	out, failed := c.runFunction(f, in)
	w := &writer{c: c}
	kind := returnMessage
	var texts [][]byte
	if failed != nil {
		kind = panicMessage
		w.bool(failed.Todo)
		w.bool(failed.Exit)
		w.string(failed.Text)
		w.string(failed.Place)
	} else {
		for _, v := range out {
			if w.writeShared(v, in) {
				texts = append(texts, nil)
				continue
			}
			at := len(w.b)
			w.value(v)
			texts = append(texts, append([]byte(nil), w.b[at:]...))
		}
	}
	w.writeChanges(in, before)
	if failed == nil {
		c.mu.Lock()
		w.writeMoved(c.made)
		c.made = last(append(c.made, callResults{m.serial, out, texts}))
		c.mu.Unlock()
	}
	err := w.err
	if err == nil {
		err = c.sendMessage(kind, m.serial, w.b)
	}
	if err != nil {
		c.endWith(err)
	}
}

// runFunction calls f in a new goroutine, which f may end, and recovers a panic of f. It reads the
// place of the panic from the stack of that goroutine.
func (c *Conn) runFunction(f reflect.Value, in []reflect.Value) (out []reflect.Value, failed *Panic) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			if returned {
				return
			}
			cause := recover()
			if p, ok := cause.(*Panic); ok { // from a callback
				failed = p
				return
			}
			place, _ := Place(2)
			failed = &Panic{Todo: cause != nil && cause == c.options.TODO, Exit: cause == nil,
				Text: Short(fmt.Sprint(cause)), Place: place}
		}()
		out = f.Call(in)
		returned = true
	}()
	<-done
	return out, failed
}

// readMessages handles messages until the connection ends.
func (c *Conn) readMessages() {
	for {
		kind, serial, body, err := receive(c.rw)
		if err != nil {
			// Do not call the function Why after a message that is too long: Why may wait until the
			// sender of the message has ended, and the sender may still be running.
			if c.options.Why != nil && !errors.Is(err, errTooLong) {
				err = c.options.Why(err)
			}
			c.endWith(err)
			return
		}
		m := message{kind, serial, &reader{b: body, c: c}}
		if kind == callMessage {
			if err := c.admitCall(len(body)); err != nil {
				c.endWith(err)
				return
			}
			go c.serveCall(m)
			continue
		}
		c.mu.Lock()
		answer := c.pending[serial]
		delete(c.pending, serial)
		c.mu.Unlock()
		if answer == nil {
			c.endWith(errors.New("reply to an unknown call"))
			return
		}
		answer <- m
	}
}

// endWith ends the connection. The argument err is the reason, which every caller that waits for a
// reply receives.
func (c *Conn) endWith(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost != nil {
		return
	}
	c.lost = err
	close(c.ended)
	for _, answer := range c.pending {
		close(answer)
	}
	clear(c.pending)
	if closer, ok := c.rw.(io.Closer); ok {
		_ = closer.Close() // nothing follows
	}
}

func last(list []callResults) []callResults {
	if len(list) > maxRemembered {
		list = list[1:]
	}
	return list
}
