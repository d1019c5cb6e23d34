package ex10

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	mistake = judge.Mistake[fitFunc]
)

// takeMeans and takeSigma return the numbers of a learner's results, each judged by itself: with
// one point in each class N−K is 0, and the means are right all the same.
func takeMeans(c *judge.Call, p problem, mu *mat.Dense) []float64 {
	n, m := p.dims()
	K := len(p.counts)
	if mu != nil && K != m && K != n {
		if r, k := mu.Dims(); r == m && k == K {
			c.Say(judge.Fail("transposed", 4, "For %v your mu is M×K, one mean per column. It is K×M, one mean per row.", p))
		}
	}
	return c.Matrix("mu", mu, K, m, "K×M")
}

func takeSigma(c *judge.Call, p problem, sigma *mat.SymDense) []float64 {
	_, m := p.dims()
	return c.Symmetric("Sigma", sigma, m, "M×M")
}

// call calls fit with copies.
func (p problem) call(fit fitFunc, c *judge.Call) (mu *mat.Dense, sigma *mat.SymDense) {
	return fit(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), len(p.counts))
}

var askBoth = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "estimates", Hint: 4, Per: "number",
	Ask: func(fit fitFunc, c *judge.Call, p problem) []float64 {
		mu, sigma := p.call(fit, c)
		return append(takeMeans(c, p, mu), takeSigma(c, p, sigma)...)
	},
	Right: func(p problem) []float64 { return append(entries(p.means()), p.weighted()...) },
	Unit:  func(p problem, _ []float64) []float64 { return append(p.units(), p.pairs()...) },
}

var askMeans = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "mu", Hint: 4, Per: "class and feature",
	Ask: func(fit fitFunc, c *judge.Call, p problem) []float64 {
		mu, _ := p.call(fit, c)
		return takeMeans(c, p, mu)
	},
	Right:  func(p problem) []float64 { return entries(p.means()) },
	Unit:   func(p problem, _ []float64) []float64 { return p.units() },
	Nearly: judge.Wrong{Key: "mean-nearly", Hint: 2, Message: "Nearly: for {problem} your means are {off}. Is something added to the counts, or are numbers rounded on the way?"},
	Mistakes: []mistake{
		{Key: "global-mean", Hint: 1, Message: "All your means are the mean of all points. Shared is only the covariance; each class has a mean of its own.",
			Answer: means(func(p problem) *mat.Dense {
				return p.rows(func(*mat.Dense, int) []float64 { return instance.Mean(p.Phi) })
			})},
		{Key: "one-mean", Hint: 1, Message: "All your means are that of class 0. Each class has a mean of its own.",
			Answer: means(func(p problem) *mat.Dense {
				return p.rows(func(mu *mat.Dense, _ int) []float64 { return mu.RawRowView(0) })
			})},
		{Key: "mean-divided-by-n", Hint: 2, Message: "The sum over each class is divided by N, the number of all points, instead of by its own N_k.",
			Answer: sums(func(p problem, _ int) float64 { return total(p) })},
		{Key: "mean-n-minus-1", Hint: 2, Message: "The sum over each class is divided by N_k − 1. A mean is divided by N_k.",
			Answer: sums(func(p problem, k int) float64 { return count(p, k) - 1 })},
		{Key: "mean-divided-by-k", Hint: 2, Message: "The sum over each class is divided by K, the number of classes, instead of by its own number of points.",
			Answer: sums(func(p problem, _ int) float64 { return number(p) })},
		{Key: "sums", Hint: 2, Message: "Your means are the sums over the classes, not divided by anything.",
			Answer: sums(func(problem, int) float64 { return 1 })},
		{Key: "reversed", Hint: 4, Message: "The means are right and stand in reverse order: row k belongs to label k.",
			Answer: means(func(p problem) *mat.Dense {
				return p.rows(func(mu *mat.Dense, k int) []float64 { return mu.RawRowView(len(p.counts) - 1 - k) })
			})},
	},
}

