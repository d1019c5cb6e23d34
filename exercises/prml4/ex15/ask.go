package ex15

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc   = func(w []float64, Phi *mat.Dense) *mat.Dense
	directionFunc = func(Phi *mat.Dense) (u []float64, ok bool)
)

// ask calls the learner's Hessian with copies and returns a copy of its answer,
// with a verdict instead where that is not an M×M matrix of finite numbers.
func ask(hessian hessianFunc, p problem) (*mat.Dense, *verify.Verdict) {
	h, _, bad := askWatching(hessian, p)
	if bad != nil {
		return nil, bad
	}
	if i, j, v, ok := allFinite(h); !ok {
		v := verify.Fail("not-finite", 3, "For “%s” the entry in row %d, column %d is %g.", p.name, i, j, v)
		return nil, &v
	}
	return h, nil
}

// askWatching is ask without the look at the numbers; it names the argument that
// was changed.
func askWatching(hessian hessianFunc, p problem) (h *mat.Dense, changed string, bad *verify.Verdict) {
	w, phi := append([]float64(nil), p.w...), mat.DenseCopyOf(p.Phi)
	h = hessian(w, phi)
	switch {
	case !mat.Equal(phi, p.Phi):
		changed = "Φ"
	case !floats.Equal(w, p.w):
		changed = "w"
	}
	n, m := p.Phi.Dims()
	if f := verify.Shape(h, m, m); !f.OK {
		v := verify.Fail("wrong-shape", 2, "For “%s” with N = %d points and M = %d weights you returned %s: one row and one column per weight.", p.name, n, m, f.Off())
		if h == nil || h.IsEmpty() {
			v = verify.Fail("empty", 3, "You returned no matrix. The Hessian is a new M×M matrix: mat.NewDense(M, M, nil), or the receiver of a product.")
		} else if r, c := h.Dims(); r == n && c == n {
			v = verify.Fail("n-by-n", 2, "You returned an N×N matrix, one row per data point: a product in the order Φ…Φᵀ. The second derivatives are with respect to the M weights.")
		}
		return nil, changed, &v
	}
	return mat.DenseCopyOf(h), changed, nil
}

func allFinite(h *mat.Dense) (i, j int, v float64, ok bool) {
	r, c := h.Dims()
	for i := range r {
		for j := range c {
			if v := h.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j, v, false
			}
		}
	}
	return 0, 0, 0, true
}

// judgeForm looks at what comes back, before what it is worth.
func judgeForm(hessian hessianFunc) verify.Verdict {
	for _, p := range fullRank(source(1)) {
		_, changed, bad := askWatching(hessian, p)
		if bad != nil {
			return *bad
		}
		if changed != "" {
			return verify.Fail("mutates-inputs", 3, "Your function changed %s. A *mat.Dense and a slice are shared with the caller: write into a new matrix.", changed)
		}
		first, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(hessian, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same w and Φ gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned an M×M matrix for M from 1 to 5 and N from 1 to 40.")
}

// askDirection calls the learner's NullDirection with a copy of Φ and returns a
// copy of its answer.
func askDirection(nullDirection directionFunc, p problem) (u []float64, ok bool, bad *verify.Verdict) {
	phi := mat.DenseCopyOf(p.Phi)
	u, ok = nullDirection(phi)
	if !mat.Equal(phi, p.Phi) {
		v := verify.Fail("mutates-inputs", 3, "Your NullDirection changed Φ. A *mat.Dense is shared with the caller: work on a copy (mat.DenseCopyOf).")
		return nil, ok, &v
	}
	return append([]float64(nil), u...), ok, nil
}
