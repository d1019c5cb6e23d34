package kernels

import "math"

// Bell returns exp(−r²/2) for a squared distance r² ≥ 0 counted in widths: the
// Gaussian basis function of PRML (3.4). Far away, and at +Inf, it is 0.
func Bell(r2 float64) float64 { return math.Exp(-r2 / 2) }
