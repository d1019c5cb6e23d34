// Package ex07 judges Alpaydin exercise 10.7. If the inputs have different scales, gradient descent
// with one learning factor needs more updates than for equal scales. A change of units helps.
package ex07

import (
	"cmp"
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of Alpaydin exercise 10.7. `steps` counts the updates of gradient
// descent on inputs X (N×D) with N targets r, each 0 or 1, until ‖∇E‖ ≤ tol. It returns −1 if more
// updates are needed than the argument `limit` allows. `rescale` computes new units from the matrix
// `train`. It returns `train` and `test` in these units, and a function that converts weights back
// to the old units.
func Check(steps func(X *mat.Dense, r []float64, eta, tol float64, limit int) int,
	rescale func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)) *verify.Report {
	exact := func(p run, got []float64) verify.Finding {
		return verify.CloseSlice(got, stepsQuestion.Right(p), verify.Tolerance{})
	}
	units := func(name string, judge func(l *rescaler) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Of: []string{"Rescale"}, Judge: func() verify.Verdict {
			l := &rescaler{rescale: rescale}
			if v := judge(l); l.bad == nil {
				return v
			}
			return *l.bad
		}}
	}
	return exercise.Judge(slices.Concat(
		stepsQuestion.Parts(steps, []judge.Property[run]{
			judge.Form("Steps: the same count on every call, and X and r stay unchanged", counted, nil,
				judge.Wrong{}, "You returned the same count each time."),
			{Name: "Steps: the number of updates until ‖∇E‖ ≤ tol", Problems: counted, Holds: exact,
				Wrong: judge.Wrong{Key: "too-few", Hint: 2,
					Message: "For {problem} you count too few updates for ‖∇E‖ ≤ tol. All weights start at 0, η multiplies the whole gradient, and ‖∇E‖ includes the derivative with respect to the bias."},
				Right: "Your counts are right, even for a run that needs no update."},
			{Name: "Steps: −1 if more updates are needed than the argument “limit” allows, or if η is too large",
				Problems: limitedRuns, Extreme: true, Holds: exact,
				Wrong: judge.Wrong{Key: "max-ignored", Hint: 2,
					Message: "For {problem} more updates are needed than the argument “limit” allows, and you return a count, not −1."},
				Right: "You return −1 if the number of updates would exceed the argument “limit”. In one of these runs η is far too large, so the weights oscillate across the valley for ever."},
			{Name: "Steps: inputs and activations of any size", Problems: wideRuns, Extreme: true, Holds: exact,
				Wrong: judge.Wrong{Key: "wide", Hint: 2,
					Message: "For {problem} your count is wrong, although it is right for inputs of moderate size. No output may be NaN or clipped."},
				Right: "Your counts are right for inputs up to ±2000, and for activations from ±3 to ±800."},
			{Name: "Steps: how the scales of the inputs change the count", Problems: growingRuns,
				Precheck: countsGrow, Holds: func(run, []float64) verify.Finding { return verify.Finding{OK: true} },
				Right: "If the unit of the second input is 1, 3, 10 and 30 times smaller,",
				RightNote: func(counts [][]float64) string {
					return fmt.Sprintf("the counts are %v: the input with the largest spread limits η, so the other weights change slowly. The count depends on the ratio of the curvatures, the condition number.", slices.Concat(counts...))
				}},
		}...),
		[]verify.Part{
			units("Rescale returns new finite matrices of the right shapes and leaves its arguments unchanged", judgeForm),
			units("Rescale: one rule for every input, learned from train alone", judgeRule),
			units("Rescale: in the new units one η suits all weights", judgeCondition),
			units("Rescale: the weights from the function “back” yield the same posteriors in the old units", judgeBack),
		})...)
}

// growingRuns returns runs on one data set with different units of the second input. From run to run
// the unit gets smaller, so the entries of the second input get larger. η is the safe learning factor
// 4/h (see draw).
var growingRuns = instance.Once(func() (list []run) {
	for _, unit := range []float64{1, 3, 10, 30} { // source(4) restarts the generator, so all runs use the same points
		list = append(list,
			draw(source(4), fmt.Sprintf("the second input in units %g times smaller", unit), 30, []float64{0, 0},
				[]float64{1, unit}, 1))
	}
	return withCounts(list...)
})

// countsGrow checks that the learner's count is at least half of the right count, which grows from
// run to run. Other parts check whether the counts are exactly right.
func countsGrow(p run, count []float64) *verify.Verdict {
	switch got := count[0]; {
	case got < 0 && p.right > 0:
		return judge.Fail("no-growth", 2,
			"You return %s, although the descent converges: the input with the largest spread needs a small η, with which the descent is slow.",
			minus(got))
	case got >= 0 && 2*got < float64(p.right):
		return judge.Fail("no-growth", 2,
			"With %v you count %.0f updates, which are too few. η must decrease with the square of the largest input, so the other weights change slowly: with units 1, 3, 10 and 30 times smaller the counts should grow much faster.", p, got)
	}
	return nil
}

// A run contains the data and the arguments of one descent, for which the learner counts the updates.
type run struct {
	name     string
	X        *mat.Dense
	r        []float64
	eta, tol float64
	limit    int
	wild     bool // whether η is far too large
	right    int  // the right count
}

