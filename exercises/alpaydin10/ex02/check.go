// Package ex02 judges Alpaydin exercise 10.2: the signed distance of a point, and
// of the origin, from a hyperplane.
package ex02

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// tol is the largest accepted error of a distance, relative to the sum of the absolute values of its
// terms (see termSize).
const tol = 1e-10

// Check judges both functions of Alpaydin exercise 10.2. `distance` returns the signed distance
// (10.4) of the point x, which has D entries, from the plane wᵀx + w0 = 0. originDistance returns
// the distance (10.5) of the origin from the plane, with or without a sign.
func Check(distance func(x, w []float64, w0 float64) float64,
	originDistance func(w []float64, w0 float64) float64) *verify.Report {
	on := func(part uint64) func() []problem { return func() []problem { return problems(source(part)) } }
	side := verify.Part{Name: "Distance: the sign shows the side, and 0 means that the point lies on the plane", Of: []string{"Distance"},
		Judge: func() verify.Verdict { return checkSides(distance) }}
	sign := verify.Part{Name: "OriginDistance: one convention for the sign", Of: []string{"OriginDistance"},
		Judge: func() verify.Verdict { return convention(originDistance) }}
	return exercise.Judge(slices.Concat(
		distanceQuestion.Parts(distance, []judge.Property[problem]{
			judge.Form("Distance: the result is a finite number, and x and w stay unchanged", on(1), nil, judge.Wrong{},
				"You returned a number for every plane, from D = 1 to 5."),
			{Name: "Distance: the point x − r w/‖w‖ lies on the plane", Problems: on(3),
				// Compare the point's distance from the plane, g/‖w‖, with 0. A huge answer makes
				// this distance overflow to Inf, so the check rejects the answer.
				Holds: func(p problem, r []float64) verify.Finding {
					return verify.Close(p.withPoint(p.footPoint(r[0])).g()/p.norm(), 0, verify.Tolerance{Abs: tol * p.termSize()})
				},
				Wrong: judge.Wrong{Key: "off-plane", Hint: 2,
					Message: "For {problem} the point x − r w/‖w‖ does not lie on the plane: its distance is {off}."},
				Right: "Moved back by r along the unit normal w/‖w‖, every point lies on the plane."},
			{Name: "Distance: no point of the plane is nearer than |r|", Problems: on(4), Holds: nearestPoint,
				Wrong: judge.Wrong{Key: "not-nearest", Hint: 2,
					Message: "For {problem} a search found the point of the plane that is nearest to x. Your |r| is not the distance between x and this point: it is {off}."},
				Right: "A search over points of the plane found no point nearer than your |r|, and it found a point at that distance."},
		}...),
		[]verify.Part{side},
		distanceQuestion.Parts(distance, scaledPart(on(6), 7), scaledPart(on(6), -2)),
		originQuestion.Parts(originDistance, []judge.Property[problem]{
			judge.Form("OriginDistance: the result is a finite number, and w stays unchanged", on(2), nil, judge.Wrong{},
				"You returned a number for every plane, from D = 1 to 5."),
			{Name: "OriginDistance: the result is the distance of the origin, apart from the sign", Problems: on(7),
				Holds: func(p problem, r []float64) verify.Finding {
					return verify.Close(r[0], math.Abs(p.w0)/p.norm(), verify.Tolerance{Abs: 1e-300, Rel: tol})
				},
				Wrong: judge.Wrong{Key: "origin-distance", Hint: 2,
					Message: "For {problem} the absolute value of your number is not the distance of the origin from the plane: it is {off}."},
				Right: "The absolute value of your number is the distance of the origin from the plane, for planes on either side of the origin and for planes that contain it."},
		}...),
		[]verify.Part{sign})...)
}

