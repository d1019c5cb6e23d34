// Package ex12 judges PRML exercise 4.12: the derivative of the logistic sigmoid.
package ex12

import (
	"embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/dual"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges dSigmoid, the derivative (4.88) of the logistic sigmoid at any
// real a.
func Check(dSigmoid func(a float64) float64) *verify.Report {
	return exercise.Judge(ask.Parts(dSigmoid, []judge.Property[place]{
		judge.Form("a finite number, the same on every call", places, nil, judge.Wrong{},
			"You returned a number for every a."),
		{Name: "it is the slope of σ, by finite differences and by dual numbers", On: places, Holds: isSlope,
			Wrong: judge.Wrong{Key: "slope", Hint: 2,
				Message: "At {problem} the slope of σ, by finite differences, is not yours: {off}."},
			Right: "At many places your slope is that of σ: by central differences to about 7 digits, by dual numbers to about 11."},
		{Name: "the same slope at a and at −a", On: right,
			First: func(a place, got []float64) *verify.Verdict {
				return judge.FailIf(got[0] != 0 && math.Abs(dSigmoid(float64(-a))+got[0]) <= 1e-12*math.Abs(got[0]),
					"odd", 1, "Your slopes at a and −a have opposite signs. σ rises everywhere, on both sides of 0.")
			},
			Holds: func(a place, got []float64) verify.Finding { // 1e-15: rounding of differences near 1
				return verify.Close(dSigmoid(float64(-a)), got[0], verify.Tolerance{Abs: 1e-15, Rel: 1e-11})
			},
			Wrong: judge.Wrong{Key: "not-even", Hint: 1,
				Message: "The slopes at {problem} and on the other side of 0 should agree and differ: {off}. Differentiate σ(−a) = 1 − σ(a) on both sides."},
			Right: "The slope is an even function, as σ(−a) = 1 − σ(a) demands; it is largest at 0."},
		{Name: "far out: right to 10⁻¹⁵, never NaN", On: far, Limits: true, First: clipped,
			Holds: func(a place, got []float64) verify.Finding {
				return verify.Close(got[0], slope(float64(a)), verify.Tolerance{Abs: 1e-15, Rel: 1e-11})
			},
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "At {problem} your slope is {off}, and 10⁻¹⁵ is allowed. Is the tail cut off, or formed of a rounded σ?"},
			Right: "No NaN.", Note: digits},
		{Name: "the area under it, up to a, is σ(a)", On: func() []place { return []place{-6, -1, 0, 0.7, 3, 50} },
			Holds: func(b place, _ []float64) verify.Finding { return area(dSigmoid, float64(b)) },
			Wrong: judge.Wrong{Key: "area", Hint: 1,
				Message: "The area under your function from far left to {problem} should be σ(a), and 1 over the whole axis: it is {off}."},
			Right: "Integrating your slope gives σ back, and 1 over the whole axis: dσ/da is a probability density, that of the logistic distribution."},
	}...)...)
}

