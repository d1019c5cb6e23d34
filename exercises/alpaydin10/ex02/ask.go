package ex02

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	distanceFunc = func(x, w []float64, w0 float64) float64
	originFunc   = func(w []float64, w0 float64) float64
)

// ask calls the learner's Distance with copies; with a verdict instead of a
// number where an argument was changed or no finite number came back.
func ask(distance distanceFunc, p problem) (float64, *verify.Verdict) {
	var in learner.Inputs
	r := distance(in.Slice("x", p.x), in.Slice("w", p.w), p.w0)
	if bad := in.Changed(3); bad != nil {
		return 0, bad
	}
	return r, finite(r, p)
}

// askOrigin is ask for OriginDistance.
func askOrigin(origin originFunc, p problem) (float64, *verify.Verdict) {
	var in learner.Inputs
	r := origin(in.Slice("w", p.w), p.w0)
	if bad := in.Changed(3); bad != nil {
		return 0, bad
	}
	return r, finite(r, p)
}

func finite(r float64, p problem) *verify.Verdict {
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return learner.Fail("not-finite", 3, "For “%s” you returned %g. w is never zero, so no distance is; is there a division by something else, or the root of a negative number?", p.name, r)
	}
	return nil
}

// judgeForm looks at what comes back, before what it is worth.
func judgeForm(distance distanceFunc) verify.Verdict {
	for _, p := range problems(source(1)) {
		first, bad := ask(distance, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(distance, p)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same x, w and w0 gave different numbers. A distance depends on these three alone.")
		}
	}
	return verify.Pass("You returned a number for every plane, from D = 1 to 5.")
}

// judgeOriginForm is judgeForm for OriginDistance.
func judgeOriginForm(origin originFunc) verify.Verdict {
	for _, p := range problems(source(2)) {
		first, bad := askOrigin(origin, p)
		if bad != nil {
			return *bad
		}
		second, bad := askOrigin(origin, p)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same w and w0 gave different numbers. A distance depends on these two alone.")
		}
	}
	return verify.Pass("You returned a number for every plane, from D = 1 to 5.")
}
