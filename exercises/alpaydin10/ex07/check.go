// Package ex07 judges Alpaydin exercise 10.7: how many more steps one learning factor costs for
// inputs of different scales, and what a change of units achieves.
package ex07

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of Alpaydin exercise 10.7. steps counts the updates of gradient
// descent on inputs X (N×D) with targets r (N, 0 or 1) until ‖∇E‖ ≤ tol. It returns −1 if more than
// limit updates are needed. rescale returns train and test in new units computed from train, and a
// function that converts weights back to the old units.
func Check(steps func(X *mat.Dense, r []float64, eta, tol float64, limit int) int,
	rescale func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)) *verify.Report {
	exact := func(p run, got []float64) verify.Finding {
		return verify.CloseSlice(got, askSteps.Right(p), verify.Tolerance{})
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
		askSteps.Parts(steps, []judge.Property[run]{
			judge.Form("Steps: the same count on every call, and X and r stay unchanged", counted, nil,
				judge.Wrong{}, "You returned the same count each time."),
			{Name: "Steps: the number of updates until ‖∇E‖ ≤ tol", On: counted, Holds: exact,
				Wrong: judge.Wrong{Key: "too-few", Hint: 2,
					Message: "For {problem} you count too few updates for ‖∇E‖ ≤ tol. All weights start at 0, η multiplies the whole gradient, and ‖∇E‖ includes the derivative with respect to the bias."},
				Right: "Your counts are right, from 0 to some hundred steps."},
			{Name: "Steps: −1 where limit updates are not enough, or η is too large", On: limited, Limits: true,
				Holds: exact,
				Wrong: judge.Wrong{Key: "max-ignored", Hint: 2,
					Message: "For {problem} more updates are needed than limit allows, and you return a count, not −1."},
				Right: "−1 where the descent does not converge within limit updates. In one of these runs η is far too large, so the weights oscillate across the valley for ever."},
			{Name: "Steps: inputs and activations of any size", On: wide, Limits: true, Holds: exact,
				Wrong: judge.Wrong{Key: "wide", Hint: 2,
					Message: "For {problem} your count is wrong, although it is right for inputs of moderate size. No output may be NaN or clipped."},
				Right: "Right for inputs of several hundred, and for activations from 3 to 800."},
			{Name: "Steps: what the scales of the inputs do to the count", On: growing,
				First: crawls, Holds: func(run, []float64) verify.Finding { return verify.Finding{OK: true} },
				Right: "With the second input in units 1, 3, 10 and 30 times smaller",
				Note: func(counts [][]float64) string {
					return fmt.Sprintf("the counts are %v: the widest input limits η, so the other weights change slowly. The count depends on the ratio of the curvatures, the condition number.", slices.Concat(counts...))
				}},
		}...),
		[]verify.Part{
			units("Rescale returns new finite matrices of the right shapes and leaves its arguments unchanged", judgeForm),
			units("Rescale: one rule for every input, learned from train alone", judgeRule),
			units("Rescale: in the new units one η suits all weights", judgeCondition),
			units("Rescale: the weights from back yield the same posteriors in the old units", judgeBack),
		})...)
}

// growing returns runs on one data set. In each run the unit of the second input is smaller, so its
// values are larger, and η is the largest safe learning factor.
var growing = instance.Once(func() (list []run) {
	for _, unit := range []float64{1, 3, 10, 30} { // source(4) starts again, so the draws are the same
		list = append(list,
			draw(source(4), fmt.Sprintf("the second input in units %g times smaller", unit), 30, []float64{0, 0},
				[]float64{1, unit}, 1))
	}
	return solved(list...)
})

// crawls checks that the counts grow. Earlier parts check whether the counts are right.
func crawls(p run, count []float64) *verify.Verdict {
	switch got := count[0]; {
	case got < 0 && p.right > 0:
		return judge.Fail("no-growth", 2,
			"With an η that is small enough for the widest input the descent converges, but slowly; you return %s.",
			minus(got))
	case got >= 0 && 2*got < float64(p.right):
		return judge.Fail("no-growth", 2,
			"With %v you count %.0f. η must decrease with the square of the widest input, so the other weights change slowly: with units 1, 3, 10 and 30 times smaller the counts should grow much faster.", p, got)
	}
	return nil
}

// A run contains the data and the arguments of one descent. The check counts its updates.
type run struct {
	name     string
	X        *mat.Dense
	r        []float64
	eta, tol float64
	limit    int
	wild     bool // η is far too large
	right    int  // the right count
}

// solved fills in the right count of each run.
func solved(list ...run) []run {
	for i, p := range list {
		list[i].right = p.count(twoclass.Descent{}.Steps)
	}
	return list
}

func (p run) String() string { return "“" + p.name + "”" }