// scaledPart returns the part of the check that multiplies w and w0 by the number c. The plane stays
// the same, so the distance must stay the same, except that its sign must change if c < 0.
func scaledPart(on func() []problem, c float64) judge.Property[problem] {
	prop := judge.Property[problem]{Name: "Distance: a multiple of w and w0 yields the same distance", Problems: on,
		Wrong: judge.Wrong{Key: "scale", Hint: 1,
			Message: "For {problem}, your distance changes if w and w0 are multiplied by the same positive number: it is {off}. The plane is still the same, so the distance must not change."},
		Right: "Multiplying w and w0 by c > 0 changes g(x), but neither the plane nor your r.",
		Related: func(p problem) problem {
			p.w, p.w0 = floats.ScaleTo(make([]float64, len(p.w)), c, p.w), c*p.w0
			return p
		},
		FromRelated: func(_ problem, r []float64) []float64 { return []float64{math.Copysign(r[0], c*r[0])} }}
	if c < 0 {
		prop.Name = "Distance: with −w and −w0 the sides are exchanged"
		prop.Wrong = judge.Wrong{Key: "not-odd", Hint: 2,
			Message: "For {problem}, if w and w0 are multiplied by the same negative number, the plane is the same and its sides are exchanged. Only the sign of your distance should change, but your distance is {off}."}
		prop.Right = "Multiplying w and w0 by c < 0 reverses the sign of your r."
	}
	return prop
}

// nearestPoint searches for the point of the plane that is nearest to x. It compares |r| with the
// distance from x to this point.
func nearestPoint(p problem, got []float64) verify.Finding {
	r := source(40)
	at := p.onPlane(r)
	// Search within the plane. In each step, move `at` to the point nearest to x on a line through
	// `at`. The line is parallel to a line through two random points of the plane. A line from `at`
	// to one random point would not suffice: once `at` is far from all points that onPlane draws, such
	// lines are nearly parallel.
	for range 1000 {
		along := floats.SubTo(make([]float64, len(at)), p.onPlane(r), p.onPlane(r))
		if length := floats.Norm(along, 2); length > 0 { // the length is 0 for D = 1, where the plane is a single point
			floats.Scale(1/length, along)
			off := floats.SubTo(make([]float64, len(at)), p.x, at)
			floats.AddScaled(at, floats.Dot(off, along), along)
		}
	}
	return verify.Close(math.Abs(got[0]), floats.Distance(at, p.x, 2), verify.Tolerance{Abs: 1e-6 * p.termSize()})
}

// checkSides checks that the learner's distance is 0 for points on the plane, and that it has the
// right sign for points on both sides.
func checkSides(distance distanceFunc) verify.Verdict {
	r := source(5)
	wrong, right, alike := 0, 0, 0
	for _, p := range problems(r) {
		foot := p.onPlane(r)
		// The function `at` starts at the point `foot` and moves by the given number of steps along
		// the normal of the plane. It returns the learner's distance for the point that it reaches.
		at := func(steps float64) float64 {
			x := floats.AddScaledTo(make([]float64, len(foot)), foot, steps*p.termSize()/p.norm(), p.w)
			return distance(x, slices.Clone(p.w), p.w0)
		}
		if f := verify.Close(at(0), 0, verify.Tolerance{Abs: tol * p.withPoint(foot).termSize()}); !f.OK {
			return verify.Fail("on-plane", 2,
				"For %v and a point that lies on the plane your distance is not zero: %s. The numerator of the formula is wᵀx + w0.", p, f.Off())
		}
		front, back := at(1), at(-1)
		for _, ok := range []bool{front > 0, back < 0} {
			if ok {
				right++
			} else {
				wrong++
			}
		}
		if (front > 0) == (back > 0) {
			alike++
		}
	}
	switch {
	case wrong == 0:
		return verify.Pass("Your distance is positive on the side to which w points, negative on the other side, and zero on the plane.")
	case right == 0:
		return verify.Fail("sign-flipped", 2,
			"Your sign is reversed: your distance is negative on the side to which w points. In (10.4) r is positive where wᵀx + w0 > 0.")
	case 2*alike == right+wrong:
		return verify.Fail("no-sign", 2,
			"Both sides of the plane get the same sign. The distance is signed: an absolute value or the root of a square would remove the sign.")
	}
	return verify.Fail("sign", 2, "At %d of %d points your distance and wᵀx + w0 have different signs.", wrong,
		wrong+right)
}

