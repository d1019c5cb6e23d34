// Package ex08 judges Alpaydin exercise 10.8: the meaning of w and w0 for the sigmoid
// of one input, where it crosses ½ and how steep it is there.
package ex08

import (
	"embed"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	boundaryFunc = func(w, w0 float64) float64
	slopeFunc    = func(w float64) float64
)

// Check judges both functions of Alpaydin exercise 10.8. boundary returns the x
// where σ(wx + w0) = ½, slope the derivative with respect to x there.
func Check(boundary boundaryFunc, slope slopeFunc) *verify.Report {
	return exercise.Judge(append(
		askBoundary.Parts(boundary, []judge.Property[line]{
			judge.Form[line]("Boundary: the same finite number on every call", lines, nil, judge.Wrong{},
				"You returned a number for every line."),
			{Name: "Boundary: σ(wx + w0) is ½ there", On: lines,
				// Near ½ an error in x changes y by a quarter of w times as much. After the two
				// terms of wx + w0 cancel, rounding of size w0 is left.
				Holds: func(l line, x []float64) verify.Finding {
					return verify.Close(l.y(x[0]), 0.5, verify.Tolerance{Abs: 1e-12 * (1 + math.Abs(l.w0))})
				},
				Wrong: judge.Wrong{Key: "not-half", Hint: 2,
					Message: "For {problem}, σ(wx + w0) is not ½ at your x: it is {off}."},
				Right: "Set into the sigmoid, your x gives ½ for every line: with w and w0 of both signs, for boundaries at 0 and far out."},
			{Name: "Boundary: the classes change there and nowhere else", On: lines,
				Holds: func(l line, x []float64) verify.Finding {
					return verify.Close(x[0], l.crossing(), verify.Tolerance{Abs: 1e-9 * l.unit()})
				},
				Wrong: judge.Wrong{Key: "not-the-crossing", Hint: 2,
					Message: "For {problem}, bisection finds the change from one class to the other elsewhere: your x is {off}."},
				Right: "Bisection of σ(wx + w0) finds the change of class at your x."},
		}...),
		askSlope.Parts(slope, []judge.Property[line]{
			judge.Form[line]("Slope: the same finite number on every call", lines, nil, judge.Wrong{},
				"You returned a number for every w."),
			{Name: "Slope: the derivative of σ(wx + w0) at the boundary", On: lines,
				Holds: func(l line, slope []float64) verify.Finding {
					return verify.Close(slope[0], l.steepness(), verify.Tolerance{Rel: 1e-7})
				},
				Wrong: judge.Wrong{Key: "slope", Hint: 2,
					Message: "For {problem} the derivative of σ(wx + w0) at the boundary, by central differences, is not your number: {off}."},
				Right: "Central differences at the boundary agree for every w and, as w0 does not occur, wherever the boundary lies: w0 moves the curve, w alone makes it steep."},
		}...)...)...)
}

