package ex10

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A place is a problem with means and a covariance at which to differentiate.
type place struct {
	problem
	mu    *mat.Dense
	sigma *mat.SymDense
}

// places are away from the maximum.
func places(n uint64) []place {
	r := instance.Source(4102, n)
	var out []place
	for _, p := range problems(n)[:5] {
		_, m := p.dims()
		mu := p.means()
		mu.Apply(func(_, _ int, v float64) float64 { return v + 0.3*r.NormFloat64() }, mu)
		out = append(out, place{p, mu, instance.Covariance(r, m)})
	}
	return out
}

// askGradient is ask for Gradient.
func askGradient(gradient gradientFunc, p place) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	_, m := p.dims()
	labels, sigma := slices.Clone(p.labels), mat.NewSymDense(m, nil)
	sigma.CopySym(p.sigma)
	g := gradient(in.Dense("Phi", p.Phi), labels, in.Dense("mu", p.mu), sigma)
	if bad := in.Changed(4); bad != nil {
		return nil, bad
	}
	if !slices.Equal(labels, p.labels) || !mat.Equal(sigma, p.sigma) {
		return nil, learner.Fail("mutates-inputs", 4, "Your Gradient changed labels or Sigma, which are shared with the caller.")
	}
	if bad := form.Matrix("gradient", g, m, m, "M×M", p.name, 4); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(g), nil
}

// logLikelihoodP is the log likelihood as a function of the matrix P = Σ⁻¹, any
// square matrix with a positive determinant.
func (p place) logLikelihoodP(P *mat.Dense) float64 {
	n, _ := p.dims()
	sum := 0.5 * float64(n) * math.Log(mat.Det(P))
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), p.mu.RawRowView(k))
		u := mat.NewVecDense(len(v), v)
		sum -= 0.5 * mat.Inner(u, P, u)
	}
	return sum
}

// numeric are the derivatives by central differences, M×M.
func (p place) numeric() *mat.Dense {
	_, m := p.dims()
	var P mat.Dense
	if P.Inverse(p.sigma) != nil {
		return mat.NewDense(m, m, nil)
	}
	out := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			at := mat.DenseCopyOf(&P)
			out.Set(i, j, verify.Derivative(func(s float64) float64 {
				at.Set(i, j, P.At(i, j)+s)
				return p.logLikelihoodP(at)
			}, 0, 0))
		}
	}
	return out
}

func judgeGradient(gradient gradientFunc) verify.Verdict {
	for _, p := range places(6) {
		g, bad := askGradient(gradient, p)
		if bad != nil {
			return *bad
		}
		f := verify.CloseMat(g, p.numeric(), verify.Tolerance{Rel: 1e-6})
		if f.OK {
			continue
		}
		if v, ok := learner.Recognise(gradientMistakes, p, learner.Entries(g)); ok {
			return v
		}
		return verify.Fail("gradient", 3, "For “%s” the derivatives of the log likelihood with respect to the entries of Σ⁻¹, by central differences, are not yours: %s.", p.name, f.Off())
	}
	return verify.Pass("Your derivatives are those of the log likelihood, with all entries of Σ⁻¹ taken as free.")
}

func judgeZero(gradient gradientFunc) verify.Verdict {
	for _, p := range places(7) {
		p.mu, p.sigma = p.means(), p.covariance()
		at, bad := askGradient(gradient, p)
		if bad != nil {
			return *bad
		}
		n := float64(len(p.labels))
		if f := verify.CloseMat(at, mat.NewDense(at.RawMatrix().Rows, at.RawMatrix().Cols, nil), verify.Tolerance{Abs: 1e-8 * n * mat.Norm(p.sigma, 2)}); !f.OK {
			return verify.Fail("not-zero", 3, "For “%s” your gradient does not vanish at the maximum of the likelihood: %s.", p.name, f.Off())
		}
		p.sigma.ScaleSym(1.3, p.sigma)
		off, bad := askGradient(gradient, p)
		if bad != nil {
			return *bad
		}
		if mat.Norm(off, 2) < 1e-3*n*mat.Norm(p.sigma, 2) {
			return verify.Fail("always-zero", 3, "For “%s” your gradient vanishes where the covariance is a third too large, too.", p.name)
		}
	}
	return verify.Pass("It vanishes at the estimates, and not where the covariance is too large.")
}