// convention returns a Right verdict that names the sign convention of the learner's originDistance.
// If originDistance does not follow one convention for all planes, the verdict is Wrong. For planes
// through the origin, convention ignores the sign.
func convention(origin originFunc) verify.Verdict {
	for _, c := range conventions {
		same := true
		for _, p := range problems(source(7)) {
			r := origin(slices.Clone(p.w), p.w0)
			same = same && (p.w0 == 0 || math.Signbit(r) == math.Signbit(c.sign(p.w0)))
		}
		if same {
			return verify.Pass("%s", c.message)
		}
	}
	return verify.Fail("mixed-signs", 2,
		"For some planes your number has the sign of w0, and for others the opposite sign. The sign may depend on the sign of w0, but on nothing else.")
}

// conventions lists the accepted signs of the distance. In the first convention the distance has
// the sign of w0, which is positive if the origin lies on the positive side of the plane. In the
// second it has the sign of −w0, which is positive if the plane lies in the direction of w, seen
// from the origin. The last two conventions use one sign for all planes.
var conventions = []struct {
	sign    func(w0 float64) float64
	message string
}{
	{func(w0 float64) float64 { return math.Copysign(1, w0) },
		"Your number has the sign of w0, like w0/‖w‖ of (10.5). That number is the signed distance g(0)/‖w‖ of the origin, which is positive if the origin lies on the positive side. PRML (4.5) has the opposite sign, because it measures from the origin to the plane, along w."},
	{func(w0 float64) float64 { return -math.Copysign(1, w0) },
		"Your number has the sign of −w0, like −w0/‖w‖ of PRML (4.5). That number is the coordinate, in the direction of w, of the point of the plane that is nearest to the origin. Alpaydin's (10.5) has the opposite sign: it is the signed distance from the plane to the origin, g(0)/‖w‖. Both are right."},
	{func(float64) float64 { return 1 },
		"Your number is never negative, like the distance |w0|/‖w‖. Alpaydin's (10.5) is w0/‖w‖; its sign shows on which side of the plane the origin lies. PRML (4.5) is −w0/‖w‖; its sign shows on which side of the origin the plane lies."},
	{func(float64) float64 { return -1 },
		"Your number is negative for every plane, like −|w0|/‖w‖: it shows the distance, but not the side. Alpaydin's (10.5) is w0/‖w‖ and PRML (4.5) is −w0/‖w‖."},
}

// A problem contains a plane and a point.
type problem struct {
	name string
	x, w []float64 // D
	w0   float64
}

func (p problem) String() string { return "“" + p.name + "”" }

func source(part uint64) *rand.Rand { return instance.Source(1002, part) }

// recipes describes planes with positive, negative and zero w0. No w has length 1. Therefore an
// answer fails if it does not divide by ‖w‖.
var recipes = []struct {
	name   string
	d      int
	length float64 // ‖w‖; for D = 1 the weight itself, with its sign
	w0     float64
	far    float64 // typical absolute value of a coordinate of x
}{
	{"a line in the plane", 2, 3, 1.5, 2},
	{"a line with w0 < 0", 2, 0.4, -2, 3},
	{"a point on the axis (D = 1)", 1, 2.5, -1.2, 2},
	{"a point on the axis, with w < 0", 1, -2, 0.9, 2},
	{"a plane in space", 3, 5, 4, 2},
	{"five dimensions", 5, 0.2, 0.7, 1},
	{"through the origin (w0 = 0)", 3, 1.7, 0, 2},
	{"a short w (‖w‖ = 0.001)", 2, 1e-3, -4e-3, 5},
	{"a long w (‖w‖ = 10⁶)", 4, 1e6, 3e6, 2},
	{"points far away", 2, 2, -5e3, 1e4},
}

