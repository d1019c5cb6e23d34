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
			bad := verify.Fail("transposed", 4, "For %v your mu is M×K, one mean per column. It is K×M, one mean per row.", p)
			c.Say(&bad)
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
