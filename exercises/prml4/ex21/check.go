// Package ex21 judges PRML exercise 4.21: the probit function, and the two functions called erf.
package ex21

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.21: probit is Φ(a) of (4.114),
// erfPRML is erf(a) as (4.115) defines it.
func Check(probit, erfPRML func(a float64) float64) *verify.Report {
	together := verify.Part{Name: "the two belong together by (4.116)", Of: []string{"Probit", "ErfPRML"},
		Judge: func() verify.Verdict { return relation(probit, erfPRML) }}
	return exercise.Judge(append(slices.Concat(
		askProbit.Parts(probit, []judge.Property[grid]{
			judge.Form("Probit: a finite number, the same on every call", grids, nil, judge.Wrong{},
				"You returned a number for every a."),
			integral("Probit is the integral of the normal density, by quadrature", "Probit", area,
				"Φ(a) agrees with the area under the normal density left of a."),
			{Name: "Probit is a distribution function: Φ(a) + Φ(−a) = 1, from 0 to 1", On: grids,
				First: func(g grid, p []float64) *verify.Verdict { return distribution(g, p, probit) },
				Note: func([][]float64) string {
					if verify.Close(probit(-10), kernel.NormCDF(-10), verify.Tolerance{Rel: 1e-9}).OK {
						return "It keeps its digits in the left tail, where 1 + erf would cancel."
					}
					return "(One thing to know: at a = −10 your Probit has no digits left, because 1 + erf cancels there. Erfc is a function of its own for that reason.)"
				},
				Right: "It rises from 0 to 1."},
		}...),
		askErf.Parts(erfPRML, []judge.Property[grid]{
			judge.Form("ErfPRML: a finite number, the same on every call", grids, nil, judge.Wrong{},
				"You returned a number for every a."),
			integral("ErfPRML is the integral (4.115), by quadrature", "ErfPRML", area115,
				"It agrees with the integral of exp(−θ²/2), the chapter's definition. (The usual erf, with exp(−θ²), is another function.)"),
			{Name: "ErfPRML is odd and goes to ±√2", On: grids,
				First: func(g grid, e []float64) *verify.Verdict { return odd(g, e, erfPRML) },
				Right: "It goes to ±√2, where the usual erf goes to ±1: that tells them apart at a glance."},
		}...)), together)...)
}

// integral returns the part that compares with quadrature.
func integral(name, of string, area function, right string) judge.Property[grid] {
	return judge.Property[grid]{Name: name, On: grids,
		Holds: func(g grid, got []float64) verify.Finding {
			worst := verify.Finding{OK: true}
			for i, v := range g.values(area) {
				if f := verify.Close(got[i], v, tol); !f.OK && (worst.OK || f.Miss > worst.Miss) {
					worst = f
					worst.Where = fmt.Sprintf("a = %g", g[i])
				}
			}
			return worst
		},
		Wrong: judge.Wrong{Key: "value", Hint: 2, Message: "Against quadrature " + of + " is {off}."},
		Right: right}
}

// distribution checks the properties of a distribution function.
func distribution(g grid, p []float64, probit function) *verify.Verdict {
	for i, a := range g {
		if p[i] < -tol.Abs || p[i] > 1+tol.Abs {
			return fail("not-a-probability", "Probit(%g) is outside [0,1]: it is a probability.", a)
		}
	}
	for i, a := range g {
		if f := verify.Close(p[i]+probit(-a), 1, tol); !f.OK {
			return fail("not-symmetric",
				"Probit(%g) and Probit(%g) do not add up to 1: their sum is %s. The density is symmetric, so the areas left of −a and right of a are the same.", a, -a, f.Off())
		}
	}
	low, high := probit(math.Inf(-1)), probit(math.Inf(1))
	switch {
	case math.IsNaN(low) || math.IsNaN(high):
		return fail("limits",
			"Probit is not a number at a = ±∞, which the statement asks for, too. Inf − Inf, 0·Inf and Inf/Inf are NaN; math.Erf and math.Erfc take an infinite argument.")
	case !verify.Close(low, 0, tol).OK || !verify.Close(high, 1, tol).OK:
		return fail("limits",
			"From a = −∞ to ∞ your Probit runs from %.3g to %.3g, and Φ from 0 to 1: all of the area lies between.",
			low, high)
	}
	for a := -8.0; a < 8; a += 0.125 {
		if !(probit(a+0.125) >= probit(a)-tol.Abs) {
			return fail("not-rising",
				"Your Probit falls between %g and %g; an area cannot shrink when its limit moves to the right.", a,
				a+0.125)
		}
	}
	return nil
}