var askCovariance = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "Sigma", Hint: 4, Per: "pair of features",
	Ask: func(fit fitFunc, c *judge.Call, p problem) []float64 {
		_, sigma := p.call(fit, c)
		return takeSigma(c, p, sigma)
	},
	Right:  problem.weighted,
	Unit:   func(p problem, _ []float64) []float64 { return p.pairs() },
	Nearly: judge.Wrong{Key: "covariance-nearly", Hint: 3, Message: "Nearly: for {problem} your Sigma is {off}. Is something added to its diagonal, or are squares subtracted from squares, which loses digits?"},
	Factor: judge.Wrong{Key: "factor", Hint: 3, Message: "Your Sigma is the maximum-likelihood covariance times one number. The only division is by N, the number of all points."},
	Mistakes: []mistake{
		{Key: "n-minus-k", Hint: 3, Message: "Your Sigma is divided by N−K: the unbiased, pooled covariance. A good estimate, but the maximum of the likelihood divides by N.",
			Answer: classes(func(p problem, _ int) float64 { return 1 / (total(p) - number(p)) })},
		{Key: "n-minus-1", Hint: 3, Message: "Your Sigma is divided by N−1. The maximum of the likelihood divides by N.",
			Answer: classes(func(p problem, _ int) float64 { return 1 / (total(p) - 1) })},
		{Key: "unweighted", Hint: 3, Message: "Your Sigma is the plain average of the class covariances, so that a class with three points counts as much as one with forty. The weights are N_k/N.",
			Answer: classes(func(p problem, k int) float64 { return 1 / count(p, k) / number(p) })},
		{Key: "unweighted", Hint: 3, Message: "Your Sigma is the plain average of the unbiased class covariances. The weights are N_k/N, and each S_k is divided by N_k.",
			Answer: classes(func(p problem, k int) float64 { return 1 / (count(p, k) - 1) / number(p) })},
		{Key: "unbiased-classes", Hint: 3, Message: "The weights N_k/N are right, but your class covariances are divided by N_k − 1 (stat.CovarianceMatrix does that). Maximum likelihood divides each by N_k.",
			Answer: classes(func(p problem, k int) float64 { return count(p, k) / total(p) / (count(p, k) - 1) })},
		{Key: "sum-of-covariances", Hint: 3, Message: "Your Sigma is the sum of the class covariances without the weights N_k/N.",
			Answer: classes(func(p problem, k int) float64 { return 1 / count(p, k) })},
		{Key: "scatter", Hint: 3, Message: "Your Sigma is S_W, the sum of the (φ−μ)(φ−μ)ᵀ: the division by N is missing.",
			Answer: classes(func(problem, int) float64 { return 1 })},
		{Key: "divided-by-k", Hint: 3, Message: "Your Sigma is the sum of the (φ−μ)(φ−μ)ᵀ divided by K, the number of classes, instead of by N.",
			Answer: classes(func(p problem, _ int) float64 { return 1 / number(p) })},
		{Key: "twice-weighted", Hint: 3, Message: "Your S_k are sums, not divided by their N_k, and the weights N_k/N come on top of that: a larger class has the longer sum already.",
			Answer: classes(func(p problem, k int) float64 { return count(p, k) / total(p) })},
		{Key: "half", Hint: 3, Message: "Your Sigma is half of the estimate: the ½ of the exponent has the ½ of ½N ln|Σ| against it.",
			Answer: classes(func(p problem, _ int) float64 { return 0.5 / total(p) })},
		{Key: "one-class", Hint: 3, Message: "Only class 0 is in your Sigma: it is that class's covariance.",
			Answer: classes(func(p problem, k int) float64 {
				if k > 0 {
					return 0
				}
				return 1 / count(p, k)
			})},
		{Key: "one-class", Hint: 3, Message: "Only the last class is in your Sigma: does each class's covariance replace the one before?",
			Answer: classes(func(p problem, k int) float64 {
				if k < len(p.counts)-1 {
					return 0
				}
				return 1 / count(p, k)
			})},
		{Key: "total-covariance", Hint: 3, Message: "Your Sigma is the covariance of all points about their common mean: the distances between the classes are in it. Each point is compared with the mean of its own class.",
			Answer: about(func(p problem) []float64 { return instance.Mean(p.Phi) })},
		{Key: "about-one-mean", Hint: 3, Message: "In your Sigma all points are compared with the mean of class 0. Each is compared with the mean of its own class.",
			Answer: about(func(p problem) []float64 { return p.means().RawRowView(0) })},
		{Key: "not-centred", Hint: 3, Message: "Your Sigma is the mean of the φφᵀ: no mean is subtracted.",
			Answer: about(func(p problem) []float64 { _, m := p.dims(); return make([]float64, m) })},
		{Key: "diagonal-only", Hint: 3, Message: "The diagonal of your Sigma is right and all the rest is 0: a naive Bayes model. The general covariance has the products of different features too.",
			Answer: covariances(func(_, _, v float64, same bool) float64 {
				if same {
					return v
				}
				return 0
			})},
		{Key: "correlations", Hint: 3, Message: "Your Sigma holds the correlations, with ones on its diagonal. A covariance is in squared units of the features.",
			Answer: covariances(func(a, b, v float64, _ bool) float64 { return v / math.Sqrt(a*b) })},
		{Key: "standard-deviations", Hint: 3, Message: "The diagonal of your Sigma holds standard deviations and the rest is 0. There stand variances, and beside them the products of different features.",
			Answer: covariances(func(a, _, _ float64, same bool) float64 {
				if same {
					return math.Sqrt(a)
				}
				return 0
			})},
		{Key: "standard-deviations", Hint: 3, Message: "The diagonal of your Sigma holds standard deviations. There stand variances, in squared units, as beside them.",
			Answer: covariances(func(a, _, v float64, same bool) float64 {
				if same {
					return math.Sqrt(a)
				}
				return v
			})},
		{Key: "standard-deviations", Hint: 3, Message: "Your Sigma is the square root of the estimate.",
			Answer: covariance(func(p problem) *mat.SymDense {
				s := p.covariance()
				_ = s.PowPSD(s, 0.5) // where it has no root it is judged as it is
				return s
			})},
		{Key: "inverse", Hint: 3, Message: "Your Sigma is the inverse of the estimate: the precision Σ⁻¹, with which the likelihood is easier to differentiate. Invert it back.",
			Answer: covariance(func(p problem) *mat.SymDense {
				s, c := p.covariance(), mat.Cholesky{}
				if c.Factorize(s) {
					_ = c.InverseTo(s) // an error is a bad condition
				}
				return s
			})},
	},
}

