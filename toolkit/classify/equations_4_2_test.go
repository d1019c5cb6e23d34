package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// A gaussianClasses contains random rows of k classes and the maximum-likelihood estimates of their
// Gaussian densities, computed from the definitions. The field `logs` contains ln p(x_n|C_k), computed
// by gonum. If shared is true, the densities have the pooled covariance.
type gaussianClasses struct {
	x      *mat.Dense
	labels []int
	k      int
	shared bool
	shares []float64
	means  [][]float64
	own    []*mat.SymDense
	pooled *mat.SymDense
	logs   *mat.Dense
}

func newGaussianClasses(r *rand.Rand, k int, shared bool) *gaussianClasses {
	c := &gaussianClasses{k: k, shared: shared}
	c.x, c.labels = labelledRows(r, k)
	c.shares = shareOfRows(c.labels, k)
	within, _ := scattersOf(c.x, c.labels, k)
	c.pooled = symmetric(1/float64(len(c.labels)), within)
	for class := range k {
		mean, count := averageOf(c.x, c.labels, class)
		c.means = append(c.means, mean)
		c.own = append(c.own, symmetric(1/count, scatterAbout(c.x, c.labels, class, mean)))
	}
	c.logs = mat.NewDense(len(c.labels), k, nil)
	c.logs.Apply(func(i, j int, _ float64) float64 {
		return logNormal(c.x.RawRowView(i), c.means[j], c.sigma(j))
	}, c.logs)
	return c
}

func (c *gaussianClasses) sigma(class int) *mat.SymDense {
	if c.shared {
		return c.pooled
	}
	return c.own[class]
}

// joint returns ln p(x_n|C_k)p(C_k).
func (c *gaussianClasses) joint(priors []float64) *mat.Dense {
	var a mat.Dense
	a.Apply(func(_, j int, v float64) float64 { return v + math.Log(priors[j]) }, c.logs)
	return &a
}

// fit returns the LDA of the rows, or the QDA if the covariance is not shared.
func (c *gaussianClasses) fit(t *testing.T) classify.Generative {
	if c.shared {
		return c.lda(t, classify.LDAOptions{})
	}
	return must(classify.FitQDA(c.x, c.labels, c.k, classify.QDAOptions{}))(t)
}

func (c *gaussianClasses) lda(t *testing.T, o classify.LDAOptions) *classify.LDA {
	return must(classify.FitLDA(c.x, c.labels, c.k, o))(t)
}

// logNormal returns ln N(x|mean, sigma).
func logNormal(x, mean []float64, sigma mat.Symmetric) float64 {
	n, ok := distmv.NewNormal(mean, sigma, nil)
	if !ok {
		panic("the covariance is not positive definite")
	}
	return n.LogProb(x)
}

// symmetric returns f·a for a symmetric matrix a.
func symmetric(f float64, a *mat.Dense) *mat.SymDense {
	s := mat.NewSymDense(a.RawMatrix().Rows, slices.Clone(a.RawMatrix().Data))
	s.ScaleSym(f, s)
	return s
}

// softmaxAsWritten returns the values e^{a_k}/Σ_j e^{a_j}, computed by the printed formula.
func softmaxAsWritten(a []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		y[k] = math.Exp(a[k])
	}
	return multiple(1/floats.Sum(y), y)
}

// logit returns the log odds of p.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// softmaxRows returns the matrix with the softmax of each row of a.
func softmaxRows(a *mat.Dense) *mat.Dense {
	p := mat.DenseCopyOf(a)
	for i := range a.RawMatrix().Rows {
		p.SetRow(i, softmaxAsWritten(a.RawRowView(i)))
	}
	return p
}

