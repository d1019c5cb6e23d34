package classify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Density chooses the class densities of FitExponentialFamily; all have the form
// (4.84) with u(x) = x in each column.
//
// Equations: PRML (4.83), (4.84).
type Density int

const (
	// DensityGaussian is N(x|μ, s²) with the given standard deviation s, the same
	// in all classes and columns: h(u) = N(u|0,1), g(λ) = exp(−λ²/2), λ = μ/s.
	// (With h and g free of s the scale is the standard deviation, and not the
	// variance as the end of PRML 4.3.6 has it.)
	DensityGaussian Density = iota
	// DensityExponential is exp(−x/θ)/θ for x ≥ 0: h = 1, g(λ) = −λ, λ = −s/θ.
	DensityExponential
	// DensityGamma is x^{α−1}exp(−x/θ)/Γ(α)θ^α for x > 0 with a given shape α:
	// h(u) = u^{α−1}/Γ(α), g(λ) = (−λ)^α, λ = −s/θ.
	DensityGamma
	// DensityPoisson is r^x e^{−r}/x! for x = 0, 1, 2…, with s = 1: h(u) = 1/u!,
	// g(λ) = exp(−e^λ), λ = ln r.
	DensityPoisson
	// DensityBernoulli is μ^x(1−μ)^{1−x} for x = 0, 1, with s = 1: h = 1,
	// g(λ) = σ(−λ), λ = ln μ/(1−μ).
	DensityBernoulli
)

var expFamilyNames = [...]string{"DensityGaussian", "DensityExponential", "DensityGamma", "DensityPoisson", "DensityBernoulli"}

// String returns the constant's name.
func (f Density) String() string {
	if f < 0 || int(f) >= len(expFamilyNames) {
		return fmt.Sprintf("Density(%d)", int(f))
	}
	return expFamilyNames[f]
}

// natural returns λ and ln g(λ) for a column with the given mean, by maximum
// likelihood: −∇ln g(λ)·s = mean. The result is infinite where the maximum does
// not exist.
func (f Density) natural(mean, s, shape float64) (lambda, logG float64) {
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

// log returns ln of (1/s)h(x/s)g(λ)exp(λx/s).
func (f Density) log(x, lambda, logG, s, shape float64) float64 {
	u := x / s
	switch f {
	case DensityGamma:
		g, _ := math.Lgamma(shape)
		return (shape-1)*math.Log(u) - g + logG + lambda*u - math.Log(s)
	case DensityPoisson:
		g, _ := math.Lgamma(x + 1)
		return lambda*x + logG - g
	case DensityGaussian: // the square of the difference does not cancel
		return -(u-lambda)*(u-lambda)/2 - kernels.Log2Pi/2 - math.Log(s)
	}
	return logG + lambda*u - math.Log(s)
}

// outside returns what is wrong with an entry of x, "" for nothing.
func (f Density) outside() func(v float64, j int) string {
	switch f {
	case DensityExponential:
		return func(v float64, _ int) string {
			if v >= 0 {
				return ""
			}
			return "DensityExponential is for numbers ≥ 0"
		}
	case DensityGamma:
		return func(v float64, _ int) string {
			if v > 0 {
				return ""
			}
			return "DensityGamma is for numbers > 0"
		}
	case DensityPoisson:
		return func(v float64, _ int) string {
			if v >= 0 && v == math.Trunc(v) {
				return ""
			}
			return "DensityPoisson is for counts 0, 1, 2…"
		}
	case DensityBernoulli:
		return notBinary
	}
	return nil
}

// draw returns a sample with the given mean.
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

// MarshalText returns the constant's name, as a saved model has it.
func (f Density) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the constant's name, also with the word Density at its end,
// where version 0.2.0 wrote it. Another one is an error.
func (f *Density) UnmarshalText(b []byte) error {
	for i, name := range expFamilyNames {
		if name == "Density"+strings.TrimPrefix(strings.TrimSuffix(string(b), "Density"), "Density") {
			*f = Density(i)
			return nil
		}
	}
	return fmt.Errorf("density is %q: it is one of %v", b, expFamilyNames)
}

// ExponentialFamilyOptions of FitExponentialFamily. The zero value is Gaussian
// densities of standard deviation 1, by maximum likelihood.
type ExponentialFamilyOptions struct {
	Density Density
	// Scale s > 0 is shared by all classes and columns; 0 is 1. It is the standard
	// deviation of DensityGaussian; exponential and gamma densities come out the
	// same for every s; Poisson and Bernoulli ones have s = 1.
	Scale float64
	// Shape α > 0 of DensityGamma; 0 is 1.
	Shape float64
	// Priors and UniformPriors as in LDAOptions.
	Priors        []float64
	UniformPriors bool
	// Smoothing ≥ 0 counts as this many more rows in each class, equal to the
	// mean of all rows: so that no class has a mean at the edge of the family.
	Smoothing float64
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
}

// expFamilyComplete fills in the defaults.
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
		return fmt.Errorf("Scale is %v: s must be a number greater than 0 (0 is the default, 1)", o.Scale)
	case o.Scale != 1 && (o.Density == DensityPoisson || o.Density == DensityBernoulli):
		return fmt.Errorf("Scale is %v: %v is defined with s = 1 only", o.Scale, o.Density)
	case !(o.Shape > 0) || math.IsInf(o.Shape, 1):
		return fmt.Errorf("Shape is %v: α must be a number greater than 0 (0 is the default, 1)", o.Shape)
	case o.Shape != 1 && o.Density != DensityGamma:
		return fmt.Errorf("Shape is %v: only DensityGamma has a shape", o.Shape)
	}
	return naiveSmoothing(o.Smoothing)
}
