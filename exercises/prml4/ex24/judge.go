package ex24

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// ask calls the learner's function with copies; with a verdict instead where an
// argument was changed or no finite number came back.
func ask(f projectFunc, p problem) (mu, variance float64, bad *verify.Verdict) {
	var in learner.Inputs
	mu, variance = f(in.Slice("phi", p.phi), in.Slice("m", p.m), in.Sym("S", p.S))
	if bad := in.Changed(3); bad != nil {
		return mu, variance, bad
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"mean", mu}, {"variance", variance}} {
		if math.IsNaN(v.value) || math.IsInf(v.value, 0) {
			return mu, variance, learner.Fail("not-finite", 3, "For “%s” your %s is %g. Sums of products of finite numbers are all that is needed.", p.name, v.name, v.value)
		}
	}
	return mu, variance, nil
}

func judgeForm(f projectFunc) verify.Verdict {
	for _, p := range problems() {
		a, b, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		c, d, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if a != c || b != d {
			return verify.Fail("not-constant", 2, "Two calls with the same arguments gave different numbers. No samples are needed: mean and variance have closed forms.")
		}
	}
	return verify.Pass("You returned two finite numbers for M from 1 to 8.")
}

// known names the mistake in the learner's means, or variances.
func known(f projectFunc, list []learner.Mistake[[]problem], which int) (verify.Verdict, bool) {
	all := problems()
	got := make([]float64, len(all))
	for i, p := range all {
		mu, variance, _ := ask(f, p)
		got[i] = []float64{mu, variance}[which]
	}
	return learner.Recognise(list, all, got)
}

var tol = verify.Tolerance{Abs: 1e-10, Rel: 1e-10}

func judgeMean(f projectFunc) verify.Verdict {
	for _, p := range problems() {
		mu, variance, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		mean, spread := p.moments()
		g := verify.Close(mu, mean, tol)
		if g.OK {
			continue
		}
		if verify.Close(variance, mean, tol).OK && verify.Close(mu, spread, tol).OK {
			return verify.Fail("results-swapped", 3, "Mean and variance are returned in the wrong order.")
		}
		if v, ok := known(f, meanMistakes, 0); ok {
			return v
		}
		return verify.Fail("mean", 2, "For “%s” the activations of 2M weight vectors that have the mean m and the covariance S have another mean than yours: it is %s.", p.name, g.Off())
	}
	return verify.Pass("It is the mean activation of weight vectors placed symmetrically about m.")
}

func judgeVariance(f projectFunc) verify.Verdict {
	for _, p := range problems() {
		_, variance, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		_, spread := p.moments()
		g := verify.Close(variance, spread, tol)
		if g.OK {
			continue
		}
		if v, ok := known(f, varianceMistakes, 1); ok {
			return v
		}
		if variance < 0 {
			return verify.Fail("negative", 2, "For “%s” your variance is %.4g. A variance is not negative.", p.name, variance)
		}
		return verify.Fail("variance", 2, "For “%s” the activations of 2M weight vectors that have the mean m and the covariance S have another variance than yours: it is %s.", p.name, g.Off())
	}
	return verify.Pass("It is the mean squared deviation of the activations of weight vectors that have the covariance S.")
}

// right tells whether both numbers are, for problem p.
func right(f projectFunc, p problem) bool {
	mu, variance, bad := ask(f, p)
	mean, spread := p.moments()
	return bad == nil && verify.Close(mu, mean, tol).OK && verify.Close(variance, spread, tol).OK
}

func judgeIntegral(f projectFunc) verify.Verdict {
	r := source(2)
	for _, p := range []problem{draw(r, "one weight", 1, 1), draw(r, "two weights", 2, 1), draw(r, "three weights", 3, 0.7), draw(r, "two weights, small variances", 2, 0.05)} {
		mu, variance, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if variance < 0 {
			return verify.Fail("negative", 2, "For “%s” your variance is %.4g. A variance is not negative, and there is no Gaussian to integrate over.", p.name, variance)
		}
		// Both sums are right to 10 decimals for activations of this size.
		if g := verify.Close(overActivation(mu, variance), p.overWeights(), verify.Tolerance{Abs: 1e-8}); !g.OK {
			if !right(f, problems()[0]) {
				return verify.Fail("wrong-before", 0, "For “%s” the integral of σ(a) over your Gaussian is %s from that of σ(wᵀφ) over all weights. The parts above say why.", p.name, g.Off())
			}
			return verify.Fail("integral", 2, "For “%s” the integral of σ(a) over your Gaussian is not that of σ(wᵀφ) over all weights: %s.", p.name, g.Off())
		}
	}
	return verify.Pass("The average of σ over your one-dimensional Gaussian equals the average over all weights, in up to three dimensions, to 8 decimals.")
}

