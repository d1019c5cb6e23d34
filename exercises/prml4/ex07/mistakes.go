package ex07

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

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
	Nearly: judge.Wrong{Key: "rounded", Hint: 3, Message: "Nearly: at {problem} you are {off}. Was something computed with rounded constants, a table, or float32?"},
	Mistakes: []judge.Mistake[function]{
		{Key: "sign", Hint: 1, Message: "This is 1/(1+e^a), or e^−a/(1+e^−a), which is σ(−a) = 1 − σ(a): it falls from 1 to 0. The exponent has a wrong sign.",
			Answer: func(a float64) float64 { return 1 / (1 + math.Exp(a)) }},
		{Key: "denominator-minus", Hint: 1, Message: "This is 1/(1−e^−a). With a minus below the line the function has a pole at 0; the two probabilities e^0 and e^−a are added.",
			Answer: func(a float64) float64 { return 1 / (1 - math.Exp(-a)) }},
		{Key: "one-missing", Answer: math.Exp, Hint: 1, Message: "This is 1/e^−a = e^a: the 1 in the denominator is missing."},
		{Key: "upside-down", Answer: func(a float64) float64 { return 1 + math.Exp(-a) }, Hint: 1, Message: "This is 1+e^−a, the denominator alone: its reciprocal is meant."},
		{Key: "exp-for-sum", Hint: 1, Message: "This is e^a/(1+e^−a). Either 1 over 1+e^−a, or e^a over 1+e^a.",
			Answer: func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(-a)) }},
		{Key: "tanh", Answer: math.Tanh, Hint: 1, Message: "This is tanh(a), from −1 to 1. The logistic sigmoid is another curve of the same family, σ(a) = (1+tanh(a/2))/2."},
		{Key: "tanh", Answer: func(a float64) float64 { return math.Tanh(a / 2) }, Hint: 1, Message: "This is tanh(a/2) = 2σ(a) − 1, from −1 to 1. It still has to be moved and scaled to lie between 0 and 1."},
		{Key: "twice-as-steep", Hint: 1, Message: "This is σ(2a), twice as steep: in (1+tanh(…))/2 the argument is a/2.",
			Answer: func(a float64) float64 { return (1 + math.Tanh(a)) / 2 }},
		{Key: "half-as-steep", Hint: 1, Message: "This is σ(a/2), half as steep as it should be.",
			Answer: func(a float64) float64 { return 1 / (1 + math.Exp(-a/2)) }},
		{Key: "probit", Answer: kernel.NormCDF, Hint: 1, Message: "This is the probit function Φ(a), the distribution function of the normal distribution (4.114). It has a similar shape and much shorter tails."},
		{Key: "derivative", Hint: 1, Message: "This is σ(1−σ), the derivative of the sigmoid (4.88).",
			Answer: func(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }},
		{Key: "logarithm", Answer: kernel.LogSigmoid, Hint: 1, Message: "This is ln σ(a), the logarithm of the sigmoid."},
		{Key: "step", Hint: 1, Message: "This is a step from 0 to 1: the decision was taken already. σ(a) is the probability before it.",
			Answer: func(a float64) float64 { return map[bool]float64{true: 1}[a >= 0] }},
		{Key: "constant-half", Answer: func(float64) float64 { return 0.5 }, Hint: 1, Message: "Your function is ½ everywhere: the symmetry holds, but it does not depend on a. In Go a division of whole numbers drops the rest; was a converted to int?"},

		// Right near 0, without digits to the left.
		{Key: "complement", Hint: 3, Message: "This is 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left.",
			Answer: func(a float64) float64 { return 1 - 1/(1+math.Exp(a)) }},
		{Key: "complement", Hint: 3, Message: "For a < 0 you return 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left.",
			Answer: func(a float64) float64 {
				if a < 0 {
					return 1 - kernel.Sigmoid(-a)
				}
				return kernel.Sigmoid(a)
			}},
		{Key: "tanh-tail", Hint: 3, Message: "This is (1+tanh(a/2))/2: right on paper. To the left tanh is next to −1, and after adding 1 only rounding is left: at a = −40 the sum is exactly 0.",
			Answer: func(a float64) float64 { return 0.5 * (1 + math.Tanh(a/2)) }},
	},
}

