package remote

import (
	"errors"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// twoCopies returns connections to two copies of a program, which share no memory. Each call of the
// function f creates one copy and returns its functions.
func twoCopies(t *testing.T, o Options, f func() []any) (first, fresh *Conn) {
	t.Helper()
	open := func() *Conn {
		here, there := net.Pipe()
		New(there, Options{TODO: stub}, f()...)
		t.Cleanup(func() { here.Close(); there.Close() })
		return New(here, o)
	}
	return open(), open()
}

// TestAgain checks that Again detects a function whose results depend not only on its arguments,
// but for example also on the number of calls. A function whose results depend, except for rounding
// errors, only on its arguments must pass, even if it stores data between calls.
func TestAgain(t *testing.T) {
	number := func(f func() func(x float64) float64) func() []any {
		return func() []any { return []any{f()} }
	}
	call := func(c *Conn) {
		for i := range 3 {
			Of[func(float64) float64](c, 0)(float64(i))
		}
	}
	tests := []struct {
		name  string
		made  func() []any
		calls func(c *Conn)
		want  int
	}{
		{"square", number(func() func(float64) float64 { return func(x float64) float64 { return x * x } }), call, -1},
		{"counts its calls", number(func() func(float64) float64 {
			n := 0.0
			return func(float64) float64 { n++; return n }
		}), call, 0},
		{"changes after some calls", number(func() func(float64) float64 {
			n := 0
			return func(float64) float64 {
				if n++; n > 5 {
					return 0
				}
				return 1
			}
		}), call, 0},
		{"depends on the call before", number(func() func(float64) float64 {
			before := 0.0
			return func(x float64) float64 { defer func() { before = x }(); return before }
		}), call, 0},
		{"remembers what it has computed", number(func() func(float64) float64 {
			memory := map[float64]float64{}
			return func(x float64) float64 { memory[x] = x * x; return memory[x] }
		}), call, -1},
		{"rounds differently each time", number(func() func(float64) float64 {
			return func(x float64) float64 { return x + rand.Float64()*1e-12 }
		}), call, -1},
		{"the second function counts its calls", func() []any {
			n := 0
			return []any{func(x float64) float64 { return x }, func(x float64) float64 { n++; return float64(n % 3) }}
		}, func(c *Conn) { call(c); Of[func(float64) float64](c, 1)(2) }, 1},
		{"writes a different number into its argument each time", func() []any {
			n := 0
			return []any{func(v []float64) { n++; v[0] = float64(n) }}
		}, func(c *Conn) { Of[func([]float64)](c, 0)([]float64{0, 1}) }, 0},
		{"writes the same numbers into its argument each time", func() []any {
			return []any{func(m *mat.Dense) { m.Set(0, 0, 3) }}
		}, func(c *Conn) { Of[func(*mat.Dense)](c, 0)(mat.NewDense(1, 2, nil)) }, -1},
		{"panics from the second call on", func() []any {
			n := 0
			return []any{func() int {
				if n++; n > 1 {
					panic(n)
				}
				return 1
			}}
		}, func(c *Conn) { Of[func() int](c, 0)() }, 0},
		{"calls back", func() []any {
			return []any{func(f func(float64) float64, x float64) float64 { return f(f(x)) }}
		}, func(c *Conn) {
			Of[func(func(float64) float64, float64) float64](c, 0)(func(x float64) float64 { return 3 * x }, 2)
		}, -1},
		{"a returned function", func() []any {
			return []any{func(a float64) func(float64) float64 { return func(x float64) float64 { return a * x } }}
		}, func(c *Conn) {
			for a := range 3 {
				Of[func(float64) func(float64) float64](c, 0)(float64(a))(5)
			}
		}, -1},
		{"a returned function that counts its calls", func() []any {
			n := 0.0
			return []any{func(a float64) func(float64) float64 { return func(x float64) float64 { n++; return n } }}
		}, func(c *Conn) {
			for a := range 3 {
				Of[func(float64) func(float64) float64](c, 0)(float64(a))(5)
			}
		}, 0},
		{"no call was kept", number(func() func(float64) float64 { return func(x float64) float64 { return x } }),
			func(*Conn) {}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first, fresh := twoCopies(t, Options{Keep: true}, tt.made)
			tt.calls(first)
			if got, err := first.Again(fresh, rand.New(rand.NewPCG(1, 2))); got != tt.want || err != nil {
				t.Errorf("got the function %d and the error %v, want the function %d (−1: no function) and no error", got, err, tt.want)
			}
		})
	}
}

