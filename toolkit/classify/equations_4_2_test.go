package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

func quadraticFit(t *testing.T, r *rand.Rand, k int) (x *mat.Dense, m *classify.QDA) {
	x, labels := clusterRows(r, 1+r.IntN(3), k)
	return x, must(classify.FitQDA(x, labels, k, classify.QDAOptions{}))(t)
}

func TestEquationsTwoClassPosterior(t *testing.T) {
	equation.Check(t, "prml-4.57", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 2)
		bayes := bayesOf(jointLogs(t, x, m.Means, m.Priors, m.Sigma...))
		scores, posterior := must(m.Scores(x))(t), must(m.Posterior(x))(t)
		var p, want []float64
		for i := range bayes.RawMatrix().Rows {
			p = append(p, posterior.At(i, 0), kernels.Sigmoid(scores.At(i, 0)-scores.At(i, 1)))
			want = append(want, bayes.At(i, 0), bayes.At(i, 0))
		}
		return p, want
	})
	equation.Check(t, "prml-4.58", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 2)
		logs, scores := jointLogs(t, x, m.Means, m.Priors, m.Sigma...), must(m.Scores(x))(t)
		var a, ratio []float64
		for i := range logs.RawMatrix().Rows {
			a = append(a, scores.At(i, 0)-scores.At(i, 1))
			ratio = append(ratio, logs.At(i, 0)-logs.At(i, 1))
		}
		return a, ratio
	})
	equation.Check(t, "prml-4.59", func(r *rand.Rand) (left, right any) {
		a := 5 * r.NormFloat64()
		return kernels.Sigmoid(a), logisticOf(a)
	})
	equation.Check(t, "prml-4.60", func(r *rand.Rand) (left, right any) {
		a := 3 * r.NormFloat64()
		return []float64{kernels.Sigmoid(-a), kernels.Sigmoid(a)}, []float64{1 - logisticOf(a), 1 - logisticOf(-a)}
	})
	equation.Check(t, "prml-4.61", func(r *rand.Rand) (left, right any) {
		a, p := 3*r.NormFloat64(), r.Float64()
		return []float64{kernels.Logit(logisticOf(a)), kernels.Logit(p)}, []float64{a, math.Log(p / (1 - p))}
	})
}

func TestEquationsManyClassPosterior(t *testing.T) {
	equation.Check(t, "prml-4.62", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 3+r.IntN(3))
		logs := jointLogs(t, x, m.Means, m.Priors, m.Sigma...)
		first := kernels.Softmax(nil, mat.Row(nil, 0, logs))
		bayes := bayesOf(logs)
		return []any{must(m.Posterior(x))(t), first}, []any{bayes, mat.Row(nil, 0, bayes)}
	})
	equation.Check(t, "prml-4.63", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 3+r.IntN(3))
		return must(m.Scores(x))(t), jointLogs(t, x, m.Means, m.Priors, m.Sigma...)
	})
}

// sharedFit fits Gaussian classes with a shared covariance.
func sharedFit(t *testing.T, r *rand.Rand, k int, o classify.LDAOptions) (x *mat.Dense, labels []int, m *classify.LDA) {
	x, labels = clusterRows(r, 1+r.IntN(3), k)
	return x, labels, must(classify.FitLDA(x, labels, k, o))(t)
}

// writtenWeights returns Σ⁻¹μ_k and −½μ_kᵀΣ⁻¹μ_k for the given class k. It computes μ_k and Σ as
// sums over the rows of x.
func writtenWeights(x *mat.Dense, labels []int, k, class int) (w *mat.VecDense, half float64) {
	mean, _ := averageOf(x, labels, class)
	mu := mat.NewVecDense(len(mean), mean)
	var inverse mat.Dense
	if err := inverse.Inverse(pooledCovariance(x, labels, k)); err != nil {
		panic(err)
	}
	w = mat.NewVecDense(len(mean), nil)
	w.MulVec(&inverse, mu)
	return w, -mat.Dot(mu, w) / 2
}

