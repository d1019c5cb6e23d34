package ex07

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type stepsFunc = func(X *mat.Dense, r []float64, eta, tol float64, max int) int

// askSteps calls the learner's Steps with copies.
func askSteps(steps stepsFunc, p run) (int, *verify.Verdict) {
	var in learner.Inputs
	n := steps(in.Dense("X", p.X), in.Slice("r", p.r), p.eta, p.tol, p.max)
	return n, in.Changed(3)
}

// mistakes are known ways to count something else.
var mistakes = []struct {
	key     string
	hint    int
	how     variant
	message string
}{
	{"off-by-one", 2, variant{shift: 1}, "One too many: the number of gradients computed, not of updates made. If the first gradient is short enough, no update is made."},
	{"off-by-one", 2, variant{shift: -1}, "One too few. Count the updates made before the gradient is short enough."},
	{"averaged", 2, variant{divide: true}, "Your gradient is divided by N. E is the sum over the sample, and η and tol refer to the gradient of the sum."},
	{"step-compared", 2, variant{stop: func(_, step []float64, _ int) float64 { return floats.Norm(step, 2) }}, "You stop when the change η‖∇E‖ of the weights is small. With a small η every change is small, however far the minimum is; compare ‖∇E‖ itself."},
	{"largest-component", 2, variant{stop: func(g, _ []float64, _ int) float64 { return floats.Norm(g, math.Inf(1)) }}, "You stop by the largest component of the gradient. Asked for is its length, the root of the sum of squares."},
	{"sum-of-components", 2, variant{stop: func(g, _ []float64, _ int) float64 { return floats.Norm(g, 1) }}, "You stop by the sum of the absolute components. Asked for is the length of the gradient, the root of the sum of squares."},
	{"squared-length", 2, variant{square: true}, "You compare ‖∇E‖² with tol: a root is missing."},
	{"mean-stop", 2, variant{stop: func(g, _ []float64, n int) float64 { return floats.Norm(g, 2) / float64(n) }}, "You compare ‖∇E‖/N with tol. tol refers to the gradient of the sum over all points."},
	{"bias-left-out", 2, variant{noBias: true}, "There is no bias in your descent: w0 stays 0. It is learned like the weight of an input that is always 1."},
	{"online", 2, variant{online: true}, "Your weights change after every point. (10.24) sums over all points first, with the same weights, and then makes one update."},
	{"squared-error", 2, variant{update: func(y, r float64) float64 { return (y - r) * y * (1 - y) }}, "A factor y(1 − y) is left: the descent of (10.40), for the sum of squares. For the cross-entropy it cancels."},
	{"half-step", 2, variant{update: func(y, r float64) float64 { return 2 * (y - r) }}, "Your gradient is twice that of the cross-entropy, which has no factor in front."},
}

// judgeCount compares the counts.
func judgeCount(steps stepsFunc) verify.Verdict {
	list := runs(source(1))
	quick := draw(source(2), "a tolerance that holds at the start", 10, []float64{0}, []float64{1}, 1)
	quick.tol = 1e3
	// Two points of class 0 at ±1: the gradient at the start is (1, 0), to the last digit.
	exact := run{"a gradient exactly as long as tol", mat.NewDense(2, 1, []float64{-1, 1}), []float64{0, 0}, 0.1, 1, 100}
	list = append(list, quick, exact)
	var got []int
	for _, p := range list {
		n, bad := askSteps(steps, p)
		if bad != nil {
			return *bad
		}
		again, bad := askSteps(steps, p)
		if bad != nil {
			return *bad
		}
		if n != again {
			return verify.Fail("not-constant", 0, "Two calls with the same arguments counted differently. All weights start at 0; is something drawn at random, or kept between calls?")
		}
		got = append(got, n)
	}
	if slices.Equal(got, counts(list, variant{})) {
		return verify.Pass("Your counts are right, from 0 to some hundred steps.")
	}
	for _, m := range mistakes {
		if slices.Equal(got, counts(list, m.how)) {
			return verify.Fail(m.key, m.hint, "%s", m.message)
		}
	}
	for i, p := range list {
		if right := p.count(variant{}); got[i] != right {
			switch {
			case got[i] < -1:
				return verify.Fail("negative", 2, "For “%s” you return %s. A count is not negative; −1 alone means that max was not enough.", p.name, minus(got[i]))
			case p.name == exact.name:
				return verify.Fail("tie", 2, "Where the gradient at the start is exactly as long as tol no update is needed: “at most tol” includes that. You return %s.", minus(got[i]))
			case p.tol > 100:
				return verify.Fail("start", 2, "Where the gradient at the start, with all weights 0, is already shorter than tol, no update is needed; you return %s.", minus(got[i]))
			case got[i] == -1:
				return verify.Fail("never-arrives", 2, "For “%s” you return −1, although max = %d updates are more than enough. Does descent lead uphill? It goes against the gradient, w + ηΣ(r − y)x.", p.name, p.max)
			case got[i] > right:
				return verify.Fail("too-many", 2, "For “%s” you count %d updates, too many. Is ‖∇E‖ looked at after every update, with the weights that it led to?", p.name, got[i])
			}
			return verify.Fail("too-few", 2, "For “%s” you count %d updates, too few for ‖∇E‖ ≤ tol. Do all weights start at 0, does η multiply the whole gradient, and does the length count its entry for the bias?", p.name, got[i])
		}
	}
	return verify.Pass("Your counts are right.")
}

