package classify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var _ Generative = (*ExponentialFamily)(nil)

// ExponentialFamily is the generative model of PRML 4.2.4. The class densities belong to the
// exponential family with u(x) = x and share a scale s,
//
//	p(x|λ_k, s) = s^{−D} h(x/s) g(λ_k) exp{λ_kᵀx/s} (4.84),
//	a_k(x) = λ_kᵀx/s + ln g(λ_k) + ln p(C_k) (4.86).
//
// The activations are linear in x. The columns are independent within a class, so g(λ_k) = Π_i
// g(λ_ki). PRML prints (4.84) with 1/s. This is correct only for D = 1 (erratum P14). The
// Notes on part I repeat this factor (erratum Q11). PRML and Gambosi's slides omit 1/s in (4.85) and
// (4.86) (erratum P13, erratum G7). The slides also print p(C_k) instead of ln p(C_k) (erratum G8).
//
// Equations: PRML (4.62), (4.83)–(4.86).
type ExponentialFamily struct {
	ClassShares
	Density      Density
	Scale, Shape float64
	Means        *mat.Dense // class means of x, K×D, after Smoothing; for an empty class the mean of all rows
	Lambda       *mat.Dense // λ_k, K×D
	LogG         []float64  // the sums Σ_i ln g(λ_ki), K entries
	// W is (D+1)×K: a_k = w_k0 + w_kᵀx, w_k = λ_k/s, w_k0 = ln g(λ_k) + ln p(C_k).
	W      *mat.Dense
	inner  *mat.Dense // (D+1)×K, like W, but for x − origin and without terms that are equal for all classes
	origin []float64  // the mean of all rows for Gaussian densities, 0 for other densities
}

// FitExponentialFamily fits the class densities to inputs x (N×D) and labels 0…k−1 by maximum
// likelihood. Without Smoothing, the mean of a fitted density in each column equals the mean of x in
// the class. Smoothing moves the mean of the density towards the mean of all rows. A class without rows
// has prior 0 and density 0.
//
// Errors: shapes that do not agree, entries outside the density's domain, labels out of range or of
// a single class, invalid options. A class mean at the limit of its range, such as the mean 0 of
// counts that are all 0, is also an error, because λ is then infinite. For Gaussian densities, a class
// mean that is too large for Scale is an error.
//
// Equations: PRML (4.84)–(4.86).
func FitExponentialFamily(x mat.Matrix, labels []int, k int, o ExponentialFamilyOptions) (*ExponentialFamily, error) {
	return fitFrom("FitExponentialFamily", InMemory{X: x, Labels: labels, K: k}, requirements{weights: o.Weights, labels: true},
		func(in *check.Data) (*ExponentialFamily, error) { return expFamilyOf(in, o) })
}

func expFamilyOf(in *check.Data, o ExponentialFamilyOptions) (*ExponentialFamily, error) {
	if err := o.expFamilyComplete(); err != nil {
		return nil, err
	}
	if outside := o.Density.outside(); outside != nil {
		if err := generatedDomain(in.Src, outside); err != nil {
			return nil, err
		}
	}
	m := &ExponentialFamily{Density: o.Density, Scale: o.Scale, Shape: o.Shape, LogG: make([]float64, in.K)}
	var err error
	if m.ClassShares, err = newShares(in.Counts(), o.Priors, o.UniformPriors); err != nil {
		return nil, err
	}
	f, _, err := newDiagonalFit(in)
	if err != nil {
		return nil, err
	}
	m.Parameters += f.Filled * f.D
	if err := m.setEstimates(f, o.Smoothing); err != nil {
		return nil, err
	}
	m.LogLikelihood += generatedLikelihood(m, in.Src, in.Labels)
	if math.IsNaN(m.LogLikelihood) {
		return nil, scatter.ErrRange
	}
	return m, nil
}

