// Package ex13 judges PRML exercise 4.13: the gradient of the cross-entropy of
// logistic regression.
package ex13

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges gradient, which returns the M entries of ∇E(w) of PRML (4.90) for
// weights w (M), the design matrix Phi (N×M) and targets t (N, each 0 or 1).
func Check(gradient func(w []float64, Phi *mat.Dense, t []float64) []float64) *verify.Report {
	derivative := judge.Wrong{Key: "derivative", Hint: 2, Message: "For {problem} (columns brought to size 1) your entries are not the derivatives of E: {off}."}
	return exercise.Judge(ask.Parts(gradient, []judge.Property[problem]{
		judge.Form("M finite numbers come back, and w, Φ and t stay as they were",
			func() []problem { return slices.Concat(general(), edges()) }, nil, judge.Wrong{},
			"You returned one number per weight, for M from 1 to 5 and N from 1 to 200."),
		{Name: "they are the derivatives of E", On: general, Holds: twoclass.Logistic.Derivatives, Wrong: derivative,
			Right: "Your entries are the derivatives of E by finite differences: the factor y(1−y) has gone."},
		{Name: "at the minimum of E the gradient vanishes, and away from it −∇E leads downhill", On: aroundMinimum, First: minimum,
			Right: "It vanishes where E is least, and everywhere else a small step against it lowers E."},
		{Name: "one point, one weight, one class only: still the gradient", On: edges, Holds: twoclass.Logistic.Derivatives, Wrong: derivative,
			Right: "The same formula holds for a single point, a single weight, and targets all alike."},
		{Name: "finite and right at activations of all sizes, to ±800", On: tails, First: clipped, Limits: true,
			Right: "No overflow at ±800: a point far on the wrong side pulls with a residual of 1, one far on the right side not at all."},
	}...)...)
}

// CheckSteps judges two links of the chain rule for one point, which are optional:
// byOutput is dE_n/dy for an output y, byActivation dE_n/da for an activation a,
// with the target t.
func CheckSteps(byOutput func(y, t float64) float64, byActivation func(a, t float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askOutput.Steps(byOutput,
			judge.Step[output]{Name: "ByOutput: the derivative of one point's error with respect to y", On: outputs,
				Routes: []judge.Route[output]{
					{Name: "the difference of two fractions", Tol: 1e-9, Value: askOutput.Right},
					{Name: "the difference quotient of the error", Tol: 1e-7, Value: output.quotient},
				},
				Right: "It is the derivative, as a difference of fractions and by difference quotients."},
			judge.Step[output]{Name: "ByOutput: right for outputs near 0 and 1", On: outputsFar, Limits: true,
				Routes: []judge.Route[output]{
					{Name: "the difference of two fractions", Tol: 1e-9, Value: askOutput.Right},
					{Name: "the derivative of the one term that is there", Tol: 1e-9, Value: output.oneTerm},
				},
				Right: "It is right for outputs of 10⁻³⁰⁰ and next to 1."}),
		askActivation.Steps(byActivation,
			judge.Step[activation]{Name: "ByActivation: the derivative of one point's error with respect to a", On: activations, Routes: activationRoutes,
				Right: "It is the derivative, as a product of links and by difference quotients, for both targets."},
			judge.Step[activation]{Name: "ByActivation: finite and right at activations of all sizes, to ±800", On: activationsFar, Routes: activationRoutes, Limits: true,
				Right: "It is finite and right out to ±800."}),
		askActivation.Parts(byActivation, judge.Property[activation]{Name: "the two are linked by dy/da", On: activations, With: "ByOutput",
			First: judge.First(func(s activation, got []float64) verify.Finding {
				y := kernel.Sigmoid(s.a)
				return verify.Close(byOutput(y, s.t)*y*(1-y), got[0], verify.Tolerance{Abs: 1e-8})
			}, judge.Wrong{Key: "not-linked", Hint: 2, Message: "At {problem} your ByOutput at y = σ(a), times dy/da = y(1−y), is not your ByActivation: {off}. The parts above tell which of the two it is."}),
			Right: "ByOutput times y(1−y) is ByActivation."}))...)
}

// clipped speaks of what is finite and not right far out.
var clipped = judge.First(twoclass.Logistic.IsGradient,
	judge.Wrong{Key: "tails", Hint: 3, Message: "For {problem} (columns brought to size 1) your gradient is finite, but {off}. Is the sigmoid cut off, or are activations or outputs clipped?"})

// minimum looks at E alone: where it is least, and whether small steps against the
// gradient lower it.
func minimum(p problem, g []float64) *verify.Verdict {
	if p.Least {
		f := verify.CloseSlice(g, make([]float64, len(g)), verify.Tolerance{Abs: 1e-8 * mat.Norm(p.Phi, 2)})
		return judge.FailIf(!f.OK, "not-zero-at-minimum", 2, "For %v, at the w where E is least, your gradient is not zero: %s.", p, f.Off())
	}
	length := floats.Norm(g, 2)
	if length == 0 {
		return judge.Fail("zero-away-from-minimum", 2, "For %v your gradient is zero at a point where E is not least.", p)
	}
	// A step much shorter than the curvature of E allows, whatever the length of g.
	down := floats.AddScaledTo(make([]float64, len(g)), p.W, -1e-4/length, g)
	return judge.FailIf(!(twoclass.Logistic.At(p, down) < twoclass.Logistic.At(p, p.W)), "uphill", 2, "For %v a small step against your gradient does not lower E.", p)
}

type problem = twoclass.Problem

// drawing makes problems whose activations are a few units in size, with a share of
// about one in three for t = 1.
func drawing(part uint64) func(name string, n int, centre, spread []float64) problem {
	return twoclass.Source{Rand: instance.Source(413, part), Ones: 1, Of: 3, Spread: 1.5}.Draw
}

