package ex02_test

import "gonum.org/v1/gonum/mat"

// Predict returns y(x), K numbers: the prediction at x of the linear function
// with bias that minimises the sum of squares on the training set.
//
//   - X is N×D, one training input per row, without a column of ones.
//   - T is N×K, row n is the target of row n of X; any real numbers.
//   - x has D entries.
//
// The columns of X may depend on each other, and N may be smaller than D+1. X, T
// and x stay unchanged.
func Predict(X, T *mat.Dense, x []float64) []float64 {
	n, d := X.Dims()
	ones := mat.NewDense(n, d+1, nil) // [1 X]
	for i := range n {
		ones.Set(i, 0, 1)
		for j := range d {
			ones.Set(i, j+1, X.At(i, j))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(ones, mat.SVDThin) {
		panic("cannot compute the singular values")
	}
	// W = [1 X]⁺T, with the pseudo-inverse that ignores singular values of the size
	// of rounding errors
	var W mat.Dense // (D+1)×K
	svd.SolveTo(&W, T, svd.Rank(1e-12))

	_, k := T.Dims()
	y := make([]float64, k)
	for c := range y {
		y[c] = W.At(0, c)
		for j, v := range x {
			y[c] += W.At(j+1, c) * v
		}
	}
	return y
}