func of(Phi *mat.Dense, labels []int, K int) problem {
	p := problem{Phi: mat.DenseCopyOf(Phi), labels: labels, counts: make([]int, K)}
	for _, k := range labels {
		p.counts[k]++
	}
	return p
}

func count(p problem, k int) float64 { return float64(p.counts[k]) }
func total(p problem) float64        { return float64(len(p.labels)) }
func number(p problem) float64       { return float64(len(p.counts)) }

// rows are means whose row k is f's, of the right ones.
func (p problem) rows(f func(mu *mat.Dense, k int) []float64) *mat.Dense {
	mu, out := p.means(), p.means()
	for k := range p.counts {
		out.SetRow(k, f(mu, k))
	}
	return out
}

// means is a learner whose means are f's; sums one who divides the sums over the
// classes.
func means(f func(p problem) *mat.Dense) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		p := of(Phi, labels, K)
		return f(p), p.covariance()
	}
}

func sums(divisor func(p problem, k int) float64) fitFunc {
	return means(func(p problem) *mat.Dense {
		return p.rows(func(mu *mat.Dense, k int) []float64 {
			row := slices.Clone(mu.RawRowView(k))
			floats.Scale(count(p, k)/divisor(p, k), row)
			return row
		})
	})
}

// covariance is a learner whose Sigma is f's; classes one who weights the terms of
// the classes, about one who compares all points with the same, and covariances one
// who changes the entries v of the right one, with the variances a and b.
func covariance(f func(p problem) *mat.SymDense) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		p := of(Phi, labels, K)
		return p.means(), f(p)
	}
}

func classes(weight func(p problem, k int) float64) fitFunc {
	return covariance(func(p problem) *mat.SymDense {
		return p.scatter(p.means(), func(k int) float64 { return weight(p, k) })
	})
}

func about(centre func(p problem) []float64) fitFunc {
	return covariance(func(p problem) *mat.SymDense {
		s := instance.Scatter(p.Phi, centre(p))
		s.ScaleSym(1/total(p), s)
		return s
	})
}

func covariances(f func(a, b, v float64, same bool) float64) fitFunc {
	return covariance(func(p problem) *mat.SymDense {
		s := p.covariance()
		out := mat.NewSymDense(s.SymmetricDim(), nil)
		for i := range s.SymmetricDim() {
			for j := range i + 1 {
				out.SetSym(i, j, f(s.At(i, i), s.At(j, j), s.At(i, j), i == j))
			}
		}
		return out
	})
}

func init() {
	judge.Known(exercise, askMeans, Check)
	judge.Known(exercise, askCovariance, Check)
	judge.Known(exercise, askGradient, CheckSteps)
}

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
	return judge.Fail("always-zero", 3, "For %v your gradient vanishes where the covariance is a third too large, too.", p)
}
