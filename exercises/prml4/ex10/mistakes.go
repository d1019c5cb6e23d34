package ex10

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

// take calls fit with copies and returns the numbers of mu, of Sigma, or of both. With one point in
// each class N−K is 0, but the means can still be right.
func take(means, covariance bool) func(fit fitFunc, c *judge.Call, p problem) []float64 {
	return func(fit fitFunc, c *judge.Call, p problem) (got []float64) {
		n, m := p.dims()
		K := len(p.counts)
		mu, sigma := fit(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), K)
		if means {
			if mu != nil && K != m && K != n && mu.RawMatrix().Rows == m && mu.RawMatrix().Cols == K {
				c.Say(judge.Fail("transposed", 4,
					"For %v your mu is M×K, one mean per column. It is K×M, one mean per row.", p))
			}
			got = c.Matrix("mu", mu, K, m, "K×M")
		}
		if covariance {
			got = append(got, c.Symmetric("Sigma", sigma, m, "M×M")...)
		}
		return got
	}
}

// meanUnits and sigmaUnits return the sizes of the entries of the means and the covariance.
func meanUnits(p problem, _ []float64) []float64  { return slices.Repeat(p.sizes(), len(p.counts)) }
func sigmaUnits(p problem, _ []float64) []float64 { return p.sizes().Units() }

var askBoth = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "estimates", Hint: 4, Per: "number", Ask: take(true, true),
	Right: func(p problem) []float64 { return append(entries(p.means()), entries(p.covariance())...) },
	Unit:  func(p problem, _ []float64) []float64 { return append(meanUnits(p, nil), sigmaUnits(p, nil)...) },
}

var askMeans = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "mu", Hint: 4, Per: "class and feature", Ask: take(true, false), Unit: meanUnits,
	Right: func(p problem) []float64 { return entries(p.means()) },
	Nearly: judge.Wrong{Key: "mean-nearly", Hint: 2,
		Message: "Nearly: for {problem} your means are {off}. Is something added to the counts, or are numbers rounded on the way?"},
	Mistakes: []judge.Mistake[fitFunc]{
		{Key: "global-mean",
			Answer: rows(func(p problem, _ *mat.Dense, _ int) []float64 { return instance.Mean(p.Phi) }), Hint: 1,
			Message: "All your means are the mean of all points. Shared is only the covariance; each class has a mean of its own."},
		{Key: "one-mean", Answer: rows(func(_ problem, mu *mat.Dense, _ int) []float64 { return mu.RawRowView(0) }),
			Hint: 1, Message: "All your means are that of class 0. Each class has a mean of its own."},
		{Key: "mean-divided-by-n", Answer: sums(func(p problem, _ int) float64 { return total(p) }), Hint: 2,
			Message: "The sum over each class is divided by N, the number of all points, instead of by its own N_k."},
		{Key: "mean-n-minus-1", Answer: sums(func(p problem, k int) float64 { return count(p, k) - 1 }), Hint: 2,
			Message: "The sum over each class is divided by N_k − 1. A mean is divided by N_k."},
		{Key: "mean-divided-by-k", Answer: sums(func(p problem, _ int) float64 { return number(p) }), Hint: 2,
			Message: "The sum over each class is divided by K, the number of classes, instead of by its own number of points."},
		{Key: "sums", Answer: sums(func(problem, int) float64 { return 1 }), Hint: 2,
			Message: "Your means are the sums over the classes, not divided by anything."},
		{Key: "reversed", Hint: 4, Message: "The means are right and stand in reverse order: row k belongs to label k.",
			Answer: rows(func(p problem, mu *mat.Dense, k int) []float64 { return mu.RawRowView(len(p.counts) - 1 - k) })},
	},
}

