package ex01

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// askPlane asks whether the hulls meet, 1 for yes, where there is no hyperplane. That
// the one that comes with a no does separate is a matter of form.
var askPlane = &judge.Question[separator, problem]{
	Func: "Separate", Name: "hyperplane", Hint: 3,
	Ask: func(separate separator, c *judge.Call, p problem) []float64 {
		w, w0, ok := separate(c.Dense("x", p.x), c.Dense("y", p.y))
		if _, d := p.x.Dims(); ok && !p.meets && c.Vector("w", w, d, "coordinate") != nil {
			if math.IsNaN(w0) || math.IsInf(w0, 0) {
				c.Say(judge.Fail("not-finite", 3, "For %v your w0 is %g.", p, w0))
			}
			c.Say(strict(p, w, w0))
		}
		return number(!ok)
	},
	Right: func(p problem) []float64 { return number(p.meets) },
	Mistakes: []judge.Mistake[separator]{
		{Key: "never-ok", Answer: func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }, Hint: 1, Message: "You never find a hyperplane. Two single points that differ are separable, to begin with."},
		{Key: "always-ok", Hint: 1, Message: "You claim a hyperplane for every pair of sets, also where a point of one lies inside the hull of the other. Whatever is computed has to be tested on all points before ok is true.",
			Answer: func(x, y *mat.Dense) ([]float64, float64, bool) { // midway between the first points
				w := floats.SubTo(make([]float64, x.RawMatrix().Cols), x.RawRowView(0), y.RawRowView(0))
				return w, -(floats.Dot(w, x.RawRowView(0)) + floats.Dot(w, y.RawRowView(0))) / 2, true
			}},
	},
}

// askPoint is askPlane for CommonPoint: where there is a point they meet.
var askPoint = &judge.Question[finder, problem]{
	Func: "CommonPoint", Name: "common point", Hint: 3,
	Ask: func(commonPoint finder, c *judge.Call, p problem) []float64 {
		alpha, beta, ok := commonPoint(c.Dense("x", p.x), c.Dense("y", p.y))
		if !ok || !p.meets {
			return number(ok)
		}
		n, d := p.x.Dims()
		m, _ := p.y.Dims()
		switch {
		case n != m && len(alpha) == m && len(beta) == n:
			c.Say(judge.Fail("weights-swapped", 3, "For %v alpha has one entry per point of y and beta one per point of x: they are exchanged.", p))
		case d != n && d != m && len(alpha) == d && len(beta) == d:
			c.Say(judge.Fail("points-for-weights", 3, "For %v you returned as many numbers as there are coordinates: the common point itself? Asked for are the weights, one per point.", p))
		}
		if c.Vector("alpha", alpha, n, "point of x") != nil && c.Vector("beta", beta, m, "point of y") != nil {
			c.Say(convex(p, alpha, beta))
		}
		return number(ok)
	},
	Right: func(p problem) []float64 { return number(p.meets) },
	Mistakes: []judge.Mistake[finder]{
		{Key: "never-ok", Answer: func(_, _ *mat.Dense) ([]float64, []float64, bool) { return nil, nil, false }, Hint: 1, Message: "You never find a common point. A single point and itself have one, to begin with."},
		{Key: "always-ok", Answer: func(x, y *mat.Dense) ([]float64, []float64, bool) { return equal(x), equal(y), true }, Hint: 1, Message: "You claim a common point for every pair of sets, also for two single points that differ."},
	},
}

// number is 1 where the hulls meet, 0 where they do not.
func number(meet bool) []float64 {
	if meet {
		return []float64{1}
	}
	return []float64{0}
}

// equal is one and the same weight for each point.
func equal(x *mat.Dense) []float64 {
	return slices.Repeat([]float64{1 / float64(x.RawMatrix().Rows)}, x.RawMatrix().Rows)
}