func TestEquationsPosterior(t *testing.T) {
	sigmoid := func(r *rand.Rand) (left, right any) {
		a, p := 5*r.NormFloat64(), r.Float64()
		y := logisticOf(a)
		return []float64{kernels.Sigmoid(a), kernels.Sigmoid(-a), kernels.Logit(p)}, []float64{y, 1 - y, logit(p)}
	}
	equation.Check(t, "prml-4.59", sigmoid)
	equation.Check(t, "prml-4.60", sigmoid)
	equation.Check(t, "prml-4.61", sigmoid)
	posterior := func(k int, shared bool) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			c := newGaussianClasses(r, k, shared)
			m, bayes := c.fit(t), softmaxRows(c.joint(c.shares))
			a, p := must(m.Scores(c.x))(t).RawRowView(0), bayes.RawRowView(0)
			return []any{must(m.Posterior(c.x))(t), kernels.Softmax(nil, a), kernels.Sigmoid(a[0] - a[1])},
				[]any{bayes, p, p[0] / (p[0] + p[1])}
		}
	}
	equation.Check(t, "prml-4.2", posterior(3, true))
	equation.Check(t, "prml-4.57", posterior(2, false))
	equation.Check(t, "prml-4.62", posterior(4, false))
	// The scores of LDA omit terms that are equal for all classes, so the check compares differences.
	scores := func(k int, shared bool) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			c := newGaussianClasses(r, k, shared)
			m := c.fit(t)
			contrast := mat.NewDense(k, k-1, nil) // column j of the product is class j+1 minus class 0
			contrast.Slice(1, k, 0, k-1).(*mat.Dense).Copy(eye(k - 1))
			contrast.SetRow(0, fill(k-1, -1))
			return []any{must(m.LogDensities(c.x))(t), mul(must(m.Scores(c.x))(t), contrast)},
				[]any{c.logs, mul(c.joint(c.shares), contrast)}
		}
	}
	equation.Check(t, "prml-4.58", scores(2, false))
	equation.Check(t, "prml-4.63", scores(4, false))
	equation.Check(t, "prml-4.64", scores(2, true))
	equation.Check(t, "prml-4.68", scores(3, true))
	equation.Check(t, "prml-4.160", scores(4, true))
	equation.Check(t, "alpaydin-10.11", scores(3, true))
	quadratic := func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, false)
		m, x := c.fit(t).(*classify.QDA), c.x.RawRowView(0)
		joint := c.joint(c.shares).RawRowView(0)
		return []any{quadraticOf(t, m.Quadratic, 0, x), quadraticOf(t, m.Quadratic, 1, x),
			must(m.Scores(c.x))(t).RawRowView(0)}, []any{joint, joint}
	}
	equation.Check(t, "alpaydin-10.2", quadratic)
	equation.Check(t, "gambosi-qda-discriminant", quadratic)
	equation.Check(t, "gambosi-qda-boundary", quadratic)
	equation.Holds(t, "gambosi-softmax-maximum", func(r *rand.Rand) error {
		a, lead := normals(r, 2+r.IntN(5)), 30*r.Float64()
		k := r.IntN(len(a))
		a[k] = floats.Max(a) + lead
		y := kernels.Softmax(nil, a)
		if rest := float64(len(a)-1) * math.Exp(-lead); 1-y[k] > rest+1e-15 {
			return fmt.Errorf("the largest posterior is %v although its activation leads by %v, want at least %v", y[k], lead, 1-rest)
		}
		return nil
	})
	// As β grows, the softmax of βa tends to the 1-of-K code of the class with the largest a_k. The
	// log-sum-exp of βa, divided by β, tends to the largest a_k.
	equation.CheckTo(t, "P49", 1e-8, func(r *rand.Rand) (left, right any) {
		a, largest, code := normals(r, 4), r.IntN(4), make([]float64, 4)
		a[largest], code[largest] = floats.Max(a)+0.5, 1
		return []any{softmaxAsWritten(multiple(50, a)), floats.LogSumExp(multiple(50, a)) / 50}, []any{code, floats.Max(a)}
	})
}

// quadraticOf returns xᵀAx + bᵀx + c. The function `coefficients` returns A, b and c of a class.
func quadraticOf(t *testing.T, coefficients func(int) (*mat.SymDense, []float64, float64, error), class int,
	x []float64) float64 {
	a, b, c, err := coefficients(class)
	if err != nil {
		t.Fatal(err)
	}
	return form(x, a, x) + floats.Dot(b, x) + c
}