// problems draws a plane and three points for each recipe.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range recipes {
		w := instance.Unit(r, c.d)
		if c.d == 1 {
			w[0] = 1
		}
		floats.Scale(c.length, w)
		for range 3 {
			x := instance.Normals(r, c.d)
			floats.Scale(c.far, x)
			out = append(out, problem{c.name, x, w, c.w0})
		}
	}
	return out
}

func (p problem) norm() float64 { return floats.Norm(p.w, 2) }

// g returns the discriminant wᵀx + w0 at the point x.
func (p problem) g() float64 { return floats.Dot(p.w, p.x) + p.w0 }

// termSize returns the sum of the absolute values of the terms that add up to the distance.
// Tolerances are proportional to this number, because the terms may cancel.
func (p problem) termSize() float64 {
	s := math.Abs(p.w0)
	for j, v := range p.w {
		s += math.Abs(v * p.x[j])
	}
	return s / p.norm()
}

// footPoint returns x − r w/‖w‖, the point of the plane nearest to x if r is right.
func (p problem) footPoint(r float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(p.x)), p.x, -r/p.norm(), p.w)
}

// withPoint returns a copy of the problem, in which x replaces the problem's own point.
func (p problem) withPoint(x []float64) problem {
	p.x = x
	return p
}

// onPlane returns a random point of the plane. It draws all coordinates except the coordinate with
// the largest absolute weight. It computes that coordinate from wᵀx + w0 = 0.
func (p problem) onPlane(r *rand.Rand) []float64 {
	x := instance.Normals(r, len(p.w))
	floats.Scale(p.termSize(), x)
	top := floats.MaxIdx(floats.MulTo(make([]float64, len(p.w)), p.w, p.w))
	x[top] = 0
	x[top] = -(floats.Dot(p.w, x) + p.w0) / p.w[top]
	return x
}

type (
	distanceFunc = func(x, w []float64, w0 float64) float64
	originFunc   = func(w []float64, w0 float64) float64
)