// withCounts returns the runs with their right counts filled in.
func withCounts(list ...run) []run {
	for i, p := range list {
		list[i].right = p.count(twoclass.Descent{}.Steps)
	}
	return list
}

func (p run) String() string { return "“" + p.name + "”" }

// count calls the function `steps` with copies of the arguments of the run.
func (p run) count(steps stepsFunc) int {
	return steps(mat.DenseCopyOf(p.X), slices.Clone(p.r), p.eta, p.tol, p.limit)
}

func source(part uint64) *rand.Rand { return instance.Source(1007, part) }

// draw draws a run on inputs with the given offsets and scales. The targets are random, so the classes
// nearly always overlap, and E then has a minimum. The learning factor is fraction·4/h, where h is the
// largest eigenvalue of [1 X]ᵀ[1 X]. It is safe if fraction < 2.
func draw(r *rand.Rand, name string, n int, offset, scale []float64, fraction float64) run {
	d := len(scale)
	p := run{name: name, X: mat.NewDense(n, d, nil), r: make([]float64, n), tol: 1e-2, limit: 200000}
	for t := range n {
		a := 0.3
		for j := range d {
			z := r.NormFloat64()
			a += (0.8 - 0.5*float64(j%2)) * z
			p.X.Set(t, j, offset[j]+scale[j]*z)
		}
		p.r[t] = twoclass.Label(r, a)
	}
	values := spectrum(p.X)
	// y(1−y) ≤ ¼, so the curvature of E is at most h/4, and every η < 8/h is safe
	p.eta = fraction * 4 / values[len(values)-1]
	return p
}

// spectrum returns the eigenvalues of [1 X]ᵀ[1 X] in ascending order.
func spectrum(x *mat.Dense) []float64 {
	_, d := x.Dims()
	gram := mat.NewSymDense(d+1, nil)
	gram.SymOuterK(1, instance.WithOnes(x).T())
	var e mat.EigenSym
	e.Factorize(gram, false) // cannot fail, because all entries are finite: call rejects other matrices
	return e.Values(nil)
}

// runs returns four random runs. Most of them need between about ten and about a thousand updates. Every known
// mistake except `tie` and `overflow` changes the count of the first run. Only special runs reveal these two.
func runs(r *rand.Rand) []run {
	list := []run{
		draw(r, "two inputs, scales 1 and 4", 40, []float64{0.3, -0.5}, []float64{1, 4}, 1),
		draw(r, "one input", 20, []float64{0.5}, []float64{1}, 0.7),
		draw(r, "three inputs", 30, []float64{0, 1, 0}, []float64{1, 0.5, 2}, 1.2),
		draw(r, "an input far from 0", 25, []float64{3}, []float64{1}, 1),
	}
	for i := range list {
		list[i].limit = 4000
	}
	return list
}

// The function `line` returns a run with a single input.
func line(name string, x, r []float64, eta, tol float64, limit int) run {
	return run{name: name, X: mat.NewDense(len(x), 1, x), r: r, eta: eta, tol: tol, limit: limit}
}

var counted = instance.Once(func() []run {
	quick := draw(source(2), "a tolerance that the start already meets", 10, []float64{0}, []float64{1}, 1)
	quick.tol = 1e3
	return withCounts(append(runs(source(1)), quick,
		// For two points of class 0 at ±1 the gradient at the start is exactly (1, 0).
		line("a first gradient of exactly the length tol", []float64{-1, 1}, []float64{0, 0}, 0.1, 1, 100),
		line("a tol just below the length of the first gradient", []float64{-1, 1}, []float64{0, 1}, 0.005, 0.95, 100),
		line("an input that is 0 everywhere", []float64{0, 0, 0, 0}, []float64{1, 1, 1, 0}, 0.3, 0.6, 100),
		run{name: "a single point, three inputs", X: mat.NewDense(1, 3, []float64{0.5, -1, 2}), r: []float64{1},
			eta: 0.3, tol: 0.1, limit: 100})...)
})

// limitedRuns returns runs that need more updates than the argument `limit` allows, and runs that
// need exactly the allowed number. It also returns a run with an ample limit. If the learner's
// count for the run with the ample limit is wrong, the mistake has nothing to do with limits.
var limitedRuns = instance.Once(func() []run {
	p := runs(source(3))[0]
	enough := p.count(twoclass.Descent{}.Steps)
	with := func(name string, limit int, eta float64) run {
		q := p
		q.name, q.limit, q.eta, q.wild = name, limit, eta, eta > p.eta
		return q
	}
	return withCounts(
		with("a limit just large enough", enough, p.eta),
		p,
		with("a limit that is too small by one", enough-1, p.eta),
		with("no update allowed", 0, p.eta),
		with("η far too large", 400, 60*p.eta),
		line("a gradient of 0 and tol = 0", []float64{2, 2}, []float64{0, 1}, 0.1, 0, 0),
	)
})