// setEstimates sets the means, the natural parameters and the weights of the model.
func (m *ExponentialFamily) setEstimates(f *scatter.Fit, smoothing float64) error {
	k, d, s := f.K, f.D, m.Scale
	m.Means, m.Lambda = f.Means, mat.NewDense(k, d, nil)
	m.W, m.inner, m.origin = mat.NewDense(d+1, k, nil), mat.NewDense(d+1, k, nil), make([]float64, d)
	if m.Density == DensityGaussian {
		copy(m.origin, f.Mean)
	}
	for c, n := range f.Counts {
		log := math.Log(m.Priors[c])
		b := log
		for j, e := range f.Delta[c] {
			delta := e / f.Scale[j]
			if smoothing > 0 && n > 0 {
				delta *= n / (n + smoothing)
				m.Means.Set(c, j, f.Mean[j]+delta)
			}
			mean := m.Means.At(c, j)
			l, g := m.Density.naturalParameter(mean, s, m.Shape)
			m.Lambda.Set(c, j, l)
			m.LogG[c] += g
			w := l / s
			if !scatter.AllFinite([]float64{l, w, g, m.LogG[c]}) {
				if m.Density == DensityGaussian {
					return fmt.Errorf("the mean %v of column %d in class %d is too large for Scale %v: choose other units for x", mean, j, c, s)
				}
				return fmt.Errorf("column %d of x (counting from 0) has mean %v in class %d. This mean is at the limit of the range of %v, and λ is infinite there: remove the column, or set Smoothing (for example 1)", j, mean, c, m.Density)
			}
			m.W.Set(j+1, c, w)
			m.inner.Set(j+1, c, w)
			if m.Density == DensityGaussian {
				m.inner.Set(j+1, c, delta/s/s)
				g = -(delta / s) * (delta / s) / 2
			}
			b += g
		}
		m.W.Set(0, c, m.LogG[c]+log)
		m.inner.Set(0, c, b)
	}
	return nil
}

// Scores returns the N×K activations a_k(x) = w_kᵀx + w_k0, (4.86).
//
// Equations: PRML (4.85), (4.86).
func (m *ExponentialFamily) Scores(x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, func() activator {
		return byRow(len(m.Priors), m.width(), func(x, dst []float64) {
			m.writeRow(x, dst)
			var common float64
			for j, o := range m.origin {
				if o != 0 {
					u := o / m.Scale
					common += u*((x[j]-o)/m.Scale) + u*u/2
				}
			}
			floats.AddConst(common, dst)
		})
	})
}

// Posterior returns the N×K probabilities p(C_k|x), the softmax of the scores.
func (m *ExponentialFamily) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, softmaxLink)
}

// LogPosterior returns ln p(C_k|x), N×K, even if p underflows.
func (m *ExponentialFamily) LogPosterior(x mat.Matrix) (*mat.Dense, error) {
	return generatedPosterior(m, x, logSoftmaxLink)
}

// Predict returns the class with the largest score.
func (m *ExponentialFamily) Predict(x mat.Matrix) ([]int, error) { return generatedPredict(m, x) }

// LogDensities returns the N×K matrix of ln p(x|λ_k, s), with −Inf for a class without rows.
//
// Equations: PRML (4.84).
func (m *ExponentialFamily) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	return generatedDensities(m, x)
}

// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|λ_k, s), N entries.
func (m *ExponentialFamily) LogMarginal(x mat.Matrix) ([]float64, error) {
	return generatedMarginal(m, x)
}

// Sample draws n inputs and their classes from the fitted densities and priors.
func (m *ExponentialFamily) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	return generatedSample(m, n, seed)
}

func (m *ExponentialFamily) kind() string                           { return "ExponentialFamily" }
func (m *ExponentialFamily) width() int                             { return len(m.origin) }
func (m *ExponentialFamily) outside() func(v float64, j int) string { return m.Density.outside() }

func (m *ExponentialFamily) activations() activator {
	return byRow(len(m.Priors), m.width(), m.writeRow)
}

// writeRow writes the activations of one row, without terms that are equal for all classes.
func (m *ExponentialFamily) writeRow(x, dst []float64) {
	copy(dst, m.inner.RawRowView(0))
	for j, v := range x {
		floats.AddScaled(dst, v-m.origin[j], m.inner.RawRowView(j+1))
	}
}

func (m *ExponentialFamily) densities() activator {
	g := mat.NewDense(len(m.Priors), m.width(), nil) // ln g(λ_ki)
	for k := range m.Priors {
		for j := range m.origin {
			_, v := m.Density.naturalParameter(m.Means.At(k, j), m.Scale, m.Shape)
			g.Set(k, j, v)
		}
	}
	rows := m.perClass()
	return byRow(len(rows), m.width(), func(x, dst []float64) {
		for k, n := range rows {
			if n == 0 {
				dst[k] = math.Inf(-1)
				continue
			}
			lambda, logG := m.Lambda.RawRowView(k), g.RawRowView(k)
			var s float64
			for j, v := range x {
				s += m.Density.logDensity(v, lambda[j], logG[j], m.Scale, m.Shape)
			}
			dst[k] = s
		}
	})
}

