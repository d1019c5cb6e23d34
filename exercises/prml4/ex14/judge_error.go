package ex14

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type errorFunc = func(w []float64, Phi *mat.Dense, t []float64, c float64) float64

// askError calls the learner's function with copies.
func askError(f errorFunc, p problem, c float64) (float64, *verify.Verdict) {
	var in learner.Inputs
	e := f(in.Slice("w", p.w), in.Dense("Phi", p.Phi), in.Slice("t", p.t), c)
	return e, in.Changed(3)
}

// moderate are lengths at which every formula for E is accurate.
var moderate = []float64{0, 0.3, 1, 1.7, 2.5, -0.8}

func judgeValue(f errorFunc) verify.Verdict {
	r := source(4)
	problems := separable(r)[:3]
	for i := range problems { // any direction, not a separating one
		problems[i].w = instance.Weights(r, problems[i].Phi, 1.5)
	}
	for _, p := range problems {
		got, want := make([]float64, len(moderate)), make([]float64, len(moderate))
		for i, c := range moderate {
			e, bad := askError(f, p, c)
			if bad != nil {
				return *bad
			}
			if math.IsNaN(e) || math.IsInf(e, 0) {
				return verify.Fail("not-finite", 3, "For “%s” and c = %g you returned %g.", p.name, c, e)
			}
			if again, bad := askError(f, p, c); bad != nil || again != e {
				return verify.Fail("not-constant", 0, "Two calls with the same arguments gave different errors.")
			}
			got[i], want[i] = e, p.err(floats.ScaleTo(make([]float64, len(p.w)), c, p.w))
		}
		g := verify.CloseSlice(got, want, verify.Tolerance{Rel: 1e-10})
		if g.OK {
			continue
		}
		if v, ok := learner.Recognise(mistakes, p, got); ok {
			return v
		}
		return verify.Fail("value", 1, "For “%s” and c from −0.8 to 2.5 your numbers are not E(c·w): %s.", p.name, g.Off())
	}
	return verify.Pass("It is the cross-entropy (4.90) at c·w, for any w.")
}

// judgeFall looks at the learner's function alone, along a separating direction
// with smallest margin 1.
func judgeFall(f errorFunc) verify.Verdict {
	for _, p := range separable(source(5)) {
		w := append([]float64(nil), p.w...)
		floats.Scale(1/floats.Min(p.margins(w)), w)
		p.w = w
		last, n := math.Inf(1), float64(len(p.t))
		for _, c := range []float64{0, 0.5, 1, 2, 4, 8, 16, 30} {
			e, bad := askError(f, p, c)
			if bad != nil {
				return *bad
			}
			if math.IsNaN(e) {
				return verify.Fail("overflow", 3, "For “%s” and c = %g your error is NaN: 0·ln 0, where an output is 0 or 1 to the last digit. A term has the form ln(1+e^−s), with s > 0 here.", p.name, c)
			}
			if e < 0 {
				return verify.Fail("no-error", 2, "For “%s” and c = %g your error is %.3g. E is a sum of positive terms −ln y.", p.name, c, e)
			}
			if !(e < last) {
				return verify.Fail("not-falling", 1, "For “%s” your error does not fall from one c to the next, at c = %g, although w separates the classes: every single term falls.", p.name, c)
			}
			// Each of N terms is at most ln(1+e^−c); half a per cent for rounding in 1−y.
			if e > 1.005*n*math.Log1p(math.Exp(-c))+1e-14*n {
				return verify.Fail("falls-too-slowly", 1, "For “%s” your error at c = %g is larger than N·ln(1+e^−c), which it cannot be when every point has a margin of 1 or more.", p.name, c)
			}
			last = e
		}
		if v := newtonGrows(f, p); v != nil {
			return *v
		}
		for _, c := range []float64{800, 1e4} {
			e, bad := askError(f, p, c)
			if bad != nil {
				return *bad
			}
			if math.IsNaN(e) || math.Abs(e) > 1e-12 {
				return verify.Fail("overflow", 3, "For “%s” and c = %g your error is %.3g, where nothing is left of it. 0·ln 0 is NaN, and e^800 is Inf; a term has the form ln(1+e^−s), with s > 0 here.", p.name, c, e)
			}
		}
	}
	return verify.Pass("E falls strictly, below every bound, and Newton's steps in c grow without end: no finite w is best.")
}

