package ex19

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type hessianFunc = func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense

// askHessian calls the learner's function with copies and returns a copy of its
// answer; with a verdict instead where that is not an M×M matrix of finite numbers.
func askHessian(f hessianFunc, p problem) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	h := f(in.Slice("w", p.w), in.Dense("Phi", p.Phi), in.Slice("t", p.t))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	n, m := p.Phi.Dims()
	if h != nil && !h.IsEmpty() && n != m {
		if r, c := h.Dims(); r == n && c == n {
			return nil, learner.Fail("n-by-n", 2, "Your Hessian is N×N, one row per data point: a product in the order Φ…Φᵀ. The second derivatives are by the M weights.")
		}
	}
	if bad := form.Matrix("Hessian", h, m, m, "M×M", p.name, 2); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(h), nil
}

func judgeHessianForm(f hessianFunc) verify.Verdict {
	for _, p := range general(source(4)) {
		first, bad := askHessian(f, p)
		if bad != nil {
			return *bad
		}
		second, bad := askHessian(f, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same w, Φ and t gave different matrices. Is something added to a matrix that outlives the call?")
		}
		if s := verify.Symmetric(p.even(first), 1e-10); !s.OK {
			return verify.Fail("not-symmetric", 2, "For “%s” your Hessian differs from its transpose: %s. Is only one triangle filled? A *mat.Dense does not mirror it.", p.name, s.Off())
		}
	}
	return verify.Pass("You returned a symmetric M×M matrix.")
}

// compareHessian is nil where h is the Hessian at p, by differences of the gradient
// and of the log likelihood along a line; else it names what is wrong.
func compareHessian(p problem, h *mat.Dense) *verify.Verdict {
	s := instance.Sizes(p.Phi)
	back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
	at, even := floats.MulTo(make([]float64, len(s)), p.w, s), p.even(h)
	f := verify.Jacobian(func(v []float64) []float64 { return back(p.gradientAt(back(v))) }, at, even, verify.Tolerance{Rel: 1e-7, Abs: 1e-9})

	u := instance.Unit(source(12), len(at))
	along := func(c float64) float64 {
		return p.logLikelihood(back(floats.AddScaledTo(make([]float64, len(at)), at, c, u)))
	}
	line := func(c float64) float64 { return verify.Derivative(along, c, 0) }
	direction := mat.NewVecDense(len(u), u)
	// Two numerical derivatives in a row leave half the digits.
	g := verify.Close(mat.Inner(direction, even, direction), verify.Derivative(line, 0, 0), verify.Tolerance{Rel: 1e-4, Abs: 1e-6})
	if f.OK && g.OK {
		return nil
	}
	if v, ok := recogniseHessian(p, h); ok {
		return &v
	}
	if !f.OK {
		return learner.Fail("second-derivative", 2, "For “%s” (columns brought to size 1) the derivatives of the gradient by central differences are not your entries: %s.", p.name, f.Off())
	}
	return learner.Fail("curvature", 2, "For “%s” the second derivative of the log likelihood along a random line is not uᵀHu: %s.", p.name, g.Off())
}

