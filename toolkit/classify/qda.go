package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var _ Generative = (*QDA)(nil)

// QDAOptions are the options of FitQDA. The zero value means maximum likelihood.
type QDAOptions struct {
	// Priors and UniformPriors have the same meaning as in LDAOptions.
	Priors        []float64
	UniformPriors bool
	// Unbiased divides the scatter of a class by N_k − 1 instead of N_k, as MASS::qda and
	// scikit-learn do.
	Unbiased bool
	// Shrinkage γ in [0,1] replaces each Σ_k with (1−γ)Σ_k + γ(tr Σ_k/D)·I. The result depends on the
	// units of x.
	Shrinkage float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
}

// QDA is the Gaussian generative model with a covariance for each class, known
// as quadratic discriminant analysis (end of PRML 4.2.1, Alpaydin 10.2):
// p(x|C_k) = N(x|μ_k, Σ_k) and
//
//	a_k(x) = ln p(x|C_k)p(C_k) = −½(x−μ_k)ᵀΣ_k⁻¹(x−μ_k) − ½ ln|Σ_k| − (D/2) ln 2π + ln p(C_k).
//
// The maximum-likelihood estimates are p(C_k) = N_k/N, μ_k = m_k and Σ_k = S_k/N_k.
//
// Equations: PRML (4.62), (4.63); Alpaydin (10.2), (10.34).
type QDA struct {
	ClassShares
	Means  *mat.Dense      // class means μ_k, K×D; the row of an empty class is the mean of all rows
	Sigma  []*mat.SymDense // K covariances Σ_k, each D×D; nil for an empty class
	LogDet []float64       // log determinants ln|Σ_k|; 0 for an empty class
	root   []*linalg.Upper // factors R_k with R_kᵀR_k = Σ_k
}

