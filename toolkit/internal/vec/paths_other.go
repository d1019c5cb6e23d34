//go:build !amd64 || safe

package vec

// Paths returns the paths of this processor, the fastest last.
func Paths() []Kernels { return []Kernels{plain{}} }