func judgeHessian(f hessianFunc) verify.Verdict {
	for _, p := range general(source(5)) {
		h, bad := askHessian(f, p)
		if bad == nil {
			bad = compareHessian(p, h)
		}
		if bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your entries are the second derivatives for the targets as observed (not their average over targets, the Fisher information).")
}

// definiteTol is how far an eigenvalue must lie from 0, relative to the largest.
const definiteTol = 1e-10

func judgeDefinite(f hessianFunc) verify.Verdict {
	for _, p := range general(source(6)) {
		h, bad := askHessian(f, p)
		if bad != nil {
			return *bad
		}
		even := p.even(h)
		if verify.PositiveDefinite(even, definiteTol).OK {
			return verify.Fail("of-the-error", 1, "All eigenvalues are positive: this is the Hessian of the error −L. Asked for is the one of the log likelihood, which is concave.")
		}
		even.Scale(-1, even)
		if !verify.PositiveDefinite(even, definiteTol).OK {
			return verify.Fail("not-negative-definite", 2, "For “%s” some direction has uᵀHu ≥ 0, or nearly, although the columns of Φ are independent. Every weight m(x)·(x + m(x)) is positive: is the sign of x that of the label?", p.name)
		}
	}
	return verify.Pass("All eigenvalues are negative: the log likelihood is concave, and Newton's method leads uphill.")
}

func judgeHessianTails(f hessianFunc) verify.Verdict {
	for _, p := range far() {
		h, bad := askHessian(f, p)
		if bad != nil && bad.Key != "not-finite" {
			return *bad
		}
		if bad != nil {
			return verify.Fail("tail", 3, "With %s an entry of your Hessian is not a finite number. 1 − Φ(9) is 0 after rounding, and (1 + erf)/2 is 0 at −9: divided by that, the density gives Inf or NaN. And Φ(−30)², about 1e-395, is below the smallest number: divide first, then square. Which function has the digits of the small tail?", p.name)
		}
		if v := verify.CloseMat(h, p.weighted(curve), verify.Tolerance{Rel: 1e-6}); !v.OK {
			control := general(source(7))[0]
			if c, bad := askHessian(f, control); bad != nil || compareHessian(control, c) != nil {
				return verify.Fail("wrong-in-the-middle", 0, "With %s your Hessian is finite, but not right; nor is it at moderate activations. Mend that first, the fifth part says more.", p.name)
			}
			return verify.Fail("tail-clipped", 3, "With %s your Hessian is finite, but %s. Is Φ clipped away from 0, or are its last digits lost where 1 − Φ is formed? Far on the wrong side the weight goes to 1, far on the right side to 0.", p.name, v.Off())
		}
	}
	return verify.Pass("Far on the wrong side a point weighs nearly 1, far on the right side nothing: no Inf, no NaN.")
}

// judgeInformation uses the learner's functions alone: with targets drawn from the
// model itself, E[∇L] = 0 and E[∇L ∇Lᵀ] = −E[∇∇L], summed over all targets.
func judgeInformation(gradient gradientFunc, hessian hessianFunc) verify.Verdict {
	r := source(8)
	for _, p := range []problem{
		draw(r, "four points", 4, []float64{1, 0}, []float64{0, 1}),
		draw(r, "one point", 1, []float64{0.7}, []float64{0.2}),
		draw(r, "three points, three weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
	} {
		n, m := p.Phi.Dims()
		mean, information, variance := make([]float64, m), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		for code := range 1 << n {
			probability := 1.0
			for i, a := range instance.Activations(p.Phi, p.w) {
				p.t[i] = float64(code >> i & 1)
				probability *= cdf((2*p.t[i] - 1) * a)
			}
			g, bad := askGradient(gradient, p)
			if bad != nil {
				return *bad
			}
			h, bad := askHessian(hessian, p)
			if bad != nil {
				return *bad
			}
			floats.AddScaled(mean, probability, g)
			v := mat.NewVecDense(m, g)
			variance.RankOne(variance, probability, v, v)
			h.Scale(-probability, h)
			information.Add(information, h)
		}
		if f := verify.CloseSlice(mean, make([]float64, m), verify.Tolerance{Abs: 1e-9}); !f.OK {
			return verify.Fail("mean-not-zero", 2, "For “%s” the gradient, averaged over targets drawn from the model, should vanish; yours is %s. What a point pulls with t = 1 and with t = 0, times the probabilities Φ(a) and Φ(−a), cancels.", p.name, f.Off())
		}
		if f := verify.CloseMat(information, variance, verify.Tolerance{Rel: 1e-9}); !f.OK {
			return verify.Fail("information", 2, "For “%s”, averaged over targets drawn from the model, your −∇∇L is not the variance of your ∇L: %s. The two belong to different functions.", p.name, f.Off())
		}
	}
	return verify.Pass("Your gradient and your Hessian belong together: averaged over the model's own targets they give the Fisher information in both ways.")
}
