// Package ex01 judges PRML exercise 4.1: linear separability and the convex hulls of
// two finite sets of points.
package ex01

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	separator = func(x, y *mat.Dense) (w []float64, w0 float64, ok bool)
	finder    = func(x, y *mat.Dense) (alpha, beta []float64, ok bool)
)

// Check judges both functions of PRML exercise 4.1 on the point sets x (N×D) and y (M×D).
// `separate` returns a hyperplane (w with D entries, w0). The points of x lie strictly on its
// positive side, and the points of y strictly on its negative side. commonPoint returns the convex
// weights (N and M entries) of a point in both hulls. The result `ok` of each function reports
// whether the hyperplane or the point exists.
func Check(separate separator, commonPoint finder) *verify.Report {
	return exercise.Judge(slices.Concat(
		planeQuestion.Parts(separate,
			judge.Form("Separate: the same result ok on every call, and x and y stay unchanged", someOfEach, nil,
				judge.Wrong{}, "Separate returns the same result ok on a second call, and also when x and y are parts of larger matrices."),
			decisionPart("Separate: where the sets are separable, all inequalities hold strictly", separable, 1,
				judge.Wrong{Key: "missed", Hint: 3,
					Message: "For {problem} you found no hyperplane, but these sets are separable."},
				narrow,
				judge.Wrong{Key: "gives-up", Hint: 3,
					Message: "You miss the hyperplane only for gaps close to the smallest gap that the exercise allows, as for {problem}. Use a tolerance well below 1/10000 of the largest distance between two points. A search with a fixed number of steps, such as a perceptron, can stop too early. If a solver returns an error, this does not prove that no hyperplane exists."},
				"For every tested separable pair, in one to five dimensions and down to the smallest allowed gap, every point is strictly on the correct side."),
			decisionPart("Separate: reports no hyperplane where the hulls meet", meeting, 2,
				judge.Wrong{Key: "false-plane", Hint: 2,
					Message: "For {problem} you claim a hyperplane, but the hulls have a point in common. At that point z, wᵀz + w0 would be both positive and negative."},
				touching,
				judge.Wrong{Key: "non-strict", Hint: 2,
					Message: "Where the hulls only touch, as in {problem}, you claim a hyperplane. But a common point of the hulls cannot lie strictly on both sides of a hyperplane. Test the inequalities with > and <, not with ≥ and ≤."},
				"You claim no hyperplane for hulls that overlap or only touch.")),
		pointQuestion.Parts(commonPoint,
			judge.Form("CommonPoint: the same result ok on every call, and x and y stay unchanged", someOfEach, nil,
				judge.Wrong{}, "CommonPoint returns the same result ok on a second call, and also when x and y are parts of larger matrices."),
			decisionPart("CommonPoint: where the hulls meet, the weights of both sets give the same point", meeting, 3,
				judge.Wrong{Key: "missed", Hint: 3,
					Message: "For {problem} you find no common point, but the hulls have one. A common point need not be one of the given points, nor lie on the boundary of a hull."},
				touching,
				judge.Wrong{Key: "touching-missed", Hint: 2,
					Message: "Where the hulls only touch, as in {problem}, you find no common point. The hulls contain their boundaries: weights may be 0."},
				"For every tested pair of hulls that meet or touch, your weights of both sets give the same point."),
			decisionPart("CommonPoint: reports no common point where the sets are separable", separable, 4,
				judge.Wrong{Key: "false-point", Hint: 2,
					Message: "For {problem} you claim a common point, but a hyperplane separates the two sets and therefore their hulls."},
				narrow,
				judge.Wrong{Key: "tolerance", Hint: 3,
					Message: "You claim a common point where the gap is close to the smallest gap that the exercise allows, as for {problem}. The nearest points of the two hulls are close but different. Use a tolerance well below 1/10000 of the largest distance between two points."},
				"You claim no common point for separable pairs.")),
		planeQuestion.Parts(separate,
			judge.Property[problem]{Name: "every pair of sets has either a hyperplane or a common point",
				SecondFunc: "CommonPoint",
				Problems:   func() []problem { return append(separable(5), meeting(5)...) },
				Precheck: func(p problem, meets []float64) *verify.Verdict {
					return checkExactlyOne(commonPoint, p,
						meets[0] == 0)
				},
				Holds: decided,
				Wrong: judge.Wrong{Key: "missed", Hint: 3,
					Message: "For {problem} both functions are wrong. Either a hyperplane or a common point exists, never both. One function claims what does not exist, and the other function misses what exists."},
				Right: "On further pairs you found either a hyperplane or a common point, never both. The exercise proves that a hyperplane and a common point exclude each other. In addition, one of the two always exists. (The exercise also asks for the “converse”: separable sets have disjoint hulls. But this statement only says in another way that the two exclude each other.)"}))...)
}

