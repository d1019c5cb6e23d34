//go:build !amd64 || safe

package vec

// Paths returns the only code path of this build, the path in plain Go.
func Paths() []Kernels { return []Kernels{plainKernels{}} }
