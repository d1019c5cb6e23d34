// Package ex21 judges PRML exercise 4.21: the probit function, and its relation to the erf of the
// chapter, which differs from the usual erf.
package ex21

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.21. probit returns Φ(a) of (4.114), and erfPRML
// returns erf(a) as defined in (4.115).
func Check(probit, erfPRML func(a float64) float64) *verify.Report {
	together := verify.Part{Name: "the two functions satisfy (4.116)", Of: []string{"Probit", "ErfPRML"},
		Judge: func() verify.Verdict { return checkRelation(probit, erfPRML) }}
	return exercise.Judge(append(slices.Concat(
		probitQuestion.Parts(probit, []judge.Property[grid]{
			judge.Form("Probit: a finite number, the same on every call", grids, nil, judge.Wrong{},
				"You returned a number for every argument a."),
			integralPart("Probit equals the integral of the normal density, computed by quadrature", "Probit", area,
				"Your Φ(a) agrees with the area under the normal density to the left of the point a."),
			{Name: "Probit is a distribution function: it increases from 0 to 1, and Φ(a) + Φ(−a) = 1", Problems: grids,
				Precheck: func(g grid, p []float64) *verify.Verdict { return checkDistribution(g, p, probit) },
				RightNote: func([][]float64) string {
					if verify.Close(probit(-10), kernel.NormCDF(-10), verify.Tolerance{Rel: 1e-9}).OK {
						return "Your Probit keeps its digits at a = −10, where 1 + erf would cancel."
					}
					return "(Note: at a = −10 your Probit does not have nine correct digits. 1 + erf cancels there; math.Erfc avoids the cancellation.)"
				},
				Right: "Your Probit increases from 0 to 1."},
		}...),
		erfQuestion.Parts(erfPRML, []judge.Property[grid]{
			judge.Form("ErfPRML: a finite number, the same on every call", grids, nil, judge.Wrong{},
				"You returned a number for every argument a."),
			integralPart("ErfPRML equals the integral (4.115), computed by quadrature", "ErfPRML", area115,
				"Your ErfPRML agrees with the integral of exp(−θ²/2) by which the chapter defines erf. (The usual erf contains exp(−θ²) instead.)"),
			{Name: "ErfPRML is odd and tends to ±√2", Problems: grids,
				Precheck: func(g grid, e []float64) *verify.Verdict { return checkOdd(g, e, erfPRML) },
				Right:    "Your ErfPRML tends to ±√2, whereas the usual erf tends to ±1."},
		}...)), together)...)
}

// integralPart returns the part of the report that compares the values of the learner's function
// with integrals. The function `area` computes these integrals by quadrature. The argument
// `funcName` is the name of the learner's function.
func integralPart(name, funcName string, area function, right string) judge.Property[grid] {
	return judge.Property[grid]{Name: name, Problems: grids,
		Holds: func(g grid, got []float64) verify.Finding {
			worst := verify.Finding{OK: true}
			for i, v := range g.values(area) {
				if f := verify.Close(got[i], v, tol); !f.OK && (worst.OK || f.Miss > worst.Miss) {
					worst = f
					worst.Where = fmt.Sprintf("the value at a = %g", g[i])
				}
			}
			return worst
		},
		Wrong: judge.Wrong{Key: "value", Hint: 2, Message: "Compared with quadrature, " + funcName + " is {off}."},
		Right: right}
}

// checkDistribution checks that probit is a distribution function: it lies between 0 and 1,
// satisfies Φ(a) + Φ(−a) = 1, has the limits 0 and 1, and never decreases.
func checkDistribution(g grid, p []float64, probit function) *verify.Verdict {
	for i, a := range g {
		if p[i] < -tol.Abs || p[i] > 1+tol.Abs {
			return fail("not-a-probability", "Probit(%g) is outside [0,1], but it must be a probability.", a)
		}
	}
	for i, a := range g {
		if f := verify.Close(p[i]+probit(-a), 1, tol); !f.OK {
			return fail("not-symmetric",
				"Probit(%g) and Probit(%g) should sum to 1, but the sum is %s. The density is symmetric, so the area to the left of the point −a equals the area to the right of the point a.", a, -a, f.Off())
		}
	}
	low, high := probit(math.Inf(-1)), probit(math.Inf(1))
	switch {
	case math.IsNaN(low) || math.IsNaN(high):
		return fail("limits",
			"Probit is NaN at a = −∞ or at a = ∞, where the exercise also requires a value. Inf − Inf, 0·Inf and Inf/Inf are NaN. math.Erf and math.Erfc accept an infinite argument.")
	case !verify.Close(low, 0, tol).OK || !verify.Close(high, 1, tol).OK:
		return fail("limits",
			"From a = −∞ to ∞ your Probit ranges from %.3g to %.3g. Φ ranges from 0 to 1, because the total area is 1.",
			low, high)
	}
	for a := -8.0; a < 8; a += 0.125 {
		if !(probit(a+0.125) >= probit(a)-tol.Abs) {
			return fail("not-rising",
				"Your Probit decreases between %g and %g. The area to the left of a point cannot decrease when the point moves to the right.", a,
				a+0.125)
		}
	}
	return nil
}

