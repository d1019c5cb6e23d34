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
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `gradient` of PRML exercise 4.13. `gradient` returns ∇E(w) (M) for the
// error function (4.90). Its arguments are the weights w (M), the design matrix Phi (N×M) and the
// targets t (N, each 0 or 1).
func Check(gradient func(w []float64, Phi *mat.Dense, t []float64) []float64) *verify.Report {
	derivative := judge.Wrong{Key: "derivative", Hint: 2,
		Message: "For {problem} your entries should be the derivatives of E. With each column of Φ scaled to size 1, your gradient is {off}."}
	return exercise.Judge(question.Parts(gradient, []judge.Property[problem]{
		judge.Form("the result is M finite numbers, and w, Φ and t stay unchanged",
			func() []problem { return slices.Concat(general(), edges()) }, nil, judge.Wrong{},
			"You returned one number per weight, for M from 1 to 5 and N from 1 to 200."),
		{Name: "the entries are the derivatives of E", Problems: general, Holds: twoclass.Logistic.Derivatives,
			Wrong: derivative,
			Right: "Your entries agree with the finite differences of E: the factor y(1−y) has cancelled."},
		{Name: "at the minimum of E the gradient vanishes, and elsewhere a small step along −∇E lowers E",
			Problems: aroundMinimum,
			Precheck: minimumFault,
			Right:    "Your gradient vanishes at the minimum of E, and elsewhere a small step against your gradient lowers E."},
		{Name: "one point, one weight, one class only: the entries are still the derivatives of E", Problems: edges,
			Holds: twoclass.Logistic.Derivatives, Wrong: derivative,
			Right: "Your result is still the gradient if there is only one point, only one weight, or only one class."},
		{Name: "finite and right at activations of all sizes, up to ±800", Problems: tails, Extreme: true,
			Precheck: clippedFault,
			Right:    "Your gradient has no overflow at ±800. A point far on the wrong side contributes with a residual of ±1, and a point far on the right side contributes nothing."},
	}...)...)
}

// CheckSteps judges two optional steps that apply the chain rule to the error E_n of one point with
// target t. byOutput returns dE_n/dy for an output y, and byActivation returns dE_n/da for an
// activation a.
func CheckSteps(byOutput func(y, t float64) float64, byActivation func(a, t float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		outputQuestion.Steps(byOutput,
			judge.Step[output]{Name: "ByOutput: the derivative of one point's error with respect to its output",
				Problems: outputs,
				Routes: []judge.Route[output]{
					{Name: "the difference of two fractions", Tol: 1e-9, Value: outputQuestion.Right},
					{Name: "the difference quotient of the error", Tol: 1e-7, Value: output.quotient},
				},
				Right: "Your result agrees with the derivative, computed as a difference of fractions and by difference quotients."},
			judge.Step[output]{Name: "ByOutput: right for outputs near 0 and 1", Problems: outputsFar, Extreme: true,
				Routes: []judge.Route[output]{
					{Name: "the difference of two fractions", Tol: 1e-9, Value: outputQuestion.Right},
					{Name: "the derivative of the only nonzero term, −ln y or −ln(1−y)", Tol: 1e-9, Value: output.oneTerm},
				},
				Right: "Your derivative is right for outputs down to 10⁻³⁰⁰ and near 1."}),
		activationQuestion.Steps(byActivation,
			judge.Step[activation]{Name: "ByActivation: the derivative of one point's error with respect to its activation",
				Problems: activations, Routes: activationRoutes,
				Right: "Your result agrees for both targets with the derivative, computed by the chain rule and by difference quotients."},
			judge.Step[activation]{Name: "ByActivation: finite and right at activations of all sizes, up to ±800",
				Problems: activationsFar, Extreme: true, Routes: activationRoutes,
				Right: "Your derivative is finite and right up to ±800."}),
		activationQuestion.Parts(byActivation,
			judge.Property[activation]{Name: "your ByOutput and your ByActivation differ by the factor dy/da",
				Problems: activations, SecondFunc: "ByOutput",
				Precheck: judge.First(func(s activation, got []float64) verify.Finding {
					y := kernel.Sigmoid(s.a)
					return verify.Close(byOutput(y, s.t)*y*(1-y), got[0], verify.Tolerance{Abs: 1e-8})
				}, judge.Wrong{Key: "not-linked", Hint: 2,
					Message: "At {problem} your ByOutput at y = σ(a), times dy/da = y(1−y), should equal your ByActivation, but it is {off}. The earlier parts of this report show which of the two functions is wrong."}),
				Right: "Your ByOutput times y(1−y) is your ByActivation."}))...)
}