// general are problems on which every known mistake shows.
var general = instance.Once(func() []problem {
	draw := drawing(2)
	return []problem{
		draw("forty points, five weights", 40, []float64{1, 0, 0, 0, -0.5}, []float64{0, 1, 2, 1, 0.5}),
		draw("no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw("as many points as weights", 4, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 2}),
		draw("columns of very different size", 30, []float64{1, 0, 1e6}, []float64{0, 1e-6, 5e5}),
		draw("fewer points than weights", 3, []float64{1, 0, 0, 0, 0}, []float64{0, 1, 1, 1, 1}),
		draw("a column far from zero", 20, []float64{1, 1e6, -0.5}, []float64{0, 1, 1}),
		draw("a rare class", 200, []float64{1, 0}, []float64{0, 1}).Rare(70),
	}
})

// edges are the smallest problems, those of one class, and a column of zeros.
var edges = instance.Once(func() []problem {
	draw := drawing(3)
	ones, zeros := draw("all targets 1", 12, []float64{1, 0}, []float64{0, 1}), draw("all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	origin := draw("w = 0", 9, []float64{1, 0}, []float64{0, 1})
	other := draw("one point, of the other class", 1, []float64{1, 0, 0}, []float64{0, 1, 1})
	point := draw("one point, three weights", 1, []float64{1, 0, 0}, []float64{0, 1, 1})
	return []problem{
		draw("one point, one weight", 1, []float64{0.5}, []float64{1}),
		draw("one weight", 8, []float64{0.3}, []float64{1}),
		point, other.Labelled(other.Name, 1-point.T[0]), ones.Labelled(ones.Name, 1), zeros.Labelled(zeros.Name, 0), origin.AtOrigin(),
		draw("a column of zeros", 7, []float64{1, 0, 0}, []float64{0, 0, 1}),
	}
})

// aroundMinimum has problems at the minimum of E and away from it. Targets at
// random, many points: the classes overlap, so that there is a minimum.
var aroundMinimum = instance.Once(func() (list []problem) {
	draw, r := drawing(4), instance.Source(413, 5)
	for _, p := range []problem{
		draw("sixty points, three weights", 60, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw("thirty points, one weight", 30, []float64{0.2}, []float64{1}),
	} {
		low := twoclass.Logistic.Minimum(p)
		list = append(list, low)
		for range 5 {
			p.W = floats.AddTo(make([]float64, len(low.W)), low.W, instance.Normals(r, len(low.W)))
			list = append(list, p)
		}
	}
	return list
})

// tails has points on both sides, of both classes, for each size of activations.
var tails = instance.Once(func() (list []problem) {
	r := instance.Source(413, 6)
	for _, c := range instance.Magnitudes() {
		w := []float64{0.5, 20}
		list = append(list, problem{Name: fmt.Sprintf("activations of ±%g", c), Phi: instance.Reaching(r, w, []float64{c, c, -c, -c}), T: []float64{0, 1, 0, 1}, W: w})
	}
	return list
})

// An output and an activation are those of one point, with its target.
type (
	output     struct{ y, t float64 }
	activation struct{ a, t float64 }
)

func (s output) String() string     { return fmt.Sprintf("y = %.4g and t = %g", s.y, s.t) }
func (s activation) String() string { return fmt.Sprintf("a = %.4g and t = %g", s.a, s.t) }

// quotient differentiates the error numerically, in steps of a length in which the
// logarithms are smooth.
func (s output) quotient() []float64 {
	h := s.y * (1 - s.y)
	return []float64{verify.Derivative(func(v float64) float64 { return -s.t*math.Log(s.y+h*v) - (1-s.t)*math.Log(1-s.y-h*v) }, 0, 0) / h}
}

// oneTerm differentiates −ln y for t = 1, and −ln(1−y) for t = 0.
func (s output) oneTerm() []float64 {
	if s.t == 1 {
		return []float64{-1 / s.y}
	}
	return []float64{1 / (1 - s.y)}
}

var activationRoutes = []judge.Route[activation]{
	{Name: "the product of the links", Tol: twoclass.Logistic.Tol, Value: func(s activation) []float64 { return askActivation.Right(s) }},
	{Name: "the difference quotient of the error", Tol: 1e-7, Value: func(s activation) []float64 {
		return []float64{verify.Derivative(func(a float64) float64 { return kernel.CrossEntropy(a, s.t) }, s.a, 0)}
	}},
}

// activations have both targets on both sides, with outputs from 0.03 to 0.97.
func activations() []activation {
	r := instance.Source(413, 12)
	list := []activation{{0.7, 1}, {0.7, 0}, {-1.2, 1}, {-1.2, 0}, {0, 1}, {0, 0}}
	for range 12 {
		list = append(list, activation{7*r.Float64() - 3.5, float64(r.IntN(2))})
	}
	return list
}

func activationsFar() (list []activation) {
	for _, c := range instance.Magnitudes() {
		list = append(list, activation{c, 0}, activation{c, 1}, activation{-c, 0}, activation{-c, 1})
	}
	return list
}

// outputs are those of activations.
func outputs() (list []output) {
	for _, s := range activations() {
		list = append(list, output{kernel.Sigmoid(s.a), s.t})
	}
	return list
}

// outputsFar go nearer to 0 than to 1, where y − y² has lost digits that 1 − y keeps.
func outputsFar() (list []output) {
	for _, v := range []float64{1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-16, 1e-30, 1e-300} {
		list = append(list, output{v, 0}, output{v, 1})
		if v >= 1e-6 {
			list = append(list, output{1 - v, 0}, output{1 - v, 1})
		}
	}
	return list
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex13", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
