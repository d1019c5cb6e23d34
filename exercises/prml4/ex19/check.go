// Package ex19 judges PRML exercise 4.19: gradient and Hessian of the log
// likelihood of probit regression.
package ex19

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

// Check judges both functions of PRML exercise 4.19, for weights w (M), the design matrix Phi (N×M)
// and targets t (N, each 0 or 1). `gradient` returns the M first derivatives of the log likelihood.
// `hessian` returns the M×M matrix of the second derivatives of the log likelihood.
func Check(
	gradient func(w []float64, Phi *mat.Dense, t []float64) []float64,
	hessian func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense,
) *verify.Report {
	symmetric := judge.Form("Hessian: the result is a symmetric M×M matrix of finite numbers, and the inputs stay unchanged", general, nil, judge.Wrong{},
		"You returned a symmetric M×M matrix, for M from 1 to 4 and N from 1 to 200.")
	symmetric.Precheck = mirrored
	return exercise.Judge(slices.Concat(
		gradientQuestion.Parts(gradient, []judge.Property[problem]{
			judge.Form("Gradient: the result is M finite numbers, and the inputs stay unchanged", general, nil,
				judge.Wrong{},
				"You returned one number per weight, for M from 1 to 4 and N from 1 to 200."),
			{Name: "Gradient: the entries are the derivatives of the log likelihood", Problems: general,
				Holds: probit.Derivatives,
				Wrong: judge.Wrong{Key: "derivative", Hint: 2,
					Message: "For {problem} your entries should be the derivatives of the log likelihood. With each column of Φ scaled to size 1, your gradient is {off}."},
				Right: "Your entries agree with the finite differences of the log likelihood."},
			{Name: "Gradient: finite and right at activations up to ±30", Problems: tails, Extreme: true,
				Precheck: tailFault(probit.IsGradient), Holds: probit.IsGradient,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3,
					Message: "For {problem} your gradient is finite, but with each column of Φ scaled to size 1, it is {off}. Do not clip Φ(a) or the activations, and do not use a series with few terms. The factor of a point far on the wrong side grows like |a|."},
				Right: "In your gradient the factor of a point far on the wrong side is about |a|, and the factor of a point far on the right side is nearly 0."},
		}...),
		hessianQuestion.Parts(hessian, []judge.Property[problem]{
			symmetric,
			{Name: "Hessian: the entries are the derivatives of the gradient, for the observed targets",
				Problems: general,
				Holds:    probit.SecondDerivatives,
				Wrong: judge.Wrong{Key: "second-derivative", Hint: 2,
					Message: "For {problem} your entries should be the derivatives of the gradient. With each column of Φ scaled to size 1, your Hessian is {off}."},
				Right: "Your entries are the second derivatives for the observed targets. (Averaged over targets drawn from the model, they are minus the Fisher information.)"},
			{Name: "Hessian: negative definite where Φ has full column rank", Problems: independent, Precheck: definite,
				Right: "All eigenvalues of your Hessian are negative, so the log likelihood is concave and increases at first along each Newton step."},
			{Name: "Hessian: finite and right at activations up to ±30", Problems: tails, Extreme: true,
				Precheck: tailFault(probit.IsHessian), Holds: probit.IsHessian,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3,
					Message: "For {problem} your Hessian is finite, but with each column of Φ scaled to size 1, it is {off}. Do not clip Φ(a) or the activations, and do not use a series with few terms. The weight of a point tends to −1 far on the wrong side, and to 0 far on the right side."},
				Right: "In your Hessian the weight of a point is nearly −1 far on the wrong side and nearly 0 far on the right side, without Inf or NaN."},
		}...),
		bothQuestion.Parts(functions{gradient, hessian},
			judge.Property[problem]{Name: "together: averaged over targets drawn from the model, ∇L is 0 and −∇∇L is the variance of ∇L", Problems: few, SecondFunc: "Hessian",
				Precheck: judge.First(func(p problem, got []float64) verify.Finding {
					return verify.CloseSlice(got[:len(p.W)], make([]float64, len(p.W)),
						verify.Tolerance{Abs: 10 * rightTol})
				}, judge.Wrong{Key: "mean-not-zero", Hint: 2,
					Message: "For {problem} the gradient, averaged over targets drawn from the model, should vanish, but your average is {off}. The terms for t = 1 and t = 0, multiplied by their probabilities Φ(a) and Φ(−a), cancel."}),
				Holds: func(p problem, got []float64) verify.Finding {
					m := len(p.W)
					return verify.CloseMat(mat.NewDense(m, m, got[m:]), mat.NewDense(m, m, nil),
						verify.Tolerance{Abs: 10 * rightTol})
				},
				Wrong: judge.Wrong{Key: "information", Hint: 2,
					Message: "For {problem}, averaged over targets drawn from the model, your −∇∇L should be the variance of your ∇L. In units of the size of this variance, your −∇∇L is {off}. So your gradient and your Hessian cannot both be right."},
				Right: "Your gradient and your Hessian agree. Averaged over targets drawn from the model, ∇L ∇Lᵀ and −∇∇L are the same matrix, the Fisher information."}))...)
}

