package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Symmetrised returns (A + Aᵀ)/2.
func Symmetrised(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, a.At(i, j)/2+a.At(j, i)/2)
		}
	}
	return s
}

// Finite reports whether all elements are finite numbers.
func Finite(s *mat.SymDense) bool {
	n := s.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			if v := s.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// Norm is the Euclidean norm, which cannot overflow before its result does.
func Norm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s = math.Hypot(s, x)
	}
	return s
}
