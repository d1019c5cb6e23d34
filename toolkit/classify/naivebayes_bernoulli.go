package classify

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var _ Generative = (*NaiveBayesBernoulli)(nil)

// NaiveBayesBernoulliOptions of FitNaiveBayesBernoulli. The zero value is maximum
// likelihood.
type NaiveBayesBernoulliOptions struct {
	// Priors and UniformPriors as in LDAOptions. Priors are never smoothed.
	Priors        []float64
	UniformPriors bool
	// Smoothing α ≥ 0 is added to the count of every value of a feature in every
	// class: the posterior mean under a symmetric Dirichlet (beta) prior; 1 is
	// Laplace's rule. With 0 a value that a class never showed has probability 0
	// in it, and excludes the class.
	Smoothing float64
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
}

// NaiveBayesBernoulli is the naive Bayes model of binary features, PRML 4.2.3:
// p(x|C_k) = Π_i μ_ki^{x_i} (1−μ_ki)^{1−x_i} (4.81), with
//
//	a_k(x) = Σ_i {x_i ln μ_ki + (1−x_i) ln(1−μ_ki)} + ln p(C_k)  (4.82),
//
// linear in x, and μ_ki = (N_ki + α)/(N_k + 2α), N_ki the rows of class k with x_i = 1.
//
// Equations: PRML (4.62), (4.81), (4.82).
type NaiveBayesBernoulli struct {
	ClassShares
	Mu *mat.Dense // μ_ki, K×D; ½ in a class without rows
	// W is (D+1)×K: a_k = w_k0 + w_kᵀx with w_ki = ln μ_ki/(1−μ_ki) and w_k0 =
	// Σ_i ln(1−μ_ki) + ln p(C_k). It is infinite where a μ_ki is 0 or 1.
	W    *mat.Dense
	one  *mat.Dense // ln μ_ki, K×D
	zero *mat.Dense // ln(1−μ_ki), K×D
}

// FitNaiveBayesBernoulli fits naive Bayes to binary inputs x (N×D, entries 0 and
// 1) and labels 0…k−1. A class without rows gets prior 0 and density 0.
//
// Errors: shapes that do not agree, entries other than 0 and 1, labels out of
// range or of a single class, bad priors, negative Smoothing.
//
// Equations: PRML (4.81), (4.159).
func FitNaiveBayesBernoulli(x mat.Matrix, labels []int, k int, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	m, err := fitNaiveBernoulli(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitNaiveBayesBernoulli", o.Weights, err)
	}
	return m, nil
}

// notBinary is the domain of binary features.
func notBinary(v float64, _ int) string {
	if v == 0 || v == 1 {
		return ""
	}
	return "binary features are 0 or 1 (compare the column with a threshold, or use FitNaiveBayesGaussian)"
}

func fitNaiveBernoulli(x mat.Matrix, labels []int, k int, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	in, err := newLabelled(x, labels, k, o.Weights)
	if err != nil {
		return nil, err
	}
	return naiveBernoulli(in, o)
}

func naiveBernoulli(in *check.Labelled, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	ones, err := naiveSums(in, notBinary)
	if err != nil {
		return nil, err
	}
	return naiveBernoulliOf(ones, in.Counts(), o)
}

// naiveBernoulliOf fits to the ones of each feature in each class, K of D, and to the
// rows of each class.
func naiveBernoulliOf(ones [][]float64, counts []float64, o NaiveBayesBernoulliOptions) (m *NaiveBayesBernoulli, err error) {
	if err := naiveSmoothing(o.Smoothing); err != nil {
		return nil, err
	}
	k, d, a := len(ones), len(ones[0]), o.Smoothing
	m = &NaiveBayesBernoulli{Mu: mat.NewDense(k, d, nil), one: mat.NewDense(k, d, nil), zero: mat.NewDense(k, d, nil), W: mat.NewDense(d+1, k, nil)}
	if m.ClassShares, err = newShares(counts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	m.Parameters += m.filled() * d
	for c, n := range counts {
		log := math.Log(m.Priors[c])
		for i, n1 := range ones[c] {
			n0 := n - n1
			p, q := naivePair(n1, n0, a)
			m.Mu.Set(c, i, p)
			m.one.Set(c, i, math.Log(p))
			m.zero.Set(c, i, math.Log(q))
			m.W.Set(i+1, c, math.Log(p/q))
			log += math.Log(q)
			m.LogLikelihood += timesLog(n1, p) + timesLog(n0, q)
		}
		m.W.Set(0, c, log)
	}
	return m, nil
}

// naivePair returns (n₁+α)/(n₁+n₀+2α) and its complement, ½ for no rows. The
// terms are scaled so that the largest α does not overflow.
func naivePair(n1, n0, a float64) (p, q float64) {
	if n1+n0 == 0 {
		return 0.5, 0.5
	}
	p, q = n1/4+a/4, n0/4+a/4
	return p / (p + q), q / (p + q)
}

// Scores returns the N×K activations (4.82); −Inf for a class that x excludes.
//
// Equations: PRML (4.82).
func (m *NaiveBayesBernoulli) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generatedScores(m, x)
}

// Posterior returns the N×K probabilities p(C_k|x). A row that every class
// excludes is an error that advises Smoothing.
func (m *NaiveBayesBernoulli) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, −Inf for a class that x excludes.
func (m *NaiveBayesBernoulli) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score; a row that every class
// excludes is an error.
func (m *NaiveBayesBernoulli) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns ln p(x|C_k), N×K; −Inf for a class without rows.
//
// Equations: PRML (4.81).
func (m *NaiveBayesBernoulli) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries.
func (m *NaiveBayesBernoulli) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n inputs and their classes from the fitted densities.
func (m *NaiveBayesBernoulli) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *NaiveBayesBernoulli) kind() string                           { return "NaiveBayesBernoulli" }
func (m *NaiveBayesBernoulli) outside() func(v float64, j int) string { return notBinary }

func (m *NaiveBayesBernoulli) width() int {
	_, d := m.Mu.Dims()
	return d
}

func (m *NaiveBayesBernoulli) activations() activator { return withPriors(m.densities(), m.Priors) }

// densities adds one of the two logarithms for each feature, so that 0·ln 0 does
// not arise.
func (m *NaiveBayesBernoulli) densities() activator {
	rows := m.perClass()
	return byRow(len(rows), m.width(), func(x, dst []float64) {
		for k, n := range rows {
			if n == 0 {
				dst[k] = math.Inf(-1)
				continue
			}
			one, zero := m.one.RawRowView(k), m.zero.RawRowView(k)
			var s float64
			for i, v := range x {
				if v == 1 {
					s += one[i]
				} else {
					s += zero[i]
				}
			}
			dst[k] = s
		}
	})
}

func (m *NaiveBayesBernoulli) draw(rng *rand.Rand, k int, x []float64) {
	for i, p := range m.Mu.RawRowView(k) {
		x[i] = 0
		if rng.Float64() < p {
			x[i] = 1
		}
	}
}
