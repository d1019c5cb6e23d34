// Package ex08 judges Alpaydin exercise 10.8: how w and w0 determine the point at which the sigmoid
// of one input crosses ½, and the slope of the sigmoid at this point.
package ex08

import (
	"embed"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	boundaryFunc = func(w, w0 float64) float64
	slopeFunc    = func(w float64) float64
)

// Check judges both functions of Alpaydin exercise 10.8. `boundary` returns the x for which σ(wx +
// w0) = ½. `slope` returns the derivative of σ(wx + w0) with respect to x at this point.
func Check(boundary boundaryFunc, slope slopeFunc) *verify.Report {
	return exercise.Judge(append(
		boundaryQuestion.Parts(boundary, []judge.Property[line]{
			judge.Form[line]("Boundary: the same finite number on every call", lines, nil, judge.Wrong{},
				"You returned a number for every line."),
			{Name: "Boundary: σ(wx + w0) is ½ at your x", Problems: lines,
				// At the boundary the two terms of wx + w0 cancel, which leaves a rounding error
				// proportional to w0. The tolerance therefore depends on w0.
				Holds: func(l line, x []float64) verify.Finding {
					return verify.Close(l.y(x[0]), 0.5, verify.Tolerance{Abs: 1e-12 * (1 + math.Abs(l.w0))})
				},
				Wrong: judge.Wrong{Key: "not-half", Hint: 2,
					Message: "For {problem}, σ(wx + w0) is not ½ at your x: the sigmoid is {off}."},
				Right: "At your x the sigmoid is ½ for every line: for w and w0 of both signs, and for boundaries at 0 and far from 0."},
			{Name: "Boundary: the class changes at your x and nowhere else", Problems: lines,
				Holds: func(l line, x []float64) verify.Finding {
					return verify.Close(x[0], l.crossing(), verify.Tolerance{Abs: 1e-9 * l.unit()})
				},
				Wrong: judge.Wrong{Key: "not-the-crossing", Hint: 2,
					Message: "For {problem}, bisection shows that the class changes at a different x: your x is {off}."},
				Right: "Bisection of σ(wx + w0) finds the change of class at your x."},
		}...),
		slopeQuestion.Parts(slope, []judge.Property[line]{
			judge.Form[line]("Slope: the same finite number on every call", lines, nil, judge.Wrong{},
				"You returned a number for every w."),
			{Name: "Slope: the derivative of σ(wx + w0) at the boundary", Problems: lines,
				Holds: func(l line, slope []float64) verify.Finding {
					return verify.Close(slope[0], l.steepness(), verify.Tolerance{Rel: 1e-7})
				},
				Wrong: judge.Wrong{Key: "slope", Hint: 2,
					Message: "For {problem} your number is not the derivative of σ(wx + w0) at the boundary: central differences show that it is {off}."},
				Right: "Your slope agrees with central differences at the boundary for every w. It does not depend on w0: w0 shifts the curve, and only w determines how steep it is."},
		}...)...)...)
}

