package kernels

import "math"

// Exp returns exp(a), for a density known by its logarithm.
func Exp(a float64) float64 { return math.Exp(a) }
