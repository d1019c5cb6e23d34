package ex07

import (
	"math"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// source is the generator of part n: the same numbers on every run.
func source(n uint64) *rand.Rand { return instance.Source(407, n) }

// judgeMiddle establishes the function itself, where rounding is no matter. The
// second route needs no exponential: the odds y/(1−y) of σ turn sums into
// products, and at 1 they are e.
func judgeMiddle(f function) verify.Verdict {
	r := source(1)
	middle := []float64{0, 1, -1, 0.5, -0.5, 8, -8}
	for range 60 {
		middle = append(middle, 8*(2*r.Float64()-1))
	}
	for _, a := range middle {
		if v := f(a); math.IsNaN(v) || math.IsInf(v, 0) {
			if m, ok := recognise(sigmoidMistakes, f, middle); ok {
				return verify.Fail(m.key, m.hint, "%s", m.message)
			}
			return verify.Fail("not-finite", 1, "σ(%.3g) comes out as %g. Nothing in 1/(1+e^−a) can be zero below the line: look for a missing 1 or a minus.", a, v)
		}
		if first, second := f(a), f(a); first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same a returned different numbers.")
		}
	}
	odds := func(a float64) float64 { return f(a) / (1 - f(a)) }
	values, products := verify.Finding{OK: true}, verify.Close(odds(1), math.E, verify.Tolerance{Rel: 1e-9})
	at := 0.0
	for i, a := range middle {
		if d := verify.Close(f(a), exact(a), verify.Tolerance{Rel: 1e-11}); !d.OK && values.OK {
			values, at = d, a
		}
		b := middle[(i+1)%len(middle)] / 4
		d := verify.Close(odds(a/4+b), odds(a/4)*odds(b), verify.Tolerance{Rel: 1e-9})
		if !d.OK {
			products = d
		}
	}
	if values.OK && products.OK {
		return verify.Pass("Your σ(a) lies strictly between 0 and 1, is right at %d places, and its odds σ/(1−σ) multiply where the a add up.", len(middle))
	}
	if m, ok := recognise(sigmoidMistakes, f, middle); ok {
		return verify.Fail(m.key, m.hint, "%s", m.message)
	}
	for _, a := range middle {
		if v := f(a); v < 0 || v > 1 {
			return verify.Fail("range", 1, "σ(%.3g) comes out as %.4g. A sigmoid with a probability for its value stays between 0 and 1.", a, v)
		}
	}
	if f(8) < f(-8) {
		return verify.Fail("falling", 1, "Your function falls: σ(a) rises from 0 on the left to 1 on the right.")
	}
	if !values.OK {
		if values.Miss < 1e-5 {
			return verify.Fail("rounded", 3, "Nearly: at a = %.3g you are %s. Was something computed with rounded constants, a table, or float32?", at, values.Off())
		}
		return verify.Fail("value", 1, "At a = %.3g your σ(a) is %s.", at, values.Off())
	}
	return verify.Fail("odds", 1, "The odds σ(a)/(1−σ(a)) of your function are not those of e^a: %s.", products.Off())
}

func judgeSymmetry(f function) verify.Verdict {
	r := source(2)
	for i := range 200 {
		a := 30 * r.Float64()
		if i == 0 {
			a = 0
		}
		left, right := f(-a), f(a)
		// The rounding of values below 1, in the two of them and in their sum.
		d := verify.Close(left+right, 1, verify.Tolerance{Abs: 1e-15})
		if d.OK {
			continue
		}
		if l, r := f(-1.5), f(1.5); math.Abs(l+r) <= 1e-15*math.Abs(r) {
			return verify.Fail("odd", 1, "Your function is odd, f(−a) = −f(a), like tanh. The curve of σ is symmetric about the point (0, ½), not about the origin.")
		}
		if a == 0 {
			return verify.Fail("half", 1, "σ(0) + σ(−0) = 1 leaves no choice: σ(0) = ½. Yours is %.4g.", right)
		}
		if left == right {
			return verify.Fail("even", 1, "Your function is even, f(−a) = f(a). Was |a| used without telling the two sides apart?")
		}
		return verify.Fail("not-symmetric", 1, "At a = %.3g the sum σ(a) + σ(−a) should be 1 and is %s.", a, d.Off())
	}
	return verify.Pass("σ(−a) and 1 − σ(a) agree to the last digit of a number below 1. (In the far left tail 1 − σ(a) has fewer digits than σ(−a): see the next part.)")
}

// digitsTol is in units of the last place: what 1/(1+e^−a) needs, with room for
// another order of operations and another exponential function.
const digitsTol = 4