func (m *ExponentialFamily) draw(rng *rand.Rand, k int, x []float64) {
	for j, mean := range m.Means.RawRowView(k) {
		x[j] = m.Density.draw(rng, mean, m.Scale, m.Shape)
	}
}

var _ = codec.Register(codec.Kind[ExponentialFamily]{Schema: "hyperplane-exponential-family/1",
	Valid: (*ExponentialFamily).checkSizes, Fields: func(m *ExponentialFamily) []codec.Field {
		return []codec.Field{{Name: "inner", Value: &m.inner}, {Name: "origin", Value: &m.origin}}
	}})

func (m *ExponentialFamily) checkSizes() error {
	o := ExponentialFamilyOptions{Density: m.Density, Scale: m.Scale, Shape: m.Shape}
	if err := o.expFamilyComplete(); err != nil {
		return err
	}
	m.Scale, m.Shape = o.Scale, o.Shape
	s := sizeChecker{}
	k := s.checkShares(&m.ClassShares)
	_, d := dims(m.Means)
	s.requireMatrices(k, d, "means or lambda", m.Means, m.Lambda)
	s.requireMatrices(d+1, k, "w or inner", m.W, m.inner)
	s.requireLength("log_g", len(m.LogG), k)
	s.requireLength("origin", len(m.origin), d)
	return s.err
}

// Density selects the class densities of FitExponentialFamily. All densities have the form (4.84)
// with u(x) = x in each column.
//
// Equations: PRML (4.83), (4.84).
type Density int

const (
	// DensityGaussian is N(x|μ, s²) with the given standard deviation s, the same in all classes
	// and columns: h(u) = N(u|0,1), g(λ) = exp(−λ²/2), λ = μ/s. In (4.84), h and g do not depend on
	// s, so s must be the standard deviation. The end of PRML 4.3.6 calls s the variance instead.
	DensityGaussian Density = iota
	// DensityExponential is exp(−x/θ)/θ for x ≥ 0: h = 1, g(λ) = −λ, λ = −s/θ.
	DensityExponential
	// DensityGamma is x^{α−1}exp(−x/θ)/(Γ(α)θ^α) for x > 0 with a given shape α:
	// h(u) = u^{α−1}/Γ(α), g(λ) = (−λ)^α, λ = −s/θ.
	DensityGamma
	// DensityPoisson is r^x e^{−r}/x! for x = 0, 1, 2…, with s = 1: h(u) = 1/u!, g(λ) = exp(−e^λ),
	// λ = ln r.
	DensityPoisson
	// DensityBernoulli is μ^x(1−μ)^{1−x} for x = 0, 1, with s = 1: h = 1,
	// g(λ) = σ(−λ), λ = ln(μ/(1−μ)).
	DensityBernoulli
)

var expFamilyNames = [...]string{"DensityGaussian", "DensityExponential", "DensityGamma", "DensityPoisson",
	"DensityBernoulli"}

// String returns the name of the constant.
func (f Density) String() string {
	if f < 0 || int(f) >= len(expFamilyNames) {
		return fmt.Sprintf("Density(%d)", int(f))
	}
	return expFamilyNames[f]
}

// naturalParameter returns the maximum-likelihood λ and ln g(λ) for a column with the given mean. λ
// is the solution of −∇ln g(λ)·s = mean. If the likelihood has no maximum, λ is infinite.
func (f Density) naturalParameter(mean, s, shape float64) (lambda, logG float64) {
	switch f {
	case DensityExponential:
		return -s / mean, math.Log(s / mean)
	case DensityGamma:
		return -s * shape / mean, shape * math.Log(s*shape/mean)
	case DensityPoisson:
		return math.Log(mean), -mean
	case DensityBernoulli:
		l := kernels.Logit(mean)
		return l, kernels.LogSigmoid(-l)
	}
	u := mean / s
	return u, -u * u / 2
}

// logDensity returns the logarithm of (1/s)h(x/s)g(λ)exp(λx/s).
func (f Density) logDensity(x, lambda, logG, s, shape float64) float64 {
	u := x / s
	switch f {
	case DensityGamma:
		g, _ := math.Lgamma(shape)
		return (shape-1)*math.Log(u) - g + logG + lambda*u - math.Log(s)
	case DensityPoisson:
		g, _ := math.Lgamma(x + 1)
		return lambda*x + logG - g
	case DensityGaussian: // the square of a difference is more accurate than a difference of two squares
		return -(u-lambda)*(u-lambda)/2 - kernels.Log2Pi/2 - math.Log(s)
	}
	return logG + lambda*u - math.Log(s)
}

