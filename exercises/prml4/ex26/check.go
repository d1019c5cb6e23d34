// Package ex26 judges PRML exercise 4.26: the convolution of a probit function
// with a Gaussian, and its derivative.
package ex26

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.26: convolve returns the integral of Φ(λa)
// N(a|μ,σ²) over a, (4.152), and derivativeMu returns its derivative with respect to μ.
func Check(convolve, derivativeMu func(mu, sigma2, lambda float64) float64) *verify.Report {
	return exercise.Judge(append(slices.Concat(
		parts(askSlope, derivativeMu, slope, slopeByDifferences, "by quadrature and by differences",
			"Your result agrees with the derivative under the integral sign, summed over a grid, and with the difference quotient of the integral."),
		parts(askIntegral, convolve, integral, areaUnderSlope, "by quadrature and by a second integral",
			"Your result agrees with the integral, summed over a grid, and with the area under its derivative.",
			judge.Property[point]{Name: "Convolve far to the left and to the right: the constant of integration",
				On:    moderate,
				First: func(p point, _ []float64) *verify.Verdict { return ends(p, convolve) },
				Right: "Your function increases from 0 to 1 and is ½ at μ = 0, so the constant of integration is right."})),
		verify.Part{Name: "one function is the derivative of the other", Of: []string{"Convolve", "DerivativeMu"},
			Judge: func() verify.Verdict { return together(convolve, derivativeMu) }})...)
}

// CheckSteps judges three optional steps of the derivation. integrand returns the derivative with
// respect to μ of Φ(λμ+λσz) N(z|0,1). square completes the square in the exponent of this
// derivative. constant returns the constant of integration C = I − F for an antiderivative F of
// dI/dμ.
func CheckSteps(integrand func(mu, sigma2, lambda, z float64) float64,
	square func(mu, sigma2, lambda float64) (c, centre, rest float64),
	constant func(F func(mu float64) float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askIntegrand.Steps(integrand,
			judge.Step[place]{Name: "Integrand: the derivative with respect to μ, under the integral sign", On: places,
				Routes: []judge.Route[place]{
					{Name: "the chain rule", Tol: 1e-9, Value: askIntegrand.Right},
					{Name: "the difference quotient of Φ(λμ+λσz) N(z|0,1)", Tol: 1e-7, Value: func(p place) []float64 {
						f := func(v float64) float64 { return kernel.NormCDF(v+p.u()) * kernel.NormPDF(p.z) }
						return []float64{p.lambda * verify.Derivative(f, 0, 0)}
					}},
				},
				Right: "Your result is the derivative of Φ(λμ+λσz) N(z|0,1), computed by the chain rule and by a difference quotient."}),
		askIntegrand.Parts(integrand, judge.Property[place]{Name: "Integrand: its integral over z is dI/dμ", On: inside,
			Holds: func(p place, _ []float64) verify.Finding {
				sum, h := 0.0, 0.04/(1+p.lambda*p.sigma())
				n := int(9 / h)
				for i := -n; i <= n; i++ {
					sum += h * integrand(p.mu, p.sigma2, p.lambda, h*float64(i))
				}
				return verify.Close(sum*p.width(), slopeByDifferences(p.point)*p.width(), verify.Tolerance{Abs: 1e-6})
			},
			Wrong: judge.Wrong{Key: "integrand-integral", Hint: 2,
				Message: "The integral of your Integrand over all z, with the other numbers as in {problem}, should be dI/dμ by finite differences. Relative to the peak of dI/dμ it is {off}."},
			Right: "The integral of your Integrand over z is dI/dμ by finite differences, so the derivative may be taken under the integral sign."}),
		askSquare.Steps(square,
			judge.Step[point]{Name: "Square: the square in the exponent, completed", On: moderate, Routes: toSquare,
				Right: "Your c(z−centre)² + rest equals λ²(μ+σz)² + z² for every z, by algebra and by interpolation through three points."},
			judge.Step[point]{Name: "Square: at the limits of σ² and λ", On: bounds, Limits: true, Routes: toSquare,
				Right: "Your numbers are right for σ² from 0 to 10⁴ and λ from 0.01 to 100."}),
		askSquare.Parts(square,
			judge.Property[point]{Name: "Square: the integral over z, computed from c and rest, is dI/dμ", On: moderate,
				First: func(p point, got []float64) *verify.Verdict {
					return judge.FailIf(got[0] <= 0, "square-c-not-positive", 3,
						"For %v your c is %g. c is a sum of squares, and one of them is 1.", p, got[0])
				},
				// The integral of exp(−½c(z−centre)²) is √(2π/c), wherever the centre lies.
				Holds: func(p point, got []float64) verify.Finding {
					v := p.lambda / math.Sqrt(2*math.Pi*got[0]) * math.Exp(-got[2]/2)
					return verify.Close(v*p.width(), slope(p)*p.width(), verify.Tolerance{Abs: 1e-8})
				},
				Wrong: judge.Wrong{Key: "square-integral", Hint: 3,
					Message: "For {problem} the Gaussian integral over z with your c and rest should be dI/dμ by quadrature. Relative to the peak of dI/dμ it is {off}."},
				Right: "With your numbers λ/(2π)·√(2π/c)·exp(−rest/2) equals dI/dμ by quadrature. It does not depend on the centre."}),
		askConstant.Steps(constant,
			judge.Step[antiderivative]{Name: "Constant: the constant of integration, from a limit", On: antiderivatives,
				Routes: []judge.Route[antiderivative]{
					{Name: "the limit", Tol: 1e-9, Value: askConstant.Right},
					{Name: "I − F, with I by quadrature", Tol: 1e-8, Value: func(a antiderivative) []float64 {
						a.mu = 0.7 * a.width()
						return []float64{integral(a.point) - a.at(a.mu)}
					}},
				},
				Right: "With your C, F + C equals I for every F: it vanishes for μ → −∞ and agrees with quadrature elsewhere."}))...)
}

