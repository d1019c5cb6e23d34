package ex10

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// gradientFunc is the learner's function on the way.
type gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense

var askGradient = &judge.Question[gradientFunc, place]{
	Func: "Gradient", Name: "gradient", Hint: 4, Per: "pair of features",
	Ask: func(gradient gradientFunc, c *judge.Call, p place) []float64 {
		_, m := p.dims()
		return c.Matrix("gradient", gradient(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), c.Dense("mu", p.mu), c.Sym("Sigma", p.sigma)), m, m, "M×M")
	},
	Right: slope,
	Unit: func(p place, _ []float64) []float64 { // of the first term
		_, m := p.dims()
		u := make([]float64, m*m)
		for i := range m {
			for j := range m {
				u[i*m+j] = total(p.problem) / 2 * math.Sqrt(p.sigma.At(i, i)*p.sigma.At(j, j))
			}
		}
		return u
	},
	Nearly: judge.Wrong{Key: "gradient-nearly", Hint: 3, Message: "Nearly: for {problem} your gradient is {off}. A coarse difference, or rounded numbers? There is an exact formula."},
	Factor: judge.Wrong{Key: "gradient-factor", Hint: 3, Message: "Your gradient is right up to one number that multiplies it everywhere."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "gradient-sign", Hint: 3, Message: "All signs of your gradient are turned: ln p holds +½N ln|Σ⁻¹|, and a minus before the quadratic forms. (Or is it the gradient of −ln p?)",
			Answer: gradient(func(n float64) (a, b float64) { return -n / 2, 0.5 })},
		{Key: "gradient-half", Hint: 3, Message: "The factor ½ is missing in both terms of your gradient.",
			Answer: gradient(func(n float64) (a, b float64) { return n, -1 })},
		{Key: "gradient-half", Hint: 3, Message: "The factor ½ is missing in the second term of your gradient.",
			Answer: gradient(func(n float64) (a, b float64) { return n / 2, -1 })},
		{Key: "gradient-half", Hint: 3, Message: "The factor ½ is missing in the first term of your gradient.",
			Answer: gradient(func(n float64) (a, b float64) { return n, -0.5 })},
		{Key: "gradient-n", Hint: 3, Message: "The N is missing in the first term of your gradient: every point has its own ½ ln|Σ⁻¹|.",
			Answer: gradient(func(float64) (a, b float64) { return 0.5, -0.5 })},
		{Key: "gradient-plus", Hint: 3, Message: "The sign of the second term of your gradient is turned: the quadratic form stands in the exponent with a minus.",
			Answer: gradient(func(n float64) (a, b float64) { return n / 2, 0.5 })},
		{Key: "gradient-determinant", Hint: 3, Message: "Your gradient lacks the term of the determinant: ∂ ln|P|/∂P = (P⁻¹)ᵀ.",
			Answer: gradient(func(float64) (a, b float64) { return 0, -0.5 })},
		{Key: "gradient-quadratic", Hint: 3, Message: "Your gradient lacks the term of the quadratic forms: only ½N ln|Σ⁻¹| is differentiated.",
			Answer: gradient(func(n float64) (a, b float64) { return n / 2, 0 })},
		{Key: "gradient-averaged", Hint: 3, Message: "Your gradient is divided by N: it is that of the mean log likelihood per point.",
			Answer: gradient(func(n float64) (a, b float64) { return 0.5, -0.5 / n })},
		{Key: "gradient-symmetric", Hint: 3, Message: "This is 2G − diag(G): the derivative when P_ij and P_ji are changed together. Here all M² entries are free, each for itself.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				g := at(Phi, labels, mu, Sigma, 0.5*float64(len(labels)), -0.5)
				g.Apply(func(i, j int, v float64) float64 {
					if i == j {
						return v
					}
					return 2 * v
				}, g)
				return g
			}},
		{Key: "gradient-one-mean", Hint: 3, Message: "Every point is compared with the mean of class 0. Each has the mean of its own class.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				return at(Phi, make([]int, len(labels)), mu, Sigma, 0.5*float64(len(labels)), -0.5)
			}},
		{Key: "gradient-precision", Hint: 3, Message: "The first term of your gradient holds Σ⁻¹ where Σ belongs: ∂ ln|P|/∂P is the inverse of P, and P is Σ⁻¹ already.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				P := inverse(Sigma)
				P.Scale(0.5*float64(len(labels)), P)
				P.Add(P, at(Phi, labels, mu, Sigma, 0, -0.5))
				return P
			}},
		{Key: "gradient-sigma", Hint: 3, Message: "This is the derivative with respect to Σ itself. Asked for is the one with respect to Σ⁻¹, which is simpler: only one inverse occurs.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				P, g := inverse(Sigma), &mat.Dense{}
				g.Product(P, at(Phi, labels, mu, Sigma, -0.5*float64(len(labels)), 0.5), P)
				return g
			}},
	},
}