// wideRuns returns runs with large inputs or activations. In the runs “a step to …” the first
// update makes the activations ±a. If the number a is at most 10, the run needs from two to a few
// hundred updates. If a is from 14 to 30, the run needs more updates than `limit` allows. If a is at
// least 37, the run needs one update.
var wideRuns = instance.Once(func() []run {
	list := []run{
		runs(source(3))[0], // the run with the ample limit in limitedRuns
		{name: "a second input over 1000 times as wide as the first",
			X: mat.NewDense(6, 2, []float64{-1, -2000, 0, -1000, 1, 500, 0.5, -500, -0.5, 1000, 1, 2000}),
			r: []float64{0, 0, 1, 0, 1, 0}, eta: 0.1, tol: 1e-3, limit: 1000, wild: true},
		line("inputs of ±100, class 1 on the right", []float64{-100, -90, 90, 100}, []float64{0, 0, 1, 1}, 0.1, 1e-3,
			100),
		line("inputs of ±100, class 1 on the left", []float64{-100, -90, 90, 100}, []float64{1, 1, 0, 0}, 0.1, 1e-3,
			100),
	}
	for _, a := range []float64{3, 5, 7, 10, 14, 20, 30, 37, 40, 100, 300, 700, 710, 800} {
		list = append(list,
			line(fmt.Sprintf("a step to %g", a), []float64{-1, 1}, []float64{0, 1}, a,
				math.Max(1.5*math.Exp(-a), 1e-13), 1000))
	}
	return withCounts(list...)
})

// A set contains the training inputs and the test inputs for one call of Rescale.
type set struct {
	name        string
	train, test *mat.Dense
	constant    bool // whether a column of train is constant
	far         bool // whether the unit of every input is far from 1
}

func (s set) String() string { return "“" + s.name + "”" }

// sets draws training and test inputs from different distributions. The difference shows whether
// the learner computed a rule from train or from test. Sets in usual units come first, because
// messages about them are easier to understand. judgeCondition and judgeBack omit the last set (see
// plainSets).
func sets(r *rand.Rand) []set {
	var out []set
	for _, c := range []struct {
		name          string
		n, m          int
		offset, scale []float64
	}{
		{"two inputs in units of 1 and 1000", 40, 15, []float64{0.5, 200}, []float64{1, 1000}},
		{"three inputs of very different size", 30, 12, []float64{0, 3, -1e-3}, []float64{1, 10, 1e-3}},
		{"one input far from 0", 25, 9, []float64{500}, []float64{2}},
		{"two inputs far from 0", 35, 20, []float64{-40, 90}, []float64{1, 3}},
		{"a constant column", 20, 8, []float64{1, 7}, []float64{3, 0}},
		{"a column of zeros", 20, 8, []float64{0, 4, 2}, []float64{0, 50, 1}},
		{"two inputs far from 0 in units of 1 and 1000", 30, 10, []float64{5000, 2}, []float64{1000, 1}},
		{"two inputs in units of 1 and 1e−14", 30, 10, []float64{1, 2e-14}, []float64{1, 1e-14}},
		{"a negative constant column", 20, 8, []float64{1, -3}, []float64{2, 0}},
		{"two training points, three inputs, one test point", 2, 1, []float64{0, 5, -200}, []float64{1, 2, 100}},
		{"inputs in units of 1e−7 and 1e7", 30, 10, []float64{3e-7, -2e7}, []float64{1e-7, 1e7}},
		// 0.1 has no exact binary form, so the computed mean contains a rounding error
		{"a constant column, 0.1", 24, 8, []float64{0.1, 4}, []float64{0, 50}},
	} {
		s := set{name: c.name, train: instance.Design(r, c.n, c.offset, c.scale), constant: floats.Min(c.scale) == 0,
			far: c.scale[0] == 1e-7}
		s.test = instance.Design(r, c.m, floats.AddScaledTo(make([]float64, len(c.offset)), c.offset, 1.5, c.scale),
			c.scale)
		out = append(out, s)
	}
	return out
}

// plainSets returns all sets except the last. In the last set, rounding makes the computed spread
// of the constant column larger than 0. judgeRule tests whether the answer handles this case.
func plainSets(list []set) []set { return list[:len(list)-1] }

type (
	stepsFunc   = func(X *mat.Dense, r []float64, eta, tol float64, limit int) int
	backFunc    = func(w []float64) []float64
	rescaleFunc = func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)
)

const online = "Your count is the one for weights that change after every point. (10.24) sums over all points first, with the same weights, and then makes one update."

const overflow = "Your count suggests that some outputs are not numbers: e^a overflows for activations a above 709, and e^a/(1 + e^a) is then ∞/∞, which is NaN. Every comparison with NaN is false: “while ‖∇E‖ > tol” ends as if the descent had converged, and “‖∇E‖ <= tol” is never true. Write the sigmoid with e^−a."

