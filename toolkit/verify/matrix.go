package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Symmetric establishes m = mᵀ, to tol of the largest entry.
func Symmetric(m mat.Matrix, tol float64) Finding {
	r, c := m.Dims()
	if r != c {
		return wrong("a %d×%d matrix, which is not square", r, c)
	}
	limit := tol * maxAbs(m)
	f := Finding{OK: true}
	for i := range r {
		for j := range i {
			miss := math.Abs(m.At(i, j) - m.At(j, i))
			fi := Finding{OK: miss <= limit, Miss: miss, Where: fmt.Sprintf("row %d, column %d", i, j)}
			if math.IsNaN(miss) {
				fi = Finding{Miss: math.NaN(), Where: fi.Where}
			}
			f = worst(f, fi)
		}
	}
	return f
}

// PositiveDefinite establishes that every eigenvalue of the symmetric part of m
// exceeds tol times the largest absolute one. Miss is the size of the smallest
// eigenvalue where it fails.
func PositiveDefinite(m mat.Matrix, tol float64) Finding {
	return spectrum(m, func(low, size float64) bool { return low > tol*size })
}

// PositiveSemidefinite establishes that no eigenvalue of the symmetric part of m
// lies below −tol times the largest absolute one.
func PositiveSemidefinite(m mat.Matrix, tol float64) Finding {
	return spectrum(m, func(low, size float64) bool { return low >= -tol*size })
}

func spectrum(m mat.Matrix, ok func(low, size float64) bool) Finding {
	r, c := m.Dims()
	if r != c || r == 0 {
		return wrong("a %d×%d matrix, which is not square", r, c)
	}
	// Entries of about 1 keep the factorisation away from overflow and underflow,
	// on which gonum's panics.
	unit := maxAbs(m)
	if unit == 0 {
		unit = 1
	}
	s := mat.NewSymDense(r, nil)
	for i := range r {
		for j := i; j < r; j++ {
			v := m.At(i, j)/unit/2 + m.At(j, i)/unit/2
			if !finite(v) {
				return Finding{Miss: math.NaN(), Where: fmt.Sprintf("row %d, column %d", i, j)}
			}
			s.SetSym(i, j, v)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return wrong("a matrix whose eigenvalues could not be found")
	}
	values := e.Values(nil) // ascending
	low, high := values[0], values[len(values)-1]
	size := math.Max(math.Abs(low), math.Abs(high))
	if ok(low, size) {
		return Finding{OK: true}
	}
	return Finding{Miss: math.Abs(low) * unit, Where: "the smallest eigenvalue"}
}