func TestEquationsGaussianClasses(t *testing.T) {
	equation.Check(t, "prml-4.64", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 2, classify.LDAOptions{})
		logs := must(m.LogDensities(x))(t)
		n, d := x.Dims()
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		front := 1 / (math.Pow(2*math.Pi, float64(d)/2) * math.Sqrt(mat.Det(m.Sigma)))
		var p, want []float64
		for i := range n {
			for k := range 2 {
				e := mat.NewVecDense(d, mat.Row(nil, i, x))
				e.SubVec(e, m.Means.RowView(k))
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, front*math.Exp(-mat.Inner(e, &inverse, e)/2))
			}
		}
		return p, want
	})
	equation.Check(t, "prml-4.65", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 2, classify.LDAOptions{})
		w, bayes := must(m.TwoClass())(t), bayesOf(jointLogs(t, x, m.Means, m.Priors, m.Sigma))
		var p, want []float64
		for i := range bayes.RawMatrix().Rows {
			p, want = append(p, logisticOf(-signedLoss(w, biasedRow(x, i), 1))), append(want, bayes.At(i, 0))
		}
		return p, want
	})
	twoClass := func(r *rand.Rand) (w []float64, slope *mat.VecDense, bias float64) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		w1, half1 := writtenWeights(x, labels, 2, 0)
		w2, half2 := writtenWeights(x, labels, 2, 1)
		_, n1 := averageOf(x, labels, 0)
		_, n2 := averageOf(x, labels, 1)
		w1.SubVec(w1, w2)
		return must(m.TwoClass())(t), w1, half1 - half2 + math.Log(n1/n2)
	}
	equation.Check(t, "prml-4.66", func(r *rand.Rand) (left, right any) {
		w, slope, _ := twoClass(r)
		return w[1:], slope
	})
	equation.Check(t, "prml-4.67", func(r *rand.Rand) (left, right any) {
		w, _, bias := twoClass(r)
		return w[0], bias
	})
	// The scores omit terms that are equal for all classes. The check therefore compares
	// differences between the scores of two classes.
	equation.Check(t, "prml-4.68", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 3, classify.LDAOptions{})
		scores, logs := must(m.Scores(x))(t), jointLogs(t, x, m.Means, m.Priors, m.Sigma)
		var linear, ratio []float64
		for i := range x.RawMatrix().Rows {
			for k := range 3 {
				linear = append(linear, -signedLoss(mat.Col(nil, k, m.W), biasedRow(x, i), 1),
					scores.At(i, k)-scores.At(i, 0))
				ratio = append(ratio, scores.At(i, k), logs.At(i, k)-logs.At(i, 0))
			}
		}
		return linear, ratio
	})
	equation.Check(t, "prml-4.69", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 3, classify.LDAOptions{})
		w, _ := writtenWeights(x, labels, 3, 1)
		return mat.Col(nil, 1, m.W)[1:], w
	})
	equation.Check(t, "prml-4.70", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 3, classify.LDAOptions{})
		_, half := writtenWeights(x, labels, 3, 1)
		_, count := averageOf(x, labels, 1)
		return m.W.At(0, 1), half + math.Log(count/float64(len(labels)))
	})
}

// jointLikelihood returns Σ_n ln p(x_n|C_k)p(C_k) for Gaussian classes with a shared covariance. k
// is the class of row n.
func jointLikelihood(t *testing.T, x *mat.Dense, labels []int, means mat.Matrix, priors []float64,
	sigma *mat.SymDense) (sum float64) {
	t.Helper()
	logs := jointLogs(t, x, means, priors, sigma)
	for i, k := range labels {
		sum += logs.At(i, k)
	}
	return sum
}

// checkMaximum checks that a small change of the maximum-likelihood estimate lowers the log
// likelihood. The argument f changes the estimate by an amount of the given size, and returns the
// log likelihood of the changed parameters.
func checkMaximum(f func(change float64) float64) error {
	most := f(0)
	for _, c := range []float64{-0.1, -1e-3, 1e-3, 0.1} {
		if l := f(c); !(l < most) {
			return fmt.Errorf("the log likelihood is %v at the estimate but %v after a change of size %v, want a maximum at the estimate", most, l, c)
		}
	}
	return nil
}

