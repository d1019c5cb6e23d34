package instance

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Design draws an N×M design matrix whose columns have the given centres and spreads. A spread of 0
// makes the column constant, like the column for a bias.
func Design(r *rand.Rand, n int, centre, spread []float64) *mat.Dense {
	phi := mat.NewDense(n, len(centre), nil)
	for i := range n {
		for j := range centre {
			phi.Set(i, j, centre[j]+spread[j]*r.NormFloat64())
		}
	}
	return phi
}

// Sizes returns the largest absolute entry of each column. For a column of zeros it returns 1.
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

// Weights draws one weight for each column of phi, and divides it by the size of the column.
// Whatever the scales of the columns, the activations Φw are then at most a few times as large as
// `spread`.
func Weights(r *rand.Rand, phi *mat.Dense, spread float64) []float64 {
	w := Sizes(phi)
	for j, s := range w {
		w[j] = spread * r.NormFloat64() / s
	}
	return w
}

// Activations returns Φw.
func Activations(phi *mat.Dense, w []float64) []float64 {
	n, _ := phi.Dims()
	a := make([]float64, n)
	for i := range a {
		a[i] = floats.Dot(phi.RawRowView(i), w)
	}
	return a
}

// Paired returns a function that computes Σ_i r(a_i, b_i) for two vectors a and b of the same
// length.
func Paired(r func(a, b float64) float64) func(a, b []float64) float64 {
	return func(a, b []float64) (sum float64) {
		for i, v := range a {
			sum += r(v, b[i])
		}
		return sum
	}
}

// OneOfK returns the N×K matrix of 1-of-K targets for labels 0…K−1.
func OneOfK(labels []int, k int) *mat.Dense {
	t := mat.NewDense(len(labels), k, nil)
	for i, c := range labels {
		t.Set(i, c, 1)
	}
	return t
}

// Counts returns the number of labels of each class 0…K−1.
func Counts(labels []int, k int) []float64 {
	n := make([]float64, k)
	for _, c := range labels {
		n[c]++
	}
	return n
}

// Magnitudes returns absolute values of activations, from small values to values at which
// exponentials overflow. If an answer clips activations to a bound below 800, it changes at least
// one of these values.
func Magnitudes() []float64 {
	return []float64{0.1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 25, 30, 36, 37, 40, 100, 300, 700, 709, 710,
		745, 746, 800}
}

// Reaching draws an N×2 design matrix Φ with Φw = a. The arguments are the two weights w and the N
// activations a. w[1] must not be 0.
func Reaching(r *rand.Rand, w, a []float64) *mat.Dense {
	phi := mat.NewDense(len(a), 2, nil)
	for i, v := range a {
		x := r.NormFloat64()
		phi.SetRow(i, []float64{x, (v - w[0]*x) / w[1]})
	}
	return phi
}

// Scores returns scores of K = 1 to 5 classes, all within ±1000. A softmax that overflows, or that
// sets small outputs to 0, is wrong for some of these scores. The index of the largest score
// varies. In most vectors all scores except the largest are equal. Their distance from the largest
// score ranges from 3 to 2000, and the largest score is 0, 1000, or the distance minus 1000. Each
// call returns new slices.
func Scores() [][]float64 {
	list := [][]float64{{-1000}, {1000}, {800, 800}, {-1000, -1000, -1000}, {710, -745, 709, 0}}
	for _, a := range [][3]float64{{1000, 0, -1000}, {1000, 999, -1000}, {1000, 999, 998.5}, {-999, -999.3, -1000}} {
		for _, p := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			list = append(list, []float64{a[p[0]], a[p[1]], a[p[2]]})
		}
	}
	for i, distance := range []float64{3, 5, 7, 10, 14, 17, 20, 25, 30, 37, 40, 100, 300, 700, 710, 745, 800, 1000,
		1500, 2000} {
		for _, top := range []float64{0, 1000, distance - 1000} {
			if top-distance < -1000 {
				continue
			}
			k := 2 + i%4
			for place := range k {
				a := make([]float64, k)
				for j := range a {
					a[j] = top - distance
				}
				a[place] = top
				list = append(list, a)
			}
		}
	}
	return list
}
