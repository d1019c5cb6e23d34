package block_test

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// countedStream returns a stream of n rows: row i is (i, −i) and has the target i. It also returns
// a counter of the passes that have begun.
func countedStream(t *testing.T, n int) (s *block.Stream, passes *int) {
	t.Helper()
	passes = new(int)
	s = &block.Stream{Each: func(yield func(x []float64, t float64) bool) error {
		*passes++
		x := make([]float64, 2)
		for i := range n {
			x[0], x[1] = float64(i), float64(-i)
			if !yield(x, float64(i)) {
				break
			}
		}
		return nil
	}}
	if err := s.Count(); err != nil || s.N != n || s.D != 2 {
		t.Fatalf("Count finds %d rows and %d columns, with the error %v; want %d rows, 2 columns and no error", s.N, s.D, err, n)
	}
	*passes = 0
	return s.Reader(), passes
}

// waitForGoroutines waits until the number of goroutines is at most the given number. The wait is
// necessary because a goroutine that is about to end is still counted for a short time.
func waitForGoroutines(t *testing.T, before int) {
	t.Helper()
	for until := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d goroutines are running, want at most %d", runtime.NumGoroutine(), before)
		}
	}
}

// TestStreamWindows checks that a source can read any consecutive rows. Reading forwards takes one
// pass. Every step back to a row that is no longer in memory takes one more pass.
func TestStreamWindows(t *testing.T) {
	s, passes := countedStream(t, 10_000)
	src := s.Source()
	checkRange := func(lo, hi, wantPasses int) {
		t.Helper()
		rows, stride := src.Rows(lo, hi, nil)
		labels := src.Labels(nil, lo, hi)
		for i := lo; i < hi; i++ {
			if rows[(i-lo)*stride] != float64(i) || rows[(i-lo)*stride+1] != float64(-i) || labels[i-lo] != i {
				t.Fatalf("row i = %d in the result of Rows(%d, %d) is %v with label %d, want (i, −i) with label i",
					i, lo, hi, rows[(i-lo)*stride:][:2], labels[i-lo])
			}
		}
		if *passes != wantPasses {
			t.Errorf("after Rows(%d, %d) the stream has begun %d passes, want %d", lo, hi, *passes, wantPasses)
		}
	}
	checkRange(0, 1, 1)
	checkRange(1, 600, 1)
	checkRange(10, 20, 1) // the rows of this window are still in memory
	checkRange(600, 5000, 1)
	checkRange(9000, 9001, 1) // a pass may skip rows, here 5000 to 8999
	checkRange(9990, 10_000, 1)
	checkRange(9995, 9996, 1)
	checkRange(0, 10_000, 2)
	checkRange(0, 10_000, 2)
	checkRange(5000, 5001, 2)
	s, passes = countedStream(t, 700)
	src = s.Source()
	for i, v := range src.EachTarget(nil) {
		if v != float64(i) {
			t.Fatalf("target %d is %v, want the number of the row", i, v)
		}
	}
	if got := src.Targets([]float64{7, 8, 9}, 1, 3); got[0] != 8 || *passes != 1 {
		t.Errorf("Targets(t, 1, 3) for t = [7 8 9] is %v after %d passes, want t[1:3] after one pass", got, *passes)
	}
}

// TestStreamEnd checks that End ends the pass. If a row in the middle of a pass cannot be read, End
// must return the error to the caller. A panic with another cause must reach the caller.
func TestStreamEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	walk := func(s *block.Stream, what any) (err error) {
		defer s.End(&err)
		s.Source().Rows(0, 1, nil)
		if what != nil {
			panic(what)
		}
		s.Source().Rows(0, s.N, nil)
		return nil
	}
	s, _ := countedStream(t, 5000)
	broken := errors.New("the line is dead")
	each := s.Each
	s.Each = func(yield func(x []float64, t float64) bool) error {
		i := 0
		return errors.Join(each(func(x []float64, t float64) bool { i++; return i < 3000 && yield(x, t) }), broken)
	}
	if err := walk(s, nil); !errors.Is(err, broken) || !strings.Contains(err.Error(), "pass 1") {
		t.Errorf("got the error %v, want the error of the broken stream, with the number of the pass", err)
	}
	s, _ = countedStream(t, 5000)
	func() {
		defer func() {
			if r := recover(); r != "another" {
				t.Errorf("got the panic value %v, want \"another\"", r)
			}
		}()
		t.Error(walk(s, "another"))
	}()
	waitForGoroutines(t, before)
}

// TestStreamReadsAhead checks that the reader reads further rows while earlier rows are processed.
// The reader must not be more than a few batches ahead.
func TestStreamReadsAhead(t *testing.T) {
	s, _ := countedStream(t, 100_000)
	var read atomic.Int64
	soon := make(chan struct{})
	each := s.Each
	s.Each = func(yield func(x []float64, t float64) bool) error {
		return each(func(x []float64, t float64) bool {
			if read.Add(1) == 1100 {
				close(soon)
			}
			return yield(x, t)
		})
	}
	var err error
	defer s.End(&err)
	src := s.Source()
	src.Rows(0, 10, nil)
	select {
	case <-soon:
	case <-time.After(time.Minute):
		t.Fatal("the reader waits while rows are processed, want it to read further rows")
	}
	for lo := 0; lo < 50_000; lo += 10 {
		src.Rows(lo, lo+10, nil)
		if n := read.Load(); n > int64(lo+10+6*1030) {
			t.Fatalf("the reader has read %d rows when %d are needed, want at most a few batches ahead", n, lo+10)
		}
	}
}

// TestStreamPanics checks that a panic or Goexit of the function that yields the rows reaches the
// goroutine that uses the rows. If the function only stops too early, End must return an error.
func TestStreamPanics(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, c := range map[string]struct {
		end     func()
		want    any
		returns bool
	}{
		"panics": {func() { panic("no more") }, "no more", false},
		"exits":  {runtime.Goexit, nil, false},
		"breaks": {func() {}, nil, true},
	} {
		s, _ := countedStream(t, 5000)
		each := s.Each
		s.Each = func(yield func(x []float64, t float64) bool) error {
			return each(func(x []float64, t float64) bool {
				if t == 3000 {
					c.end()
					return false
				}
				return yield(x, t)
			})
		}
		var got any
		var err error
		returned := false
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { got = recover() }()
			func() {
				defer s.End(&err)
				s.Source().Rows(0, 5000, nil)
			}()
			returned = true
		}()
		<-done
		if got != c.want || returned != c.returns || returned != (err != nil) {
			t.Errorf("%s: got the panic %v, want %v; the pass returned normally: %v, want %v; got the error %v, want an error only after a normal return",
				name, got, c.want, returned, c.returns, err)
		}
	}
	waitForGoroutines(t, before)
}