// minus is a number with the minus sign of the messages, not the hyphen of the
// program.
func minus(number any) string { return strings.ReplaceAll(fmt.Sprint(number), "-", "−") }

func counts(list []run, v variant) []int {
	var out []int
	for _, p := range list {
		out = append(out, p.count(v))
	}
	return out
}

// judgeLimits looks at descents that do not arrive, and at one that arrives just
// in time.
func judgeLimits(steps stepsFunc) verify.Verdict {
	p := runs(source(3))[0]
	enough := p.count(variant{})
	for _, c := range []struct {
		max   int
		eta   float64
		name  string
		want  int
		key   string
		wrong string
	}{
		{enough, p.eta, "just enough", enough, "max-too-strict", "With max just large enough for the descent to arrive you return %s, not the number of updates. Where the counts above are right, the limit comes one update too early; where they are not, mend them first."},
		{enough - 1, p.eta, "one too few", -1, "max-ignored", "Where one update more than max is needed you return %s, not −1."},
		{0, p.eta, "none", -1, "max-ignored", "With max = 0 no update may be made; you return %s where the start is not good enough."},
		{400, 60 * p.eta, "η far too large", -1, "diverges", "With a learning factor far too large the weights jump to and fro and never settle; you return %s, as if they did."},
	} {
		q := p
		q.max, q.eta = c.max, c.eta
		got, bad := askSteps(steps, q)
		if bad != nil {
			return *bad
		}
		if got == c.want {
			continue
		}
		if c.want < 0 && (got == c.max || got == c.max+1 && got != enough) {
			return verify.Fail("max-for-never", 2, "With max = %d you return %d. If that is to say that max updates are not enough, return −1: else a descent that arrives with its last update cannot be told from one that does not. If it is a count: after max updates the descent has not arrived here.", c.max, got)
		}
		if c.want >= 0 && got >= 0 {
			return verify.Fail("count-first", 2, "With max just large enough for the descent to arrive you return %d: not −1, and that is right, but another count than the number of updates. The part above says more about it.", got)
		}
		return verify.Fail(c.key, 2, c.wrong, minus(got))
	}
	return verify.Pass("−1 where the descent does not arrive in time, among them one whose η is far too large: it jumps across the valley for ever.")
}

// judgeGrowth looks at one data set whose second input is given in smaller and
// smaller units, each with the largest η that is safe.
func judgeGrowth(steps stepsFunc) verify.Verdict {
	part := uint64(4)
	for instance.Again(func() bool { return grows(units(part)) }) {
		part += 100
	}
	var got []int
	for _, p := range units(part) {
		n, bad := askSteps(steps, p)
		if bad != nil {
			return *bad
		}
		if n < 0 {
			return verify.Fail("no-growth", 2, "With an η that is small enough for the widest input the descent arrives, slowly; you return %s.", minus(n))
		}
		got = append(got, n)
	}
	for i := 1; i < len(got); i++ {
		if got[i] < 3*got[i-1] {
			return verify.Fail("no-growth", 2, "With the second input in units 1, 3, 10 and 30 times smaller you count %v. η must shrink with the square of the widest input, and the other weights crawl: the counts should grow much faster.", got)
		}
	}
	return verify.Pass("With the second input in units 1, 3, 10 and 30 times smaller the counts are %v: the widest input dictates η, and the others pay. It is the ratio of the curvatures, the condition number, that counts.", got)
}

// units is one data set with the second input in four units, each with the
// largest η that is safe.
func units(part uint64) []run {
	var out []run
	for _, unit := range []float64{1, 3, 10, 30} {
		out = append(out, draw(source(part), "", 30, []float64{0, 0}, []float64{1, unit}, 1)) // the same draws each time
	}
	return out
}

// grows tells whether the counts show what the part is about: all arrive, and each
// needs several times as many steps as the one before.
func grows(list []run) bool {
	got := counts(list, variant{})
	for i, n := range got {
		if n < 0 || i > 0 && float64(n) < 3.2*float64(got[i-1]) {
			return false
		}
	}
	return true
}