// strict is nil where all inequalities hold.
func strict(p problem, w []float64, w0 float64) *verify.Verdict {
	lowX, highX := sides(p.x, w)
	lowY, highY := sides(p.y, w)
	switch {
	case lowX+w0 > 0 && highY+w0 < 0:
		return nil
	case floats.Norm(w, 1) == 0:
		return judge.Fail("zero-w", 2, "For %v your w is the zero vector: wᵀx + w0 has one sign for all points.", p)
	case highX+w0 < 0 && lowY+w0 > 0:
		return judge.Fail("sides-swapped", 2, "For %v your hyperplane separates the sets, but x lies on the negative side and y on the positive one. Asked for is wᵀx + w0 > 0 and wᵀy + w0 < 0.", p)
	case lowX > highY && (lowX+w0 == 0 || highY+w0 == 0):
		return judge.Fail("non-strict", 2, "For %v your hyperplane passes through a point of one of the sets. The inequalities are strict: move it into the gap.", p)
	case lowX > highY:
		return judge.Fail("bias-off", 3, "For %v the direction of your w separates the sets, but w0 does not put the hyperplane between them: it belongs between the least wᵀx and the largest wᵀy.", p)
	case lowY > highX:
		return judge.Fail("sides-swapped", 2, "For %v your w points from x to y. Asked for is wᵀx + w0 > 0 and wᵀy + w0 < 0.", p)
	case lowX+w0 >= 0 && highY+w0 <= 0:
		return judge.Fail("non-strict", 2, "For %v a point of each set lies on your hyperplane. The inequalities are strict.", p)
	}
	return judge.Fail("not-separating", 3, "For %v you return a hyperplane, but there are points on the wrong side of it, and no w0 would help: along your w the sets overlap. (The line between the means is one w among many.)", p)
}

// sides are the least and the largest wᵀx.
func sides(x *mat.Dense, w []float64) (low, high float64) {
	v := instance.Activations(x, w)
	return slices.Min(v), slices.Max(v)
}

// The accuracy that the statement asks for, of weights, and of the two points
// relative to the largest distance.
const weightTol, pointTol = 1e-9, 1e-5

// convex is nil where the weights are convex and make one point of both sets.
func convex(p problem, alpha, beta []float64) *verify.Verdict {
	for i, weights := range [][]float64{alpha, beta} {
		name := []string{"alpha", "beta"}[i]
		if i := floats.MinIdx(weights); weights[i] < -weightTol {
			return judge.Fail("negative-weights", 2, "For %v entry %d of your %s is negative. With weights of any sign every set reaches the whole line, plane or space that it spans; the convex hull is what weights ≥ 0 reach.", p, i, name)
		}
		if floats.Norm(weights, 1) == 0 {
			return judge.Fail("zero-weights", 2, "For %v all entries of your %s are 0: 0 = 0 holds for any points. The weights have to sum to 1.", p, name)
		}
		if f := verify.SumsTo(weights, 1, verify.Tolerance{Abs: weightTol}); !f.OK {
			return judge.Fail("weights-sum", 2, "For %v your %s should sum to 1 and the sum is %s. Without that condition the origin could be reached from everywhere.", p, name, f.Off())
		}
	}
	first := p.x.RawRowView(0) // from which the points' size is seen wherever they lie
	x, y := instance.Centred(p.x, first), instance.Centred(p.y, first)
	f := verify.CloseSlice(instance.Combination(x, alpha), instance.Combination(y, beta), verify.Tolerance{Abs: pointTol * instance.Diameter(p.x, p.y)})
	switch {
	case f.OK:
		return nil
	case floats.EqualApprox(alpha, equal(x), 1e-9) && floats.EqualApprox(beta, equal(y), 1e-9):
		return judge.Fail("means", 2, "For %v all your weights are equal: they make the two means, which are different points. Some point of one hull is a point of the other, hardly these two.", p)
	}
	return judge.Fail("not-common", 3, "For %v your weights are convex, but Σ alpha·x and Σ beta·y are two different points: %s. They may differ by 10⁻⁵ of the largest distance between two points.", p, f.Off())
}

// The other function is not written yet: it has the same mistakes, and could hide these.
func init() {
	judge.Known(exercise, askPlane, func(f separator) *verify.Report {
		return Check(f, func(_, _ *mat.Dense) ([]float64, []float64, bool) { panic(verify.TODO) })
	})
	judge.Known(exercise, askPoint, func(f finder) *verify.Report {
		return Check(func(_, _ *mat.Dense) ([]float64, float64, bool) { panic(verify.TODO) }, f)
	})
}
