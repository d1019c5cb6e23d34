package ex15

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// derivativeTol is the agreement asked for with central differences, whose own
// error is near 1e-10 of the largest entry.
var derivativeTol = verify.Tolerance{Rel: 1e-7}

// judgeDerivative compares with two derivatives that use no formula for the
// Hessian: of the gradient, entry by entry, and of E twice, along a line.
func judgeDerivative(hessian hessianFunc) verify.Verdict {
	r := source(2)
	for _, p := range fullRank(r) {
		h, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		// v = S·w makes steps of one length right for columns of every size.
		s := p.sizes()
		back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
		at := floats.MulTo(make([]float64, len(s)), p.w, s)
		even := p.even(h)

		f := verify.Jacobian(func(v []float64) []float64 { return back(p.gradient(back(v))) }, at, even, derivativeTol)
		u := make([]float64, len(at))
		for j := range u {
			u[j] = r.NormFloat64()
		}
		floats.Scale(1/floats.Norm(u, 2), u)
		along := func(c float64) float64 {
			return p.err(back(floats.AddScaledTo(make([]float64, len(at)), at, c, u)))
		}
		slope := func(c float64) float64 { return verify.Derivative(along, c, 0) }
		direction := mat.NewVecDense(len(u), u)
		// Two numerical derivatives in a row leave half the digits.
		g := verify.Close(mat.Inner(direction, even, direction), verify.Derivative(slope, 0, 0), verify.Tolerance{Rel: 1e-4, Abs: 1e-6})
		if f.OK && g.OK {
			continue
		}
		if m, ok := recognise(p, h); ok {
			return verify.Fail(m.key, m.hint, "%s", m.message)
		}
		if !f.OK {
			return verify.Fail("derivative", 2, "For “%s” (columns brought to size 1) the derivatives of ∇E by central differences are not your entries: %s.", p.name, f.Off())
		}
		return verify.Fail("curvature", 2, "For “%s” the second derivative of E along a random line is not uᵀHu: %s.", p.name, g.Off())
	}
	return verify.Pass("Your entries are the derivatives of the gradient, and uᵀHu is the second derivative of E along random lines. The targets have dropped out.")
}

// judgeSymmetric needs no more than that the order of derivatives is free.
func judgeSymmetric(hessian hessianFunc) verify.Verdict {
	for _, p := range fullRank(source(3)) {
		h, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		if f := verify.Symmetric(p.even(h), 1e-10); !f.OK {
			if upper, lower := triangles(h); upper != lower {
				return verify.Fail("one-triangle", 3, "One triangle of your matrix is all zeros: a *mat.Dense does not mirror the other one. Fill both, or use a mat.SymDense on the way.")
			}
			return verify.Fail("not-symmetric", 2, "For “%s” your matrix differs from its transpose: %s. Second derivatives may be taken in either order.", p.name, f.Off())
		}
	}
	return verify.Pass("Your matrix equals its transpose.")
}

// triangles tells whether there are non-zero entries above and below the diagonal.
func triangles(h *mat.Dense) (upper, lower bool) {
	n, _ := h.Dims()
	for i := range n {
		for j := range i {
			lower = lower || h.At(i, j) != 0
			upper = upper || h.At(j, i) != 0
		}
	}
	return upper, lower
}

// definiteTol is how far an eigenvalue must lie from 0, relative to the largest;
// for columns of size 1, the problems of full rank have none below 1e-4.
const definiteTol = 1e-10

func judgeDefinite(hessian hessianFunc) verify.Verdict {
	for _, p := range fullRank(source(4)) {
		h, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		unit := p.unit(h)
		if verify.PositiveDefinite(unit, definiteTol).OK {
			continue
		}
		unit.Scale(-1, unit)
		if verify.PositiveDefinite(unit, definiteTol).OK {
			return verify.Fail("negative", 1, "All eigenvalues are negative where they must be positive: E is convex, also where the text says “concave”.")
		}
		return verify.Fail("not-positive-definite", 2, "For “%s” some direction u ≠ 0 has uᵀHu ≤ 0, or nearly, although the columns of Φ are independent and every weight y(1−y) is positive.", p.name)
	}
	return verify.Pass("All eigenvalues are positive: E curves upwards in every direction, so it is convex. (The text after (4.98) and exercise 4.15 say “concave”, which is a misprint; the log likelihood −E is concave.)")
}

func judgeSemidefinite(hessian hessianFunc) verify.Verdict {
	for _, d := range rankDeficient(source(5)) {
		h, bad := ask(hessian, d.problem)
		if bad != nil {
			return *bad
		}
		unit := d.unit(h)
		if !verify.PositiveSemidefinite(unit, definiteTol).OK {
			unit.Scale(-1, unit)
			if verify.PositiveSemidefinite(unit, definiteTol).OK {
				return verify.Fail("negative", 1, "With %s no eigenvalue is positive where none may be negative: E is convex, also where the text says “concave”.", d.name)
			}
			return verify.Fail("not-semidefinite", 2, "With %s some direction has uᵀHu < 0. Dependent columns allow 0, never less: uᵀHu is a sum of squares with positive weights.", d.name)
		}
		// In coordinates of even size the flat direction is S·u.
		flat := floats.MulTo(make([]float64, len(d.null)), d.null, d.sizes())
		floats.Scale(1/floats.Norm(flat, 2), flat)
		var image mat.VecDense
		image.MulVec(d.even(h), mat.NewVecDense(len(flat), flat))
		if f := verify.CloseSlice(image.RawVector().Data, make([]float64, len(flat)), verify.Tolerance{Abs: 1e-8}); !f.OK {
			return verify.Fail("curved-along-flat", 2, "With %s there is a direction u along which Φu = 0 and E is constant, but your Hu is not zero: %s. Was something added to the diagonal?", d.name, f.Off())
		}
	}
	return verify.Pass("Where columns of Φ depend on each other your matrix is positive semidefinite only: uᵀHu = 0 along a direction that Φ does not see. “uᵀHu > 0 for an arbitrary vector” (after (4.98)) needs u ≠ 0 and full column rank.")
}
