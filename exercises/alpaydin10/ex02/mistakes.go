package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	distanceFunc = func(x, w []float64, w0 float64) float64
	originFunc   = func(w []float64, w0 float64) float64
)

var askDistance = &judge.Question[distanceFunc, problem]{
	Func: "Distance", Name: "distance", Hint: 3,
	Ask: func(distance distanceFunc, c *judge.Call, p problem) []float64 {
		return []float64{distance(c.Slice("x", p.x), c.Slice("w", p.w), p.w0)}
	},
	Right:  func(p problem) []float64 { return []float64{p.g() / p.norm()} },
	Unit:   func(p problem, _ []float64) []float64 { return []float64{p.size()} },
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your number is the signed distance times one number that is the same for every plane and point. (10.4) has no factor: set x = x_p + r w/‖w‖ into g once more."},
	Mistakes: []judge.Mistake[distanceFunc]{
		{Key: "no-norm", Answer: of(func(p problem) float64 { return p.g() }), Hint: 1, Message: "Your number is g(x) = wᵀx + w0 itself. It tells the side, but not how far: with 2w and 2w0 the plane is the same and g is doubled."},
		{Key: "squared-norm", Hint: 2, Message: "Your number is g(x)/‖w‖²: the multiple of w, not of the unit vector w/‖w‖, that leads from the plane to x. Is a root missing?",
			Answer: of(func(p problem) float64 { return p.g() / (p.norm() * p.norm()) })},
		{Key: "no-sign", Hint: 2, Message: "The size is right, the sign is lost: points on both sides get a positive number. Asked for is r of (10.4), negative on the negative side.",
			Answer: of(func(p problem) float64 { return math.Abs(p.g()) / p.norm() })},
		{Key: "sign-of-bias", Hint: 2, Message: "The size is right, but the sign is that of w0: the side on which the origin lies, not x.",
			Answer: of(func(p problem) float64 { return math.Copysign(p.g()/p.norm(), p.w0) })},
		{Key: "sign-flipped", Hint: 2, Message: "Your sign is turned round: x = x_p + r w/‖w‖ makes r positive on the side to which w points.",
			Answer: of(func(p problem) float64 { return -p.g() / p.norm() })},
		{Key: "bias-left-out", Hint: 2, Message: "Your number is wᵀx/‖w‖, the distance from the parallel plane through the origin: w0 is left out.",
			Answer: of(func(p problem) float64 { return (p.g() - p.w0) / p.norm() })},
		{Key: "bias-subtracted", Hint: 2, Message: "You subtract w0 where it is added: the plane is wᵀx + w0 = 0, that is wᵀx = −w0.",
			Answer: of(func(p problem) float64 { return (p.g() - 2*p.w0) / p.norm() })},
		{Key: "bias-not-divided", Hint: 3, Message: "Only wᵀx is divided by ‖w‖, w0 is not. In Go a/b + c is (a/b) + c: brackets are missing.",
			Answer: of(func(p problem) float64 { return (p.g()-p.w0)/p.norm() + p.w0 })},
		{Key: "weights-not-divided", Hint: 3, Message: "Only w0 is divided by ‖w‖, wᵀx is not. In Go a + b/c is a + (b/c): brackets are missing.",
			Answer: of(func(p problem) float64 { return p.g() - p.w0 + p.w0/p.norm() })},
		{Key: "one-norm", Hint: 3, Message: "You divide by the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2).",
			Answer: of(func(p problem) float64 { return p.g() / floats.Norm(p.w, 1) })},
		{Key: "sum-of-weights", Hint: 3, Message: "You divide by the sum of the weights. The length of w is the root of the sum of squares (floats.Norm with 2).",
			Answer: of(func(p problem) float64 { return p.g() / floats.Sum(p.w) })},
		{Key: "bias-in-norm", Hint: 2, Message: "Your norm counts w0 in: ‖(w, w0)‖. Only w is normal to the plane; w0 moves the plane and has no direction.",
			Answer: of(func(p problem) float64 { return p.g() / math.Hypot(p.norm(), p.w0) })},
		{Key: "norm-of-x", Hint: 2, Message: "You divide by ‖x‖. That makes x a unit vector; what must become one is the normal w.",
			Answer: of(func(p problem) float64 { return p.g() / floats.Norm(p.x, 2) })},
		{Key: "multiplied", Answer: of(func(p problem) float64 { return p.g() * p.norm() }), Hint: 2, Message: "You multiply by ‖w‖ where it divides."},
		{Key: "distance-to-origin", Hint: 1, Message: "Your number is ‖x‖, the distance of x from the origin. Asked for is the distance from the plane.",
			Answer: of(func(p problem) float64 { return floats.Norm(p.x, 2) })},
		{Key: "zero", Answer: of(func(problem) float64 { return 0 }), Hint: 1, Message: "Your distance is 0 for every point. Was the result never computed?"},
	},
}

