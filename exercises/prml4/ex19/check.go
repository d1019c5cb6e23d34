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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.19, for weights w (M), the design matrix Phi (N×M)
// and targets t (N, each 0 or 1). gradient returns the M first derivatives of the log likelihood,
// and hessian returns its M×M second derivatives.
func Check(
	gradient func(w []float64, Phi *mat.Dense, t []float64) []float64,
	hessian func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense,
) *verify.Report {
	symmetric := judge.Form("Hessian: the result is a symmetric M×M matrix of finite numbers, and the inputs stay unchanged", general, nil, judge.Wrong{},
		"You returned a symmetric M×M matrix, for M from 1 to 4 and N from 1 to 200.")
	symmetric.First = mirrored
	return exercise.Judge(slices.Concat(
		askGradient.Parts(gradient, []judge.Property[problem]{
			judge.Form("Gradient: the result is M finite numbers, and the inputs stay unchanged", general, nil,
				judge.Wrong{},
				"You returned one number per weight, for M from 1 to 4 and N from 1 to 200."),
			{Name: "Gradient: the entries are the derivatives of the log likelihood", On: general, Holds: probit.Derivatives,
				Wrong: judge.Wrong{Key: "derivative", Hint: 2,
					Message: "For {problem} your entries should be the derivatives of the log likelihood. In columns scaled to size 1 your gradient is {off}."},
				Right: "Your entries agree with the finite differences of the log likelihood."},
			{Name: "Gradient: finite and right at activations up to ±30", On: tails, Limits: true,
				First: tail(probit.IsGradient), Holds: probit.IsGradient,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3,
					Message: "For {problem} your gradient is finite, but in columns scaled to size 1 it is {off}. Do not clip Φ or the activations, or use a series with few terms. The factor of a point far on the wrong side grows like |a|."},
				Right: "The factor of a point far on the wrong side is about |a|, and the factor of a point far on the right side is nearly 0."},
		}...),
		askHessian.Parts(hessian, []judge.Property[problem]{
			symmetric,
			{Name: "Hessian: the entries are the derivatives of the gradient, for the observed targets", On: general,
				Holds: probit.SecondDerivatives,
				Wrong: judge.Wrong{Key: "second-derivative", Hint: 2,
					Message: "For {problem} your entries should be the derivatives of the gradient. In columns scaled to size 1 your Hessian is {off}."},
				Right: "Your entries are the second derivatives for the observed targets (not averaged over targets, which would give the Fisher information)."},
			{Name: "Hessian: negative definite where Φ has full column rank", On: independent, First: definite,
				Right: "All eigenvalues are negative, so the log likelihood is concave and Newton's method increases it."},
			{Name: "Hessian: finite and right at activations up to ±30", On: tails, Limits: true,
				First: tail(probit.IsHessian), Holds: probit.IsHessian,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3,
					Message: "For {problem} your Hessian is finite, but in columns scaled to size 1 it is {off}. Do not clip Φ or the activations, or use a series with few terms. The weight tends to 1 far on the wrong side, and to 0 far on the right side."},
				Right: "The weight of a point is nearly 1 far on the wrong side and nearly 0 far on the right side, without Inf or NaN."},
		}...),
		askBoth.Parts(both{gradient, hessian},
			judge.Property[problem]{Name: "together: averaged over targets drawn from the model, ∇L is 0 and −∇∇L is the variance of ∇L", On: few, With: "Hessian",
				First: judge.First(func(p problem, got []float64) verify.Finding {
					return verify.CloseSlice(got[:len(p.W)], make([]float64, len(p.W)),
						verify.Tolerance{Abs: 10 * rightTol})
				}, judge.Wrong{Key: "mean-not-zero", Hint: 2,
					Message: "For {problem} the gradient, averaged over targets drawn from the model, should vanish, but yours is {off}. The terms for t = 1 and t = 0, multiplied by their probabilities Φ(a) and Φ(−a), cancel."}),
				Holds: func(p problem, got []float64) verify.Finding {
					m := len(p.W)
					return verify.CloseMat(mat.NewDense(m, m, got[m:]), mat.NewDense(m, m, nil),
						verify.Tolerance{Abs: 10 * rightTol})
				},
				Wrong: judge.Wrong{Key: "information", Hint: 2,
					Message: "For {problem}, averaged over targets drawn from the model, your −∇∇L should be the variance of your ∇L, but it is {off}, relative to the variance. Your gradient and Hessian belong to different functions."},
				Right: "Your gradient and your Hessian belong together. Averaged over targets drawn from the model, both give the same Fisher information."}))...)
}

