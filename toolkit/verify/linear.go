package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// NormalEquations establishes that the residuals t − y (N×K) are orthogonal to
// every column of x (N×D). Each product is measured against the length of the
// column of x times the length of the column of t, not of the residual, which is
// mere rounding where the fit is exact; what is rounding beside the longest column
// of t is let pass, so that a column of zeros need not be met exactly. A y in the span
// of the columns is then the least-squares prediction, whatever the rank of x.
func NormalEquations(x, y, t mat.Matrix, tol float64) Finding {
	n, d := x.Dims()
	nt, k := t.Dims()
	if n != nt {
		return Finding{Note: fmt.Sprintf("%s where %d belong", count(nt, "row", "rows"), n), Miss: math.NaN()}
	}
	if f := Shape(y, n, k); !f.OK {
		return f
	}
	f := Finding{OK: true}
	least := rounding / tol * longest(t)
	for j := range k {
		target := mat.Col(nil, j, t)
		residual := floats.SubTo(make([]float64, n), target, mat.Col(nil, j, y))
		for i := range d {
			column := mat.Col(nil, i, x)
			f = worst(f, relative(floats.Dot(column, residual), floats.Norm(column, 2)*math.Max(floats.Norm(target, 2), least), tol,
				fmt.Sprintf("column %d against target %d", i, j)))
		}
	}
	return f
}

// rounding is what sums of doubles may miss, relative to the whole problem.
const rounding = 1e-12

// longest is the largest length of a column of m.
func longest(m mat.Matrix) float64 {
	_, k := m.Dims()
	l := 0.0
	for j := range k {
		l = math.Max(l, floats.Norm(mat.Col(nil, j, m), 2))
	}
	return l
}

// relative is the finding that |v| is small against size.
func relative(v, size, tol float64, where string) Finding {
	switch {
	case !finite(v) || !finite(size):
		return Finding{Miss: math.NaN(), Where: where}
	case size == 0:
		return Finding{OK: v == 0, Miss: math.Abs(v), Where: where}
	}
	return Finding{OK: math.Abs(v) <= tol*size, Miss: math.Abs(v) / size, Where: where}
}
