// Package ex07 judges PRML exercise 4.7: the logistic sigmoid, its symmetry, and
// its inverse.
package ex07

import (
	"embed"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.7. sigmoid returns σ(a) of (4.59) for any real a,
// and logit returns its inverse (4.61) for 0 < y < 1.
func Check(sigmoid, logit func(float64) float64) *verify.Report {
	return exercise.Judge(slices.Concat(sigmoidQuestion.Parts(sigmoid, []judge.Property[place]{
		judge.Form("Sigmoid: a finite number, the same on every call", middle, nil, judge.Wrong{},
			"You returned a number for every argument a."),
		{Name: "Sigmoid: it is 1/(1+e^−a) for |a| up to 8", Problems: middle,
			Holds: near(verify.Tolerance{Rel: 1e-11}),
			Wrong: judge.Wrong{Key: "value", Hint: 1, Message: "At {problem} your σ(a) is {off}."},
			Right: "Your σ(a) lies strictly between 0 and 1 and is right at many places."},
		{Name: "Sigmoid: σ(−a) = 1 − σ(a)", Problems: symmetric,
			Precheck: func(p place, got []float64) *verify.Verdict { return symmetryFault(sigmoid, p, got[0]) },
			Holds:    func(p place, got []float64) verify.Finding { return complementary(sigmoid, p, got[0]) },
			Wrong: judge.Wrong{Key: "not-symmetric", Hint: 1,
				Message: "At {problem} the sum σ(a) + σ(−a) should be 1, but it is {off}."},
			Right: "σ(−a) and 1 − σ(a) differ at most by rounding. (Far from 0 this does not show whether the digits of the smaller value are right. The next part of this report checks them.)"},
		{Name: "Sigmoid: all digits for |a| up to 700, in the left tail too", Problems: tails, Extreme: true,
			Holds: place.digits,
			Wrong: judge.Wrong{Key: "digits", Hint: 3,
				Message: "At {problem} your σ(a) is {off}, relative to σ(a). This is more than 4 units in the last place. Check where digits are lost."},
			Right: "From σ(−700) to σ(700) your σ(a) is accurate to 4 units in the last place."},
		{Name: "Sigmoid: no NaN, even very far from 0", Problems: far, Extreme: true,
			Holds: near(verify.Tolerance{Abs: 1e-300, Rel: 1e-15}),
			Wrong: judge.Wrong{Key: "far", Hint: 2,
				Message: "At {problem} your σ(a) is {off}. This far from 0, σ(a) should be nearly 0 on the left and nearly 1 on the right."},
			Right: "Beyond ±700 your σ is 0 or 1, up to rounding. In Go e^710 is Inf and 1/Inf is 0, so the overflow in 1/(1+e^−a) is harmless."},
	}...),
		logitQuestion.Parts(logit, []judge.Property[probability]{
			judge.Form("Logit: a finite number, the same on every call", probabilities, nil, judge.Wrong{},
				"You returned a number for every y."),
			{Name: "Logit: σ(logit(y)) = y", Problems: probabilities,
				Holds: func(y probability, got []float64) verify.Finding {
					return verify.Close(kernel.Sigmoid(got[0]), float64(y), verify.Tolerance{Rel: 1e-11})
				},
				Wrong: judge.Wrong{Key: "logit-value", Hint: 2,
					Message: "For {problem}, σ(logit(y)) should be y, but it is {off}."},
				Right: "σ(logit(y)) is y again."},
			{Name: "Logit: logit(1−y) = −logit(y)", Problems: halves,
				Precheck: func(y probability, got []float64) *verify.Verdict {
					return judge.FailIf(y == 0.5 && math.Abs(got[0]) > 1e-6, "logit-half", 1,
						"Your logit(½) is %.4g. At y = ½ both classes are equally probable, so the odds are 1 and the logit is 0.", got[0])
				},
				Holds: func(y probability, got []float64) verify.Finding {
					return toOneDigit(verify.Close(logit(1-float64(y)), -got[0], verify.Tolerance{Rel: 1e-11, Abs: 1e-11}))
				},
				Wrong: judge.Wrong{Key: "logit-not-odd", Hint: 1,
					Message: "At {problem} logit(y) + logit(1−y) should be 0, but it is {off}. Exchanging the classes inverts the odds, so it changes only the sign of their logarithm."},
				Right: "Exchanging the two classes changes only the sign of the logit. This symmetry corresponds to σ(−a) = 1 − σ(a)."},
			{Name: "Logit: 12 digits, however near y is to 0 or 1", Problems: ends, Extreme: true,
				Holds: func(y probability, got []float64) verify.Finding {
					return toOneDigit(verify.Close(got[0], y.logit(), verify.Tolerance{Abs: 1e-12 + y.lastPlace(), Rel: 1e-12}))
				},
				Wrong: judge.Wrong{Key: "logit-ends", Hint: 3,
					Message: "For {problem} your logit is {off}. Near 0 and 1, many digits are wrong if you clip y, add a small number inside the logarithm, or round an intermediate result."},
				Right: "From y = 1e−300 to the last float64 before 1 your logit is right."},
		}...),
		[]verify.Part{{Name: "each function undoes the other", Of: []string{"Sigmoid", "Logit"},
			Judge: func() verify.Verdict { return roundTrip(sigmoid, logit) }}})...)
}

// near returns a function that compares an answer with σ(a). The comparison uses the tolerance tol.
func near(tol verify.Tolerance) func(place, []float64) verify.Finding {
	return func(p place, got []float64) verify.Finding { return toOneDigit(verify.Close(got[0], p.right, tol)) }
}

// toOneDigit adds a note to the finding f if f is not OK, has no note yet, and the error is between 1
// and 10000. The note states the error, rounded to one significant digit. Without the note, the
// report would round the error to a power of ten, for example 30 to "about 10".
func toOneDigit(f verify.Finding) verify.Finding {
	if f.OK || f.Note != "" || !(f.Miss >= 1 && f.Miss < 1e4) {
		return f
	}
	unit := math.Pow(10, math.Floor(math.Log10(f.Miss)))
	f.Note = fmt.Sprintf("off by about %.0f", math.Round(f.Miss/unit)*unit)
	return f
}

// complementary compares σ(a) + σ(−a) with 1. The tolerance allows for three rounding errors: in
// σ(a), in σ(−a), and in their sum.
func complementary(sigmoid function, p place, here float64) verify.Finding {
	return verify.Close(sigmoid(-p.a)+here, 1, verify.Tolerance{Abs: 1e-15})
}

// symmetryFault returns a verdict if σ(a) + σ(−a) is not 1 and the reason is clear: the function is
// odd, the function is even, or its value at 0 is not ½.
func symmetryFault(sigmoid function, p place, here float64) *verify.Verdict {
	if complementary(sigmoid, p, here).OK {
		return nil
	}
	switch left, right := sigmoid(-1.5), sigmoid(1.5); {
	case math.Abs(left+right) <= 1e-15*math.Abs(right):
		return judge.Fail("odd", 1,
			"Your function is odd, f(−a) = −f(a), like tanh. The graph of σ is symmetric about the point (0, ½), not about the origin.")
	case left == right:
		return judge.Fail("even", 1,
			"Your function is even, f(−a) = f(a), but σ(−a) is 1 − σ(a). If you use |a|, treat a < 0 and a > 0 differently.")
	case p.a == 0:
		return judge.Fail("half", 1, "σ(0) + σ(−0) should be 1, so σ(0) must be ½. Your σ(0) is %.4g.", here)
	}
	return nil
}

func roundTrip(sigmoid, logit function) verify.Verdict {
	const message = "With your two functions, %s should be the number in the inner parentheses, but it is %s. The earlier parts of this report show which of the two functions is wrong."
	for i := -60; i <= 60; i++ {
		a := float64(i) / 4
		// For large a, σ(a) is close to 1. A change in σ(a) by one unit in its last place then
		// changes the logit by e^a times this unit.
		d := verify.Close(logit(sigmoid(a)), a, verify.Tolerance{Abs: 1e-10 + 2e-15*math.Exp(math.Abs(a))})
		if !d.OK {
			return verify.Fail("not-inverse", 2, message, fmt.Sprintf("logit(σ(%.3g))", a), toOneDigit(d).Off())
		}
	}
	for i := 1; i < 128; i++ {
		y := float64(i) / 128
		if d := verify.Close(sigmoid(logit(y)), y, verify.Tolerance{Rel: 1e-10}); !d.OK {
			return verify.Fail("not-inverse", 2, message, fmt.Sprintf("σ(logit(%.3g))", y), d.Off())
		}
	}
	return verify.Pass("For activations up to ±15 each of your two functions is the inverse of the other.")
}

// function is the type of a learner's function of one number.
type function = func(float64) float64

// A place is an argument a together with the right value of σ(a).
type place struct{ a, right float64 }

func (p place) String() string { return fmt.Sprintf("a = %.4g", p.a) }

// digits compares an answer with σ(a) and reports the relative error. The tolerance is four units
// in the last place. The formula 1/(1+e^−a) stays within this tolerance if the exponential function
// is accurate.
func (p place) digits(got []float64) verify.Finding {
	found := verify.Close(got[0], p.right, verify.Tolerance{Abs: 4 * (math.Nextafter(p.right, 2) - p.right)})
	found.Miss /= p.right
	return toOneDigit(found)
}

func placesAt(list []float64) (out []place) {
	for _, a := range list {
		out = append(out, place{a, exact(a)})
	}
	return out
}

// middle returns places with |a| ≤ 8, where rounding errors do not matter. Places with |a| = 8 come
// first, because at these places a function with a wrong range of values is easiest to recognise.
var middle = instance.Once(func() []place {
	list, r := []float64{8, -8, 0, 1, -1, 0.5, -0.5}, instance.Source(407, 1)
	for range 60 {
		list = append(list, 8*(2*r.Float64()-1))
	}
	return placesAt(list)
})

var symmetric = instance.Once(func() []place {
	list, r := []float64{0}, instance.Source(407, 2)
	for range 200 {
		list = append(list, 8*r.Float64())
	}
	return placesAt(list)
})

// tails returns many places with |a| ≤ 700, most of them in the tails. The places at which different
// mistakes have different effects come first. For example, an answer that computes σ(a) as 1 minus
// another number has some right digits at −30, but none at −40.
var tails = instance.Once(func() []place {
	list, r := []float64{-30, -40, -700, 700, 0, -37, -36.5}, instance.Source(407, 3)
	for _, a := range []float64{1.5, 3, 5, 7, 9, 10, 12, 14, 17, 20, 23, 26, 29, 31, 32, 33, 34, 35, 36, 38, 45, 60, 90,
		150, 300, 360, 500, 650} {
		list = append(list, a, -a)
	}
	for range 200 {
		list = append(list, 700*(2*r.Float64()-1), 40*(2*r.Float64()-1))
	}
	return placesAt(list)
})

// far returns places with |a| > 700. There the report accepts 0 on the left and 1 on the right,
// with a tolerance.
func far() (list []place) {
	for _, a := range []float64{701, 704, 707, 709, 709.7, 709.8, 710, 720, 745, 746, 800, 1e3, 1e4, 1e300,
		math.MaxFloat64} {
		list = append(list, place{a, 1}, place{-a, 0})
	}
	return list
}

// exact computes σ(a) from its definition in 256-bit arithmetic, without math.Exp, and rounds only
// the final result to a float64. |a| must be at most a few thousand.
func exact(a float64) float64 {
	y := number(1)
	v, _ := y.Quo(y, number(1).Add(y, bigExp(-a))).Float64()
	return v
}

// bigExp computes e^x. It evaluates the Taylor series of the exponential function at x/2^16 and
// squares the result 16 times.
func bigExp(x float64) *big.Float {
	small := number(x)
	small.SetMantExp(small, -16)
	sum, term := number(1), number(1)
	for n := 1; n <= 40; n++ {
		term.Mul(term, small)
		term.Quo(term, number(float64(n)))
		sum.Add(sum, term)
	}
	for range 16 {
		sum.Mul(sum, sum)
	}
	return sum
}

func number(v float64) *big.Float { return big.NewFloat(v).SetPrec(256) }

// A probability is an argument y of the function Logit.
type probability float64

// String returns "y = " and the value of y. If y is above 0.9995, it writes the value as 1 minus a
// small number.
func (y probability) String() string {
	if y > 0.9995 {
		return fmt.Sprintf("y = 1 − %.3g", 1-float64(y))
	}
	return fmt.Sprintf("y = %.4g", float64(y))
}

// logit returns ln y − ln(1−y). Near y = ½ the two logarithms cancel, so the relative error of the
// result is larger there than elsewhere.
func (y probability) logit() float64 {
	if y > 0.5 {
		return -(1 - y).logit() // the subtraction 1 − y is exact
	}
	return math.Log(float64(y)) - math.Log1p(-float64(y))
}

// lastPlace returns the change in the logit if y, near 1, changes by one unit in its last place.
func (y probability) lastPlace() float64 { return 0x1p-53 / float64(1-y) }

func probabilities() []probability {
	list, r := []probability{0.5, 0.25, 0.75, 0.1, 0.9}, instance.Source(407, 5)
	for range 60 {
		list = append(list, probability(0.001+0.998*r.Float64()))
	}
	return list
}

// halves returns the multiples of 1/1024 from ½ down to 1/1024. For these numbers y, the
// subtraction 1−y is exact.
func halves() (list []probability) {
	for i := 512; i > 0; i-- {
		list = append(list, probability(i)/1024)
	}
	return list
}

// ends returns values of y near 0, ½ and 1, and also the values that probabilities() returns. At all
// these values the exercise requires 12 digits, but it also allows an error of 1e-12 near ½, and an
// error of lastPlace() near 1.
func ends() []probability {
	list := []probability{1e-300, 1e-200, 1e-100, 1e-50, 1e-25, 1 - 0x1p-53, 1 - 0x1p-52, 1 - 5e-16, 0.4999999,
		0.5000001}
	for e := -20.0; e <= -2; e += 0.5 {
		y := probability(math.Pow(10, e))
		if list = append(list, y); e > -16 {
			list = append(list, 1-y)
		}
	}
	return append(list, probabilities()...)
}

var sigmoidQuestion = &judge.Question[function, place]{
	Func: "Sigmoid", Name: "σ(a)", Hint: 1,
	Invoke: func(sigmoid function, c *judge.Call, p place) []float64 {
		v := sigmoid(p.a)
		if math.IsNaN(v) && math.Abs(p.a) > 8 {
			c.Say(overflow(p))
		}
		return []float64{v}
	},
	Right:  func(p place) []float64 { return []float64{p.right} },
	Family: explainValue,
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly right: at {problem} your σ(a) is {off}. The result is not accurate enough if you use rounded constants, a table, or float32."},
	Mistakes: []judge.Mistake[function]{
		{Key: "sign", Answer: func(a float64) float64 { return 1 / (1 + math.Exp(a)) }, Hint: 1,
			Message: "This is 1/(1+e^a), or e^−a/(1+e^−a), which is σ(−a) = 1 − σ(a). It falls from 1 to 0, as with a wrong sign in the exponent."},
		{Key: "denominator-minus", Answer: func(a float64) float64 { return 1 / (1 - math.Exp(-a)) }, Hint: 1,
			Message: "You return 1/(1−e^−a), which has a pole at 0. The denominator is the sum 1+e^−a."},
		{Key: "one-missing", Answer: math.Exp, Hint: 1,
			Message: "You return 1/e^−a = e^a: the 1 in the denominator is missing."},
		{Key: "upside-down", Answer: func(a float64) float64 { return 1 + math.Exp(-a) }, Hint: 1,
			Message: "You return 1+e^−a, the denominator alone. Return its reciprocal."},
		{Key: "exp-for-sum", Answer: func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(-a)) }, Hint: 1,
			Message: "You return e^a/(1+e^−a). Return either 1/(1+e^−a) or e^a/(1+e^a)."},
		{Key: "tanh", Answer: math.Tanh, Hint: 1,
			Message: "You return tanh(a), which ranges from −1 to 1. The logistic sigmoid is σ(a) = (1+tanh(a/2))/2."},
		{Key: "tanh", Answer: func(a float64) float64 { return math.Tanh(a / 2) }, Hint: 1,
			Message: "You return tanh(a/2) = 2σ(a) − 1, which ranges from −1 to 1. Shift and scale it to range from 0 to 1."},
		{Key: "twice-as-steep", Answer: func(a float64) float64 { return (1 + math.Tanh(a)) / 2 }, Hint: 1,
			Message: "You return σ(2a), which is twice as steep as σ(a). In (1+tanh(…))/2 the argument must be a/2."},
		{Key: "half-as-steep", Answer: func(a float64) float64 { return 1 / (1 + math.Exp(-a/2)) }, Hint: 1,
			Message: "You return σ(a/2), which is only half as steep as σ(a)."},
		{Key: "probit", Answer: kernel.NormCDF, Hint: 1,
			Message: "You return the probit function Φ(a), the distribution function of the normal distribution (4.114). Φ(a) has a similar shape, but much lighter tails. Return σ(a) itself."},
		{Key: "derivative", Hint: 1, Message: "You return σ(1−σ), the derivative of the sigmoid (4.88). Return σ(a) itself.",
			Answer: func(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }},
		{Key: "logarithm", Answer: kernel.LogSigmoid, Hint: 1,
			Message: "You return ln σ(a), the logarithm of the sigmoid. Return σ(a) itself."},
		{Key: "step", Answer: func(a float64) float64 { return map[bool]float64{true: 1}[a >= 0] }, Hint: 1,
			Message: "You return a step from 0 to 1, which is the decision. σ(a) is the probability on which the decision is based."},
		{Key: "constant-half", Answer: func(float64) float64 { return 0.5 }, Hint: 1,
			Message: "Your function is ½ everywhere. It satisfies σ(−a) = 1 − σ(a) but does not depend on a."},

		// The answers below are accurate near 0, but far to the left of 0 no digit of their results
		// is right.
		{Key: "complement", Hint: 3,
			Message: "You return 1 − σ(−a), which is mathematically right by the symmetry. Numerically, σ(−a) is close to 1 for a far below 0, and the subtraction leaves only its rounding error. At a = −40 the result is 0.",
			Answer:  func(a float64) float64 { return 1 - 1/(1+math.Exp(a)) }},
		{Key: "complement", Hint: 3,
			Message: "For a < 0 you return 1 − σ(−a), which is mathematically right by the symmetry. Numerically, σ(−a) is close to 1 for a far below 0, and the subtraction leaves only its rounding error. At a = −40 the result is 0.",
			Answer: func(a float64) float64 {
				if a < 0 {
					return 1 - kernel.Sigmoid(-a)
				}
				return kernel.Sigmoid(a)
			}},
		{Key: "tanh-tail", Answer: func(a float64) float64 { return 0.5 * (1 + math.Tanh(a/2)) }, Hint: 3,
			Message: "You return (1+tanh(a/2))/2, which is mathematically right. If the argument a is far below 0, tanh(a/2) is close to −1, and adding 1 leaves only the rounding error. At a = −40 the sum is exactly 0."},
	},
}

