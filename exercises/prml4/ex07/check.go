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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.7: sigmoid is σ(a) of (4.59) for
// any real a, logit its inverse (4.61) for 0 < y < 1.
func Check(sigmoid, logit func(float64) float64) *verify.Report {
	return exercise.Judge(slices.Concat(askSigmoid.Parts(sigmoid, []judge.Property[place]{
		judge.Form("Sigmoid: a finite number, the same on every call", middle, nil, judge.Wrong{},
			"You returned a number for every a."),
		{Name: "Sigmoid: it is 1/(1+e^−a) for |a| up to 8", On: middle,
			Holds: near(verify.Tolerance{Rel: 1e-11}),
			Wrong: judge.Wrong{Key: "value", Hint: 1, Message: "At {problem} your σ(a) is {off}."},
			Right: "Your σ(a) lies strictly between 0 and 1 and is right at many places."},
		{Name: "Sigmoid: σ(−a) = 1 − σ(a)", On: symmetric,
			First: func(p place, got []float64) *verify.Verdict { return lopsided(sigmoid, p, got[0]) },
			Holds: func(p place, got []float64) verify.Finding { return complementary(sigmoid, p, got[0]) },
			Wrong: judge.Wrong{Key: "not-symmetric", Hint: 1,
				Message: "At {problem} the sum σ(a) + σ(−a) should be 1 and is {off}."},
			Right: "σ(−a) and 1 − σ(a) agree to the last digit of a number below 1. (In the far left tail 1 − σ(a) has fewer digits than σ(−a): see the next part.)"},
		{Name: "Sigmoid: all digits for |a| up to 700, in the left tail too", On: tails, Limits: true,
			Holds: place.digits,
			Wrong: judge.Wrong{Key: "digits", Hint: 3,
				Message: "At {problem} your σ(a) is {off} of itself. Near 0 it is right: what is different there?"},
			Right: "Never more than 4 units in the last place off, from σ(−700) to σ(700)."},
		{Name: "Sigmoid: no NaN however far out", On: far, Limits: true,
			Holds: near(verify.Tolerance{Abs: 1e-300, Rel: 1e-15}),
			Wrong: judge.Wrong{Key: "far", Hint: 2,
				Message: "At {problem} your σ(a) is {off}. So far out it should be next to 0 on the left, next to 1 on the right."},
			Right: "At ±710 and beyond your σ is 0 or 1. In Go e^710 is Inf, and 1/Inf is 0: no harm done."},
	}...),
		askLogit.Parts(logit, []judge.Property[probability]{
			judge.Form("Logit: a finite number, the same on every call", probabilities, nil, judge.Wrong{},
				"You returned a number for every y."),
			{Name: "Logit: σ(logit(y)) = y", On: probabilities,
				Holds: func(y probability, got []float64) verify.Finding {
					return verify.Close(kernel.Sigmoid(got[0]), float64(y), verify.Tolerance{Rel: 1e-11})
				},
				Wrong: judge.Wrong{Key: "logit-value", Hint: 2,
					Message: "For {problem} σ of your logit should be y again: it is {off}."},
				Right: "σ(logit(y)) is y again."},
			{Name: "Logit: logit(1−y) = −logit(y)", On: halves,
				First: func(y probability, got []float64) *verify.Verdict {
					return judge.FailIf(y == 0.5 && math.Abs(got[0]) > 1e-6, "logit-half", 1,
						"Your logit(½) is %.4g. Where y = ½ both classes are equally probable, and the log of even odds is not that.", got[0])
				},
				Holds: func(y probability, got []float64) verify.Finding {
					return verify.Close(logit(1-float64(y)), -got[0], verify.Tolerance{Rel: 1e-11, Abs: 1e-11})
				},
				Wrong: judge.Wrong{Key: "logit-not-odd", Hint: 1,
					Message: "At {problem} the logits of y and of 1−y are not opposite numbers: their sum is {off}. Exchanging the classes turns the odds upside down, and so changes only the sign of their logarithm."},
				Right: "Exchanging the two classes changes the sign of the logit, and nothing else. It is the same symmetry as that of σ."},
			{Name: "Logit: 12 digits, however near y is to 0 or 1", On: ends, Limits: true,
				Holds: func(y probability, got []float64) verify.Finding {
					return verify.Close(got[0], y.logit(), verify.Tolerance{Abs: 1e-12 + y.lastPlace(), Rel: 1e-12})
				},
				Wrong: judge.Wrong{Key: "logit-ends", Hint: 3,
					Message: "For y between 0.001 and 0.999 your logit is right, for {problem} it is {off}. Is y kept away from 0 and 1 by a limit, or a small number added inside the logarithm?"},
				Right: "From y = 1e−300 to the last float64 before 1 your logit is right."},
		}...),
		[]verify.Part{{Name: "each function undoes the other", Of: []string{"Sigmoid", "Logit"},
			Judge: func() verify.Verdict { return roundTrip(sigmoid, logit) }}})...)
}