var askCovariance = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "Sigma", Hint: 4, Per: "pair of features", Ask: take(false, true), Unit: sigmaUnits,
	Right: func(p problem) []float64 { return entries(p.covariance()) },
	Nearly: judge.Wrong{Key: "covariance-nearly", Hint: 3,
		Message: "Nearly: for {problem} your Sigma is {off}. Is something added to its diagonal, or are squares subtracted from squares, which loses digits?"},
	Factor: judge.Wrong{Key: "factor", Hint: 3,
		Message: "Your Sigma is the maximum-likelihood covariance times one number. The only division is by N, the number of all points."},
	Mistakes: []judge.Mistake[fitFunc]{
		{Key: "n-minus-k", Answer: classes(func(p problem, _ int) float64 { return 1 / (total(p) - number(p)) }),
			Hint:    3,
			Message: "Your Sigma is divided by N−K: the unbiased, pooled covariance. A good estimate, but the maximum of the likelihood divides by N."},
		{Key: "n-minus-1", Answer: classes(func(p problem, _ int) float64 { return 1 / (total(p) - 1) }), Hint: 3,
			Message: "Your Sigma is divided by N−1. The maximum of the likelihood divides by N."},
		{Key: "unweighted", Answer: classes(func(p problem, k int) float64 { return 1 / count(p, k) / number(p) }),
			Hint:    3,
			Message: "Your Sigma is the plain average of the class covariances, so that a class with three points counts as much as one with forty. The weights are N_k/N."},
		{Key: "unweighted",
			Answer: classes(func(p problem, k int) float64 { return 1 / (count(p, k) - 1) / number(p) }), Hint: 3,
			Message: "Your Sigma is the plain average of the unbiased class covariances. The weights are N_k/N, and each S_k is divided by N_k."},
		{Key: "unbiased-classes", Hint: 3,
			Message: "The weights N_k/N are right, but your class covariances are divided by N_k − 1 (stat.CovarianceMatrix does that). Maximum likelihood divides each by N_k.",
			Answer:  classes(func(p problem, k int) float64 { return count(p, k) / total(p) / (count(p, k) - 1) })},
		{Key: "sum-of-covariances", Answer: classes(func(p problem, k int) float64 { return 1 / count(p, k) }), Hint: 3,
			Message: "Your Sigma is the sum of the class covariances without the weights N_k/N."},
		{Key: "scatter", Answer: classes(func(problem, int) float64 { return 1 }), Hint: 3,
			Message: "Your Sigma is S_W, the sum of the (φ−μ)(φ−μ)ᵀ: the division by N is missing."},
		{Key: "divided-by-k", Answer: classes(func(p problem, _ int) float64 { return 1 / number(p) }), Hint: 3,
			Message: "Your Sigma is the sum of the (φ−μ)(φ−μ)ᵀ divided by K, the number of classes, instead of by N."},
		{Key: "twice-weighted", Answer: classes(func(p problem, k int) float64 { return count(p, k) / total(p) }),
			Hint:    3,
			Message: "Your S_k are sums, not divided by their N_k, and the weights N_k/N come on top of that: a larger class has the longer sum already."},
		{Key: "half", Answer: classes(func(p problem, _ int) float64 { return 0.5 / total(p) }), Hint: 3,
			Message: "Your Sigma is half of the estimate: the ½ of the exponent has the ½ of ½N ln|Σ| against it."},
		{Key: "one-class",
			Answer: classes(func(p problem, k int) float64 { return multiclass.Same(k, 0) / count(p, k) }), Hint: 3,
			Message: "Only class 0 is in your Sigma: it is that class's covariance."},
		{Key: "one-class",
			Answer: classes(func(p problem, k int) float64 {
				return multiclass.Same(k, len(p.counts)-1) / count(p,
					k)
			}), Hint: 3,
			Message: "Only the last class is in your Sigma: does each class's covariance replace the one before?"},
		{Key: "total-covariance", Answer: about(func(p problem) []float64 { return instance.Mean(p.Phi) }), Hint: 3,
			Message: "Your Sigma is the covariance of all points about their common mean: the distances between the classes are in it. Each point is compared with the mean of its own class."},
		{Key: "about-one-mean", Answer: about(func(p problem) []float64 { return p.means().RawRowView(0) }), Hint: 3,
			Message: "In your Sigma all points are compared with the mean of class 0. Each is compared with the mean of its own class."},
		{Key: "not-centred", Hint: 3, Message: "Your Sigma is the mean of the φφᵀ: no mean is subtracted.",
			Answer: about(func(p problem) []float64 { _, m := p.dims(); return make([]float64, m) })},
		{Key: "diagonal-only", Answer: covariances(func(_, _, v, same float64) float64 { return same * v }), Hint: 3,
			Message: "The diagonal of your Sigma is right and all the rest is 0: a naive Bayes model. The general covariance has the products of different features too."},
		{Key: "correlations", Answer: covariances(func(a, b, v, _ float64) float64 { return v / math.Sqrt(a*b) }),
			Hint:    3,
			Message: "Your Sigma holds the correlations, with ones on its diagonal. A covariance is in squared units of the features."},
		{Key: "standard-deviations",
			Answer: covariances(func(a, _, _, same float64) float64 { return same * math.Sqrt(a) }), Hint: 3,
			Message: "The diagonal of your Sigma holds standard deviations and the rest is 0. There stand variances, and beside them the products of different features."},
		{Key: "standard-deviations",
			Answer: covariances(func(a, _, v, same float64) float64 { return same*math.Sqrt(a) + (1-same)*v }), Hint: 3,
			Message: "The diagonal of your Sigma holds standard deviations. There stand variances, in squared units, as beside them."},
		{Key: "standard-deviations", Hint: 3, Message: "Your Sigma is the square root of the estimate.",
			Answer: covariance(func(p problem) *mat.SymDense {
				s := p.covariance()
				_ = s.PowPSD(s, 0.5) // a Sigma without a square root is judged as it is
				return s
			})},
		{Key: "inverse",
			Answer: covariance(func(p problem) *mat.SymDense { return symmetric(inverse(p.covariance())) }), Hint: 3,
			Message: "Your Sigma is the inverse of the estimate: the precision Σ⁻¹, with which the likelihood is easier to differentiate. Invert it back."},
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

// rows is a learner's function that computes each mean from the right means; sums divides the sums
// over the classes by divisor.
func rows(f func(p problem, mu *mat.Dense, k int) []float64) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		p := of(Phi, labels, K)
		mu := p.means()
		for k := range K {
			mu.SetRow(k, f(p, p.means(), k))
		}
		return mu, p.covariance()
	}
}