func TestEquationsGaussianShares(t *testing.T) {
	equation.Check(t, "prml-4.71", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{Priors: []float64{0.3, 0.7}})
		logs, product := jointLogs(t, x, m.Means, []float64{1, 1}, m.Sigma), 1.0
		for i, k := range labels {
			target := float64(1 - k)
			product *= math.Pow(0.3*math.Exp(logs.At(i, 0)), target) * math.Pow(0.7*math.Exp(logs.At(i, 1)), 1-target)
		}
		return math.Exp(m.LogLikelihood), product
	})
	// The check compares the log likelihoods for two values of π. The terms without π cancel in
	// their difference.
	equation.Check(t, "prml-4.72", func(r *rand.Rand) (left, right any) {
		x, labels := clusterRows(r, 2, 2)
		p, q := 0.1+0.8*r.Float64(), 0.1+0.8*r.Float64()
		fit := func(p float64) float64 {
			return must(classify.FitLDA(x, labels, 2,
				classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).LogLikelihood
		}
		sum := 0.0
		for _, k := range labels {
			target := float64(1 - k)
			sum += target*math.Log(p) + (1-target)*math.Log(1-p) - target*math.Log(q) - (1-target)*math.Log(1-q)
		}
		return fit(p) - fit(q), sum
	})
	equation.Check(t, "prml-4.73", func(r *rand.Rand) (left, right any) {
		_, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		sum := 0.0
		for _, k := range labels {
			sum += float64(1 - k)
		}
		return m.Priors[0], sum / float64(len(labels))
	})
	mostLikelyPriors := func(k int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			a, b := r.IntN(k), r.IntN(k-1)
			if b == a {
				b = k - 1
			}
			return checkMaximum(func(change float64) float64 {
				p := append([]float64{}, m.Priors...)
				p[a], p[b] = p[a]*(1-change), p[b]+p[a]*change
				return jointLikelihood(t, x, labels, m.Means, p, m.Sigma)
			})
		}
	}
	equation.Holds(t, "prml-4.73", mostLikelyPriors(2))
	equation.Check(t, "prml-4.159", func(r *rand.Rand) (left, right any) {
		_, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		counts := make([]float64, 4)
		for _, k := range labels {
			counts[k] += 1 / float64(len(labels))
		}
		return m.Priors, counts
	})
	equation.Holds(t, "prml-4.159", mostLikelyPriors(4))
}

func TestEquationsGaussianMeans(t *testing.T) {
	// The two sides of (4.74) differ by a constant that does not depend on μ₁. The check therefore
	// compares how much each side changes when μ₁ changes.
	equation.Check(t, "prml-4.74", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		_, d := x.Dims()
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		terms := func() (log, square float64) {
			logs := must(m.LogDensities(x))(t)
			for i, k := range labels {
				e := mat.NewVecDense(d, mat.Row(nil, i, x))
				e.SubVec(e, m.Means.RowView(0))
				log += float64(1-k) * logs.At(i, 0)
				square -= float64(1-k) * mat.Inner(e, &inverse, e) / 2
			}
			return log, square
		}
		log, square := terms()
		m.Means.SetRow(0, normals(r, d))
		otherLog, otherSquare := terms()
		return log - otherLog, square - otherSquare
	})
	equation.Check(t, "prml-4.75", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		mean, _ := averageOf(x, labels, 0)
		return mat.Row(nil, 0, m.Means), mean
	})
	equation.Check(t, "prml-4.76", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		mean, _ := averageOf(x, labels, 1)
		return mat.Row(nil, 1, m.Means), mean
	})
	mostLikelyMean := func(k, class int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			_, d := x.Dims()
			way := normals(r, d)
			return checkMaximum(func(change float64) float64 {
				means := mat.DenseCopyOf(m.Means)
				for j, v := range way {
					means.Set(class, j, means.At(class, j)+change*v)
				}
				return jointLikelihood(t, x, labels, means, m.Priors, m.Sigma)
			})
		}
	}
	equation.Holds(t, "prml-4.75", mostLikelyMean(2, 0))
	equation.Holds(t, "prml-4.76", mostLikelyMean(2, 1))
	equation.Check(t, "prml-4.161", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		var means []float64
		for k := range 4 {
			mean, _ := averageOf(x, labels, k)
			means = append(means, mean...)
		}
		return m.Means, means
	})
	equation.Holds(t, "prml-4.161", mostLikelyMean(4, 2))
}