// CheckSteps judges two optional functions, on which both answers depend. logSlope returns
// d ln Φ(x)/dx, and logBend returns d² ln Φ(x)/dx².
func CheckSteps(logSlope, logBend func(x float64) float64) *verify.Report {
	slopes := []judge.Route[place]{
		{Name: "the quotient", Tol: stepTol, Value: askSlope.Right},
		{Name: "the difference quotient of ln Φ", Tol: 1e-7,
			Value: func(x place) []float64 { return x.difference(logCDF) }},
	}
	bends := []judge.Route[place]{
		{Name: "the quotient rule", Tol: stepTol, Value: askBend.Right},
		{Name: "the difference quotient of the first derivative", Tol: 1e-7, Value: func(x place) []float64 {
			return x.difference(func(x float64) float64 { m, _ := ratio(x); return m })
		}},
	}
	return exercise.JudgeSteps(slices.Concat(
		askSlope.Steps(logSlope,
			judge.Step[place]{Name: "LogSlope: the derivative of ln Φ", On: middle, Routes: slopes,
				Right: "Your result is the derivative of ln Φ, computed as a quotient and by difference quotients."},
			judge.Step[place]{Name: "LogSlope: right up to ±30", On: far, Limits: true, Routes: slopes,
				Right: "Your result is finite and right up to ±30."}),
		askBend.Steps(logBend,
			judge.Step[place]{Name: "LogBend: the second derivative of ln Φ", On: middle, Routes: bends,
				Right: "Your result is the second derivative of ln Φ, computed by the quotient rule and by difference quotients."},
			judge.Step[place]{Name: "LogBend: right up to ±30", On: far, Limits: true, Routes: bends,
				Right: "Your result is finite and right up to ±30."}),
		askBend.Parts(logBend,
			judge.Property[place]{Name: "LogBend is the derivative of LogSlope, and negative", On: middle,
				With: "LogSlope",
				First: func(x place, bend []float64) *verify.Verdict {
					f := verify.Close(bend[0],
						verify.Derivative(func(x float64) float64 { return logSlope(x) }, float64(x), 0),
						verify.Tolerance{Abs: 1e-5})
					switch {
					case !f.OK:
						return judge.Fail("not-its-derivative", 2,
							"At %v your LogBend should be the derivative of your LogSlope, but it is %s. The parts above show which of the two functions is wrong.", x, f.Off())
					case !(bend[0] < 0):
						return judge.Fail("not-concave", 2,
							"At %v your LogBend is %.3g. It must be negative, because ln Φ is concave.", x,
							bend[0])
					}
					return nil
				},
				Right: "At moderate x your LogBend is the derivative of your LogSlope, and negative. So ln Φ is concave, and so is L."}))...)
}

// rightTol and stepTol are the tolerances of the statement. rightTol is in units of the features,
// and stepTol is in units of 1 + |x|.
const (
	rightTol = 1e-8
	stepTol  = 1e-9
)

// probit is the model with the log likelihood L.
var probit = twoclass.Model{
	Value: func(a, t float64) float64 { return logCDF((2*t - 1) * a) },
	Slope: slope, Bend: curve, Tol: rightTol, Differences: 2 * rightTol,
}

// tail returns a verdict on two causes of answers that are finite but wrong at large activations.
// On the right side, only clipped answers fail first. On the wrong side, at −7, a Φ with a rounding
// error relative to 1 is far more accurate than a truncated series or a clipped Φ.
func tail(compare func(problem, []float64) verify.Finding) func(problem, []float64) *verify.Verdict {
	return func(p problem, got []float64) *verify.Verdict {
		f, a, right := compare(p, got), p.Reach(), floats.Min(p.Margins(p.W)) > 0
		switch {
		case f.OK:
			return nil
		case right && a > moderate:
			return judge.Fail("tail-clipped", 3,
				"For %v, in columns scaled to size 1, your result is %s. The contribution of a point is small there, but not 0. Do not set it to 0, or Φ to 1, beyond some activation.", p, f.Off())
		case !right && a <= 7 && f.Miss <= (1+a*a)*1e-15/cdf(-a):
			return judge.Fail("tail", 3,
				"For %v, in columns scaled to size 1, your result is %s. You lose the digits of Φ in the tail by computing it as (1 + erf)/2, or by subtracting a number near 1 from 1. Use a function that is accurate in the small tail.", p, f.Off())
		}
		return nil
	}
}

var mirrored = judge.First(func(p problem, h []float64) verify.Finding {
	return verify.Symmetric(p.Scale().Even(h),
		10*rightTol)
},
	judge.Wrong{Key: "not-symmetric", Hint: 2,
		Message: "For {problem} your Hessian is not symmetric: the difference from its transpose is {off}. Fill both triangles, because a *mat.Dense does not mirror entries."})

