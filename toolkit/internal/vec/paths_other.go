//go:build !amd64 || safe

package vec

// Paths returns the code paths that this processor supports, from the slowest to the fastest.
func Paths() []Kernels { return []Kernels{plainKernels{}} }
