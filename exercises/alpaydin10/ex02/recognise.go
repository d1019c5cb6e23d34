package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// each is a mistake made at every problem, in units of the problem's size.
func each(f func(p problem) float64) func([]problem) []float64 {
	return func(list []problem) []float64 {
		out := make([]float64, len(list))
		for i, p := range list {
			out[i] = f(p) / p.size()
		}
		return out
	}
}

var mistakes = []learner.Mistake[[]problem]{
	{Key: "no-norm", Hint: 1, Value: each(func(p problem) float64 { return p.g() }),
		Message: "Your number is g(x) = wᵀx + w0 itself. It tells the side, but not how far: with 2w and 2w0 the plane is the same and g is doubled."},
	{Key: "squared-norm", Hint: 2, Value: each(func(p problem) float64 { return p.g() / (p.norm() * p.norm()) }),
		Message: "Your number is g(x)/‖w‖²: the multiple of w, not of the unit vector w/‖w‖, that leads from the plane to x. Is a root missing?"},
	{Key: "no-sign", Hint: 2, Value: each(func(p problem) float64 { return math.Abs(p.g()) / p.norm() }),
		Message: "The size is right, the sign is lost: points on both sides get a positive number. Asked for is r of (10.4), negative on the negative side."},
	{Key: "sign-of-bias", Hint: 2, Value: each(func(p problem) float64 { return math.Copysign(p.g()/p.norm(), p.w0) }),
		Message: "The size is right, but the sign is that of w0: the side on which the origin lies, not x."},
	{Key: "sign-flipped", Hint: 2, Value: each(func(p problem) float64 { return -p.g() / p.norm() }),
		Message: "Your sign is turned round: x = x_p + r w/‖w‖ makes r positive on the side to which w points."},
	{Key: "bias-left-out", Hint: 2, Value: each(func(p problem) float64 { return (p.g() - p.w0) / p.norm() }),
		Message: "Your number is wᵀx/‖w‖, the distance from the parallel plane through the origin: w0 is left out."},
	{Key: "bias-subtracted", Hint: 2, Value: each(func(p problem) float64 { return (p.g() - 2*p.w0) / p.norm() }),
		Message: "You subtract w0 where it is added: the plane is wᵀx + w0 = 0, that is wᵀx = −w0."},
	{Key: "bias-not-divided", Hint: 3, Value: each(func(p problem) float64 { return (p.g()-p.w0)/p.norm() + p.w0 }),
		Message: "Only wᵀx is divided by ‖w‖, w0 is not. In Go a/b + c is (a/b) + c: brackets are missing."},
	{Key: "weights-not-divided", Hint: 3, Value: each(func(p problem) float64 { return p.g() - p.w0 + p.w0/p.norm() }),
		Message: "Only w0 is divided by ‖w‖, wᵀx is not. In Go a + b/c is a + (b/c): brackets are missing."},
	{Key: "one-norm", Hint: 3, Value: each(func(p problem) float64 { return p.g() / floats.Norm(p.w, 1) }),
		Message: "You divide by the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2)."},
	{Key: "sum-of-weights", Hint: 3, Value: each(func(p problem) float64 { return p.g() / floats.Sum(p.w) }),
		Message: "You divide by the sum of the weights. The length of w is the root of the sum of squares (floats.Norm with 2)."},
	{Key: "bias-in-norm", Hint: 2, Value: each(func(p problem) float64 { return p.g() / math.Hypot(p.norm(), p.w0) }),
		Message: "Your norm counts w0 in: ‖(w, w0)‖. Only w is normal to the plane; w0 moves the plane and has no direction."},
	{Key: "norm-of-x", Hint: 2, Value: each(func(p problem) float64 { return p.g() / floats.Norm(p.x, 2) }),
		Message: "You divide by ‖x‖. That makes x a unit vector; what must become one is the normal w."},
	{Key: "multiplied", Hint: 2, Value: each(func(p problem) float64 { return p.g() * p.norm() }),
		Message: "You multiply by ‖w‖ where it divides."},
	{Key: "distance-to-origin", Hint: 1, Value: each(func(p problem) float64 { return floats.Norm(p.x, 2) }),
		Message: "Your number is ‖x‖, the distance of x from the origin. Asked for is the distance from the plane."},
	{Key: "zero", Hint: 1, Value: each(func(problem) float64 { return 0 }),
		Message: "Your distance is 0 for every point. Was the result never computed?"},
}

