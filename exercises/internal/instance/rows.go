package instance

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Centred is x with m, which need not be the mean, subtracted from every row.
func Centred(x *mat.Dense, m []float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	for i := range out.RawMatrix().Rows {
		floats.Sub(out.RawRowView(i), m)
	}
	return out
}

// Combination is the sum of the rows of x, each times its weight.
func Combination(x *mat.Dense, weights []float64) []float64 {
	out := make([]float64, x.RawMatrix().Cols)
	for i, a := range weights {
		floats.AddScaled(out, a, x.RawRowView(i))
	}
	return out
}

// Diameter is the largest distance between two rows of the matrices.
func Diameter(list ...*mat.Dense) (longest float64) {
	for _, x := range list {
		for i := range x.RawMatrix().Rows {
			for _, y := range list {
				for k := range y.RawMatrix().Rows {
					longest = max(longest, floats.Distance(x.RawRowView(i), y.RawRowView(k), 2))
				}
			}
		}
	}
	return longest
}
