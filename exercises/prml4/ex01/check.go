// Package ex01 judges PRML exercise 4.1: linear separability and the convex hulls of
// two finite sets of points.
package ex01

import (
	_ "embed"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex01/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

type (
	separator = func(x, y *mat.Dense) (w []float64, w0 float64, ok bool)
	finder    = func(x, y *mat.Dense) (alpha, beta []float64, ok bool)
)

// Check judges both functions of PRML exercise 4.1 on the point sets x (N×D) and y
// (M×D). separate returns a hyperplane (w with D entries, w0) that has x strictly
// on its positive and y strictly on its negative side, commonPoint the convex
// weights (N and M entries) of a point in both hulls; ok says whether there is one.
func Check(separate separator, commonPoint finder) *verify.Report {
	apart, meet := sets(separable, 1), sets(meeting, 2)
	return exercise.Judge(slices.Concat(
		askPlane.Parts(separate,
			judge.Form("Separate: the same answer on every call, and x and y stay as they were", both, nil, judge.Wrong{}, "Asked again, and with x and y as parts of larger matrices, you say the same."),
			judge.Property[problem]{
				Name: "Separate: where the sets are separable, all inequalities hold strictly", On: apart, Holds: isPlane,
				First: where(isPlane, map[string]judge.Wrong{
					moved: farFromOrigin, scaled: absoluteThreshold,
					narrow: {Key: "gives-up", Hint: 3, Message: "Only where the gap is about as narrow as promised, as for {problem}, you find no hyperplane, although there is one. A tolerance must be well below 1/10000 of the distances between the points; a search with a fixed number of steps, like a perceptron that gives up, cannot tell “not yet” from “never”; and a solver that reports an error has not said that there is none."},
				}),
				Wrong: judge.Wrong{Key: "missed", Hint: 3, Message: "For {problem} you say that there is no hyperplane, but these sets are separable."},
				Right: "For every separable pair, in one to five dimensions and down to the promised gap, every point is strictly on its side.",
			},
			judge.Property[problem]{
				Name: "Separate: no hyperplane where the hulls meet", On: meet, Holds: isPlane,
				First: where(isPlane, map[string]judge.Wrong{
					moved: farFromOrigin, scaled: absoluteThreshold,
					touching: {Key: "non-strict", Hint: 2, Message: "Where the hulls only touch, as in {problem}, you claim a hyperplane. A common point of the hulls would have to be strictly on both sides; ≥ 0 is not enough."},
				}),
				Wrong: judge.Wrong{Key: "false-plane", Hint: 2, Message: "For {problem} you claim a hyperplane, but the hulls have a point in common. At that point wᵀz + w0 would be positive and negative at once."},
				Right: "No hyperplane is claimed for pairs whose hulls overlap, nor for those that only touch.",
			}),
		askPoint.Parts(commonPoint,
			judge.Form("CommonPoint: the same answer on every call, and x and y stay as they were", both, nil, judge.Wrong{}, "Asked again, and with x and y as parts of larger matrices, you say the same."),
			judge.Property[problem]{
				Name: "CommonPoint: where the hulls meet, one point with weights for both", On: sets(meeting, 3), Holds: isPoint,
				First: where(isPoint, map[string]judge.Wrong{
					moved: farFromOrigin, scaled: absoluteThreshold,
					touching: {Key: "touching-missed", Hint: 2, Message: "Where the hulls only touch, as in {problem}, you find no common point. The hulls contain their boundaries: weights may be 0."},
				}),
				Wrong: judge.Wrong{Key: "missed", Hint: 3, Message: "For {problem} you find no common point, but there is one. It need not be one of the given points, nor lie on the boundary of a hull."},
				Right: "For every pair of hulls that meet or touch, your weights are those of one point in both.",
			},
			judge.Property[problem]{
				Name: "CommonPoint: no point where the sets are separable", On: sets(separable, 4), Holds: isPoint,
				First: where(isPoint, map[string]judge.Wrong{
					moved: farFromOrigin, scaled: absoluteThreshold,
					narrow: {Key: "tolerance", Hint: 3, Message: "Only where the gap is about as narrow as promised, as for {problem}, you claim a common point although there is none: the two points that you take for one are a little apart. Compare with a tolerance well below 1/10000 of the distances between the points."},
				}),
				Wrong: judge.Wrong{Key: "false-point", Hint: 2, Message: "For {problem} you claim a common point, but a hyperplane separates the two sets, and with them their hulls."},
				Right: "No common point is claimed for separable pairs.",
			}),
		askPlane.Parts(separate, judge.Property[problem]{
			Name: "for every pair of sets, exactly one of the two exists", With: "CommonPoint",
			On:    func() []problem { return append(separable(5), meeting(5)...) },
			First: func(p problem, plane []float64) *verify.Verdict { return either(commonPoint, p, plane[0] == 1) },
			Holds: isPlane,
			Wrong: judge.Wrong{Key: "missed", Hint: 3, Message: "For {problem} your Separate is wrong, and so is your CommonPoint: each finds what belongs to the other."},
			Right: "On further pairs exactly one of the two was found each time. That they exclude each other is the exercise; that there always is one of them is the true converse (“separable, hence disjoint hulls”, which the exercise calls the converse, says the first thing again).",
		}))...)
}

var (
	farFromOrigin     = judge.Wrong{Key: "far-from-origin", Hint: 4, Message: "For {problem} your answer is another than before the move. Whether hulls meet depends on the differences between the points, not on where the origin lies. Subtract one of the points from all first: otherwise what is small beside the coordinates, or their rounding, drowns the gap."}
	absoluteThreshold = judge.Wrong{Key: "absolute-threshold", Hint: 4, Message: "For {problem} your answer is another than in the first unit. Is a fixed number in your search: a tolerance, a step, a 1 for the bias beside the coordinates? What counts as 0 depends on the size of the differences between the points."}
)

// isPlane and isPoint find the answer of Separate and of CommonPoint right: whether
// there is a hyperplane, 1 for yes, or a common point.
func isPlane(p problem, ok []float64) verify.Finding {
	return verify.Finding{OK: ok[0] == yes(!p.meets)[0]}
}
func isPoint(p problem, ok []float64) verify.Finding {
	return verify.Finding{OK: ok[0] == yes(p.meets)[0]}
}

// where says what a wrong answer means for problems of a kind. The kinds come last
// in the lists, in this order, so that all problems before them were answered right.
func where(right func(problem, []float64) verify.Finding, kinds map[string]judge.Wrong) func(problem, []float64) *verify.Verdict {
	return func(p problem, ok []float64) *verify.Verdict {
		wrong, special := kinds[p.kind]
		if !special || right(p, ok).OK {
			return nil
		}
		v := verify.Fail(wrong.Key, wrong.Hint, "%s", strings.ReplaceAll(wrong.Message, "{problem}", p.String()))
		return &v
	}
}

// either holds the two functions against each other.
func either(commonPoint finder, p problem, plane bool) *verify.Verdict {
	alpha, beta, point := commonPoint(mat.DenseCopyOf(p.x), mat.DenseCopyOf(p.y))
	n, _ := p.x.Dims()
	m, _ := p.y.Dims()
	var v verify.Verdict
	switch {
	case plane && point:
		v = verify.Fail("both", 1, "For %v you return a hyperplane and a common point. One of the two must be wrong: at the common point wᵀz + w0 would be positive as a mixture of x, negative as one of y.", p)
	case !plane && !point:
		v = verify.Fail("neither", 2, "For %v you return neither a hyperplane nor a common point. For finite sets one of the two always exists.", p)
	case !point || !p.meets:
		return nil
	case len(alpha) != n || len(beta) != m:
		v = verify.Fail("no-weights", 3, "For %v your common point does not come with one weight for each point: a part before says more.", p)
	default:
		return convex(p, alpha, beta)
	}
	return &v
}