func TestEquationsSharedCovariance(t *testing.T) {
	weights := func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 3, true)
		var w []float64
		for k, m := range c.means {
			v := flat(mul(inverse(c.pooled), oneColumn(m)))
			w = append(append(w, math.Log(c.shares[k])-floats.Dot(m, v)/2), v...)
		}
		return c.lda(t, classify.LDAOptions{}).W.T(), w
	}
	equation.Check(t, "prml-4.69", weights)
	equation.Check(t, "prml-4.70", weights)
	equation.Check(t, "alpaydin-10.12", weights)
	twoClass := func(r *rand.Rand) (left, right any) {
		c, p := newGaussianClasses(r, 2, true), 0.1+0.8*r.Float64()
		inv, m, n := inverse(c.pooled), c.means[0], c.means[1]
		bias := (form(n, inv, n)-form(m, inv, m))/2 + logit(p)
		return must(c.lda(t, classify.LDAOptions{Priors: []float64{p, 1 - p}}).TwoClass())(t),
			[]any{bias, mul(inv, oneColumn(minus(m, n)))}
	}
	equation.Check(t, "prml-4.66", twoClass)
	equation.Check(t, "prml-4.67", twoClass)
	equation.Check(t, "alpaydin-10.14", twoClass)
	equation.Check(t, "gambosi-discriminant-function", twoClass)
	// The log odds contain the priors of the fit, the shifted priors, or no priors if all priors
	// are equal.
	odds := func(r *rand.Rand) (left, right any) {
		c, p, q := newGaussianClasses(r, 2, true), 0.1+0.8*r.Float64(), 0.1+0.8*r.Float64()
		m, x := c.lda(t, classify.LDAOptions{Priors: []float64{p, 1 - p}}), c.x.RawRowView(0)
		to := func(q float64) float64 {
			s := must(classify.ShiftPriors(m, nil, []float64{q, 1 - q}))(t)
			return affineValue(must(s.TwoClass())(t), x)
		}
		a, l := affineValue(must(m.TwoClass())(t), x), c.logs.RawRowView(0)
		one, two := p*math.Exp(l[0]), (1-p)*math.Exp(l[1])
		return []float64{a, to(q), to(0.5), logisticOf(a)},
			[]float64{l[0] - l[1] + logit(p), l[0] - l[1] + logit(q), l[0] - l[1], one / (one + two)}
	}
	equation.Check(t, "prml-4.65", odds)
	equation.Check(t, "alpaydin-10.13", odds)
	equation.Check(t, "alpaydin-10.15", odds)
	equation.Check(t, "alpaydin-10.18", odds)
	equation.Check(t, "alpaydin-10.19", odds)
	equation.Check(t, "gambosi-gda-log-odds", odds)
	equation.Misprint(t, "G1", func(r *rand.Rand) equation.Reading {
		c, p := newGaussianClasses(r, 2, true), 0.1+0.3*r.Float64()
		inv, m, n, x := inverse(c.pooled), c.means[0], c.means[1], c.x.RawRowView(0)
		a := form(minus(m, n), inv, x) + (form(n, inv, n)-form(m, inv, m))/2
		l := c.joint([]float64{p, 1 - p}).RawRowView(0)
		return equation.Reading{True: l[0] - l[1], Printed: a - logit(p), Right: a + logit(p)}
	})
	activations := func(r *rand.Rand) (c *gaussianClasses, printed, right []float64) {
		c = newGaussianClasses(r, 3, true)
		inv, x := inverse(c.pooled), c.x.RawRowView(0)
		for k, m := range c.means {
			linear, square, prior := form(m, inv, x), form(m, inv, m), math.Log(c.shares[k])
			printed, right = append(printed, (linear-square)/2+prior), append(right, linear-square/2+prior)
		}
		return c, printed, right
	}
	equation.Check(t, "gambosi-multiclass-activation", func(r *rand.Rand) (left, right any) {
		c, _, a := activations(r)
		return must(c.fit(t).Scores(c.x.Slice(0, 1, 0, c.x.RawMatrix().Cols)))(t), a
	})
	equation.Misprint(t, "G3", func(r *rand.Rand) equation.Reading {
		c, printed, right := activations(r)
		return equation.Reading{True: softmaxAsWritten(c.joint(c.shares).RawRowView(0)),
			Printed: softmaxAsWritten(printed), Right: softmaxAsWritten(right)}
	})
	equation.Check(t, "gambosi-scalar-transpose", func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, true)
		inv := inverse(c.pooled)
		return form(c.means[0], inv, c.means[1]), form(c.means[1], inv, c.means[0])
	})
	// Where a₀ = a₁, the posteriors of the classes 0 and 1 are equal.
	boundary := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			c := newGaussianClasses(r, k, true)
			m, x := c.lda(t, classify.LDAOptions{}), c.x.RawRowView(0)
			w := minus(mat.Col(nil, 0, m.W), mat.Col(nil, 1, m.W))
			nearest := nearestOn(w, x)
			p := must(m.Posterior(mat.NewDense(2, len(x), slices.Concat(x, nearest))))(t)
			scores := mul(withOnes(oneRow(nearest)), m.W).RawRowView(0)
			return []float64{p.At(0, 0) / p.At(0, 1), p.At(1, 0), p.At(1, k-1) / p.At(1, 0)},
				[]float64{math.Exp(affineValue(w, x)), p.At(1, 1), math.Exp(scores[k-1] - scores[0])}
		}
	}
	equation.CheckTo(t, "gambosi-discriminant-condition", 1e-8, boundary(2)) // exp(a) multiplies rounding errors
	equation.CheckTo(t, "gambosi-boundary-posteriors", 1e-8, boundary(3))
	isotropic := func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, true)
		m := c.lda(t, classify.LDAOptions{Shrinkage: 1}) // Σ = λI
		x, m1, m2, lambda := c.x.RawRowView(0), c.means[0], c.means[1], m.Sigma.At(0, 0)
		return -2 * lambda * affineValue(must(m.TwoClass())(t), x), 2*floats.Dot(minus(m2, m1), x) + floats.Dot(m1, m1) -
			floats.Dot(m2, m2) + 2*lambda*math.Log(c.shares[1]/c.shares[0])
	}
	equation.Check(t, "gambosi-discriminant-isotropic", isotropic)
	equation.Check(t, "G2", isotropic)
	equation.Misprint(t, "Q2", func(r *rand.Rand) equation.Reading {
		c := newGaussianClasses(r, 2, true)
		e := minus(c.x.RawRowView(0), c.means[0])
		bell := math.Exp(-form(e, inverse(c.pooled), e)/2) / math.Sqrt(mat.Det(c.pooled))
		return equation.Reading{True: math.Exp(c.logs.At(0, 0)), Printed: bell / math.Sqrt(2*math.Pi),
			Right: bell / math.Pow(2*math.Pi, float64(len(e))/2)}
	})
}

