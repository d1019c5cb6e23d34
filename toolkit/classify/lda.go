package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var _ Generative = (*LDA)(nil)

// LDAOptions are the options of FitLDA. The zero value means maximum likelihood.
type LDAOptions struct {
	// Priors are p(C_k), K entries that sum to 1; nil means the maximum-likelihood estimates N_k/N.
	Priors []float64
	// UniformPriors gives every nonempty class the same prior.
	UniformPriors bool
	// Unbiased divides the scatter by N − K instead of N, as MASS::lda and the solver "svd" of
	// scikit-learn do. K counts the nonempty classes.
	Unbiased bool
	// Shrinkage γ in [0,1] replaces Σ with (1−γ)Σ + γ(tr Σ/D)·I (Friedman's regularised discriminant
	// analysis). The result depends on the units of x.
	Shrinkage float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
}

// LDA is linear discriminant analysis, the Gaussian generative model of PRML 4.2.1 in which all
// classes share a covariance: p(x|C_k) = N(x|μ_k, Σ) (4.64) and
//
//	a_k(x) = w_kᵀx + w_k0, w_k = Σ⁻¹μ_k, w_k0 = −½μ_kᵀΣ⁻¹μ_k + ln p(C_k) (4.68)–(4.70),
//
// with π_k = N_k/N, μ_k = m_k and Σ = S_W/N by maximum likelihood (4.73)–(4.80). The term −½xᵀΣ⁻¹x
// of ln p(x|C_k) is equal for all classes and is omitted.
//
// Gambosi's slides print a_k with a factor ½ before both terms (erratum G3). The slides also print
// the boundary of two classes with the prior ratio inverted and without the transpose on Σ⁻¹(μ₁−μ₂)
// (erratum G1). The Notes on part I print the density with (2π)^{1/2} instead of (2π)^{D/2}, which is
// correct only for D = 1.
//
// Equations: PRML (4.62), (4.64), (4.68)–(4.70), (4.160); Alpaydin (10.11), (10.12).
type LDA struct {
	ClassShares
	W     *mat.Dense    // (D+1)×K, with the biases w_k0 in row 0; an empty class has the bias −Inf and the weights 0
	Means *mat.Dense    // class means μ_k, K×D; the row of an empty class is the mean of all rows
	Sigma *mat.SymDense // Σ, D×D
	Mean  []float64     // mean of all rows
	root  *linalg.Upper // R with RᵀR = Σ
	inner *mat.Dense    // (D+1)×K, the coefficients of a_k = b_k + v_kᵀ(x − Mean), up to a term common to all classes
	// the term c0 + cᵀ(x − Mean) that all classes have in common
	common []float64
}