// overflow returns the verdict on an answer that is NaN at a place with |a| > 8, probably because an
// exponential overflows.
func overflow(p place) *verify.Verdict {
	if p.a < 0 {
		return judge.Fail("overflow-left", 3,
			"At %v you return NaN. In Go e^−a is Inf for a < −709.8, and the square of e^−a is Inf for a < −355. 1/Inf is 0, which is right, but Inf/Inf and Inf·0 are NaN.", p)
	}
	return judge.Fail("overflow", 3,
		"At %v you return NaN. In Go e^a is Inf for a > 709.8, so e^a/(1+e^a) is Inf/Inf, which is NaN. Inf·0 and Inf − Inf are also NaN. The square of e^a is already Inf for a > 355. Use a form without e^a, such as 1/(1+e^−a).", p)
}

// explainValue returns a verdict that explains why the answer is wrong at p, or nil if it finds no
// explanation.
func explainValue(p place, got []float64) *verify.Verdict {
	v := got[0]
	if p.digits(got).OK { // the value at p is right, so it cannot explain an error at another place
		return nil
	}
	off := math.Abs(v-p.right) / p.right
	switch near := math.Abs(p.a) <= 8; {
	case near && (v < 0 || v > 1):
		return judge.Fail("range", 1,
			"At %v your σ(a) is %.4g. σ(a) is a probability, so it must lie between 0 and 1.", p,
			v)
	case near && (v-0.5)*p.a < 0:
		return judge.Fail("falling", 1,
			"At %v your value is on the wrong side of ½, as if your function decreased. σ(a) increases from 0 on the left to 1 on the right.", p)
	case near || math.Abs(p.a) > 700:
		return nil
	case p.a < -100 && v == 0:
		return judge.Fail("overflow-left", 3,
			"At %v your σ(a) is exactly 0, but a float64 can represent the right value. Perhaps your function returns 0 below some limit. Or its denominator is Inf, for example because it contains the square of e^−a, which is Inf for a < −355.", p)
	case p.a < 0 && v == 0:
		return judge.Fail("tail-lost", 3,
			"At %v your σ(a) is exactly 0, but it should be a small positive number. Perhaps your function returns 0 below some limit. Or it adds a number below 1e−16 to 1, which leaves the 1 unchanged.", p)
	case p.a > 0 && v == 1:
		return judge.Fail("cut-off", 3,
			"At %v your σ(a) is exactly 1. Up to a = 37, σ(a) rounds to a float64 below 1. Do not round it to 1 so early.", p)
	case p.a < 0 && v > 2*p.right, p.a > 0 && off > 1e-13:
		return judge.Fail("clipped", 3,
			"At %v your σ(a) is too far from the right value, as if the argument a or the value σ were clipped. At a = −700, σ(a) is about 1e−304, and a float64 can represent this number.", p)
	// v is a multiple of 2⁻⁵⁴, like a difference between two numbers near 1, or half of such a difference
	case p.a < 0 && math.Abs(math.Mod(v, 0x1p-54)) == 0:
		return judge.Fail("tail-lost", 3,
			"In the left tail your σ(a) has lost digits. At %v it is a multiple of 2⁻⁵⁴, like the difference between two numbers near 1, or half of such a difference. Such a number has at most a few right digits.", p)
	case p.a < 0 && math.Abs(v/math.Exp(p.a)-1) < 1e-15:
		return judge.Fail("one-missing", 3,
			"At %v you return e^a. Divide it by 1+e^a: for a > −36 this changes the result.", p)
	case off < 1e-6:
		return judge.Fail("digits", 3,
			"At %v your σ(a) is off by more than 4 units in the last place, a relative error of about %s. Digits are lost if you compute the exponential of a logarithm, or a power of a rounded number e.", p, verify.Magnitude(off))
	}
	return nil
}

