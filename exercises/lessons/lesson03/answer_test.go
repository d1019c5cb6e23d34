package lesson03_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Direction returns a vector w of D entries in Fisher's direction, of any length but
// 0, on which class 1 has the larger projections.
//
//   - X1 is N1×D, the points of class 1, one per row.
//   - X2 is N2×D, the points of class 2. S_W has an inverse.
//
// X1 and X2 stay unchanged.
func Direction(X1, X2 *mat.Dense) []float64 {
	_, d := X1.Dims()
	SW := mat.NewDense(d, d, nil)
	for _, X := range []*mat.Dense{X1, X2} {
		n, _ := X.Dims()
		m := mean(X)
		for i := range n {
			v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), X.RawRowView(i), m))
			SW.RankOne(SW, 1, v, v)
		}
	}
	var w mat.VecDense
	difference := floats.SubTo(make([]float64, d), mean(X1), mean(X2))
	if err := w.SolveVec(SW, mat.NewVecDense(d, difference)); err != nil {
		panic(err)
	}
	return w.RawVector().Data
}

// mean returns the mean of the rows of X, D numbers.
//
//hyperplane:given
func mean(X *mat.Dense) []float64 {
	n, d := X.Dims()
	m := make([]float64, d)
	for i := range n {
		floats.AddScaled(m, 1/float64(n), X.RawRowView(i))
	}
	return m
}
