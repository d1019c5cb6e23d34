package block

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	cacheNumbers = 4096    // numbers in a block: 32 kB, a first-level cache
	maxRows      = 1024    // rows in a block
	maxChunks    = 64      // pieces of work, each with its own accumulator
	accNumbers   = 1 << 23 // numbers in all accumulators together: 64 MB
)

// Rows returns how many rows a block of the given row length has.
func Rows(width int) int {
	b := cacheNumbers / max(width, 1)
	return min(max(b&^7, 64), maxRows)
}

// chunkRows returns the rows of one chunk, a whole number of blocks, for
// accumulators of acc numbers. It depends on the sizes alone, never on the number
// of processors: so does every sum.
func chunkRows(n, acc, b int) int {
	chunks := min(max(accNumbers/(acc+1), 4), maxChunks)
	per := max((n+chunks-1)/chunks, 8*b)
	return (per + b - 1) / b * b
}

// Walk cuts rows 0…n−1 into chunks of blocks and runs body over every block
// lo…hi−1 in order, with one accumulator for each chunk; then it merges the
// accumulators pairwise in a fixed order and returns the result. newBody is
// called once per goroutine, for its scratch memory.
func Walk[A any](n, width int, newAcc func() A, newBody func() func(acc A, lo, hi int), merge func(dst, src A)) A {
	return walk(n, width*width, Rows(width), runtime.GOMAXPROCS(0), newAcc, newBody, merge)
}

// Runs cuts the rows of s, as they are, into runs and calls the function that newBody
// makes, once for each goroutine, with each of them: row r of those from lo on begins at
// x[r·stride]. newBody is told how many rows a run has at most.
func Runs(s *Source, newBody func(rows int) func(lo, n int, x []float64, stride int)) {
	rows := min(Rows(s.d), s.n)
	walk(s.n, 0, Rows(s.d), s.workers(), Nothing, func() func(struct{}, int, int) {
		body, buf := newBody(rows), s.buffer(rows)
		return func(_ struct{}, lo, hi int) {
			x, stride := s.Rows(lo, hi, buf)
			body(lo, hi-lo, x, stride)
		}
	}, func(_, _ struct{}) {})
}

// walk is Walk for accumulators of size numbers, blocks of b rows, and so many
// goroutines at most: a single one takes the rows in their order.
func walk[A any](n, size, b, workers int, newAcc func() A, newBody func() func(acc A, lo, hi int), merge func(dst, src A)) A {
	per := chunkRows(n, size, b)
	chunks := max((n+per-1)/per, 1)
	acc := make([]A, chunks)
	var next atomic.Int64
	work := func() {
		body := newBody()
		for {
			c := int(next.Add(1)) - 1
			if c >= chunks {
				return
			}
			acc[c] = newAcc()
			end := min((c+1)*per, n)
			for lo := c * per; lo < end; lo += b {
				body(acc[c], lo, min(lo+b, end))
			}
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
	for step := 1; step < chunks; step *= 2 {
		for i := 0; i+step < chunks; i += 2 * step {
			merge(acc[i], acc[i+step])
		}
	}
	return acc[0]
}
