package ex15

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeTails looks at large weights, where some outputs are 0 or 1 to the last
// digit: as on the way to separable data's infinite weights.
func judgeTails(hessian hessianFunc) verify.Verdict {
	r := source(6)
	for _, extreme := range [][]float64{{800, -0.4, 1.1}, {-800, -0.4, 1.1}, {40, -40, 0.9, 0.1}, {800, -800, 745, -745, 710, -710, 1.2, -0.3}, {1e4, -1e4, 0.5, 2}} {
		// The second column is chosen so that wᵀφ is the activation wanted.
		p := problem{name: "large weights", Phi: mat.NewDense(len(extreme), 2, nil), w: []float64{0.5, 20}}
		for i, a := range extreme {
			x := r.NormFloat64()
			p.Phi.SetRow(i, []float64{x, (a - p.w[0]*x) / p.w[1]})
		}
		h, _, bad := askWatching(hessian, p)
		if bad != nil {
			return *bad
		}
		if _, _, v, ok := allFinite(h); !ok {
			return verify.Fail("overflow", 3, "At activations like %g your matrix holds %g. In e^a/(1+e^a), and in e^−a/(1+e^−a)², the exponential overflows to Inf for |a| > 709 on one side, and Inf/Inf is NaN. Both σ(a) and 1−σ(a) can be written so that exp only sees numbers below 0.", extreme[0], v)
		}
		if f := verify.CloseMat(h, p.weighted(weight), verify.Tolerance{Rel: 1e-7}); !f.OK {
			if !rightInTheMiddle(hessian) {
				return verify.Fail("wrong-in-the-middle", 0, "Your matrix is finite at activations like %g, but not right. It is not at moderate activations either: mend that first, the second part says more.", extreme[0])
			}
			return verify.Fail("tails", 3, "At activations like %g your matrix is %s. Points so far from the boundary have next to no weight; are activations or outputs clipped?", extreme[0], f.Off())
		}
	}
	one := problem{Phi: mat.NewDense(1, 1, []float64{1}), w: []float64{40}}
	h, bad := ask(hessian, one)
	if bad != nil {
		return *bad
	}
	if !verify.Close(h.At(0, 0), weight(40), verify.Tolerance{Rel: 1e-6}).OK {
		return verify.Pass("No overflow at ±800. (One thing to know: at a = 40 your weight has no digits left, because 1−y is formed from a y that is already 1. σ(a)·σ(−a) keeps them.)")
	}
	return verify.Pass("No overflow at ±800, and the weight keeps its digits even where y is 1 to the last one.")
}

// rightInTheMiddle is the control experiment: the same comparison at activations
// of a few units.
func rightInTheMiddle(hessian hessianFunc) bool {
	p := fullRank(source(9))[0]
	h, bad := ask(hessian, p)
	return bad == nil && verify.CloseMat(h, p.weighted(weight), verify.Tolerance{Rel: 1e-7}).OK
}
