package remote

import (
	"errors"
	"io"
	"math"
	"net"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

var stub = any("the stub")

// overConnection returns a function that calls f through a connection.
func overConnection[F any](t *testing.T, f F) F {
	t.Helper()
	here, there := net.Pipe()
	New(there, Options{TODO: stub}, f)
	c := New(here, Options{})
	t.Cleanup(func() { here.Close(); there.Close() })
	return Of[F](c, 0)
}

type pair struct {
	A, B float64
	Name string
}

func TestValues(t *testing.T) {
	echo := overConnection(t,
		func(x float64, n int, ok bool, s string, v []float64, k []int, deep [][]float64, p pair, m *mat.Dense, y *mat.SymDense, list []*mat.Dense) (float64, int, bool, string, []float64, []int, [][]float64, pair, *mat.Dense, *mat.SymDense, []*mat.Dense) {
			return x + 1, -n, !ok, s + "·", append([]float64{1}, v...), append([]int{}, k...), append([][]float64{nil},
				deep...), pair{p.B, p.A, p.Name}, mat.DenseCopyOf(m), y, append(list, nil)
		})
	frame := mat.NewDense(4, 5, nil)
	for i := range 20 {
		frame.Set(i/5, i%5, float64(i))
	}
	view := frame.Slice(1, 3, 1, 4).(*mat.Dense)
	sym := mat.NewSymDense(2, []float64{1, 2, 2, 3})
	x, n, ok, s, v, k, deep, p, m, y,
		list := echo(math.Inf(-1), 7, true, "λ", []float64{math.NaN(), 2}, []int{3}, [][]float64{{4}}, pair{1, 2, "ab"},
		view, sym, []*mat.Dense{view})
	if !math.IsInf(x, -1) || n != -7 || ok || s != "λ·" || len(v) != 3 || !math.IsNaN(v[1]) ||
		!slices.Equal(k, []int{3}) || deep[0] != nil || deep[1][0] != 4 || p != (pair{2, 1, "ab"}) ||
		!mat.Equal(m, view) || !mat.Equal(y, sym) || !mat.Equal(list[0], view) || list[1] != nil {
		t.Errorf("one of the received values differs from the value that the function returned: %v %v %v %q %v %v %v %v %v %v %v", x, n, ok, s, v, k, deep, p, m, y, list)
	}
}

// TestMemory checks that the caller sees the changes that the called function makes to its arguments
// and to results of earlier calls. A result that is part of an argument must share its memory.
func TestMemory(t *testing.T) {
	var kept []float64
	f := overConnection(t, func(v []float64, m *mat.Dense) ([]float64, []float64) {
		v[0] = 9
		m.Set(0, 0, 8)
		kept = append(kept[:0], v[1])
		return kept, v[1:]
	})
	frame := mat.NewDense(3, 3, nil)
	view := frame.Slice(1, 3, 1, 3).(*mat.Dense)
	v := []float64{1, 2, 3}
	first, tail := f(v, view)
	if v[0] != 9 || frame.At(1, 1) != 8 || frame.At(0, 0) != 0 || first[0] != 2 {
		t.Errorf("after the call the arguments are %v and %v, and the result is %v; want v[0] = 9, 8 only at (1,1) of the frame, and the result [2]", v, mat.Formatted(frame), first)
	}
	if tail[0] = 5; v[1] != 5 {
		t.Errorf("after a change of a result that is part of an argument, the argument is %v, want v[1] = 5", v)
	}
	if f([]float64{0, 7}, view); first[0] != 7 {
		t.Errorf("the second call changed the first result to [7], but the caller still sees %v", first)
	}
}

func TestFunctions(t *testing.T) {
	twice := overConnection(t, func(f func(float64) float64, x float64) func(float64) float64 {
		y := f(f(x))
		return func(z float64) float64 { return f(z) + y }
	})
	if g := twice(func(x float64) float64 { return 3 * x }, 2); g(1) != 21 {
		t.Errorf("g(1) is %g, want 21", g(1))
	}
	nothing := overConnection(t, func(f func()) bool { return f == nil })
	if !nothing(nil) {
		t.Error("a nil function arrives as a function that is not nil")
	}
}

func TestPanics(t *testing.T) {
	catch := func(f func()) (p *Panic) {
		defer func() { p, _ = recover().(*Panic) }()
		f()
		return nil
	}
	boom := func(cause func()) *Panic { return catch(func() { overConnection(t, cause)() }) }
	if p := boom(func() { panic("my own") }); p == nil || p.Text != "my own" || p.Todo || p.Exit {
		t.Errorf("got %#v, want the text \"my own\", and Todo and Exit false", p)
	}
	if p := boom(func() { panic(strings.Repeat("π", 1<<20)) }); p == nil || len(p.Text) > 2*maxText || !strings.Contains(p.Text, "2097152 bytes in all") || !utf8.ValidString(p.Text) {
		t.Errorf("got %.3000v, want a panic with a valid text that is shortened to about 2000 bytes and states its full length, 2097152 bytes", p)
	}
	if p := boom(func() { panic(stub) }); p == nil || !p.Todo {
		t.Errorf("got %#v, want Todo true, as for a stub", p)
	}
	if p := boom(runtime.Goexit); p == nil || !p.Exit {
		t.Errorf("got %#v, want Exit true, because the goroutine ended", p)
	}
	if p := boom(nil); p == nil || !strings.Contains(p.Text, "nil") {
		t.Errorf("got %+v, want a panic about a nil function", p)
	}
	// The argument is one of the caller's functions, and it panics. The panic must pass through both ends
	// of the connection.
	p := catch(func() { overConnection(t, func(f func()) { f() })(func() { panic("here") }) })
	if p == nil || p.Text != "here" {
		t.Errorf("got %+v, want a panic with the text \"here\"", p)
	}
	here, there := net.Pipe()
	c := New(here, Options{})
	there.Close()
	if p := catch(Of[func()](c, 0)); p == nil || p.Lost == nil || !errors.Is(p, p.Lost) {
		t.Errorf("got %+v, want a panic with the reason why the connection ended", p)
	}
	if p := catch(func() { overConnection(t, func(ch chan int) {})(nil) }); p == nil || p.Lost == nil {
		t.Errorf("sending a channel gives the panic %+v, want a panic whose field Lost contains the reason", p)
	}
}

// FuzzRead checks that no message causes a panic when a value is read from it, and that a decoded
// *mat.Dense has the last entry of each row.
func FuzzRead(f *testing.F) {
	c := &Conn{}
	types := []any{0., 0, false, "", []float64{}, [][]float64{}, []*mat.Dense{},
		mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}), mat.NewSymDense(2, []float64{1, 2, 2, 3}), pair{}}
	for i, v := range types {
		w := &writer{c: c}
		w.value(reflect.ValueOf(v))
		f.Add(byte(i), w.b)
	}
	f.Add(byte(7), []byte{1, 255, 255, 255, 255, 255, 255, 255, 255, 127, 1, 1, 0})
	f.Fuzz(func(t *testing.T, i byte, b []byte) {
		r := &reader{b: b, c: c}
		v := r.value(reflect.TypeOf(types[int(i)%len(types)]))
		if m, ok := v.Interface().(*mat.Dense); ok && r.err == nil && m != nil {
			rows, cols := m.Dims()
			for k := range rows {
				_ = m.At(k, cols-1)
			}
		}
	})
}

