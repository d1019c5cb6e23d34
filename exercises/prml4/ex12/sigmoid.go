package ex12

import (
	"gonum.org/v1/gonum/num/dual"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// slope is dσ/da = σ(a)σ(−a).
func slope(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// dualSlope is dσ/da from the definition of σ in dual numbers, a + ε with ε² = 0:
// the coefficient of ε in 1/(1+e^−(a+ε)). No formula for the derivative goes in.
func dualSlope(a float64) float64 {
	e := dual.Exp(dual.Number{Real: -a, Emag: -1})
	e.Real++
	return dual.Inv(e).Emag
}