var stepsQuestion = &judge.Question[stepsFunc, run]{
	Func: "Steps", Name: "count", Hint: 2,
	Invoke: func(steps stepsFunc, c *judge.Call, p run) []float64 {
		return []float64{float64(steps(c.Dense("X", p.X), c.Slice("r", p.r), p.eta, p.tol, p.limit))}
	},
	Right:  func(p run) []float64 { return []float64{float64(p.right)} },
	Family: countVerdict,
	Mistakes: []judge.Mistake[stepsFunc]{
		{Key: "off-by-one", Hint: 2,
			Message: "Your count is too large by one, as if you counted gradients instead of updates. If the first gradient is short enough, there is no update.", Answer: shifted(1)},
		{Key: "off-by-one", Hint: 2,
			Message: "Your count is too small by one. Count all updates that are made before the gradient is short enough.", Answer: shifted(-1)},
		{Key: "averaged", Hint: 2,
			Message: "Your count is the one for a gradient divided by N. E is the sum over the sample, and η and tol refer to the gradient of the sum.",
			Answer: func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
				return twoclass.Descent{}.Steps(X, r, eta/float64(len(r)), tol*float64(len(r)), limit)
			}},
		{Key: "step-compared", Hint: 2,
			Answer: twoclass.Descent{Size: func(g []float64, eta float64) float64 {
				return eta * floats.Norm(g,
					2)
			}}.Steps,
			Message: "Your count is the one for a descent that stops when the change η‖∇E‖ of the weights is at most tol. With a small η every change is small, even far from the minimum. Compare ‖∇E‖ itself."},
		{Key: "largest-component", Hint: 2,
			Answer: twoclass.Descent{Size: func(g []float64, _ float64) float64 {
				return floats.Norm(g,
					math.Inf(1))
			}}.Steps,
			Message: "Your count is the one for a descent that compares the largest component of the gradient with tol. Use the length of the gradient, the root of the sum of squares."},
		{Key: "sum-of-components", Hint: 2,
			Answer:  twoclass.Descent{Size: func(g []float64, _ float64) float64 { return floats.Norm(g, 1) }}.Steps,
			Message: "Your count is the one for a descent that compares the sum of the absolute components with tol. Use the length of the gradient, the root of the sum of squares."},
		{Key: "squared-length", Hint: 2,
			Answer:  twoclass.Descent{Size: func(g []float64, _ float64) float64 { return floats.Dot(g, g) }}.Steps,
			Message: "Your count is the one for a descent that stops when ‖∇E‖² ≤ tol: a root is missing."},
		{Key: "mean-stop", Hint: 2,
			Message: "Your count is the one for a descent that stops when ‖∇E‖/N ≤ tol. Compare tol with the gradient of the sum over all points.",
			Answer: func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
				return twoclass.Descent{}.Steps(X, r, eta, tol*float64(len(r)), limit)
			}},
		{Key: "tie", Hint: 2,
			Message: "If the length of the gradient at the start equals tol, no update is needed: “at most tol” includes equality.", Answer: twoclass.Descent{Size: func(g []float64, _ float64) float64 { return math.Nextafter(floats.Norm(g, 2), math.Inf(1)) }}.Steps},
		{Key: "bias-left-out", Hint: 2,
			Message: "Your count is the one for a descent without a bias, as if w0 stayed 0. Update w0 like the weight of an input that is always 1.", Answer: twoclass.Descent{NoBias: true}.Steps},
		{Key: "bias-in-place", Hint: 2,
			Message: "Your bias replaces the weight of the first input, as if the first column of X were a column of ones. X does not contain a column of ones; use D weights and a bias.",
			Answer: func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
				ones := mat.DenseCopyOf(X)
				ones.SetCol(0, slices.Repeat([]float64{1}, len(r)))
				return twoclass.Descent{NoBias: true}.Steps(ones, r, eta, tol, limit)
			}},
		{Key: "online", Hint: 2, Message: online, Answer: twoclass.Descent{Online: true}.Steps},
		{Key: "online", Hint: 2, Message: online, Answer: twoclass.Descent{Online: true, Fresh: true}.Steps},
		{Key: "in-turn", Hint: 2,
			Message: "Your count is the one for weights that change one after another, so that each derivative uses the weights already changed. Compute the whole gradient with the old weights first; then change all weights together.", Answer: twoclass.Descent{InTurn: true}.Steps},
		{Key: "accumulated", Hint: 2,
			Message: "Your gradient contains the gradients of all earlier updates, as if it were not reset to 0 before the next sum over the points.", Answer: twoclass.Descent{Accumulated: true}.Steps},
		{Key: "other-start", Hint: 2,
			Message: "Your count is the one for weights that start at 0.01, as in figure 10.8. Here all weights start at 0.",
			Answer:  twoclass.Descent{Start: 0.01}.Steps},
		{Key: "never-arrives", Hint: 2,
			Answer:  twoclass.Descent{Residual: func(a, r float64) float64 { return r - kernel.Sigmoid(a) }}.Steps,
			Message: "For {problem} you return −1, although the argument “limit” is more than large enough, as if your descent went uphill. A step must subtract η∇E."},
		{Key: "targets", Hint: 2,
			Answer: twoclass.Descent{Residual: func(a, r float64) float64 { return kernel.Sigmoid(a) - (2*r - 1) }}.Steps, Message: "Your count is the one for the targets 1 and −1 in place of 1 and 0. The output of a sigmoid lies between 0 and 1 and cannot reach −1, so the weights diverge."},
		{Key: "squared-error", Hint: 2,
			Answer: twoclass.Descent{Residual: func(a, r float64) float64 {
				return twoclass.Residual(a,
					r) * twoclass.Prime(a)
			}}.Steps,
			Message: "Your gradient contains a factor y(1 − y), as in (10.40) for the sum of squares. For the cross-entropy this factor cancels."},
		{Key: "half-step", Hint: 2,
			Answer: twoclass.Descent{Residual: func(a, r float64) float64 {
				return 2 * twoclass.Residual(a,
					r)
			}}.Steps,
			Message: "Your gradient is twice the gradient of the cross-entropy, which has no factor in front."},
		{Key: "overflow", Hint: 2, Message: overflow,
			Answer: twoclass.Descent{Residual: quotient, Size: notAbove}.Steps},
		{Key: "overflow", Hint: 2, Message: overflow, Answer: twoclass.Descent{Residual: quotient}.Steps},
	},
}