// checkOdd checks that the learner's erf is an odd function and has the limits ±√2.
func checkOdd(g grid, e []float64, erf function) *verify.Verdict {
	for i, a := range g {
		switch f := verify.Close(e[i], -erf(-a), tol); {
		case f.OK:
		case a == 0:
			return fail("not-odd", "ErfPRML(0) is not 0, but the integral from 0 to 0 is 0.")
		default:
			return fail("not-odd",
				"ErfPRML(%g) and ErfPRML(%g) should sum to 0, but the sum is %s. The integral starts at 0, and its integrand is an even function, so erf must be odd.", a, -a,
				f.Off())
		}
	}
	low, high := erf(math.Inf(-1)), erf(math.Inf(1))
	switch {
	case verify.Close(high, math.Sqrt2, tol).OK && verify.Close(low, -math.Sqrt2, tol).OK:
		return nil
	case verify.Close(high, 1, tol).OK:
		return fail("usual-limit",
			"Your ErfPRML tends to 1, like the usual erf. The erf of the chapter is an integral of exp(−θ²/2) instead of exp(−θ²), with the same factor 2/√π, so its limit is larger.")
	}
	return fail("limits",
		"From a = −∞ to ∞ your ErfPRML ranges from %.4g to %.4g. At ∞ it must be 2/√π times the area under exp(−θ²/2) to the right of 0, and at −∞ the negative of this number.", low, high)
}

// checkRelation checks that the learner's functions for Φ and erf satisfy (4.116).
func checkRelation(probit, erf function) verify.Verdict {
	g := grids()[0]
	p, e, wide := g.values(probit), g.values(erf), make([]float64, len(g))
	for i, a := range g {
		wide[i] = probit(math.Sqrt2 * a)
	}
	matches := func(p []float64, root float64) bool {
		for i := range p {
			if !verify.Close(p[i], (1+e[i]/root)/2, tol).OK {
				return false
			}
		}
		return true
	}
	switch {
	case matches(p, math.Sqrt2) && slices.Max(p)-slices.Min(p) < 1e-3:
		return verify.Fail("constant", 1, "Both of your functions are constant. Φ and the erf of the chapter increase.")
	case matches(p, math.Sqrt2):
		return verify.Pass("Your functions satisfy (4.116). With the usual erf the relation is Φ(a) = ½{1 + erf(a/√2)}, with √2 inside the argument.")
	case matches(wide, 1):
		return verify.Fail("usual-relation", 2,
			"Your functions satisfy Φ(a) = ½{1 + erf(a/√2)}, the relation for the usual erf, but not (4.116).")
	}
	return verify.Fail("relation", 2,
		"Your two functions do not satisfy (4.116), so at least one of them is wrong. The earlier parts of this report show which of the two functions is wrong.")
}

func fail(key, format string, args ...any) *verify.Verdict {
	v := verify.Fail(key, 2, format, args...)
	return &v
}

// function is the type of a learner's function.
type function = func(a float64) float64

// A grid contains the arguments a at which the check compares a learner's function with the right
// values.
type grid []float64

func (grid) String() string { return "the tested values of a" }

func grids() []grid { return []grid{{0.7, 0, 0.1, -0.25, -1, 1.3, -1.9, 2.6, -3.1, 4.2, -5, 6, -8}} }

func (g grid) values(f function) []float64 {
	out := make([]float64, len(g))
	for i, a := range g {
		out[i] = f(a)
	}
	return out
}

// tol is the tolerance stated in the text of the exercise: 12 decimals.
var tol = verify.Tolerance{Abs: 1e-12}

// area computes Φ(a) by quadrature.
func area(a float64) float64 { return 0.5 + simpson(kernel.NormPDF, a) }

