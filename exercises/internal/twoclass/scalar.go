package twoclass

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Around are the numbers given and n more, at random between two limits.
func Around[T ~float64](r *rand.Rand, n int, from, to float64, given ...T) []T {
	for range n {
		given = append(given, T((to-from)*r.Float64()+from))
	}
	return given
}

// BothSides are numbers of these sizes with both signs.
func BothSides[T ~float64](sizes []float64) (list []T) {
	for _, c := range sizes {
		list = append(list, T(c), T(-c))
	}
	return list
}

// Definite is 1 where all eigenvalues of h are positive, −1 where all are negative,
// and else 0; tol is how far they must lie from 0, relative to the largest.
func Definite(h *mat.Dense, tol float64) int {
	if verify.PositiveDefinite(h, tol).OK {
		return 1
	}
	var minus mat.Dense
	minus.Scale(-1, h)
	if verify.PositiveDefinite(&minus, tol).OK {
		return -1
	}
	return 0
}
