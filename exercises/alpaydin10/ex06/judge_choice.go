package ex06

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64

// grid is in no order, so that a place in it is not a size.
var grid = []float64{1, 1e-3, 1000, 30, 0.1}

const smallest, largest = 1e-3, 1000

// askChoice calls the learner's ChooseLambda with copies.
func askChoice(choose chooseFunc, s sample, grid []float64) (float64, *verify.Verdict) {
	var in learner.Inputs
	lambda := choose(in.Dense("X", s.X), in.Slice("r", s.r), in.Slice("grid", grid))
	if bad := in.Changed(4); bad != nil {
		return 0, bad
	}
	if !slices.Contains(grid, lambda) {
		if lambda >= 0 && lambda < float64(len(grid)) && lambda == math.Trunc(lambda) {
			return 0, learner.Fail("index", 4, "You returned %g, which is not in the grid %v. Is it the place of the best value? Asked for is the value.", lambda, grid)
		}
		return 0, learner.Fail("not-in-grid", 4, "You returned %g, which is not in the grid %v.", lambda, grid)
	}
	return lambda, nil
}

func judgeChoiceForm(choose chooseFunc) verify.Verdict {
	for _, s := range samples(source(4))[1:] {
		first, bad := askChoice(choose, s, grid)
		if bad != nil {
			return *bad
		}
		second, bad := askChoice(choose, s, grid)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 4, "Two calls with the same sample chose different values. If the points are divided at random, fix the seed.")
		}
	}
	return verify.Pass("You returned values of the grid.")
}

// judgeChoice draws small samples without quadratic terms, for which a small λ is
// bad, and larger ones with strong quadratic terms, for which the largest is.
func judgeChoice(choose chooseFunc) verify.Verdict {
	r := source(5)
	var chosen []float64
	better := func(truth model, n, times int, end float64) (gain []float64, bad *verify.Verdict) {
		test := draw(r, "new points", 1000, truth)
		for range times {
			s := draw(r, "a sample", n, truth)
			lambda, bad := askChoice(choose, s, grid)
			if bad != nil {
				return nil, bad
			}
			chosen = append(chosen, lambda)
			gain = append(gain, s.fit(end, nil).loss(test)-s.fit(lambda, nil).loss(test))
		}
		return gain, nil
	}
	small, bad := better(plain, 36, 10, smallest)
	if bad != nil {
		return *bad
	}
	large, bad := better(curved, 90, 4, largest)
	if bad != nil {
		return *bad
	}
	count := func(v float64) (n int) {
		for _, c := range chosen {
			if c == v {
				n++
			}
		}
		return n
	}
	switch {
	case count(smallest) == len(chosen):
		return verify.Fail("training-loss", 3, "You always choose the smallest λ of the grid. So does whoever compares the loss on the points that were learned from: less penalty always fits them better. Compare on points left out.")
	case count(largest) == len(chosen):
		return verify.Fail("always-largest", 3, "You always choose the largest λ of the grid, also for many points of strongly curved classes. Is the smallest loss looked for?")
	case count(chosen[0]) == len(chosen):
		return verify.Fail("always-the-same", 3, "You choose λ = %g for every sample, small ones with straight boundaries and large ones with curved ones alike. The sample should decide.", chosen[0])
	}
	if !distinct(small) {
		return verify.Fail("too-small", 3, "On ten small samples without curvature your choices do not predict new points distinctly better than the smallest λ. How are points left out, and is their loss added up over all of them?")
	}
	if !distinct(large) {
		return verify.Fail("too-large", 3, "On larger samples of strongly curved classes your choices do not predict new points distinctly better than the largest λ.")
	}
	return verify.Pass("On ten small samples your choice predicts new points better than the smallest λ, by %.2g in the mean log loss; on four larger, curved ones better than the largest, by %.2g.", stat.Mean(small, nil), stat.Mean(large, nil))
}

// distinct tells whether the mean of the gains is above 0 by more than two standard
// errors. A gain counts as ½ at most, and as −½ at least: with the smallest λ one
// sample in ten has a loss of many units, and its size would drown the others.
func distinct(gain []float64) bool {
	bounded := make([]float64, len(gain))
	for i, g := range gain {
		bounded[i] = math.Max(-0.5, math.Min(0.5, g))
	}
	mean, sd := stat.MeanStdDev(bounded, nil)
	return mean > 2*sd/math.Sqrt(float64(len(gain)))
}
