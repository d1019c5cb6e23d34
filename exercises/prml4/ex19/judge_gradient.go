package ex19

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type gradientFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

// askGradient calls the learner's function with copies and returns a copy of its
// answer; with a verdict instead where that is not M finite numbers.
func askGradient(f gradientFunc, p problem) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	g := slices.Clone(f(in.Slice("w", p.w), in.Dense("Phi", p.Phi), in.Slice("t", p.t)))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	n, m := p.Phi.Dims()
	if len(g) == n && n != m {
		return nil, learner.Fail("one-per-point", 2, "Your gradient has one entry per data point. Each factor is multiplied by the features of its point, and the points are summed: one entry per weight.")
	}
	return g, form.Vector("gradient", g, m, "weight", p.name, 2)
}

func judgeGradientForm(f gradientFunc) verify.Verdict {
	for _, p := range general(source(1)) {
		first, bad := askGradient(f, p)
		if bad != nil {
			return *bad
		}
		second, bad := askGradient(f, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same w, Φ and t gave different gradients. Is something added to a slice that outlives the call?")
		}
	}
	return verify.Pass("You returned one number per weight.")
}

// compareGradient is nil where g is the gradient at p, by central differences of
// the log likelihood for columns of size 1; else it names what is wrong.
func compareGradient(p problem, g []float64) *verify.Verdict {
	s := instance.Sizes(p.Phi)
	back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
	at := floats.MulTo(make([]float64, len(s)), p.w, s)
	f := verify.Gradient(func(v []float64) float64 { return p.logLikelihood(back(v)) }, at, back(g), verify.Tolerance{Rel: 1e-7, Abs: 1e-9})
	if f.OK {
		return nil
	}
	if v, ok := recogniseGradient(p, g); ok {
		return &v
	}
	return learner.Fail("derivative", 2, "For “%s” (columns brought to size 1) the derivatives of the log likelihood by central differences are not your entries: %s.", p.name, f.Off())
}

func judgeGradient(f gradientFunc) verify.Verdict {
	for _, p := range general(source(2)) {
		g, bad := askGradient(f, p)
		if bad == nil {
			bad = compareGradient(p, g)
		}
		if bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your entries are the derivatives of the log likelihood, by finite differences.")
}

func judgeGradientTails(f gradientFunc) verify.Verdict {
	for _, p := range far() {
		g, bad := askGradient(f, p)
		if bad != nil && bad.Key != "not-finite" {
			return *bad
		}
		if bad != nil {
			return verify.Fail("tail", 3, "With %s an entry of your gradient is not a finite number. 1 − Φ(9) is 0 after rounding, and (1 + erf)/2 is 0 at −9: divided by that, the density gives Inf or NaN. Which function has the digits of the small tail?", p.name)
		}
		if v := verify.CloseSlice(g, p.pull(slope), verify.Tolerance{Rel: 1e-6}); !v.OK {
			control := general(source(3))[0]
			if h, bad := askGradient(f, control); bad != nil || compareGradient(control, h) != nil {
				return verify.Fail("wrong-in-the-middle", 0, "With %s your gradient is finite, but not right; nor is it at moderate activations. Mend that first, the second part says more.", p.name)
			}
			return verify.Fail("tail-clipped", 3, "With %s your gradient is finite, but %s. Is Φ clipped away from 0, or are its last digits lost where 1 − Φ is formed? A point far on the wrong side pulls in proportion to its distance.", p.name, v.Off())
		}
	}
	return verify.Pass("A point far on the wrong side pulls with about its distance |a|, one far on the right side not at all.")
}