// tol is the tolerance in the statement, relative to the largest value of the function.
const tol = 1e-8

// parts returns the parts of the check of one function. first and second compute the right values
// in two ways.
func parts(q *judge.Question[function, point], f function, first, second func(point) float64, by, right string,
	more ...judge.Property[point]) []verify.Part {
	within := func(p point) verify.Tolerance { return verify.Tolerance{Abs: tol * q.Unit(p, nil)[0]} }
	return q.Parts(f, append([]judge.Property[point]{
		judge.Form(q.Name+": a finite number, the same on every call", moderate, nil, judge.Wrong{},
			"You returned a number everywhere."),
		{Name: q.Name + ", compared " + by, On: moderate,
			Holds: func(p point, got []float64) verify.Finding {
				return judge.All(verify.Close(got[0], first(p), within(p)), verify.Close(got[0], second(p), within(p)))
			},
			Wrong: judge.Wrong{Key: "value", Hint: q.Hint,
				Message: "For {problem} your " + q.Name + ", checked " + by + ", is {off}."},
			Right: right},
		{Name: q.Name + ": narrow and wide Gaussians, flat and steep probit functions", On: limits, Limits: true,
			First: func(p point, got []float64) *verify.Verdict {
				found := verify.Close(got[0], first(p), within(p))
				switch {
				case found.OK:
					return nil
				case p.sigma2 == 0:
					return judge.Fail("no-variance", q.Hint, "For %v your %s is %s. "+noVariance, p, q.Name,
						found.Off())
				}
				return judge.Fail("extremes", q.Hint,
					"For %v your %s is %s. It is right for numbers of moderate size. Check for a sum over a fixed grid, a clipped number, or an intermediate result that overflows.", p, q.Name, found.Off())
			},
			Right: "Your function is right for σ² from 0 to 10⁴, λ from 0.01 to 100 and μ up to ±1000."},
	}, more...)...)
}

const noVariance = "For σ² = 0 the Gaussian is a point mass at μ, so there is no integral. Check for a division by σ, a sum over a grid, or a difference quotient."

// ends checks properties of the learner's function that need no right values: its limits on both
// sides, and Φ(λa) + Φ(−λa) = 1 under the integral.
func ends(p point, f function) *verify.Verdict {
	w := p.width()
	at := func(u float64) float64 { return f(w*u, p.sigma2, p.lambda) }
	for _, u := range []float64{-8, -12, -30, -100} {
		left, right := at(u), at(-u)
		switch {
		case math.IsNaN(left+right) || math.IsInf(left+right, 0):
			return judge.Fail("not-finite", 3, "At μ = ±%.3g, far from 0, Convolve returned %g and %g.", -w*u, left, right)
		case math.Abs(left) > tol && math.Abs(right-left-1) < tol:
			return judge.Fail("constant-of-integration", 3,
				"Your function increases by 1 from left to right, as it must, but starts at %.3g. For μ → −∞ the whole Gaussian lies where Φ is 0, which determines the constant of integration.", left)
		case math.Abs(left-1) < tol && math.Abs(right) < tol:
			return judge.Fail("falls", 1, "Your function decreases from 1 to 0 as μ increases. It must increase, because Φ(λa) increases with a.")
		case math.Abs(left) > tol:
			return judge.Fail("left-limit", 3,
				"At μ = %.3g, with σ² = %.3g and λ = %.3g, Convolve returned %.4g. The whole Gaussian lies where Φ(λa) is 0, so the result must be 0.", w*u, p.sigma2, p.lambda, left)
		case math.Abs(right-1) > tol:
			return judge.Fail("right-limit", 3,
				"At μ = %.3g, with σ² = %.3g and λ = %.3g, Convolve returned %.4g. The whole Gaussian lies where Φ(λa) is 1, so the result must be 1.", -w*u, p.sigma2, p.lambda, right)
		}
	}
	for _, u := range []float64{0, 0.3, 1.1, 2.5} {
		if found := verify.Close(at(u)+at(-u), 1, verify.Tolerance{Abs: 2 * tol}); !found.OK {
			return judge.Fail("not-symmetric", 3,
				"The values at μ and −μ must sum to 1, since Φ(λa) + Φ(−λa) = 1 under the integral. At μ = %.3g, σ² = %.3g, λ = %.3g the sum is %s.", w*u, p.sigma2, p.lambda, found.Off())
		}
	}
	return nil
}

