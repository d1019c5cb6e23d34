package ex08

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeForm(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(1) {
		w, w0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		again, again0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(again, w, verify.Tolerance{Rel: 1e-9}).OK || !verify.Close(again0, w0, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same arguments gave different results.")
		}
	}
	return verify.Pass("You returned D weights and a bias, for D from 1 to 5.")
}

// judgeWeights looks at differences of log odds between two places, in which w0
// drops out.
func judgeWeights(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(2) {
		w, _, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		for i := 1; i < len(p.at); i++ {
			step := instance.Minus(p.at[i], p.at[i-1])
			want := p.logOdds(p.at[i]) - p.logOdds(p.at[i-1])
			f := verify.Close(floats.Dot(w, step), want, verify.Tolerance{Abs: logOddsTol * (p.size(p.at[i]) + p.size(p.at[i-1]))})
			if f.OK {
				continue
			}
			if v, ok := learner.Recognise(weightMistakes, p, w); ok {
				return v
			}
			if c, ok := learner.Factor(w, p.solve(instance.Minus(p.mu1, p.mu2))); ok {
				return verify.Fail("w-factor", 2, "Your w is (4.66) times one number, %s. The two mixed terms xᵀΣ⁻¹μ of each quadratic form are equal, and with the ½ in front one of them is left.", sizeOf(c))
			}
			return verify.Fail("w", 2, "For “%s”, going from one x to another changes the log odds of Bayes' rule by an amount that is not your wᵀ(x − x'): %s.", p.name, f.Off())
		}
	}
	return verify.Pass("From place to place the log odds of Bayes' rule change by wᵀ(x − x'): they are linear in x, because the quadratic terms of the two classes cancel.")
}

// sizeOf says which kind of factor it is without giving it away to the digit.
func sizeOf(c float64) string {
	switch {
	case c < 0:
		return "a negative one"
	case c > 1:
		return "larger than 1"
	}
	return "smaller than 1"
}

func judgeBias(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(3) {
		_, w0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		origin := make([]float64, len(p.mu1))
		f := verify.Close(w0, p.logOdds(origin), verify.Tolerance{Abs: logOddsTol * p.size(origin)})
		if f.OK {
			continue
		}
		if v, ok := learner.Recognise(biasMistakes, p, []float64{w0}); ok {
			return v
		}
		return verify.Fail("w0", 2, "For “%s” your w0 is not the log odds that Bayes' rule gives at x = 0: %s.", p.name, f.Off())
	}
	return verify.Pass("At x = 0 the log odds of Bayes' rule are your w0.")
}

func judgeBayes(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(4) {
		w, w0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		for _, x := range p.at {
			one := p.p1 * math.Exp(p.logDensity(x, p.mu1))
			two := (1 - p.p1) * math.Exp(p.logDensity(x, p.mu2))
			if one+two < 1e-250 {
				continue // nothing to divide by
			}
			y := kernel.Sigmoid(floats.Dot(w, x) + w0)
			f := verify.Close(y, one/(one+two), verify.Tolerance{Abs: logOddsTol * p.size(x)})
			if f.OK {
				continue
			}
			if verify.Close(y, two/(one+two), verify.Tolerance{Abs: 1e-6}).OK {
				return verify.Fail("classes-swapped", 1, "For “%s” your σ(wᵀx + w0) is p(C2|x), the probability of the other class.", p.name)
			}
			return verify.Fail("bayes", 1, "For “%s” the posterior probability p1·N(x|mu1, Sigma)/p(x), with both densities written out, is not your σ(wᵀx + w0): %s.", p.name, f.Off())
		}
	}
	return verify.Pass("With both densities written out and Bayes' rule applied, p(C1|x) is your σ(wᵀx + w0).")
}

func judgePrior(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(5) {
		w, w0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		other := p
		other.p1 = 0.05 + 0.5*p.p1
		v, v0, bad := ask(posterior, other)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(v, w, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("w-prior", 2, "With another prior your w changes. The prior stands in (4.58) as a factor that does not depend on x, so only w0 can know of it.")
		}
		logit := func(y float64) float64 { return math.Log(y) - math.Log1p(-y) }
		want := logit(other.p1) - logit(p.p1)
		f := verify.Close(v0-w0, want, verify.Tolerance{Abs: 1e-8 * p.size(make([]float64, len(w)))})
		if f.OK {
			continue
		}
		moved := v0 - w0
		switch {
		case moved == 0:
			return verify.Fail("prior-missing", 2, "Your w0 does not depend on p1. A class that is rare is less probable at every x.")
		case verify.Close(moved, -want, verify.Tolerance{Rel: 1e-6}).OK:
			return verify.Fail("prior-inverted", 2, "A larger p1 lowers your w0: the ratio of the priors is upside down. (On one set of lecture slides it is printed like that.)")
		case verify.Close(moved, math.Log(other.p1/p.p1), verify.Tolerance{Rel: 1e-6}).OK:
			return verify.Fail("prior-of-one", 2, "Only ln p1 enters your w0. The log odds need the ratio p1/(1 − p1).")
		}
		return verify.Fail("prior", 2, "With another p1 the log odds move by the difference of ln{p1/(1−p1)}; your w0 does not: %s.", f.Off())
	}
	return verify.Pass("Another prior shifts w0 by the change of ln{p1/(1−p1)}: the boundary moves, and stays parallel to itself.")
}

func judgeExchange(posterior posteriorFunc) verify.Verdict {
	for _, p := range problems(6) {
		w, w0, bad := ask(posterior, p)
		if bad != nil {
			return *bad
		}
		other := p
		other.mu1, other.mu2, other.p1 = p.mu2, p.mu1, 1-p.p1
		v, v0, bad := ask(posterior, other)
		if bad != nil {
			return *bad
		}
		origin := make([]float64, len(w))
		floats.Scale(-1, v)
		if !verify.CloseSlice(v, w, verify.Tolerance{Rel: 1e-7}).OK || !verify.Close(-v0, w0, verify.Tolerance{Abs: 1e-8 * p.size(origin)}).OK {
			return verify.Fail("not-antisymmetric", 2, "For “%s”, exchanging the two classes (means and priors) should turn w and w0 into −w and −w0, since p(C2|x) = 1 − p(C1|x). It does not: some term treats the classes differently.", p.name)
		}
	}
	return verify.Pass("Exchanging the classes turns w and w0 into −w and −w0: σ(−a) = 1 − σ(a).")
}
