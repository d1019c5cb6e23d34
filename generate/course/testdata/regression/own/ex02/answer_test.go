package ex02_test

import "gonum.org/v1/gonum/mat"

// Ridge returns the M weights that minimise half the sum of squares of t - phi*w plus lambda/2
// times the sum of the squares of w. phi is N×M with any N and M, t has N entries, and lambda
// is greater than 0. phi and t stay unchanged.
func Ridge(phi *mat.Dense, t []float64, lambda float64) []float64 {
	var a mat.Dense
	a.Mul(phi.T(), phi)
	_, m := phi.Dims()
	for j := range m {
		a.Set(j, j, a.At(j, j)+lambda)
	}
	var b, w mat.VecDense
	b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
	if err := w.SolveVec(&a, &b); err != nil {
		panic(err)
	}
	return w.RawVector().Data
}
