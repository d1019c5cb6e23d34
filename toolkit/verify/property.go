package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// SumsTo establishes Σ v = total.
func SumsTo(v []float64, total float64, tol Tolerance) Finding {
	return Close(floats.Sum(v), total, tol)
}

// AffineConstraint establishes aᵀy + b = 0; len(y) must be len(a). The tolerance
// is absolute plus relative to the terms of the sum, which may cancel.
func AffineConstraint(a []float64, b float64, y []float64, tol Tolerance) Finding {
	if len(y) != len(a) {
		return Finding{Note: fmt.Sprintf("%s where %d belong", count(len(y), "entry", "entries"), len(a)), Miss: math.NaN()}
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
	if len(u) != len(v) {
		return Finding{Note: fmt.Sprintf("%s where %d belong", count(len(u), "entry", "entries"), len(v)), Miss: math.NaN()}
	}
	nu, nv := floats.Norm(u, 2), floats.Norm(v, 2)
	if !finite(nu) || !finite(nv) {
		return Finding{Miss: math.NaN()}
	}
	if nu == 0 || nv == 0 {
		return Finding{Note: "the zero vector, which has no direction", Miss: math.NaN()}
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