// quotient is the residual for a sigmoid that overflows. notAbove returns the length of the
// gradient, or 0 if the length is NaN. A descent then stops at NaN, like a loop “while ‖∇E‖ > tol”.
func quotient(a, r float64) float64 { return math.Exp(a)/(1+math.Exp(a)) - r }
func notAbove(g []float64, _ float64) float64 {
	if size := floats.Norm(g, 2); size >= 0 {
		return size
	}
	return 0
}

func shifted(by int) stepsFunc {
	return func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
		n := twoclass.Descent{}.Steps(X, r, eta, tol, limit)
		return n + by*min(1, n+1) // leaves −1 unchanged
	}
}

// countVerdict returns the verdict on a wrong count that no known mistake explains. It returns nil
// if the wrong count fits no case. The count must not be right.
func countVerdict(p run, count []float64) *verify.Verdict {
	got, right, limit := count[0], p.right, float64(p.limit)
	switch {
	case got < -1:
		return judge.Fail("negative", 2,
			"For %v you return %s. The only negative result that is allowed is −1, for a descent that needs more updates than the argument “limit” allows.", p,
			minus(int(got)))
	case right < 0 && p.wild && got != limit:
		return judge.Fail("diverges", 2,
			"For %v you return %.0f, as if the descent converged. The learning factor is far too large, so the weights oscillate and never converge.", p, got)
	case right < 0 && (got == limit || got == limit+1) && got != p.countWithHigherLimit():
		return judge.Fail("max-for-never", 2,
			"For %v, with limit = %d, you return %.0f. After so many updates ‖∇E‖ is still larger than tol. Return −1 in this case: the count “limit” means that the descent converged with the last allowed update.", p, p.limit, got)
	case right == 0 && got > 0:
		return judge.Fail("start", 2,
			"For %v the gradient at the start, with all weights 0, is at most tol, so no update is needed; you return %.0f.", p, got)
	case got == -1 && p.limit == right:
		return judge.Fail("max-too-strict", 2,
			"If limit equals the number of updates that are needed, you return −1 instead of the count, as if you stopped one update too early.")
	case got == -1:
		return judge.Fail("never-arrives", 2,
			"For %v you return −1, although limit = %d updates are more than enough. Check that no smaller limit applies, and that your ‖∇E‖ decreases.", p, p.limit)
	case right >= 0 && got > float64(right):
		return judge.Fail("too-many", 2,
			"For %v you count %.0f updates, which are too many. All weights start at 0, and every update is followed by a comparison of tol with ‖∇E‖ at the new weights.", p, got)
	}
	return nil
}

// countWithHigherLimit returns the count that would be right if p.limit were larger by one.
func (p run) countWithHigherLimit() float64 {
	p.limit++
	return float64(p.count(twoclass.Descent{}.Steps))
}

// minus formats its argument with minus signs in place of hyphens, as in formulas.
func minus(number any) string { return strings.ReplaceAll(fmt.Sprint(number), "-", "−") }

// standardise is one of the right answers for Rescale.
func standardise(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64) {
	mean, spread := location(train)
	return standardised(train, mean, spread), standardised(test, mean, spread), func(w []float64) []float64 {
		v := floats.DivTo(make([]float64, len(spread)), w[1:], spread)
		return append([]float64{w[0] - floats.Dot(v, mean)}, v...)
	}
}

func standardised(x *mat.Dense, mean, spread []float64) *mat.Dense {
	z := mat.DenseCopyOf(x)
	z.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / spread[j] }, z)
	return z
}

// location returns the mean and the spread of each column. For a constant column it returns the
// spread 1.
func location(x *mat.Dense) (mean, spread []float64) {
	_, d := x.Dims()
	mean, spread = instance.Mean(x), make([]float64, d)
	for j := range d {
		if spread[j] = stat.PopStdDev(mat.Col(nil, j, x), nil); spread[j] <= 1e-9*math.Abs(mean[j]) {
			spread[j] = 1
		}
	}
	return mean, spread
}

// A rescaled contains the results of one call of Rescale. The matrices are copies, and both have the
// same number of columns.
type rescaled struct {
	train, test *mat.Dense
	back        backFunc
	kept        func() bool // reports whether the learner's matrices are unchanged
	spoil       func()      // overwrites the arguments of the call
}

// A rescaler calls the learner's Rescale. If the form of a result is wrong, or if Rescale changed an
// argument, the rescaler stores the verdict in the field `bad`. From then on it calls standardise, a
// right answer, in place of Rescale.
type rescaler struct {
	rescale rescaleFunc
	bad     *verify.Verdict
}