// recognise names the mistake behind the answers, in units of the problems' sizes.
func recognise(list []problem, scaled []float64) (verify.Verdict, bool) {
	if v, ok := learner.Recognise(mistakes, list, scaled); ok {
		return v, true
	}
	right := each(func(p problem) float64 { return p.g() / p.norm() })(list)
	if _, ok := learner.Factor(scaled, right); ok {
		return verify.Fail("factor", 2, "Your number is the signed distance times one number that is the same for every plane and point. (10.4) has no factor: set x = x_p + r w/‖w‖ into g once more."), true
	}
	return verify.Verdict{}, false
}

// eachOrigin is a mistake at every plane, in units of |w0|/‖w‖.
func eachOrigin(f func(w []float64, w0, norm float64) float64) func([]problem) []float64 {
	return func(list []problem) []float64 {
		out := make([]float64, len(list))
		for i, p := range list {
			out[i] = f(p.w, p.w0, p.norm()) * p.norm() / math.Abs(p.w0)
		}
		return out
	}
}

// signs gives a mistake in the sizes the three signs that are right for a size.
func signs(m learner.Mistake[[]problem], f func(w []float64, w0, norm float64) float64) []learner.Mistake[[]problem] {
	with := func(sign func(float64) float64) learner.Mistake[[]problem] {
		m.Value = eachOrigin(func(w []float64, w0, norm float64) float64 { return sign(f(w, w0, norm)) })
		return m
	}
	return []learner.Mistake[[]problem]{
		with(func(v float64) float64 { return v }), with(func(v float64) float64 { return -v }), with(math.Abs),
	}
}

var originMistakes = func() []learner.Mistake[[]problem] {
	var out []learner.Mistake[[]problem]
	add := func(key string, hint int, message string, f func(w []float64, w0, norm float64) float64) {
		out = append(out, signs(learner.Mistake[[]problem]{Key: key, Hint: hint, Message: message}, f)...)
	}
	add("origin-no-norm", 1, "Your number is w0 alone. It is g(0): the same plane written with 2w and 2w0 has another one.",
		func(_ []float64, w0, _ float64) float64 { return w0 })
	add("origin-squared-norm", 2, "Your number is w0/‖w‖²: how many times w, not how many units of length. Is a root missing?",
		func(_ []float64, w0, norm float64) float64 { return w0 / (norm * norm) })
	add("origin-multiplied", 2, "You multiply by ‖w‖ where it divides.",
		func(_ []float64, w0, norm float64) float64 { return w0 * norm })
	add("origin-inverted", 2, "Your number is ‖w‖/w0, upside down: the further the plane, the larger |w0| for one w.",
		func(_ []float64, w0, norm float64) float64 { return norm / w0 })
	add("origin-one-norm", 3, "You divide by the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2).",
		func(w []float64, w0, _ float64) float64 { return w0 / floats.Norm(w, 1) })
	add("origin-bias-in-norm", 2, "Your norm counts w0 in: ‖(w, w0)‖. Only w is normal to the plane.",
		func(_ []float64, w0, norm float64) float64 { return w0 / math.Hypot(norm, w0) })
	add("origin-first-weight", 2, "Your number is w0/w1: where the plane cuts the first axis. The nearest point of the plane lies along w, not along an axis.",
		func(w []float64, w0, _ float64) float64 { return w0 / w[0] })
	add("origin-norm-only", 2, "Your number is ‖w‖. The length of w says how steep g is, not where the plane lies.",
		func(_ []float64, _, norm float64) float64 { return norm })
	add("origin-zero", 1, "Your number is 0 for every plane, also for those that miss the origin.",
		func([]float64, float64, float64) float64 { return 0 })
	return out
}()

// recogniseOrigin names the mistake behind OriginDistance's answers, in units of
// |w0|/‖w‖.
func recogniseOrigin(planes []problem, scaled []float64) (verify.Verdict, bool) {
	if v, ok := learner.Recognise(originMistakes, planes, scaled); ok {
		return v, true
	}
	for _, c := range conventions {
		right := make([]float64, len(planes))
		for i, p := range planes {
			right[i] = c.sign(p.w0)
		}
		if _, ok := learner.Factor(scaled, right); ok {
			return verify.Fail("origin-factor", 2, "Your number is the distance of the origin times one number that is the same for every plane. (10.5) has no factor."), true
		}
	}
	return verify.Verdict{}, false
}