// outside returns a function that explains why an entry v of x is invalid. This function returns ""
// for a valid v. If the density accepts every number, outside returns nil.
func (f Density) outside() func(v float64, j int) string {
	switch f {
	case DensityExponential:
		return func(v float64, _ int) string {
			if v >= 0 {
				return ""
			}
			return "DensityExponential requires numbers ≥ 0"
		}
	case DensityGamma:
		return func(v float64, _ int) string {
			if v > 0 {
				return ""
			}
			return "DensityGamma requires numbers > 0"
		}
	case DensityPoisson:
		return func(v float64, _ int) string {
			if v >= 0 && v == math.Trunc(v) {
				return ""
			}
			return "DensityPoisson requires counts 0, 1, 2…"
		}
	case DensityBernoulli:
		return notBinary
	}
	return nil
}

// draw returns a random value from the density with the given mean.
func (f Density) draw(rng *rand.Rand, mean, s, shape float64) float64 {
	switch f {
	case DensityExponential:
		return mean * rng.ExpFloat64()
	case DensityGamma:
		x := distuv.Gamma{Alpha: shape, Beta: shape, Src: rng}.Rand() * mean
		return math.Max(x, math.SmallestNonzeroFloat64)
	case DensityPoisson:
		return distuv.Poisson{Lambda: mean, Src: rng}.Rand()
	case DensityBernoulli:
		if rng.Float64() < mean {
			return 1
		}
		return 0
	}
	return mean + s*rng.NormFloat64()
}

// MarshalText returns the name of the constant, as stored in a saved model.
func (f Density) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the name of a constant. It also accepts names that end in the word Density, as
// in version 0.2.0, and names without this word. Any other text is an error.
func (f *Density) UnmarshalText(b []byte) error {
	for i, name := range expFamilyNames {
		if name == "Density"+strings.TrimPrefix(strings.TrimSuffix(string(b), "Density"), "Density") {
			*f = Density(i)
			return nil
		}
	}
	return fmt.Errorf("density is %q: want one of %v", b, expFamilyNames)
}

// ExponentialFamilyOptions are the options of FitExponentialFamily. The zero value means a
// maximum-likelihood fit of Gaussian densities with standard deviation 1.
type ExponentialFamilyOptions struct {
	Density Density
	// Scale is s > 0, the same for all classes and columns; 0 means 1. DensityGaussian has standard
	// deviation Scale. The fitted exponential and gamma densities are the same for every s.
	// Poisson and Bernoulli densities need s = 1.
	Scale float64
	// Shape is the shape α > 0 of DensityGamma; 0 means 1.
	Shape float64
	// Priors and UniformPriors have the same meaning as in LDAOptions.
	Priors        []float64
	UniformPriors bool
	// Smoothing is the number of rows that the fit adds to each class, a number ≥ 0. Each added row
	// equals the mean of all rows. The added rows keep class means away from the limits of their
	// range, for example from 0.
	Smoothing float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
}

// expFamilyComplete sets the default values of zero options and checks all options except Priors,
// UniformPriors and Weights.
func (o *ExponentialFamilyOptions) expFamilyComplete() error {
	if o.Density < 0 || int(o.Density) >= len(expFamilyNames) {
		return fmt.Errorf("Density is %d: choose one of %v", int(o.Density), expFamilyNames)
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if o.Shape == 0 {
		o.Shape = 1
	}
	switch {
	case !(o.Scale > 0) || math.IsInf(o.Scale, 1):
		return fmt.Errorf("Scale is %v: s must be a finite number greater than 0 (0 means the default, 1)", o.Scale)
	case o.Scale != 1 && (o.Density == DensityPoisson || o.Density == DensityBernoulli):
		return fmt.Errorf("Scale is %v: %v is defined with s = 1 only", o.Scale, o.Density)
	case !(o.Shape > 0) || math.IsInf(o.Shape, 1):
		return fmt.Errorf("Shape is %v: α must be a finite number greater than 0 (0 means the default, 1)", o.Shape)
	case o.Shape != 1 && o.Density != DensityGamma:
		return fmt.Errorf("Shape is %v: only DensityGamma has a shape", o.Shape)
	}
	return naiveSmoothing(o.Smoothing)
}