// definiteTol is the smallest eigenvalue that counts as different from 0, relative to the largest.
const definiteTol = 1e-10

func definite(p problem, h []float64) *verify.Verdict {
	switch twoclass.Definite(p.Scale().Even(h), definiteTol) {
	case -1:
		return nil
	case 1:
		return judge.Fail("of-the-error", 1,
			"For %v all eigenvalues of your Hessian are positive. The log likelihood is concave, so they must be negative. (The Hessian of the error −L has positive ones.)", p)
	}
	return judge.Fail("not-negative-definite", 2,
		"For %v uᵀHu is positive or nearly 0 for some u, although the columns of Φ are independent. ln Φ is concave, so the term of every point is negative for either label. Check the sign s of the label in your formula.", p)
}

type problem = twoclass.Problem

// moderate is the largest activation in all problems except tails. Up to 4, (1 + erf)/2 has enough
// digits.
const moderate = 4

// drawing returns a function that draws problems with moderate activations.
func drawing(part uint64) func(name string, n int, centre, spread []float64) problem {
	source := twoclass.Source{Rand: instance.Source(419, part), Ones: 2, Of: 5, Spread: 1}
	return func(name string, n int, centre, spread []float64) problem {
		return within(source.Draw(name, n, centre, spread))
	}
}

// within scales down the weights of p if its activations exceed moderate.
func within(p problem) problem {
	if a := p.Reach(); a > moderate {
		floats.Scale(moderate/a, p.W)
	}
	return p
}

// independent returns problems in which Φ has full column rank. The first problem reveals every
// known mistake.
var independent = instance.Once(func() []problem {
	draw := drawing(1)
	first := draw("forty points, four weights", 40, []float64{1, 0, 0, -0.5}, []float64{0, 1, 2, 0.5})
	first.W[0] = 0.4 // activations on both sides of 0, but unbalanced
	ones := draw("all targets 1", 12, []float64{1, 0}, []float64{0, 1})
	zeros := draw("all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	origin := draw("w = 0", 9, []float64{1, 0}, []float64{0, 1})
	return []problem{
		within(first),
		draw("no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw("as many points as weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw("columns of very different size", 30, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw("one weight", 8, []float64{0.3}, []float64{1}),
		draw("one point, one weight", 1, []float64{0.8}, []float64{0.1}),
		ones.Labelled(ones.Name, 1), zeros.Labelled(zeros.Name, 0), origin.AtOrigin(),
	}
})

// general returns the independent problems, and problems with a deficient or nearly deficient rank.
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

// few returns problems with so few points that all possible targets can be enumerated.
var few = instance.Once(func() []problem {
	draw := drawing(8)
	return []problem{
		draw("four points", 4, []float64{1, 0}, []float64{0, 1}),
		draw("one point", 1, []float64{0.7}, []float64{0.2}),
		draw("three points, three weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
	}
})

// magnitudes returns sizes of activations in small steps, so that clipping at any size is noticed.
// It omits 27, where the square of the density is still positive but has only a few digits.
func magnitudes() []float64 {
	return []float64{0.1, 0.5, 1, 2, 3, 4, 4.5, 5, 5.5, 6, 7, 8, 8.5, 9, 10, 12, 14, 17, 20, 23, 26, 28, 30}
}

// tails returns problems with one point of each class for each size of activations. Both points are
// on the wrong side or both on the right side, so each far point affects the result noticeably.
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

// ratio returns m(x) = N(x)/Φ(x) and rest = x + m(x) to full accuracy. In the left tail it uses
// Laplace's continued fraction m(−u) = u + 1/(u + 2/(u + 3/(…))).
func ratio(x float64) (m, rest float64) {
	if x > -5 {
		m = pdf(x) / cdf(x)
		return m, x + m
	}
	u := -x
	f := u
	for k := 80; k >= 2; k-- { // at u = 5 the error is below 1e-16
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

// A place is an argument of ln Φ.
type place float64

func (x place) String() string { return fmt.Sprintf("x = %.4g", float64(x)) }

// difference returns the derivative of f at x, computed by central differences.
func (x place) difference(f func(float64) float64) []float64 {
	return []float64{verify.Derivative(f, float64(x), 1e-3/math.Max(1, math.Abs(float64(x))))}
}

// middle returns arguments of a few units on both sides of 0, and far returns arguments of every
// size.
func middle() []place {
	return twoclass.Around[place](instance.Source(419, 31), 10, -3.5, 2.5, 0.8, -1.1, 0, 2.5, -3)
}

func far() []place { return twoclass.BothSides[place](magnitudes()) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex19", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