// CheckSteps judges two optional steps of the derivation: the derivatives of ln Φ that occur in the
// gradient and in the Hessian. logSlope returns d ln Φ(x)/dx, and logBend returns d² ln Φ(x)/dx².
func CheckSteps(logSlope, logBend func(x float64) float64) *verify.Report {
	slopes := []judge.Route[place]{
		{Name: "the quotient", Tol: stepTol, Value: slopeQuestion.Right},
		{Name: "the difference quotient of ln Φ", Tol: 1e-7,
			Value: func(x place) []float64 { return x.difference(logCDF) }},
	}
	bends := []judge.Route[place]{
		{Name: "the quotient rule", Tol: stepTol, Value: bendQuestion.Right},
		{Name: "the difference quotient of the first derivative", Tol: 1e-7, Value: func(x place) []float64 {
			return x.difference(func(x float64) float64 { m, _ := ratio(x); return m })
		}},
	}
	return exercise.JudgeSteps(slices.Concat(
		slopeQuestion.Steps(logSlope,
			judge.Step[place]{Name: "LogSlope: the derivative of ln Φ", Problems: middle, Routes: slopes,
				Right: "Your result agrees with the derivative of ln Φ, computed as a quotient and by difference quotients."},
			judge.Step[place]{Name: "LogSlope: right up to ±30", Problems: far, Extreme: true, Routes: slopes,
				Right: "Your result is finite and right for arguments up to ±30."}),
		bendQuestion.Steps(logBend,
			judge.Step[place]{Name: "LogBend: the second derivative of ln Φ", Problems: middle, Routes: bends,
				Right: "Your result agrees with the second derivative of ln Φ, computed by the quotient rule and by difference quotients."},
			judge.Step[place]{Name: "LogBend: right up to ±30", Problems: far, Extreme: true, Routes: bends,
				Right: "Your result is finite and right for arguments up to ±30."}),
		bendQuestion.Parts(logBend,
			judge.Property[place]{Name: "LogBend is the derivative of LogSlope, and is negative", Problems: middle,
				SecondFunc: "LogSlope",
				Precheck: func(x place, second []float64) *verify.Verdict {
					f := verify.Close(second[0],
						verify.Derivative(func(x float64) float64 { return logSlope(x) }, float64(x), 0),
						verify.Tolerance{Abs: 1e-5})
					switch {
					case !f.OK:
						return judge.Fail("not-its-derivative", 2,
							"At %v your LogBend should be the derivative of your LogSlope, but it is %s. The earlier parts of this report show which of the two functions is wrong.", x, f.Off())
					case !(second[0] < 0):
						return judge.Fail("not-concave", 2,
							"At %v your LogBend is %.3g. The second derivative of ln Φ must be negative, because ln Φ is concave.", x,
							second[0])
					}
					return nil
				},
				Right: "At moderate x your LogBend is the derivative of your LogSlope, and is negative. So ln Φ is concave, and so is L."}))...)
}

// rightTol and stepTol are the tolerances stated in the text of the exercise. An entry of the
// gradient may be off by rightTol times the size of its feature. An entry of the Hessian may be off
// by rightTol times the product of the sizes of its two features. A result of an optional step may
// be off by stepTol·(1 + |x|).
const (
	rightTol = 1e-8
	stepTol  = 1e-9
)

// probit is the log likelihood L of probit regression in the form of a twoclass.Model. Where other
// models contain the error of a point, probit contains the point's term of L.
var probit = twoclass.Model{
	Value: func(a, t float64) float64 { return logCDF((2*t - 1) * a) },
	Slope: slope, Bend: curve, Tol: rightTol, Differences: 2 * rightTol,
}

// tailFault returns a function that explains why a finite answer is wrong at large activations. The
// function recognises two causes. It returns nil if the answer is right, or if it recognises neither
// cause. The first cause is that the small contribution of points on the right side is cut off or
// rounded to 0: the answer is then wrong for these points. The second cause is that the small Φ(−a)
// is computed with the rounding error of a number near 1. Then the answer is wrong for points on the
// wrong side with |a| ≤ 7, and its error is at most (1 + a²)·1e-15/Φ(−a). (A short series or a
// clipped Φ has a much larger error at these points.)
func tailFault(compare func(problem, []float64) verify.Finding) func(problem, []float64) *verify.Verdict {
	return func(p problem, got []float64) *verify.Verdict {
		f, a, right := compare(p, got), p.Reach(), floats.Min(p.Margins(p.W)) > 0
		switch {
		case f.OK:
			return nil
		case right && a > moderate:
			return judge.Fail("tail-clipped", 3,
				"For %v, with each column of Φ scaled to size 1, your result is %s. The contribution of a point on the right side is small, but not 0. It becomes 0 if you cut it off, or if you compute 1 − Φ(a) where Φ(a) rounds to 1.", p, f.Off())
		case !right && a <= 7 && f.Miss <= (1+a*a)*1e-15/cdf(-a):
			return judge.Fail("tail", 3,
				"For %v, with each column of Φ scaled to size 1, your result is %s. If you compute Φ(a) as (1 + erf)/2, or as 1 minus a number near 1, Φ(a) has errors of this size in the left tail. Use a function that is accurate there.", p, f.Off())
		}
		return nil
	}
}