// clippedFault returns a verdict if the gradient is wrong. Package judge calls it only for a gradient
// whose entries are all finite.
var clippedFault = judge.First(twoclass.Logistic.IsGradient,
	judge.Wrong{Key: "tails", Hint: 3,
		Message: "For {problem} your gradient is finite, but with each column of Φ scaled to size 1, it is {off}. Do not clip activations or outputs, and do not set residuals to 0."})

// minimumFault tests the learner's gradient without computing the right gradient. At the minimum of
// E the gradient must be zero. Elsewhere, a small step in the direction opposite to the gradient
// must lower E.
func minimumFault(p problem, g []float64) *verify.Verdict {
	if p.Least {
		f := verify.CloseSlice(g, make([]float64, len(g)), verify.Tolerance{Abs: 1e-8 * mat.Norm(p.Phi, 2)})
		return judge.FailIf(!f.OK, "not-zero-at-minimum", 2,
			"For %v your gradient should be zero at the minimum of E, but it is %s.", p, f.Off())
	}
	length := floats.Norm(g, 2)
	if length == 0 {
		return judge.Fail("zero-away-from-minimum", 2, "For %v your gradient is zero at a w that is not the minimum of E.",
			p)
	}
	// The length of the step is 1e-4 for every g. This step is so short that the curvature of E
	// does not matter.
	down := floats.AddScaledTo(make([]float64, len(g)), p.W, -1e-4/length, g)
	return judge.FailIf(!(twoclass.Logistic.At(p, down) < twoclass.Logistic.At(p, p.W)), "uphill", 2,
		"For %v a small step against your gradient does not lower E.", p)
}

type problem = twoclass.Problem

// drawing returns a function that draws problems with moderate activations. About a third of the
// targets are 1.
func drawing(part uint64) func(name string, n int, centre, spread []float64) problem {
	return twoclass.Source{Rand: instance.Source(413, part), Ones: 1, Total: 3, Spread: 1.5}.Draw
}

// general returns problems of many kinds. For any two mistakes with different messages, at least
// one of these problems shows which mistake was made.
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

