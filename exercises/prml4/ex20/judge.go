package ex20

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeForm(hessian hessianFunc) verify.Verdict {
	for _, p := range fullRank(source(1)) {
		first, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same W and Φ gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned an MK×MK matrix for M from 1 to 3 and K of 3 and 4.")
}

// compare is nil where h, in the order by classes, is the Hessian at p by two
// routes that use no formula for it; else it names what is wrong.
func compare(p problem, h *mat.Dense) *verify.Verdict {
	s := p.sizes()
	back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
	at, even := floats.MulTo(make([]float64, len(s)), p.vector(), s), p.even(h)
	f := verify.Jacobian(func(v []float64) []float64 { return back(p.gradient(back(v))) }, at, even, verify.Tolerance{Rel: 1e-7, Abs: 1e-9})

	u := instance.Unit(source(10), len(at))
	along := func(c float64) float64 {
		return p.err(back(floats.AddScaledTo(make([]float64, len(at)), at, c, u)))
	}
	slope := func(c float64) float64 { return verify.Derivative(along, c, 0) }
	direction := mat.NewVecDense(len(u), u)
	// Two numerical derivatives in a row leave half the digits.
	g := verify.Close(mat.Inner(direction, even, direction), verify.Derivative(slope, 0, 0), verify.Tolerance{Rel: 1e-4, Abs: 1e-6})
	if f.OK && g.OK {
		return nil
	}
	if v, ok := recognise(p, h); ok {
		return &v
	}
	if !f.OK {
		return learner.Fail("derivative", 1, "For “%s” (columns brought to size 1) the derivatives of the gradient by central differences are not your entries: %s. (Both orders of the weights were looked at; rows and columns are counted here from 0, in the order by classes.) Do the outputs of each point sum to 1?", p.name, f.Off())
	}
	return learner.Fail("curvature", 2, "For “%s” the second derivative of E along a random line is not uᵀHu: %s.", p.name, g.Off())
}

func judgeDerivative(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	for _, p := range fullRank(source(2)) {
		h, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		if bad = compare(p, o.classes(h, p)); bad == nil {
			continue
		}
		// A mistake may look more like the Hessian in the order that it was not made in.
		for _, other := range orders {
			if other != o && bad.Key == "derivative" {
				if v, ok := recognise(p, other.classes(h, p)); ok {
					return v
				}
				if compare(p, other.classes(h, p)) == nil {
					return verify.Fail("order-changes", 3, "For “%s” your weights are in another order than for other problems. Either order is right, but it must be the same throughout.", p.name)
				}
			}
		}
		return *bad
	}
	return verify.Pass("Your entries are the derivatives of the gradient; the weights are in the order %s. The sign in front is plus: the minus printed in (4.110) is a misprint.", o.name)
}

func judgeSymmetric(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	for _, p := range fullRank(source(3)) {
		h, bad := askOrdered(hessian, o, p)
		if bad != nil {
			return *bad
		}
		if f := verify.Symmetric(p.even(h), 1e-10); !f.OK {
			return verify.Fail("not-symmetric", 2, "For “%s” your matrix differs from its transpose: %s. Second derivatives may be taken in either order. Is only one triangle filled, are rows and columns in different orders of the weights, or does an index of y belong to the row where it belongs to the column?", p.name, f.Off())
		}
	}
	return verify.Pass("Your matrix equals its transpose.")
}

// zeroTol is what counts as 0 among the eigenvalues, relative to the largest; the
// problems of full rank have no others below 1e-5.
const zeroTol = 1e-10

func judgeSemidefinite(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	for _, p := range fullRank(source(4)) {
		h, bad := askOrdered(hessian, o, p)
		if bad != nil {
			return *bad
		}
		even := p.even(h)
		if verify.PositiveSemidefinite(even, zeroTol).OK {
			if mat.Max(even) == 0 && mat.Min(even) == 0 {
				return verify.Fail("zero", 3, "All your entries are 0. Was the result never written to?")
			}
			continue
		}
		even.Scale(-1, even)
		if verify.PositiveSemidefinite(even, zeroTol).OK {
			return verify.Fail("printed-sign", 2, "No eigenvalue is positive where none may be negative: this is (4.110) with its printed minus, which is a misprint. E is convex.")
		}
		return verify.Fail("not-semidefinite", 2, "For “%s” some direction has uᵀHu < 0. With s_k = u_kᵀφ, the part of one point is the variance of s under the probabilities y: it cannot be negative. Are the cross blocks there, with their minus, and do the outputs of each point sum to 1?", p.name)
	}
	return verify.Pass("No eigenvalue is negative: uᵀHu is a sum of variances, one for each point.")
}

func judgeNull(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	r := source(5)
	for _, p := range fullRank(r) {
		h, bad := askOrdered(hessian, o, p)
		if bad != nil {
			return *bad
		}
		_, m, k := p.dims()
		even := p.even(h)
		size := mat.Norm(even, 1)
		for range 3 {
			c := instance.Unit(r, m)
			var u, image []float64
			for range k {
				u = append(u, c...)
			}
			image = mulVec(even, u)
			if f := verify.CloseSlice(image, make([]float64, len(u)), verify.Tolerance{Abs: 1e-9 * size}); !f.OK {
				return verify.Fail("curved-along-shift", 2, "For “%s” your Hu is not 0 along a u that adds one vector to all w_k: %s. No output changes then, so E is constant. Are the cross blocks right? Do the outputs of each point sum to 1, to all digits? Is something added to the diagonal?", p.name, f.Off())
			}
		}
		// H + the projection onto the shifts, times the size, is definite exactly if nothing else is flat.
		if size > 0 {
			scaled := mat.DenseCopyOf(even)
			scaled.Apply(func(i, j int, v float64) float64 {
				v /= size
				if i%m == j%m {
					v += 1 / float64(k)
				}
				return v
			}, scaled)
			if !verify.PositiveDefinite(scaled, zeroTol).OK {
				even.Scale(-1, even)
				if verify.PositiveSemidefinite(even, zeroTol).OK {
					return verify.Fail("printed-sign", 2, "With your sign the curvature of E is 0 or negative in every direction: this is the printed minus of (4.110), a misprint. Mend the sign first; the flat directions can be told after that.")
				}
				return verify.Fail("too-flat", 2, "For “%s” there are directions with uᵀHu = 0 (or less) in which the classes do not all move together. Φ has full column rank here, so E is curved along each of those. If another part says that a sign or a block is wrong, mend that first.", p.name)
			}
		} else {
			return verify.Fail("zero", 3, "All your entries are 0: flat in every direction. Was the result never written to?")
		}
	}
	return verify.Pass("Exactly M eigenvalues are 0, those of the directions that add one vector to all w_k. So the minimum is never unique; “positive definite”, after (4.110), holds only with one class held or with a prior.")
}

func mulVec(h *mat.Dense, u []float64) []float64 {
	var image mat.VecDense
	image.MulVec(h, mat.NewVecDense(len(u), u))
	return image.RawVector().Data
}