// decisionPart returns the part of the report that checks the result `ok` of the learner's
// function. This result says whether the hulls of a problem meet. Wrong results have their own
// messages for problems of three kinds: `moved`, `scaled`, and the kind given by the argument
// `kind`. The function `list` returns such problems after the ordinary problems, so these messages
// appear only if the answer is right on all ordinary problems.
func decisionPart(name string, list func(n uint64) []problem, n uint64, wrong judge.Wrong, kind string, special judge.Wrong,
	right string) judge.Property[problem] {
	kinds := map[string]judge.Wrong{
		kind: special,
		moved: {Key: "far-from-origin", Hint: 4,
			Message: "For {problem} your answer changes when all points are moved. Whether hulls meet depends only on the differences between the points. Subtract one of the points from all points first. Otherwise a tolerance that grows with the coordinates, or the rounding of large coordinates, can exceed the gap."},
		scaled: {Key: "absolute-threshold", Hint: 4,
			Message: "For {problem} your answer changes with the unit of the coordinates, so your search probably contains a fixed number: a tolerance, a step, or a bias column of ones. Make such a number proportional to the differences between the points."},
	}
	return judge.Property[problem]{Name: name, Problems: func() []problem { return list(n) }, Holds: decided,
		Wrong: wrong,
		Right: right,
		Precheck: func(p problem, meets []float64) *verify.Verdict {
			if wrong, special := kinds[p.kind]; special && !decided(p, meets).OK {
				return judge.Fail(wrong.Key, wrong.Hint, "%s",
					strings.ReplaceAll(wrong.Message, "{problem}", p.String()))
			}
			return nil
		}}
}

func decided(p problem, meets []float64) verify.Finding {
	return verify.Finding{OK: meets[0] == meetNumber(p.meets)[0]}
}

// checkExactlyOne checks that exactly one of the functions Separate and CommonPoint succeeds on p.
// If the hulls meet, it also checks that the weights of the common point are convex and give the
// same point for both sets. The argument `plane` reports whether Separate returned a hyperplane.
func checkExactlyOne(commonPoint finder, p problem, plane bool) *verify.Verdict {
	alpha, beta, point := commonPoint(mat.DenseCopyOf(p.x), mat.DenseCopyOf(p.y))
	switch {
	case plane && point:
		return judge.Fail("both", 1,
			"For %v you return both a hyperplane and a common point, so one of them is wrong. The common point z is in the hull of x, so wᵀz + w0 would be positive. But z is also in the hull of y, so wᵀz + w0 would be negative.", p)
	case !plane && !point:
		return judge.Fail("neither", 2,
			"For %v you return neither a hyperplane nor a common point. For two finite sets, either a separating hyperplane or a common point always exists.",
			p)
	case !point || !p.meets:
		return nil
	case len(alpha) != p.x.RawMatrix().Rows || len(beta) != p.y.RawMatrix().Rows:
		return judge.Fail("no-weights", 3,
			"For %v your common point does not have one weight for each point. The report on CommonPoint above gives the details.", p)
	}
	return checkConvex(p, alpha, beta)
}

// A problem is a pair of point sets. The field `meets` reports whether the hulls of the sets meet.
// The function `meeting` sets it to true for its pairs. For all other pairs it stays false.
type problem struct {
	name  string
	x, y  *mat.Dense // N×D and M×D
	meets bool
	kind  string // empty for ordinary problems
}

// Problems of the kinds moved, scaled, narrow and touching have their own messages. A moved or
// scaled problem is a transformed copy of another problem. A narrow problem has a gap close to the
// smallest allowed gap. In a touching problem the hulls meet only at their boundaries.
const moved, scaled, narrow, touching = "moved", "scaled", "narrow", "touching"

func (p problem) String() string { return "“" + p.name + "”" }

// affine returns a copy of p in which every coordinate v is replaced by scale·v + offset. The copy
// has the given kind, and its name is the name of p followed by the argument `name`.
func (p problem) affine(name, kind string, scale, offset float64) problem {
	p.name, p.kind = p.name+name, kind
	p.x, p.y = mat.DenseCopyOf(p.x), mat.DenseCopyOf(p.y)
	for _, m := range []*mat.Dense{p.x, p.y} {
		m.Apply(func(_, _ int, v float64) float64 { return scale*v + offset }, m)
	}
	return p
}

