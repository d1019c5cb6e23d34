package classify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var _ Generative = (*NaiveBayesBernoulli)(nil)

// NaiveBayesBernoulliOptions are the options of FitNaiveBayesBernoulli. The zero value means
// maximum likelihood.
type NaiveBayesBernoulliOptions struct {
	// Priors and UniformPriors have the same meaning as in LDAOptions. Smoothing does not change
	// the priors.
	Priors        []float64
	UniformPriors bool
	// Smoothing α ≥ 0 is added to the count of every value of a feature in every class. The estimated
	// probability of a value is then its posterior mean under a symmetric Dirichlet (beta) prior.
	// Smoothing 1 is Laplace's rule. With Smoothing 0, a value that does not occur in a class has
	// probability 0 in this class. A row with this value then cannot belong to the class.
	Smoothing float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
}

// NaiveBayesBernoulli is the naive Bayes model of binary features, PRML 4.2.3: p(x|C_k) =
// Π_i μ_ki^{x_i} (1−μ_ki)^{1−x_i} (4.81), with
//
//	a_k(x) = Σ_i {x_i ln μ_ki + (1−x_i) ln(1−μ_ki)} + ln p(C_k)  (4.82),
//
// which is linear in x. Here μ_ki = (N_ki + α)/(N_k + 2α), where N_ki counts the rows of class k
// with x_i = 1.
//
// Equations: PRML (4.62), (4.81), (4.82).
type NaiveBayesBernoulli struct {
	ClassShares
	Mu *mat.Dense // the means μ_ki, K×D; ½ in a class without rows
	// W is (D+1)×K: a_k = w_k0 + w_kᵀx with w_ki = ln{μ_ki/(1−μ_ki)} and w_k0 = Σ_i ln(1−μ_ki) + ln
	// p(C_k). The weight w_ki is infinite if μ_ki is 0 or 1. The bias w_k0 is −Inf if at least one μ_ki
	// of the class is 1, or if its prior is 0.
	W    *mat.Dense
	one  *mat.Dense // ln μ_ki, K×D
	zero *mat.Dense // ln(1−μ_ki), K×D
}

