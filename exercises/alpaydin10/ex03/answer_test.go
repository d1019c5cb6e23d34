package ex03_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// DSoftmax returns ∂y_i/∂a_j of the softmax y at the scores a. i and j count from 0
// to K−1, where K = len(a) ≥ 1; they may be equal. Scores may be as large as ±1000;
// the result is finite and accurate to 12 decimal places. a stays unchanged.
func DSoftmax(a []float64, i, j int) float64 {
	top, sum := floats.Max(a), 0.0
	for _, v := range a {
		sum += math.Exp(v - top)
	}
	yi, yj := math.Exp(a[i]-top)/sum, math.Exp(a[j]-top)/sum
	if i == j {
		return yi * (1 - yi)
	}
	return -yi * yj
}

// Step returns the weights after one step of gradient descent on the cross-entropy
// of all N points together (10.31), with the learning factor eta.
//
//   - W is (D+1)×K, column i the weights of class i, row 0 the biases.
//   - X is N×D, one input per row, without a column of ones.
//   - R is N×K; row t is 1 in the column of the class of input t, and 0 elsewhere.
//
// The scores of a point may be as large as ±1000; the gradient is accurate to 7
// places. The result is a new (D+1)×K matrix; W, X and R stay unchanged.
func Step(W, X, R *mat.Dense, eta float64) *mat.Dense {
	next := mat.DenseCopyOf(W)
	n, d := X.Dims()
	_, k := W.Dims()
	a, y := make([]float64, k), make([]float64, k)
	for t := range n {
		x := append([]float64{1}, X.RawRowView(t)...)
		for i := range k {
			a[i] = floats.Dot(mat.Col(nil, i, W), x)
		}
		lse := floats.LogSumExp(a)
		for i := range k {
			y[i] = math.Exp(a[i] - lse)
		}
		for j := range d + 1 {
			for i := range k {
				next.Set(j, i, next.At(j, i)+eta*(R.At(t, i)-y[i])*x[j])
			}
		}
	}
	return next
}
