package ex03_test

import (
	"gonum.org/v1/gonum/mat"
)

// Predict returns y(x), K numbers: the prediction at x of the linear function with
// bias that minimises the sum of squares on the training set.
//
//   - X is N×D, one training input per row, without a column of ones.
//   - T is N×K, row n is the target of row n of X; any real numbers.
//   - x has D entries.
//
// The function does not know which constraints the targets obey, if any. The
// columns of X may depend on each other, and N may be smaller than D+1. X, T and x
// stay unchanged.
func Predict(X, T *mat.Dense, x []float64) []float64 {
	n, d := X.Dims()
	_, k := T.Dims()
	ones := mat.NewDense(n, d+1, nil) // [1 X]
	for i := range n {
		ones.Set(i, 0, 1)
		for j := range d {
			ones.Set(i, j+1, X.At(i, j))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(ones, mat.SVDThin) {
		panic("cannot compute the singular values")
	}
	var W, y mat.Dense // (D+1)×K, 1×K
	svd.SolveTo(&W, T, svd.Rank(1e-12))
	y.Mul(mat.NewDense(1, d+1, append([]float64{1}, x...)), &W)
	return y.RawRowView(0)[:k]
}

// Constraints returns all linear constraints that the rows t of T (N×K) satisfy at
// once, in the form A·t + b = 0. A is P×K with linearly independent rows, b has P
// entries, and P is as large as possible. Rows may be scaled and mixed freely.
// Without any constraint A is nil (P = 0). A constraint counts as satisfied if it
// holds up to rounding, to 1e-9 of the size of T; a constraint that is only nearly
// satisfied does not count. T stays unchanged.
func Constraints(T *mat.Dense) (A *mat.Dense, b []float64) {
	n, k := T.Dims()
	mean := make([]float64, k)
	centred := mat.NewDense(n, k, nil)
	for j := range k {
		mean[j] = mat.Sum(T.ColView(j)) / float64(n)
		for i := range n {
			centred.Set(i, j, T.At(i, j)-mean[j])
		}
	}
	// aᵀt is the same for all t if and only if a is orthogonal to every t − mean
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDFullV) {
		panic("cannot compute the singular values")
	}
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-9*mat.Norm(T, 2) {
			rank++
		}
	}
	if rank == k {
		return nil, nil
	}
	var V mat.Dense // K×K, columns in descending order of the singular values
	svd.VTo(&V)
	A = mat.DenseCopyOf(V.Slice(0, k, rank, k).T())
	for i := range k - rank {
		b = append(b, -mat.Dot(A.RowView(i), mat.NewVecDense(k, mean)))
	}
	return A, b
}