func TestEquationsGaussianCovariance(t *testing.T) {
	// Shrinkage makes Σ differ from S, and (4.77) must hold for any Σ.
	equation.Check(t, "prml-4.77", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{Shrinkage: 0.1 + 0.8*r.Float64()})
		rows, d := x.Dims()
		n := float64(rows)
		part := m.LogLikelihood + n*float64(d)/2*math.Log(2*math.Pi)
		for _, p := range m.Priors {
			part -= n * p * math.Log(p)
		}
		var ratio mat.Dense
		if err := ratio.Solve(m.Sigma, pooledCovariance(x, labels, 2)); err != nil {
			t.Fatal(err)
		}
		return part, -n/2*math.Log(mat.Det(m.Sigma)) - n/2*mat.Trace(&ratio)
	})
	equation.Check(t, "prml-4.78", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		return m.Sigma, pooledCovariance(x, labels, 2)
	})
	equation.Check(t, "prml-4.79", func(r *rand.Rand) (left, right any) {
		x, labels := clusterRows(r, 2, 2)
		return must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t).Sigma[0], covarianceOf(x, labels, 0)
	})
	equation.Check(t, "prml-4.80", func(r *rand.Rand) (left, right any) {
		x, labels := clusterRows(r, 2, 2)
		return must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t).Sigma[1], covarianceOf(x, labels, 1)
	})
	// The features φ of the exercise are the inputs x of the fit.
	equation.Check(t, "prml-4.160", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 4, classify.LDAOptions{})
		return must(m.LogDensities(x))(t), jointLogs(t, x, m.Means, []float64{1, 1, 1, 1}, m.Sigma)
	})
	equation.Check(t, "prml-4.162", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		return m.Sigma, pooledCovariance(x, labels, 4)
	})
	mostLikelyCovariance := func(k int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			_, d := x.Dims()
			way := randomCov(r, d)
			way.ScaleSym(2*mat.Trace(m.Sigma)/mat.Trace(way), way)
			return checkMaximum(func(change float64) float64 {
				s, part := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
				s.ScaleSym(1-change, m.Sigma)
				part.ScaleSym(math.Abs(change), way)
				s.AddSym(s, part)
				return jointLikelihood(t, x, labels, m.Means, m.Priors, s)
			})
		}
	}
	equation.Holds(t, "prml-4.78", mostLikelyCovariance(2))
	equation.Holds(t, "prml-4.162", mostLikelyCovariance(4))
	equation.Check(t, "prml-4.163", func(r *rand.Rand) (left, right any) {
		x, labels := clusterRows(r, 3, 3)
		m := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
		return []any{m.Sigma[0], m.Sigma[1], m.Sigma[2]}, []any{covarianceOf(x, labels, 0), covarianceOf(x, labels, 1),
			covarianceOf(x, labels, 2)}
	})
}

// binaryFit fits naive Bayes to random bits x. It also returns the class shares as priors and the
// mean μ_ki of each bit in each class. In every class, each bit is 0 in some rows and 1 in others.
func binaryFit(t *testing.T, r *rand.Rand) (x *mat.Dense, m *classify.NaiveBayesBernoulli, mu [][]float64,
	priors []float64) {
	t.Helper()
	n, d, k := 20+r.IntN(20), 1+r.IntN(4), 2+r.IntN(2)
	x, priors = mat.NewDense(n, d, nil), make([]float64, k)
	labels, rate := make([]int, n), r.Float64()
	for i := range labels {
		labels[i] = i % k
		if i >= 2*k {
			labels[i] = r.IntN(k)
		}
		for j := range d {
			x.Set(i, j, truth(r.Float64() < rate))
			if i < 2*k {
				x.Set(i, j, float64(i/k))
			}
		}
	}
	for c := range k {
		mean, count := averageOf(x, labels, c)
		mu, priors[c] = append(mu, mean), count/float64(n)
	}
	return x, must(classify.FitNaiveBayesBernoulli(x, labels, k, classify.NaiveBayesBernoulliOptions{}))(t), mu, priors
}