// newtonGrows takes Newton's steps in c, with derivatives of the learner's own
// function.
func newtonGrows(f errorFunc, p problem) *verify.Verdict {
	at := func(c float64) float64 { e, _ := askError(f, p, c); return e }
	slope := func(c float64) float64 { return verify.Derivative(at, c, 0) }
	c := 0.0
	for range 5 {
		next := c - slope(c)/verify.Derivative(slope, c, 1e-2)
		if !(next > c) {
			return learner.Fail("newton-stops", 1, "For “%s” Newton's method on your error, as a function of c, goes back at c = %.3g. Along a separating direction each step is longer than the last place.", p.name, c)
		}
		c = next
	}
	return nil
}

// judgeRise looks at directions with a point on the wrong side.
func judgeRise(f errorFunc) verify.Verdict {
	r := source(6)
	p := separable(r)[0]
	p.t[3] = 1 - p.t[3]
	opposite := separable(r)[1]
	floats.Scale(-1, opposite.w)
	opposite.name = "the opposite of a separating direction"
	p.name = "one wrong label"
	for _, p := range []problem{p, opposite} {
		floats.Scale(2/math.Abs(floats.Min(p.margins(p.w))), p.w) // the worst point at −2
		for _, c := range []float64{30, 400, 1e4, -400, -1e4} {
			e, bad := askError(f, p, c)
			if bad != nil {
				return *bad
			}
			want := p.err(floats.ScaleTo(make([]float64, len(p.w)), c, p.w))
			g := verify.Close(e, want, verify.Tolerance{Rel: 1e-9, Abs: 1e-9})
			switch {
			case g.OK:
			case math.IsNaN(e) || math.IsInf(e, 0):
				return verify.Fail("overflow", 3, "With %s and c = %g your error is %g. A point far on the wrong side has y = 0 to the last digit, and −ln y is Inf; its error is only about as large as its activation. Write the term as ln(1+e^−s), for negative s as −s + ln(1+e^s).", p.name, c, e)
			case !rightAtModerate(f):
				return verify.Fail("wrong-in-the-middle", 0, "With %s and c = %g your error is not right; nor is it at moderate c. Mend that first, the fourth part says more.", p.name, c)
			default:
				return verify.Fail("clipped", 3, "With %s and c = %g your error is %s. Are outputs clipped, or is a small number added under the logarithm? For points far on the wrong side it shows.", p.name, c, g.Off())
			}
		}
	}
	return verify.Pass("With a point on the wrong side E rises in the end, as a straight line, and stays finite at c = ±10⁴.")
}

func rightAtModerate(f errorFunc) bool {
	p := separable(source(8))[0]
	for _, c := range moderate {
		e, bad := askError(f, p, c)
		want := p.err(floats.ScaleTo(make([]float64, len(p.w)), c, p.w))
		if bad != nil || !verify.Close(e, want, verify.Tolerance{Rel: 1e-9}).OK {
			return false
		}
	}
	return true
}

func judgeTogether(direction directionFunc, f errorFunc) verify.Verdict {
	for _, p := range separable(source(7)) {
		w, ok, bad := askDirection(direction, p)
		if bad != nil {
			return *bad
		}
		if !ok {
			return verify.Fail("no-direction", 2, "For “%s” you report no direction, so there is nothing to follow: see the first part.", p.name)
		}
		if bad := separates(p, w); bad != nil {
			return *bad
		}
		p.w = w
		low := floats.Min(p.margins(w))
		for _, bound := range []float64{1, 1e-3, 1e-6, 1e-9} {
			// ln(1+e^−s) < e^−s: this c is long enough for the bound.
			c := math.Log(2*float64(len(p.t))/bound) / low
			e, bad := askError(f, p, c)
			if bad != nil {
				return *bad
			}
			if !(e >= 0 && e < bound) {
				return verify.Fail("not-below-bound", 1, "For “%s” E along your w should have fallen below %g at c = %.3g; it is %.3g.", p.name, bound, c, e)
			}
		}
	}
	return verify.Pass("Along the direction that you found, E falls below 1, 10⁻³, 10⁻⁶, 10⁻⁹ …")
}
