package classify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

var _ Generative = (*NaiveBayesGaussian)(nil)

// NaiveBayesGaussianOptions are the options of FitNaiveBayesGaussian. The zero value means maximum
// likelihood.
type NaiveBayesGaussianOptions struct {
	// Priors and UniformPriors have the same meaning as in LDAOptions.
	Priors        []float64
	UniformPriors bool
	// Unbiased divides the sums of squares by N_k − 1 instead of N_k, except in a class with a single
	// row.
	Unbiased bool
	// Smoothing ≥ 0 keeps variances away from 0. To the variance of a column in a class, the fit
	// adds Smoothing times the variance of the column over all rows. A usual value is 1e-9.
	Smoothing float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
}

// NaiveBayesGaussian is the naive Bayes model of PRML 4.2.3 with a Gaussian density for each
// feature. The model is QDA with diagonal covariances,
//
//	a_k(x) = −½Σ_i {(x_i−μ_ki)²/σ²_ki + ln 2πσ²_ki} + ln p(C_k).
//
// Equations: PRML (4.62), (4.63), (4.83).
type NaiveBayesGaussian struct {
	ClassShares
	Means    *mat.Dense // the means μ_ki, K×D; the row of an empty class is the mean of all rows
	Variance *mat.Dense // the variances σ²_ki, K×D; 0 in an empty class
	scale    *mat.Dense // 1/σ_ki, K×D
	constant []float64  // −½Σ_i ln 2πσ²_ki, K
}