// area115 computes the erf of (4.115) by quadrature.
func area115(a float64) float64 {
	return 2 / math.Sqrt(math.Pi) * simpson(func(theta float64) float64 { return math.Exp(-theta * theta / 2) }, a)
}

// simpson returns the integral of f from 0 to a, computed by Simpson's rule on 4000 intervals. The
// error is below 1e-14 for the normal density and |a| ≤ 8.
func simpson(f function, a float64) float64 {
	const n = 4000
	h := a / n
	sum := f(0) + f(a)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(float64(i)*h)
	}
	return sum * h / 3
}

// question returns a judge.Question that judges the values of the learner's function on a grid. The
// argument `right` computes the right values.
func question(name string, right function, mistakes []judge.Mistake[function]) *judge.Question[function, grid] {
	return &judge.Question[function, grid]{
		Func: name, Name: name, Hint: 2, Per: "place",
		Invoke: func(f function, c *judge.Call, g grid) []float64 {
			got := g.values(f)
			for i, v := range got {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					c.Say(judge.Fail("not-finite", 2,
						"%s(%g) is %g, which is not a finite number. Perhaps you divide by zero, or you use the inverse function: math.Erfinv is finite only between −1 and 1.", name, g[i], v))
				}
			}
			return got
		},
		Right: func(g grid) []float64 { return g.values(right) },
		Unit:  func(g grid, _ []float64) []float64 { return slices.Repeat([]float64{1}, len(g)) },
		Entry: func(g grid, i int) string { return fmt.Sprintf("a = %g", g[i]) },
		Family: func(g grid, got []float64) *verify.Verdict {
			// the verdict below is for answers that have three right decimals, but not twelve
			f := verify.CloseSlice(got, g.values(right), verify.Tolerance{})
			return judge.FailIf(f.Miss < 1e-3, "rounded", 3,
				"Nearly right: %s is off by about %s. Rounded constants and coarse approximations do not give 12 right decimals. Use math.Sqrt2, math.Pi and math.Erf.", name, verify.Magnitude(f.Miss))
		},
		Mistakes: mistakes,
	}
}

var probitQuestion = question("Probit", kernel.NormCDF, []judge.Mistake[function]{
	{Key: "mixed-definitions", Hint: 2,
		Message: "You return (4.116) with math.Erf. The erf of the chapter is an integral of exp(−θ²/2), but math.Erf is an integral of exp(−θ²). Substitute θ = √2·u to convert one integral into the other.",
		Answer:  func(a float64) float64 { return (1 + math.Erf(a)/math.Sqrt2) / 2 }},
	{Key: "missing-root-two", Answer: func(a float64) float64 { return (1 + math.Erf(a)) / 2 }, Hint: 2,
		Message: "You return Φ(√2·a). math.Erf is an integral of exp(−θ²), but Φ is an integral of exp(−θ²/2), so the argument of math.Erf must be a/√2."},
	{Key: "root-two-upside-down", Answer: func(a float64) float64 { return (1 + math.Erf(a*math.Sqrt2)) / 2 }, Hint: 2,
		Message: "You return ½{1 + erf(√2·a)}, but the number a must be divided by √2. With θ = √2·u the upper limit θ = a becomes u = a/√2."},
	{Key: "half-inside", Answer: func(a float64) float64 { return (1 + math.Erf(a/2)) / 2 }, Hint: 2,
		Message: "You return ½{1 + erf(a/2)}. The argument of erf must be a/√2, since (a/√2)² = a²/2."},
	{Key: "missing-half", Answer: func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }, Hint: 3,
		Message: "Your function ranges from 0 to 2. A factor ½ is missing."},
	{Key: "half-of-one-term", Answer: func(a float64) float64 { return 0.5 + math.Erf(a/math.Sqrt2) }, Hint: 3,
		Message: "Your function ranges from −½ to 1½. Multiply both terms by ½."},
	{Key: "one-left-out", Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / 2 }, Hint: 1,
		Message: "Your function ranges from −½ to ½. The area to the left of 0 is missing in your result."},
	{Key: "erf-itself", Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }, Hint: 1,
		Message: "You return erf(a/√2), the area between the points −a and a, which ranges from −1 to 1. Φ(a) is the whole area to the left of the point a."},
	{Key: "erf-itself", Answer: math.Erf, Hint: 1,
		Message: "Your function equals math.Erf, which ranges from −1 to 1. Φ ranges from 0 to 1."},
	{Key: "upper-tail", Answer: func(a float64) float64 { return math.Erfc(a/math.Sqrt2) / 2 }, Hint: 1,
		Message: "You return Φ(−a), the area to the right of the point a. Φ(a) is the area to the left of this point."},
	{Key: "density", Answer: kernel.NormPDF, Hint: 1,
		Message: "You return the normal density. Φ is the integral of this density."},
	{Key: "not-normalised", Hint: 2, Message: "You return the integral of exp(−θ²/2) without the factor 1/√(2π). Multiply the integral by this factor.",
		Answer: func(a float64) float64 { return math.Sqrt(2*math.Pi) * kernel.NormCDF(a) }},
	{Key: "logistic", Answer: kernel.Sigmoid, Hint: 1,
		Message: "You return the logistic sigmoid, a different function with a similar shape. Return Φ."},
	{Key: "logistic", Answer: func(a float64) float64 { return kernel.Sigmoid(1.702 * a) }, Hint: 1,
		Message: "You return the logistic approximation σ(1.702·a), which is accurate to about 0.01. Return Φ itself."},
	{Key: "logistic", Hint: 1, Message: "You return a logistic sigmoid that has the same slope as Φ at 0. Return Φ itself.",
		Answer: func(a float64) float64 { return kernel.Sigmoid(a * math.Sqrt(8/math.Pi)) }},
})