var boundaryQuestion = &judge.Question[boundaryFunc, line]{
	Func: "Boundary", Name: "boundary", Hint: 3,
	Invoke: func(boundary boundaryFunc, _ *judge.Call, l line) []float64 { return []float64{boundary(l.w, l.w0)} },
	Right:  func(l line) []float64 { return []float64{l.crossing()} },
	Unit:   func(l line, _ []float64) []float64 { return []float64{l.unit()} },
	Factor: judge.Wrong{Key: "boundary-factor", Hint: 2,
		Message: "Your number is the boundary multiplied by a factor that is the same for every line. Solve wx + w0 = 0 again."},
	Mistakes: []judge.Mistake[boundaryFunc]{
		{Key: "w0-is-boundary", Answer: func(_, w0 float64) float64 { return w0 }, Hint: 1,
			Message: "Your boundary is w0 itself. w0 is the height of the line wx + w0 at x = 0; where the line crosses 0 also depends on its slope w."},
		{Key: "minus-w0-is-boundary", Answer: func(_, w0 float64) float64 { return -w0 }, Hint: 1,
			Message: "Your boundary is −w0, as if w were 1. The rule wx > −w0 compares wx with the threshold, not x."},
		{Key: "boundary-sign", Answer: func(w, w0 float64) float64 { return w0 / w }, Hint: 2,
			Message: "Your boundary is w0/w: its sign is wrong. Solve wx + w0 = 0 for x."},
		{Key: "boundary-inverted", Hint: 2, Message: "Your boundary is −w/w0, the reciprocal of the right ratio: solve wx + w0 = 0 for x.",
			Answer: func(w, w0 float64) float64 {
				if w0 == 0 {
					return 0
				}
				return -w / w0
			}},
		{Key: "absolute-w", Answer: func(w, w0 float64) float64 { return -w0 / math.Abs(w) }, Hint: 2,
			Message: "Your boundary is −w0/|w|. This is PRML (4.5), a coordinate in the direction of w. For negative w this direction is to the left, but x increases to the right."},
		{Key: "distance", Answer: func(w, w0 float64) float64 { return math.Abs(w0 / w) }, Hint: 2,
			Message: "Your number is |w0/w|, the distance between the boundary and 0. Return the x of the boundary, with its sign."},
		{Key: "absolute-w-sign", Answer: func(w, w0 float64) float64 { return w0 / math.Abs(w) }, Hint: 2,
			Message: "Your number is w0/|w|, the signed distance (10.5) of the origin. Return the x of the boundary."},
		{Key: "half-before-sigmoid", Answer: func(w, w0 float64) float64 { return (0.5 - w0) / w }, Hint: 2,
			Message: "Your number solves wx + w0 = ½. The ½ is the value after the sigmoid; at which argument is σ equal to ½?"},
		{Key: "one-before-sigmoid", Answer: func(w, w0 float64) float64 { return (1 - w0) / w }, Hint: 2,
			Message: "Your number solves wx + w0 = 1. The boundary is where neither class is more probable: σ = ½. At which argument is that?"},
		{Key: "product", Answer: func(w, w0 float64) float64 { return -w0 * w }, Hint: 2,
			Message: "Your boundary is −w0·w: divide by w instead of multiplying."},
		{Key: "difference", Answer: func(w, w0 float64) float64 { return -w0 - w }, Hint: 2,
			Message: "Your boundary is −w0 − w: divide by w instead of subtracting it."},
		{Key: "zero", Answer: func(float64, float64) float64 { return 0 }, Hint: 1,
			Message: "Your boundary is 0 for every line, which is right only for w0 = 0."},
	},
}