// TestHostile checks that invalid messages end the connection. They are a message that is too long,
// a reply to an unknown call, a call of an unknown function, and a call without its argument.
func TestHostile(t *testing.T) {
	for _, sent := range [][]byte{
		{255, 255, 255, 255, callMessage, 0, 0, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, returnMessage, 9, 0, 0, 0, 0, 0, 0, 0},
		{1, 0, 0, 0, callMessage, 1, 0, 0, 0, 0, 0, 0, 0, 7},
		{1, 0, 0, 0, callMessage, 1, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		here, there := net.Pipe()
		if err := there.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		// In practice, the function Why waits for the end of the sender's process, which may still
		// be running. In this test Why never returns, so the connection must end without the answer
		// of Why.
		c := New(here, Options{Why: func(error) error { select {} }}, func(v []float64) {})
		if _, err := there.Write(sent); err != nil {
			t.Fatal(err)
		}
		if _, err := there.Read(make([]byte, 1)); !errors.Is(err, io.EOF) || c.Lost() == nil {
			t.Errorf("after the message %v, got the error %v and the reason %v, want io.EOF and a reason", sent, err, c.Lost())
		}
	}
}

// TestMemoryIsBounded checks three limits: the total length of the other end's simultaneous calls,
// the number of these calls, and the size of the values that a short message can encode.
func TestMemoryIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name  string
		size  int // bytes in each call
		calls int // number of calls that do not exceed the limit
		want  string
	}{
		{"large calls", Limit / 4, 3, "bytes at a time"},
		{"many calls", 0, mostCalls, "4097 calls at a time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			here, there := net.Pipe()
			never := make(chan int)
			defer close(never)
			c := New(here, Options{}, func([]float64) { <-never })
			w := &writer{}
			w.uint(0)
			w.bool(true)
			w.floats(make([]float64, tt.size/8))
			from := New(there, Options{})
			for i := range tt.calls {
				if err := from.sendMessage(callMessage, uint64(i), w.b); err != nil || c.Lost() != nil {
					t.Fatalf("after %d calls, sending gives the error %v and Lost returns %v, want nil for both", i, err, c.Lost())
				}
			}
			_ = from.sendMessage(callMessage, 1<<40, w.b) // the connection may end before it has read the last byte
			<-c.Ended()
			if !strings.Contains(c.Lost().Error(), tt.want) {
				t.Errorf("the connection ended with the error %v, want an error that contains %q", c.Lost(), tt.want)
			}
		})
	}
	w := &writer{}
	w.bool(true)
	w.uint(mostValues/24 + 1)
	r := &reader{b: append(w.b, make([]byte, mostValues/24*2+2)...)} // the message contains nil slices, which take 2 bytes each
	if r.value(reflect.TypeFor[[][]float64]()); r.err == nil || !strings.Contains(r.err.Error(), "want at most") {
		t.Errorf("a message with %d slices gives the error %v, want an error about the limit", mostValues/24+1, r.err)
	}
}

