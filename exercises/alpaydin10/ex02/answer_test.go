package ex02_test

import "gonum.org/v1/gonum/floats"

// Distance returns r, the signed distance of the point x from the hyperplane wᵀx +
// w0 = 0. r is positive where wᵀx + w0 is positive, and negative on the other side.
//
//   - x and w have D entries each, D ≥ 1; w is not zero and need not have length 1.
//   - w0 is the threshold.
//
// x and w stay unchanged. r has the unit of x.
func Distance(x, w []float64, w0 float64) float64 {
	return (floats.Dot(w, x) + w0) / floats.Norm(w, 2)
}

// OriginDistance returns the distance of the origin from the hyperplane wᵀx + w0 =
// 0, D ≥ 1, w not zero. You may choose the sign. w stays unchanged.
func OriginDistance(w []float64, w0 float64) float64 {
	return w0 / floats.Norm(w, 2)
}
