package block

import (
	"fmt"
	"runtime"
)

// batch are rows that follow each other, with their targets.
type batch struct{ x, t []float64 }

// reader is a pass over the rows of a Stream on a goroutine of its own, which is a few
// batches ahead of the walk that takes them.
type reader struct {
	full, free chan batch
	quit       chan struct{}
	ended      chan struct{} // closed where the goroutine has ended
	err        error         // why it did: these and below are set before
	panicked   any
	exited     bool // neither returned nor panicked
}

// batchNumbers are about as many as a batch has, of not too few and not too many rows:
// to wake a goroutine takes as long as some hundred rows.
const batchNumbers = 1 << 15

// readAhead is how many batches there are beside the one that the walk has.
const readAhead = 3

// begin starts a pass. Its batches hold some multiple of run rows, so that runs of so
// many are in one.
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

// next returns the next batch, or none at the end of the pass, or why it failed. A panic
// of the function that yields the rows goes on here.
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
	case b := <-r.full: // sent before the end
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

// again gives the memory of a batch back.
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

// rows sends batches of so many rows to r. The first row that does not fit what Count
// found is an error, and so is that of Each.
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
			failed = fmt.Errorf("there are more rows than the %d of the first time: every pass must yield the same rows", s.N)
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
		return fmt.Errorf("there are %d rows, but the first time there were %d: every pass must yield the same rows", at, s.N)
	case print != s.print:
		return fmt.Errorf("they are %d again, but not the same rows in the same order: every pass must yield the same rows (a random generator must begin every pass with the same seed)", s.N)
	}
	return nil
}
