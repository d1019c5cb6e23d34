package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// onPlane is how far points may lie off the plane through them, relative to
// their spread.
const onPlane = 1e-10

// HyperplaneThrough returns the plane that contains all rows of points, N×D with
// N ≥ D: two points make a line in the plane, three a plane in space, one a
// threshold in one dimension. ‖w‖ is 1 and the largest entry of w is positive.
//
// Errors: too few points; points that leave more than one plane possible (some
// coincide, or lie on a line in space); points that lie on no common plane.
func HyperplaneThrough(points mat.Matrix) (*Hyperplane, error) {
	h, err := hyperplaneThrough(points)
	if err != nil {
		return nil, failure("HyperplaneThrough", err)
	}
	return h, nil
}

func hyperplaneThrough(points mat.Matrix) (*Hyperplane, error) {
	_, cols, err := check.Inputs(points)
	if err != nil {
		return nil, err
	}
	n, d := points.Dims()
	if n < d {
		return nil, fmt.Errorf("points is %d×%d: in %d dimensions a hyperplane needs at least %d points", n, d, d, d)
	}
	// One power of two for all columns keeps the angles.
	size := 0.0
	for j, m := range cols.Mean {
		size = math.Max(size, math.Max(cols.Max[j]/2-m/2, m/2-cols.Min[j]/2))
	}
	e := 0
	if size > 0 {
		_, e = math.Frexp(size)
	}
	a := mat.NewDense(n, d, nil)
	a.Apply(func(i, j int, _ float64) float64 {
		return math.Ldexp(points.At(i, j)/2-cols.Mean[j]/2, -e)
	}, a)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThinV) {
		return nil, fmt.Errorf("no plane found through the %d points: choose other units", n)
	}
	sv := svd.Values(nil)
	if last := sv[d-1]; d > 1 && last > onPlane*sv[0] || d == 1 && last > 0 {
		return nil, fmt.Errorf("no plane contains all %d points: one is off by %.2g of their spread", n, last/sv[0])
	}
	if r := rankUpTo(sv, onPlane); r < d-1 {
		return nil, fmt.Errorf("the %d points span only %d of the %d directions of a plane, many planes contain them: give points in general position", n, r, d-1)
	}
	var v mat.Dense
	svd.VTo(&v)
	w := mat.Col(nil, d-1, &v)
	if d == 1 {
		w[0] = 1
	}
	big := 0
	for j, c := range w {
		if math.Abs(c) > math.Abs(w[big]) {
			big = j
		}
	}
	if w[big] < 0 {
		floats.Scale(-1, w)
	}
	h := &Hyperplane{-linalg.Dot(w, cols.Mean), w}
	if _, err := h.unit(); err != nil {
		return nil, err
	}
	return h, nil
}

// rankUpTo counts the singular values above tol times the largest.
func rankUpTo(sv []float64, tol float64) int {
	r := 0
	for r < len(sv) && sv[r] > tol*sv[0] {
		r++
	}
	return r
}
