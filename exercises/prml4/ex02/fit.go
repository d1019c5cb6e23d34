package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// leastSquares fits Y (N×K) by a linear function of X (N×D) with bias and
// returns its weights, (D+1)×K, biases in row 0. It works on centred columns of
// length 1, so that neither offset nor scale costs digits. The check uses it to
// read off which function a learner's predictions are, and to name a mistake.
func leastSquares(X, Y *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	_, k := Y.Dims()
	Z, R := mat.DenseCopyOf(X), mat.DenseCopyOf(Y)
	xMean, yMean, length := columnMeans(X), columnMeans(Y), make([]float64, d)
	for i := range n {
		floats.Sub(Z.RawRowView(i), xMean)
		floats.Sub(R.RawRowView(i), yMean)
	}
	for j := range d {
		column := mat.Col(nil, j, Z)
		length[j] = floats.Norm(column, 2)
		if length[j] == 0 {
			length[j] = 1
		}
		floats.Scale(1/length[j], column)
		Z.SetCol(j, column)
	}
	slopes := mat.NewDense(d, k, nil)
	var svd mat.SVD
	if svd.Factorize(Z, mat.SVDThin) {
		if rank := svd.Rank(1e-10); rank > 0 && svd.Values(nil)[0] > 0 {
			svd.SolveTo(slopes, R, rank)
		}
	}
	W := mat.NewDense(d+1, k, nil)
	W.SetRow(0, yMean)
	for j := range d {
		for c := range k {
			v := slopes.At(j, c) / length[j]
			W.Set(j+1, c, v)
			W.Set(0, c, W.At(0, c)-v*xMean[j])
		}
	}
	return W
}

// value is Wᵀ[1 x], K numbers, and the size of the terms it is summed from, to
// which a tolerance relates.
func value(W *mat.Dense, x []float64) (y []float64, size float64) {
	_, k := W.Dims()
	y = make([]float64, k)
	for c := range k {
		y[c] = W.At(0, c)
		terms := math.Abs(y[c])
		for j, v := range x {
			y[c] += W.At(j+1, c) * v
			terms += math.Abs(W.At(j+1, c) * v)
		}
		size = math.Max(size, terms)
	}
	return y, size
}

// withOnes is [1 X], N×(D+1).
func withOnes(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		row[0] = 1
		copy(row[1:], X.RawRowView(i))
	}
	return out
}

func columnMeans(m *mat.Dense) []float64 {
	n, c := m.Dims()
	mean := make([]float64, c)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), m.RawRowView(i))
	}
	return mean
}
