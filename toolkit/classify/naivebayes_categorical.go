package classify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var _ Generative = (*NaiveBayesCategorical)(nil)

// NaiveBayesCategoricalOptions of FitNaiveBayesCategorical, the same as those of
// FitNaiveBayesBernoulli.
type NaiveBayesCategoricalOptions NaiveBayesBernoulliOptions

// NaiveBayesCategorical is the naive Bayes model of features with several
// values, PRML exercise 4.11: with φ_ij = 1 if feature i has value j (1-of-L),
// p(x|C_k) = Π_i Π_j μ_kij^{φ_ij} and
//
//	a_k = Σ_i Σ_j φ_ij ln μ_kij + ln p(C_k),
//
// linear in φ, with μ_kij = (N_kij + α)/(N_k + α·L_i).
//
// Equations: PRML (4.62), (4.63); Notes on part I (categorical), (categorical-activations).
type NaiveBayesCategorical struct {
	ClassShares
	Levels []int        // L_i, the number of values of each feature, D entries
	Mu     []*mat.Dense // μ_kij: D matrices K×L_i; 1/L_i in a class without rows
	// W is (1+ΣL_i)×K: a_k = w_k0 + w_kᵀφ for the 1-of-L code φ of x, with
	// w_k0 = ln p(C_k) and w_kij = ln μ_kij, −Inf where it is 0.
	W     *mat.Dense
	start []int // the row of W of value 0 of each feature
}

// FitNaiveBayesCategorical fits naive Bayes to inputs x (N×D) and labels 0…k−1.
// The entries of column i are the numbers 0…levels[i]−1 of the feature's values:
// the positions of the ones of its 1-of-L code. A value that never occurs is
// allowed. A class without rows gets prior 0 and density 0.
//
// Errors: shapes that do not agree, entries that are no such number, levels below
// 1, labels out of range or of a single class, bad priors, negative Smoothing.
//
// Equations: PRML (4.159); Notes on part I (categorical), (levels-sum).
func FitNaiveBayesCategorical(x mat.Matrix, levels []int, labels []int, k int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	m, err := fitNaiveCategorical(x, levels, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitNaiveBayesCategorical", o.Weights, err)
	}
	return m, nil
}

func fitNaiveCategorical(x mat.Matrix, levels []int, labels []int, k int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	in, err := newLabelled(x, labels, k, o.Weights)
	if err != nil {
		return nil, err
	}
	return naiveCategorical(in, levels, o)
}

func naiveCategorical(in *check.Labelled, levels []int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	m := &NaiveBayesCategorical{Levels: append([]int(nil), levels...)}
	if err := m.place(); err != nil {
		return nil, err
	}
	cells, err := m.count(in)
	if err != nil {
		return nil, err
	}
	return m.fit(cells, in.Counts(), o)
}

// fit fits to the cells N_kij, K of ΣL_i, and to the rows of each class.
func (m *NaiveBayesCategorical) fit(cells [][]float64, counts []float64, o NaiveBayesCategoricalOptions) (_ *NaiveBayesCategorical, err error) {
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
					// Divided by L first: α·L may overflow.
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

// place computes the rows of W; the last entry of start is their number.
func (m *NaiveBayesCategorical) place() error {
	m.start = []int{1}
	for i, l := range m.Levels {
		if l < 1 || l > 1<<30 {
			return fmt.Errorf("levels[%d] is %d: a feature has at least one value", i, l)
		}
		m.start = append(m.start, m.start[i]+l)
	}
	return nil
}

// count returns N_kij, K rows of ΣL_i.
func (m *NaiveBayesCategorical) count(in *check.Labelled) ([][]float64, error) {
	if _, d := in.Src.Dims(); d != len(m.Levels) {
		return nil, fmt.Errorf("levels has %d entries but x has %d columns: give the number of values of each", len(m.Levels), d)
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

// Scores returns the N×K activations a_k; −Inf for a class that x excludes.
func (m *NaiveBayesCategorical) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generatedScores(m, x)
}

// Posterior returns the N×K probabilities p(C_k|x). A row that every class
// excludes is an error that advises Smoothing.
func (m *NaiveBayesCategorical) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, −Inf for a class that x excludes.
func (m *NaiveBayesCategorical) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score; a row that every class
// excludes is an error.
func (m *NaiveBayesCategorical) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns ln p(x|C_k), N×K; −Inf for a class without rows.
func (m *NaiveBayesCategorical) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries.
func (m *NaiveBayesCategorical) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n inputs and their classes from the fitted densities.
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
		return fmt.Sprintf("the values of this feature are numbered 0…%d (levels[%d] is %d)", m.Levels[j]-1, j, m.Levels[j])
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
				x[i] = float64(j) // also when rounding leaves u above the last sum
			}
			if u -= p; u < 0 && p > 0 {
				break
			}
		}
	}
}
