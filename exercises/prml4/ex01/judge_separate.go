package ex01

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// askPlane calls the learner's Separate with copies and returns copies of its
// answers, with a verdict instead where a hyperplane is claimed and what came back
// is none, or an argument was changed.
func askPlane(separate separator, p problem) (w []float64, w0 float64, ok bool, bad *verify.Verdict) {
	var in learner.Inputs
	w, w0, ok = separate(in.Dense("x", p.x), in.Dense("y", p.y))
	w = append([]float64(nil), w...)
	if bad := in.Changed(3); bad != nil {
		return nil, 0, false, bad
	}
	if !ok {
		return nil, 0, false, nil
	}
	_, d := p.x.Dims()
	if bad := form.Vector("w", w, d, "coordinate", p.name, 3); bad != nil {
		return nil, 0, false, bad
	}
	if _, v, found := learner.NotFinite([]float64{w0}); found {
		return nil, 0, false, learner.Fail("not-finite", 3, "For “%s” your w0 is %g.", p.name, v)
	}
	return w, w0, true, nil
}

// sides are the least wᵀx and the largest wᵀy.
func sides(p problem, w []float64) (lowX, highX, lowY, highY float64) {
	lowX, highX, lowY, highY = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	n, _ := p.x.Dims()
	for i := range n {
		v := floats.Dot(w, p.x.RawRowView(i))
		lowX, highX = math.Min(lowX, v), math.Max(highX, v)
	}
	m, _ := p.y.Dims()
	for i := range m {
		v := floats.Dot(w, p.y.RawRowView(i))
		lowY, highY = math.Min(lowY, v), math.Max(highY, v)
	}
	return lowX, highX, lowY, highY
}

func judgeSeparates(separate separator) verify.Verdict {
	problems := separable(1)
	missed, first := 0, ""
	var failed []problem
	var broken *verify.Verdict
	for _, p := range problems {
		w, w0, ok, bad := askPlane(separate, p)
		if bad != nil {
			return *bad
		}
		again, again0, okAgain, bad := askPlane(separate, p)
		if bad != nil {
			return *bad
		}
		if ok != okAgain || ok && (!verify.CloseSlice(again, w, verify.Tolerance{Rel: 1e-9}).OK || !verify.Close(again0, w0, verify.Tolerance{Rel: 1e-9, Abs: 1e-300}).OK) {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different answers.")
		}
		if !ok {
			if missed++; missed == 1 {
				first = p.name
			}
			failed = append(failed, p)
			continue
		}
		// A w that separates nothing elsewhere says more than a bias that is off.
		if v := strict(p, w, w0); v != nil && (broken == nil || broken.Key == "bias-off" && v.Key == "not-separating") {
			broken = v
		}
	}
	if v := onlyCopies(failed); broken == nil && v != nil {
		return *v
	}
	switch {
	case broken != nil:
		return *broken
	case missed == len(problems):
		return verify.Fail("never-ok", 1, "You never find a hyperplane. Two single points that differ are separable, to begin with.")
	case missed > 0 && first == narrowGap:
		return verify.Fail("gives-up", 3, "Only for “%s” you find no hyperplane, although there is one. A search with a fixed number of steps, like a perceptron that gives up, cannot tell “not yet” from “never”; it needs the more steps the narrower the gap is.", first)
	case missed > 0:
		return verify.Fail("missed", 3, "For “%s” you say that there is no hyperplane, but these sets are separable. (For %d of the %d pairs in this part.)", first, missed, len(problems))
	}
	return verify.Pass("For %d separable pairs, in one to five dimensions, every point is strictly on its side.", len(problems))
}

// strict is nil where all inequalities hold.
func strict(p problem, w []float64, w0 float64) *verify.Verdict {
	lowX, highX, lowY, highY := sides(p, w)
	if lowX+w0 > 0 && highY+w0 < 0 {
		return nil
	}
	switch {
	case floats.Norm(w, 1) == 0:
		return learner.Fail("zero-w", 2, "For “%s” your w is the zero vector: wᵀx + w0 has one sign for all points.", p.name)
	case highX+w0 < 0 && lowY+w0 > 0:
		return learner.Fail("sides-swapped", 2, "For “%s” your hyperplane separates the sets, but x lies on the negative side and y on the positive one. Asked for is wᵀx + w0 > 0 and wᵀy + w0 < 0.", p.name)
	case lowX > highY && (lowX+w0 == 0 || highY+w0 == 0):
		return learner.Fail("non-strict", 2, "For “%s” your hyperplane passes through a point of one of the sets. The inequalities are strict: move it into the gap.", p.name)
	case lowX > highY:
		return learner.Fail("bias-off", 3, "For “%s” the direction of your w separates the sets, but w0 does not put the hyperplane between them: it belongs between the least wᵀx and the largest wᵀy.", p.name)
	case lowY > highX:
		return learner.Fail("sides-swapped", 2, "For “%s” your w points from x to y. Asked for is wᵀx + w0 > 0 and wᵀy + w0 < 0.", p.name)
	case lowX+w0 >= 0 && highY+w0 <= 0:
		return learner.Fail("non-strict", 2, "For “%s” a point of each set lies on your hyperplane. The inequalities are strict.", p.name)
	}
	return learner.Fail("not-separating", 3, "For “%s” you return a hyperplane, but there are points on the wrong side of it, and no w0 would help: along your w the sets overlap. (The line between the means is one w among many.)", p.name)
}

func judgeNoPlane(separate separator) verify.Verdict {
	problems := meeting(2)
	claimed, touching, plain := 0, 0, 0
	first := ""
	var failed []problem
	for _, p := range problems {
		_, _, ok, bad := askPlane(separate, p)
		if bad != nil {
			return *bad
		}
		if !p.touching {
			plain++
		}
		if ok {
			if claimed++; claimed == 1 {
				first = p.name
			}
			failed = append(failed, p)
			if p.touching {
				touching++
			}
		}
	}
	if v := onlyCopies(failed); v != nil {
		return *v
	}
	switch {
	case claimed == len(problems):
		return verify.Fail("always-ok", 1, "You claim a hyperplane for every pair of sets, also where a point of one lies inside the hull of the other. Whatever is computed has to be tested on all points before ok is true.")
	case claimed > 0 && claimed == touching:
		return verify.Fail("non-strict", 2, "Where the hulls only touch, as in “%s”, you claim a hyperplane. A common point of the hulls would have to be strictly on both sides; ≥ 0 is not enough.", first)
	case claimed > 0:
		return verify.Fail("false-plane", 2, "For “%s” you claim a hyperplane, but the hulls have a point in common (%d of %d such pairs). At that point wᵀz + w0 would be positive and negative at once.", first, claimed, len(problems))
	}
	return verify.Pass("No hyperplane is claimed for %d pairs whose hulls overlap, nor for %d that only touch.", plain, len(problems)-plain)
}
