package ex01_test

import "gonum.org/v1/gonum/mat"

// Weights returns the M weights that minimise the sum of squares of t - phi*w. The columns of
// the N×M matrix phi are linearly independent, and t has N entries. phi and t stay unchanged.
func Weights(phi *mat.Dense, t []float64) []float64 {
	var a mat.Dense
	a.Mul(phi.T(), phi)
	var b, w mat.VecDense
	b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
	if err := w.SolveVec(&a, &b); err != nil {
		panic(err)
	}
	return w.RawVector().Data
}
