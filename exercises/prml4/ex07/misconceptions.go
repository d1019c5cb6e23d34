package ex07

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A misconception is a function that a known mistake leads to.
type misconception struct {
	key     string
	f       function
	hint    int
	message string
}

var sigmoidMistakes = []misconception{
	{"sign", func(a float64) float64 { return 1 / (1 + math.Exp(a)) }, 1,
		"This is 1/(1+e^a), which is σ(−a) = 1 − σ(a): it falls from 1 to 0. The exponent has lost its minus."},
	{"denominator-minus", func(a float64) float64 { return 1 / (1 - math.Exp(-a)) }, 1,
		"This is 1/(1−e^−a). With a minus below the line the function has a pole at 0; the two probabilities e^0 and e^−a are added."},
	{"one-missing", func(a float64) float64 { return 1 / math.Exp(-a) }, 1,
		"This is 1/e^−a = e^a: the 1 in the denominator is missing."},
	{"upside-down", func(a float64) float64 { return 1 + math.Exp(-a) }, 1,
		"This is 1+e^−a, the denominator alone: its reciprocal is meant."},
	{"exp-for-sum", func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(-a)) }, 1,
		"This is e^a/(1+e^−a). Either 1 over 1+e^−a, or e^a over 1+e^a."},
	{"exp-minus-over", func(a float64) float64 { return math.Exp(-a) / (1 + math.Exp(-a)) }, 1,
		"This is e^−a/(1+e^−a), which is σ(−a): the probability of the other class."},
	{"tanh", math.Tanh, 1,
		"This is tanh(a), from −1 to 1. The logistic sigmoid is another curve of the same family, σ(a) = (1+tanh(a/2))/2."},
	{"tanh", func(a float64) float64 { return math.Tanh(a / 2) }, 1,
		"This is tanh(a/2) = 2σ(a) − 1, from −1 to 1. It still has to be moved and scaled to lie between 0 and 1."},
	{"twice-as-steep", func(a float64) float64 { return (1 + math.Tanh(a)) / 2 }, 1,
		"This is σ(2a), twice as steep: in (1+tanh(…))/2 the argument is a/2."},
	{"half-as-steep", func(a float64) float64 { return 1 / (1 + math.Exp(-a/2)) }, 1,
		"This is σ(a/2), half as steep as it should be."},
	{"probit", func(a float64) float64 { return 0.5 * math.Erfc(-a/math.Sqrt2) }, 1,
		"This is the probit function Φ(a), the distribution function of the normal distribution (4.114). It has a similar shape and much shorter tails."},
	{"derivative", func(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }, 1,
		"This is σ(1−σ), the derivative of the sigmoid (4.88)."},
	{"logarithm", func(a float64) float64 { return -math.Log1p(math.Exp(-a)) }, 1,
		"This is ln σ(a), the logarithm of the sigmoid."},
	{"step", func(a float64) float64 {
		if a >= 0 {
			return 1
		}
		return 0
	}, 1, "This is a step from 0 to 1: the decision was taken already. σ(a) is the probability before it."},
	{"constant-half", func(float64) float64 { return 0.5 }, 1,
		"Your function is ½ everywhere: the symmetry holds, but it does not depend on a. In Go a division of whole numbers drops the rest; was a converted to int?"},
}

// tailMistakes are right near 0 and lose digits to the left.
var tailMistakes = []misconception{
	{"complement", func(a float64) float64 { return 1 - 1/(1+math.Exp(a)) }, 3,
		"This is 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left."},
	{"complement", func(a float64) float64 {
		if a < 0 {
			return 1 - kernel.Sigmoid(-a)
		}
		return kernel.Sigmoid(a)
	}, 3, "For a < 0 you return 1 − σ(−a): right on paper, and by the symmetry that you have just proved. But σ(−a) is next to 1 there, and what remains after the subtraction is its rounding error: at a = −40 nothing is left."},
	{"tanh-tail", func(a float64) float64 { return 0.5 * (1 + math.Tanh(a/2)) }, 3,
		"This is (1+tanh(a/2))/2: right on paper. To the left tanh is next to −1, and after adding 1 only rounding is left: at a = −40 the sum is exactly 0."},
}

