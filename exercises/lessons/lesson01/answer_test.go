package lesson01_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Class returns the class k of x, from 0, whose function y_k(x) = w_kᵀx + w_k0 is the
// largest (the first one of several that are equal). It also returns the distance
// r ≥ 0 of x from the nearest plane y_k = y_j, in the unit of x.
//
//   - W is (D+1)×K, K ≥ 2, the biases in row 0; no two of the w_k are the same.
//   - x has D entries.
//
// W and x stay unchanged.
func Class(W *mat.Dense, x []float64) (k int, r float64) {
	_, K := W.Dims()
	y := make([]float64, K)
	for j := range y {
		y[j] = W.At(0, j)
		for i, v := range x {
			y[j] += W.At(i+1, j) * v
		}
		if y[j] > y[k] {
			k = j
		}
	}
	r = math.Inf(1)
	for j := range y {
		if j == k {
			continue
		}
		var squares float64 // ‖w_k − w_j‖²
		for i := range x {
			squares += math.Pow(W.At(i+1, k)-W.At(i+1, j), 2)
		}
		r = math.Min(r, (y[k]-y[j])/math.Sqrt(squares))
	}
	return k, r
}