// call calls Rescale with copies of the matrices in s. If `views` is set, these copies are parts of
// larger matrices. The learner may return any number of columns.
func (l *rescaler) call(s set, views bool) rescaled {
	c := judge.NewCall(s.String(), 4, views)
	train, test := c.Dense("train", s.train), c.Dense("test", s.test)
	a, b, back := l.rescale(train, test)
	say := func(key string, hint int, format string, args ...any) {
		c.Say(judge.Fail(key, hint, format, args...))
	}
	n, _ := s.train.Dims()
	m, _ := s.test.Dims()
	out := rescaled{back: back, kept: c.Kept, spoil: func() { train.Zero(); test.Zero() }}
	switch {
	case a == nil || b == nil || a.IsEmpty() || b.IsEmpty():
		say("empty", 4, "For %v a matrix is nil or empty: return both train and test in the new units.", s)
	case back == nil:
		say("no-back", 4, "For %v the function “back” is nil.", s)
	default:
		rows, width := a.Dims()
		if bn, bc := b.Dims(); rows != n || bn != m || width != bc {
			say("wrong-shape", 4,
				"For %v, with N = %d training points and M = %d test points, you returned a %d×%d and a %d×%d matrix. Return one row per point, and the same number of columns in both.", s, n, m, rows, width, bn, bc)
			break
		}
		for _, x := range []*mat.Dense{a, b} {
			switch largest := mat.Norm(x, math.Inf(1)); {
			case s.constant && math.IsNaN(largest-largest):
				say("constant-column", 3,
					"For %v an entry of your matrices is not a finite number. The spread of a constant column is 0, and 0/0 is NaN: divide such a column by 1.", s)
			case largest > 1e100 && !math.IsInf(largest, 1):
				say("huge", 3, "For %v the largest entries of your matrices have a size of about %s. This happens if you divide by a very small number.", s,
					verify.Magnitude(largest))
			}
		}
		if v, u := c.Matrix("train2", a, n, width, "N×D"), c.Matrix("test2", b, m, width, "M×D"); v != nil && u != nil {
			out.train, out.test = mat.NewDense(n, width, v), mat.NewDense(m, width, u)
		}
	}
	if bad := c.Verdict(); bad != nil {
		l.rescale, l.bad = standardise, cmp.Or(l.bad, bad)
		return l.call(s, false)
	}
	return out
}

func judgeForm(l *rescaler) verify.Verdict {
	list := sets(source(5))
	for i, s := range list {
		first := l.call(s, false)
		for _, views := range []bool{false, true} {
			then := &rescaler{rescale: l.rescale}
			switch again := then.call(s, views); {
			case then.bad == nil && nearlyEqual(again.train, first.train) && nearlyEqual(again.test, first.test):
			case !views:
				return verify.Fail("not-constant", 0, "Two calls with the same data gave different matrices.")
			default:
				return verify.Fail("views", 0,
					"For %v the new matrices differ when train and test are passed as parts of larger ones (Slice). RawMatrix().Data then also contains numbers outside the rows of the matrix: use At, RawRowView, or the Stride.", s)
			}
		}
		// A call for the next set must not change the first result. Ignore faults of this call.
		(&rescaler{rescale: l.rescale}).call(list[(i+1)%len(list)], false)
		if first.spoil(); !first.kept() {
			return verify.Fail("not-new", 4,
				"For %v a matrix that you returned changes with an argument, or with the next call: return two new matrices.", s)
		}
	}
	return verify.Pass("Both matrices are new and finite, even if a column of train is constant.")
}

// nearlyEqual reports whether the matrices a and b agree to within 1e-9·(1 + max b − min b).
func nearlyEqual(a, b *mat.Dense) bool {
	return verify.CloseMat(a, b, verify.Tolerance{Abs: 1e-9 * (1 + mat.Max(b) - mat.Min(b))}).OK
}

// probe returns a copy of s with other test inputs. The first row is the mean of train. Each further
// row is this mean with one entry increased by the spread of its column. The results for these rows
// determine an affine rule completely.
func (s set) probe() set {
	mean, spread := location(s.train)
	s.test = mat.NewDense(len(mean)+1, len(mean), nil)
	s.test.Apply(func(i, j int, _ float64) float64 {
		if i == j+1 {
			return mean[j] + spread[j]
		}
		return mean[j]
	}, s.test)
	return s
}

// judgeRule checks that the learner uses the same affine rule for train and test, that the rule does
// not depend on test, and that it does not divide a constant column by a rounding error.
func judgeRule(l *rescaler) verify.Verdict {
	whitening := false
	for _, s := range sets(source(6)) {
		here, other := l.call(s, false), l.call(s.probe(), false)
		if !nearlyEqual(other.train, here.train) {
			return verify.Fail("leak", 3,
				"For %v your new training inputs change when the test set changes. Compute the rule from train alone, because the test set is unknown when the weights are learned.", s)
		}
		mean, spread := location(s.train)
		rule := affine(other.test)
		for j, sd := range spread {
			if slope := floats.Norm(rule.RawRowView(j+1), math.Inf(1)) / sd; s.constant && slope > 1e6 {
				return verify.Fail("constant-by-rounding", 3,
					"For %v your rule multiplies a difference in column %d by about %s. The computed spread of a constant column may be slightly larger than 0, because the mean is rounded. Test whether the spread is small relative to the mean, not whether it is 0.", s, j, verify.Magnitude(slope))
			}
		}
		apply := func(x *mat.Dense) *mat.Dense {
			var out mat.Dense
			out.Mul(instance.WithOnes(standardised(x, mean, spread)), rule)
			return &out
		}
		tol := verify.Tolerance{Abs: 1e-7 * (1 + mat.Max(here.train) - mat.Min(here.train))}
		if !verify.CloseMat(here.train, apply(s.train), tol).OK || !verify.CloseMat(here.test, apply(s.test), tol).OK {
			return notOneRule(s, here)
		}
		width := rule.RawMatrix().Cols
		whitening = whitening || floats.Count(func(v float64) bool { return math.Abs(v) > 1e-6 },
			rule.RawMatrix().Data[width:]) > width
	}
	if whitening {
		return verify.Pass("You apply one rule, computed from train, to both sets. Your new inputs are linear combinations of the old ones, as in a whitening, which also removes correlations.")
	}
	return verify.Pass("You apply one rule for each column, computed from train, to both sets.")
}