// near compares an answer with σ(a).
func near(tol verify.Tolerance) func(place, []float64) verify.Finding {
	return func(p place, got []float64) verify.Finding { return verify.Close(got[0], p.right, tol) }
}

// complementary compares σ(a) + σ(−a) with 1. The tolerance covers the rounding of both values,
// which are below 1, and of their sum.
func complementary(sigmoid function, p place, here float64) verify.Finding {
	return verify.Close(sigmoid(-p.a)+here, 1, verify.Tolerance{Abs: 1e-15})
}

// lopsided names the symmetry that the function has instead of the symmetry of σ.
func lopsided(sigmoid function, p place, here float64) *verify.Verdict {
	if complementary(sigmoid, p, here).OK {
		return nil
	}
	switch left, right := sigmoid(-1.5), sigmoid(1.5); {
	case math.Abs(left+right) <= 1e-15*math.Abs(right):
		return judge.Fail("odd", 1,
			"Your function is odd, f(−a) = −f(a), like tanh. The curve of σ is symmetric about the point (0, ½), not about the origin.")
	case left == right:
		return judge.Fail("even", 1,
			"Your function is even, f(−a) = f(a). Was |a| used without telling the two sides apart?")
	case p.a == 0:
		return judge.Fail("half", 1, "σ(0) + σ(−0) = 1 leaves no choice: σ(0) = ½. Yours is %.4g.", here)
	}
	return nil
}

func roundTrip(sigmoid, logit function) verify.Verdict {
	const message = "%s, by your two functions, is not the number again that went in: %s. The parts above tell which of the two it is."
	for i := -60; i <= 60; i++ {
		a := float64(i) / 4
		// For large a, σ(a) is close to 1, and one unit in its last place corresponds to e^a times
		// as much in a.
		d := verify.Close(logit(sigmoid(a)), a, verify.Tolerance{Abs: 1e-10 + 2e-15*math.Exp(math.Abs(a))})
		if !d.OK {
			return verify.Fail("not-inverse", 2, message, fmt.Sprintf("logit(σ(%.3g))", a), d.Off())
		}
	}
	for i := 1; i < 128; i++ {
		y := float64(i) / 128
		if d := verify.Close(sigmoid(logit(y)), y, verify.Tolerance{Rel: 1e-10}); !d.OK {
			return verify.Fail("not-inverse", 2, message, fmt.Sprintf("σ(logit(%.3g))", y), d.Off())
		}
	}
	return verify.Pass("At activations up to ±15 your two functions are each other's inverse.")
}

// function is a learner's function of one number.
type function = func(float64) float64

// A place is a point a on the axis, with σ(a).
type place struct{ a, right float64 }

func (p place) String() string { return fmt.Sprintf("a = %.4g", p.a) }