// FitNaiveBayesBernoulli fits naive Bayes to binary inputs x (N×D, entries 0 and 1) and labels
// 0…k−1. A class without rows has prior 0 and density 0.
//
// Errors: shapes that do not agree, entries other than 0 and 1, labels out of range or of a single
// class, invalid Priors or Weights, a Smoothing that is negative or not finite.
//
// Equations: PRML (4.81), (4.159).
func FitNaiveBayesBernoulli(x mat.Matrix, labels []int, k int, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli,
	error) {
	return fitNaiveBernoulli("FitNaiveBayesBernoulli", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitNaiveBayesBernoulliFrom is like [FitNaiveBayesBernoulli], but reads the rows, or only their
// counts, from any source. If the source contains counts, every feature must have two levels.
// FitNaiveBayesBernoulliFrom returns the errors of FitNaiveBayesBernoulli. It also returns an error
// for a source that cannot be read, and for a source that cannot provide what the fit or its
// options need.
//
// Equations: PRML (4.81), (4.159).
func FitNaiveBayesBernoulliFrom(s Source, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	return fitNaiveBernoulli("FitNaiveBayesBernoulliFrom", s, o)
}

// notBinary returns an explanation of why v is not a binary feature value, or "" if v is 0 or 1.
func notBinary(v float64, _ int) string {
	if v == 0 || v == 1 {
		return ""
	}
	return "binary features are 0 or 1 (compare the column with a threshold, or use FitNaiveBayesGaussian)"
}

func fitNaiveBernoulli(function string, s Source, o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	d := requirements{weights: o.Weights, labels: true, counts: true}
	return fitFrom(function, s, d, func(in *check.Data) (*NaiveBayesBernoulli, error) {
		ones, err := onesOf(in)
		if err != nil {
			return nil, err
		}
		return naiveBernoulliOf(ones, in.Counts(), o)
	})
}

// onesOf returns the K×D counts of ones per class and feature.
func onesOf(in *check.Data) ([][]float64, error) {
	if in.Cells == nil {
		return naiveSums(in, notBinary)
	}
	ones := make([][]float64, in.K)
	for i, l := range in.Levels {
		if l != 2 {
			return nil, fmt.Errorf("feature %d has %d levels, want 2: use FitNaiveBayesCategoricalFrom for features with other numbers of levels", i, l)
		}
		for k := range ones {
			ones[k] = append(ones[k], float64(in.Cells[k][2*i+1]))
		}
	}
	return ones, nil
}

// naiveBernoulliOf fits the model to counts. The argument `oneCounts` (K×D) contains the number
// of ones for each class and feature. The argument `rowCounts` contains the number of rows of each
// class.
func naiveBernoulliOf(oneCounts [][]float64, rowCounts []float64,
	o NaiveBayesBernoulliOptions) (m *NaiveBayesBernoulli, err error) {
	if err := naiveSmoothing(o.Smoothing); err != nil {
		return nil, err
	}
	k, d, a := len(oneCounts), len(oneCounts[0]), o.Smoothing
	m = &NaiveBayesBernoulli{Mu: mat.NewDense(k, d, nil), one: mat.NewDense(k, d, nil), zero: mat.NewDense(k, d, nil),
		W: mat.NewDense(d+1, k, nil)}
	if m.ClassShares, err = newShares(rowCounts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	m.Parameters += m.filledClasses() * d
	for c, n := range rowCounts {
		log := math.Log(m.Priors[c])
		for i, n1 := range oneCounts[c] {
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

// naivePair returns (n₁+α)/(n₁+n₀+2α) and its complement, or ½ and ½ if there are no rows. The
// terms are scaled so that no sum overflows, even for the largest α.
func naivePair(n1, n0, a float64) (p, q float64) {
	if n1+n0 == 0 {
		return 0.5, 0.5
	}
	p, q = n1/4+a/4, n0/4+a/4
	return p / (p + q), q / (p + q)
}

// Scores returns the N×K activations (4.82), with −Inf for a class with p(x|C_k)p(C_k) = 0.
//
// Equations: PRML (4.82).
func (m *NaiveBayesBernoulli) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generatedScores(m, x)
}

// Posterior returns the N×K probabilities p(C_k|x). If a row x has p(x|C_k)p(C_k) = 0 for every
// class, Posterior returns an error that recommends Smoothing.
func (m *NaiveBayesBernoulli) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns the N×K matrix of ln p(C_k|x), with −Inf for a class with p(x|C_k)p(C_k) = 0.
func (m *NaiveBayesBernoulli) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score. A row x with p(x|C_k)p(C_k) = 0 for every class
// is an error.
func (m *NaiveBayesBernoulli) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln p(x|C_k), with −Inf where p(x|C_k) is 0 and for a class
// without rows.
//
// Equations: PRML (4.81).
func (m *NaiveBayesBernoulli) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries.
func (m *NaiveBayesBernoulli) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n classes from Priors, and an input from the fitted density of each drawn class.
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

// densities returns an activator that adds ln μ_ki if x_i is 1 and ln(1−μ_ki) if x_i is 0. Adding
// only one of the two terms avoids the product 0·ln 0.
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

var _ = codec.Register(codec.Kind[NaiveBayesBernoulli]{Schema: "hyperplane-naive-bayes-bernoulli/1",
	Valid: (*NaiveBayesBernoulli).checkSizes, Fields: func(m *NaiveBayesBernoulli) []codec.Field {
		return []codec.Field{{Name: "log_one", Value: &m.one}, {Name: "log_zero", Value: &m.zero}}
	}})

func (m *NaiveBayesBernoulli) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Mu)
	s.requireMatrices(k, d, "mu, log_one or log_zero", m.Mu, m.one, m.zero)
	s.requireMatrices(d+1, k, "w", m.W)
	return s.err
}

var _ Generative = (*NaiveBayesCategorical)(nil)

// NaiveBayesCategoricalOptions are the options of FitNaiveBayesCategorical. The fields have the
// same meaning as in NaiveBayesBernoulliOptions.
type NaiveBayesCategoricalOptions NaiveBayesBernoulliOptions

// NaiveBayesCategorical is the naive Bayes model of features with several values, PRML exercise
// 4.11. Let φ_ij be 1 if feature i has value j, and otherwise 0 (1-of-L). Then p(x|C_k) = Π_i Π_j
// μ_kij^{φ_ij} and
//
//	a_k = Σ_i Σ_j φ_ij ln μ_kij + ln p(C_k),
//
// which is linear in φ. Here μ_kij = (N_kij + α)/(N_k + α·L_i), where N_kij counts the rows of class
// k in which feature i has value j.
//
// Equations: PRML (4.62), (4.63); Notes on part I (categorical), (categorical-activations).
type NaiveBayesCategorical struct {
	ClassShares
	Levels []int        // L_i, the number of values of each feature, D entries
	Mu     []*mat.Dense // μ_kij as D matrices K×L_i; 1/L_i in a class without rows
	// W is (1+ΣL_i)×K: a_k = w_k0 + w_kᵀφ for the 1-of-L code φ of x, with w_k0 = ln p(C_k) and
	// w_kij = ln μ_kij. The logarithm of 0 is −Inf.
	W     *mat.Dense
	start []int // for each feature, the index of the row of W for value 0; then the number of rows of W
}

// FitNaiveBayesCategorical fits naive Bayes to inputs x (N×D) and labels 0…k−1. The values of
// feature i are numbered 0…levels[i]−1, and column i contains these numbers. The 1-of-L code of
// value j has a one at position j. A value that never occurs is allowed. A class without rows has
// prior 0 and density 0.
//
// Errors: shapes that do not agree, entries other than 0…levels[i]−1, levels outside 1…2³⁰, labels out
// of range or of a single class, invalid Priors or Weights, a Smoothing that is negative or not finite.
//
// Equations: PRML (4.159); Notes on part I (categorical), (levels-sum).
func FitNaiveBayesCategorical(x mat.Matrix, levels []int, labels []int, k int,
	o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	return fitNaiveCategorical("FitNaiveBayesCategorical", InMemory{X: x, Labels: labels, K: k}, levels, o)
}

// FitNaiveBayesCategoricalFrom is like [FitNaiveBayesCategorical], but reads the rows, or only
// their counts, from any source. If the source contains counts, the argument `levels` may be nil,
// because the counts contain the levels. FitNaiveBayesCategoricalFrom returns the errors of
// FitNaiveBayesCategorical. It also returns an error for levels that differ from the levels of
// counts, for a source that cannot be read, and for a source that cannot provide what the fit or
// its options need.
//
// Equations: PRML (4.159); Notes on part I (categorical).
func FitNaiveBayesCategoricalFrom(s Source, levels []int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical,
	error) {
	return fitNaiveCategorical("FitNaiveBayesCategoricalFrom", s, levels, o)
}

func fitNaiveCategorical(function string, s Source, levels []int,
	o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	d := requirements{weights: o.Weights, labels: true, counts: true}
	return fitFrom(function, s, d, func(in *check.Data) (*NaiveBayesCategorical, error) {
		if in.Levels != nil {
			if levels != nil && !slices.Equal(levels, in.Levels) {
				return nil, fmt.Errorf("levels are %v, but the counts have %v: want nil or the same levels", levels, in.Levels)
			}
			levels = in.Levels
		}
		m := &NaiveBayesCategorical{Levels: append([]int(nil), levels...)}
		if err := m.setStarts(); err != nil {
			return nil, err
		}
		cells, err := m.countCells(in)
		if err != nil {
			return nil, err
		}
		return m.fitCells(cells, in.Counts(), o)
	})
}

// fitCells fits the model to counts. The argument `cells` contains the K×ΣL_i counts N_kij. The
// argument `counts` contains the number of rows of each class.
func (m *NaiveBayesCategorical) fitCells(cells [][]float64, counts []float64,
	o NaiveBayesCategoricalOptions) (_ *NaiveBayesCategorical, err error) {
	if err := naiveSmoothing(o.Smoothing); err != nil {
		return nil, err
	}
	levels, k := m.Levels, len(counts)
	if m.ClassShares, err = newShares(counts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	total := m.start[len(levels)]
	m.W = mat.NewDense(total, k, nil)
	for c, n := range counts {
		m.W.Set(0, c, math.Log(m.Priors[c]))
		if n > 0 {
			m.Parameters += total - 1 - len(levels)
		}
	}
	for i, l := range levels {
		mu := mat.NewDense(k, l, nil)
		for c, n := range counts {
			for j := range l {
				p := 1 / float64(l)
				if n > 0 {
					nkij := cells[c][m.start[i]-1+j]
					// Divide by L first, because α·L may overflow.
					p = (nkij/float64(l) + o.Smoothing/float64(l)) / (n/float64(l) + o.Smoothing)
					m.LogLikelihood += timesLog(nkij, p)
				}
				mu.Set(c, j, p)
				m.W.Set(m.start[i]+j, c, math.Log(p))
			}
		}
		m.Mu = append(m.Mu, mu)
	}
	return m, nil
}

// setStarts computes the field `start`. Entry i is the index of the first row of W that belongs to
// feature i. The last entry is the number of rows of W.
func (m *NaiveBayesCategorical) setStarts() error {
	m.start = []int{1}
	for i, l := range m.Levels {
		if l < 1 || l > 1<<30 {
			return fmt.Errorf("levels[%d] is %d: want a number of values from 1 to 2³⁰", i, l)
		}
		m.start = append(m.start, m.start[i]+l)
	}
	return nil
}

// countCells returns the K×ΣL_i counts N_kij. If it counts rows, the list of a class without rows is
// nil.
func (m *NaiveBayesCategorical) countCells(in *check.Data) ([][]float64, error) {
	if in.Cells != nil {
		return wholeNumbers(in.Cells), nil
	}
	if _, d := in.Src.Dims(); d != len(m.Levels) {
		return nil, fmt.Errorf("levels has %d entries but x has %d columns: give the number of values of each column",
			len(m.Levels), d)
	}
	if err := generatedDomain(in.Src, m.outside()); err != nil {
		return nil, err
	}
	return naiveReduce(in, m.start[len(m.Levels)]-1, func(dst []float64, weight float64, x []float64) {
		for i, v := range x {
			dst[m.start[i]-1+int(v)] += weight
		}
	}), nil
}

// Scores returns the N×K activations a_k, with −Inf for a class with p(x|C_k)p(C_k) = 0.
func (m *NaiveBayesCategorical) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generatedScores(m, x)
}

// Posterior returns the N×K probabilities p(C_k|x). If a row x has p(x|C_k)p(C_k) = 0 for every
// class, Posterior returns an error that recommends Smoothing.
func (m *NaiveBayesCategorical) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns the N×K matrix of ln p(C_k|x), with −Inf for a class with p(x|C_k)p(C_k) = 0.
func (m *NaiveBayesCategorical) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score. A row x with p(x|C_k)p(C_k) = 0 for every class
// is an error.
func (m *NaiveBayesCategorical) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln p(x|C_k), with −Inf where p(x|C_k) is 0 and for a class
// without rows.
func (m *NaiveBayesCategorical) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries.
func (m *NaiveBayesCategorical) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n classes from Priors, and an input from the fitted density of each drawn class.
func (m *NaiveBayesCategorical) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *NaiveBayesCategorical) kind() string { return "NaiveBayesCategorical" }
func (m *NaiveBayesCategorical) width() int   { return len(m.Levels) }

func (m *NaiveBayesCategorical) outside() func(v float64, j int) string {
	return func(v float64, j int) string {
		if v >= 0 && v < float64(m.Levels[j]) && v == math.Trunc(v) {
			return ""
		}
		return fmt.Sprintf("the values of this feature are numbered 0…%d, because levels[%d] is %d", m.Levels[j]-1, j,
			m.Levels[j])
	}
}

func (m *NaiveBayesCategorical) activations() activator { return withPriors(m.densities(), m.Priors) }

func (m *NaiveBayesCategorical) densities() activator {
	rows := m.perClass()
	return byRow(len(rows), m.width(), func(x, dst []float64) {
		clear(dst)
		for i, v := range x {
			scatter.AddTo(dst, m.W.RawRowView(m.start[i]+int(v)))
		}
		for k, n := range rows {
			if n == 0 {
				dst[k] = math.Inf(-1)
			}
		}
	})
}

func (m *NaiveBayesCategorical) draw(rng *rand.Rand, k int, x []float64) {
	for i, mu := range m.Mu {
		u := rng.Float64()
		for j, p := range mu.RawRowView(k) {
			if p > 0 {
				x[i] = float64(j) // if u stays ≥ 0 because of rounding errors, the last value with p > 0 is drawn
			}
			if u -= p; u < 0 && p > 0 {
				break
			}
		}
	}
}

var _ = codec.Register(codec.Kind[NaiveBayesCategorical]{Schema: "hyperplane-naive-bayes-categorical/1",
	Valid: (*NaiveBayesCategorical).checkSizes})

func (m *NaiveBayesCategorical) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	if err := m.setStarts(); err != nil {
		return err
	}
	if len(m.Levels) == 0 || len(m.Mu) != len(m.Levels) {
		return fmt.Errorf("levels has %d entries and mu has %d: want one entry of each for every feature", len(m.Levels), len(m.Mu))
	}
	s.requireMatrices(m.start[len(m.Levels)], k, "w", m.W)
	for i, l := range m.Levels {
		s.requireMatrices(k, l, "mu", m.Mu[i])
	}
	return s.err
}

// naiveSums returns the sum of each column over the rows of each class, K×D. Every row counts with
// its weight. The function `outside` explains why an entry of x is invalid, and returns "" for a
// valid entry. For the first invalid entry, naiveSums returns an error.
func naiveSums(in *check.Data, outside func(v float64, j int) string) (sum [][]float64, err error) {
	if err := generatedDomain(in.Src, outside); err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	sum = naiveReduce(in, d, scatter.AddTimes)
	for c := range sum {
		if sum[c] == nil {
			sum[c] = make([]float64, d)
		}
	}
	return sum, nil
}

// naiveReduce makes one pass over the rows and returns the sums of each class. It calls the function
// `add` for each row, with the sums of the row's class, the weight of the row, and the row. A class
// has as many sums as `cells` states. The sums of a class without rows are nil.
func naiveReduce(in *check.Data, cells int, add func(dst []float64, weight float64, x []float64)) [][]float64 {
	return block.Reduce(block.NewDesign(in.Src, nil, nil), 0,
		func() [][]float64 { return make([][]float64, in.K) },
		func(int) func([][]float64, *block.Block) {
			return func(s [][]float64, b *block.Block) {
				for r, c := range in.At(b.Lo, b.Lo+b.N) {
					if s[c] == nil {
						s[c] = make([]float64, cells)
					}
					add(s[c], b.W.At(r), b.Row(r)[1:])
				}
			}
		}, naiveMerge)
}

// naiveMerge adds the sums of each class in src to the sums in dst.
func naiveMerge(dst, src [][]float64) {
	for c, v := range src {
		if dst[c] == nil {
			dst[c] = v
		} else if v != nil {
			scatter.AddTo(dst[c], v)
		}
	}
}

// timesLog returns n·ln p, where 0·ln 0 is 0.
func timesLog(n, p float64) float64 {
	if n == 0 {
		return 0
	}
	return n * math.Log(p)
}