var erfQuestion = question("ErfPRML", func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) },
	[]judge.Mistake[function]{
		{Key: "usual-erf", Answer: math.Erf, Hint: 2,
			Message: "You return the usual erf, the integral of exp(−θ²). The erf of the chapter is the integral of exp(−θ²/2)."},
		{Key: "root-two-outside", Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }, Hint: 2,
			Message: "You return 2Φ(a) − 1, which tends to 1. A factor √2 is missing, because the chapter uses 2/√π instead of 2/√(2π)."},
		{Key: "root-two-inside", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(a) }, Hint: 2,
			Message: "Your function has the right limits ±√2, but it increases too fast. Divide the argument by √2."},
		{Key: "root-two-divides", Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / math.Sqrt2 },
			Hint:    3,
			Message: "You return half of the right value. Perhaps you divide by √2 instead of multiplying by it, or you lose a factor 2 when you solve (4.116) for erf."},
		{Key: "root-two-upside-down", Answer: func(a float64) float64 { return math.Erf(math.Sqrt2*a) / math.Sqrt2 },
			Hint: 2, Message: "You return erf(√2·a)/√2. Divide the argument by √2, and multiply the result by √2. You do the opposite of both."},
		{Key: "root-two-upside-down", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(math.Sqrt2*a) },
			Hint: 2, Message: "You return √2·erf(√2·a). Inside erf, divide a by √2 instead of multiplying it by √2."},
		{Key: "one-left-out", Answer: func(a float64) float64 { return 2 * math.Sqrt2 * kernel.NormCDF(a) }, Hint: 3,
			Message: "You return 2√2·Φ(a), which is not 0 at a = 0. When you solve (4.116) for erf, subtract 1 from 2Φ(a)."},
		{Key: "one-left-out", Answer: func(a float64) float64 { return math.Sqrt2 * (kernel.NormCDF(a) - 1) }, Hint: 3,
			Message: "You return √2{Φ(a) − 1}, as if (4.116) had no factor ½. When you solve (4.116) for erf, multiply Φ(a) by 2 before you subtract 1."},
		{Key: "probit-itself", Answer: kernel.NormCDF, Hint: 1,
			Message: "You return Φ itself. The erf of the chapter is an integral from 0, so it is 0 at a = 0."},
		{Key: "prefactor", Hint: 2, Message: "You return the integral without the factor 2/√π in front. Multiply the integral by this factor.",
			Answer: func(a float64) float64 { return math.Sqrt(math.Pi/2) * math.Erf(a/math.Sqrt2) }},
		{Key: "sign", Answer: func(a float64) float64 { return -math.Sqrt2 * math.Erf(a/math.Sqrt2) }, Hint: 1,
			Message: "Your function has the wrong sign. The integral from 0 to a positive a is positive."},
		{Key: "complement", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erfc(a/math.Sqrt2) }, Hint: 1,
			Message: "You return the integral from θ = a to ∞. The erf of the chapter is the integral from θ = 0 to a."},
	})

func init() {
	judge.Known(exercise, probitQuestion, func(f function) *verify.Report {
		return Check(f, func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) })
	})
	judge.Known(exercise, erfQuestion, func(f function) *verify.Report { return Check(kernel.NormCDF, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex21", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
