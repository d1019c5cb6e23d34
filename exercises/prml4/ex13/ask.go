package ex13

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// gradientFunc is the learner's function.
type gradientFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

// ask calls the learner's function with copies of everything and returns a copy
// of its answer; with a verdict instead where that is not M finite numbers.
func ask(gradient gradientFunc, p problem) ([]float64, *verify.Verdict) {
	g, bad := askRaw(gradient, p)
	if bad != nil {
		return nil, bad
	}
	if i, v, found := learner.NotFinite(g); found {
		return nil, learner.Fail("not-finite", 3, "For “%s” entry %d of your gradient is %g. Is there a division by y or 1−y, or a logarithm? Neither is left in the simplified form.", p.name, i, v)
	}
	return g, nil
}

// askRaw is ask without the look at the numbers.
func askRaw(gradient gradientFunc, p problem) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	g := slices.Clone(gradient(in.Slice("w", p.w), in.Dense("Phi", p.Phi), in.Slice("t", p.t)))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	n, m := p.Phi.Dims()
	switch len(g) {
	case m:
		return g, nil
	case 0:
		return nil, learner.Fail("empty", 3, "Nothing came back. The gradient has one entry per weight.")
	case n:
		return nil, learner.Fail("transposed", 2, "You returned %d numbers, one per data point. The gradient has one entry per weight, here %d: is Φ transposed somewhere, or the sum over the points missing?", n, m)
	}
	return nil, learner.Fail("wrong-length", 2, "You returned %d numbers. The gradient has one entry per weight, here %d.", len(g), m)
}

// judgeForm looks at what comes back, before what it is worth.
func judgeForm(gradient gradientFunc) verify.Verdict {
	r := source(1)
	for _, p := range append(general(r), edges(r)...) {
		first, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same w, Φ and t gave different gradients. Is something added to a slice that outlives the call?")
		}
	}
	return verify.Pass("You returned one number per weight, for M from 1 to 5 and N from 1 to 40.")
}