// copies returns three copies of p: two in other units, and one far from the origin. A fixed
// tolerance fails in at least one of the other units, and a tolerance relative to the coordinates
// fails far from the origin.
func (p problem) copies() []problem {
	return []problem{
		p.affine(" with all coordinates multiplied by 1e-8", scaled, 1e-8, 0),
		p.affine(" with all coordinates multiplied by 1e8", scaled, 1e8, 0),
		p.affine(" after a move by 1e7 along every axis", moved, 1, 1e7),
	}
}

// drawApart draws two clouds of points on opposite sides of a random hyperplane, and then moves the
// clouds apart. The argument `gap` is the width of the gap between the clouds, divided by the largest
// distance between two points before the move. The first `few` points of each cloud lie at the edge
// of the gap, and all others lie further away. drawApart adds `offset` to all coordinates.
func drawApart(r *rand.Rand, name string, n, m, d, few int, gap, offset float64) problem {
	normal := instance.Unit(r, d)
	draw := func(count int, side float64) *mat.Dense {
		x := mat.NewDense(count, d, instance.Normals(r, count*d))
		for i := range count {
			h := floats.Dot(normal, x.RawRowView(i))
			beyond := math.Abs(h)
			if i < few {
				beyond = 0
			}
			floats.AddScaled(x.RawRowView(i), side*beyond-h, normal)
		}
		return x
	}
	p := problem{name: name, x: draw(n, 1), y: draw(m, -1)}
	floats.Scale(-gap*instance.Diameter(p.x, p.y), normal)
	p.x = instance.Centred(p.x, normal)
	return p.affine("", "", 1, offset)
}

// pushTogether moves the second set of p so that the hulls of the two sets meet. It draws a random
// convex combination of each set and moves the second set so that both combinations give the same
// point. pushTogether multiplies the weights of all points except the first `few` points by the
// factor `share`. If only these first points lie at the edge of the gap, the hulls overlap less for
// a smaller factor, and only touch if the factor is 0.
func pushTogether(r *rand.Rand, p problem, few int, share float64) problem {
	inner := func(x *mat.Dense) []float64 {
		n, _ := x.Dims()
		weights := make([]float64, n)
		for i := range n {
			if weights[i] = r.ExpFloat64(); i >= few {
				weights[i] *= share
			}
		}
		floats.Scale(1/floats.Sum(weights), weights)
		return instance.Combination(x, weights)
	}
	to := inner(p.x)
	p.y = instance.Centred(p.y, instance.Minus(inner(p.y), to))
	return p
}

// drawOverlapping draws two clouds of points whose hulls overlap.
func drawOverlapping(r *rand.Rand, name string, n, m, d int, offset float64) problem {
	return pushTogether(r,
		problem{name: name, x: mat.NewDense(n, d, instance.Normals(r, n*d)),
			y: mat.NewDense(m, d, instance.Normals(r, m*d))}, n+m, 1).affine("", "", 1, offset)
}

func points(d int, v ...float64) *mat.Dense { return mat.NewDense(len(v)/d, d, v) }

// separable returns pairs of sets with a gap between their hulls.
func separable(n uint64) []problem {
	r := instance.Source(401, n)
	plane := drawApart(r, "two clouds in the plane", 12, 9, 2, 1, 0.1, 0)
	list := []problem{
		{name: "sets that the line midway between the means does not separate", x: points(2, 0, 1, 10, 1.5, 10, 1.6),
			y: points(2, 0, 0.5, 0, 0.4, 10, 1.3, -20, 0.3)},
		{name: "two single points", x: points(2, 1, 2), y: points(2, 1, 2.5)},
		plane,
		drawApart(r, "one dimension", 6, 8, 1, 1, 0.05, 2),
		drawApart(r, "three dimensions, unequal sets", 25, 4, 3, 1, 0.04, 0),
		drawApart(r, "five dimensions, far from the origin", 20, 20, 5, 1, 0.05, 100),
		{name: "a single point beside a triangle", x: points(2, 1, 1.2), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "one dimension, the origin between both points", x: points(1, -3), y: points(1, 1)},
		drawApart(r, "three points in five dimensions", 2, 1, 5, 1, 0.03, 0),
		{name: "a point that occurs twice", x: points(2, 0, 0, 0, 0, 1, 0), y: points(2, 0, 1, 1, 1, 1, 1)},
		{name: "one dimension, with the points beside the gap listed last", x: points(1, 0, 9), y: points(1, 30, 10)},
		{name: "coordinates of very different size", x: points(2, 3e5, 1e-6, 1e6, -2e-6),
			y: points(2, -1e5, 3e-6, -2e6, 1e-6, -2e5, -1e-6)},
	}
	return slices.Concat(list, plane.copies(), withKind(narrow, []problem{
		drawApart(r, "a gap close to the smallest allowed gap", 30, 30, 2, 8, smallestGap, 0),
		drawApart(r, "a gap close to the smallest allowed gap, three dimensions", 20, 16, 3, 12, smallestGap, 0),
		drawApart(r, "a gap close to the smallest allowed gap, one dimension", 5, 7, 1, 2, smallestGap, 1),
	}))
}