// digits compares an answer with σ(a), in relative terms. Four units in the last place are enough
// for 1/(1+e^−a), with room for a different order of operations and a different exponential
// function.
func (p place) digits(got []float64) verify.Finding {
	found := near(verify.Tolerance{Abs: 4 * (math.Nextafter(p.right, 2) - p.right)})(p, got)
	found.Miss /= p.right
	return found
}

func placesAt(list []float64) (out []place) {
	for _, a := range list {
		out = append(out, place{a, exact(a)})
	}
	return out
}

// middle holds places where rounding does not matter. The ends come first, to reveal a wrong range.
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

// tails covers both tails without gaps. The most telling places come first: at −30 a number
// computed as a difference from 1 still has some digits of σ, at −40 it has lost them all.
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

// far holds places where the exact number does not matter: 0 and 1 are right there.
func far() (list []place) {
	for _, a := range []float64{701, 704, 707, 709, 709.7, 709.8, 710, 720, 745, 746, 800, 1e3, 1e4, 1e300,
		math.MaxFloat64} {
		list = append(list, place{a, 1}, place{-a, 0})
	}
	return list
}

// exact returns σ(a) rounded once, from its definition in 256-bit arithmetic, without math.Exp. |a|
// must be at most a few thousand.
func exact(a float64) float64 {
	y := number(1)
	v, _ := y.Quo(y, number(1).Add(y, bigExp(-a))).Float64()
	return v
}

// bigExp returns e^x: the Taylor series at x/2^16, squared 16 times.
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

// A probability is a value of y.
type probability float64

// String prints the distance from 1 where y would be printed as 1.
func (y probability) String() string {
	if y > 0.9995 {
		return fmt.Sprintf("y = 1 − %.3g", 1-float64(y))
	}
	return fmt.Sprintf("y = %.4g", float64(y))
}

// logit returns ln y − ln(1−y), with the digits that remain near ½.
func (y probability) logit() float64 {
	if y > 0.5 {
		return -(1 - y).logit() // the subtraction is exact
	}
	return math.Log(float64(y)) - math.Log1p(-float64(y))
}

// lastPlace returns the change of the logit per unit in the last place of y near 1.
func (y probability) lastPlace() float64 { return 0x1p-53 / float64(1-y) }

func probabilities() []probability {
	list, r := []probability{0.5, 0.25, 0.75, 0.1, 0.9}, instance.Source(407, 5)
	for range 60 {
		list = append(list, probability(0.001+0.998*r.Float64()))
	}
	return list
}

// halves returns multiples of 1/1024, for which 1−y is exact; ½ comes first.
func halves() (list []probability) {
	for i := 512; i > 0; i-- {
		list = append(list, probability(i)/1024)
	}
	return list
}

// ends approaches the promised limits on both sides, one decimal at a time.
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