// edges returns problems with a single point, a single weight or a single class, a problem with w = 0,
// and a problem with a column of zeros.
var edges = instance.Once(func() []problem {
	draw := drawing(3)
	ones, zeros := draw("all targets 1", 12, []float64{1, 0}, []float64{0, 1}),
		draw("all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	origin := draw("w = 0", 9, []float64{1, 0}, []float64{0, 1})
	other := draw("one point, with the opposite target", 1, []float64{1, 0, 0}, []float64{0, 1, 1})
	point := draw("one point, three weights", 1, []float64{1, 0, 0}, []float64{0, 1, 1})
	return []problem{
		draw("one point, one weight", 1, []float64{0.5}, []float64{1}),
		draw("one weight", 8, []float64{0.3}, []float64{1}),
		point, other.Labelled(other.Name, 1-point.T[0]), ones.Labelled(ones.Name, 1), zeros.Labelled(zeros.Name, 0),
		origin.AtOrigin(),
		draw("a column of zeros", 7, []float64{1, 0, 0}, []float64{0, 0, 1}),
	}
})

// aroundMinimum returns problems in which w is the minimum of E, and problems in which w differs
// from the minimum by a random vector. A minimum exists because the classes overlap: there are many
// data points, and their targets are random.
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

// tails returns problems with larger and larger activations, up to ±800. In each problem both
// classes have points on both sides of the boundary.
var tails = instance.Once(func() (list []problem) {
	r := instance.Source(413, 6)
	for _, c := range instance.Magnitudes() {
		w := []float64{0.5, 20}
		list = append(list,
			problem{Name: fmt.Sprintf("activations of ±%g", c), Phi: instance.Reaching(r, w, []float64{c, c, -c, -c}),
				T: []float64{0, 1, 0, 1}, W: w})
	}
	return list
})

// The type `output` contains the output y and the target t of one point. The type `activation` contains
// the activation a and the target t of one point.
type (
	output     struct{ y, t float64 }
	activation struct{ a, t float64 }
)

func (s output) String() string     { return fmt.Sprintf("y = %.4g and t = %g", s.y, s.t) }
func (s activation) String() string { return fmt.Sprintf("a = %.4g and t = %g", s.a, s.t) }

// quotient returns a difference quotient of the error with respect to y. Its steps are proportional
// to y(1−y), so that they are short where the logarithms are steep.
func (s output) quotient() []float64 {
	h := s.y * (1 - s.y)
	return []float64{verify.Derivative(func(v float64) float64 {
		return -s.t*math.Log(s.y+
			h*v) - (1-s.t)*math.Log(1-s.y-h*v)
	}, 0, 0) / h}
}

// oneTerm returns the derivative of the only nonzero term of the error. This term is −ln y if t =
// 1, and −ln(1−y) if t = 0.
func (s output) oneTerm() []float64 {
	if s.t == 1 {
		return []float64{-1 / s.y}
	}
	return []float64{1 / (1 - s.y)}
}

var activationRoutes = []judge.Route[activation]{
	{Name: "the product of the factors dE_n/dy and dy/da of the chain rule", Tol: twoclass.Logistic.Tol,
		Value: func(s activation) []float64 { return activationQuestion.Right(s) }},
	{Name: "the difference quotient of the error", Tol: 1e-7, Value: func(s activation) []float64 {
		return []float64{verify.Derivative(func(a float64) float64 { return kernel.CrossEntropy(a, s.t) }, s.a, 0)}
	}},
}

// activations returns positive activations, negative activations and 0, each with a target. Both
// targets occur with both signs and with 0. The outputs σ(a) lie between 0.02 and 0.98.
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

// outputs returns the outputs σ(a) for all activations a that activations() returns.
func outputs() (list []output) {
	for _, s := range activations() {
		list = append(list, output{kernel.Sigmoid(s.a), s.t})
	}
	return list
}

// outputsFar returns outputs near 0 and near 1. Every output differs from 1 by at least 1e-6, so that answers
// may use y − y², which loses digits near 1.
func outputsFar() (list []output) {
	for _, v := range []float64{1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-16, 1e-30, 1e-300} {
		list = append(list, output{v, 0}, output{v, 1})
		if v >= 1e-6 {
			list = append(list, output{1 - v, 0}, output{1 - v, 1})
		}
	}
	return list
}

type (
	gradientFunc = twoclass.Gradient
	linkFunc     = func(v, t float64) float64
)

var question = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 3, Per: "weight",
	Invoke: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		g := gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if i := slices.IndexFunc(g, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 && len(g) == len(p.W) {
			bad := verify.Fail("not-finite", 3,
				"For %v, entry %d of your gradient is %g, which is not a finite number. Perhaps you take the logarithm of 0, divide by 0, or compute an exponential that overflows. The simplified gradient contains no logarithm and no division by y or 1−y.", p, i, g[i])
			if p.Reach() > 30 {
				bad = verify.Fail("overflow", 3,
					"For %v, entry %d of your gradient is %g, which is not a finite number. e^a/(1+e^a) is Inf/Inf at a = 800. A residual that is divided by y(1−y) and multiplied by it again is NaN where y rounds to 0 or 1.", p, i, g[i])
			}
			c.Say(&bad)
		}
		return g
	},
	Right: twoclass.Logistic.Gradient,
	Unit:  func(p problem, _ []float64) []float64 { return instance.Sizes(p.Phi) },
	Length: func(p problem, n int) *verify.Verdict {
		return judge.FailIf(n == len(p.T), "transposed", 2,
			"For %v you returned %d numbers, one per data point. The gradient has one entry per weight, here %d. Sum over the points.", p, n, len(p.W))
	},
	Family: func(p problem, g []float64) *verify.Verdict {
		return judge.FailIf(twoclass.Prior(instance.Minus(g, twoclass.Logistic.Gradient(p)), p.W), "prior", 2,
			"Your vector is the gradient plus a multiple of the weights, as if there were a Gaussian prior. E in (4.90) is only the negative log likelihood.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly right: for {problem} your gradient is {off}. Use the exact formula. Finite differences, rounded numbers and approximations of σ are not accurate enough."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your vector is the gradient times a constant factor. E in (4.90) has no factor in front of the sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "sign", Answer: pulling(func(a, t float64) float64 { return -twoclass.Residual(a, t) }), Hint: 2,
			Message: "Your vector is −∇E, the gradient of the log likelihood. ∇E contains y − t, not t − y. A step against your vector would increase E."},
		{Key: "averaged", Hint: 2,
			Message: "Your vector is the gradient divided by N. E in (4.90) is a sum over the data, not a mean, so its gradient is a sum too.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				floats.Scale(1/float64(len(p.T)),
					g)
			})},
		{Key: "averaged", Hint: 2,
			Message: "Your vector is the gradient divided by N − 1. E in (4.90) is a sum over the data, not a mean. Only an unbiased variance has the divisor N − 1.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				floats.Scale(1/math.Max(1,
					float64(len(p.T)-1)), g)
			})},
		{Key: "squared-error", Hint: 2,
			Message: "This is the gradient of the sum of squares ½Σ(y−t)², with a factor y(1−y). For the cross-entropy the derivative of the logarithms cancels this factor.",
			Answer:  pulling(func(a, t float64) float64 { return twoclass.Residual(a, t) * twoclass.Prime(a) })},
		{Key: "squared-error", Hint: 2,
			Message: "You return the gradient of the sum of squares Σ(y−t)². For the cross-entropy the derivative of the logarithms cancels the factor y(1−y).",
			Answer:  pulling(func(a, t float64) float64 { return 2 * twoclass.Residual(a, t) * twoclass.Prime(a) })},
		{Key: "chain-rule-stops-at-y", Hint: 2,
			Message: "You divide each residual by y(1−y), which gives the derivative with respect to y, and multiply this derivative by φ. The factor dy/da is missing.",
			Answer:  pulling(func(a, t float64) float64 { return twoclass.Residual(a, t) / twoclass.Prime(a) })},
		{Key: "plus-minus-one", Hint: 2,
			Message: "Your residual is y − (2t−1), with targets −1 and +1. The targets of (4.90) are 0 and 1.",
			Answer:  pulling(func(a, t float64) float64 { return kernel.Sigmoid(a) - (2*t - 1) })},
		{Key: "sigmoid-left-out", Answer: pulling(func(a, t float64) float64 { return a - t }), Hint: 2,
			Message: "Your residual is a − t, as in linear least squares. The output is y = σ(a), not the activation a."},
		{Key: "tanh", Answer: pulling(func(a, t float64) float64 { return math.Tanh(a) - t }), Hint: 2,
			Message: "Your output is tanh(a), which ranges from −1 to 1. The output of this exercise is σ(a) = (1 + tanh(a/2))/2, which ranges from 0 to 1."},
		{Key: "probit", Answer: pulling(func(a, t float64) float64 { return kernel.NormCDF(a) - t }), Hint: 2,
			Message: "Your output is Φ(a), the distribution function of the standard normal. It resembles σ(a), but logistic regression uses σ(a) = 1/(1+e^−a)."},
		{Key: "thresholded", Hint: 2,
			Message: "Your outputs are 0 or 1, as if you compared a with a threshold. Use the probabilities y = σ(a).",
			Answer: pulling(func(a, t float64) float64 {
				if a >= 0 {
					return 1 - t
				}
				return -t
			})},
		{Key: "classes-swapped", Answer: pulling(func(a, t float64) float64 { return kernel.Sigmoid(-a) - t }), Hint: 2,
			Message: "Your output is σ(−a) = 1 − y, as with a wrong sign in the exponent. y is the probability of t = 1."},
		{Key: "one-term-only", Answer: pulling(func(a, t float64) float64 { return -t * kernel.Sigmoid(-a) }), Hint: 2,
			Message: "Your sum contains only the points with t = 1. The second term of the cross-entropy, with 1−t, is missing."},
		{Key: "one-term-only", Hint: 2,
			Message: "Your sum contains only the points with t = 0. The first term of the cross-entropy, with t, is missing.",
			Answer:  pulling(func(a, t float64) float64 { return (1 - t) * kernel.Sigmoid(a) })},
		{Key: "inner-sign", Hint: 2,
			Message: "The points with t = 0 have the wrong sign in your sum. The inner derivative of ln(1−y) is −1, which cancels the minus in front of the logarithm.",
			Answer:  pulling(func(a, t float64) float64 { return -t*kernel.Sigmoid(-a) - (1-t)*kernel.Sigmoid(a) })},
		{Key: "target-left-out", Answer: pulling(func(a, _ float64) float64 { return kernel.Sigmoid(a) }), Hint: 2,
			Message: "Your sum does not contain the targets. Use (y−t)φ instead of yφ."},
		{Key: "absolute", Hint: 2,
			Message: "Your sum contains the absolute values of the residuals. The residuals of the two classes have opposite signs.",
			Answer:  pulling(func(a, t float64) float64 { return math.Abs(twoclass.Residual(a, t)) })},
		{Key: "features-left-out", Hint: 2,
			Message: "All your entries are Σ(y−t). Multiply each residual by the features of its point, the derivative of a = wᵀφ.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				clear(g)
				floats.AddConst(twoclass.Sum(twoclass.Residual, p.W, p.Phi, p.T), g)
			})},
		{Key: "last-row", Answer: twoclass.Logistic.Rows(-1, -1), Hint: 3,
			Message: "Your sum contains only the last data point, as if each point replaced the previous point. Add all points."},
		{Key: "first-row", Answer: twoclass.Logistic.Rows(0, 0), Hint: 3,
			Message: "Your sum contains only the first data point, as if a loop ended too early. Add all points."},
		{Key: "row-forgotten", Answer: twoclass.Logistic.Rows(0, -2), Hint: 3,
			Message: "Your sum leaves out the last data point, as if a loop ended one point too early."},
		{Key: "row-forgotten", Answer: twoclass.Logistic.Rows(1, -1), Hint: 3,
			Message: "Your sum leaves out the first data point. Indices start at 0."},
		{Key: "bias-forgotten", Answer: twoclass.Logistic.ButGradient(func(g []float64, _ problem) { g[0] = 0 }),
			Hint:    3,
			Message: "Your first entry is 0, and all other entries are right. Here the bias is an ordinary weight: it has its own column of Φ and its own derivative."},
		{Key: "bias-forgotten", Hint: 3,
			Message: "Your activations leave out the first weight. Use all columns of Φ, including a column of ones.",
			Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
				return pulling(twoclass.Residual)(append([]float64{0}, w[1:]...), Phi, t)
			}},
		{Key: "zero", Answer: pulling(func(float64, float64) float64 { return 0 }), Hint: 3,
			Message: "All your entries are 0. Check that you write to the slice that you return."},
		{Key: "transposed", Hint: 3,
			Message: "Your vector is Φ(y − t) in place of Φᵀ(y − t). It has the right shape only because N = M. Row n of Φ contains the features of point n, so entry j of the gradient needs column j of Φ.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				if len(p.T) == len(p.W) {
					r := instance.Activations(p.Phi, p.W)
					for i, a := range r {
						r[i] = twoclass.Residual(a, p.T[i])
					}
					copy(g, instance.Activations(p.Phi, r))
				}
			})},
	},
}

