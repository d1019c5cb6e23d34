package ex26

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// function is a learner's function.
type function = func(mu, sigma2, lambda float64) float64

// A point is one set of arguments.
type point struct{ mu, sigma2, lambda float64 }

// width is (λ⁻²+σ²)^½, the distance in μ over which the integral rises.
func (p point) width() float64 { return math.Hypot(1/p.lambda, math.Sqrt(p.sigma2)) }

// moderate are points at which all numbers are of size 1, and none of σ, λ is 1,
// where their powers could not be told apart.
func moderate() []point {
	r := instance.Source(426, 1)
	points := []point{{0.8, 2, 0.5}, {-1.3, 0.25, 2}, {0, 3, 1.5}}
	for range 24 {
		points = append(points, point{4*r.Float64() - 2, math.Exp(3*r.Float64() - 1.5), math.Exp(2*r.Float64() - 1)})
	}
	return points
}

// An extreme is a point where a formula may fail that is right elsewhere.
type extreme struct {
	point
	name string
}

var extremes = []extreme{
	{point{0.7, 0, 1.3}, "σ² = 0, where the Gaussian is a point mass at μ"},
	{point{-0.7, 0, 0.4}, "σ² = 0, where the Gaussian is a point mass at μ"},
	{point{0.4, 1e-12, 2}, "a very narrow Gaussian"},
	{point{60, 1e4, 0.6}, "a very wide Gaussian"},
	{point{-0.2, 0.5, 100}, "a very steep probit function"},
	{point{50, 30, 0.01}, "a very flat probit function"},
	{point{-30, 100, 0.7}, "μ far to the left"},
	{point{30, 100, 0.7}, "μ far to the right"},
	{point{1e3, 2, 0.5}, "μ so far to the right that the integral is 1 to the last digit"},
	{point{-1e3, 2, 0.5}, "μ so far to the left that the integral is 0 in any reasonable digits"},
}

// overGaussian is the integral of g(μ+σz) N(z|0,1) over z by the trapezoidal
// rule, which converges faster than any power of the step for such functions. The
// step resolves a rise of g of width 1/λ; beyond |z| = 9 nothing is left.
func overGaussian(g func(a float64) float64, p point) float64 {
	sigma := math.Sqrt(p.sigma2)
	h := 0.05
	if p.lambda*sigma > 10 {
		h = 0.5 / (p.lambda * sigma)
	}
	n := int(9 / h)
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := float64(i) * h
		sum += g(p.mu+sigma*z) * kernel.NormPDF(z)
	}
	return sum * h
}

// integral is the left-hand side of (4.152).
func integral(p point) float64 {
	return overGaussian(func(a float64) float64 { return kernel.NormCDF(p.lambda * a) }, p)
}

// slope is its derivative with respect to μ, taken under the integral sign.
func slope(p point) float64 {
	return overGaussian(func(a float64) float64 { return p.lambda * kernel.NormPDF(p.lambda*a) }, p)
}

// areaUnderSlope is the integral of slope from μ = −∞, by the same rule: a second
// route to the left-hand side, in the order of the book's proof.
func areaUnderSlope(p point) float64 {
	const steps = 600
	from := -10 * p.width()
	if p.mu <= from {
		return 0
	}
	h := (p.mu - from) / steps
	sum := 0.0
	for i := range steps + 1 { // Simpson's rule
		weight := float64(2 + 2*(i%2))
		if i == 0 || i == steps {
			weight = 1
		}
		q := p
		q.mu = from + float64(i)*h
		sum += weight * slope(q)
	}
	return sum * h / 3
}

// slopeByDifferences differentiates integral without a formula.
func slopeByDifferences(p point) float64 {
	w := p.width()
	f := func(v float64) float64 {
		q := p
		q.mu = p.mu + w*v
		return integral(q)
	}
	return verify.Derivative(f, 0, 0) / w
}
