// Package instance draws the random problems that several exercises share. It also computes
// quantities that the checks of these exercises need. The problems have several sizes, include the
// edge cases, and are the same on every run with the same seed.
package instance

import (
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// Source returns the random number generator for one part of an exercise's check. `exercise` is
// usually 100 times the chapter plus the number of the exercise, for example 402 for PRML 4.2, or
// 5000 plus the number of a lesson. The generator depends on the seed of the program. A check must
// therefore draw numbers when Check is called, never when its package is initialised.
func Source(exercise, part uint64) *rand.Rand { return seed.Source(seed.Get(), exercise, part) }

// OfKinds returns a function whose arguments are kinds of problems. This function returns another
// function, which draws n problems of each of these kinds. Each kind has its own random number
// generator, so the other selected kinds do not influence a problem.
func OfKinds[K ~int, P any](exercise uint64, n int, draw func(r *rand.Rand, k K, i int) P) func(kinds ...K) func() []P {
	return func(kinds ...K) func() []P {
		return func() (list []P) {
			for _, k := range kinds {
				r := Source(exercise, uint64(k))
				for i := range n {
					list = append(list, draw(r, k, i))
				}
			}
			return list
		}
	}
}

// Normals returns n standard normal numbers.
func Normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// Unit returns a random vector of length 1 with n entries.
func Unit(r *rand.Rand, n int) []float64 {
	v := Normals(r, n)
	floats.Scale(1/floats.Norm(v, 2), v)
	return v
}

// Covariance returns a random positive definite d×d matrix. Its eigenvalues are of the order of 1,
// and its off-diagonal entries are usually not small.
func Covariance(r *rand.Rand, d int) *mat.SymDense {
	a := mat.NewDense(d, d+2, Normals(r, d*(d+2)))
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1/float64(d+2), a)
	for i := range d {
		s.SetSym(i, i, s.At(i, i)+0.2)
	}
	return s
}

// Mean returns the mean of the rows of x.
func Mean(x *mat.Dense) []float64 {
	n, d := x.Dims()
	m := make([]float64, d)
	for i := range n {
		floats.AddScaled(m, 1/float64(n), x.RawRowView(i))
	}
	return m
}

// Scatter returns Σ_n (x_n − m)(x_n − m)ᵀ over the rows x_n of x. The vector m need not be the
// mean.
func Scatter(x *mat.Dense, m []float64) *mat.SymDense {
	n, d := x.Dims()
	s := mat.NewSymDense(d, nil)
	for i := range n {
		v := floats.SubTo(make([]float64, d), x.RawRowView(i), m)
		s.SymRankOne(s, 1, mat.NewVecDense(d, v))
	}
	return s
}

// Minus returns the difference a − b as a new slice.
func Minus(a, b []float64) []float64 { return floats.SubTo(make([]float64, len(a)), a, b) }

// Above reports whether the mean of the gains is larger than `errors` times the standard error of
// this mean. It first limits each gain to the interval from −½ to ½, so that a single large gain
// cannot dominate the mean.
func Above(gains []float64, errors float64) bool {
	bounded := make([]float64, len(gains))
	for i, g := range gains {
		bounded[i] = math.Max(-0.5, math.Min(0.5, g))
	}
	mean, sd := stat.MeanStdDev(bounded, nil)
	return mean > errors*sd/math.Sqrt(float64(len(gains)))
}

// Again reports whether the caller must draw a problem again. It returns true if the function
// `wanted` returns false: the problem then lacks a property that the check needs. For example, an
// unlucky problem may not reveal a mistake. For seed 0 Again always returns false, because the
// problems for seed 0 were checked by hand.
//
//	p := draw(r)
//	for instance.Again(func() bool { return mistakesShow(p) }) {
//		p = draw(r)
//	}
func Again(wanted func() bool) bool { return seed.Get() != 0 && !wanted() }

// Once returns a function that calls f once for each seed and caches the results. sync.OnceValue
// does not suffice: for every later seed it would return the result for the first seed.
func Once[T any](f func() T) func() T {
	var mutex sync.Mutex
	values := map[uint64]T{}
	return func() T {
		mutex.Lock()
		defer mutex.Unlock()
		n := seed.Get()
		v, known := values[n]
		if !known {
			v = f()
			values[n] = v
		}
		return v
	}
}

// A Scale contains one size for each row of a symmetric matrix, such as a Hessian; the column with
// the same index has the same size. For a Hessian, these are the sizes of the columns of the design
// matrix. The methods expect the entries of the symmetric matrix row by row.
type Scale []float64

// Units returns one unit for each entry of the matrix: the size of the entry's row times the size
// of its column.
func (s Scale) Units() (u []float64) {
	for _, a := range s {
		for _, b := range s {
			u = append(u, a*b)
		}
	}
	return u
}

// Even divides each entry of the symmetric matrix h by the entry's unit and returns the result. For
// a Hessian, the result is the Hessian for a design matrix whose columns have the size 1. One
// tolerance therefore suits all entries of the result.
func (s Scale) Even(h []float64) *mat.Dense {
	return mat.NewDense(len(s), len(s), floats.DivTo(make([]float64, len(h)), h, s.Units()))
}

// Unit divides h by the largest absolute value of its entries, applies Even, and then divides by the
// largest absolute value again. After each division by the largest value it sets negligible entries
// to 0. Use Unit to find the signs of eigenvalues, because decompositions of matrices with very large
// and very small entries are inaccurate.
func (s Scale) Unit(h []float64) *mat.Dense {
	first := shrunk(mat.NewDense(len(s), len(s), append([]float64(nil), h...)))
	return shrunk(s.Even(first.RawMatrix().Data))
}

func shrunk(h *mat.Dense) *mat.Dense {
	largest := math.Max(mat.Max(h), -mat.Min(h))
	if largest == 0 {
		return h
	}
	h.Apply(func(_, _ int, v float64) float64 {
		if v /= largest; math.Abs(v) < 1e-100 {
			return 0
		}
		return v
	}, h)
	return h
}

// Ridge reports whether h equals the matrix `right` with some α > 0 added to the diagonal. The
// first diagonal entry, which is the entry of the bias, may be without α. For a matrix with a
// single entry Ridge returns false, because every increase of this entry would look like an α.
func (s Scale) Ridge(h, right []float64) bool {
	n := len(s)
	if n < 2 {
		return false
	}
	extra := mat.NewDense(n, n, Minus(h, right))
	at := floats.MinIdx(s[1:]) + 1 // compute α from the diagonal entry with the smallest rounding error
	alpha := extra.At(at, at)
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j && (i > 0 || extra.At(0, 0) > alpha/2) {
				want = alpha
			}
			if !(math.Abs(extra.At(i, j)-want) <= 1e-3*alpha+1e-12*s[i]*s[j]) {
				return false
			}
		}
	}
	return alpha > 0
}
