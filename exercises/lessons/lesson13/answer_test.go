package lesson13_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Shares returns the mean of the rows of Y after each was corrected. Y is N×K, a row of
// posterior probabilities for each input, from a model with the class priors from; to are
// those they are corrected for. All priors are above 0. It changes none of them.
func Shares(Y *mat.Dense, from, to []float64) []float64 {
	n, k := Y.Dims()
	shares := make([]float64, k)
	for row := range n {
		y := mat.Row(nil, row, Y)
		floats.Mul(y, to)
		floats.Div(y, from)
		floats.AddScaled(shares, 1/(floats.Sum(y)*float64(n)), y)
	}
	return shares
}