var outputQuestion = &judge.Question[linkFunc, output]{
	Func: "ByOutput", Name: "ByOutput", Key: "output", Hint: 2,
	Invoke: func(f linkFunc, _ *judge.Call, s output) []float64 { return []float64{f(s.y, s.t)} },
	Right:  func(s output) []float64 { return []float64{fractions(s.y, s.t)} },
	Mistakes: []judge.Mistake[linkFunc]{
		{Key: "inner-sign", Answer: func(y, t float64) float64 { return -t/y - (1-t)/(1-y) }, Hint: 2,
			Message: "Your derivative has the wrong sign for t = 0. The inner derivative of ln(1−y), a factor −1, is missing."},
		{Key: "first-term", Answer: func(y, t float64) float64 { return -t / y }, Hint: 2,
			Message: "Your derivative contains only the term with t. The term with 1−t is missing, so points with t = 0 contribute nothing."},
		{Key: "residual", Answer: func(y, t float64) float64 { return y - t }, Hint: 2,
			Message: "You return y − t. The denominator y(1−y) is missing. This denominator cancels only when you multiply by dy/da, the next factor of the chain rule."},
		{Key: "multiplied", Answer: func(y, t float64) float64 { return (y - t) * y * (1 - y) }, Hint: 2,
			Message: "Your y − t is multiplied by y(1−y). Divide y − t by y(1−y), because this is the common denominator of the two fractions."},
		{Key: "not-differentiated", Hint: 1, Message: "You return the error of the point. Return the derivative of this error.",
			Answer: func(y, t float64) float64 { return -t*math.Log(y) - (1-t)*math.Log(1-y) }},
		{Key: "wrong-side", Answer: func(y, t float64) float64 { return (1-t)/y - t/(1-y) }, Hint: 2,
			Message: "The two denominators of your fractions are swapped. The error contains t·ln y and (1−t)·ln(1−y)."},
	},
}