// odd checks that a function is odd and has the limits ±√2.
func odd(g grid, e []float64, erf function) *verify.Verdict {
	for i, a := range g {
		switch f := verify.Close(e[i], -erf(-a), tol); {
		case f.OK:
		case a == 0:
			return fail("not-odd", "ErfPRML(0) is not 0, and the integral from 0 to 0 is.")
		default:
			return fail("not-odd",
				"ErfPRML(%g) and ErfPRML(%g) are not opposite numbers: they are %s. The integral runs from 0.", a, -a,
				f.Off())
		}
	}
	low, high := erf(math.Inf(-1)), erf(math.Inf(1))
	switch {
	case verify.Close(high, math.Sqrt2, tol).OK && verify.Close(low, -math.Sqrt2, tol).OK:
		return nil
	case verify.Close(high, 1, tol).OK:
		return fail("usual-limit",
			"Your ErfPRML goes to 1, as the usual erf does. The chapter's has exp(−θ²/2) under the integral and the same 2/√π in front, so its area is larger.")
	}
	return fail("limits",
		"For a → ∞ your ErfPRML goes to %.4g. Which area lies under exp(−θ²/2) right of 0, times 2/√π?", high)
}

// relation compares the learner's functions with each other.
func relation(probit, erf function) verify.Verdict {
	g := grids()[0]
	p, e, wide := g.values(probit), g.values(erf), make([]float64, len(g))
	for i, a := range g {
		wide[i] = probit(math.Sqrt2 * a)
	}
	by := func(p []float64, root float64) bool {
		for i := range p {
			if !verify.Close(p[i], (1+e[i]/root)/2, tol).OK {
				return false
			}
		}
		return true
	}
	switch {
	case by(p, math.Sqrt2) && slices.Max(p)-slices.Min(p) < 1e-3:
		return verify.Fail("constant", 1, "Both are constants. Φ grows with a.")
	case by(p, math.Sqrt2):
		return verify.Pass("Your functions satisfy (4.116). With the usual erf the same reads Φ(a) = ½{1 + erf(a/√2)}: the √2 moves inside.")
	case by(wide, 1):
		return verify.Fail("usual-relation", 2,
			"Your functions satisfy Φ(a) = ½{1 + erf(a/√2)}, the relation for the usual erf, and not (4.116).")
	}
	return verify.Fail("relation", 2,
		"Your two functions do not satisfy (4.116). At least one of them is not what it should be; the parts above say which.")
}

func fail(key, format string, args ...any) *verify.Verdict {
	v := verify.Fail(key, 2, format, args...)
	return &v
}

// function is a learner's function.
type function = func(a float64) float64

// A grid holds the places where functions are compared.
type grid []float64

func (grid) String() string { return "the places that are looked at" }

func grids() []grid { return []grid{{0.7, 0, 0.1, -0.25, -1, 1.3, -1.9, 2.6, -3.1, 4.2, -5, 6, -8}} }

func (g grid) values(f function) []float64 {
	out := make([]float64, len(g))
	for i, a := range g {
		out[i] = f(a)
	}
	return out
}

// tol is the accuracy required by the statement, 12 decimals.
var tol = verify.Tolerance{Abs: 1e-12}

// area returns Φ, and area115 returns (4.115), by quadrature.
func area(a float64) float64 { return 0.5 + simpson(kernel.NormPDF, a) }

func area115(a float64) float64 {
	return 2 / math.Sqrt(math.Pi) * simpson(func(theta float64) float64 { return math.Exp(-theta * theta / 2) }, a)
}