func withKind(kind string, list []problem) []problem {
	for i := range list {
		list[i].kind = kind
	}
	return list
}

// smallestGap is slightly more than the smallest gap that the text of the exercise allows, as a
// fraction of the largest distance between two points.
const smallestGap = 1.05e-4

// meeting returns pairs of sets whose hulls have a point in common.
func meeting(n uint64) []problem {
	r := instance.Source(4010, n)
	plane := drawOverlapping(r, "two clouds in the plane that overlap", 12, 9, 2, 0)
	list := []problem{
		plane,
		{name: "the corners of a square, diagonally opposite corners in one set", x: points(2, 0, 0, 1, 1), y: points(2, 0, 1, 1, 0)},
		drawOverlapping(r, "one dimension, overlapping", 6, 5, 1, 3),
		drawOverlapping(r, "three dimensions, overlapping", 9, 14, 3, 0),
		drawOverlapping(r, "five dimensions, far from the origin, overlapping", 12, 10, 5, 100),
		{name: "a point inside a triangle", x: points(2, 0.5, 0.5), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "a set around another", x: points(2, 3, 0, 0, 3, -3, 0, 0, -3),
			y: points(2, 0.1, 0, 0, 0.2, -0.1, -0.1)},
		{name: "one dimension, a point between two points of the other set", x: points(1, -1, 1), y: points(1, 0.25)},
		pushTogether(r, drawApart(r, "hulls that overlap a little", 12, 10, 2, 3, 0, 0), 3, 1e-3),
		pushTogether(r, drawApart(r, "hulls that overlap a little, three dimensions", 12, 10, 3, 4, 0, 0), 4, 1e-3),
	}
	list = slices.Concat(list, plane.copies(), withKind(touching, []problem{
		{name: "the same single point", x: points(3, 1, 2, 3), y: points(3, 1, 2, 3)},
		{name: "a corner of one hull on an edge of the other", x: points(2, 0, 0, 2, 0, 1, -1), y: points(2, 1, 0, 1, 1)},
		{name: "a shared corner", x: points(2, 0, 0, 1, 0, 0, 1), y: points(2, 1, 0, 2, 0, 2, 1)},
		{name: "edges that overlap on one line", x: points(2, 0, 0, 2, 0, 1, 1), y: points(2, 1, 0, 3, 0, 2, -1)},
		{name: "one dimension, touching", x: points(1, 0, 1), y: points(1, 1, 2)},
		pushTogether(r, drawApart(r, "two touching edges, turned in a random direction", 12, 10, 2, 4, 0, 0), 4, 0),
	}))
	for i := range list {
		list[i].meets = true
	}
	return list
}

// someOfEach returns a few separable pairs and a few pairs whose hulls meet.
func someOfEach() []problem { return slices.Concat(separable(1)[:5], meeting(2)[:5]) }

