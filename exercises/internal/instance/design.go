package instance

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Design draws an N×M design matrix whose columns have the given centres and
// spreads; a spread of 0 makes the column constant, as a bias is.
func Design(r *rand.Rand, n int, centre, spread []float64) *mat.Dense {
	phi := mat.NewDense(n, len(centre), nil)
	for i := range n {
		for j := range centre {
			phi.Set(i, j, centre[j]+spread[j]*r.NormFloat64())
		}
	}
	return phi
}

// Sizes is the largest absolute entry of each column, 1 for a column of zeros.
func Sizes(phi *mat.Dense) []float64 {
	_, m := phi.Dims()
	s := make([]float64, m)
	for j := range s {
		if s[j] = floats.Norm(mat.Col(nil, j, phi), math.Inf(1)); s[j] == 0 {
			s[j] = 1
		}
	}
	return s
}

// Weights draws one weight for each column of phi, such that the activations are
// a few times spread, however large the columns are.
func Weights(r *rand.Rand, phi *mat.Dense, spread float64) []float64 {
	w := Sizes(phi)
	for j, s := range w {
		w[j] = spread * r.NormFloat64() / s
	}
	return w
}

// Activations is Φw.
func Activations(phi *mat.Dense, w []float64) []float64 {
	n, _ := phi.Dims()
	a := make([]float64, n)
	for i := range a {
		a[i] = floats.Dot(phi.RawRowView(i), w)
	}
	return a
}

// Paired is Σ r(a_i, b_i), for two vectors of one length.
func Paired(r func(a, b float64) float64) func(a, b []float64) float64 {
	return func(a, b []float64) (sum float64) {
		for i, v := range a {
			sum += r(v, b[i])
		}
		return sum
	}
}

// OneOfK is the N×K matrix of 1-of-K targets for labels 0…K−1.
func OneOfK(labels []int, k int) *mat.Dense {
	t := mat.NewDense(len(labels), k, nil)
	for i, c := range labels {
		t.Set(i, c, 1)
	}
	return t
}

// Counts is how many labels there are of each class, 0…K−1.
func Counts(labels []int, k int) []float64 {
	n := make([]float64, k)
	for _, c := range labels {
		n[c]++
	}
	return n
}

// Magnitudes are sizes of activations, from those that every draw has to those where
// exponentials overflow, with none far from the next: an answer that cuts off
// anywhere shows.
func Magnitudes() []float64 {
	return []float64{0.1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 25, 30, 36, 37, 40, 100, 300, 700, 709, 710, 745, 746, 800}
}

// Reaching draws an N×2 design matrix Φ with Φw = a, the N activations wanted, for
// two weights; w[1] is not 0.
func Reaching(r *rand.Rand, w, a []float64) *mat.Dense {
	phi := mat.NewDense(len(a), 2, nil)
	for i, v := range a {
		x := r.NormFloat64()
		phi.SetRow(i, []float64{x, (v - w[0]*x) / w[1]})
	}
	return phi
}