// simpson returns the integral of f from 0 to a by Simpson's rule on 4000 intervals. Its error is
// below 1e-14 for the Gaussian and |a| ≤ 8.
func simpson(f function, a float64) float64 {
	const n = 4000
	h := a / n
	sum := f(0) + f(a)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(float64(i)*h)
	}
	return sum * h / 3
}

// question judges the values of a function on a grid; right is the function by its definition.
func question(name string, right function, mistakes []judge.Mistake[function]) *judge.Question[function, grid] {
	return &judge.Question[function, grid]{
		Func: name, Name: name, Hint: 2, Per: "place",
		Ask: func(f function, c *judge.Call, g grid) []float64 {
			got := g.values(f)
			for i, v := range got {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					c.Say(judge.Fail("not-finite", 2,
						"%s(%g) is %g. Look for a division by zero, or for the inverse function: math.Erfinv is only defined between −1 and 1.", name, g[i], v))
				}
			}
			return got
		},
		Right: func(g grid) []float64 { return g.values(right) },
		Unit:  func(g grid, _ []float64) []float64 { return slices.Repeat([]float64{1}, len(g)) },
		Entry: func(g grid, i int) string { return fmt.Sprintf("a = %g", g[i]) },
		Family: func(g grid, got []float64) *verify.Verdict { // three decimals are right, but not all that are required
			f := verify.CloseSlice(got, g.values(right), verify.Tolerance{})
			return judge.FailIf(f.Miss < 1e-3, "rounded", 3,
				"Nearly: against quadrature %s is off by about %s. Rounded constants, or a numerical approximation? Give 12 decimals; use math.Sqrt2, math.Pi and math.Erf.", name, verify.Magnitude(f.Miss))
		},
		Mistakes: mistakes,
	}
}

var askProbit = question("Probit", kernel.NormCDF, []judge.Mistake[function]{
	{Key: "mixed-definitions", Hint: 2,
		Message: "This is (4.116) taken literally with math.Erf. The chapter's erf has exp(−θ²/2) under the integral, the library's has exp(−θ²): two functions of one name. Where does √2 go for the library's?",
		Answer:  func(a float64) float64 { return (1 + math.Erf(a)/math.Sqrt2) / 2 }},
	{Key: "missing-root-two", Answer: func(a float64) float64 { return (1 + math.Erf(a)) / 2 }, Hint: 2,
		Message: "This is Φ(√2·a): a √2 is missing in the argument of erf. The library's erf has exp(−θ²) under the integral, a normal density of variance ½."},
	{Key: "root-two-upside-down", Answer: func(a float64) float64 { return (1 + math.Erf(a*math.Sqrt2)) / 2 }, Hint: 2,
		Message: "The √2 multiplies where it divides: with θ = √2·u the upper limit θ = a becomes u = a/√2."},
	{Key: "half-inside", Answer: func(a float64) float64 { return (1 + math.Erf(a/2)) / 2 }, Hint: 2,
		Message: "The argument of erf is divided by 2, where it is divided by √2: (a/√2)² = a²/2."},
	{Key: "missing-half", Answer: func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }, Hint: 3,
		Message: "This runs from 0 to 2: a factor ½ is missing."},
	{Key: "half-of-one-term", Answer: func(a float64) float64 { return 0.5 + math.Erf(a/math.Sqrt2) }, Hint: 3,
		Message: "This runs from −½ to 1½: the ½ belongs to both terms."},
	{Key: "one-left-out", Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / 2 }, Hint: 1,
		Message: "This runs from −½ to ½: the area left of 0 is missing."},
	{Key: "erf-itself", Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }, Hint: 1,
		Message: "This runs from −1 to 1: it is erf(a/√2), the area between −a and a. Φ(a) is the area left of a."},
	{Key: "erf-itself", Answer: math.Erf, Hint: 1,
		Message: "This is the library's erf itself, which runs from −1 to 1. Φ runs from 0 to 1."},
	{Key: "upper-tail", Answer: func(a float64) float64 { return math.Erfc(a/math.Sqrt2) / 2 }, Hint: 1,
		Message: "This is the area to the right of a. Φ(a) is the area to the left; the two are Φ(a) and Φ(−a)."},
	{Key: "density", Answer: kernel.NormPDF, Hint: 1,
		Message: "This is the normal density, of which Φ is the integral."},
	{Key: "not-normalised", Hint: 2, Message: "This is the integral of exp(−θ²/2) without the factor 1/√(2π).",
		Answer: func(a float64) float64 { return math.Sqrt(2*math.Pi) * kernel.NormCDF(a) }},
	{Key: "logistic", Answer: kernel.Sigmoid, Hint: 1,
		Message: "This is the logistic sigmoid, another curve of the same shape."},
	{Key: "logistic", Answer: func(a float64) float64 { return kernel.Sigmoid(1.702 * a) }, Hint: 1,
		Message: "This is the logistic approximation σ(1.702·a), good to about 0.01. Return Φ itself."},
	{Key: "logistic", Hint: 1, Message: "This is the logistic approximation with the same slope at 0. Return Φ itself.",
		Answer: func(a float64) float64 { return kernel.Sigmoid(a * math.Sqrt(8/math.Pi)) }},
})