// affine computes the affine rule from the rescaled test inputs of a probe. Row 0 is the rescaled
// mean. Row j+1 is the change in the rescaled inputs if the old input j increases by its spread.
func affine(probe *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(probe)
	for i := 1; i < out.RawMatrix().Rows; i++ {
		floats.Sub(out.RawRowView(i), probe.RawRowView(0))
	}
	return out
}

// notOneRule returns the verdict on an answer that does not use the same affine rule for train and test.
func notOneRule(s set, got rescaled) verify.Verdict {
	centred := func(x *mat.Dense) bool { // whether all columns have mean 0
		return floats.Norm(instance.Mean(x), math.Inf(1)) <= 1e-6
	}
	n, d := got.train.Dims()
	length, even := true, d > 1 // `length`: whether all rows have length 1; `even`: whether all rows have mean 0
	for t := range n {
		row := got.train.RawRowView(t)
		length = length && math.Abs(floats.Norm(row, 2)-1) < 1e-9
		even = even && math.Abs(stat.Mean(row, nil)) < 1e-9
	}
	switch {
	case length || even:
		return verify.Fail("rows-scaled", 3,
			"For %v every row has length 1 or mean 0, as if you rescaled each row by itself. Every input has its own unit, and every column contains one input: rescale a column in the same way in all rows.", s)
	case centred(got.train) && centred(got.test):
		return verify.Fail("test-by-itself", 3,
			"For %v train and test both have mean 0, as if you rescaled test by its own mean and spread. The same x then becomes different numbers in test and in train, so the weights do not fit. Use the rule computed from train.", s)
	}
	return verify.Fail("not-one-rule", 3,
		"For %v you do not rescale train and test by the same affine rule. The same x must become the same new numbers in both sets.", s)
}

// condition returns the ratio of the largest to the smallest nonzero eigenvalue of the Hessian of
// E, with the bias and with a constant in place of y(1−y). The result `curved` is the number of
// nonzero eigenvalues.
func condition(x *mat.Dense) (ratio float64, curved int) {
	values := spectrum(x)
	top := values[len(values)-1]
	for i, v := range values {
		if v > 1e-11*top {
			return top / v, len(values) - i
		}
	}
	return math.Inf(1), 0
}

// maxConditionRatio is the largest allowed ratio of the learner's condition number to the condition
// number of standardised inputs. The exercise states this ratio. It is so large that inputs scaled
// to [0, 1] pass, although their spread is smaller and they are not centred.
const maxConditionRatio = 300

func judgeCondition(l *rescaler) verify.Verdict {
	worst := 0.0
	for _, s := range plainSets(sets(source(7))) {
		got := l.call(s, false)
		// Detect answers that compare a spread with a fixed number, or add a number to every
		// spread. If the inputs have tiny or huge units, such an answer makes the spread of one
		// new column much smaller than the spread of another column.
		rule := affine(l.call(s.probe(), false).test)
		var steps []float64
		for j := range s.train.RawMatrix().Cols {
			steps = append(steps, floats.Norm(rule.RawRowView(j+1), 2))
		}
		if j := floats.MinIdx(steps); s.far && 5*steps[j] < floats.Max(steps) {
			return verify.Fail("absolute-threshold", 3,
				"For %v the spread of your new column %d is far smaller than the spread of the other column. This happens if you compare the spread with a fixed number, or add a number to the spread. Compare the spread with the size of its own column.", s, j)
		}
		best, _, _ := standardise(s.train, s.train)
		now, curved := condition(got.train)
		ideal, full := condition(best)
		worst = math.Max(worst, now)
		if now > maxConditionRatio*ideal || curved < full {
			return unevenVerdict(s, got.train, now)
		}
	}
	return verify.Pass("In your units the largest and the smallest curvature differ by a factor of %.0f at most, whatever the old units were: one η suits all weights. The smaller this factor, the faster the descent.", math.Ceil(worst))
}