var askBoundary = &judge.Question[boundaryFunc, line]{
	Func: "Boundary", Name: "boundary", Hint: 3,
	Ask:   func(boundary boundaryFunc, _ *judge.Call, l line) []float64 { return []float64{boundary(l.w, l.w0)} },
	Right: func(l line) []float64 { return []float64{l.crossing()} },
	Unit:  func(l line, _ []float64) []float64 { return []float64{l.unit()} },
	Factor: judge.Wrong{Key: "boundary-factor", Hint: 2,
		Message: "Your number is the boundary times one number that is the same for every line. Solve wx + w0 = 0 once more."},
	Mistakes: []judge.Mistake[boundaryFunc]{
		{Key: "w0-is-boundary", Answer: func(_, w0 float64) float64 { return w0 }, Hint: 1,
			Message: "You take w0 itself for the boundary. w0 is the height of the line wx + w0 at x = 0; where that line comes down to 0 depends on its slope too."},
		{Key: "minus-w0-is-boundary", Answer: func(_, w0 float64) float64 { return -w0 }, Hint: 1,
			Message: "Your boundary is −w0, as if w were 1. The rule wx > −w0 compares wx with the threshold, not x."},
		{Key: "boundary-sign", Answer: func(w, w0 float64) float64 { return w0 / w }, Hint: 2,
			Message: "Your boundary is w0/w: the sign got lost in solving wx + w0 = 0."},
		{Key: "boundary-inverted", Hint: 2, Message: "Your boundary is −w/w0, upside down: solve wx + w0 = 0 for x.",
			Answer: func(w, w0 float64) float64 {
				if w0 == 0 {
					return 0
				}
				return -w / w0
			}},
		{Key: "absolute-w", Answer: func(w, w0 float64) float64 { return -w0 / math.Abs(w) }, Hint: 2,
			Message: "Your boundary is −w0/|w|. That is PRML (4.5), which counts along the direction of w; for negative w that is to the left, and x counts to the right."},
		{Key: "distance", Answer: func(w, w0 float64) float64 { return math.Abs(w0 / w) }, Hint: 2,
			Message: "Your number is |w0/w|, the distance of the boundary from 0. Return its place: which side of 0?"},
		{Key: "absolute-w-sign", Answer: func(w, w0 float64) float64 { return w0 / math.Abs(w) }, Hint: 2,
			Message: "Your number is w0/|w|, the distance (10.5) of the origin with its sign. Return the x of the boundary."},
		{Key: "half-before-sigmoid", Answer: func(w, w0 float64) float64 { return (0.5 - w0) / w }, Hint: 2,
			Message: "You solved wx + w0 = ½. The ½ is the value after the sigmoid; at which argument is σ equal to ½?"},
		{Key: "one-before-sigmoid", Answer: func(w, w0 float64) float64 { return (1 - w0) / w }, Hint: 2,
			Message: "You solved wx + w0 = 1. The boundary is where neither class is more probable: σ = ½. At which argument is that?"},
		{Key: "product", Answer: func(w, w0 float64) float64 { return -w0 * w }, Hint: 2,
			Message: "Your boundary is −w0·w: w multiplies where it divides."},
		{Key: "difference", Answer: func(w, w0 float64) float64 { return -w0 - w }, Hint: 2,
			Message: "Your boundary is −w0 − w: solving wx + w0 = 0 for x divides by w, it does not subtract it."},
		{Key: "zero", Answer: func(float64, float64) float64 { return 0 }, Hint: 1,
			Message: "Your boundary is 0 for every line. It is there for w0 = 0 only."},
	},
}