// count calls steps with copies of the run's arguments.
func (p run) count(steps stepsFunc) int {
	return steps(mat.DenseCopyOf(p.X), slices.Clone(p.r), p.eta, p.tol, p.limit)
}

func source(part uint64) *rand.Rand { return instance.Source(1007, part) }

// draw draws a run with overlapping classes, so that E has a minimum, on inputs with these offsets
// and scales. Its eta is fraction times the largest learning factor that is always safe.
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
	p.eta = fraction * 4 / values[len(values)-1] // a curvature of E is at most ¼ of an eigenvalue, because y(1−y) ≤ ¼
	return p
}

// spectrum returns the eigenvalues of [1 X]ᵀ[1 X] in ascending order.
func spectrum(x *mat.Dense) []float64 {
	_, d := x.Dims()
	gram := mat.NewSymDense(d+1, nil)
	gram.SymOuterK(1, instance.WithOnes(x).T())
	var e mat.EigenSym
	e.Factorize(gram, false) // cannot fail: ask has rejected infinite and NaN entries
	return e.Values(nil)
}

// runs draws runs with some hundred updates. On the first run every known mistake leads to a
// different count.
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

// line returns a run with one input.
func line(name string, x, r []float64, eta, tol float64, limit int) run {
	return run{name: name, X: mat.NewDense(len(x), 1, x), r: r, eta: eta, tol: tol, limit: limit}
}

var counted = instance.Once(func() []run {
	quick := draw(source(2), "a tolerance that holds at the start", 10, []float64{0}, []float64{1}, 1)
	quick.tol = 1e3
	return solved(append(runs(source(1)), quick,
		// Two points of class 0 at ±1: the gradient at the start is (1, 0) exactly.
		line("a gradient exactly as long as tol", []float64{-1, 1}, []float64{0, 0}, 0.1, 1, 100),
		line("a tol just below the first gradient", []float64{-1, 1}, []float64{0, 1}, 0.005, 0.95, 100),
		line("an input that is 0 everywhere", []float64{0, 0, 0, 0}, []float64{1, 1, 1, 0}, 0.3, 0.6, 100),
		run{name: "a single point, three inputs", X: mat.NewDense(1, 3, []float64{0.5, -1, 2}), r: []float64{1},
			eta: 0.3, tol: 0.1, limit: 100})...)
})

// limited returns runs that need more updates than limit, and some that need exactly limit. It
// includes a run with an ample limit. If the count of this run is wrong, no mistake about limits
// explains the answer.
var limited = instance.Once(func() []run {
	p := runs(source(3))[0]
	enough := p.count(twoclass.Descent{}.Steps)
	with := func(name string, limit int, eta float64) run {
		q := p
		q.name, q.limit, q.eta, q.wild = name, limit, eta, eta > p.eta
		return q
	}
	return solved(
		with("a limit just large enough", enough, p.eta),
		p,
		with("a limit one too small", enough-1, p.eta),
		with("no update allowed", 0, p.eta),
		with("η far too large", 400, 60*p.eta),
		line("a gradient of 0 and tol = 0", []float64{2, 2}, []float64{0, 1}, 0.1, 0, 0),
	)
})

// wide returns runs with large inputs or activations. After the first update of a “step to a” the
// activations are ±a. For a up to 30 one update is not enough, and for a of 14 or more the
// remaining descent needs more updates than limit.
var wide = instance.Once(func() []run {
	list := []run{
		runs(source(3))[0], // the same run as in limited
		{name: "an input 100 times as wide",
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
	return solved(list...)
})

// A set contains training and test inputs.
type set struct {
	name        string
	train, test *mat.Dense
	constant    bool // a column of train is constant
	far         bool // the columns of train are in units far from 1
}

func (s set) String() string { return "“" + s.name + "”" }

// sets draws sets with training and test inputs from different distributions. The check can
// therefore see whether a rule was computed from train or from test. Sets in usual units come
// first, because their failures are easier to explain. The last set is for the part about the rule
// only; see plain.
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
		{"a constant column, 0.1", 24, 8, []float64{0.1, 4}, []float64{0, 50}}, // 0.1 has no exact binary form, so its computed mean is rounded
	} {
		s := set{name: c.name, train: instance.Design(r, c.n, c.offset, c.scale), constant: floats.Min(c.scale) == 0,
			far: c.scale[0] == 1e-7}
		s.test = instance.Design(r, c.m, floats.AddScaledTo(make([]float64, len(c.offset)), c.offset, 1.5, c.scale),
			c.scale)
		out = append(out, s)
	}
	return out
}

// plain omits the last set, whose constant column has a nonzero computed spread because of
// rounding. Only the part about the rule covers this set.
func plain(list []set) []set { return list[:len(list)-1] }

func init() {
	judge.Known(exercise, askSteps, func(f stepsFunc) *verify.Report { return Check(f, standardise) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex07", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