var slopeQuestion = &judge.Question[slopeFunc, line]{
	Func: "Slope", Name: "slope", Hint: 3,
	Invoke: func(slope slopeFunc, _ *judge.Call, l line) []float64 { return []float64{slope(l.w)} },
	Right:  func(l line) []float64 { return []float64{math.Copysign(0.25, l.w) * math.Abs(l.w)} },
	Unit:   func(l line, _ []float64) []float64 { return []float64{math.Abs(l.w)} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: your slope is the right slope multiplied by a number near 1, as if you had rounded."},
	Factor: judge.Wrong{Key: "slope-factor", Hint: 2,
		Message: "Your slope is the right slope multiplied by a number that is the same for every w. What are σ and σ(1 − σ) at the boundary?"},
	Mistakes: []judge.Mistake[slopeFunc]{
		{Key: "slope-is-w", Answer: func(w float64) float64 { return w }, Hint: 1,
			Message: "Your slope is w, the slope of the line wx + w0. The sigmoid of the line is flatter: the chain rule has one more factor, σ′ at the boundary."},
		{Key: "inner-derivative", Answer: func(float64) float64 { return 0.25 }, Hint: 2,
			Message: "Your slope is ¼ for every w, which is the derivative of σ with respect to its argument. The argument grows with x at the rate w, so a factor w is missing."},
		{Key: "slope-absolute", Answer: func(w float64) float64 { return math.Abs(w) / 4 }, Hint: 2,
			Message: "The absolute value of your slope is right, but for negative w the sigmoid falls from left to right, so its slope is negative."},
		{Key: "slope-sign", Answer: func(w float64) float64 { return -w / 4 }, Hint: 2,
			Message: "The sign of your slope is reversed: for w > 0 the curve rises, so its slope is positive."},
		{Key: "half-for-quarter", Answer: func(w float64) float64 { return w / 2 }, Hint: 2,
			Message: "Your slope is w/2, as if you used σ(0) = ½ in place of σ′(0). The derivative is σ(1 − σ)."},
		{Key: "w-squared", Answer: func(w float64) float64 { return w * w / 4 }, Hint: 2,
			Message: "Your slope contains the factor w once too often: the inner derivative of σ(wx + w0) is w."},
		{Key: "slope-inverted", Answer: func(w float64) float64 { return 4 / w }, Hint: 2,
			Message: "Your number is 4/w, the width over which the tangent rises from 0 to 1. The slope is the reciprocal of this width."},
		{Key: "multiplied-by-four", Answer: func(w float64) float64 { return 4 * w }, Hint: 2,
			Message: "Your slope is 4w, but σ′(0) is ¼, not 4."},
		{Key: "sigmoid-of-w", Hint: 2,
			Message: "Your slope is σ′(w). The argument of σ′ is wx + w0, which is 0 at the boundary; w is the factor in front.",
			Answer:  func(w float64) float64 { return kernel.Sigmoid(w) * kernel.Sigmoid(-w) }},
		{Key: "sigmoid-of-w", Hint: 2,
			Message: "Your slope is w σ′(w), which is the slope at wx + w0 = w. At the boundary the argument of σ is 0.",
			Answer:  func(w float64) float64 { return w * kernel.Sigmoid(w) * kernel.Sigmoid(-w) }},
		{Key: "w-for-y", Answer: func(w float64) float64 { return w * (1 - w) }, Hint: 2,
			Message: "Your slope is w(1 − w). In σ′ = y(1 − y), y is the output, which is ½ at the boundary; the inner derivative w is a factor in front."},
		{Key: "slope-zero", Answer: func(float64) float64 { return 0 }, Hint: 1,
			Message: "Your slope is 0 for every w, but the curve rises or falls at the boundary."},
	},
}

// A line is the argument wx + w0 of the sigmoid, as a function of x.
type line struct{ w, w0 float64 }

func (l line) String() string { return fmt.Sprintf("w = %.4g and w0 = %.4g", l.w, l.w0) }

// lines returns simple lines first, for which a learner can check a message by hand. Random lines
// follow. Their w has a random sign, and their boundaries lie at many distances from 0.
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

// unit returns the length (1 + |w0|)/|w| on the x-axis, which is at least the distance of the
// boundary from 0. Comparisons of boundaries use a tolerance proportional to this length.
func (l line) unit() float64 { return (1 + math.Abs(l.w0)) / math.Abs(l.w) }

// crossing returns the x at which y = ½. It finds this x by bisection: it only evaluates y, and
// does not use a formula for x.
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

// steepness computes dy/dx at the crossing by central differences. It differentiates with respect
// to the variable c = |w|(x − crossing), because the same step of c suits every w.
func (l line) steepness() float64 {
	at := l.crossing()
	return math.Abs(l.w) * verify.Derivative(func(c float64) float64 { return l.y(at + c/math.Abs(l.w)) }, 0, 0)
}

func init() {
	judge.Known(exercise, boundaryQuestion,
		func(f boundaryFunc) *verify.Report { return Check(f, func(w float64) float64 { return w / 4 }) })
	judge.Known(exercise, slopeQuestion,
		func(f slopeFunc) *verify.Report { return Check(func(w, w0 float64) float64 { return -w0 / w }, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex08", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
