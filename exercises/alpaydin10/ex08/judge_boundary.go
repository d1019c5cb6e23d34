package ex08

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type boundaryFunc = func(w, w0 float64) float64

// askBoundary returns the learner's boundary of every line, with a verdict
// instead where one is no finite number.
func askBoundary(boundary boundaryFunc, list []line) ([]float64, *verify.Verdict) {
	out := make([]float64, len(list))
	for i, l := range list {
		out[i] = boundary(l.w, l.w0)
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, learner.Fail("not-finite", 3, "For w = %g and w0 = %g your boundary is %g. w is never zero; w0 may be, so it must not divide.", l.w, l.w0, out[i])
		}
	}
	return out, nil
}

func judgeBoundaryForm(boundary boundaryFunc) verify.Verdict {
	list := lines(1)
	first, bad := askBoundary(boundary, list)
	if bad != nil {
		return *bad
	}
	second, bad := askBoundary(boundary, list)
	if bad != nil {
		return *bad
	}
	if !verify.CloseSlice(second, first, verify.Tolerance{}).OK {
		return verify.Fail("not-constant", 0, "Two calls with the same w and w0 gave different numbers.")
	}
	return verify.Pass("You returned a number for every line.")
}

// judgeHalf sets the learner's x into the sigmoid.
func judgeHalf(boundary boundaryFunc) verify.Verdict {
	list := lines(2)
	got, bad := askBoundary(boundary, list)
	if bad != nil {
		return *bad
	}
	for i, l := range list {
		// Near ½ an error in x is seen in y a quarter of w times as large; what is
		// left of wx + w0 after the two cancel is rounding of size w0.
		f := verify.Close(l.y(got[i]), 0.5, verify.Tolerance{Abs: 1e-12 * (1 + math.Abs(l.w0))})
		if f.OK {
			continue
		}
		if v, ok := recogniseBoundary(list, got); ok {
			return v
		}
		return verify.Fail("not-half", 2, "For w = %.4g and w0 = %.4g, σ(wx + w0) is not ½ at your x: it is %s.", l.w, l.w0, f.Off())
	}
	return verify.Pass("Set into the sigmoid, your x gives ½ for every line: with w and w0 of both signs, for boundaries at 0 and far out.")
}

// judgeCrossing finds the change of class without a formula.
func judgeCrossing(boundary boundaryFunc) verify.Verdict {
	list := lines(3)
	got, bad := askBoundary(boundary, list)
	if bad != nil {
		return *bad
	}
	for i, l := range list {
		f := verify.Close(got[i], l.crossing(), verify.Tolerance{Abs: 1e-9 * l.unit()})
		if f.OK {
			continue
		}
		if v, ok := recogniseBoundary(list, got); ok {
			return v
		}
		return verify.Fail("not-the-crossing", 2, "For w = %.4g and w0 = %.4g, bisection finds the change from one class to the other elsewhere: your x is %s.", l.w, l.w0, f.Off())
	}
	return verify.Pass("Bisection of σ(wx + w0) finds the change of class at your x.")
}

// mistake is a wrong formula for the boundary, in the line's own units.
func mistake(f func(w, w0 float64) float64) func([]line) []float64 {
	return func(list []line) []float64 {
		out := make([]float64, len(list))
		for i, l := range list {
			out[i] = f(l.w, l.w0) / l.unit()
		}
		return out
	}
}

var boundaryMistakes = []learner.Mistake[[]line]{
	{Key: "w0-is-boundary", Hint: 1, Value: mistake(func(_, w0 float64) float64 { return w0 }),
		Message: "You take w0 itself for the boundary. w0 is the height of the line wx + w0 at x = 0; where that line comes down to 0 depends on its slope too."},
	{Key: "minus-w0-is-boundary", Hint: 1, Value: mistake(func(_, w0 float64) float64 { return -w0 }),
		Message: "Your boundary is −w0, as if w were 1. The rule wx > −w0 compares wx with the threshold, not x."},
	{Key: "boundary-sign", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return w0 / w }),
		Message: "Your boundary is w0/w: the sign got lost in solving wx + w0 = 0."},
	{Key: "boundary-inverted", Hint: 2, Value: mistake(func(w, w0 float64) float64 {
		if w0 == 0 {
			return 0
		}
		return -w / w0
	}), Message: "Your boundary is −w/w0, upside down: solve wx + w0 = 0 for x."},
	{Key: "absolute-w", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return -w0 / math.Abs(w) }),
		Message: "Your boundary is −w0/|w|. That is PRML (4.5), which counts along the direction of w; for negative w that is to the left, and x counts to the right."},
	{Key: "distance", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return math.Abs(w0 / w) }),
		Message: "Your number is |w0/w|, the distance of the boundary from 0. Asked for is its place: which side of 0?"},
	{Key: "absolute-w-sign", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return w0 / math.Abs(w) }),
		Message: "Your number is w0/|w|, the distance (10.5) of the origin with its sign. Asked for is the x of the boundary."},
	{Key: "half-before-sigmoid", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return (0.5 - w0) / w }),
		Message: "You solved wx + w0 = ½. The ½ is the value after the sigmoid; at which argument is σ equal to ½?"},
	{Key: "one-before-sigmoid", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return (1 - w0) / w }),
		Message: "You solved wx + w0 = 1. The boundary is where neither class is more probable: σ = ½. At which argument is that?"},
	{Key: "product", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return -w0 * w }),
		Message: "Your boundary is −w0·w: w multiplies where it divides."},
	{Key: "difference", Hint: 2, Value: mistake(func(w, w0 float64) float64 { return -w0 - w }),
		Message: "Your boundary is −w0 − w: solving wx + w0 = 0 for x divides by w, it does not subtract it."},
	{Key: "zero", Hint: 1, Value: mistake(func(float64, float64) float64 { return 0 }),
		Message: "Your boundary is 0 for every line. It is there for w0 = 0 only."},
}

func recogniseBoundary(list []line, got []float64) (verify.Verdict, bool) {
	scaled, right := make([]float64, len(list)), make([]float64, len(list))
	for i, l := range list {
		scaled[i], right[i] = got[i]/l.unit(), l.crossing()/l.unit()
	}
	if v, ok := learner.Recognise(boundaryMistakes, list, scaled); ok {
		return v, true
	}
	if _, ok := learner.Factor(scaled, right); ok {
		return verify.Fail("boundary-factor", 2, "Your number is the boundary times one number that is the same for every line. Solve wx + w0 = 0 once more."), true
	}
	return verify.Verdict{}, false
}
