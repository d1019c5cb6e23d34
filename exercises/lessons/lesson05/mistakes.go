package lesson05

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
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
			Message: "All your signs are reversed: these are the log odds of class 2. With class 1 in the numerator the log odds increase towards μ₁.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				out := weights(bias, slope)(mu1, mu2, lambda, p1)
				floats.Scale(-1, out)
				return out
			}},
		{Key: "slide", Hint: 2,
			Message: "Your function is the left side of the boundary's equation on Gambosi's slide, −2λ times the log odds. It is 0 at the same points, but its sigmoid is not the posterior.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return q1 - q2 - 2*lambda*math.Log(odds) },
				func(v, _ float64) float64 { return -2 * v })},
		{Key: "times-lambda", Hint: 2,
			Message: "Your boundary is right, but all weights are λ times too large: you multiplied the equation by λ. In the log odds λ stays in the denominator.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/2 + lambda*math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "no-lambda", Hint: 2,
			Message: "λ is missing: divide the weights, and the squares in the bias, by λ. For wider classes the posterior is less certain.",
			Answer: weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "lambda-in-weights-only", Hint: 2,
			Message: "You divide the weights by λ, but not the squares of the means in the bias.",
			Answer:  weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) }, slope)},
		{Key: "deviation", Hint: 1,
			Message: "You divide by λ². λ is the variance of each feature, not its standard deviation.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				return weights(bias, slope)(mu1, mu2, lambda*lambda, p1)
			}},
		{Key: "no-half", Hint: 2,
			Message: "The factor ½ of the squared means in the bias is missing. Without this factor the boundary is not halfway between the means.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/lambda + math.Log(odds) },
				slope)},
		{Key: "bias-sign", Hint: 2,
			Message: "The squares of the means have the wrong signs in the bias: the larger ‖μ₁‖, the farther the boundary lies from 0 on its side.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q1-q2)/(2*lambda) + math.Log(odds) },
				slope)},
		{Key: "not-squared", Hint: 2, Message: "Your bias contains the lengths of the means instead of their squares.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 {
				return (math.Sqrt(q2)-math.Sqrt(q1))/(2*lambda) + math.Log(odds)
			}, slope)},
		{Key: "no-midpoint", Hint: 2,
			Message: "Your bias does not contain the squares of the means, so with equal priors your boundary passes through the origin instead of between the classes.",
			Answer:  weights(func(_, _, _, odds float64) float64 { return math.Log(odds) }, slope)},
		{Key: "bias-last", Hint: 3, Message: "Your bias is the last entry. Return the bias first, in entry 0.",
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
			Message: "You add ln p₁. Add the logarithm of the quotient of both priors; the other prior is 1 − p₁.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, odds/(1+odds)) },
				slope)},
		{Key: "prior-no-logarithm", Hint: 3,
			Message: "You add the quotient of the priors. Add its logarithm instead.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, 1) + odds },
				slope)},
		{Key: "prior-by-lambda", Hint: 3,
			Message: "You divide the logarithm of the priors by λ as well. This term does not depend on the width of the classes.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 {
				return bias(q1, q2, lambda, 1) +
					math.Log(odds)/lambda
			}, slope)},
	},
}