func sums(divisor func(p problem, k int) float64) fitFunc {
	return rows(func(p problem, mu *mat.Dense, k int) []float64 {
		return floats.ScaleTo(mu.RawRowView(k), count(p, k)/divisor(p, k), mu.RawRowView(k))
	})
}

// covariance is a learner's function whose Sigma comes from f. classes weights the terms of the
// classes, and about compares all points with the same centre. covariances changes the entries v of
// the right Sigma, given the variances a and b; same is 1 on the diagonal and 0 elsewhere.
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

func covariances(f func(a, b, v, same float64) float64) fitFunc {
	return covariance(func(p problem) *mat.SymDense {
		s := p.covariance()
		out := mat.DenseCopyOf(s)
		out.Apply(func(i, j int, v float64) float64 { return f(s.At(i, i), s.At(j, j), v, multiclass.Same(i, j)) }, s)
		return symmetric(out)
	})
}

func symmetric(m *mat.Dense) *mat.SymDense {
	return mat.NewSymDense(m.RawMatrix().Rows, m.RawMatrix().Data)
}

func init() {
	judge.Known(exercise, askMeans, Check)
	judge.Known(exercise, askCovariance, Check)
	judge.Known(exercise, askGradient, CheckSteps)
}

var askGradient = &judge.Question[gradientFunc, place]{
	Func: "Gradient", Name: "gradient", Hint: 4, Per: "pair of features",
	Ask: func(gradient gradientFunc, c *judge.Call, p place) []float64 {
		_, m := p.dims()
		return c.Matrix("gradient",
			gradient(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), c.Dense("mu", p.mu), c.Sym("Sigma", p.sigma)),
			m, m, "M×M")
	},
	Right: func(p place) []float64 { return entries(p.gradient()) },
	Unit:  func(p place, _ []float64) []float64 { return p.units() },
	Nearly: judge.Wrong{Key: "gradient-nearly", Hint: 3,
		Message: "Nearly: for {problem} your gradient is {off}. A coarse difference, or rounded numbers? There is an exact formula."},
	Factor: judge.Wrong{Key: "gradient-factor", Hint: 3,
		Message: "Your gradient is right up to one number that multiplies it everywhere."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "gradient-sign", Answer: gradient(func(n float64) (a, b float64) { return -n / 2, 0.5 }), Hint: 3,
			Message: "All signs of your gradient are turned: ln p holds +½N ln|Σ⁻¹|, and a minus before the quadratic forms. (Or is it the gradient of −ln p?)"},
		{Key: "gradient-half", Answer: gradient(func(n float64) (a, b float64) { return n, -1 }), Hint: 3,
			Message: "The factor ½ is missing in both terms of your gradient."},
		{Key: "gradient-half", Answer: gradient(func(n float64) (a, b float64) { return n / 2, -1 }), Hint: 3,
			Message: "The factor ½ is missing in the second term of your gradient."},
		{Key: "gradient-half", Answer: gradient(func(n float64) (a, b float64) { return n, -0.5 }), Hint: 3,
			Message: "The factor ½ is missing in the first term of your gradient."},
		{Key: "gradient-n", Answer: gradient(func(float64) (a, b float64) { return 0.5, -0.5 }), Hint: 3,
			Message: "The N is missing in the first term of your gradient: every point has its own ½ ln|Σ⁻¹|."},
		{Key: "gradient-plus", Answer: gradient(func(n float64) (a, b float64) { return n / 2, 0.5 }), Hint: 3,
			Message: "The sign of the second term of your gradient is turned: the quadratic form stands in the exponent with a minus."},
		{Key: "gradient-determinant", Answer: gradient(func(float64) (a, b float64) { return 0, -0.5 }), Hint: 3,
			Message: "Your gradient lacks the term of the determinant: ∂ ln|P|/∂P = (P⁻¹)ᵀ."},
		{Key: "gradient-quadratic", Answer: gradient(func(n float64) (a, b float64) { return n / 2, 0 }), Hint: 3,
			Message: "Your gradient lacks the term of the quadratic forms: only ½N ln|Σ⁻¹| is differentiated."},
		{Key: "gradient-averaged", Answer: gradient(func(n float64) (a, b float64) { return 0.5, -0.5 / n }), Hint: 3,
			Message: "Your gradient is divided by N: it is that of the mean log likelihood per point."},
		{Key: "gradient-symmetric", Hint: 3,
			Message: "This is 2G − diag(G): the derivative when P_ij and P_ji are changed together. Here all M² entries are free, each for itself.",
			Answer: placed(func(p place) *mat.Dense {
				g := p.gradient()
				g.Apply(func(i, j int, v float64) float64 { return (2 - multiclass.Same(i, j)) * v }, g)
				return g
			})},
		{Key: "gradient-one-mean", Hint: 3,
			Message: "Every point is compared with the mean of class 0. Each has the mean of its own class.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				return placed(place.gradient)(Phi, make([]int, len(labels)), mu, Sigma)
			}},
		{Key: "gradient-precision", Hint: 3,
			Message: "The first term of your gradient holds Σ⁻¹ where Σ belongs: ∂ ln|P|/∂P is the inverse of P, and P is Σ⁻¹ already.",
			Answer: placed(func(p place) *mat.Dense {
				P := inverse(p.sigma)
				P.Scale(total(p.problem)/2, P)
				P.Add(P, p.terms(0, -0.5))
				return P
			})},
		{Key: "gradient-sigma", Hint: 3,
			Message: "This is the derivative with respect to Σ itself. Return the one with respect to Σ⁻¹, which is simpler: only one inverse occurs.",
			Answer: placed(func(p place) *mat.Dense {
				P, g := inverse(p.sigma), p.terms(-total(p.problem)/2, 0.5)
				g.Product(P, g, P)
				return g
			})},
	},
}

