package ex04

import (
	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeSplit accepts every pair with the right difference and says which it is.
func judgeSplit(split splitFunc) verify.Verdict {
	r := source(6)
	name := ""
	for i, p := range problems(r) {
		w := floats.SubTo(make([]float64, len(p.w1)), p.w1, p.w2) // of a sensible size
		w1, w2, bad := askSplit(split, p, w)
		if bad != nil {
			return *bad
		}
		for _, x := range p.inputs(r, 20) {
			// Numbers too large for their difference make NaN or a step, neither close.
			f := verify.Close(posterior(w1, w2, x), kernel.Sigmoid(floats.Dot(w, x)), verify.Tolerance{Abs: 1e-10})
			if f.OK {
				continue
			}
			if v, ok := recogniseSplit(p, w, w1, w2); ok {
				return v
			}
			return verify.Fail("split-posterior", 4, "For “%s” the first softmax output of your pair is not σ(wᵀx̃) at a random x: it is %s.", p.name, f.Off())
		}
		if g := gauge(p, w, w1, w2); i == 0 {
			name = g
		} else if g != name {
			name = "a pair of your own: w1 − w2 is right, which is all that the outputs see"
		}
	}
	return verify.Pass("At random inputs the first output of your pair equals the sigmoid. You chose %s.", name)
}

// gauge names the choice among all pairs of one difference.
func gauge(p problem, w, w1, w2 []float64) string {
	near := func(a []float64, c float64) bool {
		want := floats.ScaleTo(make([]float64, len(w)), c, p.even(w))
		return verify.CloseSlice(p.even(a), want, verify.Tolerance{Abs: 1e-9}).OK
	}
	switch {
	case near(w2, 0):
		return "w2 = 0: the second class as the reference class, as in (10.25)"
	case near(w1, 0):
		return "w1 = 0: the first class as the reference class, with w2 = −w"
	case near(w1, 0.5):
		return "the even pair ±w/2, the one of least length"
	}
	return "a pair of your own: w1 − w2 is right, which is all that the outputs see"
}

// recogniseSplit names the mistake behind a pair whose difference is wrong.
func recogniseSplit(p problem, w, w1, w2 []float64) (verify.Verdict, bool) {
	difference := p.even(floats.SubTo(make([]float64, len(w)), w1, w2))
	is := func(c float64) bool {
		want := floats.ScaleTo(make([]float64, len(w)), c, p.even(w))
		return verify.CloseSlice(difference, want, verify.Tolerance{Rel: 1e-6, Abs: 1e-12}).OK
	}
	switch {
	case is(0):
		return verify.Fail("equal-pair", 4, "Both weight vectors are the same, and then both outputs are ½ everywhere. What the sigmoid holds is their difference."), true
	case is(2):
		return verify.Fail("pair-twice", 4, "Your pair differs by 2w, as w and −w do. The outputs see the difference of the two; it must be w."), true
	case is(-1):
		return verify.Fail("pair-swapped", 4, "Your pair belongs to exchanged classes: the second output is σ(wᵀx̃), the first one minus it."), true
	case is(0.5):
		return verify.Fail("pair-half", 4, "Your pair differs by w/2 only."), true
	}
	if len(w) > 1 && w[0] != 0 && verify.CloseSlice(difference[1:], p.even(w)[1:], verify.Tolerance{Rel: 1e-6}).OK {
		return verify.Fail("pair-bias", 4, "The weights of the inputs are right, the biases are not: they must differ by w's first entry."), true
	}
	return verify.Verdict{}, false
}
