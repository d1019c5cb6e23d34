// Package ex12 judges PRML exercise 4.12: the derivative of the logistic sigmoid.
package ex12

import (
	"embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/dual"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function dSigmoid of PRML exercise 4.12. dSigmoid returns the derivative (4.88)
// of the logistic sigmoid at any real a.
func Check(dSigmoid func(a float64) float64) *verify.Report {
	return exercise.Judge(question.Parts(dSigmoid, []judge.Property[place]{
		judge.Form("a finite number, the same on every call", places, nil, judge.Wrong{},
			"You returned a number for every argument a."),
		{Name: "your function agrees with the slope of σ, computed by finite differences and with dual numbers",
			Problems: places, Holds: isSlope,
			Wrong: judge.Wrong{Key: "slope", Hint: 2,
				Message: "At {problem} your slope differs from the slope of σ: it is {off}."},
			Right: "At many places your slope agrees with two computations of the slope of σ: to about 7 digits with central differences, and to about 11 digits with dual numbers."},
		{Name: "the same slope at the arguments a and −a", Problems: rightHalf,
			Precheck: func(a place, got []float64) *verify.Verdict {
				return judge.FailIf(got[0] != 0 && math.Abs(dSigmoid(float64(-a))+got[0]) <= 1e-12*math.Abs(got[0]),
					"odd", 1, "Your slopes at the arguments a and −a have opposite signs. σ increases everywhere, so both slopes must be positive.")
			},
			Holds: func(a place, got []float64) verify.Finding {
				// the tolerance 1e-15 allows for the rounding error of 1−σ where σ is near 1
				return verify.Close(dSigmoid(float64(-a)), got[0], verify.Tolerance{Abs: 1e-15, Rel: 1e-11})
			},
			Wrong: judge.Wrong{Key: "not-even", Hint: 1,
				Message: "Your slopes at {problem} and at −a should be equal, but compared with the first slope, the second is {off}. Differentiate both sides of σ(−a) = 1 − σ(a)."},
			Right: "Your slope is an even function, as σ(−a) = 1 − σ(a) requires."},
		{Name: "far from 0: right to 10⁻¹⁵, never NaN", Problems: far, Extreme: true, Precheck: tooLarge,
			Holds: func(a place, got []float64) verify.Finding {
				return verify.Close(got[0], slope(float64(a)), verify.Tolerance{Abs: 1e-15, Rel: 1e-11})
			},
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "At {problem} your slope is {off}, but the largest allowed error is about 10⁻¹⁵. Perhaps your function returns 0 beyond some limit, or computes the slope from a rounded σ."},
			Right: "Your slope is right to about 10⁻¹⁵ and never NaN.", RightNote: digitNote},
		{Name: "the area under your function to the left of the point a is σ(a)",
			Problems: func() []place { return []place{-6, -1, 0, 0.7, 3, 50} },
			Holds:    func(b place, _ []float64) verify.Finding { return checkArea(dSigmoid, float64(b)) },
			Wrong: judge.Wrong{Key: "area", Hint: 1,
				Message: "The area under your function to the left of {problem} should be σ(a), but it is {off}. The area over the whole axis should be 1."},
			Right: "The integral of your slope from −∞ to a is σ(a), and over the whole axis it is 1. So dσ/da is a probability density, the density of the logistic distribution."},
	}...)...)
}

