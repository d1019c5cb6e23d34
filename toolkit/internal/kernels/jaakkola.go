package kernels

import "math"

// Jaakkola returns what the variational bound on the sigmoid needs at a
// parameter ξ ≥ 0, PRML (10.144) and (10.150),
//
//	σ(a) ≥ σ(ξ) exp{(a−ξ)/2 − λ(ξ)(a²−ξ²)},
//
// namely λ = (σ(ξ)−½)/(2ξ) = tanh(ξ/2)/(4ξ), which falls from ⅛ at 0, and the
// constant c = ln σ(ξ) − ξ/2 + λξ², so that ln σ(a) ≥ a/2 − λa² + c with equality
// at a = ±ξ. The logarithms of σ(ξ) and of the bell never appear apart: far out c
// is −ξ/4 − ….
func Jaakkola(xi float64) (lambda, c float64) {
	if xi < 1e-4 { // the next term of either series is below one part in 10¹⁶
		q := xi * xi
		return 0.125 - q/96, -math.Ln2 - q*q/192
	}
	th := math.Tanh(xi / 2)
	return th / (4 * xi), -xi/2 - math.Log1p(math.Exp(-xi)) + xi/4*th
}