// at is a·Σ + b·Σ_n(φ−μ)(φ−μ)ᵀ.
func at(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense, a, b float64) *mat.Dense {
	K, _ := mu.Dims()
	var g mat.Dense
	g.Scale(a, Sigma)
	g.Add(&g, of(Phi, labels, K).scatter(mat.DenseCopyOf(mu), func(int) float64 { return b }))
	return &g
}

// gradient is a learner whose a and b depend on N.
func gradient(f func(n float64) (a, b float64)) gradientFunc {
	return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
		a, b := f(float64(len(labels)))
		return at(Phi, labels, mu, Sigma, a, b)
	}
}

// slope are the derivatives at a place, by the formula.
func slope(p place) []float64 {
	return entries(at(p.Phi, p.labels, p.mu, p.sigma, total(p.problem)/2, -0.5))
}

func inverse(s *mat.SymDense) *mat.Dense {
	var P mat.Dense
	_ = P.Inverse(s) // an error is a bad condition
	return &P
}

// A place is a problem with means and a covariance at which to differentiate.
type place struct {
	problem
	mu    *mat.Dense
	sigma *mat.SymDense
}

// places are away from the maximum, also where there is none.
var places = instance.Once(func() (list []place) {
	r := instance.Source(4102, 1)
	for _, p := range append(slices.Clone(problems()[:5]), limits()[:3]...) {
		_, m := p.dims()
		mu := p.means()
		mu.Apply(func(_, _ int, v float64) float64 { return v + 0.3*r.NormFloat64() }, mu)
		list = append(list, place{p, mu, instance.Covariance(r, m)})
	}
	return list
})

var maxima = instance.Once(func() (list []place) {
	for _, p := range problems() {
		list = append(list, place{p, p.means(), p.covariance()})
	}
	return list
})

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

// numeric are the derivatives by central differences, row by row.
func (p place) numeric() []float64 {
	_, m := p.dims()
	var P mat.Dense
	_ = P.Inverse(p.sigma) // it is well conditioned
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
	return entries(out)
}

// square is an M×M matrix of these entries.
func (p place) square(v []float64) *mat.Dense {
	_, m := p.dims()
	return mat.NewDense(m, m, v)
}

// alwaysZero looks at the gradient where the covariance is a third too large.
func alwaysZero(p place, gradient gradientFunc) *verify.Verdict {
	large := p
	large.sigma = mat.NewSymDense(p.sigma.SymmetricDim(), nil)
	large.sigma.ScaleSym(1.3, p.sigma)
	got, unit := askGradient.Ask(gradient, &judge.Call{}, large), askGradient.Unit(p, nil)
	zero := len(got) > 0
	for i, v := range got {
		zero = zero && math.Abs(v) < 1e-3*unit[i]
	}
	if !zero {
		return nil
	}
	bad := verify.Fail("always-zero", 3, "For %v your gradient vanishes where the covariance is a third too large, too.", p)
	return &bad
}
