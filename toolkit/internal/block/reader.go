package block

import (
	"fmt"
	"runtime"
)

// batch is a run of consecutive rows with their targets.
type batch struct{ x, t []float64 }

// reader is a pass over the rows of a Stream on a goroutine of its own, which stays a few batches
// ahead of the walk that reads them.
type reader struct {
	full, free chan batch
	quit       chan struct{}
	ended      chan struct{} // closed where the goroutine has ended
	err        error         // why it ended; this and the fields below are set before ended is closed
	panicked   any
	exited     bool // the goroutine neither returned nor panicked
}

// batchNumbers is about the number of numbers in a batch. Waking a goroutine takes as long as some
// hundred rows, so a batch must not be too small.
const batchNumbers = 1 << 15

// readAhead is the number of batches besides the batch of the walk.
const readAhead = 3

// begin starts a pass. Its batches hold a multiple of run rows, so that each run of that many rows
// is in one batch.
func (s *Stream) begin(run int) *reader {
	r := &reader{
		full: make(chan batch, readAhead), free: make(chan batch, readAhead),
		quit: make(chan struct{}), ended: make(chan struct{}), exited: true,
	}
	for range readAhead {
		r.free <- batch{}
	}
	rows := min(max(batchNumbers/s.D, streamRows), 4*streamRows)
	rows = (rows + run - 1) / run * run
	pass := s.pass
	go func() {
		defer func() {
			if r.exited {
				r.panicked = recover()
			}
			close(r.ended)
		}()
		r.err = s.rows(pass, rows, r)
		r.exited = false
	}()
	return r
}

// next returns the next batch, an empty one at the end of the pass, or the error of the pass. If
// the function that yields the rows panicked, next panics with the same value.
func (r *reader) next() (batch, error) {
	select {
	case b := <-r.full:
		return b, nil
	default:
	}
	select {
	case b := <-r.full:
		return b, nil
	case <-r.ended:
	}
	select {
	case b := <-r.full: // sent before the goroutine ended
		return b, nil
	default:
	}
	switch {
	case r.panicked != nil:
		panic(r.panicked)
	case r.exited:
		runtime.Goexit()
	}
	return batch{}, r.err
}

// again returns the memory of a batch to the reader.
func (r *reader) again(b batch) {
	select {
	case r.free <- b:
	default:
	}
}

// stop ends the pass and waits until the function that yields the rows has returned.
func (r *reader) stop() {
	close(r.quit)
	<-r.ended
}

// rows sends batches of the given number of rows to r. It returns the error of Each, or an error
// for the first row that differs from the rows that Count found.
func (s *Stream) rows(pass, most int, r *reader) error {
	var print uint64
	var failed error
	var b batch
	more, at := true, 0
	send := func() bool {
		if len(b.t) == 0 {
			return true
		}
		select {
		case r.full <- b:
			return true
		case <-r.quit:
			return false
		}
	}
	err := s.Each(func(x []float64, t float64) bool {
		if !more {
			return false
		}
		more = false
		if at == s.N {
			failed = fmt.Errorf("a pass has more rows than the %d of the first pass: every pass must yield the same rows", s.N)
			return false
		}
		if t, failed = s.take(at, x, t, &print); failed != nil {
			return false
		}
		if len(b.t) == 0 {
			select {
			case b = <-r.free:
			case <-r.quit:
				return false
			}
			if b.t == nil {
				b = batch{make([]float64, 0, min(most, s.N)*s.D), make([]float64, 0, min(most, s.N))}
			}
			b.x, b.t = b.x[:0], b.t[:0]
		}
		b.x, b.t = append(b.x, x...), append(b.t, t)
		at++
		if len(b.t) < most && at < s.N {
			more = true
			return true
		}
		more = send()
		b = batch{}
		if more && s.Progress != nil {
			s.Progress(pass, at, s.N)
		}
		return more
	})
	switch {
	case failed != nil:
		return failed
	case !more: // stopped
		return nil
	case err != nil:
		return err
	case at < s.N:
		return fmt.Errorf("there are %d rows in a pass, want %d as in the first pass: every pass must yield the same rows", at, s.N)
	case print != s.print:
		return fmt.Errorf("there are %d rows in a pass as before, but not the same rows in the same order: every pass must yield the same rows (a random generator must begin every pass with the same seed)", s.N)
	}
	return nil
}