// placed is a learner's function whose gradient is computed at a place; gradient uses factors a and
// b that depend on N.
func placed(f func(p place) *mat.Dense) gradientFunc {
	return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
		return f(place{of(Phi, labels, mu.RawMatrix().Rows), mat.DenseCopyOf(mu), Sigma})
	}
}

func gradient(f func(n float64) (a, b float64)) gradientFunc {
	return placed(func(p place) *mat.Dense { return p.terms(f(total(p.problem))) })
}

func inverse(s *mat.SymDense) *mat.Dense {
	var P mat.Dense
	_ = P.Inverse(s) // an error only reports a large condition number
	return &P
}

// A place is a problem with means and a covariance at which to differentiate.
type place struct {
	problem
	mu    *mat.Dense
	sigma *mat.SymDense
}

// terms returns a·Σ + b·Σ_n(φ−μ)(φ−μ)ᵀ. gradient returns the derivatives by the formula, and units
// returns the size of their first term.
func (p place) terms(a, b float64) *mat.Dense {
	var g mat.Dense
	g.Scale(a, p.sigma)
	g.Add(&g, p.scatter(p.mu, func(int) float64 { return b }))
	return &g
}

func (p place) gradient() *mat.Dense { return p.terms(total(p.problem)/2, -0.5) }

func (p place) units() []float64 {
	u := gauss.Roots(p.sigma).Units()
	return floats.ScaleTo(u, total(p.problem)/2, u)
}

// places holds places away from the maximum, including problems that have no maximum.
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

// logLikelihoodP returns the log likelihood as a function of the matrix P = Σ⁻¹, which may be any
// square matrix with a positive determinant.
func (p place) logLikelihoodP(P *mat.Dense) float64 {
	sum := 0.5 * total(p.problem) * math.Log(mat.Det(P))
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), p.mu.RawRowView(k))
		sum -= 0.5 * floats.Dot(v, gauss.Times(P, v))
	}
	return sum
}

// numeric returns the derivatives by central differences.
func (p place) numeric() *mat.Dense {
	P := inverse(p.sigma) // sigma is well conditioned
	out := mat.DenseCopyOf(P)
	out.Apply(func(i, j int, v float64) float64 {
		at := mat.DenseCopyOf(P)
		return verify.Derivative(func(s float64) float64 {
			at.Set(i, j, v+s)
			return p.logLikelihoodP(at)
		}, 0, 0)
	}, P)
	return out
}

// square returns an M×M matrix with these entries.
func (p place) square(v []float64) *mat.Dense {
	_, m := p.dims()
	return mat.NewDense(m, m, v)
}
