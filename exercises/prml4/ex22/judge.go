package ex22

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// ask calls the learner's function with copies; with a verdict instead where an
// argument was changed.
func ask(f evidenceFunc, p problem) (float64, *verify.Verdict) {
	var in learner.Inputs
	v := f(p.logLik, p.logPrior, in.Slice("mode", p.mode), in.Sym("A", p.A))
	return v, in.Changed(3)
}

// askFinite is ask where a finite number must come back.
func askFinite(f evidenceFunc, p problem) (float64, *verify.Verdict) {
	v, bad := ask(f, p)
	if bad == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		bad = learner.Fail("not-finite", 3, "For “%s” you returned %g. A is positive definite and both logarithms are finite at the mode; is there the logarithm of a negative number, or θ of a wrong length handed to logLik?", p.name, v)
	}
	return v, bad
}

func judgeForm(f evidenceFunc) verify.Verdict {
	for _, p := range gaussians() {
		first, bad := askFinite(f, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls with the same arguments gave different numbers.")
		}
	}
	return verify.Pass("You returned a finite number for M from 1 to 8.")
}

// tolerance leaves room for the rounding of sums of large terms.
func (p problem) tolerance() verify.Tolerance {
	return verify.Tolerance{Abs: 1e-8, Rel: 1e-9}
}

// known names the mistake in the learner's function, from all Gaussian models.
func known(f evidenceFunc) (verify.Verdict, bool) {
	problems := gaussians()
	got, right := make([]float64, len(problems)), make([]float64, len(problems))
	for i, p := range problems {
		got[i], _ = ask(f, p)
		right[i] = p.exact
	}
	if v, ok := learner.Recognise(mistakes, problems, got); ok {
		return v, true
	}
	if c, ok := learner.Factor(got, right); ok && math.Abs(c-1) > 1e-3 {
		return verify.Fail("factor", 2, "Your number is the log evidence times a constant. Which logarithm did you take, or is there a factor in front of the whole sum?"), true
	}
	return verify.Verdict{}, false
}

func judgeExact(f evidenceFunc) verify.Verdict {
	for _, p := range gaussians() {
		v, bad := askFinite(f, p)
		if bad != nil {
			return *bad
		}
		g := verify.Close(v, p.exact, p.tolerance())
		if g.OK {
			continue
		}
		if v, ok := known(f); ok {
			return v
		}
		return verify.Fail("value", 2, "For “%s” (M = %d) the posterior is a Gaussian, and the formula must give the exact log density of the targets. Yours is %s.", p.name, p.dim(), g.Off())
	}
	return verify.Pass("Where the posterior is Gaussian nothing is approximated: your number is the log density of the targets, found without an integral over the parameters.")
}

func judgeCoin(f evidenceFunc) verify.Verdict {
	for _, c := range []coin{newCoin(7, 3, 1, 1), newCoin(0, 0, 1, 1), newCoin(2, 40, 0.5, 3), newCoin(400, 600, 2, 2), newCoin(5e4, 3e4, 1, 1)} {
		v, bad := ask(f, c.problem)
		if bad != nil {
			return *bad
		}
		// What Laplace leaves out is what Stirling's formula for ln Γ leaves out:
		// 1/(12x), to within 1/(360x³).
		s := c.alpha + c.beta
		rest := (1/c.alpha + 1/c.beta - 1/s) / 12
		unsure := (math.Pow(c.alpha, -3) + math.Pow(c.beta, -3) + math.Pow(s, -3)) / 360
		g := verify.Close(v+rest, c.exact, verify.Tolerance{Abs: unsure + 1e-8, Rel: 1e-10})
		if g.OK {
			continue
		}
		if v, ok := known(f); ok {
			return v
		}
		return verify.Fail("coin", 2, "For a coin, with θ the log odds of heads, the evidence is a ratio of Beta functions. Your log evidence is %s, which is not what Laplace's approximation leaves out.", g.Off())
	}
	return verify.Pass("For a coin the evidence is a ratio of Beta functions. You miss it by what Stirling's formula leaves out: 0.13 in the log without any toss, 10⁻⁶ after 80 000.")
}

func judgeLogistic(f evidenceFunc) verify.Verdict {
	for i, n := range []int{40, 12, 3} {
		p := logistic(uint64(10+i), n)
		v, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		// The third and fourth derivatives that are left out count for less than
		// a tenth with this prior, at every N.
		g := verify.Close(v, p.exact, verify.Tolerance{Abs: 0.1})
		h := verify.Close(v, laplace(p), p.tolerance())
		if g.OK && h.OK {
			continue
		}
		if v, ok := known(f); ok {
			return v
		}
		if !g.OK {
			return verify.Fail("logistic", 2, "For logistic regression on %d points the integral by quadrature is not near your number: it is %s, more than the approximation accounts for.", n, g.Off())
		}
		return verify.Fail("logistic", 2, "For logistic regression on %d points your number is near the integral by quadrature, but it is not Laplace's approximation: %s.", n, h.Off())
	}
	return verify.Pass("The posterior is not Gaussian here, and your approximation lies within 0.1 of the integral by quadrature, for 3, 12 and 40 points.")
}

// judgeUnits compares values of the learner's function with each other only.
func judgeUnits(f evidenceFunc) verify.Verdict {
	r := source(2)
	for _, p := range gaussians() {
		before, bad := askFinite(f, p)
		if bad != nil {
			return *bad
		}
		m := p.dim()
		t := mat.NewDense(m, m, instance.Normals(r, m*m))
		for i := range m {
			t.Set(i, i, 4+math.Abs(t.At(i, i))) // |T| > 0, and far from 1
			floats.Scale(0.25*float64(i+1), t.RawRowView(i))
		}
		if det := mat.Det(t); det < 0 {
			floats.Scale(-1, t.RawRowView(0))
		}
		after, bad := askFinite(f, p.inUnits(t))
		if bad != nil {
			return *bad
		}
		if g := verify.Close(after, before, verify.Tolerance{Abs: 1e-7, Rel: 1e-8}); !g.OK {
			if v, ok := known(f); ok {
				return v
			}
			return verify.Fail("units", 3, "For “%s” the log evidence changed when the parameters were expressed in other units, θ = Tη: %s. The density of η has the factor |T|, and A becomes TᵀAT; the two must cancel, whatever T is.", p.name, g.Off())
		}
	}
	return verify.Pass("The evidence does not depend on the units of the parameters: prior density and ½ ln|A| change together.")
}

func judgeDeterminant(f evidenceFunc) verify.Verdict {
	r := source(3)
	for _, p := range []problem{
		linear(r, "200 parameters, precise targets", 250, 200, 1, 20),
		linear(r, "80 parameters, broad prior, very noisy targets", 120, 80, 1e8, 1e-9),
	} {
		v, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return verify.Fail("determinant-overflow", 3, "For “%s” you returned %g. The determinant of A is outside the range of a float64 here, while its logarithm is a moderate number: sum the logarithms of the factors (the Cholesky factorization has LogDet).", p.name, v)
		}
		if g := verify.Close(v, p.exact, verify.Tolerance{Abs: 1e-6, Rel: 1e-8}); !g.OK {
			if v, ok := known(f); ok {
				return v
			}
			return verify.Fail("determinant", 3, "For “%s” your number is %s; it is right for few parameters. Is the determinant limited, or a small number added to A?", p.name, g.Off())
		}
	}
	return verify.Pass("80 and 200 parameters, with ln|A| far outside of what the logarithm of any float64 could be.")
}
