package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// SumsTo establishes Σ v = total.
func SumsTo(v []float64, total float64, tol Tolerance) Finding {
	return Close(floats.Sum(v), total, tol)
}

// AffineConstraint establishes aᵀy + b = 0; len(y) must be len(a). The tolerance
// is absolute plus relative to the terms of the sum, which may cancel.
func AffineConstraint(a []float64, b float64, y []float64, tol Tolerance) Finding {
	if f := length(len(y), len(a), "entry", "entries"); !f.OK {
		return f
	}
	sum, scale := b, math.Abs(b)
	for i, v := range y {
		sum += a[i] * v
		scale += math.Abs(a[i] * v)
	}
	if !finite(sum) {
		return Finding{Miss: math.NaN()}
	}
	return Finding{OK: math.Abs(sum) <= tol.Abs+tol.Rel*scale, Miss: math.Abs(sum)}
}

// Parallel establishes that u and v span the same line: the sine of the angle
// between them is at most tol. Sign and length are free. Miss is the sine.
func Parallel(u, v []float64, tol float64) Finding {
	if f := length(len(u), len(v), "entry", "entries"); !f.OK {
		return f
	}
	nu, nv := floats.Norm(u, 2), floats.Norm(v, 2)
	if !finite(nu) || !finite(nv) {
		return Finding{Miss: math.NaN()}
	}
	if nu == 0 || nv == 0 {
		return wrong("the zero vector, which has no direction")
	}
	// The distance of the unit vectors (up to sign), not arccos of their product,
	// which loses half the digits near 1.
	var minus, plus float64
	for i := range u {
		minus = math.Hypot(minus, u[i]/nu-v[i]/nv)
		plus = math.Hypot(plus, u[i]/nu+v[i]/nv)
	}
	chord := math.Min(minus, plus)
	sine := chord * math.Sqrt(math.Max(0, 1-chord*chord/4))
	return Finding{OK: sine <= tol, Miss: sine}
}

// SameDirection is Parallel with the sign held: u is a positive multiple of v.
func SameDirection(u, v []float64, tol float64) Finding {
	f := Parallel(u, v, tol)
	if f.OK && floats.Dot(u, v) < 0 {
		return Finding{Note: "the opposite direction", Miss: 2}
	}
	return f
}

// NormalEquations establishes that the residuals t − y (N×K) are orthogonal to every column of x
// (N×D). Each product is measured against the length of the column of x times the length of the
// column of t. (The length of the residual would be mere rounding where the fit is exact.)
// Rounding relative to the longest column of t is allowed, so that a column of zeros need not be
// met exactly. A y in the span of the columns is then the least-squares prediction, whatever the
// rank of x.
func NormalEquations(x, y, t mat.Matrix, tol float64) Finding {
	n, d := x.Dims()
	nt, k := t.Dims()
	if f := length(nt, n, "row", "rows"); !f.OK {
		return f
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

// rounding is the error that sums of doubles may have, relative to the whole problem.
const rounding = 1e-12

// longest returns the largest length of a column of m.
func longest(m mat.Matrix) float64 {
	_, k := m.Dims()
	l := 0.0
	for j := range k {
		l = math.Max(l, floats.Norm(mat.Col(nil, j, m), 2))
	}
	return l
}

// relative reports as a Finding whether |v| is small relative to size.
func relative(v, size, tol float64, where string) Finding {
	switch {
	case !finite(v) || !finite(size):
		return Finding{Miss: math.NaN(), Where: where}
	case size == 0:
		return Finding{OK: v == 0, Miss: math.Abs(v), Where: where}
	}
	return Finding{OK: math.Abs(v) <= tol*size, Miss: math.Abs(v) / size, Where: where}
}