var askSigmoid = &judge.Question[function, place]{
	Func: "Sigmoid", Name: "σ(a)", Hint: 1,
	Ask: func(sigmoid function, c *judge.Call, p place) []float64 {
		v := sigmoid(p.a)
		if math.IsNaN(v) && math.Abs(p.a) > 8 {
			c.Say(overflow(p))
		}
		return []float64{v}
	},
	Right:  func(p place) []float64 { return []float64{p.right} },
	Family: spoiled,
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly: at {problem} you are {off}. Was something computed with rounded constants, a table, or float32?"},
	Mistakes: []judge.Mistake[function]{
		{Key: "sign", Answer: func(a float64) float64 { return 1 / (1 + math.Exp(a)) }, Hint: 1,
			Message: "This is 1/(1+e^a), or e^−a/(1+e^−a), which is σ(−a) = 1 − σ(a): it falls from 1 to 0. The exponent has a wrong sign."},
		{Key: "denominator-minus", Answer: func(a float64) float64 { return 1 / (1 - math.Exp(-a)) }, Hint: 1,
			Message: "This is 1/(1−e^−a). With a minus below the line the function has a pole at 0; the two probabilities e^0 and e^−a are added."},
		{Key: "one-missing", Answer: math.Exp, Hint: 1,
			Message: "This is 1/e^−a = e^a: the 1 in the denominator is missing."},
		{Key: "upside-down", Answer: func(a float64) float64 { return 1 + math.Exp(-a) }, Hint: 1,
			Message: "This is 1+e^−a, the denominator alone: its reciprocal is meant."},
		{Key: "exp-for-sum", Answer: func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(-a)) }, Hint: 1,
			Message: "This is e^a/(1+e^−a). Either 1 over 1+e^−a, or e^a over 1+e^a."},
		{Key: "tanh", Answer: math.Tanh, Hint: 1,
			Message: "This is tanh(a), from −1 to 1. The logistic sigmoid is another curve of the same family, σ(a) = (1+tanh(a/2))/2."},
		{Key: "tanh", Answer: func(a float64) float64 { return math.Tanh(a / 2) }, Hint: 1,
			Message: "This is tanh(a/2) = 2σ(a) − 1, from −1 to 1. It still has to be moved and scaled to lie between 0 and 1."},
		{Key: "twice-as-steep", Answer: func(a float64) float64 { return (1 + math.Tanh(a)) / 2 }, Hint: 1,
			Message: "This is σ(2a), twice as steep: in (1+tanh(…))/2 the argument is a/2."},
		{Key: "half-as-steep", Answer: func(a float64) float64 { return 1 / (1 + math.Exp(-a/2)) }, Hint: 1,
			Message: "This is σ(a/2), half as steep as it should be."},
		{Key: "probit", Answer: kernel.NormCDF, Hint: 1,
			Message: "This is the probit function Φ(a), the distribution function of the normal distribution (4.114). It has a similar shape and much shorter tails."},
		{Key: "derivative", Hint: 1, Message: "This is σ(1−σ), the derivative of the sigmoid (4.88).",
			Answer: func(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }},
		{Key: "logarithm", Answer: kernel.LogSigmoid, Hint: 1,
			Message: "This is ln σ(a), the logarithm of the sigmoid."},
		{Key: "step", Answer: func(a float64) float64 { return map[bool]float64{true: 1}[a >= 0] }, Hint: 1,
			Message: "This is a step from 0 to 1: the decision was taken already. σ(a) is the probability before it."},
		{Key: "constant-half", Answer: func(float64) float64 { return 0.5 }, Hint: 1,
			Message: "Your function is ½ everywhere: the symmetry holds, but it does not depend on a. In Go a division of whole numbers drops the rest; was a converted to int?"},

		// Right near 0, but without digits far to the left.
		{Key: "complement", Hint: 3,
			Message: "This is 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left.",
			Answer:  func(a float64) float64 { return 1 - 1/(1+math.Exp(a)) }},
		{Key: "complement", Hint: 3,
			Message: "For a < 0 you return 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left.",
			Answer: func(a float64) float64 {
				if a < 0 {
					return 1 - kernel.Sigmoid(-a)
				}
				return kernel.Sigmoid(a)
			}},
		{Key: "tanh-tail", Answer: func(a float64) float64 { return 0.5 * (1 + math.Tanh(a/2)) }, Hint: 3,
			Message: "This is (1+tanh(a/2))/2: right on paper. To the left tanh is next to −1, and after adding 1 only rounding is left: at a = −40 the sum is exactly 0."},
	},
}

// overflow returns the verdict on NaN at large |a|, where powers are Inf.
func overflow(p place) *verify.Verdict {
	if p.a < 0 {
		return judge.Fail("overflow-left", 3,
			"At %v you return NaN. For a < −709.8 e^−a is Inf in Go (its square from −355 on): 1/Inf is 0, which is right, but Inf/Inf and Inf·0 are NaN.", p)
	}
	return judge.Fail("overflow", 3,
		"At %v you return NaN. For a > 709.8 e^a is Inf in Go (its square from 355 on), and e^a/(1+e^a) is Inf/Inf. Divide both parts of the fraction by e^a first.", p)
}

