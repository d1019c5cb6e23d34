package ex12

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A misconception is a function that a known mistake leads to.
type misconception struct {
	key     string
	f       function
	hint    int
	message string
}

var misconceptions = []misconception{
	{"plus", func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }, 2,
		"This is σ(1+σ). Where σ nears 1 the curve is flat, so the other factor must vanish there: check its sign."},
	{"negative", func(a float64) float64 { return -slope(a) }, 1,
		"This is −σ(1−σ). σ rises everywhere; the chain rule brings two minuses, one from the reciprocal, one from e^−a."},
	{"sigma", kernel.Sigmoid, 1,
		"This is σ itself, not its derivative. (Of the exponential the derivative is the function itself, of σ it is not.)"},
	{"complement", func(a float64) float64 { return kernel.Sigmoid(-a) }, 2,
		"This is 1−σ(a), the derivative of ln σ(a). For σ itself it is multiplied by σ."},
	{"sigma-squared", func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, 2,
		"This is 1/(1+e^−a)² = σ². The square from the reciprocal is there; the inner derivative, that of 1+e^−a, is missing."},
	{"complement-squared", func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }, 2,
		"This is (1−σ)². The derivative is a product of two different factors."},
	{"sigma-squared", func(a float64) float64 { return -math.Pow(kernel.Sigmoid(a), 2) }, 2,
		"This is −1/(1+e^−a)²: the derivative of 1/u with u = 1+e^−a, without the inner derivative du/da."},
	{"takes-y", func(a float64) float64 { return a * (1 - a) }, 2,
		"This is a(1−a): it would be right if it were handed y = σ(a). Here it is handed a, so σ has to be applied first."},
	{"square-missing", func(a float64) float64 { return -kernel.Sigmoid(-a) }, 2,
		"This is −e^−a/(1+e^−a): the reciprocal 1/u has the derivative −1/u², with a square."},
	{"inner-only", func(a float64) float64 { return -math.Exp(-a) }, 2,
		"This is −e^−a, the derivative of the denominator alone."},
	{"exp-for-square", func(a float64) float64 { return math.Exp(-a) }, 2,
		"This is e^−a: the denominator (1+e^−a)² is missing."},
	{"sign-of-exponent", func(a float64) float64 { return math.Exp(a) * math.Pow(kernel.Sigmoid(a), 2) }, 2,
		"This is e^a/(1+e^−a)²: the exponents above and below the line have different signs. Which one is the derivative of 1+e^−a?"},
	{"reciprocal", func(a float64) float64 { return 1 / slope(a) }, 2,
		"This is 1/{σ(1−σ)}. That is the slope of the inverse function, the logit, at y = σ(a): da/dy instead of dy/da."},
	{"reciprocal", func(a float64) float64 { return 1 / (a * (1 - a)) }, 2,
		"This is 1/{a(1−a)}, the slope of the logit at a: of the inverse function."},
	{"second-derivative", func(a float64) float64 { return slope(a) * (kernel.Sigmoid(-a) - kernel.Sigmoid(a)) }, 2,
		"This is σ(1−σ)(1−2σ), the second derivative: one differentiation too many."},
	{"probit", func(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }, 1,
		"This is the density of the normal distribution, the derivative of the probit function Φ."},
	{"tanh", func(a float64) float64 { return 1 - math.Pow(math.Tanh(a), 2) }, 1,
		"This is 1 − tanh²(a), the derivative of tanh(a). The two curves are related by σ(a) = (1+tanh(a/2))/2; mind both halves."},
	{"twice-as-steep", func(a float64) float64 { return slope(2 * a) }, 2,
		"This is σ(2a){1−σ(2a)}: the shape is right and the axis is stretched. In 1/{4 cosh²(a/2)} the argument is a/2."},
	{"quarter", func(float64) float64 { return 0.25 }, 1,
		"This is ¼ for every a, the slope at 0. Elsewhere the curve is flatter."},
	{"zero", func(float64) float64 { return 0 }, 2,
		"Your function is 0 everywhere. In Go a division of whole numbers drops the rest; or is σ rounded to 0 or 1 before σ(1−σ) is formed?"},
	{"logarithm", func(a float64) float64 { return math.Log(kernel.Sigmoid(a)) + math.Log(kernel.Sigmoid(-a)) }, 3,
		"This is ln{σ(1−σ)}: the logarithm has not been undone."},
}

// recognise names the mistake that a function looks like at all places: equal to
// it up to rounding, and NaN or infinite where it is.
func recognise(f function, places []float64) (misconception, bool) {
	for _, m := range misconceptions {
		alike := true
		for _, a := range places {
			got, like := f(a), m.f(a)
			same := math.IsNaN(got) && math.IsNaN(like) || verify.Close(got, like, verify.Tolerance{Rel: 1e-9}).OK
			alike = alike && same
		}
		if alike {
			return m, true
		}
	}
	return misconception{}, false
}

// multiple finds c with f = c·dσ/da at all places.
func multiple(f function, places []float64) (c float64, ok bool) {
	c = f(0) / slope(0)
	for _, a := range places {
		if !verify.Close(f(a), c*slope(a), verify.Tolerance{Rel: 1e-9}).OK {
			return 0, false
		}
	}
	return c, true
}