var logitQuestion = &judge.Question[function, probability]{
	Func: "Logit", Name: "logit(y)", Hint: 2,
	Invoke: func(logit function, _ *judge.Call, y probability) []float64 { return []float64{logit(float64(y))} },
	Right:  func(y probability) []float64 { return []float64{y.logit()} },
	Unit:   func(_ probability, right []float64) []float64 { return []float64{math.Max(1, math.Abs(right[0]))} },
	Nearly: judge.Wrong{Key: "logit-rounded", Hint: 3,
		Message: "Nearly right: for {problem} your logit is {off}. The result is not accurate enough if you use rounded constants or a search that stops early."},
	Mistakes: []judge.Mistake[function]{
		{Key: "logit-sign", Answer: func(y float64) float64 { return math.Log((1 - y) / y) }, Hint: 2,
			Message: "You return ln{(1−y)/y} = ln(1/y − 1), the log odds of the other class, so the sign is wrong. A larger y must give a larger result."},
		{Key: "reciprocal", Answer: func(y float64) float64 { return 1 + math.Exp(-y) }, Hint: 2,
			Message: "You return 1/σ(y). The −1 in σ⁻¹ means the inverse function, not the reciprocal. Return the number a with σ(a) = y."},
		{Key: "same-function", Answer: func(y float64) float64 { return 1 / (1 + math.Exp(-y)) }, Hint: 2,
			Message: "You return the sigmoid itself, applied to y. Return its inverse, the number a with σ(a) = y."},
		{Key: "odds", Answer: func(y float64) float64 { return y / (1 - y) }, Hint: 2,
			Message: "You return the odds y/(1−y) = e^a. Return their logarithm."},
		{Key: "log-missing-complement", Answer: math.Log, Hint: 2,
			Message: "You return ln y alone. Return the logarithm of the odds y/(1−y)."},
		{Key: "ratio-of-logs", Answer: func(y float64) float64 { return math.Log(y) / math.Log(1-y) }, Hint: 2,
			Message: "You return ln y / ln(1−y), a ratio of logarithms. The logarithm of a ratio is their difference."},
		{Key: "parenthesis", Answer: func(y float64) float64 { return math.Log(y) / (1 - y) }, Hint: 3,
			Message: "You return (ln y)/(1−y), as if the closing parenthesis of the logarithm came too early. The logarithm must contain the whole ratio."},
		{Key: "sum-of-logs", Answer: func(y float64) float64 { return math.Log(y * (1 - y)) }, Hint: 2,
			Message: "You return ln{y(1−y)} = ln y + ln(1−y). The odds are a ratio, so the logarithms are subtracted."},
		{Key: "minus-one-outside", Answer: func(y float64) float64 { return -(math.Log(1/y) - 1) }, Hint: 3,
			Message: "You return 1 + ln y. In −ln(1/y − 1) the 1 is subtracted inside the logarithm."},
		{Key: "plus-one-inside", Answer: func(y float64) float64 { return -math.Log(1/y + 1) }, Hint: 3,
			Message: "You return −ln(1/y + 1). Solving y(1+e^−a) = 1 gives e^−a = 1/y − 1."},
		{Key: "entropy", Answer: func(y float64) float64 { return -y*math.Log(y) - (1-y)*math.Log(1-y) }, Hint: 2,
			Message: "You return the entropy of a probability y. The entropy is the same for y and 1−y, so it cannot be an inverse of σ."},
		{Key: "base-10", Answer: func(y float64) float64 { return math.Log10(y / (1 - y)) }, Hint: 3,
			Message: "You return log odds to base 10. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "base-2", Answer: func(y float64) float64 { return math.Log2(y / (1 - y)) }, Hint: 3,
			Message: "You return log odds to base 2. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "half", Answer: func(y float64) float64 { return math.Log(y/(1-y)) / 2 }, Hint: 3,
			Message: "You return half of the log odds, artanh(2y−1), which is the inverse of (1+tanh a)/2 = σ(2a). Multiply your result by 2."},
		{Key: "twice", Answer: func(y float64) float64 { return 2 * math.Log(y/(1-y)) }, Hint: 3,
			Message: "You return twice the log odds, so σ of your logit is not y."},
		{Key: "probit", Answer: func(y float64) float64 { return math.Sqrt2 * math.Erfinv(2*y-1) }, Hint: 2,
			Message: "You return the inverse of the probit function Φ, not of the logistic sigmoid."},
	},
}

func init() {
	judge.Known(exercise, sigmoidQuestion, func(f function) *verify.Report {
		return Check(f, func(y float64) float64 { return probability(y).logit() })
	})
	judge.Known(exercise, logitQuestion, func(f function) *verify.Report { return Check(kernel.Sigmoid, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex07", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