// askOrigin asks for the size alone: the sign is a part of its own.
var askOrigin = &judge.Question[originFunc, problem]{
	Func: "OriginDistance", Name: "distance of the origin", Hint: 3,
	Ask: func(origin originFunc, c *judge.Call, p problem) []float64 {
		return []float64{math.Abs(origin(c.Slice("w", p.w), p.w0))}
	},
	Right:  func(p problem) []float64 { return []float64{math.Abs(p.w0) / p.norm()} },
	Family: throughOrigin,
	Factor: judge.Wrong{Key: "origin-factor", Hint: 2, Message: "Your number is the distance of the origin times one number that is the same for every plane. (10.5) has no factor."},
	Mistakes: []judge.Mistake[originFunc]{
		{Key: "origin-no-norm", Hint: 1, Message: "Your number is w0 alone. It is g(0): the same plane written with 2w and 2w0 has another one.",
			Answer: plane(func(_ []float64, w0, _ float64) float64 { return w0 })},
		{Key: "origin-squared-norm", Hint: 2, Message: "Your number is w0/‖w‖²: how many times w, not how many units of length. Is a root missing?",
			Answer: plane(func(_ []float64, w0, norm float64) float64 { return w0 / (norm * norm) })},
		{Key: "origin-multiplied", Hint: 2, Message: "You multiply by ‖w‖ where it divides.",
			Answer: plane(func(_ []float64, w0, norm float64) float64 { return w0 * norm })},
		{Key: "origin-inverted", Hint: 2, Message: "Your number is ‖w‖/w0, upside down: the further the plane, the larger |w0| for one w.",
			Answer: plane(func(_ []float64, w0, norm float64) float64 {
				if w0 == 0 { // where it has no meaning
					return 0
				}
				return norm / w0
			})},
		{Key: "origin-one-norm", Hint: 3, Message: "You divide by the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2).",
			Answer: plane(func(w []float64, w0, _ float64) float64 { return w0 / floats.Norm(w, 1) })},
		{Key: "origin-bias-in-norm", Hint: 2, Message: "Your norm counts w0 in: ‖(w, w0)‖. Only w is normal to the plane.",
			Answer: plane(func(_ []float64, w0, norm float64) float64 { return w0 / math.Hypot(norm, w0) })},
		{Key: "origin-first-weight", Hint: 2, Message: "Your number is w0/w1: where the plane cuts the first axis. The nearest point of the plane lies along w, not along an axis.",
			Answer: plane(func(w []float64, w0, _ float64) float64 { return w0 / w[0] })},
		{Key: "origin-norm-only", Hint: 2, Message: "Your number is ‖w‖. The length of w says how steep g is, not where the plane lies.",
			Answer: plane(func(_ []float64, _, norm float64) float64 { return norm })},
		{Key: "origin-zero", Hint: 1, Message: "Your number is 0 for every plane, also for those that miss the origin.",
			Answer: plane(func([]float64, float64, float64) float64 { return 0 })},
	},
}

// of is a learner's function of a point and a plane, plane one of a plane.
func of(f func(p problem) float64) distanceFunc {
	return func(x, w []float64, w0 float64) float64 { return f(problem{x: x, w: w, w0: w0}) }
}

func plane(f func(w []float64, w0, norm float64) float64) originFunc {
	return func(w []float64, w0 float64) float64 { return f(w, w0, floats.Norm(w, 2)) }
}

func throughOrigin(p problem, _ []float64) *verify.Verdict {
	return judge.FailIf(p.w0 == 0, "through-origin", 2, "For %v the plane contains the origin, but your distance is not zero.", p)
}

func init() {
	judge.Known(exercise, askDistance, func(f distanceFunc) *verify.Report {
		return Check(f, plane(func(_ []float64, w0, norm float64) float64 { return w0 / norm }))
	})
	judge.Known(exercise, askOrigin, func(f originFunc) *verify.Report {
		return Check(of(func(p problem) float64 { return p.g() / p.norm() }), f)
	})
}