// judgeScaling compares values of the learner's function with each other only.
func judgeScaling(f projectFunc) verify.Verdict {
	r := source(3)
	for _, p := range problems() {
		mu, variance, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		for _, c := range []float64{2, -3, 1e-3, 1e4} {
			q := p
			q.phi = floats.ScaleTo(make([]float64, len(p.phi)), c, p.phi)
			a, b, bad := ask(f, q)
			if bad != nil {
				return *bad
			}
			if !verify.Close(a, c*mu, verify.Tolerance{Rel: 1e-9, Abs: 1e-12}).OK {
				return verify.Fail("mean-scaling", 2, "For “%s” the features were multiplied by %g; the activation, and with it its mean, must be too. Yours is not.", p.name, c)
			}
			if !verify.Close(b, c*c*variance, verify.Tolerance{Rel: 1e-9, Abs: 1e-15}).OK {
				return verify.Fail("variance-scaling", 2, "For “%s” the features were multiplied by %g; the variance of the activation must be multiplied by the square of it. Yours is not.", p.name, c)
			}
		}
		other := draw(r, p.name, len(p.m), 1)
		other.phi = p.phi
		sum := p
		sum.m = floats.AddTo(make([]float64, len(p.m)), p.m, other.m)
		sum.S = mat.NewSymDense(len(p.m), nil)
		sum.S.AddSym(p.S, other.S)
		a, b, bad := ask(f, other)
		if bad != nil {
			return *bad
		}
		c, d, bad := ask(f, sum)
		if bad != nil {
			return *bad
		}
		if !verify.Close(c, mu+a, verify.Tolerance{Rel: 1e-9, Abs: 1e-9}).OK || !verify.Close(d, variance+b, verify.Tolerance{Rel: 1e-9, Abs: 1e-9}).OK {
			return verify.Fail("not-additive", 2, "For “%s”: where w is the sum of two independent Gaussian vectors, means and variances of the activation add. Yours do not.", p.name)
		}
	}
	return verify.Pass("The mean is linear in the features and in m, the variance quadratic in the features and linear in S.")
}

func judgeSingular(f projectFunc) verify.Verdict {
	r := source(4)
	for _, m := range []int{1, 2, 4} {
		p := draw(r, "weights known exactly", m, 1)
		p.S = mat.NewSymDense(m, nil)
		mean := floats.Dot(p.phi, p.m)
		cases := []struct {
			p    problem
			want float64
		}{{p, 0}}
		if m > 1 {
			q := p
			q.name = "weights uncertain in one direction only"
			u := instance.Unit(r, m)
			q.S = mat.NewSymDense(m, nil)
			q.S.SymRankOne(q.S, 2, mat.NewVecDense(m, u))
			along := floats.Dot(u, p.phi)
			cases = append(cases, struct {
				p    problem
				want float64
			}{q, 2 * along * along})
		}
		for _, c := range cases {
			mu, variance, bad := ask(f, c.p)
			if bad != nil {
				if bad.Key == "not-finite" {
					return verify.Fail("singular", 3, "With %s you returned a mean of %g and a variance of %g. S is singular there; is it inverted, or is something divided by a variance?", c.p.name, mu, variance)
				}
				return *bad
			}
			if verify.Close(mu, mean, tol).OK && verify.Close(variance, c.want, verify.Tolerance{Rel: 1e-9, Abs: 1e-12}).OK {
				continue
			}
			if !right(f, problems()[0]) {
				return verify.Fail("wrong-before", 0, "With %s your numbers are not right; nor are they for weights that are uncertain in all directions. Mend that first, the parts above say more.", c.p.name)
			}
			return verify.Fail("singular", 3, "With %s your variance (%.4g) or mean is not right. S is singular there; is it inverted, factorized, or added to?", c.p.name, variance)
		}
	}
	return verify.Pass("It holds for a singular S, too: no matrix need be inverted.")
}
