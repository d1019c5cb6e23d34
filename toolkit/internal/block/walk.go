package block

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	cacheNumbers = 4096    // largest count of numbers in a block of more than 64 rows: 32 kB, the size of a first-level cache
	maxRows      = 1024    // largest number of rows in a block
	maxChunks    = 64      // largest number of chunks, each of which has a separate accumulator
	accNumbers   = 1 << 23 // largest count of numbers in all accumulators together (64 MB), unless four chunks need more
)

// Rows returns the number of rows in a block. The argument is the length of a row.
func Rows(width int) int {
	b := cacheNumbers / max(width, 1)
	return min(max(b&^7, 64), maxRows)
}

// chunkRows returns the number of rows in a chunk, which is a multiple of b, the number of rows in
// a block. The argument acc is the count of numbers in an accumulator. The result depends only on
// n, acc and b, and not on the number of processors.
func chunkRows(n, acc, b int) int {
	chunks := min(max(accNumbers/(acc+1), 4), maxChunks)
	per := max((n+chunks-1)/chunks, 8*b)
	return (per + b - 1) / b * b
}

// Walk divides rows 0…n−1 into chunks, and each chunk into blocks. It calls a function, the body,
// for each block lo…hi−1 of a chunk in order, with one accumulator for each chunk. It then merges
// the accumulators pairwise in a fixed order and returns the result. Walk calls newBody once per
// goroutine, so that each body can have its own scratch memory. The argument width is the length of a
// row. Walk assumes that an accumulator has about width² numbers.
func Walk[A any](n, width int, newAcc func() A, newBody func() func(acc A, lo, hi int), merge func(dst, src A)) A {
	return walk(n, width*width, Rows(width), runtime.GOMAXPROCS(0), newAcc, newBody, merge)
}

// Runs divides the rows of s into runs of consecutive rows and calls a function with the arguments
// (lo, n, x, stride) for each run. The run has n rows, beginning with row lo, and row lo+r begins
// at x[r·stride]. To create the function, Runs calls newBody once for each goroutine. The argument
// of newBody is the largest number of rows in a run.
func Runs(s *Source, newBody func(rows int) func(lo, n int, x []float64, stride int)) {
	b := Rows(s.d)
	rows := min(b, s.n)
	newRun := func() func(struct{}, int, int) {
		body, buf := newBody(rows), s.buffer(rows)
		return func(_ struct{}, lo, hi int) {
			x, stride := s.Rows(lo, hi, buf)
			body(lo, hi-lo, x, stride)
		}
	}
	if s.n <= chunkRows(s.n, 0, b) { // a single chunk needs no goroutine
		run := newRun()
		for lo := 0; lo < s.n; lo += b {
			run(struct{}{}, lo, min(lo+b, s.n))
		}
		return
	}
	walk(s.n, 0, b, s.workers(), Nothing, newRun, func(_, _ struct{}) {})
}

// walk is like Walk, but the caller chooses three numbers: `size`, the count of numbers in an
// accumulator; b, the number of rows in a block; and `workers`, the largest number of goroutines.
// With one goroutine, walk processes the rows in order, as a Stream requires.
func walk[A any](n, size, b, workers int, newAcc func() A, newBody func() func(acc A, lo, hi int),
	merge func(dst, src A)) A {
	per := chunkRows(n, size, b)
	chunks := max((n+per-1)/per, 1)
	t := tree[A]{acc: make([]A, chunks), whole: make([]int, chunks), merge: merge}
	var next atomic.Int64
	work := func() {
		body := newBody()
		for {
			c := int(next.Add(1)) - 1
			if c >= chunks {
				return
			}
			acc := newAcc()
			end := min((c+1)*per, n)
			for lo := c * per; lo < end; lo += b {
				body(acc, lo, min(lo+b, end))
			}
			t.add(c, acc)
		}
	}
	workers = min(workers, chunks)
	if workers <= 1 {
		work()
	} else {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(work)
		}
		wg.Wait()
	}
	return t.acc[0]
}

// A tree merges the accumulators of chunks in pairs: 0 and 1, 2 and 3, then 0 and 2, and so on. It
// merges each pair as soon as both accumulators are complete, so that few accumulators exist at the
// same time. The order of merging does not depend on the order in which chunks arrive.
type tree[A any] struct {
	sync.Mutex
	acc []A
	// whole[c] is the number of chunks that acc[c] covers, beginning with chunk c, while acc[c] waits to be
	// merged. This range may extend past the last chunk.
	whole []int
	merge func(dst, src A)
}

// add stores the accumulator of chunk c, and merges all pairs that are now complete.
func (t *tree[A]) add(c int, acc A) {
	t.acc[c] = acc
	for n := 1; n < len(t.acc); n *= 2 {
		other := c ^ n
		if other >= len(t.acc) {
			continue
		}
		if !t.canMerge(c, other, n) {
			return
		}
		var none A
		low, high := min(c, other), max(c, other)
		t.merge(t.acc[low], t.acc[high])
		c, t.acc[high] = low, none
	}
}

// canMerge reports whether the accumulator at index `other` is complete and covers n chunks, so
// that it can be merged with accumulator c. If not, canMerge marks accumulator c as waiting.
func (t *tree[A]) canMerge(c, other, n int) bool {
	t.Lock()
	defer t.Unlock()
	if t.whole[other] == n {
		return true
	}
	t.whole[c] = n
	return false
}
