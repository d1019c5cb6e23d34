//go:build !amd64 || safe

package vec

// Paths returns the paths that this processor supports, the fastest last.
func Paths() []Kernels { return []Kernels{plain{}} }
