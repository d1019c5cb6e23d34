package instance

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// WithOnes is [1 X], N×(D+1).
func WithOnes(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		row[0] = 1
		copy(row[1:], x.RawRowView(i))
	}
	return out
}

// LeastSquares fits y (N×K) by a linear function of x (N×D) with bias and returns
// its weights, (D+1)×K, biases in row 0. It works on centred columns of length 1,
// so that neither offset nor scale costs digits, and takes the shortest slopes
// where columns of x depend on each other.
func LeastSquares(x, y *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	_, k := y.Dims()
	z, r := mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	xMean, yMean, length := Mean(x), Mean(y), make([]float64, d)
	for i := range n {
		floats.Sub(z.RawRowView(i), xMean)
		floats.Sub(r.RawRowView(i), yMean)
	}
	for j := range d {
		column := mat.Col(nil, j, z)
		if length[j] = floats.Norm(column, 2); length[j] == 0 {
			length[j] = 1
		}
		floats.Scale(1/length[j], column)
		z.SetCol(j, column)
	}
	slopes := mat.NewDense(d, k, nil)
	var svd mat.SVD
	if svd.Factorize(z, mat.SVDThin) && svd.Values(nil)[0] > 0 {
		svd.SolveTo(slopes, r, svd.Rank(1e-10))
	}
	w := mat.NewDense(d+1, k, nil)
	w.SetRow(0, yMean)
	for j := range d {
		for c := range k {
			v := slopes.At(j, c) / length[j]
			w.Set(j+1, c, v)
			w.Set(0, c, w.At(0, c)-v*xMean[j])
		}
	}
	return w
}

// Linear is Wᵀ[1 x], K numbers, and the size of the terms it is summed from, to
// which a tolerance relates.
func Linear(w *mat.Dense, x []float64) (y []float64, size float64) {
	_, k := w.Dims()
	y = make([]float64, k)
	for c := range k {
		y[c] = w.At(0, c)
		terms := math.Abs(y[c])
		for j, v := range x {
			y[c] += w.At(j+1, c) * v
			terms += math.Abs(w.At(j+1, c) * v)
		}
		size = math.Max(size, terms)
	}
	return y, size
}
