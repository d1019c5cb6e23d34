package ex20_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Hessian returns all second derivatives of the multiclass cross-entropy (4.108) as
// a new MK×MK matrix. Rows and columns are in the same order. Two orders are
// accepted. Either the M weights of class 1 come first, then the weights of class
// 2, … (row jM+a is weight a of class j, both from 0). Or the K classes for weight
// 0 come first, then for weight 1, … (row aK+j).
//
//   - W is M×K, column k the weight vector w_k.
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of its
//     columns, if there is one).
//
// The Hessian does not depend on the targets. Activations may be of any size up to
// ±800. All entries of the result are finite, and the error of each is at most 1e-9
// of the largest product of its two features. W and Phi stay unchanged.
func Hessian(W, Phi *mat.Dense) *mat.Dense {
	M, K := W.Dims()
	H := mat.NewDense(M*K, M*K, nil)
	var A mat.Dense // A is N×K: the activations, then the outputs
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
// respect to its activations as a new K×K matrix, computed from its outputs y (K
// entries that sum to 1, some of which may be 0). The result does not depend on the
// targets. y stays unchanged. (An optional intermediate step, judged by
// CheckSteps.)
func Block(y []float64) *mat.Dense {
	v := mat.NewVecDense(len(y), y)
	var B mat.Dense
	B.Outer(-1, v, v)
	for k := range y {
		B.Set(k, k, B.At(k, k)+y[k])
	}
	return &B
}

// Spread returns the contribution of one point to uᵀHu, which is sᵀBs with the
// matrix B of Block. It computes sᵀBs from the outputs y of the point and the
// numbers s_k = u_kᵀφ, K of each. y and s stay unchanged. (An optional intermediate
// step, judged by CheckSteps.)
func Spread(y, s []float64) float64 {
	mean, square := 0.0, 0.0
	for k := range y {
		mean += y[k] * s[k]
		square += y[k] * s[k] * s[k]
	}
	return square - mean*mean // the variance of s under the probabilities y
}