// spoiled diagnoses the answer from a single value.
func spoiled(p place, got []float64) *verify.Verdict {
	v := got[0]
	if p.digits(got).OK { // the answer is wrong at a different place
		return nil
	}
	off := math.Abs(v-p.right) / p.right
	switch near := math.Abs(p.a) <= 8; {
	case near && (v < 0 || v > 1):
		return judge.Fail("range", 1,
			"At %v your σ(a) comes out as %.4g. A sigmoid with a probability for its value stays between 0 and 1.", p,
			v)
	case near && (v-0.5)*p.a < 0:
		return judge.Fail("falling", 1,
			"Your function falls: σ(a) rises from 0 on the left to 1 on the right, and at %v yours is on the other side of ½.", p)
	case near || math.Abs(p.a) > 700:
		return nil
	case p.a < -100 && v == 0:
		return judge.Fail("overflow-left", 3,
			"At %v your σ(a) is exactly 0, and a float64 holds numbers down to 1e−308. Is the tail cut off, or is something below the line Inf too early? For a < −709.8 e^−a is, its square from −355 on.", p)
	case p.a < 0 && v == 0:
		return judge.Fail("tail-lost", 3,
			"At %v your σ(a) is exactly 0, but it is a small positive number. Is the tail cut off, or 1 added to something small that is then needed? What lies below 1e−16 beside a 1 is rounded away.", p)
	case p.a > 0 && v == 1:
		return judge.Fail("cut-off", 3,
			"At %v your σ(a) is exactly 1. It is so near to 1 that a float64 cannot tell from a = 37 on, not before: is the tail cut off?", p)
	case p.a < 0 && v > 2*p.right, p.a > 0 && off > 1e-13:
		return judge.Fail("clipped", 3,
			"At %v your σ(a) is farther from its end than it should be: is a, or σ, kept inside limits? Without any limit 1/(1+e^−a) goes down to 1e−304 by itself.", p)
	case p.a < 0 && math.Abs(math.Mod(v, 0x1p-54)) == 0: // a multiple of the last place of numbers close to 1 or ½
		return judge.Fail("tail-lost", 3,
			"In the left tail your σ(a) has lost digits: at %v it is a whole number of times the last place that a number near 1 has. Something near 1 is subtracted from 1.", p)
	case p.a < 0 && math.Abs(v/math.Exp(p.a)-1) < 1e-15:
		return judge.Fail("one-missing", 3,
			"At %v you return e^a, as if the 1 beside it made no difference. It does for a > −36: σ(a) is smaller by the factor 1+e^a.", p)
	case off < 1e-6:
		return judge.Fail("digits", 3,
			"At %v your σ(a) is off by more than 4 units in its last place, about %s in relation to itself. Is a function applied and then undone, such as a logarithm inside an exponential, or is a rounded number e raised to a power? math.Exp does better.", p, verify.Magnitude(off))
	}
	return nil
}