func TestEquationsCounts(t *testing.T) {
	counts := func(r *rand.Rand) (left, right any) {
		c, upper := newGaussianClasses(r, 2, true), 0
		_, d := c.x.Dims()
		for i := range d {
			upper += d - i
		}
		x, target := overlappingRows(r, 60, d)
		logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		own := must(classify.FitQDA(c.x, c.labels, 2, classify.QDAOptions{}))(t)
		return []int{logistic.DegreesOfFreedom(), upper, own.DegreesOfFreedom(), c.fit(t).DegreesOfFreedom()},
			[]int{d + 1, d * (d + 1) / 2, d*(d+3) + 1, d*(d+5)/2 + 1}
	}
	equation.Check(t, "gambosi-degrees-logistic", counts)
	equation.Check(t, "gambosi-degrees-covariance", counts)
	equation.Check(t, "gambosi-degrees-own", counts)
	equation.Check(t, "gambosi-degrees-shared", counts)
	equation.Check(t, "OK2", counts)
}

func TestEquationsMaximumLikelihood(t *testing.T) {
	likelihood := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			c, p, product := newGaussianClasses(r, k, true), softmaxAsWritten(normals(r, k)), 1.0
			for i, l := range c.labels {
				for j := range k {
					product *= math.Pow(math.Exp(c.logs.At(i, j))*p[j], truth(j == l))
				}
			}
			return c.lda(t, classify.LDAOptions{Priors: p}).LogLikelihood, math.Log(product)
		}
	}
	equation.Check(t, "prml-4.71", likelihood(2))
	equation.Check(t, "part1-likelihood", likelihood(3))
	equation.Check(t, "part1-log-likelihood", likelihood(3))
	equation.Check(t, "part1-gaussian-log-likelihood", likelihood(3))
	equation.Check(t, "gambosi-gda-log-likelihood", likelihood(2))
	// The terms without π cancel in the difference of the log likelihoods for two values of π.
	equation.Check(t, "prml-4.72", func(r *rand.Rand) (left, right any) {
		c, p, q := newGaussianClasses(r, 2, true), 0.1+0.8*r.Float64(), 0.1+0.8*r.Float64()
		l := func(p float64) float64 {
			return c.lda(t, classify.LDAOptions{Priors: []float64{p, 1 - p}}).LogLikelihood
		}
		n := float64(len(c.labels))
		return l(p) - l(q), n * (c.shares[0]*math.Log(p/q) + c.shares[1]*math.Log((1-p)/(1-q)))
	})
	// The two sides of (4.74) differ by a constant, so the check compares how they change with μ₁.
	equation.Check(t, "prml-4.74", func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, true)
		m, inv := c.lda(t, classify.LDAOptions{}), inverse(c.pooled)
		change := func(sign float64) (log, square float64) {
			logs := must(m.LogDensities(c.x))(t)
			for i, k := range c.labels {
				e := minus(c.x.RawRowView(i), m.Means.RawRowView(0))
				log += sign * truth(k == 0) * logs.At(i, 0)
				square -= sign * truth(k == 0) * form(e, inv, e) / 2
			}
			return log, square
		}
		log, square := change(1)
		m.Means.SetRow(0, normals(r, len(c.means[0])))
		otherLog, otherSquare := change(-1)
		return log + otherLog, square + otherSquare
	})
	// Shrinkage makes Σ differ from S, and (4.77) must hold for any Σ.
	equation.Check(t, "prml-4.77", func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, true)
		m := c.lda(t, classify.LDAOptions{Shrinkage: 0.1 + 0.8*r.Float64()})
		rows, d := c.x.Dims()
		n, part := float64(rows), m.LogLikelihood+float64(rows*d)/2*math.Log(2*math.Pi)
		for _, p := range m.Priors {
			part -= n * p * math.Log(p)
		}
		return part, -n / 2 * (math.Log(mat.Det(m.Sigma)) + mat.Trace(mul(inverse(m.Sigma), c.pooled)))
	})
	estimates := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			c := newGaussianClasses(r, k, false)
			qda, lda := c.fit(t).(*classify.QDA), c.lda(t, classify.LDAOptions{})
			left, right = []any{lda.Priors, lda.Means, lda.Sigma}, []any{c.shares, slices.Concat(c.means...), c.pooled}
			for j, s := range c.own {
				left, right = append(left.([]any), qda.Sigma[j]), append(right.([]any), s)
			}
			return left, right
		}
	}
	equation.Check(t, "prml-4.73", estimates(2))
	equation.Check(t, "prml-4.75", estimates(2))
	equation.Check(t, "prml-4.76", estimates(2))
	equation.Check(t, "prml-4.78", estimates(2))
	equation.Check(t, "prml-4.79", estimates(2))
	equation.Check(t, "prml-4.80", estimates(2))
	equation.Check(t, "prml-4.159", estimates(4))
	equation.Check(t, "prml-4.161", estimates(4))
	equation.Check(t, "prml-4.162", estimates(4))
	equation.Check(t, "prml-4.163", estimates(4))
	// A small change in the covariance, in a mean or in the priors lowers the likelihood.
	maximum := func(k int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			c := newGaussianClasses(r, k, true)
			_, d := c.x.Dims()
			direction, other := normals(r, d), randomCov(r, d)
			l := func(prior, mean, cov float64) (sum float64) {
				var s mat.Dense
				s.Scale(cov, other)
				s.Add(c.pooled, &s)
				for i, j := range c.labels {
					m := floats.AddScaledTo(make([]float64, d), c.means[j], mean*truth(j == 1), direction)
					p := c.shares[j] + prior*(truth(j == 0)-truth(j == 1))
					sum += logNormal(c.x.RawRowView(i), m, symmetric(1, &s)) + math.Log(p)
				}
				return sum
			}
			for _, h := range []float64{-1e-3, 1e-3} {
				if most := l(0, 0, 0); l(h, 0, 0) >= most || l(0, h, 0) >= most || l(0, 0, h) >= most {
					return fmt.Errorf("after a change by %v of the priors, of a mean or of the covariance alone, the log likelihood is %v, %v or %v, want values below the maximum %v",
						h, l(h, 0, 0), l(0, h, 0), l(0, 0, h), most)
				}
			}
			return nil
		}
	}
	equation.Holds(t, "prml-4.78", maximum(2))
	equation.Holds(t, "prml-4.162", maximum(4))
	// l is ln p(T,X|π) as a function of the priors of all classes. If there are only two classes, with
	// the priors p and 1−p, g(p) contains the terms of this quantity that depend on p.
	priors := func(r *rand.Rand) (left, right any) {
		c, lambda, at := newGaussianClasses(r, 3, true), r.NormFloat64(), []float64{0.2 + r.Float64(), 0.3, 0.4}
		n, p := float64(len(c.labels)), c.lda(t, classify.LDAOptions{}).Priors
		counts := multiple(n, c.shares)
		l := func(p []float64) (sum float64) {
			for i, k := range c.labels {
				sum += c.logs.At(i, k) + math.Log(p[k])
			}
			return sum
		}
		g := func(p float64) float64 { return counts[0]*math.Log(p) + counts[1]*math.Log(1-p) }
		free := floats.DivTo(make([]float64, 3), counts, at)
		floats.AddConst(lambda, free)
		return []any{slopes(func(p []float64) float64 { return l(p) + lambda*(floats.Sum(p)-1) }, at), slopes(l, p),
				slope(g, 0.4), floats.DivTo(make([]float64, 3), counts, p)},
			[]any{free, fill(3, n), counts[0]/0.4 - counts[1]/0.6, fill(3, n)}
	}
	equation.CheckTo(t, "part1-prior-derivative", 1e-7, priors) // numerical derivatives
	equation.CheckTo(t, "part1-lagrangian", 1e-7, priors)
	equation.CheckTo(t, "part1-multiplier", 1e-7, priors)
	equation.CheckTo(t, "gambosi-gda-prior-gradient", 1e-7, priors)
	// If the product (4.71) were a distribution of t, its sum over all t would be 1. However, the
	// product is a joint density of t and X, so its sum is the density of X.
	equation.Misprint(t, "P18", func(r *rand.Rand) equation.Reading {
		const n = 4
		c, pi := newGaussianClasses(r, 2, true), 0.1+0.8*r.Float64()
		a := c.joint([]float64{pi, 1 - pi})
		sum, marginal := 0.0, 1.0
		for t := range 1 << n {
			p := 1.0
			for i := range n {
				p *= math.Exp(a.At(i, t>>i&1))
			}
			sum += p
		}
		for i := range n {
			marginal *= math.Exp(a.At(i, 0)) + math.Exp(a.At(i, 1))
		}
		return equation.Reading{True: sum, Printed: 1, Right: marginal}
	})
}