var ask = &judge.Question[function, place]{
	Func: "DSigmoid", Name: "slope", Hint: 1,
	Ask: func(f function, c *judge.Call, a place) []float64 {
		v, key, side := f(float64(a)), "overflow", "left of −709.8 e^−a"
		if a > 0 {
			key, side = "overflow-right", "right of 709.8 e^a"
		}
		if math.IsNaN(v) && math.Abs(float64(a)) > 700 {
			c.Say(judge.Fail(key, 3,
				"At %v you return NaN. To the %s is Inf in Go: 1/Inf is 0, but Inf/Inf and 0·Inf are NaN. Which form of the derivative contains no such power on its own?", a, side))
		}
		return []float64{v}
	},
	Right: func(a place) []float64 { return []float64{slope(float64(a))} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: at {problem} you are {off}. Was the derivative taken as a difference quotient, or computed with rounded constants? The formula gives all digits."},
	Sign: judge.Wrong{Key: "negative", Hint: 1,
		Message: "Your function is the slope of σ times a negative number. σ rises everywhere; the chain rule brings two minuses, from the reciprocal and from e^−a."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your function is the slope of σ times one number. Compare at a = 0, where σ(1−σ) is a product of two halves; with hyperbolic functions, mind that their argument is a/2."},
	Mistakes: []judge.Mistake[function]{
		{Key: "plus", Hint: 2,
			Message: "This is σ(1+σ). Where σ nears 1 the curve is flat, so the other factor must vanish there: check its sign.",
			Answer:  func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }},
		{Key: "sigma", Answer: kernel.Sigmoid, Hint: 1,
			Message: "This is σ itself, not its derivative. (Of the exponential the derivative is the function itself, of σ it is not.)"},
		{Key: "complement", Answer: func(a float64) float64 { return kernel.Sigmoid(-a) }, Hint: 2,
			Message: "This is 1−σ(a), the derivative of ln σ(a). For σ itself it is multiplied by σ."},
		{Key: "sigma-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "This is 1/(1+e^−a)² = σ². The square from the reciprocal is there; the inner derivative, that of 1+e^−a, is missing."},
		{Key: "complement-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }, Hint: 2,
			Message: "This is (1−σ)². The derivative is a product of two different factors."},
		{Key: "sigma-squared", Answer: func(a float64) float64 { return -math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "This is −1/(1+e^−a)²: the derivative of 1/u with u = 1+e^−a, without the inner derivative du/da."},
		{Key: "takes-y", Answer: func(a float64) float64 { return a * (1 - a) }, Hint: 2,
			Message: "This is a(1−a): it would be right if it were handed y = σ(a). Here it is handed a, so σ has to be applied first."},
		{Key: "square-missing", Answer: func(a float64) float64 { return -kernel.Sigmoid(-a) }, Hint: 2,
			Message: "This is −e^−a/(1+e^−a): the reciprocal 1/u has the derivative −1/u², with a square."},
		{Key: "inner-only", Answer: func(a float64) float64 { return -math.Exp(-a) }, Hint: 2,
			Message: "This is −e^−a, the derivative of the denominator alone."},
		{Key: "exp-for-square", Answer: func(a float64) float64 { return math.Exp(-a) }, Hint: 2,
			Message: "This is e^−a: the denominator (1+e^−a)² is missing."},
		{Key: "sign-of-exponent", Hint: 2,
			Message: "This is e^a/(1+e^−a)²: the exponents above and below the line have different signs. Which one is the derivative of 1+e^−a?",
			Answer:  func(a float64) float64 { return math.Exp(a) * math.Pow(kernel.Sigmoid(a), 2) }},
		{Key: "reciprocal", Answer: func(a float64) float64 { return 1 / slope(a) }, Hint: 2,
			Message: "This is 1/{σ(1−σ)}. That is the slope of the inverse function, the logit, at y = σ(a): da/dy instead of dy/da."},
		{Key: "reciprocal", Answer: func(a float64) float64 { return 1 / (a * (1 - a)) }, Hint: 2,
			Message: "This is 1/{a(1−a)}, the slope of the logit at a: of the inverse function."},
		{Key: "second-derivative", Hint: 2,
			Message: "This is σ(1−σ)(1−2σ), the second derivative: one differentiation too many.",
			Answer:  func(a float64) float64 { return slope(a) * (kernel.Sigmoid(-a) - kernel.Sigmoid(a)) }},
		{Key: "probit", Hint: 1,
			Message: "This is the density of the normal distribution, the derivative of the probit function Φ.",
			Answer:  func(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }},
		{Key: "tanh", Answer: func(a float64) float64 { return 1 - math.Pow(math.Tanh(a), 2) }, Hint: 1,
			Message: "This is 1 − tanh²(a), the derivative of tanh(a). The two curves are related by σ(a) = (1+tanh(a/2))/2; mind both halves."},
		{Key: "twice-as-steep", Answer: func(a float64) float64 { return slope(2 * a) }, Hint: 2,
			Message: "This is σ(2a){1−σ(2a)}: the shape is right and the axis is stretched. In 1/{4 cosh²(a/2)} the argument is a/2."},
		{Key: "quarter", Answer: func(float64) float64 { return 0.25 }, Hint: 1,
			Message: "This is ¼ for every a, the slope at 0. Elsewhere the curve is flatter."},
		{Key: "zero", Answer: func(float64) float64 { return 0 }, Hint: 2,
			Message: "Your function is 0 everywhere. In Go a division of whole numbers drops the rest; or is σ rounded to 0 or 1 before σ(1−σ) is formed?"},
		{Key: "logarithm", Hint: 3, Message: "This is ln{σ(1−σ)}: the logarithm has not been undone.",
			Answer: func(a float64) float64 { return math.Log(kernel.Sigmoid(a)) + math.Log(kernel.Sigmoid(-a)) }},
		{Key: "tanh", Answer: func(a float64) float64 { return 1 - math.Pow(kernel.Sigmoid(a), 2) }, Hint: 1,
			Message: "This is 1 − σ², the rule for tanh, whose values run from −1 to 1. Those of σ run from 0 to 1."},
		{Key: "not-positive", Answer: func(a float64) float64 { return 1 - 2*kernel.Sigmoid(a) }, Hint: 1,
			Message: "This is 1 − 2σ, which is negative where σ is above ½. σ rises everywhere."},
	},
}

// isSlope compares with central differences, and with dual numbers, which have more digits.
func isSlope(a place, got []float64) verify.Finding {
	numeric := verify.Close(got[0], verify.Derivative(kernel.Sigmoid, float64(a), 0),
		verify.Tolerance{Rel: 1e-7, Abs: 1e-10})
	if !numeric.OK {
		return numeric
	}
	// The tolerance leaves room for σ(1−σ), where 1−σ(8) has lost 4 of its 16 digits.
	return verify.Close(got[0], dualSlope(float64(a)), verify.Tolerance{Rel: 1e-11})
}

// clipped detects values above the right slope.
func clipped(a place, got []float64) *verify.Verdict {
	return judge.FailIf(got[0] > slope(float64(a))*(1+1e-11)+1e-15 && math.Abs(float64(a)) <= 1e4, "clipped", 3,
		"At %v you return %.3g, more than what is left of the slope there. Is a, or σ, kept inside limits?", a, got[0])
}

// area compares σ(b) with the integral from −50, where σ is 2e−22, to b by Simpson's rule.
func area(f function, b float64) verify.Finding {
	const from, n = -50.0, 4000
	h, sum := (b-from)/n, f(from)+f(b)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(from+float64(i)*h)
	}
	return verify.Close(sum*h/3, kernel.Sigmoid(b), verify.Tolerance{Abs: 1e-9})
}

// digits notes if digits are lost in the last two of the far places, −40 and 40.
func digits(answers [][]float64) string {
	keeps := func(v []float64) bool { return verify.Close(v[0], slope(40), verify.Tolerance{Rel: 1e-12}).OK }
	switch n := len(answers); {
	case keeps(answers[n-2]) && keeps(answers[n-1]):
		return "All digits are there on both sides: also where σ is 1 to the last one."
	case keeps(answers[n-2]):
		return "(One thing to know: at a = 40 your slope has no digits left, since 1−σ is formed from a σ that is already 1. σ(a)·σ(−a) keeps them.)"
	}
	return "(One thing to know: at |a| = 40 your slope has no digits left, since something next to 1 is subtracted from 1. σ(a)·σ(−a) keeps them.)"
}

// function is the learner's function.
type function = func(a float64) float64

// A place is a point a on the axis.
type place float64

func (a place) String() string { return fmt.Sprintf("a = %.4g", float64(a)) }

// places returns places in the middle. Places where mistakes divide by zero come later.
func places() []place {
	r := instance.Source(412, 1)
	list := []place{0.5, -0.5, 8, -8, 3, -5, 0, 1, -1}
	for range 60 {
		list = append(list, place(8*(2*r.Float64()-1)))
	}
	return list
}

// right returns places on the right, near and far.
func right() (list []place) {
	r := instance.Source(412, 2)
	for i := range 100 {
		a := 10 * r.Float64()
		if i%2 == 1 {
			a *= 60
		}
		list = append(list, place(a))
	}
	return list
}

// far returns places where the slope gets smaller and smaller, without gaps down to 1e−15, and
// places where powers overflow.
func far() (list []place) {
	for _, size := range []float64{9, 10, 12, 14, 17, 20, 25, 29, 31, 32, 33, 34, 37, 300, 360, 700, 710, 746, 800, 1e4,
		1e300, math.MaxFloat64, 40} {
		list = append(list, place(-size), place(size))
	}
	return list
}

// slope returns dσ/da = σ(a)σ(−a).
func slope(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// dualSlope returns dσ/da from the definition of σ in dual numbers, a + ε with ε² = 0: the
// coefficient of ε in 1/(1+e^−(a+ε)). It uses no formula for the derivative.
func dualSlope(a float64) float64 {
	e := dual.Exp(dual.Number{Real: -a, Emag: -1})
	e.Real++
	return dual.Inv(e).Emag
}

func init() { judge.Known(exercise, ask, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex12", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