var distanceQuestion = &judge.Question[distanceFunc, problem]{
	Func: "Distance", Name: "distance", Hint: 3,
	Invoke: func(distance distanceFunc, c *judge.Call, p problem) []float64 {
		return []float64{distance(c.Slice("x", p.x), c.Slice("w", p.w), p.w0)}
	},
	Right: func(p problem) []float64 { return []float64{p.g() / p.norm()} },
	Unit:  func(p problem, _ []float64) []float64 { return []float64{p.termSize()} },
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your number is the signed distance multiplied by a factor that is the same for every plane and point. (10.4) does not contain this factor: substitute x = x_p + r w/‖w‖ into g again."},
	Mistakes: []judge.Mistake[distanceFunc]{
		{Key: "no-norm", Answer: fromPoint(func(p problem) float64 { return p.g() }), Hint: 1,
			Message: "Your number is g(x) = wᵀx + w0 itself. It tells the side, but not how far: with 2w and 2w0 the plane is the same and g is doubled."},
		{Key: "squared-norm", Answer: fromPoint(func(p problem) float64 { return p.g() / (p.norm() * p.norm()) }), Hint: 2,
			Message: "Your number is g(x)/‖w‖². This number times w leads from the plane to x, but in (10.4) r is the factor of the unit vector w/‖w‖. Divide g(x) by ‖w‖, the root of wᵀw."},
		{Key: "no-sign", Answer: fromPoint(func(p problem) float64 { return math.Abs(p.g()) / p.norm() }), Hint: 2,
			Message: "The absolute value is right, but your number is positive for points on both sides. Return r of (10.4), which is negative on the negative side."},
		{Key: "sign-of-bias", Hint: 2,
			Message: "The absolute value is right, but your number has the sign of w0, which shows the side of the origin, not the side of x.",
			Answer:  fromPoint(func(p problem) float64 { return math.Copysign(p.g()/p.norm(), p.w0) })},
		{Key: "sign-flipped", Answer: fromPoint(func(p problem) float64 { return -p.g() / p.norm() }), Hint: 2,
			Message: "Your sign is reversed: x = x_p + r w/‖w‖ makes r positive on the side to which w points."},
		{Key: "bias-left-out", Answer: fromPoint(func(p problem) float64 { return (p.g() - p.w0) / p.norm() }), Hint: 2,
			Message: "Your number is wᵀx/‖w‖, the distance from the parallel plane through the origin. The formula also contains w0."},
		{Key: "bias-subtracted", Answer: fromPoint(func(p problem) float64 { return (p.g() - 2*p.w0) / p.norm() }), Hint: 2,
			Message: "In your number w0 has the wrong sign: the plane is wᵀx + w0 = 0."},
		{Key: "bias-not-divided", Answer: fromPoint(func(p problem) float64 { return (p.g()-p.w0)/p.norm() + p.w0 }), Hint: 3,
			Message: "In your number only wᵀx is divided by ‖w‖, not w0. In Go a/b + c means (a/b) + c, so check the brackets."},
		{Key: "weights-not-divided", Answer: fromPoint(func(p problem) float64 { return p.g() - p.w0 + p.w0/p.norm() }),
			Hint:    3,
			Message: "In your number only w0 is divided by ‖w‖, not wᵀx. In Go a + b/c means a + (b/c), so check the brackets."},
		{Key: "one-norm", Answer: fromPoint(func(p problem) float64 { return p.g() / floats.Norm(p.w, 1) }), Hint: 3,
			Message: "Your denominator is the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2)."},
		{Key: "sum-of-weights", Answer: fromPoint(func(p problem) float64 { return p.g() / floats.Sum(p.w) }), Hint: 3,
			Message: "Your denominator is the sum of the weights. The length of w is the root of the sum of squares (floats.Norm with 2)."},
		{Key: "bias-in-norm", Hint: 2,
			Message: "Your norm includes w0: ‖(w, w0)‖. Only w is normal to the plane; w0 moves the plane and has no direction.",
			Answer:  fromPoint(func(p problem) float64 { return p.g() / math.Hypot(p.norm(), p.w0) })},
		{Key: "norm-of-x", Answer: fromPoint(func(p problem) float64 { return p.g() / floats.Norm(p.x, 2) }), Hint: 2,
			Message: "Your denominator is ‖x‖, which makes x a unit vector. Divide by ‖w‖, which makes the normal w a unit vector."},
		{Key: "multiplied", Answer: fromPoint(func(p problem) float64 { return p.g() * p.norm() }), Hint: 2,
			Message: "Your number contains the factor ‖w‖. Divide by ‖w‖ instead."},
		{Key: "distance-to-origin", Answer: fromPoint(func(p problem) float64 { return floats.Norm(p.x, 2) }), Hint: 1,
			Message: "Your number is ‖x‖, the distance of x from the origin. Return the distance from the plane."},
		{Key: "zero", Answer: fromPoint(func(problem) float64 { return 0 }), Hint: 1,
			Message: "Your distance is 0 for every point."},
	},
}

