package ex01

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// askPoint is askPlane for CommonPoint.
func askPoint(commonPoint finder, p problem) (alpha, beta []float64, ok bool, bad *verify.Verdict) {
	var in learner.Inputs
	alpha, beta, ok = commonPoint(in.Dense("x", p.x), in.Dense("y", p.y))
	alpha, beta = append([]float64(nil), alpha...), append([]float64(nil), beta...)
	if bad := in.Changed(3); bad != nil {
		return nil, nil, false, bad
	}
	if !ok {
		return nil, nil, false, nil
	}
	n, d := p.x.Dims()
	m, _ := p.y.Dims()
	switch {
	case n != m && len(alpha) == m && len(beta) == n:
		return nil, nil, false, learner.Fail("weights-swapped", 3, "For “%s” alpha has one entry per point of y and beta one per point of x: they are exchanged.", p.name)
	case d != n && d != m && len(alpha) == d && len(beta) == d:
		return nil, nil, false, learner.Fail("points-for-weights", 3, "For “%s” you returned as many numbers as there are coordinates: the common point itself? Asked for are the weights, one per point.", p.name)
	}
	if bad := form.Vector("alpha", alpha, n, "point of x", p.name, 3); bad != nil {
		return nil, nil, false, bad
	}
	if bad := form.Vector("beta", beta, m, "point of y", p.name, 3); bad != nil {
		return nil, nil, false, bad
	}
	return alpha, beta, true, nil
}

// combination is Σ weights_n points_n.
func combination(points *mat.Dense, weights []float64) []float64 {
	_, d := points.Dims()
	z := make([]float64, d)
	for i, a := range weights {
		floats.AddScaled(z, a, points.RawRowView(i))
	}
	return z
}

// weightTol is the rounding allowed for weights; pointTol, relative to the distances
// between the points, that for the two combinations: less than the narrowest gap.
const (
	weightTol = 1e-9
	pointTol  = 1e-6
)