// together checks that derivativeMu is the derivative of convolve. It needs no right values.
func together(convolve, derivativeMu function) verify.Verdict {
	for _, p := range moderate() {
		w := p.width()
		along := func(v float64) float64 { return convolve(p.mu+w*v, p.sigma2, p.lambda) }
		// The tolerance is large because a difference divides the error of the learner's quadrature
		// by the step.
		found := verify.Close(w*derivativeMu(p.mu, p.sigma2, p.lambda), verify.Derivative(along, 0, 0),
			verify.Tolerance{Abs: 5e-5})
		if !found.OK {
			return verify.Fail("not-its-derivative", 2,
				"For %v your DerivativeMu should be the derivative of your Convolve, but relative to the steepest slope it is %s. The parts above show which of the two functions is wrong.", p, found.Off())
		}
	}
	return verify.Pass("Your DerivativeMu is the derivative of your Convolve.")
}

// A point contains the arguments of one call.
type point struct{ mu, sigma2, lambda float64 }

func (p point) String() string {
	return fmt.Sprintf("μ = %.4g, σ² = %.4g and λ = %.4g", p.mu, p.sigma2, p.lambda)
}

// width returns (λ⁻²+σ²)^½, the distance in μ over which the integral increases from near 0 to near
// 1.
func (p point) width() float64 { return math.Hypot(1/p.lambda, p.sigma()) }

func (p point) sigma() float64 { return math.Sqrt(p.sigma2) }

// moderate returns points with numbers of size 1. Neither σ nor λ is exactly 1, because all powers
// of 1 are equal.
func moderate() []point {
	r := instance.Source(426, 1)
	points := []point{{0.8, 2, 0.5}, {-1.3, 0.25, 2}, {0, 3, 1.5}}
	for range 24 {
		points = append(points, point{4*r.Float64() - 2, math.Exp(3*r.Float64() - 1.5), math.Exp(2*r.Float64() - 1)})
	}
	return points
}

// limits returns points at which a formula that is right elsewhere may fail. They include Gaussians
// that are a point mass, very narrow or very wide, and very steep and very flat probit functions.
// Some means are 3 to 6 widths from 0, or so far from 0 that the integral is 0 or 1. Some points
// are corners of the range in the statement. Points that combine σ² = 0 with an extreme λ come
// last, because λ may be the cause of the failure.
func limits() []point {
	list := []point{
		{0.7, 0, 1.3}, {-0.7, 0, 0.4}, {0.4, 1e-12, 2}, {60, 1e4, 0.6},
		{-0.2, 0.5, 100}, {50, 30, 0.01}, {-30, 100, 0.7}, {30, 100, 0.7}, {-90, 1e4, 100}, {100, 1e4, 0.01},
	}
	for _, mu := range []float64{1e3, -1e3} {
		list = append(list, point{mu, 2, 0.5}, point{mu, 1e4, 0.01}, point{mu, 0, 0.01}, point{mu, 0, 100})
	}
	for i, u := range []float64{-3.2, 3.2, -3.7, 4.5, -4.5, 5.4, -5.4, 6.02} { // small values that still exceed the tolerance
		p := point{0, []float64{2, 0.25}[i%2], []float64{0.5, 2, 1}[i%3]}
		p.mu = u * p.width()
		list = append(list, p)
	}
	return append(list, point{0.004, 0, 100}, point{-60, 0, 0.01})
}

// overGaussian returns the integral of g(μ+σz) N(z|0,1) over z, computed by the trapezoidal rule.
// For smooth functions the rule converges faster than any power of the step. The step resolves a
// rise of g of width 1/λ. Beyond |z| = 9 the Gaussian is negligible.
func overGaussian(g func(a float64) float64, p point) float64 {
	sum, h := 0.0, math.Min(0.05, 0.5/(p.lambda*p.sigma()))
	n := int(9 / h)
	for i := -n; i <= n; i++ {
		z := float64(i) * h
		sum += g(p.mu+p.sigma()*z) * kernel.NormPDF(z)
	}
	return sum * h
}

