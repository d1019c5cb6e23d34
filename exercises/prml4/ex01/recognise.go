package ex01

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// onlyCopies is the verdict where all pairs that were answered wrongly are copies of
// one that was answered right, beside the narrow gap, which asks for precision of its
// own; and nil elsewhere.
func onlyCopies(failed []problem) *verify.Verdict {
	var first *problem
	for i, p := range failed {
		switch {
		case p.copied == "" && p.name != narrowGap:
			return nil
		case p.copied != "" && first == nil:
			first = &failed[i]
		}
	}
	switch {
	case first == nil:
		return nil
	case first.copied == moved:
		return learner.Fail("far-from-origin", 4, "For “%s” your answer is another than before the move. Whether hulls meet depends on the differences between the points, not on where the origin lies. Subtract one of the points from all first: otherwise what is small beside the coordinates, or their rounding, drowns the gap.", first.name)
	}
	return learner.Fail("absolute-threshold", 4, "For “%s” your answer is another than in the first unit. Is a fixed number in your search: a tolerance, a step, a 1 for the bias beside the coordinates? What counts as 0 depends on the size of the differences between the points.", first.name)
}
