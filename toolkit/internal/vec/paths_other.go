//go:build !amd64

package vec

// Paths returns those of this processor, the fastest last.
func Paths() []Kernels { return []Kernels{plain{}} }