var question = &judge.Question[function, place]{
	Func: "DSigmoid", Name: "slope", Hint: 1,
	Invoke: func(f function, c *judge.Call, a place) []float64 {
		v, key, side := f(float64(a)), "overflow", "e^−a is Inf for a < −709.8"
		if a > 0 {
			key, side = "overflow-right", "e^a is Inf for a > 709.8"
		}
		if math.IsNaN(v) && math.Abs(float64(a)) > 700 {
			c.Say(judge.Fail(key, 3,
				"At %v you return NaN. In Go %s. 1/Inf is 0, but Inf/Inf and 0·Inf are NaN. Use a form of the derivative that neither multiplies nor divides a power that can overflow.", a, side))
		}
		return []float64{v}
	},
	Right: func(a place) []float64 { return []float64{slope(float64(a))} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly right: at {problem} your slope is {off}. A difference quotient, or a formula with rounded constants, is not accurate enough. Use the exact formula."},
	Sign: judge.Wrong{Key: "negative", Hint: 1,
		Message: "Your function is the slope of σ times a negative number, but σ increases everywhere. The chain rule gives two minus signs: one for the reciprocal, and one for e^−a."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your function is the slope of σ times a constant factor. At a = 0 the slope is ½·½, so compare your value there. If you use hyperbolic functions, their argument is a/2."},
	Mistakes: []judge.Mistake[function]{
		{Key: "plus", Hint: 2,
			Message: "This is σ(1+σ). Where σ approaches 1 the slope must vanish, so the second factor has the wrong sign.",
			Answer:  func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }},
		{Key: "sigma", Answer: kernel.Sigmoid, Hint: 1,
			Message: "You return σ itself. Only the exponential equals its own derivative."},
		{Key: "complement", Answer: func(a float64) float64 { return kernel.Sigmoid(-a) }, Hint: 2,
			Message: "You return 1−σ(a), the derivative of ln σ(a). For the derivative of σ, multiply 1−σ(a) by σ(a)."},
		{Key: "sigma-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "You return 1/(1+e^−a)² = σ². The inner derivative of 1+e^−a is missing."},
		{Key: "complement-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }, Hint: 2,
			Message: "You return (1−σ)². The derivative is a product of two different factors."},
		{Key: "sigma-squared", Answer: func(a float64) float64 { return -math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "You return −1/(1+e^−a)², the derivative of 1/u with u = 1+e^−a. The inner derivative du/da is missing."},
		{Key: "takes-y", Answer: func(a float64) float64 { return a * (1 - a) }, Hint: 2,
			Message: "You return a(1−a). Your function receives the activation a, not the output y = σ(a), so apply σ first."},
		{Key: "square-missing", Answer: func(a float64) float64 { return -kernel.Sigmoid(-a) }, Hint: 2,
			Message: "You return −e^−a/(1+e^−a). The derivative of the reciprocal 1/u is −1/u², with a square."},
		{Key: "inner-only", Answer: func(a float64) float64 { return -math.Exp(-a) }, Hint: 2,
			Message: "You return −e^−a, the derivative of the denominator 1+e^−a alone. Return the derivative of its reciprocal."},
		{Key: "exp-for-square", Answer: func(a float64) float64 { return math.Exp(-a) }, Hint: 2,
			Message: "You return e^−a: the denominator (1+e^−a)² is missing."},
		{Key: "sign-of-exponent", Hint: 2,
			Message: "You return e^a/(1+e^−a)². The numerator must contain e^−a, from the derivative of 1+e^−a.",
			Answer:  func(a float64) float64 { return math.Exp(a) * math.Pow(kernel.Sigmoid(a), 2) }},
		{Key: "reciprocal", Answer: func(a float64) float64 { return 1 / slope(a) }, Hint: 2,
			Message: "You return 1/{σ(1−σ)}, the slope da/dy of the logit, which is the inverse function. Return dy/da."},
		{Key: "reciprocal", Answer: func(a float64) float64 { return 1 / (a * (1 - a)) }, Hint: 2,
			Message: "You return 1/{a(1−a)}, the slope of the logit, which is the inverse function. Return the slope of σ."},
		{Key: "second-derivative", Hint: 2,
			Message: "You return σ(1−σ)(1−2σ), the second derivative. Differentiate only once.",
			Answer:  func(a float64) float64 { return slope(a) * (kernel.Sigmoid(-a) - kernel.Sigmoid(a)) }},
		{Key: "probit", Hint: 1,
			Message: "You return the density of the normal distribution, the derivative of the probit function Φ. Return the derivative of σ.",
			Answer:  func(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }},
		{Key: "tanh", Answer: func(a float64) float64 { return 1 - math.Pow(math.Tanh(a), 2) }, Hint: 1,
			Message: "You return 1 − tanh²(a), the derivative of tanh(a). The relation between tanh and σ is σ(a) = (1+tanh(a/2))/2, with the factor ½ in two places."},
		{Key: "twice-as-steep", Answer: func(a float64) float64 { return slope(2 * a) }, Hint: 2,
			Message: "You return σ(2a){1−σ(2a)}. The argument must be a, or a/2 in 1/{4 cosh²(a/2)}."},
		{Key: "quarter", Answer: func(float64) float64 { return 0.25 }, Hint: 1,
			Message: "You return ¼ for every argument a. ¼ is the slope at 0; elsewhere the slope is smaller."},
		{Key: "zero", Answer: func(float64) float64 { return 0 }, Hint: 2,
			Message: "Your function is 0 everywhere. Perhaps you divide two integers: in Go the quotient is an integer, so your σ is 0 or 1, and σ(1−σ) is 0."},
		{Key: "logarithm", Hint: 3, Message: "You return ln{σ(1−σ)}. Return its exponential, σ(1−σ).",
			Answer: func(a float64) float64 { return math.Log(kernel.Sigmoid(a)) + math.Log(kernel.Sigmoid(-a)) }},
		{Key: "tanh", Answer: func(a float64) float64 { return 1 - math.Pow(kernel.Sigmoid(a), 2) }, Hint: 1,
			Message: "You return 1 − σ². The derivative of tanh is 1 − tanh², but σ ranges from 0 to 1, not from −1 to 1."},
		{Key: "not-positive", Answer: func(a float64) float64 { return 1 - 2*kernel.Sigmoid(a) }, Hint: 1,
			Message: "You return 1 − 2σ, which is negative where σ is above ½. σ increases everywhere."},
	},
}

// isSlope compares the answer with a central difference, and then with dualSlope, which is more
// accurate.
func isSlope(a place, got []float64) verify.Finding {
	numeric := verify.Close(got[0], verify.Derivative(kernel.Sigmoid, float64(a), 0),
		verify.Tolerance{Rel: 1e-7, Abs: 1e-10})
	if !numeric.OK {
		return numeric
	}
	// The tolerance allows for the rounding error of 1−σ in σ(1−σ): at a = 8 only 12 of 16 digits
	// of 1−σ are right.
	return verify.Close(got[0], dualSlope(float64(a)), verify.Tolerance{Rel: 1e-11})
}

// tooLarge returns a verdict if the learner's value is larger than the slope of σ and |a| is at most
// 1e4.
func tooLarge(a place, got []float64) *verify.Verdict {
	return judge.FailIf(got[0] > slope(float64(a))*(1+1e-11)+1e-15 && math.Abs(float64(a)) <= 1e4, "clipped", 3,
		"At %v you return %.3g, which is larger than the slope, as if the argument a or the value σ were clipped.", a, got[0])
}

// checkArea compares σ(b) with the integral of f from −50 to b, computed by Simpson's rule.
// checkArea omits the area to the left of −50, which is only 2e−22.
func checkArea(f function, b float64) verify.Finding {
	const from, n = -50.0, 4000
	h, sum := (b-from)/n, f(from)+f(b)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(from+float64(i)*h)
	}
	return verify.Close(sum*h/3, kernel.Sigmoid(b), verify.Tolerance{Abs: 1e-9})
}

// digitNote returns a note that says whether the answer loses digits at a = −40 and a = 40. The
// last two elements of `answers` belong to these values of a.
func digitNote(answers [][]float64) string {
	keeps := func(v []float64) bool { return verify.Close(v[0], slope(40), verify.Tolerance{Rel: 1e-12}).OK }
	switch n := len(answers); {
	case keeps(answers[n-2]) && keeps(answers[n-1]):
		return "At a = ±40 your slope has 12 correct digits, although σ(40) rounds to 1."
	case keeps(answers[n-2]):
		return "(Note: at a = 40 your slope lacks digits, as if σ were rounded to 1 before 1−σ is computed. σ(a)·σ(−a) keeps the digits.)"
	}
	return "(Note: at a = −40 your slope lacks digits, as if a number near 1 were subtracted from 1. σ(a)·σ(−a) keeps the digits.)"
}

// function is the type of the learner's function.
type function = func(a float64) float64

// A place is a number a at which the slope is computed.
type place float64

func (a place) String() string { return fmt.Sprintf("a = %.4g", float64(a)) }

// places returns places with |a| up to 8. The list begins with a few ordinary places, because some
// wrong formulas divide by zero at 0 or ±1.
func places() []place {
	r := instance.Source(412, 1)
	list := []place{0.5, -0.5, 8, -8, 3, -5, 0, 1, -1}
	for range 60 {
		list = append(list, place(8*(2*r.Float64()-1)))
	}
	return list
}

// rightHalf returns places a > 0, some near 0 and some far from 0.
func rightHalf() (list []place) {
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

// far returns places far from 0. At some places the slope is small, down to 1e−15 and below. At
// other places an exponential overflows.
func far() (list []place) {
	for _, size := range []float64{9, 10, 12, 14, 17, 20, 25, 29, 31, 32, 33, 34, 37, 300, 360, 700, 710, 746, 800, 1e4,
		1e300, math.MaxFloat64, 40} {
		list = append(list, place(-size), place(size))
	}
	return list
}

// slope returns dσ/da = σ(a)σ(−a).
func slope(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// dualSlope computes dσ/da from the definition of σ. It needs no formula for the derivative,
// because it computes with dual numbers, where ε² = 0: the slope is the coefficient of ε in
// 1/(1+e^−(a+ε)).
func dualSlope(a float64) float64 {
	e := dual.Exp(dual.Number{Real: -a, Emag: -1})
	e.Real++
	return dual.Inv(e).Emag
}

func init() { judge.Known(exercise, question, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex12", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
