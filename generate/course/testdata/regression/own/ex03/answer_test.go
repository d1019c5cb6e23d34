package ex03_test

import "gonum.org/v1/gonum/mat"

// Variance returns the variance of a new target at the features x, after the rows of the N×M
// matrix phi have been seen. alpha is the precision of the prior, and beta is the precision of the noise;
// both are greater than 0. x has M entries. phi and x stay unchanged.
func Variance(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
	var a mat.Dense
	a.Mul(phi.T(), phi)
	a.Scale(beta, &a)
	for j := range x {
		a.Set(j, j, a.At(j, j)+alpha)
	}
	v := mat.NewVecDense(len(x), x)
	var s mat.VecDense
	if err := s.SolveVec(&a, v); err != nil {
		panic(err)
	}
	return 1/beta + mat.Dot(v, &s)
}
