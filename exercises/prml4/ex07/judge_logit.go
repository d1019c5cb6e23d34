package ex07

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeInverse establishes σ(logit(y)) = y with the check's own σ. Held against
// y, a relative 1e-12 asks for all digits of the logit at small y, and allows
// near y = 1 what y itself, so near 1, cannot tell apart.
func judgeInverse(f function) verify.Verdict {
	r := source(5)
	middle := []float64{0.5, 0.25, 0.75, 0.1, 0.9}
	for range 60 {
		middle = append(middle, 0.001+0.998*r.Float64())
	}
	ends := []float64{1e-300, 1e-100, 1e-17, 1e-9, 1e-5, 1 - 1e-5, 1 - 1e-9, 1 - 1e-15}
	for _, y := range append(append([]float64(nil), middle...), ends...) {
		if v := f(y); math.IsNaN(v) || math.IsInf(v, 0) {
			if m, ok := recognise(logitMistakes, f, middle); ok {
				return verify.Fail(m.key, m.hint, "%s", m.message)
			}
			return verify.Fail("logit-not-finite", 2, "logit(%.3g) comes out as %g. For 0 < y < 1 it is a finite number.", y, v)
		}
		if first, second := f(y), f(y); first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same y returned different numbers.")
		}
	}
	for _, y := range middle {
		d := verify.Close(kernel.Sigmoid(f(y)), y, verify.Tolerance{Rel: 1e-12})
		// The second route: a is where the sigmoid, bisected, passes y.
		root := verify.Close(f(y), bisect(y), verify.Tolerance{Rel: 1e-9, Abs: 1e-9})
		if d.OK && root.OK {
			continue
		}
		if m, ok := recognise(logitMistakes, f, middle); ok {
			return verify.Fail(m.key, m.hint, "%s", m.message)
		}
		if !(d.Miss < 1e-6) {
			return verify.Fail("logit-value", 2, "σ(logit(%.3g)) should be %.3g again and is %s.", y, y, d.Off())
		}
		return verify.Fail("logit-rounded", 3, "Nearly: σ(logit(%.3g)) is %s. Was something computed with rounded constants, or a search stopped early?", y, d.Off())
	}
	for _, y := range ends {
		if d := verify.Close(kernel.Sigmoid(f(y)), y, verify.Tolerance{Rel: 1e-12}); !d.OK {
			return verify.Fail("logit-ends", 3, "For y between 0.001 and 0.999 your logit is right, at y = %.3g it is not: σ(logit(y)) misses y by more than rounding. Is y kept away from 0 and 1 by a limit, or a small number added inside the logarithm?", y)
		}
	}
	return verify.Pass("σ(logit(y)) is y again, for y from 1e−300 to 1 − 1e−15.")
}

// bisect is the a with σ(a) = y, for y not too near 0 or 1.
func bisect(y float64) float64 {
	lo, hi := -40.0, 40.0
	for range 80 {
		if mid := (lo + hi) / 2; kernel.Sigmoid(mid) < y {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func judgeOdd(f function) verify.Verdict {
	if v := f(0.5); math.Abs(v) > 1e-14 || math.IsNaN(v) {
		return verify.Fail("logit-half", 1, "Your logit(½) is %.4g. Where y = ½ both classes are equally probable, and the log of even odds is not that.", v)
	}
	for i := 1; i < 512; i++ { // of 1024, so that 1−y is exact
		y := float64(i) / 1024
		if d := verify.Close(f(1-y), -f(y), verify.Tolerance{Rel: 1e-11, Abs: 1e-14}); !d.OK {
			return verify.Fail("logit-not-odd", 1, "At y = %.4g the logits of y and of 1−y are not opposite numbers: their sum is %s. Exchanging the classes turns the odds upside down, and so changes only the sign of their logarithm.", y, d.Off())
		}
	}
	return verify.Pass("Exchanging the two classes changes the sign of the logit, and nothing else. It is the same symmetry as that of σ.")
}

func judgeRoundTrip(sigmoid, logit function) verify.Verdict {
	for i := -60; i <= 60; i++ {
		a := float64(i) / 4
		// To the right σ(a) nears 1, where one unit in its last place is worth
		// e^a times as much in a.
		d := verify.Close(logit(sigmoid(a)), a, verify.Tolerance{Abs: 1e-11 + 2e-15*math.Exp(math.Abs(a))})
		if !d.OK {
			return verify.Fail("not-inverse", 2, "logit(σ(%.3g)), by your two functions, is not %.3g again: %s. The parts above tell which of the two it is.", a, a, d.Off())
		}
	}
	for i := 1; i < 128; i++ {
		y := float64(i) / 128
		if d := verify.Close(sigmoid(logit(y)), y, verify.Tolerance{Rel: 1e-11}); !d.OK {
			return verify.Fail("not-inverse", 2, "σ(logit(%.3g)), by your two functions, is not %.3g again: %s. The parts above tell which of the two it is.", y, y, d.Off())
		}
	}
	return verify.Pass("Your two functions are each other's inverse.")
}
