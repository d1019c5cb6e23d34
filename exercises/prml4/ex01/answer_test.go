package ex01_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Separate looks for a hyperplane with all points of x strictly on its positive
// side and all points of y strictly on its negative side. If there is one, it
// returns ok = true with w, D entries, and w0 such that wᵀx + w0 > 0 for every row
// of x and wᵀy + w0 < 0 for every row of y. Otherwise it returns ok = false and any
// w and w0.
//
//   - x is N×D and y is M×D, one point per row; D, N and M may be 1, and points may
//     occur twice.
//
// The points may be in any unit and far from the origin. Separable sets have a
// margin: the distance between their hulls is at least 1/10000 of the largest
// distance between two points. x and y stay unchanged.
func Separate(x, y *mat.Dense) (w []float64, w0 float64, ok bool) {
	p := problemOf(x, y)
	_, r := nonnegative(p.A, p.b)
	if mat.Norm(r, 2) < 1e-7 {
		return nil, 0, false
	}
	// Aᵀr ≤ 0 means that −r·z ≥ r1 for the points z of x and −r·z ≤ −r2 for the
	// points z of y. Because r1 + r2 = bᵀr = |r|² > 0, the two bounds leave a gap for
	// the hyperplane.
	d := len(p.centre)
	r1, r2 := r.AtVec(d), r.AtVec(d+1)
	w = make([]float64, d)
	w0 = -(r1 - r2) / 2
	for j := range w {
		w[j] = -r.AtVec(j) / p.scale
		w0 -= w[j] * p.centre[j]
	}
	return w, w0, true
}

// CommonPoint looks for a point that lies in the convex hulls of both sets. If
// there is one, it returns ok = true with weights alpha (N entries) and beta (M
// entries) such that Σ alpha_n x_n = Σ beta_m y_m. No weight is negative, and the
// weights of each set sum to 1. Otherwise it returns ok = false and any weights. x
// and y are as in Separate; hulls that only touch have a point in common. The two
// sums may differ by 1/100000 of the largest distance between two points.
func CommonPoint(x, y *mat.Dense) (alpha, beta []float64, ok bool) {
	p := problemOf(x, y)
	weights, r := nonnegative(p.A, p.b)
	if mat.Norm(r, 2) >= 1e-7 {
		return nil, nil, false
	}
	n, _ := x.Dims()
	return weights[:n], weights[n:], true
}

// A hulls represents both sets as one system A(α,β) = b of equations: Σαx − Σβy =
// 0, Σα = 1, Σβ = 1, for points that are centred and scaled.
//
//hyperplane:hidden
type hulls struct {
	A      *mat.Dense    // (D+2)×(N+M)
	b      *mat.VecDense // D+2
	centre []float64     // the point that is subtracted from every point
	scale  float64       // then divided by
}

//hyperplane:hidden
func problemOf(x, y *mat.Dense) hulls {
	n, d := x.Dims()
	m, _ := y.Dims()
	p := hulls{A: mat.NewDense(d+2, n+m, nil), b: mat.NewVecDense(d+2, nil), centre: mat.Row(nil, 0, x)}
	var all mat.Dense // the points of both sets minus the first point of x
	all.Stack(x, y)
	for i := range n + m {
		floats.Sub(all.RawRowView(i), p.centre)
	}
	p.scale = mat.Norm(&all, math.Inf(1))
	if p.scale == 0 { // all points are the same
		p.scale = 1
	}
	for i := range n + m {
		sign, row := 1.0, d
		if i >= n {
			sign, row = -1, d+1
		}
		for j := range d {
			p.A.Set(j, i, sign*all.At(i, j)/p.scale)
		}
		p.A.Set(row, i, 1)
	}
	p.b.SetVec(d, 1)
	p.b.SetVec(d+1, 1)
	return p
}

// nonnegative returns the z ≥ 0 that minimises |Az − b|, one entry per column of A,
// and the residual r = b − Az, one entry per row. At that z no column of A has a
// positive product with r: Aᵀr ≤ 0 (up to rounding), and r is orthogonal to Az.
// (The method of Lawson and Hanson: columns enter one at a time, and leave when
// their weight would become negative.)
//
//hyperplane:given
func nonnegative(A *mat.Dense, b *mat.VecDense) (z []float64, r *mat.VecDense) {
	_, n := A.Dims()
	z, r = make([]float64, n), mat.VecDenseCopyOf(b)
	var inside []int // indices of the columns with a positive weight
	for range 20 * n {
		best, gain := -1, 1e-11
		for j := range n {
			if g := mat.Dot(A.ColView(j), r); z[j] == 0 && g > gain {
				best, gain = j, g
			}
		}
		if best < 0 {
			break
		}
		inside = append(inside, best)
		for len(inside) > 0 {
			columns := mat.NewDense(b.Len(), len(inside), nil)
			for k, j := range inside {
				columns.SetCol(k, mat.Col(nil, j, A))
			}
			var svd mat.SVD
			var s mat.VecDense // least-squares weights of these columns, of any sign
			svd.Factorize(columns, mat.SVDThin)
			svd.SolveVecTo(&s, b, svd.Rank(1e-13))
			step := 1.0
			for k, j := range inside {
				if s.AtVec(k) <= 0 {
					step = math.Min(step, z[j]/(z[j]-s.AtVec(k)))
				}
			}
			var keep []int
			for k, j := range inside {
				z[j] += step * (s.AtVec(k) - z[j])
				if z[j] > 1e-14 {
					keep = append(keep, j)
				} else {
					z[j] = 0
				}
			}
			inside = keep
			if step == 1 {
				break
			}
		}
		r.MulVec(A, mat.NewVecDense(n, z))
		r.SubVec(b, r)
	}
	return z, r
}