// FitNaiveBayesGaussian fits Gaussian densities, independent in each column, to inputs x (N×D) and
// labels 0…k−1. A class without rows has prior 0 and density 0.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range or of a single class, invalid
// Priors or Weights, a Smoothing that is negative or not finite, squares of x outside the range of
// float64. With Unbiased, a class of several rows whose Weights sum to at most 1 is an error. Without
// Smoothing, a column is an error if it is constant within a class, or if its entries in other classes
// are so large that its variance within the class becomes 0 in float64. With Smoothing, a column is an
// error only if it is constant over all rows.
//
// Equations: PRML (4.159), (4.161).
func FitNaiveBayesGaussian(x mat.Matrix, labels []int, k int, o NaiveBayesGaussianOptions) (*NaiveBayesGaussian,
	error) {
	return fitNaiveGaussian("FitNaiveBayesGaussian", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitNaiveBayesGaussianFrom is like [FitNaiveBayesGaussian], but reads the rows, or only their
// moments, from any source. It returns the errors of FitNaiveBayesGaussian. It also returns an
// error for a source that cannot be read, and for a source that cannot provide what the fit or its
// options need.
//
// Equations: PRML (4.159), (4.161).
func FitNaiveBayesGaussianFrom(s Source, o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	return fitNaiveGaussian("FitNaiveBayesGaussianFrom", s, o)
}

func fitNaiveGaussian(function string, s Source, o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	d := requirements{weights: o.Weights, labels: true, inspects: true, moments: true}
	return fitFrom(function, s, d, func(in *check.Data) (*NaiveBayesGaussian, error) { return naiveGaussianOf(in, o) })
}

func naiveGaussianOf(in *check.Data, o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	if !(o.Smoothing >= 0) || math.IsInf(o.Smoothing, 1) {
		return nil, fmt.Errorf("Smoothing is %v: want a finite share of each column's variance, ≥ 0 (0 means no smoothing, 1e-9 is usual)", o.Smoothing)
	}
	k := in.K
	f, squares, err := newDiagonalFit(in)
	if err != nil {
		return nil, err
	}
	m := &NaiveBayesGaussian{
		Means: f.Means, Variance: mat.NewDense(k, f.D, nil), scale: mat.NewDense(k, f.D, nil),
		constant: make([]float64, k),
	}
	if m.ClassShares, err = newShares(f.Counts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	m.Parameters += 2 * f.Filled * f.D
	total := make([]float64, f.D) // the variance of each column of the scaled inputs over all rows
	for c, n := range f.Counts {
		for j, e := range f.Delta[c] {
			if n > 0 {
				total[j] += (squares[c][j] + n*e*e) / f.N
			}
		}
	}
	for c, n := range f.Counts {
		if n == 0 {
			continue
		}
		nu := n
		if o.Unbiased && f.Rows[c] > 1 { // for a single row, the sum of squares is 0, and N_k − 1 can also be 0
			if nu--; nu <= 0 {
				return nil, unbiasedError(c, n)
			}
		}
		for j, q := range squares[c] {
			v := q/nu + o.Smoothing*total[j]
			sd := math.Sqrt(v) / f.Scale[j]
			m.Variance.Set(c, j, sd*sd)
			m.scale.Set(c, j, 1/sd)
			switch {
			case v == 0 && o.Smoothing > 0:
				return nil, fmt.Errorf("column %d of x (counting from 0) is constant over all rows and therefore uninformative: remove the column",
					j)
			case v == 0:
				constant, largest := columnIn(in, c, j)
				if constant {
					return nil, fmt.Errorf("column %d of x (counting from 0) is constant in the %d row(s) of class %d, and a Gaussian of variance 0 has no density: add rows, remove the column, or set Smoothing, e.g. 1e-9", j, f.Rows[c], c)
				}
				return nil, fmt.Errorf("column %d of x (counting from 0) has entries up to %.3g, so large that its variance in class %d vanishes in float64: remove such rows if the entries are fill values, or transform the column", j, largest, c)
			case !scatter.AllFinite([]float64{sd * sd, 1 / sd}) || sd*sd == 0:
				return nil, scatter.ErrRange
			}
			m.constant[c] -= kernels.Log2Pi/2 + math.Log(sd)
			m.LogLikelihood -= q / v / 2
		}
		m.LogLikelihood += n * m.constant[c]
	}
	return m, nil
}

// columnIn reports whether column j is constant in the rows of a class. It also returns the largest
// absolute value of the column over all rows.
func columnIn(in *check.Data, class, j int) (constant bool, largest float64) {
	constant = true
	n, d := in.Src.Dims()
	first, buf := math.NaN(), make([]float64, d)
	for i := range n {
		row, _ := in.Src.Rows(i, i+1, buf)
		if v := row[j]; in.At(i, i+1)[0] == class {
			if math.IsNaN(first) {
				first = v
			}
			constant = constant && v == first
		}
		largest = math.Max(largest, math.Abs(row[j]))
	}
	return constant, largest
}

// Scores returns the N×K activations a_k(x) = ln p(x|C_k)p(C_k).
func (m *NaiveBayesGaussian) Scores(x mat.Matrix) (*mat.Dense, error) { return generatedScores(m, x) }

// Posterior returns the N×K probabilities p(C_k|x), the softmax of the scores.
func (m *NaiveBayesGaussian) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, even if p underflows.
func (m *NaiveBayesGaussian) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score.
func (m *NaiveBayesGaussian) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln p(x|C_k), with −Inf for a class without rows.
func (m *NaiveBayesGaussian) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries.
func (m *NaiveBayesGaussian) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n classes from Priors, and an input from the fitted density of each drawn class.
func (m *NaiveBayesGaussian) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *NaiveBayesGaussian) kind() string                           { return "NaiveBayesGaussian" }
func (m *NaiveBayesGaussian) outside() func(v float64, j int) string { return nil }

func (m *NaiveBayesGaussian) width() int {
	_, d := m.Means.Dims()
	return d
}

func (m *NaiveBayesGaussian) activations() activator { return withPriors(m.densities(), m.Priors) }

func (m *NaiveBayesGaussian) densities() activator {
	forms := make([]*vec.Form, len(m.Priors))
	for k, n := range m.perClass() {
		if n > 0 {
			forms[k] = vec.NewForm(m.Means.RawRowView(k), append([]float64{0}, m.scale.RawRowView(k)...))
		}
	}
	f := func(a []float64, lda int, x []float64, stride, n int) {
		for k, f := range forms {
			ak := a[k*lda:][:n]
			if f == nil {
				setImpossible(ak)
				continue
			}
			vec.Use().Squares(ak, x, stride, n, f, k == 0)
			for i, s := range ak {
				ak[i] = m.constant[k] - s/2
			}
		}
	}
	return func(int) activationFunc { return f }
}

func (m *NaiveBayesGaussian) draw(rng *rand.Rand, k int, x []float64) {
	scale := m.scale.RawRowView(k)
	for j, v := range m.Means.RawRowView(k) {
		x[j] = v + rng.NormFloat64()/scale[j]
	}
}

var _ = codec.Register(codec.Kind[NaiveBayesGaussian]{Schema: "hyperplane-naive-bayes-gaussian/1",
	Valid: (*NaiveBayesGaussian).checkSizes, Fields: func(m *NaiveBayesGaussian) []codec.Field {
		return []codec.Field{{Name: "scale", Value: &m.scale}, {Name: "constant", Value: &m.constant}}
	}})

func (m *NaiveBayesGaussian) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means, variance or scale", m.Means, m.Variance, m.scale)
	s.requireLength("constant", len(m.constant), k)
	return s.err
}