var askErf = question("ErfPRML", func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) },
	[]judge.Mistake[function]{
		{Key: "usual-erf", Answer: math.Erf, Hint: 2,
			Message: "This is the usual erf, with exp(−θ²) under the integral. The chapter's has exp(−θ²/2)."},
		{Key: "root-two-outside", Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }, Hint: 2,
			Message: "This is 2Φ(a) − 1, which goes to 1. A factor √2 is missing in front: the chapter keeps 2/√π where a normal density has 2/√(2π)."},
		{Key: "root-two-inside", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(a) }, Hint: 2,
			Message: "The limit ±√2 is right, but the curve rises too fast: a √2 is missing inside, in the argument."},
		{Key: "root-two-divides", Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / math.Sqrt2 },
			Hint:    3,
			Message: "This is half of it: the √2 in front divides where it multiplies, or the ½ of (4.116) was lost on the way. Solve (4.116) for erf once more."},
		{Key: "root-two-upside-down", Answer: func(a float64) float64 { return math.Erf(math.Sqrt2*a) / math.Sqrt2 },
			Hint: 2, Message: "Both √2 are upside down: this is the substitution in the other direction."},
		{Key: "root-two-upside-down", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(math.Sqrt2*a) },
			Hint: 2, Message: "The √2 inside multiplies where it divides."},
		{Key: "one-left-out", Answer: func(a float64) float64 { return 2 * math.Sqrt2 * kernel.NormCDF(a) }, Hint: 3,
			Message: "This is 2√2·Φ(a), which is not 0 at a = 0: the 1 of (4.116) was not taken off."},
		{Key: "one-left-out", Answer: func(a float64) float64 { return math.Sqrt2 * (kernel.NormCDF(a) - 1) }, Hint: 3,
			Message: "In solving (4.116), the factor ½ applies to the 1 as well."},
		{Key: "probit-itself", Answer: kernel.NormCDF, Hint: 1,
			Message: "This is Φ itself. The chapter's erf is an integral from 0, so that it vanishes there."},
		{Key: "prefactor", Hint: 2, Message: "This is the integral without the factor 2/√π in front.",
			Answer: func(a float64) float64 { return math.Sqrt(math.Pi/2) * math.Erf(a/math.Sqrt2) }},
		{Key: "sign", Answer: func(a float64) float64 { return -math.Sqrt2 * math.Erf(a/math.Sqrt2) }, Hint: 1,
			Message: "The sign is turned: the integral from 0 to a positive a is positive."},
		{Key: "complement", Answer: func(a float64) float64 { return math.Sqrt2 * math.Erfc(a/math.Sqrt2) }, Hint: 1,
			Message: "This is the integral from a to ∞. The chapter's runs from 0 to a."},
	})

func init() {
	judge.Known(exercise, askProbit, func(f function) *verify.Report {
		return Check(f, func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) })
	})
	judge.Known(exercise, askErf, func(f function) *verify.Report { return Check(kernel.NormCDF, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex21", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