// planeQuestion calls Separate and returns 1 if Separate reports that no hyperplane exists, which means
// that the hulls meet. Otherwise planeQuestion returns 0. If Separate returns a hyperplane that does not
// separate two separable sets, planeQuestion records a verdict.
var planeQuestion = &judge.Question[separator, problem]{
	Func: "Separate", Name: "hyperplane", Hint: 3,
	Invoke: func(separate separator, c *judge.Call, p problem) []float64 {
		w, w0, ok := separate(c.Dense("x", p.x), c.Dense("y", p.y))
		if _, d := p.x.Dims(); ok && !p.meets && c.Vector("w", w, d, "coordinate") != nil {
			if math.IsNaN(w0) || math.IsInf(w0, 0) {
				c.Say(judge.Fail("not-finite", 3, "For %v your w0 is %g, which is not a finite number.", p, w0))
			}
			c.Say(checkStrict(p, w, w0))
		}
		return meetNumber(!ok)
	},
	Right: func(p problem) []float64 { return meetNumber(p.meets) },
	Mistakes: []judge.Mistake[separator]{
		{Key: "never-ok", Answer: func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }, Hint: 1,
			Message: "You find no hyperplane for any separable pair. Even two different single points are separable."},
		{Key: "always-ok", Hint: 1,
			Message: "You claim a hyperplane for every pair of sets whose hulls meet, even if a point of one set lies inside the hull of the other. Test the hyperplane on all points before you return ok = true.",
			Answer: func(x, y *mat.Dense) ([]float64, float64, bool) {
				// this wrong answer returns the hyperplane midway between the first point of x and
				// the first point of y
				w := floats.SubTo(make([]float64, x.RawMatrix().Cols), x.RawRowView(0), y.RawRowView(0))
				return w, -(floats.Dot(w, x.RawRowView(0)) + floats.Dot(w, y.RawRowView(0))) / 2, true
			}},
	},
}

// pointQuestion calls CommonPoint and returns 1 if CommonPoint reports a common point. Otherwise
// pointQuestion returns 0. If the hulls meet and CommonPoint returns wrong weights, pointQuestion records a
// verdict.
var pointQuestion = &judge.Question[finder, problem]{
	Func: "CommonPoint", Name: "common point", Hint: 3,
	Invoke: func(commonPoint finder, c *judge.Call, p problem) []float64 {
		alpha, beta, ok := commonPoint(c.Dense("x", p.x), c.Dense("y", p.y))
		if !ok || !p.meets {
			return meetNumber(ok)
		}
		n, d := p.x.Dims()
		m, _ := p.y.Dims()
		switch {
		case n != m && len(alpha) == m && len(beta) == n:
			c.Say(judge.Fail("weights-swapped", 3,
				"For %v your alpha has one entry per point of y, and your beta has one per point of x. Swap the two lengths: alpha contains the weights of x, and beta the weights of y.", p))
		case d != n && d != m && len(alpha) == d && len(beta) == d:
			c.Say(judge.Fail("points-for-weights", 3,
				"For %v you returned as many numbers as there are coordinates, as if they were the common point. Return the weights, one per point.", p))
		}
		if c.Vector("alpha", alpha, n, "point of x") != nil && c.Vector("beta", beta, m, "point of y") != nil {
			c.Say(checkConvex(p, alpha, beta))
		}
		return meetNumber(ok)
	},
	Right: func(p problem) []float64 { return meetNumber(p.meets) },
	Mistakes: []judge.Mistake[finder]{
		{Key: "never-ok", Answer: func(_, _ *mat.Dense) ([]float64, []float64, bool) { return nil, nil, false },
			Hint: 1, Message: "You find no common point for any pair of hulls that meet. Even two equal single points have a common point."},
		{Key: "always-ok",
			Answer: func(x, y *mat.Dense) ([]float64, []float64, bool) { return equalWeights(x), equalWeights(y), true }, Hint: 1,
			Message: "You claim a common point for every separable pair of sets, even for two different single points."},
	},
}

// meetNumber returns 1 if the hulls meet and 0 otherwise.
func meetNumber(meet bool) []float64 {
	if meet {
		return []float64{1}
	}
	return []float64{0}
}

// equalWeights returns the same weight for each point.
func equalWeights(x *mat.Dense) []float64 {
	return slices.Repeat([]float64{1 / float64(x.RawMatrix().Rows)}, x.RawMatrix().Rows)
}

