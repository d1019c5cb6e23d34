package solve

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// longest returns a bound of ‖A‖: its square is at most Σa², and at most the largest sum of a
// column times the largest sum of a row.
func longest(a mat.Matrix) float64 {
	return math.Min(mat.Norm(a, 2), math.Sqrt(mat.Norm(a, 1))*math.Sqrt(mat.Norm(a, math.Inf(1))))
}

// closely returns a bound of ‖A‖, the eighth root of ‖(AᵀA)⁴‖_F, which is (Σσ¹⁶)^(1/16). With n
// columns it is at most n^(1/16)·‖A‖.
func closely(a mat.Matrix) float64 {
	size := longest(a) // taken out, so that no power overflows
	if !(size > 0) || math.IsInf(size, 1) {
		return size
	}
	var unit, square, power mat.Dense
	unit.Scale(1/size, a)
	square.Mul(unit.T(), &unit)
	power.Mul(&square, &square)
	square.Mul(&power, &power)
	return size * math.Pow(mat.Norm(&square, 2), 1./8)
}