var mirrored = judge.First(func(p problem, h []float64) verify.Finding {
	return verify.Symmetric(p.Scale().Even(h),
		10*rightTol)
},
	judge.Wrong{Key: "not-symmetric", Hint: 2,
		Message: "For {problem} your Hessian is not symmetric: it should equal its transpose, but it is {off}. If you compute one triangle, copy it to the other: a *mat.Dense does not mirror entries."})

// definiteTol decides which eigenvalues count as 0: every eigenvalue whose absolute value is below
// definiteTol times the largest absolute value of all eigenvalues.
const definiteTol = 1e-10

func definite(p problem, h []float64) *verify.Verdict {
	switch twoclass.Definite(p.Scale().Even(h), definiteTol) {
	case -1:
		return nil
	case 1:
		return judge.Fail("of-the-error", 1,
			"For %v all eigenvalues of your Hessian are positive. The log likelihood is concave, so they must be negative. (The Hessian of the error −L has positive eigenvalues.)", p)
	}
	return judge.Fail("not-negative-definite", 2,
		"For %v your Hessian H is not negative definite: uᵀHu is positive or nearly 0 for some u, although the columns of the design matrix are independent. The function ln Φ(x) is concave, so the term of every point is negative for either label. Check the sign s of the label in your formula.", p)
}

type problem = twoclass.Problem

// moderate is the upper limit of |a| in all problems except those that tails() returns. For |a| ≤ 4,
// an answer may compute Φ as (1 + erf)/2.
const moderate = 4

// drawing returns a function that draws problems with moderate activations.
func drawing(part uint64) func(name string, n int, centre, spread []float64) problem {
	source := twoclass.Source{Rand: instance.Source(419, part), Ones: 2, Total: 5, Spread: 1}
	return func(name string, n int, centre, spread []float64) problem {
		return scaledDown(source.Draw(name, n, centre, spread))
	}
}

// scaledDown returns p. If the largest |a| of p is above the constant `moderate`, scaledDown first
// reduces the weights so that the largest |a| equals this constant.
func scaledDown(p problem) problem {
	if a := p.Reach(); a > moderate {
		floats.Scale(moderate/a, p.W)
	}
	return p
}

