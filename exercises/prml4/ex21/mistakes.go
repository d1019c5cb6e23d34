package ex21

import (
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// question asks for the values of a function on a grid; right is the function by
// its definition.
func question(name string, right function, mistakes []judge.Mistake[function]) *judge.Question[function, grid] {
	return &judge.Question[function, grid]{
		Func: name, Name: name, Hint: 2, Per: "place",
		Ask: func(f function, c *judge.Call, g grid) []float64 {
			got := g.values(f)
			for i, v := range got {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					c.Say(judge.Fail("not-finite", 2, "%s(%g) is %g. Look for a division by zero, or for the inverse function: math.Erfinv is only defined between −1 and 1.", name, g[i], v))
				}
			}
			return got
		},
		Right: func(g grid) []float64 { return g.values(right) },
		Unit:  func(g grid, _ []float64) []float64 { return slices.Repeat([]float64{1}, len(g)) },
		Entry: func(g grid, i int) string { return fmt.Sprintf("a = %g", g[i]) },
		Family: func(g grid, got []float64) *verify.Verdict { // decimals are asked, and three are there
			f := verify.CloseSlice(got, g.values(right), verify.Tolerance{})
			return judge.FailIf(f.Miss < 1e-3, "rounded", 3, "Nearly: against quadrature %s is off by about %s. Rounded constants, or a numerical approximation? Asked for are 12 decimals; use math.Sqrt2, math.Pi and math.Erf.", name, verify.Magnitude(f.Miss))
		},
		Mistakes: mistakes,
	}
}

var askProbit = question("Probit", kernel.NormCDF, []judge.Mistake[function]{
	{Key: "mixed-definitions", Hint: 2, Message: "This is (4.116) taken literally with math.Erf. The chapter's erf has exp(−θ²/2) under the integral, the library's has exp(−θ²): two functions of one name. Where does √2 go for the library's?",
		Answer: func(a float64) float64 { return (1 + math.Erf(a)/math.Sqrt2) / 2 }},
	{Key: "missing-root-two", Hint: 2, Message: "This is Φ(√2·a): a √2 is missing in the argument of erf. The library's erf has exp(−θ²) under the integral, a normal density of variance ½.",
		Answer: func(a float64) float64 { return (1 + math.Erf(a)) / 2 }},
	{Key: "root-two-upside-down", Hint: 2, Message: "The √2 multiplies where it divides: with θ = √2·u the upper limit θ = a becomes u = a/√2.",
		Answer: func(a float64) float64 { return (1 + math.Erf(a*math.Sqrt2)) / 2 }},
	{Key: "half-inside", Hint: 2, Message: "The argument of erf is divided by 2, where it is divided by √2: (a/√2)² = a²/2.",
		Answer: func(a float64) float64 { return (1 + math.Erf(a/2)) / 2 }},
	{Key: "missing-half", Hint: 3, Message: "This runs from 0 to 2: a factor ½ is missing.",
		Answer: func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }},
	{Key: "half-of-one-term", Hint: 3, Message: "This runs from −½ to 1½: the ½ belongs to both terms.",
		Answer: func(a float64) float64 { return 0.5 + math.Erf(a/math.Sqrt2) }},
	{Key: "one-left-out", Hint: 1, Message: "This runs from −½ to ½: the area left of 0 is missing.",
		Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / 2 }},
	{Key: "erf-itself", Hint: 1, Message: "This runs from −1 to 1: it is erf(a/√2), the area between −a and a. Φ(a) is the area left of a.",
		Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }},
	{Key: "erf-itself", Answer: math.Erf, Hint: 1, Message: "This is the library's erf itself, which runs from −1 to 1. Φ runs from 0 to 1."},
	{Key: "upper-tail", Hint: 1, Message: "This is the area to the right of a. Φ(a) is the area to the left; the two are Φ(a) and Φ(−a).",
		Answer: func(a float64) float64 { return math.Erfc(a/math.Sqrt2) / 2 }},
	{Key: "density", Answer: kernel.NormPDF, Hint: 1, Message: "This is the normal density, of which Φ is the integral."},
	{Key: "not-normalised", Hint: 2, Message: "This is the integral of exp(−θ²/2) without the factor 1/√(2π).",
		Answer: func(a float64) float64 { return math.Sqrt(2*math.Pi) * kernel.NormCDF(a) }},
	{Key: "logistic", Answer: kernel.Sigmoid, Hint: 1, Message: "This is the logistic sigmoid, another curve of the same shape."},
	{Key: "logistic", Hint: 1, Message: "This is the logistic approximation σ(1.702·a), good to about 0.01. Asked for is Φ itself.",
		Answer: func(a float64) float64 { return kernel.Sigmoid(1.702 * a) }},
	{Key: "logistic", Hint: 1, Message: "This is the logistic approximation with the same slope at 0. Asked for is Φ itself.",
		Answer: func(a float64) float64 { return kernel.Sigmoid(a * math.Sqrt(8/math.Pi)) }},
})