// checkStrict returns nil if all points of x lie strictly on the positive side of the hyperplane,
// and all points of y strictly on its negative side. Otherwise it returns a verdict.
func checkStrict(p problem, w []float64, w0 float64) *verify.Verdict {
	lowX, highX := projectedRange(p.x, w)
	lowY, highY := projectedRange(p.y, w)
	switch {
	case lowX+w0 > 0 && highY+w0 < 0:
		return nil
	case floats.Norm(w, 1) == 0:
		return judge.Fail("zero-w", 2, "For %v your w is the zero vector, so wᵀx + w0 is the same number for all points.", p)
	case highX+w0 < 0 && lowY+w0 > 0:
		return judge.Fail("sides-swapped", 2,
			"For %v your hyperplane separates the sets, but x lies on the negative side and y on the positive side. You need wᵀx + w0 > 0 and wᵀy + w0 < 0.", p)
	case lowX > highY && (lowX+w0 == 0 || highY+w0 == 0):
		return judge.Fail("non-strict", 2,
			"For %v your hyperplane separates the sets but passes through one of the points. The inequalities are strict, so move the hyperplane into the gap.", p)
	case lowX > highY:
		return judge.Fail("bias-off", 3,
			"For %v the direction of your w separates the sets, but w0 does not put the hyperplane between them. −w0 must lie between the largest wᵀy and the least wᵀx.", p)
	case lowY > highX:
		return judge.Fail("sides-swapped", 2,
			"For %v your w points from x to y. You need wᵀx + w0 > 0 and wᵀy + w0 < 0.", p)
	case lowX+w0 >= 0 && highY+w0 <= 0:
		return judge.Fail("non-strict", 2,
			"For %v a point of each set lies on your hyperplane. The inequalities are strict, so no point may lie on the hyperplane.", p)
	}
	return judge.Fail("not-separating", 3,
		"For %v some points are on the wrong side of your hyperplane. No w0 can correct this, because the sets overlap along your w. (The line between the means is only one choice of w.)", p)
}

// projectedRange returns the smallest and the largest value of wᵀx over the rows of x.
func projectedRange(x *mat.Dense, w []float64) (low, high float64) {
	v := instance.Activations(x, w)
	return slices.Min(v), slices.Max(v)
}

// weightTol and pointTol are the tolerances stated in the text of the exercise. A weight must be at
// least −weightTol, and the weights of a set must sum to 1 within weightTol. pointTol is the largest
// allowed difference in a coordinate between the two weighted sums of points, divided by the largest
// distance between two points.
const weightTol, pointTol = 1e-9, 1e-5

// checkConvex returns nil if the weights are convex and the weighted sums of both sets are the same
// point. Otherwise it returns a verdict.
func checkConvex(p problem, alpha, beta []float64) *verify.Verdict {
	for i, weights := range [][]float64{alpha, beta} {
		name := []string{"alpha", "beta"}[i]
		if i := floats.MinIdx(weights); weights[i] < -weightTol {
			return judge.Fail("negative-weights", 2,
				"For %v, entry %d of your %s is negative. With negative weights, a combination can be a point outside the hull. The convex hull consists of the combinations with weights ≥ 0.", p, i, name)
		}
		if floats.Norm(weights, 1) == 0 {
			return judge.Fail("zero-weights", 2,
				"For %v, all entries of your %s are 0. The weights of each set must sum to 1.", p,
				name)
		}
		if f := verify.SumsTo(weights, 1, verify.Tolerance{Abs: weightTol}); !f.OK {
			return judge.Fail("weights-sum", 2,
				"For %v your %s should sum to 1, but the sum is %s. Without this condition, all weights could be 0, and Σ alpha·x and Σ beta·y would both be the origin.", p, name, f.Off())
		}
	}
	// subtracting the first point keeps rounding errors small for points far from the origin
	first := p.x.RawRowView(0)
	x, y := instance.Centred(p.x, first), instance.Centred(p.y, first)
	f := verify.CloseSlice(instance.Combination(x, alpha), instance.Combination(y, beta),
		verify.Tolerance{Abs: pointTol * instance.Diameter(p.x, p.y)})
	switch {
	case f.OK:
		return nil
	case floats.EqualApprox(alpha, equalWeights(x), 1e-9) && floats.EqualApprox(beta, equalWeights(y), 1e-9):
		return judge.Fail("means", 2,
			"For %v your weights are equal within each set, so your two points are the means of the two sets, and these differ. Even if two hulls meet, the means of the sets are usually different.", p)
	}
	return judge.Fail("not-common", 3,
		"For %v your weights are convex, but Σ alpha·x and Σ beta·y are two different points: %s. No coordinate may differ by more than 10⁻⁵ of the largest distance between two points.", p, f.Off())
}

// init registers Check separately for the mistakes of each function. To judge a mistake of one
// function, Check receives a stub in place of the other function. The stub panics with TODO, as if
// the learner had not written this function.
func init() {
	judge.Known(exercise, planeQuestion, func(f separator) *verify.Report {
		return Check(f, func(_, _ *mat.Dense) ([]float64, []float64, bool) { panic(verify.TODO) })
	})
	judge.Known(exercise, pointQuestion, func(f finder) *verify.Report {
		return Check(func(_, _ *mat.Dense) ([]float64, float64, bool) { panic(verify.TODO) }, f)
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex01", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
