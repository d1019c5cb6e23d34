package ex21

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// values is a mistaken function on the grid.
func values(f scalar) func([]float64) []float64 {
	return func(grid []float64) []float64 {
		out := make([]float64, len(grid))
		for i, a := range grid {
			out[i] = f(a)
		}
		return out
	}
}

var probitMistakes = []learner.Mistake[[]float64]{
	{Key: "mixed-definitions", Hint: 2, Value: values(func(a float64) float64 { return (1 + math.Erf(a)/math.Sqrt2) / 2 }),
		Message: "This is (4.116) taken literally with math.Erf. The chapter's erf has exp(−θ²/2) under the integral, the library's has exp(−θ²): two functions of one name. Where does √2 go for the library's?"},
	{Key: "missing-root-two", Hint: 2, Value: values(func(a float64) float64 { return (1 + math.Erf(a)) / 2 }),
		Message: "This is Φ(√2·a): a √2 is missing in the argument of erf. The library's erf has exp(−θ²) under the integral, a normal density of variance ½."},
	{Key: "root-two-upside-down", Hint: 2, Value: values(func(a float64) float64 { return (1 + math.Erf(a*math.Sqrt2)) / 2 }),
		Message: "The √2 multiplies where it divides: with θ = √2·u the upper limit θ = a becomes u = a/√2."},
	{Key: "half-inside", Hint: 2, Value: values(func(a float64) float64 { return (1 + math.Erf(a/2)) / 2 }),
		Message: "The argument of erf is divided by 2, where it is divided by √2: (a/√2)² = a²/2."},
	{Key: "missing-half", Hint: 3, Value: values(func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }),
		Message: "This runs from 0 to 2: a factor ½ is missing."},
	{Key: "half-of-one-term", Hint: 3, Value: values(func(a float64) float64 { return 0.5 + math.Erf(a/math.Sqrt2) }),
		Message: "This runs from −½ to 1½: the ½ belongs to both terms."},
	{Key: "one-left-out", Hint: 1, Value: values(func(a float64) float64 { return math.Erf(a/math.Sqrt2) / 2 }),
		Message: "This runs from −½ to ½: the area left of 0 is missing."},
	{Key: "erf-itself", Hint: 1, Value: values(func(a float64) float64 { return math.Erf(a / math.Sqrt2) }),
		Message: "This runs from −1 to 1: it is erf(a/√2), the area between −a and a. Φ(a) is the area left of a."},
	{Key: "erf-itself", Hint: 1, Value: values(math.Erf),
		Message: "This is the library's erf itself, which runs from −1 to 1. Φ runs from 0 to 1."},
	{Key: "upper-tail", Hint: 1, Value: values(func(a float64) float64 { return math.Erfc(a/math.Sqrt2) / 2 }),
		Message: "This is the area to the right of a. Φ(a) is the area to the left; the two are Φ(a) and Φ(−a)."},
	{Key: "density", Hint: 1, Value: values(kernel.NormPDF),
		Message: "This is the normal density, of which Φ is the integral."},
	{Key: "not-normalised", Hint: 2, Value: values(func(a float64) float64 { return math.Sqrt(2*math.Pi) * kernel.NormCDF(a) }),
		Message: "This is the integral of exp(−θ²/2) without the factor 1/√(2π)."},
	{Key: "logistic", Hint: 1, Value: values(kernel.Sigmoid),
		Message: "This is the logistic sigmoid, another curve of the same shape."},
	{Key: "logistic", Hint: 1, Value: values(func(a float64) float64 { return kernel.Sigmoid(1.702 * a) }),
		Message: "This is the logistic approximation σ(1.702·a), good to about 0.01. Asked for is Φ itself."},
	{Key: "logistic", Hint: 1, Value: values(func(a float64) float64 { return kernel.Sigmoid(a * math.Sqrt(8/math.Pi)) }),
		Message: "This is the logistic approximation with the same slope at 0. Asked for is Φ itself."},
}

var erfMistakes = []learner.Mistake[[]float64]{
	{Key: "usual-erf", Hint: 2, Value: values(math.Erf),
		Message: "This is the usual erf, with exp(−θ²) under the integral. The chapter's has exp(−θ²/2)."},
	{Key: "root-two-outside", Hint: 2, Value: values(func(a float64) float64 { return math.Erf(a / math.Sqrt2) }),
		Message: "This is 2Φ(a) − 1, which goes to 1. A factor √2 is missing in front: the chapter keeps 2/√π where a normal density has 2/√(2π)."},
	{Key: "root-two-inside", Hint: 2, Value: values(func(a float64) float64 { return math.Sqrt2 * math.Erf(a) }),
		Message: "The limit ±√2 is right, but the curve rises too fast: a √2 is missing inside, in the argument."},
	{Key: "root-two-divides", Hint: 3, Value: values(func(a float64) float64 { return math.Erf(a/math.Sqrt2) / math.Sqrt2 }),
		Message: "This is half of it: the √2 in front divides where it multiplies, or the ½ of (4.116) was lost on the way. Solve (4.116) for erf once more."},
	{Key: "root-two-upside-down", Hint: 2, Value: values(func(a float64) float64 { return math.Erf(math.Sqrt2*a) / math.Sqrt2 }),
		Message: "Both √2 are upside down: this is the substitution in the other direction."},
	{Key: "root-two-upside-down", Hint: 2, Value: values(func(a float64) float64 { return math.Sqrt2 * math.Erf(math.Sqrt2*a) }),
		Message: "The √2 inside multiplies where it divides."},
	{Key: "one-left-out", Hint: 3, Value: values(func(a float64) float64 { return 2 * math.Sqrt2 * kernel.NormCDF(a) }),
		Message: "This is 2√2·Φ(a), which is not 0 at a = 0: the 1 of (4.116) was not taken off."},
	{Key: "one-left-out", Hint: 3, Value: values(func(a float64) float64 { return math.Sqrt2 * (kernel.NormCDF(a) - 1) }),
		Message: "In solving (4.116), the factor ½ applies to the 1 as well."},
	{Key: "probit-itself", Hint: 1, Value: values(kernel.NormCDF),
		Message: "This is Φ itself. The chapter's erf is an integral from 0, so that it vanishes there."},
	{Key: "prefactor", Hint: 2, Value: values(func(a float64) float64 { return math.Sqrt(math.Pi/2) * math.Erf(a/math.Sqrt2) }),
		Message: "This is the integral without the factor 2/√π in front."},
	{Key: "sign", Hint: 1, Value: values(func(a float64) float64 { return -math.Sqrt2 * math.Erf(a/math.Sqrt2) }),
		Message: "The sign is turned: the integral from 0 to a positive a is positive."},
	{Key: "complement", Hint: 1, Value: values(func(a float64) float64 { return math.Sqrt2 * math.Erfc(a/math.Sqrt2) }),
		Message: "This is the integral from a to ∞. The chapter's runs from 0 to a."},
}
