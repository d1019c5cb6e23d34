package ex04

import (
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	mergeFunc = func(w1, w2 []float64) []float64
	splitFunc = func(w []float64) (w1, w2 []float64)
)

const per = "input and one for the bias"

// askMerge calls the learner's Merge with copies and returns a copy of its answer,
// with a verdict instead where that is not D+1 finite numbers.
func askMerge(merge mergeFunc, p problem) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	w := slices.Clone(merge(in.Slice("w1", p.w1), in.Slice("w2", p.w2)))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	if n := len(p.w1); len(w) == 2*n {
		return nil, learner.Fail("concatenated", 1, "You returned %d numbers: both weight vectors, one behind the other. One sigmoid has one weight vector, here of %d entries.", len(w), n)
	}
	return w, form.Vector("w", w, len(p.w1), per, p.name, 3)
}

// askSplit is askMerge for Split.
func askSplit(split splitFunc, p problem, w []float64) (w1, w2 []float64, bad *verify.Verdict) {
	var in learner.Inputs
	w1, w2 = split(in.Slice("w", w))
	w1, w2 = slices.Clone(w1), slices.Clone(w2)
	if bad := in.Changed(3); bad != nil {
		return nil, nil, bad
	}
	if bad := form.Vector("w1", w1, len(w), per, p.name, 4); bad != nil {
		return nil, nil, bad
	}
	return w1, w2, form.Vector("w2", w2, len(w), per, p.name, 4)
}

// judgeMergeForm looks at what comes back, before what it is worth.
func judgeMergeForm(merge mergeFunc) verify.Verdict {
	for _, p := range problems(source(1)) {
		first, bad := askMerge(merge, p)
		if bad != nil {
			return *bad
		}
		second, bad := askMerge(merge, p)
		if bad != nil {
			return *bad
		}
		if !slices.Equal(first, second) {
			return verify.Fail("not-constant", 0, "Two calls with the same w1 and w2 gave different weights. Is something added to a slice that outlives the call?")
		}
	}
	return verify.Pass("You returned one weight per input and one bias, for D from 0 to 5.")
}

func judgeSplitForm(split splitFunc) verify.Verdict {
	for _, p := range problems(source(2)) {
		a, b, bad := askSplit(split, p, p.w1)
		if bad != nil {
			return *bad
		}
		c, d, bad := askSplit(split, p, p.w1)
		if bad != nil {
			return *bad
		}
		if !slices.Equal(a, c) || !slices.Equal(b, d) {
			return verify.Fail("not-constant", 0, "Two calls with the same w gave different weights. Any pair will do, but the same one each time.")
		}
	}
	return verify.Pass("You returned two weight vectors of the right length, for D from 0 to 5.")
}
