package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// Upper is an upper triangular n×n matrix, stored row by row. The fits store the factor R of a
// matrix H = RᵀR instead of H, because a computation with R loses only half as many digits as a
// computation with H.
type Upper struct {
	N int
	A []float64
}

// NewUpper returns the n×n matrix of zeros.
func NewUpper(n int) *Upper { return &Upper{n, make([]float64, n*n)} }

// UpperOf returns the upper triangular n×n matrix whose entries (i, j) with j ≥ i are at(i, j).
func UpperOf(n int, at func(i, j int) float64) *Upper {
	u := NewUpper(n)
	for i := range n {
		for j := i; j < n; j++ {
			u.Set(i, j, at(i, j))
		}
	}
	return u
}

// columnLength returns the Euclidean length of column j.
func (u *Upper) columnLength(j int) float64 {
	var s float64
	for i := range j + 1 {
		s = math.Hypot(s, u.At(i, j))
	}
	return s
}

// At returns entry (i, j), and Set changes it. The index j must be at least i.
func (u *Upper) At(i, j int) float64     { return u.A[i*u.N+j] }
func (u *Upper) Set(i, j int, v float64) { u.A[i*u.N+j] = v }

// Scaled returns s·u.
func (u *Upper) Scaled(s float64) *Upper {
	return UpperOf(u.N, func(i, j int) float64 { return s * u.At(i, j) })
}

// Regular reports whether all diagonal elements are finite and not zero.
func (u *Upper) Regular() bool {
	for i := range u.N {
		v := u.At(i, i)
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// FullRank reports whether every diagonal element is larger than the rounding error of its column.
func (u *Upper) FullRank() bool {
	for j := range u.N {
		if !(math.Abs(u.At(j, j)) > RankTolerance*u.columnLength(j)) {
			return false
		}
	}
	return true
}

// Condition returns an estimate of the condition number that R has after its columns are scaled to
// length 1. The argument inv is R⁻¹. If R is rounded, the relative error of a solution R⁻¹b is up
// to 2⁻⁵³ times the condition number.
func (u *Upper) Condition(inv *mat.Dense) float64 {
	var s float64
	for j := range u.N {
		s = math.Hypot(s, u.columnLength(j)*mat.Norm(inv.RowView(j), 2))
	}
	return s
}

// Solve returns R⁻¹b.
func (u *Upper) Solve(b []float64) []float64 {
	x := make([]float64, u.N)
	for i := u.N - 1; i >= 0; i-- {
		s := b[i]
		for j := i + 1; j < u.N; j++ {
			s -= u.A[i*u.N+j] * x[j]
		}
		x[i] = s / u.A[i*u.N+i]
	}
	return x
}

// SolveT returns R⁻ᵀb.
func (u *Upper) SolveT(b []float64) []float64 {
	x := slices.Clone(b[:u.N])
	u.WhitenInPlace(x)
	return x
}

// Inverse returns R⁻¹.
func (u *Upper) Inverse() *mat.Dense {
	n := u.N
	inv := mat.NewDense(n, n, nil)
	x := inv.RawMatrix().Data
	for j := range n {
		x[j*n+j] = 1 / u.A[j*n+j]
		for i := j - 1; i >= 0; i-- {
			var s float64
			for k := i + 1; k <= j; k++ {
				s -= u.A[i*n+k] * x[k*n+j]
			}
			x[i*n+j] = s / u.A[i*n+i]
		}
	}
	return inv
}

// Project restricts the quadratic form ‖Ru − z‖² to the space that the columns of p span. The
// matrix p has as many rows as R. Project computes the orthogonal factorisation R·p = QT and
// returns the triangular factor T and the vector Qᵀz.
func (u *Upper) Project(p *mat.Dense, z []float64) (*Upper, []float64) {
	_, r := p.Dims()
	rp := mat.NewDense(u.N, r, nil)
	for i := range u.N {
		for k := range r {
			var s float64
			for j := i; j < u.N; j++ {
				s += u.At(i, j) * p.At(j, k)
			}
			rp.Set(i, k, s)
		}
	}
	var qr mat.QR
	qr.Factorize(rp)
	var q, rr mat.Dense
	qr.QTo(&q)
	qr.RTo(&rr)
	zz := make([]float64, r)
	for k := range zz {
		for i := range u.N {
			zz[k] += q.At(i, k) * z[i]
		}
	}
	return UpperOf(r, rr.At), zz
}

// Cholesky returns the factor R with RᵀR = h. It also returns the smallest pivot of h after h is
// scaled so that its diagonal elements are 1. This pivot is about the inverse of the condition
// number of the scaled h. If h is not positive definite, or if a diagonal element is infinite, R is
// nil and the pivot is 0.
func Cholesky(h func(i, j int) float64, n int) (*Upper, float64) {
	d := make([]float64, n)
	for i := range d {
		v := h(i, i)
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, 0
		}
		d[i] = math.Sqrt(v)
	}
	u, least := UpperOf(n, func(i, j int) float64 { return h(i, j) / d[i] / d[j] }), 1.0
	for k := range n {
		top := u.A[k*n : (k+1)*n]
		p := top[k]
		if !(p > 0) {
			return nil, 0
		}
		least = math.Min(least, p)
		p = math.Sqrt(p)
		for j := k; j < n; j++ {
			top[j] /= p
		}
		for i := k + 1; i < n; i++ {
			f, row := top[i], u.A[i*n:(i+1)*n]
			for j := i; j < n; j++ {
				row[j] -= f * top[j]
			}
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			u.A[i*n+j] *= d[j]
		}
	}
	return u, least
}

// LogDet returns ln|RᵀR|.
func (u *Upper) LogDet() float64 {
	var s float64
	for i := range u.N {
		s += 2 * math.Log(math.Abs(u.At(i, i)))
	}
	return s
}

// WhitenInPlace overwrites v with R⁻ᵀv.
func (u *Upper) WhitenInPlace(v []float64) {
	v = v[:u.N]
	for i := range v {
		row := u.A[i*u.N : (i+1)*u.N]
		row = row[:len(v)]
		v[i] /= row[i]
		a := v[i]
		for j := i + 1; j < len(v); j++ {
			v[j] -= row[j] * a
		}
	}
}

// Draw writes a random sample from the Gaussian N(mean, RᵀR) to x.
func (u *Upper) Draw(rng *rand.Rand, mean, x []float64) {
	copy(x, mean)
	for i := range u.N {
		floats.AddScaled(x[i:], rng.NormFloat64(), u.A[i*u.N+i:(i+1)*u.N])
	}
}

// Times returns R·x.
func (u *Upper) Times(x []float64) []float64 {
	out := make([]float64, u.N)
	for i := range out {
		out[i] = Dot(u.A[i*u.N+i:(i+1)*u.N], x[i:])
	}
	return out
}

// MarshalJSON saves the matrix u as its size and its elements.
func (u *Upper) MarshalJSON() ([]byte, error) { return codec.Matrix(mat.NewDense(u.N, u.N, u.A)), nil }

// UnmarshalJSON restores the matrix from the output of MarshalJSON.
func (u *Upper) UnmarshalJSON(b []byte) error {
	var m *mat.Dense
	if err := codec.Value(b, &m); err != nil || m == nil {
		return err
	}
	r, c := m.Dims()
	if r != c {
		return fmt.Errorf("a %d×%d matrix, want a square matrix", r, c)
	}
	*u = Upper{r, m.RawMatrix().Data}
	return nil
}