// overflow is the verdict on NaN far out, where powers are Inf.
func overflow(p place) *verify.Verdict {
	if p.a < 0 {
		return judge.Fail("overflow-left", 3, "At %v you return NaN. For a < −709.8 e^−a is Inf in Go (its square from −355 on): 1/Inf is 0, which is right, but Inf/Inf and Inf·0 are NaN.", p)
	}
	return judge.Fail("overflow", 3, "At %v you return NaN. For a > 709.8 e^a is Inf in Go (its square from 355 on), and e^a/(1+e^a) is Inf/Inf. Divide both parts of the fraction by e^a first.", p)
}

// spoiled tells from one number what has become of σ there.
func spoiled(p place, got []float64) *verify.Verdict {
	v := got[0]
	if p.digits(got).OK { // it is the answer at another place that is wrong
		return nil
	}
	off := math.Abs(v-p.right) / p.right
	switch near := math.Abs(p.a) <= 8; {
	case near && (v < 0 || v > 1):
		return judge.Fail("range", 1, "At %v your σ(a) comes out as %.4g. A sigmoid with a probability for its value stays between 0 and 1.", p, v)
	case near && (v-0.5)*p.a < 0:
		return judge.Fail("falling", 1, "Your function falls: σ(a) rises from 0 on the left to 1 on the right, and at %v yours is on the other side of ½.", p)
	case near || math.Abs(p.a) > 700:
		return nil
	case p.a < -100 && v == 0:
		return judge.Fail("overflow-left", 3, "At %v your σ(a) is exactly 0, and a float64 holds numbers down to 1e−308. Is the tail cut off, or is something below the line Inf too early? For a < −709.8 e^−a is, its square from −355 on.", p)
	case p.a < 0 && v == 0:
		return judge.Fail("tail-lost", 3, "At %v your σ(a) is exactly 0, but it is a small positive number. Is the tail cut off, or 1 added to something small that is then needed? What lies below 1e−16 beside a 1 is rounded away.", p)
	case p.a > 0 && v == 1:
		return judge.Fail("cut-off", 3, "At %v your σ(a) is exactly 1. It is so near to 1 that a float64 cannot tell from a = 37 on, not before: is the tail cut off?", p)
	case p.a < 0 && v > 2*p.right, p.a > 0 && off > 1e-13:
		return judge.Fail("clipped", 3, "At %v your σ(a) is farther from its end than it should be: is a, or σ, kept inside limits? Without any limit 1/(1+e^−a) goes down to 1e−304 by itself.", p)
	case p.a < 0 && math.Abs(math.Mod(v, 0x1p-54)) == 0: // the last place of numbers next to 1, or ½
		return judge.Fail("tail-lost", 3, "In the left tail your σ(a) has lost digits: at %v it is a whole number of times the last place that a number near 1 has. Something near 1 is subtracted from 1.", p)
	case p.a < 0 && math.Abs(v/math.Exp(p.a)-1) < 1e-15:
		return judge.Fail("one-missing", 3, "At %v you return e^a, as if the 1 beside it made no difference. It does for a > −36: σ(a) is smaller by the factor 1+e^a.", p)
	case off < 1e-6:
		return judge.Fail("digits", 3, "At %v your σ(a) is off by more than 4 units in its last place, about %s in relation to itself. Is a function applied and then undone, such as a logarithm inside an exponential, or is a rounded number e raised to a power? math.Exp does better.", p, verify.Magnitude(off))
	}
	return nil
}

