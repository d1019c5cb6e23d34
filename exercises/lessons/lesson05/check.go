// Package lesson05 judges the task of lesson 5: the log odds of two spherical Gaussian
// classes.
package lesson05

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type sphericalFunc = func(mu1, mu2 []float64, lambda, p1 float64) []float64

// Check judges `spherical`, which returns the weights (4.66) and (4.67) for the covariance Σ = λI.
func Check(spherical sphericalFunc) *verify.Report {
	return exercise.Judge(weightsQuestion.Parts(spherical, []judge.Property[classPair]{
		judge.Form[classPair]("a bias and a weight for each feature, new, and the same on every call", ofKinds(even, uneven),
			nil, judge.Wrong{}, "You returned a bias and a weight for each feature, in a new slice."),
		{Name: "equal priors: the boundary is halfway between the means", Problems: ofKinds(even),
			Holds: compareWeights,
			Wrong: judge.Wrong{Key: "weights", Hint: 2,
				Message: "{problem}: your weights are not the weights of the log odds (4.65)–(4.67) with Σ = λI. With equal priors the log odds are 0 halfway between the means, and change by ‖μ₁ − μ₂‖²/λ from one mean to the other."},
			Right: "With equal priors your log odds are 0 halfway between the means, and have the slope that λ requires."},
		{Name: "the prior moves the bias", Problems: ofKinds(even, uneven), Holds: compareWeights,
			Wrong: judge.Wrong{Key: "prior", Hint: 3,
				Message: "{problem}: your weights are wrong, although they are right for equal priors. Add the logarithm of the quotient of the priors to the bias, and change nothing else."},
			Right: "Other priors change the bias by the logarithm of their quotient, and change no weight."},
		{Name: "rare classes, one feature, any unit, equal means", Problems: ofKinds(even, uneven, limits),
			Holds: compareWeights,
			Wrong: judge.Wrong{Key: "limits", Hint: 3, Message: "{problem}: your log odds are wrong, although they are right for classes without such extreme values."},
			Right: "Your log odds are also right for rare classes, for equal means, and in other units."},
	}...)...)
}

// compareWeights compares `got` with the right weights. The error of each weight must be at most
// 1e-9 times the size that termSizes returns for this weight.
func compareWeights(c classPair, got []float64) verify.Finding {
	want, unit := rightWeights(c), termSizes(c, nil)
	return verify.CloseSlice(floats.DivTo(make([]float64, len(got)), got, unit),
		floats.DivTo(make([]float64, len(want)), want, unit), verify.Tolerance{Abs: 1e-9})
}

// rightWeights returns the right weights. The bias is the sum of ln(p₁/(1 − p₁)) and the bias for
// equal priors, for which the boundary is midway between the means.
func rightWeights(c classPair) []float64 {
	out := make([]float64, len(c.mu1)+1)
	out[0] = math.Log(c.p1) - math.Log1p(-c.p1)
	for i := range c.mu1 {
		out[i+1] = (c.mu1[i] - c.mu2[i]) / c.lambda
		out[0] -= out[i+1] * (c.mu1[i] + c.mu2[i]) / 2
	}
	return out
}

// termSizes returns one size for each weight. A weight is a sum, and its size is the sum of the
// absolute values of its terms. Rounding errors are proportional to these sizes, so tolerances must
// be, too.
func termSizes(c classPair, _ []float64) []float64 {
	unit := make([]float64, len(c.mu1)+1)
	for i := range c.mu1 {
		unit[0] += (c.mu1[i]*c.mu1[i] + c.mu2[i]*c.mu2[i]) / (2 * c.lambda)
		unit[i+1] = (math.Abs(c.mu1[i]) + math.Abs(c.mu2[i])) / c.lambda
	}
	unit[0] += math.Abs(math.Log(c.p1)) + math.Abs(math.Log1p(-c.p1))
	return unit
}

// classPair contains two Gaussian classes with the covariance λI.
type classPair struct {
	name       string
	mu1, mu2   []float64
	lambda, p1 float64
}

func (c classPair) String() string {
	return fmt.Sprintf("%s (μ₁ = %.3g, μ₂ = %.3g, λ = %.3g, p₁ = %.3g)", c.name, c.mu1, c.mu2, c.lambda, c.p1)
}

type kind int

const (
	even kind = iota
	uneven
	limits
)

// ofKinds returns a function that draws pairs of classes of the given kinds, with one to four
// features.
var ofKinds = instance.OfKinds(5005, 8, draw)

func draw(r *rand.Rand, k kind, i int) classPair {
	d := 1 + i%4
	c := classPair{"two round classes", instance.Normals(r, d), instance.Normals(r, d), math.Pow(4, 2*r.Float64()-1), 0.5}
	if k == uneven {
		c.name, c.p1 = "priors that differ", 0.05+0.9*r.Float64()
	}
	if k == limits {
		c = moveToLimit(c, i)
	}
	return c
}

