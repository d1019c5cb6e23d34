package ex17_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Jacobian returns the derivatives of the softmax outputs y (4.104) at the
// activations a as a new K×K matrix: row k, column j holds ∂y_k/∂a_j.
//
// a has K ≥ 1 entries, which may be as large as ±1000; all entries of the result
// are finite. a stays unchanged.
func Jacobian(a []float64) *mat.Dense {
	y := make([]float64, len(a))
	top := floats.Max(a)
	for k, v := range a {
		y[k] = math.Exp(v - top)
	}
	floats.Scale(1/floats.Sum(y), y)

	J := mat.NewDense(len(a), len(a), nil)
	for k := range y {
		for j := range y {
			if j == k {
				J.Set(k, j, y[k]*(1-y[k]))
			} else {
				J.Set(k, j, -y[k]*y[j])
			}
		}
	}
	return J
}