// entryGradient returns the derivatives of f with respect to all entries of a matrix. The entries
// are independent variables, even if the matrix is symmetric.
func entryGradient(f func(a *mat.Dense) float64, at mat.Matrix) *mat.Dense {
	n, m := at.Dims()
	entries := func(v []float64) float64 { return f(mat.NewDense(n, m, slices.Clone(v))) }
	return mat.NewDense(n, m, slopes(entries, flat(at)))
}

// lnDet returns ln|A|.
func lnDet(a mat.Matrix) float64 {
	l, _ := mat.LogDet(a)
	return l
}

// combine returns f·a + g·b.
func combine(f float64, a mat.Matrix, g float64, b mat.Matrix) *mat.Dense {
	var x, y mat.Dense
	x.Scale(f, a)
	y.Scale(g, b)
	x.Add(&x, &y)
	return &x
}

// TestEquationsCalculus checks the derivatives and the matrix identities on which the
// maximum-likelihood estimates are based. It compares the derivatives with finite differences.
func TestEquationsCalculus(t *testing.T) {
	// draw returns three results: the residuals e of random rows, a covariance, and the inverse of
	// this covariance.
	draw := func(r *rand.Rand) (e *mat.Dense, sigma, inv *mat.SymDense) {
		d := 1 + r.IntN(4)
		sigma = randomCov(r, d)
		return normalMatrix(r, d+2+r.IntN(5), d), sigma, inverse(sigma)
	}
	equation.CheckTo(t, "gambosi-gda-mean-gradient", 1e-7, func(r *rand.Rand) (left, right any) {
		x, sigma, inv := draw(r)
		n, d := x.Dims()
		mean := normals(r, d)
		sum := minus(meanOf(x), mean)
		return slopes(func(mean []float64) (l float64) {
			for i := range n {
				l += logNormal(x.RawRowView(i), mean, sigma)
			}
			return l
		}, mean), mul(inv, oneColumn(multiple(float64(n), sum)))
	})
	// The function l is −n/2 ln|Σ| − ½ Σ_i e_iᵀΣ⁻¹e_i. The function `covariance` returns the gradient of
	// l with respect to Σ, the matrices Σ⁻¹nSΣ⁻¹ and nΣ⁻¹, and the first of these two matrices with its
	// factors in a wrong order.
	l := func(e *mat.Dense, sigma mat.Matrix) float64 {
		return -float64(e.RawMatrix().Rows)/2*lnDet(sigma) - mat.Trace(mul(solve(sigma, e.T()), e))/2
	}
	covariance := func(r *rand.Rand) (gradient, squares, inverses, misordered *mat.Dense) {
		e, sigma, inv := draw(r)
		inverses = combine(float64(e.RawMatrix().Rows), inv, 0, inv)
		gradient = entryGradient(func(s *mat.Dense) float64 { return l(e, s) }, sigma)
		return gradient, mul(inv, e.T(), e, inv), inverses, mul(inv, inv, e.T(), e)
	}
	equation.CheckTo(t, "gambosi-gda-covariance-gradient", 1e-6, func(r *rand.Rand) (left, right any) {
		gradient, squares, inverses, _ := covariance(r)
		return gradient, combine(0.5, squares, -0.5, inverses)
	})
	equation.Misprint(t, "G4", func(r *rand.Rand) equation.Reading {
		gradient, squares, inverses, misordered := covariance(r)
		return equation.Reading{True: gradient, Printed: combine(0.5, misordered, -0.5, inverses),
			Right: combine(0.5, squares, -0.5, inverses)}
	})
	equation.Misprint(t, "G6", func(r *rand.Rand) equation.Reading {
		gradient, squares, inverses, _ := covariance(r)
		return equation.Reading{True: gradient, Printed: combine(-1, squares, -0.5, inverses),
			Right: combine(0.5, squares, -0.5, inverses)}
	})
	equation.CheckTo(t, "gambosi-gda-covariance-terms", 1e-7, func(r *rand.Rand) (left, right any) {
		e, sigma, _ := draw(r)
		n, d := e.Dims()
		direction := randomCov(r, d)
		moved := func(h float64) *mat.SymDense { return symmetric(1, combine(1, sigma, h/100, direction)) }
		logs := func(h float64) (sum float64) {
			for i := range n {
				sum += logNormal(e.RawRowView(i), make([]float64, d), moved(h))
			}
			return sum
		}
		return slope(logs, 0), slope(func(h float64) float64 { return l(e, moved(h)) }, 0)
	})
	equation.CheckTo(t, "gambosi-quadratic-form-gradient", 1e-8, func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		a, v := normalMatrix(r, d, d), normals(r, d)
		return slopes(func(v []float64) float64 { return form(v, a, v) }, v), mul(combine(1, a, 1, a.T()), oneColumn(v))
	})
	equation.Check(t, "gambosi-trace-cyclic", func(r *rand.Rand) (left, right any) {
		i, j, k := 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(4)
		a, b, c := normalMatrix(r, i, j), normalMatrix(r, j, k), normalMatrix(r, k, i)
		return fill(2, mat.Trace(mul(a, b, c))), []float64{mat.Trace(mul(c, a, b)), mat.Trace(mul(b, c, a))}
	})
	equation.CheckTo(t, "gambosi-trace-derivative", 1e-8, func(r *rand.Rand) (left, right any) {
		m, n := 1+r.IntN(4), 1+r.IntN(4)
		a, b := normalMatrix(r, m, n), normalMatrix(r, n, m)
		return entryGradient(func(a *mat.Dense) float64 { return mat.Trace(mul(b, a)) }, a), b.T()
	})
	// regular returns a matrix and its inverse. The matrix is far from singular and not symmetric.
	regular := func(r *rand.Rand, d int) (a, inv *mat.Dense) {
		a = combine(1, normalMatrix(r, d, d), 6, eye(d))
		return a, solve(a, eye(d))
	}
	equation.CheckTo(t, "gambosi-log-determinant-derivative", 1e-8, func(r *rand.Rand) (left, right any) {
		a, inv := regular(r, 1+r.IntN(4))
		return entryGradient(func(a *mat.Dense) float64 { return lnDet(a) }, a), inv.T()
	})
	equation.Misprint(t, "G15", func(r *rand.Rand) equation.Reading {
		a, inv := regular(r, 3)
		gradient := entryGradient(func(a *mat.Dense) float64 { return lnDet(a) }, a)
		return equation.Reading{True: gradient, Printed: inv, Right: inv.T()}
	})
	change := func(r *rand.Rand, d int) (gradient, inv, direction *mat.Dense) {
		a, inv := regular(r, d)
		direction, gradient = normalMatrix(r, d, d), mat.NewDense(d, d, nil)
		gradient.Apply(func(i, j int, _ float64) float64 {
			return slope(func(h float64) float64 { return solve(combine(1, a, h, direction), eye(d)).At(i, j) }, 0)
		}, gradient)
		return gradient, inv, direction
	}
	equation.CheckTo(t, "gambosi-inverse-derivative", 1e-8, func(r *rand.Rand) (left, right any) {
		gradient, inv, direction := change(r, 1+r.IntN(4))
		return gradient, combine(-1, mul(inv, direction, inv), 0, direction)
	})
	equation.Misprint(t, "G5", func(r *rand.Rand) equation.Reading {
		gradient, inv, direction := change(r, 3)
		return equation.Reading{True: gradient, Printed: mul(inv, inv, direction),
			Right: combine(-1, mul(inv, direction, inv), 0, direction)}
	})
	// The tangent of f at z crosses 0 at the next iterate of Newton's method. Bisection finds this
	// zero.
	equation.CheckTo(t, "gambosi-newton-root", 1e-8, func(r *rand.Rand) (left, right any) {
		b, z := normals(r, 2), r.NormFloat64()
		f := func(z float64) float64 { return z*z*z + (3+b[0]*b[0])*z + b[1] }
		lo, hi := -100.0, 100.0
		for range 100 {
			if mid := (lo + hi) / 2; f(z)+slope(f, z)*(mid-z) < 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo, z - f(z)/(3*z*z+3+b[0]*b[0])
	})
}
