//go:build !safe

package vec

import "golang.org/x/sys/cpu"

// Paths returns the code paths that this processor supports, from the slowest to the fastest.
func Paths() []Kernels {
	paths := []Kernels{plainKernels{}}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		paths = append(paths, wideKernels(4))
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		paths = append(paths, wideKernels(8))
	}
	return paths
}
