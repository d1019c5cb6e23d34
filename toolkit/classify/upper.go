package classify

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"gonum.org/v1/gonum/mat"
)

// upper is an upper triangular n×n matrix by rows. A quadratic form is kept as
// H = RᵀR, whose factor R has twice the digits of H.
type upper struct {
	n int
	a []float64
}

func newUpper(n int) *upper { return &upper{n, make([]float64, n*n)} }

func (u *upper) at(i, j int) float64     { return u.a[i*u.n+j] }
func (u *upper) set(i, j int, v float64) { u.a[i*u.n+j] = v }

// regular reports whether the diagonal is finite and without zeros.
func (u *upper) regular() bool {
	for i := range u.n {
		v := u.at(i, i)
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// sharp reports whether every pivot stands out of the rounding of its column.
func (u *upper) sharp() bool {
	for j := range u.n {
		var column float64
		for i := range j + 1 {
			column = math.Hypot(column, u.at(i, j))
		}
		if !(math.Abs(u.at(j, j)) > rankTolerance*column) {
			return false
		}
	}
	return true
}

// condition returns the condition number of R with columns of length 1, given R⁻¹:
// how much longer than 2⁻⁵³ a rounding of R may make that of the step.
func (u *upper) condition(inv *mat.Dense) float64 {
	var s float64
	for j := range u.n {
		var column float64
		for i := range j + 1 {
			column = math.Hypot(column, u.at(i, j))
		}
		s = math.Hypot(s, column*mat.Norm(inv.RowView(j), 2))
	}
	return s
}

// solve returns R⁻¹b.
func (u *upper) solve(b []float64) []float64 {
	x := make([]float64, u.n)
	for i := u.n - 1; i >= 0; i-- {
		s := b[i]
		for j := i + 1; j < u.n; j++ {
			s -= u.a[i*u.n+j] * x[j]
		}
		x[i] = s / u.a[i*u.n+i]
	}
	return x
}

// solveT returns R⁻ᵀb.
func (u *upper) solveT(b []float64) []float64 {
	x := append([]float64(nil), b[:u.n]...)
	for i := range x {
		x[i] /= u.a[i*u.n+i]
		for j := i + 1; j < u.n; j++ {
			x[j] -= u.a[i*u.n+j] * x[i]
		}
	}
	return x
}

// inverse returns R⁻¹.
func (u *upper) inverse() *mat.Dense {
	inv := mat.NewDense(u.n, u.n, nil)
	e := make([]float64, u.n)
	for j := range u.n {
		e[j] = 1
		inv.SetCol(j, u.solve(e))
		e[j] = 0
	}
	return inv
}

// project returns the factor of R·p and the matching Qᵀz, for p with as many
// rows as R: the quadratic form restricted to the columns of p.
func (u *upper) project(p *mat.Dense, z []float64) (*upper, []float64) {
	_, r := p.Dims()
	rp := mat.NewDense(u.n, r, nil)
	for i := range u.n {
		for k := range r {
			var s float64
			for j := i; j < u.n; j++ {
				s += u.at(i, j) * p.At(j, k)
			}
			rp.Set(i, k, s)
		}
	}
	var qr mat.QR
	qr.Factorize(rp)
	var q, rr mat.Dense
	qr.QTo(&q)
	qr.RTo(&rr)
	out := newUpper(r)
	for i := range r {
		for j := i; j < r; j++ {
			out.set(i, j, rr.At(i, j))
		}
	}
	zz := make([]float64, r)
	for k := range zz {
		for i := range u.n {
			zz[k] += q.At(i, k) * z[i]
		}
	}
	return out, zz
}

// cholesky returns R with RᵀR = h, and the smallest pivot of h scaled to a unit
// diagonal: about the inverse of its condition number. It returns nil if h is
// not positive definite.
func cholesky(h func(i, j int) float64, n int) (*upper, float64) {
	d := make([]float64, n)
	for i := range d {
		v := h(i, i)
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, 0
		}
		d[i] = math.Sqrt(v)
	}
	u, least := newUpper(n), 1.0
	for i := range n {
		for j := i; j < n; j++ {
			u.set(i, j, h(i, j)/d[i]/d[j])
		}
	}
	for k := range n {
		p := u.at(k, k)
		if !(p > 0) {
			return nil, 0
		}
		least = math.Min(least, p)
		p = math.Sqrt(p)
		for j := k; j < n; j++ {
			u.set(k, j, u.at(k, j)/p)
		}
		for i := k + 1; i < n; i++ {
			f := u.at(k, i)
			for j := i; j < n; j++ {
				u.set(i, j, u.at(i, j)-f*u.at(k, j))
			}
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			u.set(i, j, u.at(i, j)*d[j])
		}
	}
	return u, least
}

// MarshalJSON saves u as a matrix.
func (u *upper) MarshalJSON() ([]byte, error) { return codec.Matrix(mat.NewDense(u.n, u.n, u.a)), nil }

// UnmarshalJSON restores what MarshalJSON saved.
func (u *upper) UnmarshalJSON(b []byte) error {
	var m *mat.Dense
	if err := codec.Value(b, &m); err != nil || m == nil {
		return err
	}
	r, c := m.Dims()
	if r != c {
		return fmt.Errorf("%d×%d where a triangular matrix is needed", r, c)
	}
	*u = upper{r, m.RawMatrix().Data}
	return nil
}
