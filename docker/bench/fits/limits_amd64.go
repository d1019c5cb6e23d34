package main

import "golang.org/x/sys/cpu"

//go:noescape
func fma512(n int)

//go:noescape
func fma256(n int)

// vectorPath returns the name of the vector instructions that the toolkit selects on this
// processor, and the number of float64 values in a vector. It also returns the function `rounds`,
// which repeats a round of 12 vector multiplications and additions n times. Without such
// instructions the results are "generic", 0 and nil.
func vectorPath() (path string, lanes int, rounds func(n int)) {
	x := cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return "avx512", 8, fma512
	case x.HasAVX2 && x.HasFMA:
		return "avx2", 4, fma256
	}
	return "generic", 0, nil
}
