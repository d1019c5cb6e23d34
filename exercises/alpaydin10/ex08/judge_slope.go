package ex08

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type slopeFunc = func(w float64) float64

func askSlope(slope slopeFunc, list []line) ([]float64, *verify.Verdict) {
	out := make([]float64, len(list))
	for i, l := range list {
		out[i] = slope(l.w)
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, learner.Fail("not-finite", 3, "For w = %g your slope is %g. Where does it overflow, or divide by zero?", l.w, out[i])
		}
	}
	return out, nil
}

func judgeSlopeForm(slope slopeFunc) verify.Verdict {
	list := lines(4)
	first, bad := askSlope(slope, list)
	if bad != nil {
		return *bad
	}
	second, bad := askSlope(slope, list)
	if bad != nil {
		return *bad
	}
	if !verify.CloseSlice(second, first, verify.Tolerance{}).OK {
		return verify.Fail("not-constant", 0, "Two calls with the same w gave different numbers.")
	}
	return verify.Pass("You returned a number for every w.")
}

// judgeSlope compares with central differences of the sigmoid itself, at the place
// that bisection finds.
func judgeSlope(slope slopeFunc) verify.Verdict {
	list := lines(5)
	got, bad := askSlope(slope, list)
	if bad != nil {
		return *bad
	}
	for i, l := range list {
		at := l.crossing()
		// Walking in steps of 1/|w| makes one step right for every w.
		numeric := math.Abs(l.w) * verify.Derivative(func(c float64) float64 { return l.y(at + c/math.Abs(l.w)) }, 0, 0)
		f := verify.Close(got[i], numeric, verify.Tolerance{Rel: 1e-7})
		if f.OK {
			continue
		}
		if v, ok := recogniseSlope(list, got); ok {
			return v
		}
		return verify.Fail("slope", 2, "For w = %.4g the derivative of σ(wx + w0) at the boundary, by central differences, is not your number: %s.", l.w, f.Off())
	}
	return verify.Pass("Central differences at the boundary agree for every w and, as w0 does not occur, wherever the boundary lies: w0 moves the curve, w alone makes it steep.")
}

// slopeMistake is a wrong formula for the slope, in units of w.
func slopeMistake(f func(w float64) float64) func([]line) []float64 {
	return func(list []line) []float64 {
		out := make([]float64, len(list))
		for i, l := range list {
			out[i] = f(l.w) / math.Abs(l.w)
		}
		return out
	}
}

var slopeMistakes = []learner.Mistake[[]line]{
	{Key: "slope-is-w", Hint: 1, Value: slopeMistake(func(w float64) float64 { return w }),
		Message: "Your slope is w, that of the line wx + w0. The sigmoid of the line is flatter: the chain rule has one more factor, σ′ at the boundary."},
	{Key: "inner-derivative", Hint: 2, Value: slopeMistake(func(float64) float64 { return 0.25 }),
		Message: "Your slope is ¼ for every w: the derivative of σ with respect to its argument. The argument itself grows with x, at the rate w."},
	{Key: "slope-absolute", Hint: 2, Value: slopeMistake(func(w float64) float64 { return math.Abs(w) / 4 }),
		Message: "The size is right, but for negative w the sigmoid falls from left to right: its slope is negative."},
	{Key: "slope-sign", Hint: 2, Value: slopeMistake(func(w float64) float64 { return -w / 4 }),
		Message: "The sign is turned round: for w > 0 the curve rises."},
	{Key: "half-for-quarter", Hint: 2, Value: slopeMistake(func(w float64) float64 { return w / 2 }),
		Message: "Your slope is w/2: σ(0) = ½ was taken for σ′(0). The derivative is σ(1 − σ)."},
	{Key: "w-squared", Hint: 2, Value: slopeMistake(func(w float64) float64 { return w * w / 4 }),
		Message: "A factor w too many: the inner derivative of σ(wx + w0) is w, once."},
	{Key: "slope-inverted", Hint: 2, Value: slopeMistake(func(w float64) float64 { return 4 / w }),
		Message: "Your number is 4/w, the width over which the tangent climbs from 0 to 1. The slope is its reciprocal."},
	{Key: "multiplied-by-four", Hint: 2, Value: slopeMistake(func(w float64) float64 { return 4 * w }),
		Message: "Your slope is 4w: σ′(0) is a quarter, not four."},
	{Key: "sigmoid-of-w", Hint: 2, Value: slopeMistake(func(w float64) float64 { return kernel.Sigmoid(w) * kernel.Sigmoid(-w) }),
		Message: "You put w into the derivative: σ′(w). σ′ belongs at the argument wx + w0, which is 0 at the boundary; w is the factor in front."},
	{Key: "sigmoid-of-w", Hint: 2, Value: slopeMistake(func(w float64) float64 { return w * kernel.Sigmoid(w) * kernel.Sigmoid(-w) }),
		Message: "Your slope is w σ′(w), which is the slope at wx + w0 = w. At the boundary the argument of σ is 0."},
	{Key: "w-for-y", Hint: 2, Value: slopeMistake(func(w float64) float64 { return w * (1 - w) }),
		Message: "Your slope is w(1 − w). In σ′ = y(1 − y) stands the output y, which is ½ at the boundary, and the inner derivative w comes in front."},
	{Key: "slope-zero", Hint: 1, Value: slopeMistake(func(float64) float64 { return 0 }),
		Message: "Your slope is 0 for every w: a curve that crosses ½ without rising or falling."},
}

func recogniseSlope(list []line, got []float64) (verify.Verdict, bool) {
	scaled, right := make([]float64, len(list)), make([]float64, len(list))
	for i, l := range list {
		scaled[i], right[i] = got[i]/math.Abs(l.w), math.Copysign(0.25, l.w)
	}
	if v, ok := learner.Recognise(slopeMistakes, list, scaled); ok {
		return v, true
	}
	if c, ok := learner.Factor(scaled, right); ok {
		if math.Abs(c-1) < 0.02 {
			return verify.Fail("rounded", 3, "Nearly: your slope is the right one times a number near 1. A rounded decimal?"), true
		}
		return verify.Fail("slope-factor", 2, "Your slope is the right one times a number that is the same for every w. What are the value of σ and of σ(1 − σ) at the boundary?"), true
	}
	return verify.Verdict{}, false
}