// unevenVerdict returns the verdict on rescaled inputs for which the curvatures still differ too
// much, or which have lost a direction of the old inputs. The argument `now` is the ratio of the
// largest curvature to the smallest curvature that is not 0.
func unevenVerdict(s set, train *mat.Dense, now float64) verify.Verdict {
	offset, low, high := 0.0, math.Inf(1), 0.0
	_, width := train.Dims()
	for j := range width {
		if m, sd := stat.PopMeanStdDev(mat.Col(nil, j, train), nil); sd > 1e-9*math.Abs(m) {
			offset, low, high = math.Max(offset, math.Abs(m)/sd), math.Min(low, sd), math.Max(high, sd)
		}
	}
	switch {
	case mat.EqualApprox(train, s.train, 0):
		return verify.Fail("unchanged", 1, "For %v you return the inputs unchanged.", s)
	case low < 1e-7:
		return verify.Fail("absolute-threshold", 2,
			"For %v you leave the spread of a column at about %s. This happens if you compare the spread with a fixed number, or add a number to the spread. Compare the spread with the column's mean instead.", s, verify.Magnitude(low))
	case high > 20*low:
		return verify.Fail("not-scaled", 2,
			"For %v the columns still differ in spread by a factor of about %s, so one η is too large for one weight or too small for another. Divide each column by its spread.", s, verify.Magnitude(high/low))
	case offset > 10:
		return verify.Fail("not-centred", 2,
			"For %v the columns have similar spreads, but lie far from 0, at up to about %s times their spread. The bias and the weight then have nearly the same effect, so E still has a narrow valley. Subtract the mean before you divide.", s, verify.Magnitude(offset))
	case high < 0.03 || low > 30:
		return verify.Fail("other-unit", 2,
			"For %v all columns have similar spreads, but these are very different from 1, the input of the bias. The bias is one of the weights, so choose spreads near 1.", s)
	}
	return verify.Fail("badly-conditioned", 2,
		"For %v in your units, the curvatures of E that are not 0 differ by a factor of up to about %s. Either this factor is still too large, or your new inputs have lost a direction of the old inputs.", s,
		verify.Magnitude(now))
}

// judgeBack compares w0 + wᵀx in the old units and in the new units, for random weights.
func judgeBack(l *rescaler) verify.Verdict {
	r := source(8)
	for _, s := range plainSets(sets(r)) {
		got := l.call(s, false)
		_, width := got.train.Dims()
		_, d := s.train.Dims()
		c := judge.NewCall(s.String(), 4, false)
		for range 3 {
			w := instance.Normals(r, width+1)
			old := c.Vector("result of the function “back”", got.back(c.Slice("w of back", w)), d+1, "input, and one for the bias")
			if bad := c.Verdict(); bad != nil {
				return *bad
			}
			for _, pair := range [][2]*mat.Dense{{s.train, got.train}, {s.test, got.test}} {
				if off, f := activations(pair[0], pair[1], old, w); !f.OK {
					return wrongBack(s, old, w, off, f)
				}
			}
		}
		if !c.Kept() {
			return verify.Fail("back-not-new", 4,
				"For %v the next call of your function “back” changed the weights that it had returned: return a new slice from each call.",
				s)
		}
	}
	return verify.Pass("For random weights in the new units, the weights that your function “back” returns yield the same posteriors at all training and test inputs in the old units.")
}

// activations returns, row by row, the activation of x with the weights `old` minus the activation
// of z with the weights w. It also returns a finding on the first difference that is too large.
func activations(x, z *mat.Dense, old, w []float64) (off []float64, found verify.Finding) {
	found = verify.Finding{OK: true}
	for t := range x.RawMatrix().Rows {
		got, size := instance.Linear(mat.NewDense(len(old), 1, old), x.RawRowView(t))
		want, _ := instance.Linear(mat.NewDense(len(w), 1, w), z.RawRowView(t))
		off = append(off, got[0]-want[0])
		if f := verify.Close(got[0], want[0],
			verify.Tolerance{Abs: 1e-9 * (math.Min(1+size, 1e6) + math.Abs(want[0]))}); !f.OK && found.OK {
			found = f
		}
	}
	return off, found
}

// wrongBack returns the verdict on wrong weights from the learner's function `back`. The list `off`
// contains the error of each activation.
func wrongBack(s set, old, w, off []float64, f verify.Finding) verify.Verdict {
	switch lo, hi := floats.Min(off), floats.Max(off); {
	case floats.EqualApprox(old, w, 1e-12):
		return verify.Fail("back-identity", 3,
			"For %v your function “back” returns the weights unchanged. In the old units an input is larger or smaller by the factor that you divided by, and its weight must compensate.", s)
	// If only the bias is wrong, the errors of all activations are equal.
	case hi-lo <= 1e-6*(1+math.Abs(hi)) && len(off) > 1 && old[0] == w[0]:
		return verify.Fail("back-bias-forgotten", 3,
			"For %v the weights are right, but the bias is unchanged. Expand w0 + Σ w_j (x_j − m_j)/s_j: the terms that do not depend on x are the new bias.", s)
	case hi-lo <= 1e-6*(1+math.Abs(hi)) && len(off) > 1:
		return verify.Fail("back-bias", 3,
			"For %v the weights are right, but the bias is not: the error of every activation is the same number, about %s. Check the sign of the mean, and that it is divided by the scale.", s, verify.Magnitude(hi))
	}
	return verify.Fail("back-weights", 3,
		"For %v the weights that your function “back” returns yield a different w0 + wᵀx than the weights in the new units: %s. A scale that divides the input must divide its weight. (If you rescale test by its own mean and spread, fix that first.)", s, f.Off())
}

func init() {
	judge.Known(exercise, stepsQuestion, func(f stepsFunc) *verify.Report { return Check(f, standardise) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex07", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
