package ex26

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// integrandFunc is the learner's Integrand.
type integrandFunc = func(mu, sigma2, lambda, z float64) float64

// A place is a point with a value of the variable of integration.
type place struct {
	point
	z float64
}

func (p place) String() string {
	return fmt.Sprintf("μ = %.3g, σ² = %.3g, λ = %.3g and z = %.3g,", p.mu, p.sigma2, p.lambda, p.z)
}

// peak is the largest value the integrand can have at p, in which misses are measured.
func (p place) peak() float64 { return p.lambda / (2 * math.Pi) }

// places hold σ² = 0 and z = 0, and elsewhere numbers at which mistakes show.
func places() []place {
	r := instance.Source(426, 2)
	out := []place{{point{0.8, 2, 0.5}, 0.7}, {point{-1.3, 0.25, 2}, -0.4}}
	for _, p := range moderate() {
		out = append(out, place{p, 2*r.Float64() - 1})
	}
	return append(out, place{point{0.7, 0, 1.3}, -0.6}, place{point{-0.3, 1.7, 0.8}, 0}, place{point{0.2, 100, 3}, 0.05})
}

// formed makes the values of a mistaken integrand from u = λ(μ+σz).
func formed(f func(p place, u float64) float64) func(place) []float64 {
	return func(p place) []float64 {
		return []float64{f(p, p.lambda*(p.mu+math.Sqrt(p.sigma2)*p.z))}
	}
}

func integrandStep(integrand integrandFunc) steps.Step[place] {
	n := kernel.NormPDF
	return steps.Step[place]{
		Name: "Integrand", Key: "integrand", Hint: 2, Problems: places, Where: place.String,
		Ask: func(p place) ([]float64, *verify.Verdict) {
			return []float64{integrand(p.mu, p.sigma2, p.lambda, p.z)}, nil
		},
		Unit: func(p place, _ []float64) []float64 { return []float64{p.peak()} },
		Routes: []steps.Route[place]{
			{Name: "the chain rule", Tol: 1e-9, Value: formed(func(p place, u float64) float64 { return p.lambda * n(u) * n(p.z) })},
			{Name: "the difference quotient of Φ(λμ+λσz) N(z|0,1)", Tol: 1e-7, Value: func(p place) []float64 {
				sigma := math.Sqrt(p.sigma2)
				f := func(v float64) float64 { return kernel.NormCDF(v+p.lambda*(p.mu+sigma*p.z)) * n(p.z) }
				return []float64{p.lambda * verify.Derivative(f, 0, 0)}
			}},
		},
		Mistakes: []learner.Mistake[place]{
			{Key: "no-lambda", Hint: 2, Value: formed(func(p place, u float64) float64 { return n(u) * n(p.z) }),
				Message: "The inner derivative is missing: the argument λμ+λσz of Φ changes λ times as fast as μ."},
			{Key: "times-sigma", Hint: 2, Value: formed(func(p place, u float64) float64 { return p.lambda * math.Sqrt(p.sigma2) * n(u) * n(p.z) }),
				Message: "A factor σ is too much: that is the inner derivative with respect to z. It is μ that moves, and z stays."},
			{Key: "weight-lost", Hint: 2, Value: formed(func(p place, u float64) float64 { return p.lambda * n(u) }),
				Message: "The factor N(z|0,1) is lost. It does not depend on μ and stays as it is."},
			{Key: "not-differentiated", Hint: 2, Value: formed(func(p place, u float64) float64 { return kernel.NormCDF(u) * n(p.z) }),
				Message: "This is what stands under the integral, not yet differentiated."},
			{Key: "phi-not-differentiated", Hint: 2, Value: formed(func(p place, u float64) float64 { return p.lambda * kernel.NormCDF(u) * n(p.z) }),
				Message: "The inner derivative λ is there, and the outer one is not: Φ′ is the standard normal density, and Φ itself still stands there."},
			{Key: "variance-for-sigma", Hint: 2, Value: formed(func(p place, _ float64) float64 { return p.lambda * n(p.lambda*(p.mu+p.sigma2*p.z)) * n(p.z) }),
				Message: "Inside Φ stands μ+σ²z. The substitution is a = μ+σz, with the standard deviation; the argument sigma2 is σ²."},
			{Key: "lambda-lost-inside", Hint: 2, Value: formed(func(p place, _ float64) float64 { return p.lambda * n(p.mu+math.Sqrt(p.sigma2)*p.z) * n(p.z) }),
				Message: "λ is lost inside the density: it is evaluated at λ(μ+σz), as Φ was."},
			{Key: "with-respect-to-z", Hint: 2, Value: formed(func(p place, u float64) float64 {
				return p.lambda*math.Sqrt(p.sigma2)*n(u)*n(p.z) - p.z*kernel.NormCDF(u)*n(p.z)
			}), Message: "This is the derivative with respect to z, by the product rule. Asked for is the one with respect to μ, which stands in Φ only."},
		},
		Right: "It is the derivative of Φ(λμ+λσz) N(z|0,1), by the chain rule and by a difference quotient.",
	}
}

// judgeUnderIntegral sums the learner's integrand over z.
func judgeUnderIntegral(integrand integrandFunc) verify.Verdict {
	for _, p := range moderate() {
		sum, h := 0.0, 0.04/(1+p.lambda*math.Sqrt(p.sigma2))
		n := int(9 / h)
		for i := -n; i <= n; i++ {
			sum += h * integrand(p.mu, p.sigma2, p.lambda, h*float64(i))
		}
		// The rule is exact to rounding; the quotient has digits enough.
		if f := verify.Close(sum*p.width(), slopeByDifferences(p)*p.width(), verify.Tolerance{Abs: 1e-6}); !f.OK {
			return verify.Fail("integrand-integral", 2, "At μ = %.3g, σ² = %.3g, λ = %.3g the integral of your Integrand over z is not the slope of I, by differences: relative to its height it is %s.", p.mu, p.sigma2, p.lambda, f.Off())
		}
	}
	return verify.Pass("Its integral over z is the slope of I, by differences: the derivative may be taken under the integral sign.")
}
