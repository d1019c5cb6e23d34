package ex05_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Scatter returns the two matrices of the Fisher criterion (4.26), both new and
// D×D. SB of (4.27) follows from the difference of the class means. SW of (4.28) is
// a sum over the points of both classes, computed from the deviation of each point
// from the mean of its class. Both are in squared units of x, without any division
// by N.
//
//   - X1 is N1×D, the points of class 1, one per row.
//   - X2 is N2×D, the points of class 2.
//
// N1, N2 and D may be 1, and there may be fewer points than columns. X1 and X2 stay
// unchanged.
func Scatter(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
	_, d := X1.Dims()
	SB, SW = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	mean := func(X *mat.Dense) []float64 {
		n, _ := X.Dims()
		m := make([]float64, d)
		for i := range n {
			floats.AddScaled(m, 1/float64(n), X.RawRowView(i))
		}
		return m
	}
	// addOuter adds (x−m)(x−m)ᵀ to S
	addOuter := func(S *mat.Dense, x, m []float64) {
		v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m))
		S.RankOne(S, 1, v, v)
	}
	for _, X := range []*mat.Dense{X1, X2} {
		n, _ := X.Dims()
		m := mean(X)
		for i := range n {
			addOuter(SW, X.RawRowView(i), m)
		}
	}
	addOuter(SB, mean(X2), mean(X1))
	return SB, SW
}
