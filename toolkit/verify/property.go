package verify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// SumsTo checks that the sum of the entries of v equals total.
func SumsTo(v []float64, total float64, tol Tolerance) Finding {
	return Close(floats.Sum(v), total, tol)
}

// AffineConstraint checks that aᵀy + b = 0. The vectors a and y must have the same length. The
// relative tolerance is relative to the sum of the absolute values of the terms, because the terms
// may cancel.
func AffineConstraint(a []float64, b float64, y []float64, tol Tolerance) Finding {
	if f := checkLength(len(y), len(a), "entry", "entries"); !f.OK {
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

// Parallel checks that the vectors u and v span the same line. They do if the sine of the angle
// between them is at most tol. Opposite directions and different lengths are allowed. The field
// Miss of the Finding contains this sine.
func Parallel(u, v []float64, tol float64) Finding {
	if f := checkLength(len(u), len(v), "entry", "entries"); !f.OK {
		return f
	}
	nu, nv := floats.Norm(u, 2), floats.Norm(v, 2)
	if !finite(nu) || !finite(nv) {
		return Finding{Miss: math.NaN()}
	}
	if nu == 0 || nv == 0 {
		return failedWithNote("the zero vector, which has no direction")
	}
	// Compute the sine from the difference of the unit vectors, after giving both the same sign. The
	// arccos of their product would lose half of the digits if the product is near 1.
	var minus, plus float64
	for i := range u {
		minus = math.Hypot(minus, u[i]/nu-v[i]/nv)
		plus = math.Hypot(plus, u[i]/nu+v[i]/nv)
	}
	chord := math.Min(minus, plus)
	sine := chord * math.Sqrt(math.Max(0, 1-chord*chord/4))
	return Finding{OK: sine <= tol, Miss: sine}
}

// SameDirection checks that u is a positive multiple of v. The argument tol and the field Miss of
// the Finding have the same meaning as for Parallel, but for opposite directions Miss is 2.
func SameDirection(u, v []float64, tol float64) Finding {
	f := Parallel(u, v, tol)
	if f.OK && floats.Dot(u, v) < 0 {
		return Finding{Note: "the opposite direction", Miss: 2}
	}
	return f
}

// NormalEquations checks that the residuals t − y (N×K) are orthogonal to every column of x (N×D).
// It multiplies every column of x by every column of residuals. The tolerance for such a product is
// relative to the length of the column of x times the length of the column of t. It cannot be
// relative to the length of the residuals, because for an exact fit the residuals are only rounding
// errors. Rounding errors relative to the longest column of t are also allowed, so that the
// predictions for a column of zeros need not be exactly 0. The argument tol must be positive. If the
// check passes and y is in the span of the columns of x, then y is the least-squares prediction,
// whatever the rank of x.
func NormalEquations(x, y, t mat.Matrix, tol float64) Finding {
	n, d := x.Dims()
	nt, k := t.Dims()
	if f := checkLength(nt, n, "row", "rows"); !f.OK {
		return f
	}
	if f := checkShape(y, n, k); !f.OK {
		return f
	}
	f := Finding{OK: true}
	least := rounding / tol * longestColumn(t)
	for j := range k {
		target := mat.Col(nil, j, t)
		residual := floats.SubTo(make([]float64, n), target, mat.Col(nil, j, y))
		for i := range d {
			column := mat.Col(nil, i, x)
			f = worseFinding(f,
				smallRelative(floats.Dot(column, residual), floats.Norm(column, 2)*math.Max(floats.Norm(target, 2), least),
					tol,
					fmt.Sprintf("column %d against target %d", i, j)))
		}
	}
	return f
}

// rounding is the rounding error that NormalEquations always allows in the product of two columns,
// relative to the length of the column of x times the length of the longest column of t.
const rounding = 1e-12

// longestColumn returns the length of the longest column of m.
func longestColumn(m mat.Matrix) float64 {
	_, k := m.Dims()
	l := 0.0
	for j := range k {
		l = math.Max(l, floats.Norm(mat.Col(nil, j, m), 2))
	}
	return l
}

// smallRelative checks that |v| is at most tol·size. The field Miss of the Finding is relative to
// size, unless size is 0.
func smallRelative(v, size, tol float64, where string) Finding {
	switch {
	case !finite(v) || !finite(size):
		return Finding{Miss: math.NaN(), Where: where}
	case size == 0:
		return Finding{OK: v == 0, Miss: math.Abs(v), Where: where}
	}
	return Finding{OK: math.Abs(v) <= tol*size, Miss: math.Abs(v) / size, Where: where}
}

// Symmetric checks that m = mᵀ. The entries may differ by at most tol times the largest absolute
// entry.
func Symmetric(m mat.Matrix, tol float64) Finding {
	r, c := m.Dims()
	if r != c {
		return failedWithNote("a %d×%d matrix, which is not square", r, c)
	}
	if f := finiteEntries(m); !f.OK {
		return f
	}
	limit := tol * maxAbs(m)
	f := Finding{OK: true}
	for i := range r {
		for j := range i {
			miss := math.Abs(m.At(i, j) - m.At(j, i))
			f = worseFinding(f, Finding{OK: miss <= limit, Miss: miss, Where: fmt.Sprintf("row %d, column %d", i, j)})
		}
	}
	return f
}

// finiteEntries checks that all entries of m are finite numbers.
func finiteEntries(m mat.Matrix) Finding {
	r, c := m.Dims()
	for i := range r {
		for j := range c {
			if !finite(m.At(i, j)) {
				return Finding{Miss: math.NaN(), Where: fmt.Sprintf("row %d, column %d", i, j)}
			}
		}
	}
	return Finding{OK: true}
}

// PositiveDefinite checks that every eigenvalue of the symmetric part of m exceeds tol times the
// largest absolute eigenvalue. If an eigenvalue is too small, Miss is the absolute value of the
// smallest eigenvalue.
func PositiveDefinite(m mat.Matrix, tol float64) Finding {
	return spectrum(m, func(low, size float64) bool { return low > tol*size })
}

// PositiveSemidefinite checks that no eigenvalue of the symmetric part of m is below −tol times the
// largest absolute eigenvalue. The field Miss has the same meaning as for PositiveDefinite.
func PositiveSemidefinite(m mat.Matrix, tol float64) Finding {
	return spectrum(m, func(low, size float64) bool { return low >= -tol*size })
}

func spectrum(m mat.Matrix, ok func(low, size float64) bool) Finding {
	r, c := m.Dims()
	if r != c || r == 0 {
		return failedWithNote("a %d×%d matrix, which is empty or not square", r, c)
	}
	if f := finiteEntries(m); !f.OK {
		return f
	}
	// Scale the entries to about 1, because otherwise numbers in gonum's factorisation could
	// overflow or underflow, and gonum would panic.
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
		return failedWithNote("a matrix whose eigenvalues gonum could not compute")
	}
	values := e.Values(nil) // ascending
	low, high := values[0], values[len(values)-1]
	size := math.Max(math.Abs(low), math.Abs(high))
	if ok(low, size) {
		return Finding{OK: true}
	}
	return Finding{Miss: math.Abs(low) * unit, Where: "the smallest eigenvalue"}
}

// Derivative estimates f′(x) with central differences and Richardson extrapolation, with an error
// of O(h⁴). The argument h is the step, relative to max(1, |x|); 0 means 1e-3. For a smooth
// function with values of about 1, the relative error of the result is about 1e-11. If f is nil,
// Derivative returns NaN.
func Derivative(f func(float64) float64, x, h float64) float64 {
	if f == nil {
		return math.NaN()
	}
	if h == 0 {
		h = 1e-3
	}
	h *= math.Max(1, math.Abs(x))
	central := func(h float64) float64 { return (f(x+h) - f(x-h)) / (2 * h) }
	return (4*central(h/2) - central(h)) / 3
}

// Gradient checks that g is the gradient of f at w. It compares every component of g with an
// estimate, which it computes as Derivative does. The relative tolerance is relative to the largest
// absolute component. The function f must not keep or change its argument.
func Gradient(f func(w []float64) float64, w, g []float64, tol Tolerance) Finding {
	if f == nil {
		return failedWithNote("a nil function")
	}
	if n := checkLength(len(g), len(w), "entry", "entries"); !n.OK || len(w) == 0 {
		return n
	}
	return CloseSlice(g, derivatives(func(w []float64) []float64 { return []float64{f(w)} }, w, 1).RawRowView(0), tol)
}

// Jacobian checks that j contains the derivatives ∂f_i/∂w_k at w, with one row per entry of f and
// one column per entry of w. It compares j with estimates, which it computes as Derivative does. If
// f is the gradient of a function, j must be the Hessian of this function. The relative tolerance is
// relative to the largest absolute entry. The function f must not keep or change its argument, and
// must return a new slice of the same length each time.
func Jacobian(f func(w []float64) []float64, w []float64, j mat.Matrix, tol Tolerance) Finding {
	if f == nil {
		return failedWithNote("a nil function")
	}
	rows := len(f(slices.Clone(w)))
	if rows == 0 || len(w) == 0 {
		return failedWithNote("a function from %d to %d numbers, which has no derivatives", len(w), rows)
	}
	return CloseMat(j, derivatives(f, w, rows), tol)
}

// derivatives estimates ∂f_i/∂w_k for all entries i of f and k of w. It uses the same method as
// Derivative.
func derivatives(f func(w []float64) []float64, w []float64, rows int) *mat.Dense {
	out := mat.NewDense(rows, len(w), nil)
	for k, v := range w {
		at := func(v float64) []float64 {
			moved := slices.Clone(w)
			moved[k] = v
			return f(moved)
		}
		h := 1e-3 * math.Max(1, math.Abs(v))
		up, down, halfUp, halfDown := at(v+h), at(v-h), at(v+h/2), at(v-h/2)
		for i := range rows {
			wide, narrow := (up[i]-down[i])/(2*h), (halfUp[i]-halfDown[i])/h
			out.Set(i, k, (4*narrow-wide)/3)
		}
	}
	return out
}