// integral returns the left-hand side of (4.152).
func integral(p point) float64 {
	return overGaussian(func(a float64) float64 { return kernel.NormCDF(p.lambda * a) }, p)
}

// slope returns the derivative of integral with respect to μ, taken under the integral sign.
func slope(p point) float64 {
	return overGaussian(func(a float64) float64 { return p.lambda * kernel.NormPDF(p.lambda*a) }, p)
}

// areaUnderSlope computes the left-hand side of (4.152) as the integral of slope from far to the
// left up to μ, as in the book's proof. Gauss–Legendre quadrature with 60 nodes is accurate to 12
// decimals for a bell of this width.
func areaUnderSlope(p point) float64 {
	return quad.Fixed(func(mu float64) float64 { return slope(point{mu, p.sigma2, p.lambda}) },
		math.Min(p.mu, 0)-10*p.width(), p.mu, 60, quad.Legendre{}, 0)
}

// slopeByDifferences computes the derivative of integral by finite differences.
func slopeByDifferences(p point) float64 {
	w := p.width()
	return verify.Derivative(func(v float64) float64 { return integral(point{p.mu + w*v, p.sigma2, p.lambda}) }, 0,
		0) / w
}

// A place is a point with a value of the variable of integration.
type place struct {
	point
	z float64
}

func (p place) String() string {
	return fmt.Sprintf("μ = %.4g, σ² = %.4g, λ = %.4g and z = %.4g", p.mu, p.sigma2, p.lambda, p.z)
}

// u returns λμ+λσz.
func (p place) u() float64 { return p.lambda * (p.mu + p.sigma()*p.z) }

// inside returns places with numbers of size 1, which reveal the known mistakes.
func inside() []place {
	r := instance.Source(426, 2)
	out := []place{{point{0.8, 2, 0.5}, 0.7}, {point{-1.3, 0.25, 2}, -0.4}}
	for _, p := range moderate() {
		out = append(out, place{p, 2*r.Float64() - 1})
	}
	return out
}

// places returns the places of inside, and places with σ² = 0, z = 0 and a large z.
func places() []place {
	return append(inside(), place{point{0.7, 0, 1.3}, -0.6}, place{point{-0.3, 1.7, 0.8}, 0},
		place{point{0.2, 100, 3}, 0.05},
		place{point{-0.3, 1.7, 0.8}, 40}, place{point{-60, 100, 0.6}, 6})
}

// bounds returns points at the limits of σ² and λ, with a μ of size 1.
func bounds() []point {
	return []point{{0.7, 0, 1.3}, {-0.4, 0, 0.01}, {0.6, 0, 100}, {1.2, 1e4, 0.01}, {-0.3, 1e4, 100}}
}

// toSquare contains the routes to the right result of Square.
var toSquare = []judge.Route[point]{
	{Name: "the algebra", Tol: 1e-9, Value: askSquare.Right},
	{Name: "the parabola through three values of λ²(μ+σz)² + z²", Tol: 1e-9, Value: throughThree},
}

// throughThree computes c, centre and rest from the values of λ²(μ+σz)² + z² at −1, 0 and 1.
func throughThree(p point) []float64 {
	parabola := func(z float64) float64 { u := place{p, z}.u(); return u*u + z*z }
	left, middle, right := parabola(-1), parabola(0), parabola(1)
	c := (right-middle)/2 + (left-middle)/2
	centre := (left - right) / (4 * c)
	return []float64{c, centre, parabola(centre)} // at the centre the square is 0
}

// An antiderivative is an antiderivative F of dI/dμ = N(μ|0, λ⁻²+σ²).
type antiderivative struct {
	point
	plus float64 // F − I
}

func (a antiderivative) String() string {
	return fmt.Sprintf("an F with σ² = %.3g and λ = %.3g", a.sigma2, a.lambda)
}

// at returns F(mu), including the limits at ±∞.
func (a antiderivative) at(mu float64) float64 { return kernel.NormCDF(mu/a.width()) + a.plus }

// antiderivatives returns I itself, I − ½ (which has the form of erf), and others. Some are narrow,
// and some are as wide as the statement allows.
func antiderivatives() []antiderivative {
	r := instance.Source(426, 3)
	out := []antiderivative{{point{0, 2, 0.5}, 0.8}, {point{0, 1, 1}, 0}, {point{0, 0.25, 2}, -0.5},
		{point{0, 9e4, 0.01}, 0.3}, {point{0, 1e6, 0.002}, -0.7}}
	for _, p := range moderate()[:8] {
		out = append(out, antiderivative{p, 3 * r.NormFloat64()})
	}
	return out
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex26", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
