package block

import (
	"fmt"
	"iter"
	"math"
)

// Each calls yield with the rows of a data set in turn, each with its target, until
// yield returns false; the slice may be used again for the next row. A call is one
// pass, and all passes yield the same rows.
type Each func(yield func(x []float64, t float64) bool) error

// Stream is a data set of which a few rows are in memory at a time. It was counted by
// Count, and every later pass is compared with that one.
type Stream struct {
	Each Each
	N, D int
	// Target turns the target of a row into the number that the fit wants, a class
	// label or a number in [0,1], or says what is wrong with it. Nil: as it is.
	Target func(t float64) (float64, error)
	// PerClass are the rows of each class, where the targets are labels.
	PerClass []float64
	// Progress, if not nil, is told after every few rows which pass it is and how many
	// of how many rows it has read. Count is pass 0, which does not know how many.
	Progress func(pass, row, rows int)

	print  uint64 // of all rows in their order
	pass   int
	next   func() (struct{}, bool) // reads more rows into the window
	stop   func()
	failed error
	lo, hi int       // the window: rows lo … hi−1
	x, t   []float64 // and their numbers
	labels []int
}

// failure is what a walk over a Stream panics with: the walks themselves have no error.
type failure struct{ err error }

// streamRows is how many rows are read in one go.
const streamRows = 256

// Count makes the first pass, which finds N and D and refuses rows of different
// lengths, numbers that are not finite, and targets that Target refuses.
func (s *Stream) Count() error {
	s.N, s.D, s.print = 0, 0, 0
	var bad error
	err := s.Each(func(x []float64, t float64) bool {
		if bad != nil { // asked to stop
			return false
		}
		if s.N == 0 {
			s.D = len(x)
		}
		if _, bad = s.check(s.N, x, t); bad != nil {
			return false
		}
		s.print = fingerprint(s.print, x, t)
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
		return fmt.Errorf("there are no rows: at least one must be yielded")
	case s.D == 0:
		return fmt.Errorf("row 0 has no columns: a row is one number per input")
	}
	return nil
}

// check returns the target of row i as the fit wants it.
func (s *Stream) check(i int, x []float64, t float64) (float64, error) {
	if len(x) != s.D {
		return 0, fmt.Errorf("row %d (from 0) has %d columns where row 0 has %d: all rows must have the same", i, len(x), s.D)
	}
	for j, v := range x {
		if v-v != 0 { // true of NaN and ±Inf only
			return 0, fmt.Errorf("row %d, column %d (from 0) is %v: leave the row out or fill in a finite number", i, j, v)
		}
	}
	if s.Target == nil {
		return t, nil
	}
	u, err := s.Target(t)
	if err != nil {
		return 0, fmt.Errorf("row %d (from 0): %w", i, err)
	}
	return u, nil
}

// fingerprint goes on with h by a row. It tells orders of rows apart, and other rows
// but for rare accidents.
func fingerprint(h uint64, x []float64, t float64) uint64 {
	sum := math.Float64bits(t)
	for j, v := range x {
		sum += math.Float64bits(v) * uint64(2*j+3)
	}
	return (h ^ sum) * 0x9E3779B97F4A7C15
}

// Reader returns a stream of the same rows with a place of its own, targets as they are.
func (s *Stream) Reader() *Stream {
	return &Stream{Each: s.Each, N: s.N, D: s.D, Progress: s.Progress, print: s.print}
}

// Source returns the rows as a source, whose walks go through them in order.
func (s *Stream) Source() *Source { return &Source{n: s.N, d: s.D, stream: s} }

// End ends the pass that is under way, and turns a failure of the rows during a walk
// into an error. It must be deferred by whoever walks.
func (s *Stream) End(err *error) {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// read makes rows lo … hi−1 the window, or part of it.
func (s *Stream) read(lo, hi int) {
	if lo < s.lo || s.next == nil {
		s.restart()
	}
	for s.hi < hi {
		if s.hi <= lo {
			s.lo, s.x, s.t = s.hi, s.x[:0], s.t[:0]
		} else if lo > s.lo {
			gone := lo - s.lo
			s.x = s.x[:copy(s.x, s.x[gone*s.D:])]
			s.t = s.t[:copy(s.t, s.t[gone:])]
			s.lo = lo
		}
		if _, ok := s.next(); !ok {
			s.fail(fmt.Errorf("there are %d rows, but the first time there were %d: every pass must yield the same rows", s.hi, s.N))
		}
		if s.Progress != nil {
			s.Progress(s.pass, s.hi, s.N)
		}
		if s.hi == s.N { // to the end of the pass, where the rows are compared
			s.next()
			s.fail(nil)
		}
	}
}

// fail gives up if there is an error; that of the pass comes first.
func (s *Stream) fail(err error) {
	if s.failed != nil {
		err = s.failed
	}
	if err != nil {
		panic(failure{fmt.Errorf("pass %d over the rows: %w", s.pass, err)})
	}
}

// restart begins a pass.
func (s *Stream) restart() {
	if s.stop != nil {
		s.stop()
	}
	s.pass++
	s.lo, s.hi, s.x, s.t = 0, 0, s.x[:0], s.t[:0]
	s.next, s.stop = iter.Pull(s.rows)
}

// rows appends rows to the window and yields after every few. The first rows that do
// not fit what Count found, or the error of Each, are left in failed.
func (s *Stream) rows(yield func(struct{}) bool) {
	var print uint64
	more := true
	at := 0
	err := s.Each(func(x []float64, t float64) bool {
		switch {
		case !more:
			return false
		case at == s.N:
			s.failed = fmt.Errorf("there are more rows than the %d of the first time: every pass must yield the same rows", s.N)
		default:
			t, s.failed = s.take(at, x, t, &print)
		}
		if s.failed != nil {
			more = false
			return false
		}
		s.x, s.t = append(s.x, x...), append(s.t, t)
		s.hi, at = s.hi+1, at+1
		if at%streamRows == 0 || at == s.N {
			more = yield(struct{}{})
		}
		return more
	})
	switch {
	case !more: // stopped, or failed already
	case err != nil:
		s.failed = err
	case at == s.N && print != s.print:
		s.failed = fmt.Errorf("they are %d again, but not the same rows in the same order: every pass must yield the same rows (a random generator must begin every pass with the same seed)", s.N)
	}
}

// take checks row i and goes on with the fingerprint.
func (s *Stream) take(i int, x []float64, t float64, print *uint64) (float64, error) {
	*print = fingerprint(*print, x, t)
	return s.check(i, x, t)
}

// window returns rows lo … hi−1, which stay as they are until others are asked for.
func (s *Stream) window(lo, hi int) (x, t []float64) {
	s.read(lo, hi)
	return s.x[(lo-s.lo)*s.D:], s.t[lo-s.lo : hi-s.lo]
}
