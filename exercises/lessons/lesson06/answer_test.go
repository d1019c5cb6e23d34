package lesson06_test

import "gonum.org/v1/gonum/mat"

// Count returns the K×D probabilities μ of a one: a row for each of the k classes
// and a column for each feature. Each row of X consists of zeros and ones, and
// labels contains the class of each row, from 0 to k-1. In every class, count alpha
// > 0 additional ones and as many additional zeros.
func Count(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
	_, d := X.Dims()
	mu := mat.NewDense(k, d, nil)
	rows := make([]float64, k)
	for n, c := range labels {
		rows[c]++
		for i := range d {
			mu.Set(c, i, mu.At(c, i)+X.At(n, i))
		}
	}
	mu.Apply(func(c, _ int, ones float64) float64 { return (ones + alpha) / (rows[c] + 2*alpha) }, mu)
	return mu
}