// TestViews checks a matrix that is part of a larger matrix. The other end must receive it with the
// stride of the larger matrix and with the numbers between its rows.
func TestViews(t *testing.T) {
	type shape struct{ rows, cols, stride, length int }
	shapeOf := overConnection(t, func(m *mat.Dense) (rows, cols, stride, length int, between float64) {
		raw := m.RawMatrix()
		return raw.Rows, raw.Cols, raw.Stride, len(raw.Data), raw.Data[raw.Cols]
	})
	frame := mat.NewDense(4, 5, nil)
	frame.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, frame)
	view := frame.Slice(1, 3, 1, 4).(*mat.Dense)
	rows, cols, stride, length, between := shapeOf(view)
	if got, want := (shape{rows, cols, stride, length}), (shape{2, 3, 5, len(view.RawMatrix().Data)}); got != want || between != 14 {
		t.Errorf("the view arrives as %+v with %g between its rows, want %+v and 14", got, between, want)
	}
	upper := overConnection(t, func(s *mat.SymDense) (int, float64) { return s.RawSymmetric().Stride, s.At(1, 0) })
	sym := mat.NewSymDense(3, []float64{1, 2, 3, 2, 4, 5, 3, 5, 6}).SliceSym(0, 2).(*mat.SymDense)
	if stride, x := upper(sym); stride != 3 || x != 2 {
		t.Errorf("the symmetric view arrives with the stride %d and the entry %g, want 3 and 2", stride, x)
	}
}

// TestTooLong checks that a call panics with a reason in the field Lost if its result or its argument
// is too long for a message.
func TestTooLong(t *testing.T) {
	const numbers = Limit/8 + 1
	for name, call := range map[string]func(){
		"result":   func() { overConnection(t, func() []float64 { return make([]float64, numbers) })() },
		"argument": func() { overConnection(t, func([]float64) {})(make([]float64, numbers)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, ok := recover().(*Panic); !ok || p.Lost == nil {
					t.Errorf("a %s that is too long for a message gives the panic %+v, want a panic whose field Lost contains the reason", name, p)
				}
			}()
			call()
		})
	}
}
