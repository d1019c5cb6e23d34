package ex06_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// NormalMatrix returns the matrix M on the left of (4.37), S_W + (N1N2/N)·S_B: with
// the targets N/N1 for class 1 and −N/N2 for class 2 the least-squares weights
// satisfy M·w = N(m1 − m2). M is a new D×D matrix, in squared units of x.
//
//   - X1 is N1×D, the points of class 1, one per row.
//   - X2 is N2×D, the points of class 2; N = N1 + N2.
//
// X1 and X2 stay unchanged.
func NormalMatrix(X1, X2 *mat.Dense) *mat.Dense {
	n1, d := X1.Dims()
	n2, _ := X2.Dims()
	m1, m2 := mean(X1), mean(X2)
	M := mat.NewDense(d, d, nil)
	add := func(c float64, x, m []float64) { // M ← M + c(x−m)(x−m)ᵀ
		v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m))
		M.RankOne(M, c, v, v)
	}
	for i := range n1 {
		add(1, X1.RawRowView(i), m1)
	}
	for i := range n2 {
		add(1, X2.RawRowView(i), m2)
	}
	add(float64(n1)*float64(n2)/float64(n1+n2), m2, m1)
	return M
}

// Fit returns the weights w, D entries, and the bias w0 that minimise the sum of
// squares (4.31) of wᵀx + w0 against the targets N/N1 (class 1) and −N/N2 (class
// 2). X1 and X2 are as in NormalMatrix; there are at least D + 2 points, and S_W
// and M have inverses. X1 and X2 stay unchanged.
func Fit(X1, X2 *mat.Dense) (w []float64, w0 float64) {
	n1, d := X1.Dims()
	n2, _ := X2.Dims()
	m1, m2 := mean(X1), mean(X2)
	n := float64(n1 + n2)
	right := floats.SubTo(make([]float64, d), m1, m2)
	floats.Scale(n, right) // N(m1 − m2)
	var v mat.VecDense
	if err := v.SolveVec(NormalMatrix(X1, X2), mat.NewVecDense(d, right)); err != nil {
		panic(err)
	}
	w = v.RawVector().Data
	w0 = -(float64(n1)*floats.Dot(w, m1) + float64(n2)*floats.Dot(w, m2)) / n // −wᵀm
	return w, w0
}

// RightSide returns Σ_n t_n x_n, D numbers, for the targets N/N1 and −N/N2: the
// right-hand side of the equation for w after w0 is eliminated. X1 and X2 are as in
// NormalMatrix and stay unchanged. (An optional intermediate step, judged by
// CheckSteps.)
func RightSide(X1, X2 *mat.Dense) []float64 {
	n1, d := X1.Dims()
	n2, _ := X2.Dims()
	right := floats.SubTo(make([]float64, d), mean(X1), mean(X2))
	floats.Scale(float64(n1+n2), right)
	return right
}

// BestBias returns the w0 at which the derivative of the sum of squares (4.31) with
// respect to w0 vanishes, for the same targets and any given weights w (D entries),
// which need not be the best. X1, X2 and w stay unchanged. (An optional
// intermediate step, judged by CheckSteps.)
func BestBias(X1, X2 *mat.Dense, w []float64) float64 {
	n1, _ := X1.Dims()
	n2, _ := X2.Dims()
	sum := float64(n1)*floats.Dot(w, mean(X1)) + float64(n2)*floats.Dot(w, mean(X2))
	return -sum / float64(n1+n2)
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
