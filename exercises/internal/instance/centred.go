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
