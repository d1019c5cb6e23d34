package lesson13_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Shares corrects each row of Y for new class priors and returns the mean of the
// corrected rows. Each row of Y (N×K) contains the posterior probabilities of one
// input. The vector from contains the class priors of the model that computed Y, and
// the vector to contains the new class priors. All priors are above 0. Y, from and to
// stay unchanged.
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
