package instance

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// WithOnes returns the N×(D+1) matrix [1 X]: X with a column of ones in front.
func WithOnes(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		row[0] = 1
		copy(row[1:], x.RawRowView(i))
	}
	return out
}

// LeastSquares fits a linear function of x (N×D), with a bias, to y (N×K). It returns the weights,
// (D+1)×K, with the biases in row 0. It centres the columns of x and y, and scales the columns of x
// to length 1, so that large offsets or different scales do not make the weights inaccurate. If the
// columns of [1 x] are linearly dependent, the slopes for the scaled columns have the smallest norm.
func LeastSquares(x, y *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	_, k := y.Dims()
	z, r := mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	xMean, yMean, length := Mean(x), Mean(y), make([]float64, d)
	for i := range n {
		floats.Sub(z.RawRowView(i), xMean)
		floats.Sub(r.RawRowView(i), yMean)
	}
	for j := range d {
		column := mat.Col(nil, j, z)
		if length[j] = floats.Norm(column, 2); length[j] == 0 {
			length[j] = 1
		}
		floats.Scale(1/length[j], column)
		z.SetCol(j, column)
	}
	slopes := mat.NewDense(d, k, nil)
	var svd mat.SVD
	if svd.Factorize(z, mat.SVDThin) && svd.Values(nil)[0] > 0 {
		svd.SolveTo(slopes, r, svd.Rank(1e-10))
	}
	w := mat.NewDense(d+1, k, nil)
	w.SetRow(0, yMean)
	for j := range d {
		for c := range k {
			v := slopes.At(j, c) / length[j]
			w.Set(j+1, c, v)
			w.Set(0, c, w.At(0, c)-v*xMean[j])
		}
	}
	return w
}

// Linear returns the K numbers y = Wᵀ[1 x]. Each number is a sum of terms. The result `size` is the
// largest sum of the absolute values of these terms. A tolerance for y should be proportional to
// this size.
func Linear(w *mat.Dense, x []float64) (y []float64, size float64) {
	_, k := w.Dims()
	y = make([]float64, k)
	for c := range k {
		y[c] = w.At(0, c)
		terms := math.Abs(y[c])
		for j, v := range x {
			y[c] += w.At(j+1, c) * v
			terms += math.Abs(w.At(j+1, c) * v)
		}
		size = math.Max(size, terms)
	}
	return y, size
}

// Centred returns x with m subtracted from every row. The vector m need not be the mean.
func Centred(x *mat.Dense, m []float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	for i := range out.RawMatrix().Rows {
		floats.Sub(out.RawRowView(i), m)
	}
	return out
}

// Combination returns the sum of the rows of x, each multiplied by its weight.
func Combination(x *mat.Dense, weights []float64) []float64 {
	out := make([]float64, x.RawMatrix().Cols)
	for i, a := range weights {
		floats.AddScaled(out, a, x.RawRowView(i))
	}
	return out
}

// Diameter returns the largest distance between any two rows of the given matrices.
func Diameter(list ...*mat.Dense) (longest float64) {
	for _, x := range list {
		for i := range x.RawMatrix().Rows {
			for _, y := range list {
				for k := range y.RawMatrix().Rows {
					longest = max(longest, floats.Distance(x.RawRowView(i), y.RawRowView(k), 2))
				}
			}
		}
	}
	return longest
}

// Products returns an N×(1+D+D²) matrix with the features 1, x_j and x_j·x_l of every row of x
// (N×D).
func Products(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	phi := mat.NewDense(n, 1+d+d*d, nil)
	for i := range n {
		from, to := x.RawRowView(i), phi.RawRowView(i)
		to[0] = 1
		copy(to[1:], from)
		for j, v := range from {
			floats.ScaleTo(to[1+d+j*d:1+d+j*d+d], v, from)
		}
	}
	return phi
}