func TestEquationsNaiveBayes(t *testing.T) {
	// In each class, the probabilities of all 2^D inputs sum to 1.
	equation.Check(t, "prml-4.81", func(r *rand.Rand) (left, right any) {
		_, m, mu, _ := binaryFit(t, r)
		d := len(mu[0])
		all := mat.NewDense(1<<d, d, nil)
		for i := range 1 << d {
			for j := range d {
				all.Set(i, j, float64(i>>j&1))
			}
		}
		logs := must(m.LogDensities(all))(t)
		var p, want []float64
		for k := range mu {
			sum := 0.0
			for i := range 1 << d {
				product := 1.0
				for j, v := range mu[k] {
					product *= math.Pow(v, all.At(i, j)) * math.Pow(1-v, 1-all.At(i, j))
				}
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, product)
				sum += math.Exp(logs.At(i, k))
			}
			p, want = append(p, sum), append(want, 1)
		}
		return p, want
	})
	equation.Check(t, "prml-4.82", func(r *rand.Rand) (left, right any) {
		x, m, mu, priors := binaryFit(t, r)
		n, d := x.Dims()
		a, linear := mat.NewDense(n, len(mu), nil), mat.NewDense(n, len(mu), nil)
		for i := range n {
			for k := range mu {
				sum := math.Log(priors[k])
				for j := range d {
					sum += x.At(i, j)*math.Log(mu[k][j]) + (1-x.At(i, j))*math.Log(1-mu[k][j])
				}
				a.Set(i, k, sum)
				linear.Set(i, k, -signedLoss(mat.Col(nil, k, m.W), biasedRow(x, i), 1))
			}
		}
		return []any{must(m.Scores(x))(t), linear}, []any{a, a}
	})
}

// gammaFit fits gamma densities with a random shape α to random rows x with two columns. logs
// contains ln p(x|C_k), computed by gonum's gamma density whose mean is the mean of the class.
func gammaFit(t *testing.T, r *rand.Rand, k int) (x *mat.Dense, m *classify.ExponentialFamily, logs *mat.Dense) {
	t.Helper()
	const n = 24
	shape := 0.5 + 3*r.Float64()
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i * k / n
		for j := range 2 {
			x.Set(i, j, (0.1+r.ExpFloat64())*float64(1+labels[i]+j))
		}
	}
	m = must(classify.FitExponentialFamily(x, labels, k, classify.ExponentialFamilyOptions{
		Density: classify.DensityGamma, Scale: 0.5 + 2*r.Float64(), Shape: shape,
	}))(t)
	logs = mat.NewDense(n, k, nil)
	for c := range k {
		mean, _ := averageOf(x, labels, c)
		for i := range n {
			sum := 0.0
			for j, v := range mean {
				sum += distuv.Gamma{Alpha: shape, Beta: shape / v}.LogProb(x.At(i, j))
			}
			logs.Set(i, c, sum)
		}
	}
	return x, m, logs
}

func TestEquationsExponentialFamily(t *testing.T) {
	// The check writes the Gaussian as an exponential-family density with u(x) = (x, x²).
	equation.Check(t, "prml-4.83", func(r *rand.Rand) (left, right any) {
		x, labels := clusterRows(r, 1, 2)
		m := must(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{}))(t)
		logs := must(m.LogDensities(x))(t)
		var p, want []float64
		for k := range 2 {
			mean, _ := averageOf(x, labels, k)
			v := covarianceOf(x, labels, k).At(0, 0)
			l1, l2 := mean[0]/v, -1/(2*v)
			g, h := math.Sqrt(-2*l2)*math.Exp(l1*l1/(4*l2)), 1/math.Sqrt(2*math.Pi)
			for i := range labels {
				u := x.At(i, 0)
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, h*g*math.Exp(l1*u+l2*u*u))
			}
		}
		return p, want
	})
	// With D = 2 columns the density has the factor 1/s²; PRML prints 1/s (erratum P14). For gamma
	// densities, h(u) = Π_j u_j^{α−1}/Γ(α).
	equation.Check(t, "prml-4.84", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 2)
		densities, s := must(m.LogDensities(x))(t), m.Scale
		var p, want []float64
		for i := range x.RawMatrix().Rows {
			for k := range 2 {
				form := math.Exp(m.LogG[k]) / (s * s)
				for j := range 2 {
					v := x.At(i, j)
					form *= math.Pow(v/s, m.Shape-1) / math.Gamma(m.Shape) * math.Exp(m.Lambda.At(k, j)*v/s)
				}
				p = append(p, math.Exp(densities.At(i, k)), form)
				want = append(want, math.Exp(logs.At(i, k)), math.Exp(logs.At(i, k)))
			}
		}
		return p, want
	})
	// The linear function includes the factor 1/s, which the book omits (erratum P13).
	equation.Check(t, "prml-4.85", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 2)
		scores := must(m.Scores(x))(t)
		var a, want []float64
		for i := range x.RawMatrix().Rows {
			linear := m.LogG[0] - m.LogG[1] + math.Log(m.Priors[0]) - math.Log(m.Priors[1])
			for j := range 2 {
				linear += (m.Lambda.At(0, j) - m.Lambda.At(1, j)) * x.At(i, j) / m.Scale
			}
			ratio := logs.At(i, 0) + math.Log(m.Priors[0]) - logs.At(i, 1) - math.Log(m.Priors[1])
			a, want = append(a, linear, scores.At(i, 0)-scores.At(i, 1)), append(want, ratio, ratio)
		}
		return a, want
	})
	// a_k is ln p(x|C_k)p(C_k) without the term ln s^{−D}h(x/s), which is equal for all classes.
	equation.Check(t, "prml-4.86", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 3)
		for i := range x.RawMatrix().Rows {
			common := -2 * math.Log(m.Scale)
			for j := range 2 {
				g, _ := math.Lgamma(m.Shape)
				common += (m.Shape-1)*math.Log(x.At(i, j)/m.Scale) - g
			}
			for k, p := range m.Priors {
				logs.Set(i, k, logs.At(i, k)-common+math.Log(p))
			}
		}
		return must(m.Scores(x))(t), logs
	})
}