// moveToLimit returns c after changing it to one of the extreme cases that the exercise allows.
func moveToLimit(c classPair, i int) classPair {
	if i == 5 {
		c.name = "means far from the origin"
		floats.AddConst(100*math.Sqrt(c.lambda), c.mu1)
		floats.AddConst(100*math.Sqrt(c.lambda), c.mu2)
		return c
	}
	switch i % 4 {
	case 0:
		c.name, c.p1 = "a rare class", 1e-9
	case 1:
		c.name, c.p1 = "a class with nearly all the probability", 1-1e-6
	case 2:
		c.name, c.mu2, c.p1 = "equal means", slices.Clone(c.mu1), 0.25
	default:
		c.name, c.lambda = "other units", c.lambda*1e8
		floats.Scale(1e4, c.mu1)
		floats.Scale(1e4, c.mu2)
	}
	return c
}

// weights returns an answer that computes the bias with the function w0 and the other weights with
// the function w. The arguments q1 and q2 of w0 are the squared lengths of the means. The answer is
// right if w0 is `bias` and w is `slope`.
func weights(w0 func(q1, q2, lambda, odds float64) float64, w func(difference, lambda float64) float64) sphericalFunc {
	return func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
		out := []float64{w0(floats.Dot(mu1, mu1), floats.Dot(mu2, mu2), lambda, p1/(1-p1))}
		for i := range mu1 {
			out = append(out, w(mu1[i]-mu2[i], lambda))
		}
		return out
	}
}

func slope(difference, lambda float64) float64 { return difference / lambda }

func bias(q1, q2, lambda, odds float64) float64 { return (q2-q1)/(2*lambda) + math.Log(odds) }

var weightsQuestion = &judge.Question[sphericalFunc, classPair]{
	Func: "Spherical", Name: "w", Hint: 3, Per: "weight, the bias first", New: true, Unit: termSizes,
	Invoke: func(f sphericalFunc, c *judge.Call, p classPair) []float64 {
		return c.Vector("w", f(c.Slice("mu1", p.mu1), c.Slice("mu2", p.mu2), p.lambda, p.p1), len(p.mu1)+1,
			"weight, the bias first")
	},
	Right: rightWeights,
	Mistakes: []judge.Mistake[sphericalFunc]{
		{Key: "other-class", Hint: 1,
			Message: "All your signs are reversed: your weights belong to the log odds of class 2. With class 1 in the numerator the log odds increase towards μ₁.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				out := weights(bias, slope)(mu1, mu2, lambda, p1)
				floats.Scale(-1, out)
				return out
			}},
		{Key: "slide", Hint: 2,
			Message: "Your function is −2λ times the log odds, as in the equation of the boundary on Gambosi's slide. It is 0 where the log odds are 0, but its sigmoid is not the posterior.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return q1 - q2 - 2*lambda*math.Log(odds) },
				func(v, _ float64) float64 { return -2 * v })},
		{Key: "times-lambda", Hint: 2,
			Message: "Your boundary is right, but each of your weights is λ times the right weight, as if you had multiplied the equation of the boundary by λ. In the log odds λ stays in the denominator.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/2 + lambda*math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "no-lambda", Hint: 2,
			Message: "λ is missing from your weights: divide the weights, and the squares in the bias, by λ. For wider classes the posterior is less certain.",
			Answer: weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) },
				func(v, _ float64) float64 { return v })},
		{Key: "lambda-in-weights-only", Hint: 2,
			Message: "Your weights are divided by λ, but not the squares of the means in the bias.",
			Answer:  weights(func(q1, q2, _, odds float64) float64 { return (q2-q1)/2 + math.Log(odds) }, slope)},
		{Key: "deviation", Hint: 1,
			Message: "Your weights and your bias contain λ² in place of λ. λ is the variance of each feature, not its standard deviation.",
			Answer: func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
				return weights(bias, slope)(mu1, mu2, lambda*lambda, p1)
			}},
		{Key: "no-half", Hint: 2,
			Message: "In your bias the factor ½ of the squared means is missing. Without this factor the boundary is not halfway between the means.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return (q2-q1)/lambda + math.Log(odds) },
				slope)},
		{Key: "bias-sign", Hint: 2,
			Message: "The squares of the means have the wrong signs in your bias. The larger ‖μ₁‖ is, the smaller the bias must be.",
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
		{Key: "no-prior", Hint: 3, Message: "The priors are missing, or have no effect: your answer is the same for every p₁.",
			Answer: weights(func(q1, q2, lambda, _ float64) float64 { return bias(q1, q2, lambda, 1) }, slope)},
		{Key: "prior-alone", Hint: 3,
			Message: "Your bias contains ln p₁ alone. Add the logarithm of the quotient of both priors; the other prior is 1 − p₁.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, odds/(1+odds)) },
				slope)},
		{Key: "prior-no-logarithm", Hint: 3,
			Message: "Your bias contains the quotient of the priors. Add its logarithm instead.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 { return bias(q1, q2, lambda, 1) + odds },
				slope)},
		{Key: "prior-by-lambda", Hint: 3,
			Message: "In your bias you divide the logarithm of the quotient of the priors by λ. Do not divide this term, because it does not depend on the width of the classes.",
			Answer: weights(func(q1, q2, lambda, odds float64) float64 {
				return bias(q1, q2, lambda, 1) +
					math.Log(odds)/lambda
			}, slope)},
	},
}

func init() { judge.Known(exercise, weightsQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson05", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