func judgeMeets(commonPoint finder) verify.Verdict {
	problems := meeting(3)
	missed, touching, first := 0, 0, ""
	var failed []problem
	for _, p := range problems {
		alpha, beta, ok, bad := askPoint(commonPoint, p)
		if bad != nil {
			return *bad
		}
		again, _, okAgain, bad := askPoint(commonPoint, p)
		if bad != nil {
			return *bad
		}
		if ok != okAgain || ok && !verify.CloseSlice(again, alpha, verify.Tolerance{Abs: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different answers.")
		}
		if !ok {
			if missed++; missed == 1 {
				first = p.name
			}
			failed = append(failed, p)
			if p.touching {
				touching++
			}
			continue
		}
		if v := convex(p, alpha, beta); v != nil {
			return *v
		}
	}
	if v := onlyCopies(failed); v != nil {
		return *v
	}
	switch {
	case missed == len(problems):
		return verify.Fail("never-ok", 1, "You never find a common point. A single point and itself have one, to begin with.")
	case missed > 0 && missed == touching:
		return verify.Fail("touching-missed", 2, "Where the hulls only touch, as in “%s”, you find no common point. The hulls contain their boundaries: weights may be 0.", first)
	case missed > 0:
		return verify.Fail("missed", 3, "For “%s” you find no common point, but there is one (%d of %d such pairs). It need not be one of the given points, nor lie on the boundary of a hull.", first, missed, len(problems))
	}
	return verify.Pass("For %d pairs of hulls that meet or touch, your weights are those of one point in both.", len(problems))
}

// convex is nil where the weights are convex and make one point of both sets.
func convex(p problem, alpha, beta []float64) *verify.Verdict {
	for _, s := range []struct {
		name    string
		weights []float64
	}{{"alpha", alpha}, {"beta", beta}} {
		if i := floats.MinIdx(s.weights); s.weights[i] < -weightTol {
			return learner.Fail("negative-weights", 2, "For “%s” entry %d of your %s is negative. With weights of any sign every set reaches the whole line, plane or space that it spans; the convex hull is what weights ≥ 0 reach.", p.name, i, s.name)
		}
		if f := verify.SumsTo(s.weights, 1, verify.Tolerance{Abs: weightTol}); !f.OK {
			if floats.Norm(s.weights, 1) == 0 {
				return learner.Fail("zero-weights", 2, "For “%s” all entries of your %s are 0: 0 = 0 holds for any points. The weights have to sum to 1.", p.name, s.name)
			}
			return learner.Fail("weights-sum", 2, "For “%s” your %s should sum to 1 and the sum is %s. Without that condition the origin could be reached from everywhere.", p.name, s.name, f.Off())
		}
	}
	x, y, size := p.fromFirst()
	f := verify.CloseSlice(combination(x, alpha), combination(y, beta), verify.Tolerance{Abs: pointTol * size})
	if f.OK {
		return nil
	}
	n, m := float64(len(alpha)), float64(len(beta))
	if floats.EqualApprox(alpha, constant(len(alpha), 1/n), 1e-9) && floats.EqualApprox(beta, constant(len(beta), 1/m), 1e-9) {
		return learner.Fail("means", 2, "For “%s” all your weights are equal: they make the two means, which are different points. Some point of one hull is a point of the other, hardly these two.", p.name)
	}
	return learner.Fail("not-common", 3, "For “%s” your weights are convex, but Σ alpha·x and Σ beta·y are two different points: %s.", p.name, f.Off())
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	floats.AddConst(v, out)
	return out
}

func judgeNoPoint(commonPoint finder) verify.Verdict {
	problems := separable(4)
	claimed, first := 0, ""
	var failed []problem
	for _, p := range problems {
		_, _, ok, bad := askPoint(commonPoint, p)
		if bad != nil {
			return *bad
		}
		if ok {
			if claimed++; claimed == 1 {
				first = p.name
			}
			failed = append(failed, p)
		}
	}
	if v := onlyCopies(failed); v != nil {
		return *v
	}
	switch {
	case claimed == len(problems):
		return verify.Fail("always-ok", 1, "You claim a common point for every pair of sets, also for two single points that differ.")
	case claimed > 0 && first == narrowGap:
		return verify.Fail("tolerance", 3, "Only for “%s” you claim a common point although there is none: the two points that you take for one are a little apart. Compare with a tolerance well below 1e−3 of the coordinates.", first)
	case claimed > 0:
		return verify.Fail("false-point", 2, "For “%s” you claim a common point, but a hyperplane separates the two sets, and with them their hulls (%d of %d such pairs).", first, claimed, len(problems))
	}
	return verify.Pass("No common point is claimed for %d separable pairs.", len(problems))
}

// judgeEither holds the two functions against each other, on sets that the parts
// before have not seen.
func judgeEither(separate separator, commonPoint finder) verify.Verdict {
	all := append(separable(5), meeting(5)...)
	for _, p := range all {
		w, w0, plane, bad := askPlane(separate, p)
		if bad != nil {
			return *bad
		}
		alpha, beta, point, bad := askPoint(commonPoint, p)
		if bad != nil {
			return *bad
		}
		switch {
		case plane && point:
			return verify.Fail("both", 1, "For “%s” you return a hyperplane and a common point. One of the two must be wrong: at the common point wᵀz + w0 would be positive as a mixture of x, negative as one of y.", p.name)
		case !plane && !point:
			return verify.Fail("neither", 2, "For “%s” you return neither a hyperplane nor a common point. For finite sets one of the two always exists.", p.name)
		}
		if plane {
			if v := strict(p, w, w0); v != nil {
				return *v
			}
		}
		if point {
			if v := convex(p, alpha, beta); v != nil {
				return *v
			}
		}
	}
	return verify.Pass("On %d further pairs exactly one of the two was found each time. That they exclude each other is the exercise; that there always is one of them is the true converse (“separable, hence disjoint hulls”, which the exercise calls the converse, says the first thing again).", len(all))
}
