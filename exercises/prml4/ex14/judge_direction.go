package ex14

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type directionFunc = func(Phi *mat.Dense, t []float64) (w []float64, ok bool)

// askDirection calls the learner's function with copies and returns a copy of its
// answer.
func askDirection(f directionFunc, p problem) (w []float64, ok bool, bad *verify.Verdict) {
	var in learner.Inputs
	w, ok = f(in.Dense("Phi", p.Phi), in.Slice("t", p.t))
	return slices.Clone(w), ok, in.Changed(3)
}

func judgeSeparable(f directionFunc) verify.Verdict {
	var found, missed []problem
	for _, p := range separable(source(1)) {
		w, ok, bad := askDirection(f, p)
		if bad != nil {
			return *bad
		}
		if !ok {
			missed = append(missed, p)
			continue
		}
		found = append(found, p)
		if bad := separates(p, w); bad != nil {
			return *bad
		}
	}
	switch {
	case len(missed) == 0:
		return verify.Pass("Your w separates the classes strictly on all %d sets. Its length is free, and so is the choice among all that separate.", len(found))
	case len(found) == 0:
		return verify.Fail("never-ok", 2, "You report no separating direction for any data, also where there are many.")
	case missed[0].name == "very small features" || missed[0].name == "very large features":
		return verify.Fail("absolute-threshold", 2, "With %s (all numbers multiplied by one factor) you report no separating direction where you found one before. Is a fixed number in your search: a margin, a length, a step?", missed[0].name)
	}
	return verify.Fail("missed", 2, "For “%s” there is a separating direction, and you report none. Does the search stop too early, or is only one special direction tried (the means, least squares)?", missed[0].name)
}

// separates is nil where w separates the classes of p strictly, and else what is
// wrong with it.
func separates(p problem, w []float64) *verify.Verdict {
	_, m := p.Phi.Dims()
	if len(w) != m {
		return learner.Fail("wrong-length", 2, "For “%s” you returned ok and a w with %d entries; it has one per column of Φ, here %d.", p.name, len(w), m)
	}
	if i, v, found := learner.NotFinite(w); found {
		return learner.Fail("not-finite", 2, "For “%s” entry %d of your w is %g.", p.name, i, v)
	}
	length := floats.Norm(w, math.Inf(1))
	if length == 0 {
		return learner.Fail("zero-vector", 3, "For “%s” you returned w = 0, which leaves every point on the boundary. Is a point with wᵀφ = 0 taken for a right one?", p.name)
	}
	unit := slices.Clone(w)
	floats.Scale(1/length, unit)
	margins := p.margins(unit)
	if floats.Max(margins) < 0 {
		return learner.Fail("opposite", 1, "For “%s” your w has every point on the wrong side: −w separates. wᵀφ is positive where t = 1.", p.name)
	}
	low := floats.MinIdx(margins)
	switch {
	case margins[low] < 0:
		return learner.Fail("not-separating", 2, "For “%s” your w leaves point %d on the wrong side. A direction is only returned after all points were looked at without a correction.", p.name, low)
	case margins[low] == 0:
		return learner.Fail("on-the-boundary", 3, "For “%s” your w leaves point %d on the boundary, wᵀφ = 0: there y = ½ for every length of w. The separation must be strict.", p.name, low)
	}
	return nil
}

// claimed returns the problems for which the learner reports a direction.
func claimed(f directionFunc, problems []problem) (out []problem, bad *verify.Verdict) {
	for _, p := range problems {
		_, ok, bad := askDirection(f, p)
		if bad != nil {
			return nil, bad
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}

func judgeOverlapping(f directionFunc) verify.Verdict {
	problems := overlapping(source(2))
	wrong, bad := claimed(f, problems)
	switch {
	case bad != nil:
		return *bad
	case len(wrong) == len(problems):
		return verify.Fail("always-ok", 2, "You report success on every data set, also where the classes overlap. How does your search know that it has failed?")
	case len(wrong) > 0:
		return verify.Fail("false-success", 2, "For “%s” no direction separates the classes, and you report one. Were all points looked at after the last correction?", wrong[0].name)
	}
	if v := neverOK(f); v != nil {
		return *v
	}
	return verify.Pass("Where the classes overlap you report none.")
}

func judgeTouching(f directionFunc) verify.Verdict {
	problems := touching()
	wrong, bad := claimed(f, problems)
	switch {
	case bad != nil:
		return *bad
	case len(wrong) > 0:
		return verify.Fail("touching", 3, "For “%s” some point stays on the boundary of every direction that has none on the wrong side, and you report a separating one. The conditions are strict: there E would stop at ln 2 for each such point, and not fall to 0.", wrong[0].name)
	}
	if v := neverOK(f); v != nil {
		return *v
	}
	return verify.Pass("Where the classes only touch you report none: a point on the boundary keeps its ln 2.")
}

// neverOK keeps a function that always says no from earning the parts where no is
// right.
func neverOK(f directionFunc) *verify.Verdict {
	found, bad := claimed(f, separable(source(1))[:3])
	if bad != nil {
		return bad
	}
	if len(found) == 0 {
		return learner.Fail("never-ok", 2, "No is right here, but you say no to separable classes as well: see the first part.")
	}
	return nil
}
