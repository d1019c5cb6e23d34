package ex17_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Jacobian returns the derivatives of the softmax outputs y (4.104) at the
// activations a as a new K×K matrix: the entry in row k, column j is ∂y_k/∂a_j.
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

// Pieces returns the derivatives with respect to a_j of the two pieces of y_k =
// exp(a_k) / S, S = Σ_i exp(a_i): of the numerator exp(a_k), and of the denominator
// S. k and j are from 0 to K−1, equal or not; a has K entries of a few units and
// stays unchanged. (An optional intermediate step, judged by CheckSteps.)
func Pieces(a []float64, k, j int) (numerator, denominator float64) {
	denominator = math.Exp(a[j])
	if j == k {
		numerator = denominator
	}
	return numerator, denominator
}
