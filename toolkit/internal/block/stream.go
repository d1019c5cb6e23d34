package block

import (
	"fmt"
	"math"
	"runtime"
)

// Each calls yield for each row x of a data set and the target t of the row, in order, until yield
// returns false. Each may reuse the slice x for the next row. One call of Each is one pass, and all
// passes must yield the same rows.
type Each func(yield func(x []float64, t float64) bool) error

// Stream is a data set that keeps only a few rows in memory at a time. Count makes the first pass
// over the rows. Stream compares every later pass that reads all rows with the first pass and fails
// if the rows differ.
type Stream struct {
	Each Each
	N, D int
	// Target converts the target of a row to the number that the fit needs. This number is a class
	// label or a number in [0,1]. Target returns an error for an invalid target. If Target is nil,
	// the targets are not converted.
	Target func(t float64) (float64, error)
	// PerClass is the number of rows of each class, if the targets are labels.
	PerClass []float64
	// Progress, if not nil, receives the number of the pass, the number of rows read so far, and
	// the number of all rows. The goroutine that reads the rows calls Progress at intervals of 256 to
	// about 1000 rows. Pass 0 is the pass that Count makes. During pass 0 the number of all rows is not
	// known yet, so Progress receives 0 instead.
	Progress func(pass, row, rows int)

	print  uint64 // fingerprint of all rows, which depends on their order
	pass   int
	ahead  *reader // reader of the current pass
	lo, hi int     // the rows lo … hi−1 are in memory
	batch          // inputs and targets of the rows in memory
	labels []int
}

// failure is the value of a panic. Functions that pass over the rows of a Stream return no error,
// so they panic with a failure if the rows cannot be read.
type failure struct{ err error }

// streamRows is the smallest number of rows in a batch; only the last batch of a pass may be
// smaller. Count calls Progress after every streamRows rows.
const streamRows = 256

// Count makes the first pass over the rows and finds the number of rows N and of columns D. It
// rejects a data set without rows or columns, rows of different lengths, inputs that are not
// finite, and targets that Target rejects.
func (s *Stream) Count() error {
	s.N, s.D, s.print = 0, 0, 0
	var bad error
	err := s.Each(func(x []float64, t float64) bool {
		if bad != nil { // true if Each wrongly calls yield again after yield has returned false
			return false
		}
		if s.N == 0 {
			s.D = len(x)
		}
		if _, bad = s.checkRow(s.N, x, t, &s.print); bad != nil {
			return false
		}
		s.N++
		if s.Progress != nil && s.N%streamRows == 0 {
			s.Progress(0, s.N, 0)
		}
		return true
	})
	switch {
	case bad != nil:
		return bad
	case err != nil:
		return err
	case s.N == 0:
		return fmt.Errorf("there are no rows: want at least one")
	case s.D == 0:
		return fmt.Errorf("row 0 has no columns: a row needs at least one number")
	}
	return nil
}

// checkRow checks row i and updates the fingerprint. It converts the target of the row with the
// function Target and returns the result.
func (s *Stream) checkRow(i int, x []float64, t float64, print *uint64) (float64, error) {
	if len(x) != s.D {
		return 0, fmt.Errorf("row %d (counting from 0) has %d columns, but row 0 has %d: want the same number in all rows", i,
			len(x), s.D)
	}
	var finite bool
	if *print, finite = fingerprint(*print, x, t); !finite {
		for j, v := range x {
			if v-v != 0 { // the difference is 0 except for NaN and ±Inf
				return 0, fmt.Errorf("row %d, column %d (counting from 0) is %v: leave the row out or fill in a finite number",
					i, j, v)
			}
		}
	}
	if s.Target == nil {
		return t, nil
	}
	u, err := s.Target(t)
	if err != nil {
		return 0, fmt.Errorf("row %d (counting from 0): %w", i, err)
	}
	return u, nil
}

// fingerprint returns the fingerprint of all rows up to (x, t), where h is the fingerprint of the
// rows before. It also reports whether all numbers of x are finite. Different rows, or the same
// rows in a different order, almost always have different fingerprints.
func fingerprint(h uint64, x []float64, t float64) (next uint64, finite bool) {
	sum, factor, most := math.Float64bits(t), uint64(3), uint64(0)
	for _, v := range x {
		b := math.Float64bits(v)
		sum += b * factor
		factor += 2
		most = max(most, b<<1) // without the sign
	}
	return (h ^ sum) * 0x9E3779B97F4A7C15, most < 0x7ff<<53
}

// Reader returns a second stream of the same rows, with its own position. The second stream does not
// convert the targets.
func (s *Stream) Reader() *Stream {
	return &Stream{Each: s.Each, N: s.N, D: s.D, Progress: s.Progress, print: s.print}
}