func judgeDigits(f function) verify.Verdict {
	r := source(3)
	places := []float64{0, -40, 40, 700, -700, -37, -36.5}
	for range 300 {
		places = append(places, 700*(2*r.Float64()-1), 40*(2*r.Float64()-1))
	}
	worst, at := 0.0, 0.0
	for _, a := range places {
		if v := f(a); math.IsNaN(v) || math.IsInf(v, 0) {
			return verify.Fail("overflow", 2, "σ(%.3g) comes out as %g. Where does an exponential become Inf, or a denominator 0?", a, v)
		}
		if miss := ulps(f(a), exact(a)); miss > worst {
			worst, at = miss, a
		}
	}
	if worst <= digitsTol {
		return verify.Pass("Never more than %d units in the last place off, from σ(−700) to σ(700).", digitsTol)
	}
	if !verify.Close(f(1.3), exact(1.3), verify.Tolerance{Rel: 1e-9}).OK || !verify.Close(f(-1.3), exact(-1.3), verify.Tolerance{Rel: 1e-9}).OK {
		return verify.Fail("wrong-in-the-middle", 1, "There is no point in counting digits yet: near 0 the values are not those of σ. The first part says more.")
	}
	if m, ok := recognise(tailMistakes, f, places); ok {
		return verify.Fail(m.key, m.hint, "%s", m.message)
	}
	switch {
	case f(-40) == 0:
		return verify.Fail("tail-lost", 3, "At a = −40 your σ(a) is exactly 0, but it is a small positive number. Something near 1 is subtracted from 1, or 1 is added to something small that is then needed: what lies below 1e−16 beside a 1 is rounded away.")
	case f(-700) == f(-200) || f(-700) == f(-600):
		return verify.Fail("clipped", 3, "Far to the left your σ(a) stays at one value: is a, or σ, kept inside limits? Without any limit 1/(1+e^−a) goes down to 1e−304 by itself.")
	case f(-40) > 0 && math.Abs(f(-30)-exact(-30)) < 1e-15 && ulps(f(-30), exact(-30)) > 100:
		return verify.Fail("tail-lost", 3, "In the left tail your σ(a) has lost digits: right to about 1e−16 in itself, but there σ(a) is not much larger than that. Something near 1 is subtracted from 1.")
	}
	return verify.Fail("digits", 3, "At a = %.4g your σ(a) is off by about %s in relation to itself, and 1e−15 can be had. Is a function applied and then undone, such as a logarithm inside an exponential, or is the rounded number math.E raised to a power? math.Exp does better.", at, verify.Magnitude(math.Abs(f(at)-exact(at))/exact(at)))
}

func judgeFar(f function) verify.Verdict {
	for _, a := range []float64{710, 1e3, 1e4, 1e300, math.MaxFloat64} {
		for _, s := range []float64{a, -a} {
			v := f(s)
			switch {
			case math.IsNaN(v) && s > 0:
				return verify.Fail("overflow", 3, "σ(%.3g) comes out as NaN. For a > 709.8 e^a is Inf in Go, and e^a/(1+e^a) is Inf/Inf. Divide both parts of the fraction by e^a first.", s)
			case math.IsNaN(v):
				return verify.Fail("overflow-left", 3, "σ(%.3g) comes out as NaN. For a < −709.8 e^−a is Inf in Go: 1/Inf is 0, which is right, but Inf/Inf and Inf·0 are NaN.", s)
			}
			want := 0.0
			if s > 0 {
				want = 1
			}
			if !verify.Close(v, want, verify.Tolerance{Abs: 1e-300}).OK {
				if exact(1.3) != f(1.3) && !verify.Close(f(1.3), exact(1.3), verify.Tolerance{Rel: 1e-9}).OK {
					return verify.Fail("wrong-in-the-middle", 1, "σ(%.3g) comes out as %.4g, but near 0 the values are not those of σ either. The first part says more.", s, v)
				}
				if verify.Close(v, want, verify.Tolerance{Abs: 1e-6}).OK {
					return verify.Fail("clipped", 3, "σ(%.3g) comes out as %.4g: a limit keeps it away from its end. Without one, 1/(1+e^−a) is right.", s, v)
				}
				return verify.Fail("far", 2, "σ(%.3g) comes out as %.4g. So far out it should be next to 0 on the left, next to 1 on the right.", s, v)
			}
		}
	}
	return verify.Pass("At ±1e4 and beyond your σ is 0 or 1. In Go e^710 is Inf, and 1/Inf is 0: no harm done.")
}