// TestAgainOrder checks that Again repeats every call, in a different order, and then makes further
// calls.
func TestAgainOrder(t *testing.T) {
	var orders [][]float64
	first, fresh := twoCopies(t, Options{Keep: true}, func() []any {
		orders = append(orders, nil)
		mine := len(orders) - 1
		return []any{func(x float64) { orders[mine] = append(orders[mine], x) }}
	})
	for i := range 12 {
		Of[func(float64)](first, 0)(float64(i))
	}
	if _, err := first.Again(fresh, rand.New(rand.NewPCG(1, 2))); err != nil {
		t.Fatal(err)
	}
	seen, moved := map[float64]bool{}, 0
	for i, x := range orders[1][:12] {
		seen[x] = true
		if x != orders[0][i] {
			moved++
		}
	}
	if len(seen) != 12 || moved < 6 || len(orders[1]) <= 12 {
		t.Errorf("the calls were made in the order %v and repeated in the order %v, want every call again in a different order, and then further calls", orders[0], orders[1])
	}
}

// TestCallEnds checks that the connection ends if a call never returns, even if the call uses no
// processor time. TestAgainEnds checks the same for a repeated call.
func TestCallEnds(t *testing.T) {
	sleeps := func() []any { return []any{func() { select {} }} }
	c, _ := twoCopies(t, Options{Call: 50 * time.Millisecond}, sleeps)
	defer func() {
		if p, ok := recover().(*Panic); !ok || !errors.Is(p, ErrTime) {
			t.Errorf("a call that never returns gives the panic %+v, want ErrTime", p)
		}
	}()
	Of[func()](c, 0)()
}

func TestAgainEnds(t *testing.T) {
	slow := false
	first, fresh := twoCopies(t, Options{Keep: true, Call: 50 * time.Millisecond}, func() []any {
		return []any{func() {
			if slow {
				select {}
			}
		}}
	})
	Of[func()](first, 0)()
	slow = true
	if _, err := first.Again(fresh, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, ErrTime) {
		t.Errorf("repeating a call that never returns gives the error %v, want ErrTime", err)
	}
}

// TestAgainLong checks that Again returns ErrLong if the replies exceed the size that a connection
// keeps.
func TestAgainLong(t *testing.T) {
	first, fresh := twoCopies(t, Options{Keep: true}, func() []any {
		return []any{func() *mat.Dense { // the result is a small part of a large matrix, but the whole matrix is sent
			return mat.NewDense(1000, 1000, nil).Slice(0, 1000, 0, 1).(*mat.Dense)
		}}
	})
	for range 3 {
		Of[func() *mat.Dense](first, 0)()
	}
	if _, err := first.Again(fresh, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, ErrLong) {
		t.Errorf("repeating calls with long replies gives the error %v, want ErrLong", err)
	}
}

// TestRecordedCalls checks that RecordedCalls returns the results of a call, and the arguments as they were before
// the call. For a call that panicked, RecordedCalls must not return results.
func TestRecordedCalls(t *testing.T) {
	c, _ := twoCopies(t, Options{Keep: true}, func() []any {
		return []any{func(v []float64, fail bool) float64 {
			if fail {
				panic("mine")
			}
			v[0]++
			return v[0]
		}}
	})
	f := Of[func([]float64, bool) float64](c, 0)
	f([]float64{3}, false)
	func() {
		defer func() { _ = recover() }()
		f([]float64{5}, true)
	}()
	calls, err := c.RecordedCalls()
	if err != nil || len(calls) != 2 || calls[1].Out != nil {
		t.Fatalf("got the calls %v (error %v), want two calls, the second without results", calls, err)
	}
	if in, out := calls[0].In[0].Interface().([]float64), calls[0].Out[0].Float(); in[0] != 3 || out != 4 {
		t.Errorf("got the arguments %v and the result %v, want [3] and 4", in, out)
	}
}