var askLogit = &judge.Question[function, probability]{
	Func: "Logit", Name: "logit(y)", Hint: 2,
	Ask:    func(logit function, _ *judge.Call, y probability) []float64 { return []float64{logit(float64(y))} },
	Right:  func(y probability) []float64 { return []float64{y.logit()} },
	Unit:   func(_ probability, right []float64) []float64 { return []float64{math.Max(1, math.Abs(right[0]))} },
	Nearly: judge.Wrong{Key: "logit-rounded", Hint: 3, Message: "Nearly: for {problem} your logit is {off}. Was something computed with rounded constants, or a search stopped early?"},
	Mistakes: []judge.Mistake[function]{
		{Key: "logit-sign", Hint: 2, Message: "This is ln{(1−y)/y}, the log odds of the other class: the sign is turned. (It is also ln(1/y − 1).) A large y needs a large a.",
			Answer: func(y float64) float64 { return math.Log((1 - y) / y) }},
		{Key: "reciprocal", Answer: func(y float64) float64 { return 1 + math.Exp(-y) }, Hint: 2, Message: "This is 1/σ(y). The −1 in σ⁻¹ means the inverse function, not the reciprocal: which a has σ(a) = y?"},
		{Key: "same-function", Hint: 2, Message: "This is the sigmoid itself, applied to y. Its inverse answers the opposite question: which a has σ(a) = y?",
			Answer: func(y float64) float64 { return 1 / (1 + math.Exp(-y)) }},
		{Key: "odds", Answer: func(y float64) float64 { return y / (1 - y) }, Hint: 2, Message: "These are the odds y/(1−y), which is e^a. One step is left."},
		{Key: "log-missing-complement", Answer: math.Log, Hint: 2, Message: "This is ln y alone. The complement 1−y belongs into the odds."},
		{Key: "ratio-of-logs", Hint: 2, Message: "This is ln y / ln(1−y), a ratio of logarithms. The logarithm of a ratio is their difference.",
			Answer: func(y float64) float64 { return math.Log(y) / math.Log(1-y) }},
		{Key: "parenthesis", Hint: 3, Message: "This is (ln y)/(1−y): the parenthesis of the logarithm closes too early.",
			Answer: func(y float64) float64 { return math.Log(y) / (1 - y) }},
		{Key: "sum-of-logs", Hint: 2, Message: "This is ln{y(1−y)} = ln y + ln(1−y). The odds are a ratio, so the logarithms are subtracted.",
			Answer: func(y float64) float64 { return math.Log(y * (1 - y)) }},
		{Key: "minus-one-outside", Answer: func(y float64) float64 { return -(math.Log(1/y) - 1) }, Hint: 3, Message: "This is 1 + ln y: in −ln(1/y − 1) the 1 is subtracted inside the logarithm."},
		{Key: "plus-one-inside", Answer: func(y float64) float64 { return -math.Log(1/y + 1) }, Hint: 3, Message: "This is −ln(1/y + 1): solving y(1+e^−a) = 1 for e^−a subtracts the 1."},
		{Key: "entropy", Hint: 2, Message: "This is the entropy of a probability y, which has the same value for y and 1−y. No function like that can be turned back into y.",
			Answer: func(y float64) float64 { return -y*math.Log(y) - (1-y)*math.Log(1-y) }},
		{Key: "base-10", Hint: 3, Message: "These are log odds to base 10. σ is defined with e: math.Log is the natural logarithm.",
			Answer: func(y float64) float64 { return math.Log10(y / (1 - y)) }},
		{Key: "base-2", Hint: 3, Message: "These are log odds to base 2. σ is defined with e: math.Log is the natural logarithm.",
			Answer: func(y float64) float64 { return math.Log2(y / (1 - y)) }},
		{Key: "half", Hint: 3, Message: "This is half of the log odds, the inverse of (1+tanh a)/2 = σ(2a): artanh(2y−1) still has to be doubled.",
			Answer: func(y float64) float64 { return math.Log(y/(1-y)) / 2 }},
		{Key: "twice", Hint: 3, Message: "This is twice the log odds. What comes out when you put it into σ?",
			Answer: func(y float64) float64 { return 2 * math.Log(y/(1-y)) }},
		{Key: "probit", Hint: 2, Message: "This is the inverse of the probit function Φ, not that of the logistic sigmoid.",
			Answer: func(y float64) float64 { return math.Sqrt2 * math.Erfinv(2*y-1) }},
	},
}

func init() {
	judge.Known(exercise, askSigmoid, func(f function) *verify.Report {
		return Check(f, func(y float64) float64 { return probability(y).logit() })
	})
	judge.Known(exercise, askLogit, func(f function) *verify.Report { return Check(kernel.Sigmoid, f) })
}
