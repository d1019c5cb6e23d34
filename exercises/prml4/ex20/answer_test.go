package ex20_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Hessian returns all second derivatives of the multiclass cross-entropy (4.108)
// as a new MK×MK matrix. Rows and columns are in the same order. There are two
// good orders: the M weights of class 1, then the weights of class 2, … (row jM+a is
// weight a of class j, both from 0); or the K classes for weight 0, then for
// weight 1, … (row aK+j).
//
//   - W is M×K, column k the weight vector w_k.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of
//     its columns, if there is one).
//
// The targets do not occur in it. Activations may be of any size up to ±800; all
// entries of the result are finite, and off by no more than 1e-9 of the largest
// product of the two features that they belong to. W and Phi stay unchanged.
func Hessian(W, Phi *mat.Dense) *mat.Dense {
	M, K := W.Dims()
	H := mat.NewDense(M*K, M*K, nil)
	var A mat.Dense // activations, then outputs, N×K
	A.Mul(Phi, W)
	n, _ := A.Dims()
	for i := range n {
		y, phi := A.RawRowView(i), Phi.RawRowView(i)
		top := floats.Max(y)
		for k, a := range y {
			y[k] = math.Exp(a - top)
		}
		floats.Scale(1/floats.Sum(y), y)
		for j := range K {
			for k := range K {
				r := -y[j] * y[k]
				if j == k {
					r += y[k]
				}
				for a := range M {
					for b := range M {
						H.Set(j*M+a, k*M+b, H.At(j*M+a, k*M+b)+r*phi[a]*phi[b])
					}
				}
			}
		}
	}
	return H
}

// Block returns the second derivatives of one point's error −Σ_k t_k ln y_k with
// respect to its activations, a new K×K matrix, from its outputs y (K entries that
// sum to 1, some may be 0). The targets do not occur; y stays unchanged. (A step on
// the way, for CheckSteps; you may leave it.)
func Block(y []float64) *mat.Dense {
	v := mat.NewVecDense(len(y), y)
	var B mat.Dense
	B.Outer(-1, v, v)
	for k := range y {
		B.Set(k, k, B.At(k, k)+y[k])
	}
	return &B
}

// Spread returns one point's part in uᵀHu, which is sᵀBs with the matrix B of
// Block, from its outputs y and the numbers s_k = u_kᵀφ, K of each. y and s stay
// unchanged. (A step on the way, for CheckSteps; you may leave it.)
func Spread(y, s []float64) float64 {
	mean, square := 0.0, 0.0
	for k := range y {
		mean += y[k] * s[k]
		square += y[k] * s[k] * s[k]
	}
	return square - mean*mean // the variance of s under the probabilities y
}
