package classify_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// What the checks of equations share: random data, and formulas written out, by
// routes that the toolkit does not take.

// normals returns n numbers of the standard normal distribution.
func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// normalMatrix returns r×c of them.
func normalMatrix(r *rand.Rand, rows, cols int) *mat.Dense {
	return mat.NewDense(rows, cols, normals(r, rows*cols))
}

// spread returns a positive definite d×d matrix.
func spread(r *rand.Rand, d int) *mat.SymDense {
	a := normalMatrix(r, d+3, d)
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1, a.T())
	return s
}

// overlapping returns n rows of d columns and targets that no plane separates.
func overlapping(r *rand.Rand, n, d int) (*mat.Dense, []float64) {
	x, t := normalMatrix(r, n, d), make([]float64, n)
	for i := range t {
		if r.Float64() < logisticOf(x.At(i, 0)) {
			t[i] = 1
		}
	}
	for i := range 4 { // each class at both ends
		x.Set(i, 0, 2*float64(i%2)-1)
		t[i] = float64(i / 2)
	}
	return x, t
}

// logisticOf is 1/(1+e^{−a}) as it is written.
func logisticOf(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// slope is the derivative of f at x by five points, right to about 1e-10.
func slope(f func(float64) float64, x float64) float64 {
	const h = 1e-3
	return (8*(f(x+h)-f(x-h)) - (f(x+2*h) - f(x-2*h))) / (12 * h)
}

// slopes is the gradient of f at w by five points.
func slopes(f func([]float64) float64, w []float64) []float64 {
	g := make([]float64, len(w))
	for j := range w {
		g[j] = slope(func(v float64) float64 {
			at := append([]float64{}, w...)
			at[j] = v
			return f(at)
		}, w[j])
	}
	return g
}

// affineValue is wᵀx + w0 with the bias first.
func affineValue(w, x []float64) float64 {
	y := w[0]
	for j, v := range x {
		y += w[j+1] * v
	}
	return y
}

// withOnes is the matrix of rows (1, x).
func withOnes(x mat.Matrix) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	out.Apply(func(i, j int, _ float64) float64 {
		if j == 0 {
			return 1
		}
		return x.At(i, j-1)
	}, out)
	return out
}

// averageOf returns the mean of the rows of a class, and their number.
func averageOf(x *mat.Dense, labels []int, class int) (mean []float64, count float64) {
	_, d := x.Dims()
	mean = make([]float64, d)
	for i, l := range labels {
		if l == class {
			floats.Add(mean, x.RawRowView(i))
			count++
		}
	}
	floats.Scale(1/count, mean)
	return mean, count
}