// FitLDA fits Gaussian class densities with one shared covariance to inputs x (N×D) and labels
// 0…k−1. A class without rows has prior 0 and density 0.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range or of a single class, invalid
// priors, a Shrinkage outside [0,1], N ≤ K with Unbiased, a covariance of 0. Unless Shrinkage is set,
// every singular covariance is an error. Possible causes are N − K < D, columns that are constant
// within all classes, and dependent columns.
//
// Equations: PRML (4.71)–(4.80), (4.159)–(4.163); Alpaydin (10.11), (10.12); Gambosi
// (gda-log-likelihood), (discriminant-isotropic); Notes on part I (likelihood), (log-likelihood),
// (gaussian-log-likelihood).
func FitLDA(x mat.Matrix, labels []int, k int, o LDAOptions) (*LDA, error) {
	return fitLDA("FitLDA", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitLDAFrom is like [FitLDA], but reads the rows, or only their moments, from any source. It
// returns the errors of FitLDA. It also returns an error if the source cannot be read, or cannot
// provide what the fit or its options need.
//
// Equations: PRML (4.71)–(4.80).
func FitLDAFrom(s Source, o LDAOptions) (*LDA, error) { return fitLDA("FitLDAFrom", s, o) }

func fitLDA(function string, s Source, o LDAOptions) (*LDA, error) {
	d := requirements{weights: o.Weights, labels: true, inspects: true, moments: true}
	return fitFrom(function, s, d, func(in *check.Data) (*LDA, error) { return ldaOf(in, o) })
}

func ldaOf(in *check.Data, o LDAOptions) (*LDA, error) {
	f, err := scatter.Of(in, false)
	if err != nil {
		return nil, err
	}
	m := &LDA{Means: f.Means, Mean: f.Mean}
	if m.ClassShares, err = newShares(f.Counts, o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	nu := f.N
	if o.Unbiased {
		if nu -= float64(f.Filled); nu <= 0 {
			return nil, fmt.Errorf("the %d classes have %.6g rows, and the unbiased covariance divides by N − K = %.6g: add rows", f.Filled, f.N, nu)
		}
	}
	rows, _ := in.Src.Dims()
	r, err := f.Positive(0, "all classes together (Σ)", rows, f.Filled, o.Shrinkage)
	if err != nil {
		return nil, err
	}
	if m.Sigma, err = f.Sym(r, 1/nu); err != nil {
		return nil, err
	}
	m.root = f.CovarianceRoot(r, nu)
	m.computeWeights(f)
	m.Parameters += f.Filled*f.D + f.D*(f.D+1)/2
	m.LogLikelihood += f.GaussianLikelihood(m.root, f.Root[0], nu, f.N, o.Shrinkage > 0)
	for j, w := range m.W.RawMatrix().Data {
		if math.IsNaN(w) || math.IsInf(w, 0) && (j >= f.K || m.Priors[j] > 0) {
			return nil, scatter.ErrRange
		}
	}
	if !scatter.AllFinite(m.root.A) || !scatter.AllFinite(m.common) {
		return nil, scatter.ErrRange
	}
	return m, nil
}

// computeWeights computes W from the class means m_k. It computes `inner` from the differences δ_k =
// m_k − m, where m is the mean of all rows. Up to the term in `common`, the activations are a_k =
// v_kᵀ(x−m) − ½δ_kᵀΣ⁻¹δ_k + ln π_k with v_k = Σ⁻¹δ_k. Because v_k depends only on differences, it
// stays accurate if the inputs have a large offset.
func (m *LDA) computeWeights(f *scatter.Fit) {
	m.W, m.inner = mat.NewDense(f.D+1, f.K, nil), mat.NewDense(f.D+1, f.K, nil)
	um := m.root.SolveT(f.Mean)
	m.common = append([]float64{linalg.Dot(um, um) / 2}, m.root.Solve(um)...)
	for k := range f.K {
		log := math.Log(m.Priors[k])
		if f.Counts[k] == 0 {
			m.W.Set(0, k, log)
			m.inner.Set(0, k, log)
			continue
		}
		delta := make([]float64, f.D)
		for j, e := range f.Delta[k] {
			delta[j] = e / f.Scale[j]
		}
		u := m.root.SolveT(delta)
		v := m.root.Solve(u)
		m.inner.Set(0, k, log-linalg.Dot(u, u)/2)
		full := m.root.SolveT(f.Means.RawRowView(k))
		m.W.Set(0, k, log-linalg.Dot(full, full)/2)
		w := m.root.Solve(full)
		for j := range f.D {
			m.inner.Set(j+1, k, v[j])
			m.W.Set(j+1, k, w[j])
		}
	}
}

// TwoClass returns (w0, w) of two classes, bias first. The activation is a = wᵀx + w0 = a₁ − a₂,
// and p(C₁|x) = σ(a), with w = Σ⁻¹(μ₁ − μ₂) and w0 = −½μ₁ᵀΣ⁻¹μ₁ + ½μ₂ᵀΣ⁻¹μ₂ + ln p(C₁)/p(C₂), PRML
// (4.65)–(4.67). TwoClass returns an error if K is not 2 or if a class has prior 0.
//
// Equations: PRML (4.58), (4.65)–(4.67); Alpaydin (10.13), (10.14); Gambosi (gda-log-odds),
// (discriminant-condition), (discriminant-function).
func (m *LDA) TwoClass() ([]float64, error) {
	if len(m.Priors) != 2 {
		return nil, failure("TwoClass",
			fmt.Errorf("the model has %d classes, want two: for more classes no single activation exists (use W)", len(m.Priors)))
	}
	w := make([]float64, len(m.common))
	for j := range w {
		w[j] = m.inner.At(j, 0) - m.inner.At(j, 1)
	}
	w[0] -= linalg.Dot(w[1:], m.Mean)
	if math.IsInf(w[0], 0) {
		return nil, failure("TwoClass", errors.New("a class has prior 0, so the activation is infinite everywhere: want priors above 0"))
	}
	return w, nil
}

// Scores returns the N×K activations a_k(x) = w_kᵀx + w_k0.
//
// Equations: PRML (4.68)–(4.70); Gambosi (multiclass-activation).
func (m *LDA) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, func() activator {
		f, g := m.activations(), linearActivator(m.Mean, [][]float64{m.common})
		return func(rows int) activationFunc {
			own, shared, common := f(rows), g(rows), make([]float64, rows)
			return func(a []float64, lda int, x []float64, stride, n int) {
				own(a, lda, x, stride, n)
				shared(common, rows, x, stride, n)
				for k := range m.Priors {
					floats.Add(a[k*lda:][:n], common[:n])
				}
			}
		}
	})
}

// Posterior returns the N×K probabilities p(C_k|x), the softmax of the scores.
//
// Equations: PRML (4.62), (4.65).
func (m *LDA) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, even if p underflows.
func (m *LDA) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score.
func (m *LDA) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln N(x|μ_k, Σ), with −Inf for a class without rows.
//
// Equations: PRML (4.64), (4.160).
func (m *LDA) LogDensities(x mat.Matrix) (*mat.Dense, error) { return generatedDensities(m, x) }

// LogMarginal returns ln p(x) = ln Σ_k p(C_k) N(x|μ_k, Σ), N entries.
func (m *LDA) LogMarginal(x mat.Matrix) ([]float64, error) { return generatedMarginal(m, x) }

// Sample draws n inputs and their classes from the fitted densities and priors.
func (m *LDA) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *LDA) kind() string                           { return "LDA" }
func (m *LDA) width() int                             { return len(m.Mean) }
func (m *LDA) outside() func(v float64, j int) string { return nil }

func (m *LDA) activations() activator { return linearActivator(m.Mean, weightColumns(m.inner)) }

func (m *LDA) densities() activator {
	roots := make([]*linalg.Upper, len(m.Priors))
	for k, n := range m.perClass() {
		if n > 0 {
			roots[k] = m.root
		}
	}
	return gaussianLogs(m.Means, roots)
}

func (m *LDA) draw(rng *rand.Rand, k int, x []float64) {
	m.root.Draw(rng, m.Means.RawRowView(k), x)
}

var _ = codec.Register(codec.Kind[LDA]{Schema: "hyperplane-lda/1", Valid: (*LDA).checkSizes,
	Fields: func(m *LDA) []codec.Field {
		return []codec.Field{{Name: "root", Value: &m.root}, {Name: "inner", Value: &m.inner},
			{Name: "common", Value: &m.common}}
	}})

func (m *LDA) checkSizes() error {
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means", m.Means)
	s.requireMatrices(d+1, k, "w or inner", m.W, m.inner)
	s.requireMatrix("sigma", m.Sigma, d, d)
	s.requireLength("mean", len(m.Mean), d)
	s.requireLength("common", len(m.common), d+1)
	s.checkRoot(m.root, d)
	return s.err
}