var askLogit = &judge.Question[function, probability]{
	Func: "Logit", Name: "logit(y)", Hint: 2,
	Ask:   func(logit function, _ *judge.Call, y probability) []float64 { return []float64{logit(float64(y))} },
	Right: func(y probability) []float64 { return []float64{y.logit()} },
	Unit:  func(_ probability, right []float64) []float64 { return []float64{math.Max(1, math.Abs(right[0]))} },
	Nearly: judge.Wrong{Key: "logit-rounded", Hint: 3,
		Message: "Nearly: for {problem} your logit is {off}. Was something computed with rounded constants, or a search stopped early?"},
	Mistakes: []judge.Mistake[function]{
		{Key: "logit-sign", Answer: func(y float64) float64 { return math.Log((1 - y) / y) }, Hint: 2,
			Message: "This is ln{(1−y)/y}, the log odds of the other class: the sign is turned. (It is also ln(1/y − 1).) A large y needs a large a."},
		{Key: "reciprocal", Answer: func(y float64) float64 { return 1 + math.Exp(-y) }, Hint: 2,
			Message: "This is 1/σ(y). The −1 in σ⁻¹ means the inverse function, not the reciprocal: which a has σ(a) = y?"},
		{Key: "same-function", Answer: func(y float64) float64 { return 1 / (1 + math.Exp(-y)) }, Hint: 2,
			Message: "This is the sigmoid itself, applied to y. Its inverse answers the opposite question: which a has σ(a) = y?"},
		{Key: "odds", Answer: func(y float64) float64 { return y / (1 - y) }, Hint: 2,
			Message: "These are the odds y/(1−y), which is e^a. One step is left."},
		{Key: "log-missing-complement", Answer: math.Log, Hint: 2,
			Message: "This is ln y alone. The complement 1−y belongs into the odds."},
		{Key: "ratio-of-logs", Answer: func(y float64) float64 { return math.Log(y) / math.Log(1-y) }, Hint: 2,
			Message: "This is ln y / ln(1−y), a ratio of logarithms. The logarithm of a ratio is their difference."},
		{Key: "parenthesis", Answer: func(y float64) float64 { return math.Log(y) / (1 - y) }, Hint: 3,
			Message: "This is (ln y)/(1−y): the parenthesis of the logarithm closes too early."},
		{Key: "sum-of-logs", Answer: func(y float64) float64 { return math.Log(y * (1 - y)) }, Hint: 2,
			Message: "This is ln{y(1−y)} = ln y + ln(1−y). The odds are a ratio, so the logarithms are subtracted."},
		{Key: "minus-one-outside", Answer: func(y float64) float64 { return -(math.Log(1/y) - 1) }, Hint: 3,
			Message: "This is 1 + ln y: in −ln(1/y − 1) the 1 is subtracted inside the logarithm."},
		{Key: "plus-one-inside", Answer: func(y float64) float64 { return -math.Log(1/y + 1) }, Hint: 3,
			Message: "This is −ln(1/y + 1): solving y(1+e^−a) = 1 for e^−a subtracts the 1."},
		{Key: "entropy", Answer: func(y float64) float64 { return -y*math.Log(y) - (1-y)*math.Log(1-y) }, Hint: 2,
			Message: "This is the entropy of a probability y, which has the same value for y and 1−y. No function like that can be turned back into y."},
		{Key: "base-10", Answer: func(y float64) float64 { return math.Log10(y / (1 - y)) }, Hint: 3,
			Message: "These are log odds to base 10. σ is defined with e: math.Log is the natural logarithm."},
		{Key: "base-2", Answer: func(y float64) float64 { return math.Log2(y / (1 - y)) }, Hint: 3,
			Message: "These are log odds to base 2. σ is defined with e: math.Log is the natural logarithm."},
		{Key: "half", Answer: func(y float64) float64 { return math.Log(y/(1-y)) / 2 }, Hint: 3,
			Message: "This is half of the log odds, the inverse of (1+tanh a)/2 = σ(2a): artanh(2y−1) still has to be doubled."},
		{Key: "twice", Answer: func(y float64) float64 { return 2 * math.Log(y/(1-y)) }, Hint: 3,
			Message: "This is twice the log odds. What comes out when you put it into σ?"},
		{Key: "probit", Answer: func(y float64) float64 { return math.Sqrt2 * math.Erfinv(2*y-1) }, Hint: 2,
			Message: "This is the inverse of the probit function Φ, not that of the logistic sigmoid."},
	},
}

func init() {
	judge.Known(exercise, askSigmoid, func(f function) *verify.Report {
		return Check(f, func(y float64) float64 { return probability(y).logit() })
	})
	judge.Known(exercise, askLogit, func(f function) *verify.Report { return Check(kernel.Sigmoid, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex07", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