var activationQuestion = &judge.Question[linkFunc, activation]{
	Func: "ByActivation", Name: "ByActivation", Key: "activation", Hint: 2,
	Invoke: func(f linkFunc, _ *judge.Call, s activation) []float64 { return []float64{f(s.a, s.t)} },
	Right:  func(s activation) []float64 { return []float64{twoclass.Residual(s.a, s.t)} },
	Unit:   func(activation, []float64) []float64 { return []float64{1} },
	Mistakes: []judge.Mistake[linkFunc]{
		{Key: "squared-error", Hint: 2,
			Message: "This is the derivative of the squared error ½(y−t)². For the cross-entropy the factor y(1−y) cancels.",
			Answer:  func(a, t float64) float64 { return twoclass.Residual(a, t) * twoclass.Prime(a) }},
		{Key: "by-output", Hint: 2,
			Message: "You return the derivative with respect to y. The next factor of the chain rule, dy/da = y(1−y), is missing.",
			Answer:  func(a, t float64) float64 { return twoclass.Residual(a, t) / twoclass.Prime(a) }},
		{Key: "target-lost", Answer: func(a, _ float64) float64 { return kernel.Sigmoid(a) }, Hint: 2,
			Message: "You return y, whatever t is. Subtract the target."},
		{Key: "no-sigmoid", Answer: func(a, t float64) float64 { return a - t }, Hint: 1,
			Message: "You return a − t, the residual of a linear model. The output is σ(a)."},
		{Key: "slope", Answer: func(a, _ float64) float64 { return twoclass.Prime(a) }, Hint: 2,
			Message: "You return only dy/da, one factor of the chain rule. Multiply it by dE_n/dy."},
		{Key: "plus-minus-one", Answer: func(a, t float64) float64 { return kernel.Sigmoid(a) - (2*t - 1) }, Hint: 2,
			Message: "You return y − (2t−1), with the targets −1 and 1. The targets are 0 and 1."},
	},
}

func fractions(y, t float64) float64 { return (1-t)/(1-y) - t/y }

var pulling = twoclass.Pulling

func init() {
	judge.Known(exercise, question, Check)
	judge.Known(exercise, outputQuestion, func(f linkFunc) *verify.Report { return CheckSteps(f, twoclass.Residual) })
	judge.Known(exercise, activationQuestion, func(f linkFunc) *verify.Report { return CheckSteps(fractions, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex13", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
