package ex24_test

import "gonum.org/v1/gonum/mat"

// Project returns the mean and the variance of the activation a = wᵀφ when the
// weights w have the distribution N(w|m,S).
//
//   - phi is the feature vector φ and m the mean of the weights, M entries each.
//   - S is the covariance of the weights, symmetric, M×M. It may be singular: some
//     combinations of weights are then known exactly.
//
// variance is σ² ≥ 0, the square of the standard deviation. The arguments stay
// unchanged.
func Project(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
	v := mat.NewVecDense(len(phi), phi)
	return mat.Dot(v, mat.NewVecDense(len(m), m)), mat.Inner(v, S, v)
}
