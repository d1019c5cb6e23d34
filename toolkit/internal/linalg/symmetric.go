package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// SymOf returns the symmetric n×n matrix whose elements (i, j) with j ≥ i are at(i, j).
func SymOf(n int, at func(i, j int) float64) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, at(i, j))
		}
	}
	return s
}

// Symmetrised returns (A + Aᵀ)/2.
func Symmetrised(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return SymOf(n, func(i, j int) float64 { return a.At(i, j)/2 + a.At(j, i)/2 })
}

// Squared returns A·Aᵀ.
func Squared(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return SymOf(n, func(i, j int) float64 { return Dot(a.RawRowView(i), a.RawRowView(j)) })
}

// AllFinite reports whether v contains neither NaN nor ±Inf.
func AllFinite(v []float64) bool {
	for _, a := range v {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return false
		}
	}
	return true
}

// Finite reports whether all elements of s are finite numbers.
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

// Norm returns the Euclidean norm of v. It overflows only if the result overflows.
func Norm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s = math.Hypot(s, x)
	}
	return s
}