// Source returns a Source of the rows. A pass over this Source reads the rows in order.
func (s *Stream) Source() *Source { return &Source{n: s.N, d: s.D, stream: s} }

// End ends the current pass. If the pass panicked because the rows could not be read, End converts
// the panic to an error. Every function that passes over the rows must defer End.
func (s *Stream) End(err *error) {
	s.stop()
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// stop ends the current pass.
func (s *Stream) stop() {
	if s.ahead != nil {
		s.ahead.stop()
		s.ahead = nil
	}
}

// read reads rows from the stream until the rows lo … hi−1 are in memory.
func (s *Stream) read(lo, hi int) {
	if lo < s.lo || s.ahead == nil {
		s.stop()
		s.pass++
		s.lo, s.hi, s.batch = 0, 0, batch{}
		s.ahead = s.begin(hi - lo)
	}
	for s.hi < hi {
		b, err := s.ahead.next()
		if err != nil {
			panic(failure{fmt.Errorf("pass %d over the rows: %w", s.pass, err)})
		}
		kept := min(s.hi, lo) - s.lo // number of rows before row lo that are still in memory; they are dropped now
		s.lo += kept
		s.hi += len(b.t)
		if kept == len(s.t) {
			s.batch, b = b, s.batch
		} else {
			s.x = append(s.x[:copy(s.x, s.x[kept*s.D:])], b.x...)
			s.t = append(s.t[:copy(s.t, s.t[kept:])], b.t...)
		}
		s.ahead.recycle(b)
		if s.hi == s.N { // After the last row, next returns an error if the rows differ from the rows of the first pass.
			if _, err := s.ahead.next(); err != nil {
				panic(failure{fmt.Errorf("pass %d over the rows: %w", s.pass, err)})
			}
		}
	}
}

// window returns the inputs and targets of the rows lo … hi−1. The slices are valid only until the
// next call.
func (s *Stream) window(lo, hi int) (x, t []float64) {
	s.read(lo, hi)
	return s.x[(lo-s.lo)*s.D:], s.t[lo-s.lo : hi-s.lo]
}

// batch is a run of consecutive rows with their targets.
type batch struct{ x, t []float64 }

// reader makes one pass over the rows of a Stream. It reads the rows on a separate goroutine, which
// is a few batches ahead of the goroutine that uses the rows.
type reader struct {
	full, free chan batch
	quit       chan struct{}
	ended      chan struct{} // closed when the goroutine has ended
	err        error         // error of the pass; err, panicked and exited do not change after ended is closed
	panicked   any
	exited     bool // whether a panic or runtime.Goexit ended the goroutine before sendRows returned
}

// batchNumbers is the approximate count of numbers in a batch, unless the batch would then have
// fewer than streamRows or more than 4·streamRows rows. Waking a goroutine takes as long as reading
// a few hundred rows, so a batch must not be too small.
const batchNumbers = 1 << 15

// readAhead is the number of batches that a reader reads before they are needed.
const readAhead = 3

// begin starts a pass. The argument `run` is the number of consecutive rows that the caller uses at
// a time. The number of rows in a batch is a multiple of `run`, so that no run is divided between
// two batches.
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
		r.err = s.sendRows(pass, rows, r)
		r.exited = false
	}()
	return r
}

// next returns the next batch, an empty batch at the end of the pass, or the error of the pass. If
// the function that yields the rows panicked, next panics with the same value. If that function
// called runtime.Goexit, next calls runtime.Goexit too.
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
	case b := <-r.full: // the goroutine sent this batch before it ended
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

// recycle gives the memory of a batch back to the reader, for reuse.
func (r *reader) recycle(b batch) {
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

// sendRows reads the rows and sends them to r in batches of `most` rows; the last batch may be
// smaller. It returns the error of Each, or an error if a row is invalid (see checkRow) or if the rows
// differ from the rows that Count has read. If the pass is stopped early, it returns nil.
func (s *Stream) sendRows(pass, most int, r *reader) error {
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
		if t, failed = s.checkRow(at, x, t, &print); failed != nil {
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
	case !more: // the pass was stopped, because no more rows are needed
		return nil
	case err != nil:
		return err
	case at < s.N:
		return fmt.Errorf("there are %d rows in a pass, want %d as in the first pass: every pass must yield the same rows", at, s.N)
	case print != s.print:
		return fmt.Errorf("a pass has %d rows like the first pass, but not the same rows in the same order: every pass must yield the same rows (a random generator must begin every pass with the same seed)", s.N)
	}
	return nil
}
