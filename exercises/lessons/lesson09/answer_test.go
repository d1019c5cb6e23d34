package lesson09_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Step returns the weights of softmax regression after one presentation of the
// pattern phi of class k, from 0 to K−1.
//
//   - W is M×K, column j the weights w_j.
//   - phi has M entries (a bias is one of them, if there is one).
//   - eta > 0 is the rate.
//
// Activations may be as large as ±1000. W and phi stay unchanged.
func Step(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
	var a mat.VecDense
	x := mat.NewVecDense(len(phi), phi)
	a.MulVec(W.T(), x)
	y := a.RawVector().Data
	floats.AddConst(-floats.Max(y), y)
	for j := range y {
		y[j] = math.Exp(y[j])
	}
	floats.Scale(1/floats.Sum(y), y)
	y[k]--
	next := mat.DenseCopyOf(W)
	next.RankOne(next, -eta, x, &a)
	return next
}