// originQuestion compares only the absolute value of the learner's number with the right distance,
// because a separate part judges the sign.
var originQuestion = &judge.Question[originFunc, problem]{
	Func: "OriginDistance", Name: "distance of the origin", Hint: 3,
	Invoke: func(origin originFunc, c *judge.Call, p problem) []float64 {
		return []float64{math.Abs(origin(c.Slice("w", p.w), p.w0))}
	},
	Right:  func(p problem) []float64 { return []float64{math.Abs(p.w0) / p.norm()} },
	Family: throughOrigin,
	Factor: judge.Wrong{Key: "origin-factor", Hint: 2,
		Message: "Your number is the distance of the origin multiplied by a factor that is the same for every plane. (10.5) does not contain this factor."},
	Mistakes: []judge.Mistake[originFunc]{
		{Key: "origin-no-norm", Answer: fromPlane(func(_ []float64, w0, _ float64) float64 { return w0 }), Hint: 1,
			Message: "Apart from its sign, your number is w0 alone, which is g(0). With 2w and 2w0 the plane is the same, but your number doubles."},
		{Key: "origin-squared-norm", Hint: 2,
			Message: "Apart from its sign, your number is w0/‖w‖²: the distance divided by the length of w. Divide w0 by ‖w‖, the root of wᵀw.",
			Answer:  fromPlane(func(_ []float64, w0, norm float64) float64 { return w0 / (norm * norm) })},
		{Key: "origin-multiplied", Answer: fromPlane(func(_ []float64, w0, norm float64) float64 { return w0 * norm }),
			Hint: 2, Message: "Your number contains the factor ‖w‖. Divide by ‖w‖ instead."},
		{Key: "origin-inverted", Hint: 2,
			Message: "Apart from its sign, your number is ‖w‖/w0, the inverse of the right ratio. For the same w, |w0| is larger for a plane that is further away, so w0 belongs in the numerator.",
			Answer: fromPlane(func(_ []float64, w0, norm float64) float64 {
				if w0 == 0 { // ‖w‖/w0 is undefined
					return 0
				}
				return norm / w0
			})},
		{Key: "origin-one-norm", Hint: 3,
			Message: "Your denominator is the sum of the absolute weights. The length of w is the root of the sum of squares (floats.Norm with 2).",
			Answer:  fromPlane(func(w []float64, w0, _ float64) float64 { return w0 / floats.Norm(w, 1) })},
		{Key: "origin-bias-in-norm", Hint: 2,
			Message: "Your norm includes w0: ‖(w, w0)‖. Only w is normal to the plane.",
			Answer:  fromPlane(func(_ []float64, w0, norm float64) float64 { return w0 / math.Hypot(norm, w0) })},
		{Key: "origin-first-weight", Answer: fromPlane(func(w []float64, w0, _ float64) float64 { return w0 / w[0] }),
			Hint:    2,
			Message: "Apart from its sign, your number is w0/w1: it shows where the plane cuts the first axis. The nearest point of the plane lies in the direction of w, not on an axis."},
		{Key: "origin-norm-only", Answer: fromPlane(func(_ []float64, _, norm float64) float64 { return norm }), Hint: 2,
			Message: "Your number is ‖w‖. The length of w is the slope of g; it does not show where the plane lies."},
		{Key: "origin-zero", Answer: fromPlane(func([]float64, float64, float64) float64 { return 0 }), Hint: 1,
			Message: "Your number is 0 for every plane, even for planes that do not contain the origin."},
	},
}

// fromPoint returns a learner's function that computes f for a point and a plane. fromPlane returns
// a learner's function that computes f for a plane.
func fromPoint(f func(p problem) float64) distanceFunc {
	return func(x, w []float64, w0 float64) float64 { return f(problem{x: x, w: w, w0: w0}) }
}

func fromPlane(f func(w []float64, w0, norm float64) float64) originFunc {
	return func(w []float64, w0 float64) float64 { return f(w, w0, floats.Norm(w, 2)) }
}

func throughOrigin(p problem, _ []float64) *verify.Verdict {
	return judge.FailIf(p.w0 == 0, "through-origin", 2,
		"For %v the plane contains the origin, but your distance is not zero.", p)
}

func init() {
	judge.Known(exercise, distanceQuestion, func(f distanceFunc) *verify.Report {
		return Check(f, fromPlane(func(_ []float64, w0, norm float64) float64 { return w0 / norm }))
	})
	judge.Known(exercise, originQuestion, func(f originFunc) *verify.Report {
		return Check(fromPoint(func(p problem) float64 { return p.g() / p.norm() }), f)
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex02", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
