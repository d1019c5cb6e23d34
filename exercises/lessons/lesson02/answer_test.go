package lesson02_test

import "gonum.org/v1/gonum/mat"

// Weights returns the least-squares weights for 1-of-K targets, (D+1)×K, the biases
// in row 0.
//
//   - X is N×D, one input per row, without a column of ones; with that column its
//     columns are independent.
//   - labels has N entries, the classes 0 … K−1.
//
// X and labels stay unchanged.
func Weights(X *mat.Dense, labels []int, K int) *mat.Dense {
	n, d := X.Dims()
	ones, T := mat.NewDense(n, d+1, nil), mat.NewDense(n, K, nil)
	for i, k := range labels {
		ones.Set(i, 0, 1)
		for j := range d {
			ones.Set(i, j+1, X.At(i, j))
		}
		T.Set(i, k, 1)
	}
	var W mat.Dense
	if err := W.Solve(ones, T); err != nil {
		panic(err)
	}
	return &W
}