// FitQDA fits Gaussian class densities, each with its own covariance, to inputs x (N×D) and labels
// 0…k−1. A class without rows has prior 0 and density 0.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range or of a single class, invalid
// Priors, Weights or Shrinkage, and, with Unbiased, a class with 0 < N_k ≤ 1. Unless Shrinkage is
// set, a class with a singular covariance is also an error. Possible causes are a class with at most D
// rows, columns that are constant within the class, and dependent columns. A covariance of zero is
// always an error.
//
// Equations: PRML (4.73), (4.75), (4.76), (4.79), (4.80), (4.159), (4.161), (4.163); Alpaydin (10.2), (10.34).
func FitQDA(x mat.Matrix, labels []int, k int, o QDAOptions) (*QDA, error) {
	return fitQDA("FitQDA", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitQDAFrom is like [FitQDA], but reads the rows, or only their moments, from any source. It
// returns the errors of FitQDA. It also returns an error for a source that cannot be read, and for
// a source that cannot provide what the fit or its options need.
//
// Equations: Alpaydin (10.2), (10.34).
func FitQDAFrom(s Source, o QDAOptions) (*QDA, error) { return fitQDA("FitQDAFrom", s, o) }

func fitQDA(function string, s Source, o QDAOptions) (*QDA, error) {
	d := requirements{weights: o.Weights, labels: true, inspects: true, moments: true}
	return fitFrom(function, s, d, func(in *check.Data) (*QDA, error) { return qdaOf(in, o) })
}

func qdaOf(in *check.Data, o QDAOptions) (*QDA, error) {
	if err := scatter.Shrinkage(o.Shrinkage); err != nil {
		return nil, err
	}
	k := in.K
	f, err := scatter.Of(in, true)
	if err != nil {
		return nil, err
	}
	m := &QDA{Means: f.Means, Sigma: make([]*mat.SymDense, k), LogDet: make([]float64, k),
		root: make([]*linalg.Upper, k)}
	if m.ClassShares, err = newShares(f.Counts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	for c, n := range f.Counts {
		if n == 0 {
			continue
		}
		nu := n
		if o.Unbiased {
			nu--
		}
		name := fmt.Sprintf("class %d", c)
		r, err := f.Positive(c, name, f.Rows[c], 1, o.Shrinkage)
		if err != nil {
			return nil, fmt.Errorf("%w; or fit one shared covariance (FitLDA), or assume independent columns (FitNaiveBayesGaussian)", err)
		}
		if nu <= 0 {
			return nil, unbiasedError(c, n)
		}
		if m.Sigma[c], err = f.Sym(r, 1/nu); err != nil {
			return nil, err
		}
		m.root[c] = f.CovarianceRoot(r, nu)
		m.LogDet[c] = m.root[c].LogDet()
		if !scatter.AllFinite(m.root[c].A) {
			return nil, scatter.ErrRange
		}
		m.LogLikelihood += f.GaussianLikelihood(m.root[c], f.Root[c], nu, n, o.Shrinkage > 0)
	}
	m.Parameters += f.Filled * (f.D + f.D*(f.D+1)/2)
	return m, nil
}

// unbiasedError returns the error for a class that has several rows with weights that sum to at
// most 1.
func unbiasedError(class int, n float64) error {
	return fmt.Errorf("the Weights of class %d sum to %.6g, and Unbiased divides by N_k − 1 = %.6g: leave Unbiased out, or give Weights with a sum above 1", class, n, n-1)
}

// Quadratic returns the coefficients of a_k(x) = xᵀAx + bᵀx + c, Alpaydin (10.2): A = −½Σ_k⁻¹, b =
// Σ_k⁻¹μ_k and c = −½μ_kᵀΣ_k⁻¹μ_k − ½ ln|Σ_k| − (D/2) ln 2π + ln p(C_k). Alpaydin prints w_i x
// instead of w_iᵀx. If p(C_k) is 0, c is −Inf. Errors: a class that does not exist or has no rows,
// coefficients outside the range of float64.
//
// Equations: Alpaydin (10.2), (10.34); Gambosi (qda-discriminant), (qda-boundary).
func (m *QDA) Quadratic(class int) (a *mat.SymDense, b []float64, c float64, err error) {
	if class < 0 || class >= len(m.root) || m.root[class] == nil {
		return nil, nil, 0, failure("Quadratic",
			fmt.Errorf("class %d has no density: want one of the classes 0…%d that has rows", class, len(m.root)-1))
	}
	r := m.root[class]
	inv := r.Inverse()
	a = mat.NewSymDense(r.N, nil)
	for i := range r.N {
		for j := i; j < r.N; j++ {
			a.SetSym(i, j, -linalg.Dot(inv.RawRowView(i), inv.RawRowView(j))/2)
		}
	}
	u := r.SolveT(m.Means.RawRowView(class))
	b = r.Solve(u)
	c = -(linalg.Dot(u, u)+m.LogDet[class]+float64(r.N)*kernels.Log2Pi)/2 + math.Log(m.Priors[class])
	if !scatter.AllFinite(a.RawSymmetric().Data) || !scatter.AllFinite(b) || math.IsNaN(c) {
		return nil, nil, 0, failure("Quadratic",
			errors.New("the coefficients are outside the range of float64: choose other units for x"))
	}
	return a, b, c, nil
}

// Scores returns the N×K activations a_k(x) = ln p(x|C_k)p(C_k).
//
// Equations: PRML (4.63); Gambosi (qda-discriminant).
func (m *QDA) Scores(x mat.Matrix) (*mat.Dense, error) { return generatedScores(m, x) }

// Posterior returns the N×K probabilities p(C_k|x), the softmax of the scores.
//
// Equations: PRML (4.57), (4.62).
func (m *QDA) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, even if p underflows.
func (m *QDA) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score.
func (m *QDA) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln N(x|μ_k, Σ_k), with −Inf for a class without rows.
func (m *QDA) LogDensities(x mat.Matrix) (*mat.Dense, error) { return generatedDensities(m, x) }

// LogMarginal returns ln p(x) = ln Σ_k p(C_k) N(x|μ_k, Σ_k), N entries.
func (m *QDA) LogMarginal(x mat.Matrix) ([]float64, error) { return generatedMarginal(m, x) }

// Sample draws n classes from the priors, and an input from the fitted density of each drawn class.
func (m *QDA) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *QDA) kind() string                           { return "QDA" }
func (m *QDA) outside() func(v float64, j int) string { return nil }

func (m *QDA) width() int {
	_, d := m.Means.Dims()
	return d
}

func (m *QDA) activations() activator { return withPriors(m.densities(), m.Priors) }

func (m *QDA) densities() activator { return gaussianLogs(m.Means, m.root) }

func (m *QDA) draw(rng *rand.Rand, k int, x []float64) {
	m.root[k].Draw(rng, m.Means.RawRowView(k), x)
}

var _ = codec.Register(codec.Kind[QDA]{Schema: "hyperplane-qda/1", Valid: (*QDA).checkSizes,
	Fields: func(m *QDA) []codec.Field {
		return []codec.Field{{Name: "root", Value: &m.root}}
	}})

func (m *QDA) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means", m.Means)
	s.requireLength("log_det", len(m.LogDet), k)
	s.requireLength("root", len(m.root), k)
	s.requireLength("sigma", len(m.Sigma), k)
	for c, n := range m.perClass() {
		if n != 0 && s.err == nil {
			s.requireMatrix("sigma", m.Sigma[c], d, d)
			s.checkRoot(m.root[c], d)
		}
	}
	return s.err
}