var askErf = question("ErfPRML", func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) }, []judge.Mistake[function]{
	{Key: "usual-erf", Answer: math.Erf, Hint: 2, Message: "This is the usual erf, with exp(−θ²) under the integral. The chapter's has exp(−θ²/2)."},
	{Key: "root-two-outside", Hint: 2, Message: "This is 2Φ(a) − 1, which goes to 1. A factor √2 is missing in front: the chapter keeps 2/√π where a normal density has 2/√(2π).",
		Answer: func(a float64) float64 { return math.Erf(a / math.Sqrt2) }},
	{Key: "root-two-inside", Hint: 2, Message: "The limit ±√2 is right, but the curve rises too fast: a √2 is missing inside, in the argument.",
		Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(a) }},
	{Key: "root-two-divides", Hint: 3, Message: "This is half of it: the √2 in front divides where it multiplies, or the ½ of (4.116) was lost on the way. Solve (4.116) for erf once more.",
		Answer: func(a float64) float64 { return math.Erf(a/math.Sqrt2) / math.Sqrt2 }},
	{Key: "root-two-upside-down", Hint: 2, Message: "Both √2 are upside down: this is the substitution in the other direction.",
		Answer: func(a float64) float64 { return math.Erf(math.Sqrt2*a) / math.Sqrt2 }},
	{Key: "root-two-upside-down", Hint: 2, Message: "The √2 inside multiplies where it divides.",
		Answer: func(a float64) float64 { return math.Sqrt2 * math.Erf(math.Sqrt2*a) }},
	{Key: "one-left-out", Hint: 3, Message: "This is 2√2·Φ(a), which is not 0 at a = 0: the 1 of (4.116) was not taken off.",
		Answer: func(a float64) float64 { return 2 * math.Sqrt2 * kernel.NormCDF(a) }},
	{Key: "one-left-out", Hint: 3, Message: "In solving (4.116), the factor ½ applies to the 1 as well.",
		Answer: func(a float64) float64 { return math.Sqrt2 * (kernel.NormCDF(a) - 1) }},
	{Key: "probit-itself", Answer: kernel.NormCDF, Hint: 1, Message: "This is Φ itself. The chapter's erf is an integral from 0, so that it vanishes there."},
	{Key: "prefactor", Hint: 2, Message: "This is the integral without the factor 2/√π in front.",
		Answer: func(a float64) float64 { return math.Sqrt(math.Pi/2) * math.Erf(a/math.Sqrt2) }},
	{Key: "sign", Hint: 1, Message: "The sign is turned: the integral from 0 to a positive a is positive.",
		Answer: func(a float64) float64 { return -math.Sqrt2 * math.Erf(a/math.Sqrt2) }},
	{Key: "complement", Hint: 1, Message: "This is the integral from a to ∞. The chapter's runs from 0 to a.",
		Answer: func(a float64) float64 { return math.Sqrt2 * math.Erfc(a/math.Sqrt2) }},
})

func init() {
	judge.Known(exercise, askProbit, func(f function) *verify.Report {
		return Check(f, func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) })
	})
	judge.Known(exercise, askErf, func(f function) *verify.Report { return Check(kernel.NormCDF, f) })
}