// The functions below are helpers for the checks of the generative models.

// clusterRows returns random rows with d columns in k classes with different centres, and the class
// labels. Each class has enough rows for a nonsingular covariance.
func clusterRows(r *rand.Rand, d, k int) (x *mat.Dense, labels []int) {
	n := k*(d+3) + r.IntN(10)
	x, labels = normalMatrix(r, n, d), make([]int, n)
	mix, centres := normalMatrix(r, d, d), normalMatrix(r, k, d)
	x.Mul(x, mix)
	for i := range labels {
		if labels[i] = i % k; i >= k*(d+3) {
			labels[i] = r.IntN(k)
		}
		for j := range d {
			x.Set(i, j, x.At(i, j)+centres.At(labels[i], j))
		}
	}
	return x, labels
}

func covarianceOf(x *mat.Dense, labels []int, class int) *mat.SymDense {
	mean, count := averageOf(x, labels, class)
	s := mat.NewSymDense(len(mean), nil)
	for i, k := range labels {
		if k == class {
			e := make([]float64, len(mean))
			for j := range e {
				e[j] = x.At(i, j) - mean[j]
			}
			s.SymRankOne(s, 1/count, mat.NewVecDense(len(e), e))
		}
	}
	return s
}

// pooledCovariance returns the weighted sum Σ_k (N_k/N) S_k of the class covariances.
func pooledCovariance(x *mat.Dense, labels []int, k int) *mat.SymDense {
	_, d := x.Dims()
	s := mat.NewSymDense(d, nil)
	for c := range k {
		_, count := averageOf(x, labels, c)
		part := covarianceOf(x, labels, c)
		part.ScaleSym(count/float64(len(labels)), part)
		s.AddSym(s, part)
	}
	return s
}

// jointLogs returns the N×K matrix of ln p(x_n|C_k)p(C_k) for Gaussian classes, computed by gonum's
// density. If sigma contains one matrix, all classes share this matrix.
func jointLogs(t *testing.T, x mat.Matrix, means mat.Matrix, priors []float64, sigma ...*mat.SymDense) *mat.Dense {
	t.Helper()
	n, _ := x.Dims()
	logs := mat.NewDense(n, len(priors), nil)
	for k, p := range priors {
		normal, ok := distmv.NewNormal(mat.Row(nil, k, means), sigma[k%len(sigma)], nil)
		if !ok {
			t.Fatal("the covariance is not positive definite")
		}
		for i := range n {
			logs.Set(i, k, normal.LogProb(mat.Row(nil, i, x))+math.Log(p))
		}
	}
	return logs
}

// bayesOf returns the posteriors e^{a_k}/Σ_j e^{a_j} for each row of logs, computed as printed in
// the book.
func bayesOf(logs *mat.Dense) *mat.Dense {
	n, k := logs.Dims()
	p := mat.NewDense(n, k, nil)
	for i := range n {
		sum := 0.0
		for c := range k {
			sum += math.Exp(logs.At(i, c))
		}
		for c := range k {
			p.Set(i, c, math.Exp(logs.At(i, c))/sum)
		}
	}
	return p
}
