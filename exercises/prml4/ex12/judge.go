package ex12

import (
	"math"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// source is the generator of part n: the same numbers on every run.
func source(n uint64) *rand.Rand { return instance.Source(412, n) }

// dualTol leaves room for σ(1−σ), where 1−σ(8) has lost 4 of its 16 digits.
var dualTol = verify.Tolerance{Rel: 1e-11}

func judgeSlope(f function) verify.Verdict {
	r := source(1)
	places := []float64{0, 1, -1, 0.5, -0.5, 8, -8}
	for range 60 {
		places = append(places, 8*(2*r.Float64()-1))
	}
	for _, a := range places {
		first, second := f(a), f(a)
		if math.IsNaN(first) || math.IsInf(first, 0) {
			if m, ok := recognise(f, places); ok {
				return verify.Fail(m.key, m.hint, "%s", m.message)
			}
			return verify.Fail("not-finite", 1, "At a = %.3g you return %g. σ is smooth: its slope is a number everywhere.", a, first)
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same a returned different numbers.")
		}
	}
	numeric, exact, at := verify.Finding{OK: true}, verify.Finding{OK: true}, 0.0
	for _, a := range places {
		if d := verify.Close(f(a), verify.Derivative(kernel.Sigmoid, a, 0), verify.Tolerance{Rel: 1e-7, Abs: 1e-10}); !d.OK && (numeric.OK || !(d.Miss <= numeric.Miss)) {
			numeric, at = d, a
		}
		if d := verify.Close(f(a), dualSlope(a), dualTol); !d.OK && (exact.OK || !(d.Miss <= exact.Miss)) {
			exact = d
			if numeric.OK {
				at = a
			}
		}
	}
	if numeric.OK && exact.OK {
		return verify.Pass("At %d places your slope is that of σ: by central differences to about 7 digits, by dual numbers to about 11.", len(places))
	}
	if m, ok := recognise(f, places); ok {
		return verify.Fail(m.key, m.hint, "%s", m.message)
	}
	if c, ok := multiple(f, places); ok && c != 0 {
		if c < 0 {
			return verify.Fail("negative", 1, "Your function is the slope of σ times a negative number. σ rises everywhere; the chain rule brings two minuses, from the reciprocal and from e^−a.")
		}
		return verify.Fail("factor", 2, "Your function is the slope of σ times one number. Compare at a = 0, where σ(1−σ) is a product of two halves; with hyperbolic functions, mind that their argument is a/2.")
	}
	if f(-8) < 0 || f(8) < 0 || f(0) < 0 {
		return verify.Fail("not-positive", 1, "Somewhere your slope is negative. σ rises everywhere.")
	}
	if numeric.OK {
		return verify.Fail("rounded", 3, "Nearly: at a = %.3g you are %s. Was the derivative taken as a difference quotient, or computed with rounded constants? The formula gives all digits.", at, exact.Off())
	}
	return verify.Fail("slope", 2, "At a = %.3g the slope of σ, by finite differences, is not yours: %s.", at, numeric.Off())
}

func judgeEven(f function) verify.Verdict {
	r := source(2)
	for i := range 100 {
		a := 10 * r.Float64()
		if i%2 == 1 {
			a *= 60
		}
		// 1e-15 is what a difference of numbers near 1 may be off.
		if d := verify.Close(f(-a), f(a), verify.Tolerance{Abs: 1e-15, Rel: 1e-11}); !d.OK {
			if math.Abs(f(a)+f(-a)) <= 1e-12*math.Abs(f(a)) {
				return verify.Fail("odd", 1, "Your slopes at a and −a have opposite signs. σ rises everywhere, on both sides of 0.")
			}
			return verify.Fail("not-even", 1, "The slopes at %.3g and at −%.3g should agree and differ: %s. Differentiate σ(−a) = 1 − σ(a) on both sides.", a, a, d.Off())
		}
	}
	return verify.Pass("The slope is an even function, as σ(−a) = 1 − σ(a) demands; it is largest at 0.")
}

// judgeArea integrates by Simpson's rule from −50, where σ is 2e−22.
func judgeArea(f function) verify.Verdict {
	for _, b := range []float64{-6, -1, 0, 0.7, 3, 50} {
		const from, n = -50.0, 4000
		h, sum := (b-from)/n, f(from)+f(b)
		for i := 1; i < n; i++ {
			sum += float64(2+2*(i%2)) * f(from+float64(i)*h)
		}
		if d := verify.Close(sum*h/3, kernel.Sigmoid(b), verify.Tolerance{Abs: 1e-9}); !d.OK {
			switch whole := d.Miss; {
			case math.IsNaN(whole):
				return verify.Fail("area", 1, "The area under your function is no finite number.")
			case b == 50:
				return verify.Fail("area", 1, "The whole area under your function should be 1 and is %s.", d.Off())
			}
			return verify.Fail("area", 1, "The area under your function from far left to %.3g should be σ(%.3g) and is %s.", b, b, d.Off())
		}
	}
	return verify.Pass("Integrating your slope gives σ back, and 1 over the whole axis: dσ/da is a probability density, that of the logistic distribution.")
}

func judgeTails(f function) verify.Verdict {
	far := []float64{12, 20, 30, 37, 40, 300, 360, 700, 710, 746, 800, 1e4, 1e300, math.MaxFloat64}
	for _, size := range far {
		for _, a := range []float64{-size, size} {
			v := f(a)
			switch {
			case math.IsNaN(v) && a < 0:
				return verify.Fail("overflow", 3, "At a = %.3g you return NaN. To the left of −709.8 e^−a is Inf in Go: 1/Inf is 0, but Inf/Inf and 0·Inf are NaN. Which form of the derivative contains no e^−a on its own?", a)
			case math.IsNaN(v):
				return verify.Fail("overflow-right", 3, "At a = %.3g you return NaN. To the right of 709.8 e^a is Inf in Go: 1/Inf is 0, but Inf/Inf and 0·Inf are NaN.", a)
			case !verify.Close(v, slope(a), verify.Tolerance{Abs: 1e-15, Rel: 1e-11}).OK:
				if !rightInTheMiddle(f) {
					return verify.Fail("wrong-in-the-middle", 0, "At a = %.3g you return %.3g, which is not right; but neither are the values near 0. Mend those first, the first part says more.", a, v)
				}
				if v > slope(a) && math.Abs(a) <= 1e4 {
					return verify.Fail("clipped", 3, "At a = %.3g you return %.3g, more than what is left of the slope there. Is a, or σ, kept inside limits?", a, v)
				}
				return verify.Fail("tails", 3, "At a = %.3g you return %.3g. σ is flat there, to within 1e−15 of what its slope is.", a, v)
			}
		}
	}
	keeps := func(a float64) bool { return verify.Close(f(a), slope(a), verify.Tolerance{Rel: 1e-12}).OK }
	switch left, right := keeps(-40), keeps(40); {
	case left && right:
		return verify.Pass("No NaN, and all digits on both sides: also where σ is 1 to the last one.")
	case left:
		return verify.Pass("No NaN. (One thing to know: at a = 40 your slope has no digits left, since 1−σ is formed from a σ that is already 1. σ(a)·σ(−a) keeps them.)")
	}
	return verify.Pass("No NaN. (One thing to know: at |a| = 40 your slope has no digits left, since something next to 1 is subtracted from 1. σ(a)·σ(−a) keeps them.)")
}

// rightInTheMiddle is the control experiment: a few places near 0.
func rightInTheMiddle(f function) bool {
	for _, a := range []float64{-2.3, 0, 0.4, 3} {
		if !verify.Close(f(a), slope(a), verify.Tolerance{Rel: 1e-9}).OK {
			return false
		}
	}
	return true
}
