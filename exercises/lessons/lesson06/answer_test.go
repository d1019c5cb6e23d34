package lesson06_test

import "gonum.org/v1/gonum/mat"

// Count returns the K×D probabilities μ of a one, for each of k classes a row and for each
// feature a column. X has a row of zeros and ones for each label, 0 to k-1; alpha > 0 is
// how many ones, and how many zeros, are counted on top in every class.
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
