package lesson05

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

var askWeights = &judge.Question[sphericalFunc, classes]{
	Func: "Spherical", Name: "w", Hint: 3, Per: "weight, the bias first", New: true, Unit: units,
	Ask: func(f sphericalFunc, c *judge.Call, p classes) []float64 {
		return c.Vector("w", f(c.Slice("mu1", p.mu1), c.Slice("mu2", p.mu2), p.lambda, p.p1), len(p.mu1)+1,
			"weight, the bias first")
	},
	Right: right,
	Mistakes: []judge.Mistake[sphericalFunc]{
		{Key: "other-class", Hint: 1,
			Message: "All signs are turned: these are the log odds of class 2. Class 1 stands in the numerator, so they grow towards μ₁.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				out := weights(bias, slope)(mu1, mu2, lambda, p1)
				floats.Scale(-1, out)
				return out
			}},
		{Key: "slide", Hint: 2,
			Message: "That is the left side of the boundary's equation as on Gambosi's slide, −2λ times the log odds. It is 0 at the same places, but its sigmoid is not the posterior.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return q1 - q2 - 2*lambda*math.Log(odds) },
				func(v, _ float64) float64 { return -2 * v })},
		{Key: "times-lambda", Hint: 2,
			Message: "Your boundary is right, but all is λ times too large: λ has been multiplied out. For the log odds it stays in the denominator.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/2 + lambda*math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "no-lambda", Hint: 2,
			Message: "λ is missing: the weights and the squares in the bias are divided by it. The wider the classes are, the less sure is the posterior.",
			Answer: weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "lambda-in-weights-only", Hint: 2,
			Message: "The weights are divided by λ, and the squares of the means in the bias are not.",
			Answer:  weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) }, slope)},
		{Key: "deviation", Hint: 1,
			Message: "You divide by λ²: λ is the variance of each feature already, not its standard deviation.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				return weights(bias, slope)(mu1, mu2, lambda*lambda, p1)
			}},
		{Key: "no-half", Hint: 2,
			Message: "The squares of the means have the factor ½ in the bias. Without it the boundary is not halfway between the means.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/lambda + math.Log(odds) },
				slope)},
		{Key: "bias-sign", Hint: 2,
			Message: "The squares of the means have the wrong signs in the bias: the larger ‖μ₁‖, the farther the boundary lies from 0 on its side.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q1-q2)/(2*lambda) + math.Log(odds) },
				slope)},
		{Key: "not-squared", Hint: 2, Message: "The bias has the lengths of the means, where their squares belong.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 {
				return (math.Sqrt(q2)-math.Sqrt(q1))/(2*lambda) + math.Log(odds)
			}, slope)},
		{Key: "no-midpoint", Hint: 2,
			Message: "The bias has no squares of the means: your boundary of equal priors runs through the origin, and not between the classes.",
			Answer:  weights(func(_, _, _, odds float64) float64 { return math.Log(odds) }, slope)},
		{Key: "bias-last", Hint: 3, Message: "The bias comes last. Weights have it first here, in entry 0.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				w := weights(bias, slope)(mu1, mu2, lambda, p1)
				return append(slices.Clone(w[1:]), w[0])
			}},
		{Key: "prior-inverted", Hint: 3,
			Message: "The quotient of the priors is upside down: class 1 comes first, as everywhere in the log odds. (One of Gambosi's slides prints it the other way.)",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, 1/odds) },
				slope)},
		{Key: "no-prior", Hint: 3, Message: "The priors are missing: your answer is the same for every p₁.",
			Answer: weights(func(q1, q2, lambda, _ float64) float64 { return bias(q1, q2, lambda, 1) }, slope)},
		{Key: "prior-alone", Hint: 3,
			Message: "You add ln p₁. It is the quotient of both priors that counts, and the other one is 1 − p₁.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, odds/(1+odds)) },
				slope)},
		{Key: "prior-no-logarithm", Hint: 3,
			Message: "The quotient of the priors is added as it is: its logarithm belongs there.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, 1) + odds },
				slope)},
		{Key: "prior-by-lambda", Hint: 3,
			Message: "The logarithm of the priors is divided by λ as well. It has nothing to do with how wide the classes are.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 {
				return bias(q1, q2, lambda, 1) +
					math.Log(odds)/lambda
			}, slope)},
	},
}