// independent returns problems in which Φ has full column rank. For any two mistakes with different
// messages, the first problem shows which mistake was made.
var independent = instance.Once(func() []problem {
	draw := drawing(1)
	first := draw("forty points, four weights", 40, []float64{1, 0, 0, -0.5}, []float64{0, 1, 2, 0.5})
	first.W[0] = 0.4 // with a bias of 0.4 there are usually more positive than negative activations
	ones := draw("all targets 1", 12, []float64{1, 0}, []float64{0, 1})
	zeros := draw("all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	origin := draw("w = 0", 9, []float64{1, 0}, []float64{0, 1})
	return []problem{
		scaledDown(first),
		draw("no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw("as many points as weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw("columns of very different size", 30, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw("one weight", 8, []float64{0.3}, []float64{1}),
		draw("one point, one weight", 1, []float64{0.8}, []float64{0.1}),
		ones.Labelled(ones.Name, 1), zeros.Labelled(zeros.Name, 0), origin.AtOrigin(),
	}
})

// general returns the problems that independent() returns, and further problems. In the last problem
// one class is rare. In each of the other further problems, the columns of Φ are dependent, nearly
// dependent, or of very different size.
var general = instance.Once(func() []problem {
	draw := drawing(2)
	rare := draw("a rare class", 200, []float64{1, 0}, []float64{0, 1})
	return append(slices.Clone(independent()),
		draw("two points, four weights", 2, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		draw("columns of sizes 10⁻⁶ and 10⁶", 25, []float64{0, 0, 1}, []float64{1e-6, 1e6, 0}),
		draw("a column at 10⁶", 20, []float64{1, 1e6}, []float64{0, 1}),
		draw("a column of zeros", 7, []float64{1, 0, 0}, []float64{0, 0, 1}),
		rare.Rare(70))
})

// few returns problems with at most four points, so that bothQuestion can try all possible targets.
var few = instance.Once(func() []problem {
	draw := drawing(8)
	return []problem{
		draw("four points", 4, []float64{1, 0}, []float64{0, 1}),
		draw("one point", 1, []float64{0.7}, []float64{0.2}),
		draw("three points, three weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
	}
})

// magnitudes returns absolute values of activations, from 0.1 to 30 in small steps. The steps are
// so small that the report notices an answer that clips activations, for every clipping limit below
// 30. The list omits 27, where the square of the density is nearly 0 and has only a few digits.
func magnitudes() []float64 {
	return []float64{0.1, 0.5, 1, 2, 3, 4, 4.5, 5, 5.5, 6, 7, 8, 8.5, 9, 10, 12, 14, 17, 20, 23, 26, 28, 30}
}

// tails returns two problems for each number that magnitudes() returns. Each problem has one point
// of each class. In one problem both points are on the wrong side of the boundary. In the other
// problem both are on the right side: both terms of the log likelihood are tiny there, and no large
// term hides them.
var tails = instance.Once(func() (list []problem) {
	r, w := instance.Source(419, 20), []float64{0.5, 2}
	for _, c := range magnitudes() {
		for t, side := range []string{"wrong", "right"} {
			list = append(list, problem{
				Name: fmt.Sprintf("activations of ±%g, each on the %s side", c, side),
				Phi:  instance.Reaching(r, w, []float64{c, -c}), T: []float64{float64(t), float64(1 - t)}, W: w,
			})
		}
	}
	return list
})

// ratio returns m(x) = N(x)/Φ(x) and x + m(x), both with a relative error below 2e-13. For x ≤ −5 it uses
// Laplace's continued fraction m(−u) = u + 1/(u + 2/(u + 3/(…))).
func ratio(x float64) (m, rest float64) {
	if x > -5 {
		m = pdf(x) / cdf(x)
		return m, x + m
	}
	u := -x
	f := u
	for k := 80; k >= 2; k-- { // with 80 terms of the fraction, the error is below 1e-16 for u ≥ 5
		f = u + float64(k)/f
	}
	rest = 1 / f
	return u + rest, rest
}

// logCDF returns ln Φ(x).
func logCDF(x float64) float64 {
	if x > 0 {
		return math.Log1p(-cdf(-x))
	}
	return math.Log(cdf(x))
}

// A place is an argument x of ln Φ.
type place float64

func (x place) String() string { return fmt.Sprintf("x = %.4g", float64(x)) }

// difference returns the derivative of f at x, computed by central differences.
func (x place) difference(f func(float64) float64) []float64 {
	return []float64{verify.Derivative(f, float64(x), 1e-3/math.Max(1, math.Abs(float64(x))))}
}

// middle returns moderate arguments on both sides of 0.
func middle() []place {
	return twoclass.Around[place](instance.Source(419, 31), 10, -3.5, 2.5, 0.8, -1.1, 0, 2.5, -3)
}

// far returns larger and larger arguments on both sides of 0.
func far() []place { return twoclass.BothSides[place](magnitudes()) }

type (
	gradientFunc = twoclass.Gradient
	hessianFunc  = twoclass.Hessian
	curveFunc    = func(x float64) float64
)

var pdf, cdf = kernel.NormPDF, kernel.NormCDF

// mills computes N(x)/Φ(x) as a learner might, by a plain division. In the far left tail it is less
// accurate than ratio.
func mills(x float64) float64 { return pdf(x) / cdf(x) }

// slope and curve return the factors of one point in the derivatives of L. The gradient is the sum
// of slope(a, t)·φ over all points, and the Hessian is the sum of curve(a, t)·φφᵀ.
func slope(a, t float64) float64 { s := 2*t - 1; m, _ := ratio(s * a); return s * m }
func curve(a, t float64) float64 { m, rest := ratio((2*t - 1) * a); return -m * rest }

const nearly = "Nearly right: for {problem} your result is {off}. Use the exact formula. Finite differences, rounded constants, or a series for Φ with few terms are not accurate enough."

var gradientQuestion = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 2, Per: "weight", Right: probit.Gradient,
	Invoke: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		g := gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if len(g) == len(p.W) {
			c.Say(notFinite("tail", p, p.Reach(), "an entry of your gradient", floats.Sum(g)))
		}
		return g
	},
	Length: func(p problem, n int) *verify.Verdict {
		return judge.FailIf(n == len(p.T), "one-per-point", 2,
			"Your gradient has one entry per data point. Multiply each factor by the features of its point and sum over the points, which gives one entry per weight.")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale() },
	Family: func(p problem, g []float64) *verify.Verdict {
		return judge.FailIf(twoclass.Prior(instance.Minus(probit.Gradient(p), g), p.W), "prior", 2,
			"Your gradient is the right gradient minus a multiple of the weights, as if there were a Gaussian prior. Use only the log likelihood.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: nearly},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your gradient is the right gradient times a constant factor. There is no factor in front of the sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "of-the-error", Answer: pulling(func(a, t float64) float64 { return -slope(a, t) }), Hint: 1,
			Message: "Your vector is the gradient of the error −L. Return the gradient of the log likelihood L, which has the opposite sign."},
		{Key: "logistic", Answer: pulling(func(a, t float64) float64 { return t - kernel.Sigmoid(a) }), Hint: 2,
			Message: "You return the gradient of logistic regression, with the sigmoid for the output. In probit regression p(t=1|a) = Φ(a)."},
		{Key: "canonical-form", Answer: pulling(func(a, t float64) float64 { return t - cdf(a) }), Hint: 2,
			Message: "Your factor is t − Φ(a), as in the logistic gradient. There the derivative σ(1 − σ) of the output cancels. The derivative of Φ is the density N(a), not Φ(1 − Φ), so it does not cancel."},
		{Key: "denominator-left-out", Answer: pulling(func(a, t float64) float64 { return (t - cdf(a)) * pdf(a) }),
			Hint:    2,
			Message: "Your factor is (t − Φ)·N(a), as in the gradient of a sum of squares. Divide this factor by Φ(1 − Φ), from the derivative of the logarithms."},
		{Key: "density-left-out",
			Answer: pulling(func(a, t float64) float64 { return (t - cdf(a)) / (cdf(a) * cdf(-a)) }), Hint: 2,
			Message: "Your factor is (t − Φ)/{Φ(1 − Φ)}, the derivative with respect to the output. The inner derivative, the density N(a), is missing."},
		{Key: "plus-minus-one", Hint: 2,
			Message: "Your factor contains s − Φ(a), with the targets s of −1 and 1. The targets in t − Φ(a) are 0 and 1. Use s = 2t − 1 only in the form that contains Φ(s·a).",
			Answer:  pulling(func(a, t float64) float64 { return (2*t - 1 - cdf(a)) * pdf(a) / (cdf(a) * cdf(-a)) })},
		{Key: "label-forgotten", Answer: pulling(func(a, _ float64) float64 { return mills(a) }), Hint: 1,
			Message: "You return the gradient for t = 1 at all points. For t = 0 the term is ln Φ(−a), and its derivative has a minus."},
		{Key: "sign-of-label-outside", Answer: pulling(func(a, t float64) float64 { return (2*t - 1) * mills(a) }),
			Hint:    1,
			Message: "Your factor is s·N(a)/Φ(a), in which the argument of Φ does not contain the sign s of the label. For t = 0 divide the density by Φ(−a) = 1 − Φ(a), not by Φ(a)."},
		{Key: "inner-sign", Answer: pulling(func(a, t float64) float64 { return mills((2*t - 1) * a) }), Hint: 1,
			Message: "In your sum the points with t = 0 have the wrong sign. The inner derivative of Φ(−a) is −1."},
		{Key: "one-term-only", Answer: pulling(func(a, t float64) float64 { return t * mills(a) }), Hint: 2,
			Message: "Your sum contains only the points with t = 1. Add the points with t = 0."},
		{Key: "one-term-only", Answer: pulling(func(a, t float64) float64 { return -(1 - t) * mills(-a) }), Hint: 2,
			Message: "Your sum contains only the points with t = 0. Add the points with t = 1."},
		{Key: "erf-scale", Hint: 3,
			Message: "Your model is ½(1 + erf(a)), which is Φ(√2·a). The argument of erf must be a/√2.",
			Answer: pulling(func(a, t float64) float64 {
				s := 2*t - 1
				return s * 2 / math.Sqrt(math.Pi) * math.Exp(-a*a) / math.Erfc(-s*a)
			})},
		{Key: "erf-scale", Hint: 3,
			Message: "Your density is right, but your Φ is ½(1 + erf(a)), which is Φ(√2·a). The argument of erf must be a/√2.",
			Answer:  pulling(func(a, t float64) float64 { s := 2*t - 1; return s * pdf(a) / (math.Erfc(-s*a) / 2) })},
		{Key: "density-scale", Hint: 2, Message: "Your density contains exp(−a²). The standard normal density contains exp(−a²/2).",
			Answer: pulling(func(a, t float64) float64 { s := 2*t - 1; return s * math.Exp(-a*a) / math.Sqrt(2*math.Pi) / cdf(s*a) })},
		{Key: "density-not-normalised", Hint: 2,
			Message: "Your gradient is √(2π) times too large, as if the density lacked the factor 1/√(2π).",
			Answer:  pulling(func(a, t float64) float64 { s := 2*t - 1; return s * math.Exp(-a*a/2) / cdf(s*a) })},
		{Key: "averaged",
			Answer: probit.ButGradient(func(g []float64, p problem) { floats.Scale(1/float64(len(p.T)), g) }), Hint: 2,
			Message: "Your gradient is the right gradient divided by N. The log likelihood is a sum over the data, not a mean."},
		{Key: "features-left-out", Hint: 2,
			Message: "All entries of your gradient are the same. Multiply each factor by the features of its point.",
			Answer: probit.ButGradient(func(g []float64, p problem) {
				clear(g)
				floats.AddConst(twoclass.Sum(slope, p.W, p.Phi, p.T), g)
			})},
		{Key: "row-forgotten", Answer: probit.Rows(1, -1), Hint: 3,
			Message: "Your sum leaves out the first data point. Indices start at 0."},
		{Key: "row-forgotten", Answer: probit.Rows(0, -2), Hint: 3,
			Message: "Your sum leaves out the last data point. Check where your loop ends."},
		{Key: "bias-forgotten", Answer: probit.ButGradient(func(g []float64, _ problem) { g[0] = 0 }), Hint: 3,
			Message: "Your first entry is 0, and all other entries are right. Here the bias is an ordinary weight."},
		{Key: "zero", Answer: pulling(func(_, _ float64) float64 { return 0 }), Hint: 2,
			Message: "All your entries are 0. Check that you write to the result that you return."},
	},
}

var hessianQuestion = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 2, Right: probit.Hessian,
	Invoke: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		n, m := p.Phi.Dims()
		if h != nil && !h.IsEmpty() {
			switch r, k := h.Dims(); {
			case r == n && k == n && n != m:
				c.Say(judge.Fail("n-by-n", 2,
					"Your Hessian is N×N, with one row per data point, like a product ΦRΦᵀ. The second derivatives are with respect to the M weights, so the Hessian is M×M."))
			case r == m && k == m:
				c.Say(notFinite("tail", p, p.Reach(), "an entry of your Hessian", mat.Sum(h)))
			}
		}
		return c.Matrix("Hessian", h, m, m, "M×M")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale().Units() },
	Family: func(p problem, h []float64) *verify.Verdict {
		identity := mat.DenseCopyOf(mat.NewDiagDense(len(p.W), slices.Repeat([]float64{1}, len(p.W))))
		return judge.FailIf(twoclass.Prior(instance.Minus(probit.Hessian(p), h), identity.RawMatrix().Data), "prior", 2,
			"Your Hessian is the right Hessian minus a multiple of the identity, as if there were a Gaussian prior. Use only the log likelihood.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: nearly},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your Hessian is the right Hessian times a constant factor. There is no factor in front of the sum."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "of-the-error", Answer: weighting(func(a, t float64) float64 { return -curve(a, t) }), Hint: 1,
			Message: "Your matrix is the Hessian of the error −L, with positive weights. Return the Hessian of the log likelihood."},
		{Key: "expected",
			Answer: weighting(func(a, _ float64) float64 { return -pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }), Hint: 2,
			Message: "Your weights are −N²/{Φ(1−Φ)}. They give the Hessian averaged over targets drawn from the model. Some algorithms use this average. In this exercise return the second derivatives for the observed targets."},
		{Key: "expected", Answer: weighting(func(a, _ float64) float64 { return pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }),
			Hint:    2,
			Message: "Your weights are N²/{Φ(1−Φ)}, the Fisher information, averaged over targets drawn from the model. Return the second derivatives of L for the observed targets, with negative weights."},
		{Key: "logistic",
			Answer: weighting(func(a, _ float64) float64 { return -kernel.Sigmoid(a) * kernel.Sigmoid(-a) }), Hint: 2,
			Message: "Your weights are −y(1−y) with the sigmoid, as in logistic regression. Use the second derivative of ln Φ."},
		{Key: "logistic",
			Answer: weighting(func(a, _ float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }), Hint: 2,
			Message: "Your weights are y(1−y) with the sigmoid, as in the Hessian of the error of logistic regression. Use the second derivative of ln Φ."},
		{Key: "canonical-form", Answer: weighting(func(a, _ float64) float64 { return -cdf(a) * cdf(-a) }), Hint: 2,
			Message: "Your weights are −Φ(1−Φ), as in the Hessian of logistic regression. In logistic regression y(1−y) is the derivative of the sigmoid, but the derivative of Φ is the density."},
		{Key: "canonical-form", Answer: weighting(func(a, _ float64) float64 { return -pdf(a) }), Hint: 2,
			Message: "Your weights are −N(a), the derivative of t − Φ(a). The factor in the gradient of this model is not t − Φ(a)."},
		{Key: "term-left-out", Answer: fromWeights(func(x, m float64) float64 { return -m * m }), Hint: 2,
			Message: "Your weights are −m(x)², with m(x) = N(x)/Φ(x). The term of the quotient rule with N′(x) = −x·N(x) is missing."},
		{Key: "term-left-out", Answer: fromWeights(func(x, m float64) float64 { return -x * m }), Hint: 2,
			Message: "Your weights are −x·m(x), with m(x) = N(x)/Φ(x). The term of the quotient rule with the squared density is missing."},
		{Key: "inner-sign", Answer: fromWeights(func(x, m float64) float64 { return -m * (m - x) }), Hint: 2,
			Message: "Your weights are −m(m − x), with m = N(x)/Φ(x). The derivative of the density is −x·N(x), so both terms have the same sign."},
		{Key: "label-forgotten", Hint: 2,
			Message: "Your weights are −m(m + a), with m = N(s·a)/Φ(s·a). They must be −m(m + x) with x = s·a, so check the sign s of the label.",
			Answer:  weighting(func(a, t float64) float64 { m := mills((2*t - 1) * a); return -m * (m + a) })},
		{Key: "label-forgotten", Answer: weighting(func(a, _ float64) float64 { return -mills(a) * (mills(a) + a) }),
			Hint: 1, Message: "You return the Hessian for t = 1 at all points. The Hessian of this model depends on the targets."},
		{Key: "weights-left-out", Answer: weighting(func(_, _ float64) float64 { return -1 }), Hint: 2,
			Message: "You return −ΦᵀΦ, as for least squares. The weights of the points are missing."},
		{Key: "erf-scale", Hint: 3,
			Message: "Your model is ½(1 + erf(a)), which is Φ(√2·a). The argument of erf must be a/√2.",
			Answer:  weighting(func(a, t float64) float64 { x := math.Sqrt2 * (2*t - 1) * a; return -2 * mills(x) * (mills(x) + x) })},
		{Key: "density-not-normalised", Hint: 2,
			Message: "Your N/Φ is √(2π) times too large, as if the density lacked the factor 1/√(2π).",
			Answer:  fromWeights(func(x, m float64) float64 { m *= math.Sqrt(2 * math.Pi); return -m * (x + m) })},
		{Key: "square-underflows",
			Answer: fromWeights(func(x, m float64) float64 { return -x*m - pdf(x)*pdf(x)/cdf(x)/cdf(x) }), Hint: 3,
			Message: "For {problem} your Hessian lacks the term with (N/Φ)², as if the square of the density or of Φ underflowed (N(30)² is about 1e-392). Compute the quotient N/Φ first, then square it."},
		{Key: "outer-product", Hint: 2, Message: "You return −∇L ∇Lᵀ, a product of first derivatives. Return the second derivatives of L.",
			Answer: probit.ButHessian(func(h *mat.Dense, p problem) {
				g := mat.NewVecDense(len(p.W), probit.Gradient(p))
				h.Outer(-1, g, g)
			})},
		{Key: "averaged", Answer: probit.ButHessian(func(h *mat.Dense, p problem) { h.Scale(1/float64(len(p.T)), h) }),
			Hint: 2, Message: "Your Hessian is the right Hessian divided by N. The log likelihood is a sum over the data, not a mean."},
		{Key: "row-forgotten", Answer: probit.ButHessian(probit.Rest(1, -1)), Hint: 3,
			Message: "Your sum leaves out the first data point. Indices start at 0."},
		{Key: "row-forgotten", Answer: probit.ButHessian(probit.Rest(0, -2)), Hint: 3,
			Message: "Your sum leaves out the last data point. Check where your loop ends."},
		{Key: "diagonal-only", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i == j })), Hint: 3,
			Message: "The diagonal of your Hessian is right, but all other entries are 0. They should be the mixed second derivatives."},
		{Key: "one-triangle", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i <= j })), Hint: 3,
			Message: "The upper triangle of your Hessian is right, but the lower triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries."},
		{Key: "one-triangle", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i >= j })), Hint: 3,
			Message: "The lower triangle of your Hessian is right, but the upper triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries."},
		{Key: "zero", Answer: weighting(func(_, _ float64) float64 { return 0 }), Hint: 2,
			Message: "All your entries are 0. Check that you write to the result that you return."},
	},
}