var askSlope = &judge.Question[slopeFunc, line]{
	Func: "Slope", Name: "slope", Hint: 3,
	Ask:   func(slope slopeFunc, _ *judge.Call, l line) []float64 { return []float64{slope(l.w)} },
	Right: func(l line) []float64 { return []float64{math.Copysign(0.25, l.w) * math.Abs(l.w)} },
	Unit:  func(l line, _ []float64) []float64 { return []float64{math.Abs(l.w)} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: your slope is the right one times a number near 1. A rounded decimal?"},
	Factor: judge.Wrong{Key: "slope-factor", Hint: 2,
		Message: "Your slope is the right one times a number that is the same for every w. What are the value of σ and of σ(1 − σ) at the boundary?"},
	Mistakes: []judge.Mistake[slopeFunc]{
		{Key: "slope-is-w", Answer: func(w float64) float64 { return w }, Hint: 1,
			Message: "Your slope is w, that of the line wx + w0. The sigmoid of the line is flatter: the chain rule has one more factor, σ′ at the boundary."},
		{Key: "inner-derivative", Answer: func(float64) float64 { return 0.25 }, Hint: 2,
			Message: "Your slope is ¼ for every w: the derivative of σ with respect to its argument. The argument itself grows with x, at the rate w."},
		{Key: "slope-absolute", Answer: func(w float64) float64 { return math.Abs(w) / 4 }, Hint: 2,
			Message: "The size is right, but for negative w the sigmoid falls from left to right: its slope is negative."},
		{Key: "slope-sign", Answer: func(w float64) float64 { return -w / 4 }, Hint: 2,
			Message: "The sign is turned round: for w > 0 the curve rises."},
		{Key: "half-for-quarter", Answer: func(w float64) float64 { return w / 2 }, Hint: 2,
			Message: "Your slope is w/2: σ(0) = ½ was taken for σ′(0). The derivative is σ(1 − σ)."},
		{Key: "w-squared", Answer: func(w float64) float64 { return w * w / 4 }, Hint: 2,
			Message: "A factor w too many: the inner derivative of σ(wx + w0) is w, once."},
		{Key: "slope-inverted", Answer: func(w float64) float64 { return 4 / w }, Hint: 2,
			Message: "Your number is 4/w, the width over which the tangent climbs from 0 to 1. The slope is its reciprocal."},
		{Key: "multiplied-by-four", Answer: func(w float64) float64 { return 4 * w }, Hint: 2,
			Message: "Your slope is 4w: σ′(0) is a quarter, not four."},
		{Key: "sigmoid-of-w", Hint: 2,
			Message: "You put w into the derivative: σ′(w). σ′ belongs at the argument wx + w0, which is 0 at the boundary; w is the factor in front.",
			Answer:  func(w float64) float64 { return kernel.Sigmoid(w) * kernel.Sigmoid(-w) }},
		{Key: "sigmoid-of-w", Hint: 2,
			Message: "Your slope is w σ′(w), which is the slope at wx + w0 = w. At the boundary the argument of σ is 0.",
			Answer:  func(w float64) float64 { return w * kernel.Sigmoid(w) * kernel.Sigmoid(-w) }},
		{Key: "w-for-y", Answer: func(w float64) float64 { return w * (1 - w) }, Hint: 2,
			Message: "Your slope is w(1 − w). In σ′ = y(1 − y) stands the output y, which is ½ at the boundary, and the inner derivative w comes in front."},
		{Key: "slope-zero", Answer: func(float64) float64 { return 0 }, Hint: 1,
			Message: "Your slope is 0 for every w: a curve that crosses ½ without rising or falling."},
	},
}

// A line is the argument wx + w0 of the sigmoid.
type line struct{ w, w0 float64 }

func (l line) String() string { return fmt.Sprintf("w = %.4g and w0 = %.4g", l.w, l.w0) }

// lines returns simple lines first, whose messages can be followed by hand, then random ones
// of many sizes, with both signs of w, and with boundaries far out and at 0.
func lines() []line {
	list := []line{{2, -6}, {-3, 6}, {0.5, 4}, {-0.25, -5}, {1, 0}, {8, 20}, {1e-4, 3}, {1e5, -700}, {-40, 1e-3}}
	r := instance.Source(1008, 1)
	for range 12 {
		w := r.NormFloat64() * math.Pow(10, 2*r.Float64()-1)
		list = append(list, line{w, 5 * r.NormFloat64()})
	}
	return list
}

// y returns σ(wx + w0).
func (l line) y(x float64) float64 { return kernel.Sigmoid(l.w*x + l.w0) }

// unit returns a length on the x-axis that suits the line. Tolerances for a place on the axis
// are relative to it, and known mistakes are compared in this unit.
func (l line) unit() float64 { return (1 + math.Abs(l.w0)) / math.Abs(l.w) }

// crossing finds the x with y = ½ by bisection, from values of y alone.
func (l line) crossing() float64 {
	lo, hi := -2*l.unit(), 2*l.unit()
	rising := l.y(hi) > l.y(lo)
	for range 200 {
		mid := lo + (hi-lo)/2
		if (l.y(mid) < 0.5) == rising {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}

// steepness returns dy/dx at the crossing by central differences. In steps of 1/|w| one step
// size suits every w.
func (l line) steepness() float64 {
	at := l.crossing()
	return math.Abs(l.w) * verify.Derivative(func(c float64) float64 { return l.y(at + c/math.Abs(l.w)) }, 0, 0)
}

func init() {
	judge.Known(exercise, askBoundary,
		func(f boundaryFunc) *verify.Report { return Check(f, func(w float64) float64 { return w / 4 }) })
	judge.Known(exercise, askSlope,
		func(f slopeFunc) *verify.Report { return Check(func(w, w0 float64) float64 { return -w0 / w }, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex08", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
