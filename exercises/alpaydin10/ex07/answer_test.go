package ex07_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Steps counts the steps of gradient descent (10.24) on the cross-entropy E, the
// sum over all points, with the learning factor eta for all weights. It returns the
// number of updates until the length ‖∇E‖ of the gradient is at most tol: 0 if no
// update is needed, and −1 if more updates are needed than limit allows.
//
//   - X is N×D, one input per row, without a column of ones; r has N targets, 0 or
//     1.
//   - The weights are a bias and one weight per input; all start at 0. The gradient
//     has an entry for each of them, including the bias.
//
// X and r stay unchanged.
func Steps(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
	n, d := X.Dims()
	w := make([]float64, d+1)
	for step := 0; ; step++ {
		g := make([]float64, d+1)
		for t := range n {
			x := X.RawRowView(t)
			e := 1/(1+math.Exp(-w[0]-floats.Dot(w[1:], x))) - r[t]
			g[0] += e
			floats.AddScaled(g[1:], e, x)
		}
		switch {
		case floats.Norm(g, 2) <= tol:
			return step
		case step == limit:
			return -1
		}
		floats.AddScaled(w, -eta, g)
	}
}

// Rescale converts the inputs to units in which one learning factor suits all of
// them. It learns the rule for each input from train alone, and applies the same
// rule to test.
//
//   - train is N×D, test is M×D, one input per row, no column of ones. A column of
//     train may be constant; other columns may have a tiny or a huge unit.
//   - train2 and test2 are new finite matrices in the new units.
//   - back takes weights for the new units, bias first. It returns the D+1 weights,
//     bias first, that give the same w0 + wᵀx for inputs in the old units.
//
// train and test stay unchanged.
func Rescale(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64) {
	_, d := train.Dims()
	mean, scale := make([]float64, d), make([]float64, d)
	for j := range d {
		mean[j], scale[j] = stat.PopMeanStdDev(mat.Col(nil, j, train), nil)
		if scale[j] <= 1e-12*math.Abs(mean[j]) {
			scale[j] = 1 // constant: nothing to learn from it, nothing to divide by
		}
	}
	apply := func(x *mat.Dense) *mat.Dense {
		var z mat.Dense
		z.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / scale[j] }, x)
		return &z
	}
	return apply(train), apply(test), func(w []float64) []float64 {
		out := append([]float64(nil), w...)
		for j := range d {
			out[j+1] = w[j+1] / scale[j]
			out[0] -= out[j+1] * mean[j]
		}
		return out
	}
}