// notFinite returns a verdict if `sum`, the sum of the learner's results, is not finite at large
// activations. The argument `reach` is the largest |a|. The message depends on `reach`, because
// the squares of Φ and of the density underflow only if `reach` is above 26.
func notFinite(key string, where fmt.Stringer, reach float64, what string, sum float64) *verify.Verdict {
	switch {
	case !math.IsNaN(sum) && !math.IsInf(sum, 0) || reach <= moderate:
		return nil
	case reach <= 26:
		return judge.Fail(key, 3,
			"For %v, %s is not a finite number. 1 − Φ(9) and (1 + erf(−9/√2))/2 round to 0, and a division by 0 or a logarithm of 0 gives Inf or NaN. Compute Φ with a function that is accurate in the left tail.", where, what)
	}
	return judge.Fail(key, 3,
		"For %v, %s is not a finite number, but the results at ±26 are finite. Φ(−30) is about 5e-198, so its square underflows, as does the square of the density. So divide first, then square.", where, what)
}

// The type `functions` contains both of the learner's functions. bothQuestion calls them with every
// possible vector of targets for a problem.
type functions struct {
	gradient gradientFunc
	hessian  hessianFunc
}

// bothQuestion judges two averages over the targets: E[∇L] and E[∇∇L] + E[∇L ∇Lᵀ]. It divides the second
// average by the size of E[∇L ∇Lᵀ]. Both averages must be 0.
var bothQuestion = &judge.Question[functions, problem]{
	Func: "Gradient", Name: "average", Hint: 2,
	Invoke: func(f functions, c *judge.Call, p problem) []float64 {
		n, m := p.Phi.Dims()
		mean, sum, variance := make([]float64, m), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		for code := range 1 << n {
			probability, t := 1.0, make([]float64, n)
			for i, a := range instance.Activations(p.Phi, p.W) {
				t[i] = float64(code >> i & 1)
				probability *= cdf((2*t[i] - 1) * a)
			}
			g := c.Vector("gradient", f.gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", t)), m,
				"weight")
			h := c.Matrix("Hessian", f.hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", t)), m, m, "M×M")
			if g == nil || h == nil {
				return nil
			}
			floats.AddScaled(mean, probability, g)
			v := mat.NewVecDense(m, g)
			variance.RankOne(variance, probability, v, v)
			floats.AddScaled(sum.RawMatrix().Data, probability, h)
		}
		sum.Add(sum, variance)
		if size := mat.Norm(variance, 1); size > 0 {
			sum.Scale(1/size, sum)
		}
		return append(mean, sum.RawMatrix().Data...)
	},
	Right: func(p problem) []float64 { return make([]float64, len(p.W)*(1+len(p.W))) },
}

// fromRatio returns an answer for an optional step. The answer returns f(x, m) with m = N(x)/Φ(x).
func fromRatio(f func(x, m float64) float64) curveFunc {
	return func(x float64) float64 { return f(x, mills(x)) }
}

var slopeQuestion = &judge.Question[curveFunc, place]{
	Func: "LogSlope", Name: "LogSlope", Key: "slope", Hint: 1, Invoke: curveAt("LogSlope", "slope-not-finite"),
	Unit:  unit,
	Right: func(x place) []float64 { m, _ := ratio(float64(x)); return []float64{m} },
	Mistakes: []judge.Mistake[curveFunc]{
		{Key: "density", Hint: 1, Message: "You return the derivative of Φ. Divide it by Φ for the derivative of ln Φ.",
			Answer: pdf},
		{Key: "reciprocal", Answer: func(x float64) float64 { return 1 / cdf(x) }, Hint: 1,
			Message: "You return 1/Φ. The inner derivative Φ′ is missing."},
		{Key: "product", Answer: func(x float64) float64 { return pdf(x) * cdf(x) }, Hint: 1,
			Message: "You return the density times Φ. Divide the density by Φ."},
		{Key: "inverted", Answer: func(x float64) float64 { return cdf(x) / pdf(x) }, Hint: 1,
			Message: "Your quotient is inverted. The derivative of ln Φ is Φ′/Φ."},
		{Key: "other-side", Answer: func(x float64) float64 { return pdf(x) / cdf(-x) }, Hint: 2,
			Message: "You return N/(1−Φ), the derivative of −ln(1−Φ). Divide by Φ(x)."},
		{Key: "both", Answer: func(x float64) float64 { return pdf(x) / (cdf(x) * cdf(-x)) }, Hint: 2,
			Message: "You return N/{Φ(1−Φ)}, the derivative of ln{Φ/(1−Φ)}. Divide only by Φ."},
		{Key: "logistic", Answer: func(x float64) float64 { return kernel.Sigmoid(-x) }, Hint: 1,
			Message: "You return 1 − σ(x), the derivative of ln σ(x), as in logistic regression. Use Φ instead of σ."},
	},
}

var bendQuestion = &judge.Question[curveFunc, place]{
	Func: "LogBend", Name: "LogBend", Key: "bend", Hint: 2, Invoke: curveAt("LogBend", "bend-not-finite"), Unit: unit,
	Right: func(x place) []float64 { m, rest := ratio(float64(x)); return []float64{-m * rest} },
	Mistakes: []judge.Mistake[curveFunc]{
		{Key: "square-only", Answer: fromRatio(func(_, m float64) float64 { return -m * m }), Hint: 2,
			Message: "You return −(N/Φ)². The term of the quotient rule with N′(x) = −x N(x) is missing."},
		{Key: "density-only", Answer: fromRatio(func(x, m float64) float64 { return -x * m }), Hint: 2,
			Message: "You return N′/Φ. The term of the quotient rule with the derivative of Φ is missing."},
		{Key: "density-sign", Answer: fromRatio(func(x, m float64) float64 { return m * (x - m) }), Hint: 2,
			Message: "The term with x has the wrong sign in your result: N′(x) = −x N(x)."},
		{Key: "square-sign", Answer: fromRatio(func(x, m float64) float64 { return m * (m - x) }), Hint: 2,
			Message: "The square has the wrong sign in your result. The quotient rule subtracts this square."},
		{Key: "positive", Answer: fromRatio(func(x, m float64) float64 { return m * (x + m) }), Hint: 2,
			Message: "Both signs are wrong in your result, as in the second derivative of −ln Φ. ln Φ is concave."},
		{Key: "expected", Answer: func(x float64) float64 { return -pdf(x) * pdf(x) / (cdf(x) * cdf(-x)) }, Hint: 2,
			Message: "You return −N²/{Φ(1−Φ)}, the average of the second derivative over both targets (the negative Fisher information). Return the second derivative itself."},
		{Key: "first", Hint: 2, Message: "You return the first derivative. Differentiate once more.", Answer: mills},
		{Key: "density-slope", Answer: func(x float64) float64 { return -x * pdf(x) }, Hint: 2,
			Message: "You return Φ″ = N′, the second derivative of Φ. Return the second derivative of ln Φ."},
		{Key: "logistic", Answer: func(x float64) float64 { return -kernel.Sigmoid(x) * kernel.Sigmoid(-x) }, Hint: 2,
			Message: "You return −σ(1−σ), as in logistic regression. Use Φ instead of σ."},
		{Key: "square-underflows", Answer: func(x float64) float64 { return -x*mills(x) - pdf(x)*pdf(x)/cdf(x)/cdf(x) },
			Hint:    2,
			Message: "At {problem} your result lacks the term with (N/Φ)², as if the square of the density or of Φ underflowed. Compute the quotient N/Φ first, then square it."},
	},
}

// curveAt returns a function that calls the learner's function f at x. If the result is not finite,
// the returned function records a verdict with the given key.
func curveAt(name, key string) func(f curveFunc, c *judge.Call, x place) []float64 {
	return func(f curveFunc, c *judge.Call, x place) []float64 {
		v := f(float64(x))
		c.Say(notFinite(key, x, math.Abs(float64(x)), "your "+name, v))
		return []float64{v}
	}
}

// unit returns 1 + |x|. Errors at x are divided by this number, because N(x)/Φ(x) grows like |x|
// for x → −∞.
func unit(x place, _ []float64) []float64 { return []float64{1 + math.Abs(float64(x))} }

var pulling, weighting = twoclass.Pulling, twoclass.Weighting

// fromWeights returns a version of Hessian that weights each point with r(x, m). Here x = (2t−1)a
// and m = N(x)/Φ(x).
func fromWeights(r func(x, m float64) float64) hessianFunc {
	return weighting(func(a, t float64) float64 { x := (2*t - 1) * a; return r(x, mills(x)) })
}

func init() {
	judge.Known(exercise, gradientQuestion, func(f gradientFunc) *verify.Report { return Check(f, weighting(curve)) })
	judge.Known(exercise, hessianQuestion, func(f hessianFunc) *verify.Report { return Check(pulling(slope), f) })
	judge.Known(exercise, slopeQuestion, func(f curveFunc) *verify.Report {
		return CheckSteps(f, fromRatio(func(x, m float64) float64 { return -m * (x + m) }))
	})
	judge.Known(exercise, bendQuestion, func(f curveFunc) *verify.Report { return CheckSteps(mills, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex19", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
