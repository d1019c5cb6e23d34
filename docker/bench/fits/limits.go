package main

import (
	"cmp"
	"os"
	"runtime"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"
)

// onAllProcessors calls part(i, n) for i = 0 … n−1 at the same time, where n is the number of
// processors that the program may use.
func onAllProcessors(part func(i, n int)) {
	n := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { part(i, n) })
	}
	wg.Wait()
}

// parallelSum adds all numbers in x on all processors and returns the sum. For a large x,
// parallelSum needs only the time to read x from memory once. No fit or prediction that reads all
// numbers of x can be faster.
func parallelSum(x *mat.Dense) float64 {
	v := x.RawMatrix().Data
	sums := make([]float64, runtime.GOMAXPROCS(0))
	onAllProcessors(func(i, n int) {
		// Use eight separate sums, because each addition must wait for the previous addition to the
		// same sum.
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		part := v[i*len(v)/n : (i+1)*len(v)/n]
		for ; len(part) >= 8; part = part[8:] {
			s0 += part[0]
			s1 += part[1]
			s2 += part[2]
			s3 += part[3]
			s4 += part[4]
			s5 += part[5]
			s6 += part[6]
			s7 += part[7]
		}
		for _, u := range part {
			s0 += u
		}
		sums[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
	})
	var total float64
	for _, s := range sums {
		total += s
	}
	return total
}

// machineLimits is the line of JSON that reports the speed limits of this machine. It also contains
// the name of the vector instructions that the toolkit's kernels use (the vector path).
type machineLimits struct {
	Path  string  `json:"path"`
	Read  float64 `json:"read"`  // time in seconds to add all numbers of X
	Flops float64 `json:"flops"` // multiplications and additions per second; 0 without vector instructions
}

func measureLimits(x *mat.Dense) machineLimits {
	path, lanes, rounds := vectorPath()
	l := machineLimits{
		Path: cmp.Or(os.Getenv("HYPERPLANE_KERNEL"), path),
		Read: medianTime(func() error { runtime.KeepAlive(parallelSum(x)); return nil }).Seconds,
	}
	if rounds == nil {
		return l
	}
	const n = 1 << 20
	for range 20 { // take the shortest time of 20 runs, because other programs can only lengthen a run
		one := time.Now()
		onAllProcessors(func(int, int) { rounds(n) })
		l.Flops = max(l.Flops, float64(n*12*2*lanes*runtime.GOMAXPROCS(0))/time.Since(one).Seconds())
	}
	return l
}