var logitMistakes = []misconception{
	{"logit-sign", func(y float64) float64 { return math.Log((1 - y) / y) }, 2,
		"This is ln{(1−y)/y}, the log odds of the other class: the sign is turned. (It is also ln(1/y − 1).) A large y needs a large a."},
	{"reciprocal", func(y float64) float64 { return 1 + math.Exp(-y) }, 2,
		"This is 1/σ(y). The −1 in σ⁻¹ means the inverse function, not the reciprocal: which a has σ(a) = y?"},
	{"same-function", func(y float64) float64 { return 1 / (1 + math.Exp(-y)) }, 2,
		"This is the sigmoid itself, applied to y. Its inverse answers the opposite question: which a has σ(a) = y?"},
	{"odds", func(y float64) float64 { return y / (1 - y) }, 2,
		"These are the odds y/(1−y), which is e^a. One step is left."},
	{"log-missing-complement", math.Log, 2,
		"This is ln y alone. The complement 1−y belongs into the odds."},
	{"ratio-of-logs", func(y float64) float64 { return math.Log(y) / math.Log(1-y) }, 2,
		"This is ln y / ln(1−y), a ratio of logarithms. The logarithm of a ratio is their difference."},
	{"parenthesis", func(y float64) float64 { return math.Log(y) / (1 - y) }, 3,
		"This is (ln y)/(1−y): the parenthesis of the logarithm closes too early."},
	{"sum-of-logs", func(y float64) float64 { return math.Log(y * (1 - y)) }, 2,
		"This is ln{y(1−y)} = ln y + ln(1−y). The odds are a ratio, so the logarithms are subtracted."},
	{"minus-one-outside", func(y float64) float64 { return -(math.Log(1/y) - 1) }, 3,
		"This is 1 + ln y: in −ln(1/y − 1) the 1 is subtracted inside the logarithm."},
	{"entropy", func(y float64) float64 { return -y*math.Log(y) - (1-y)*math.Log(1-y) }, 2,
		"This is the entropy of a probability y, which has the same value for y and 1−y. No function like that can be turned back into y."},
	{"base-10", func(y float64) float64 { return math.Log10(y / (1 - y)) }, 3,
		"These are log odds to base 10. σ is defined with e: math.Log is the natural logarithm."},
	{"base-2", func(y float64) float64 { return math.Log2(y / (1 - y)) }, 3,
		"These are log odds to base 2. σ is defined with e: math.Log is the natural logarithm."},
	{"half", func(y float64) float64 { return math.Log(y/(1-y)) / 2 }, 3,
		"This is half of the log odds, the inverse of (1+tanh a)/2 = σ(2a): artanh(2y−1) still has to be doubled."},
	{"twice", func(y float64) float64 { return 2 * math.Log(y/(1-y)) }, 3,
		"This is twice the log odds. What comes out when you put it into σ?"},
	{"probit", func(y float64) float64 { return math.Sqrt2 * math.Erfinv(2*y-1) }, 2,
		"This is the inverse of the probit function Φ, not that of the logistic sigmoid."},
}

// recognise names the mistake that a function looks like at all places: equal to
// it up to rounding, and NaN or infinite where it is.
func recognise(known []misconception, f function, places []float64) (misconception, bool) {
	for _, m := range known {
		if alike(f, m.f, places) {
			return m, true
		}
	}
	return misconception{}, false
}

func alike(f, g function, places []float64) bool {
	for _, x := range places {
		a, b := f(x), g(x)
		switch {
		case math.IsNaN(a) && math.IsNaN(b), a == b:
		case math.Abs(a-b) <= 1e-12*math.Abs(b):
		default:
			return false
		}
	}
	return true
}
