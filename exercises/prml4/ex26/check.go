// Package ex26 judges PRML exercise 4.26: the integral of a probit function times a Gaussian, and
// the derivative of this integral with respect to the mean.
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

// Check judges both functions of PRML exercise 4.26. `convolve` returns the integral of Φ(λa)
// N(a|μ,σ²) over a, (4.152), and derivativeMu returns the derivative of this integral with respect
// to μ.
func Check(convolve, derivativeMu func(mu, sigma2, lambda float64) float64) *verify.Report {
	return exercise.Judge(append(slices.Concat(
		functionParts(slopeQuestion, derivativeMu, slope, slopeByDifferences, "by quadrature and by differences",
			"Your result agrees with two other computations: differentiation under the integral sign, and the difference quotient of the integral."),
		functionParts(integralQuestion, convolve, integral, areaUnderSlope, "by quadrature and by a second integral",
			"Your result agrees with two other computations: the integral as a sum over a grid, and the area under its derivative.",
			judge.Property[point]{Name: "Convolve far to the left and to the right: the constant of integration",
				Problems: moderate,
				Precheck: func(p point, _ []float64) *verify.Verdict { return checkEnds(p, convolve) },
				Right:    "Your function increases from 0 to 1 and is ½ at μ = 0, so the constant of integration is right."})),
		verify.Part{Name: "one function is the derivative of the other", Of: []string{"Convolve", "DerivativeMu"},
			Judge: func() verify.Verdict { return checkTogether(convolve, derivativeMu) }})...)
}

// CheckSteps judges three optional steps of the derivation. `integrand` returns the derivative with
// respect to μ of Φ(λμ+λσz) N(z|0,1). `square` completes the square in the exponent of this
// derivative. `constant` returns the constant of integration C = I − F for the integral I and an
// antiderivative F of dI/dμ.
func CheckSteps(integrand func(mu, sigma2, lambda, z float64) float64,
	square func(mu, sigma2, lambda float64) (c, centre, rest float64),
	constant func(F func(mu float64) float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		integrandQuestion.Steps(integrand,
			judge.Step[place]{Name: "Integrand: the derivative with respect to μ, under the integral sign",
				Problems: places,
				Routes: []judge.Route[place]{
					{Name: "the chain rule", Tol: 1e-9, Value: integrandQuestion.Right},
					{Name: "the difference quotient of Φ(λμ+λσz) N(z|0,1)", Tol: 1e-7, Value: func(p place) []float64 {
						f := func(v float64) float64 { return kernel.NormCDF(v+p.u()) * kernel.NormPDF(p.z) }
						return []float64{p.lambda * verify.Derivative(f, 0, 0)}
					}},
				},
				Right: "Your result agrees with the derivative of Φ(λμ+λσz) N(z|0,1), computed by the chain rule and by a difference quotient."}),
		integrandQuestion.Parts(integrand, judge.Property[place]{Name: "Integrand: its integral over z is dI/dμ",
			Problems: ordinary,
			Holds: func(p place, _ []float64) verify.Finding {
				sum, h := 0.0, 0.04/(1+p.lambda*p.sigma())
				n := int(9 / h)
				for i := -n; i <= n; i++ {
					sum += h * integrand(p.mu, p.sigma2, p.lambda, h*float64(i))
				}
				return verify.Close(sum*p.width(), slopeByDifferences(p.point)*p.width(), verify.Tolerance{Abs: 1e-6})
			},
			Wrong: judge.Wrong{Key: "integrand-integral", Hint: 2,
				Message: "The integral of your Integrand over all z, with the other numbers as in {problem}, should be dI/dμ, computed by finite differences. In units of √(2π) times the peak of dI/dμ, your integral is {off}."},
			Right: "The integral of your Integrand over z is dI/dμ, computed by finite differences. It must be, because the derivative may be taken under the integral sign."}),
		squareQuestion.Steps(square,
			judge.Step[point]{Name: "Square: the completed square in the exponent", Problems: moderate,
				Routes: squareRoutes,
				Right:  "Your c(z−centre)² + rest equals λ²(μ+σz)² + z² for every z. Your numbers agree with the algebra and with an interpolation through three points."},
			judge.Step[point]{Name: "Square: at the limits of σ² and λ", Problems: boundaryPoints, Extreme: true,
				Routes: squareRoutes,
				Right:  "Your numbers are right for σ² from 0 to 10⁴ and λ from 0.01 to 100."}),
		squareQuestion.Parts(square,
			judge.Property[point]{Name: "Square: the integral over z, computed from the numbers c and rest, is dI/dμ",
				Problems: moderate,
				Precheck: func(p point, got []float64) *verify.Verdict {
					return judge.FailIf(got[0] <= 0, "square-c-not-positive", 3,
						"For %v your c is %g. c is a sum of squares, and one of them is 1, so c must be positive.", p, got[0])
				},
				// The centre is not needed: the integral of exp(−½c(z−centre)²) over z is √(2π/c)
				// for any centre.
				Holds: func(p point, got []float64) verify.Finding {
					v := p.lambda / math.Sqrt(2*math.Pi*got[0]) * math.Exp(-got[2]/2)
					return verify.Close(v*p.width(), slope(p)*p.width(), verify.Tolerance{Abs: 1e-8})
				},
				Wrong: judge.Wrong{Key: "square-integral", Hint: 3,
					Message: "For {problem} the Gaussian integral over z with your numbers c and rest should be dI/dμ, computed by quadrature. In units of √(2π) times the peak of dI/dμ, your integral is {off}."},
				Right: "With your c and rest, the product λ/(2π)·√(2π/c)·exp(−rest/2) equals dI/dμ, computed by quadrature. Your centre does not occur in this product."}),
		constantQuestion.Steps(constant,
			judge.Step[antiderivative]{Name: "Constant: the constant of integration, from a limit",
				Problems: antiderivatives,
				Routes: []judge.Route[antiderivative]{
					{Name: "the limit", Tol: 1e-9, Value: constantQuestion.Right},
					{Name: "the difference I − F, with the integral I computed by quadrature", Tol: 1e-8, Value: func(a antiderivative) []float64 {
						a.mu = 0.7 * a.width()
						return []float64{integral(a.point) - a.value(a.mu)}
					}},
				},
				Right: "With your C, F + C equals the integral I for every F: F + C vanishes for μ → −∞ and agrees with quadrature at another μ."}))...)
}

// tol is the tolerance stated in the text of the exercise: the largest allowed error, divided by
// the largest value of the function.
const tol = 1e-8

// functionParts returns the parts of the report that judge f, the learner's Convolve or
// DerivativeMu. The functions `first` and `second` compute the right values by two different
// methods.
func functionParts(q *judge.Question[function, point], f function, first, second func(point) float64, by, right string,
	more ...judge.Property[point]) []verify.Part {
	within := func(p point) verify.Tolerance { return verify.Tolerance{Abs: tol * q.Unit(p, nil)[0]} }
	return q.Parts(f, append([]judge.Property[point]{
		judge.Form(fmt.Sprintf("%s: a finite number, the same on every call", q.Name), moderate, nil, judge.Wrong{},
			"You returned a finite number for every problem."),
		{Name: q.Name + ", checked " + by, Problems: moderate,
			Holds: func(p point, got []float64) verify.Finding {
				return judge.All(verify.Close(got[0], first(p), within(p)), verify.Close(got[0], second(p), within(p)))
			},
			Wrong: judge.Wrong{Key: "value", Hint: q.Hint,
				Message: "For {problem} your " + q.Name + ", checked " + by + ", is {off}."},
			Right: right},
		{Name: fmt.Sprintf("%s: narrow and wide Gaussians, flat and steep probit functions", q.Name), Problems: limits,
			Extreme: true,
			Precheck: func(p point, got []float64) *verify.Verdict {
				found := verify.Close(got[0], first(p), within(p))
				switch {
				case found.OK:
					return nil
				case p.sigma2 == 0:
					return judge.Fail("no-variance", q.Hint, "For %v your %s is %s. "+noVariance, p, q.Name,
						found.Off())
				}
				return judge.Fail("extremes", q.Hint,
					"For %v your %s is %s. For moderate numbers your result is right. Perhaps you sum over a fixed grid, clip a number, or compute an intermediate result that overflows.", p, q.Name, found.Off())
			},
			Right: "Your function is right for σ² from 0 to 10⁴, λ from 0.01 to 100 and μ up to ±1000."},
	}, more...)...)
}

const noVariance = "For σ² = 0 the Gaussian is a point mass at μ, so no integral is left to compute. Perhaps you divide by σ, sum over a grid, or compute a difference quotient."

// checkEnds checks the limits of the learner's function for μ → ±∞, and the sum of its values at μ
// and −μ. The limits must be 0 and 1. The sum must be 1, because Φ(λa) + Φ(−λa) = 1.
func checkEnds(p point, f function) *verify.Verdict {
	w := p.width()
	at := func(u float64) float64 { return f(w*u, p.sigma2, p.lambda) }
	for _, u := range []float64{-8, -12, -30, -100} {
		left, right := at(u), at(-u)
		switch {
		case math.IsNaN(left+right) || math.IsInf(left+right, 0):
			return judge.Fail("not-finite", 3, "At μ = ±%.3g, far from 0, Convolve returned %g and %g, but both numbers must be finite.", -w*u, right, left)
		case math.Abs(left) > tol && math.Abs(right-left-1) < tol:
			return judge.Fail("constant-of-integration", 3,
				"Your function increases by 1 from left to right, as it must, but starts at %.3g. For μ → −∞ the whole Gaussian lies where Φ is 0, which determines the constant of integration.", left)
		case math.Abs(left-1) < tol && math.Abs(right) < tol:
			return judge.Fail("falls", 1, "Your function decreases from 1 to 0 as μ increases, but it must increase, because Φ is an increasing function.")
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
				"Your values at μ and −μ must sum to 1, since Φ(λa) + Φ(−λa) = 1 under the integral. At μ = %.3g, σ² = %.3g, λ = %.3g the sum is %s.", w*u, p.sigma2, p.lambda, found.Off())
		}
	}
	return nil
}

// checkTogether checks that the learner's derivativeMu is the derivative of the learner's convolve.
// It compares only values of the learner's functions with each other.
func checkTogether(convolve, derivativeMu function) verify.Verdict {
	for _, p := range moderate() {
		w := p.width()
		along := func(v float64) float64 { return convolve(p.mu+w*v, p.sigma2, p.lambda) }
		// The tolerance is large, because the learner may compute the integral by quadrature. A
		// difference quotient divides the error of the quadrature by the step.
		found := verify.Close(w*derivativeMu(p.mu, p.sigma2, p.lambda), verify.Derivative(along, 0, 0),
			verify.Tolerance{Abs: 5e-5})
		if !found.OK {
			return verify.Fail("not-its-derivative", 2,
				"For %v your DerivativeMu should be the derivative of your Convolve, but in units of √(2π) times the largest slope it is %s. The earlier parts of this report show which of the two functions is wrong.", p, found.Off())
		}
	}
	return verify.Pass("Your DerivativeMu is the derivative of your Convolve.")
}

// A point contains the arguments μ, σ² and λ of one call.
type point struct{ mu, sigma2, lambda float64 }

func (p point) String() string {
	return fmt.Sprintf("μ = %.4g, σ² = %.4g and λ = %.4g", p.mu, p.sigma2, p.lambda)
}

// width returns (λ⁻²+σ²)^½. The integral depends on μ and on this width only through the quotient
// μ/width.
func (p point) width() float64 { return math.Hypot(1/p.lambda, p.sigma()) }

func (p point) sigma() float64 { return math.Sqrt(p.sigma2) }

// moderate returns points at which μ, σ² and λ are neither large nor small. Neither σ nor λ is
// exactly 1, because a wrong power of 1 would go unnoticed.
func moderate() []point {
	r := instance.Source(426, 1)
	points := []point{{0.8, 2, 0.5}, {-1.3, 0.25, 2}, {0, 3, 1.5}}
	for range 24 {
		points = append(points, point{4*r.Float64() - 2, math.Exp(3*r.Float64() - 1.5), math.Exp(2*r.Float64() - 1)})
	}
	return points
}

// limits returns points at which a formula that is right elsewhere may fail. Some Gaussians are a
// point mass, very narrow or very wide. Some probit functions are very steep or very flat. Some
// means are about 3 to 6 widths from 0, or so far from 0 that the integral is 0 or 1. Some points have
// the largest and smallest arguments that the exercise allows. Six points have σ² = 0 and an extreme
// λ, and the verdict on a failure at these points names σ² = 0 as the cause. They come after points with
// the same λ and σ² > 0. An answer that fails because of the extreme λ therefore fails at those earlier
// points, and its verdict does not blame σ² = 0.
func limits() []point {
	list := []point{
		{0.7, 0, 1.3}, {-0.7, 0, 0.4}, {0.4, 1e-12, 2}, {60, 1e4, 0.6},
		{-0.2, 0.5, 100}, {50, 30, 0.01}, {-30, 100, 0.7}, {30, 100, 0.7}, {-90, 1e4, 100}, {100, 1e4, 0.01},
	}
	for _, mu := range []float64{1e3, -1e3} {
		list = append(list, point{mu, 2, 0.5}, point{mu, 1e4, 0.01}, point{mu, 0, 0.01}, point{mu, 0, 100})
	}
	// At μ = u·width the integral is close to 0 or 1, and the derivative is close to 0. For |u| ≤ 5.4
	// both still differ from these limits by more than the tolerance. For u = 6.02 only the
	// derivative does.
	for i, u := range []float64{-3.2, 3.2, -3.7, 4.5, -4.5, 5.4, -5.4, 6.02} {
		p := point{0, []float64{2, 0.25}[i%2], []float64{0.5, 2, 1}[i%3]}
		p.mu = u * p.width()
		list = append(list, p)
	}
	return append(list, point{0.004, 0, 100}, point{-60, 0, 0.01})
}

// overGaussian returns the integral of g(μ+σz) N(z|0,1) over z, computed by the trapezoidal rule.
// For smooth functions the error of the rule decreases faster than any power of the step. The step
// is small enough for functions g that change over a distance of about 1/λ. For |z| > 9 the Gaussian
// is negligible.
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

// slope returns the derivative with respect to μ of the left-hand side of (4.152). It
// differentiates under the integral sign.
func slope(p point) float64 {
	return overGaussian(func(a float64) float64 { return p.lambda * kernel.NormPDF(p.lambda*a) }, p)
}

// areaUnderSlope computes the left-hand side of (4.152) as in the book's proof: it integrates the
// derivative that the function `slope` returns, from a point far to the left up to μ. It uses
// Gauss–Legendre quadrature with 60 nodes, which is accurate to 12 decimals here.
func areaUnderSlope(p point) float64 {
	return quad.Fixed(func(mu float64) float64 { return slope(point{mu, p.sigma2, p.lambda}) },
		math.Min(p.mu, 0)-10*p.width(), p.mu, 60, quad.Legendre{}, 0)
}

// slopeByDifferences computes the derivative with respect to μ of the left-hand side of (4.152) by
// finite differences.
func slopeByDifferences(p point) float64 {
	w := p.width()
	return verify.Derivative(func(v float64) float64 { return integral(point{p.mu + w*v, p.sigma2, p.lambda}) }, 0,
		0) / w
}

// A place is a point together with a value z of the variable of integration.
type place struct {
	point
	z float64
}

func (p place) String() string {
	return fmt.Sprintf("μ = %.4g, σ² = %.4g, λ = %.4g and z = %.4g", p.mu, p.sigma2, p.lambda, p.z)
}

// u returns λμ+λσz.
func (p place) u() float64 { return p.lambda * (p.mu + p.sigma()*p.z) }

// ordinary returns places with moderate numbers. Any two mistakes with different messages have
// different results at one or more of these places.
func ordinary() []place {
	r := instance.Source(426, 2)
	out := []place{{point{0.8, 2, 0.5}, 0.7}, {point{-1.3, 0.25, 2}, -0.4}}
	for _, p := range moderate() {
		out = append(out, place{p, 2*r.Float64() - 1})
	}
	return out
}

// places returns the places that ordinary() returns, and some special places: with σ² = 0, with z =
// 0, with a large σ², or with a large z.
func places() []place {
	return append(ordinary(), place{point{0.7, 0, 1.3}, -0.6}, place{point{-0.3, 1.7, 0.8}, 0},
		place{point{0.2, 100, 3}, 0.05},
		place{point{-0.3, 1.7, 0.8}, 40}, place{point{-60, 100, 0.6}, 6})
}

// boundaryPoints returns points at which σ² or λ has the largest or smallest allowed value, and μ
// is moderate.
func boundaryPoints() []point {
	return []point{{0.7, 0, 1.3}, {-0.4, 0, 0.01}, {0.6, 0, 100}, {1.2, 1e4, 0.01}, {-0.3, 1e4, 100}}
}

// squareRoutes contains two ways to compute the right result of Square.
var squareRoutes = []judge.Route[point]{
	{Name: "the algebra", Tol: 1e-9, Value: squareQuestion.Right},
	{Name: "the parabola through three values of λ²(μ+σz)² + z²", Tol: 1e-9, Value: throughThree},
}

// throughThree computes c, centre and rest from three values of the parabola λ²(μ+σz)² + z²: at z =
// −1, 0 and 1.
func throughThree(p point) []float64 {
	parabola := func(z float64) float64 { u := place{p, z}.u(); return u*u + z*z }
	left, middle, right := parabola(-1), parabola(0), parabola(1)
	c := (right-middle)/2 + (left-middle)/2
	centre := (left - right) / (4 * c)
	// at z = centre the square is 0, so the value of the parabola is `rest`
	return []float64{c, centre, parabola(centre)}
}

// The type `antiderivative` describes one antiderivative F of dI/dμ = N(μ|0, λ⁻²+σ²). It contains σ²,
// λ, and the constant F − I.
type antiderivative struct {
	point
	plus float64 // F − I
}

func (a antiderivative) String() string {
	return fmt.Sprintf("an antiderivative F with σ² = %.3g and λ = %.3g", a.sigma2, a.lambda)
}

// value returns F(mu), including the limits at ±∞.
func (a antiderivative) value(mu float64) float64 { return kernel.NormCDF(mu/a.width()) + a.plus }

// antiderivatives returns the integral I(μ) itself, I(μ) − ½ (a multiple of erf), and I(μ) plus other
// constants, for several σ² and λ. Some of these functions rise steeply, and one rises as slowly as the
// comment on the stub of Constant allows.
func antiderivatives() []antiderivative {
	r := instance.Source(426, 3)
	out := []antiderivative{{point{0, 2, 0.5}, 0.8}, {point{0, 1, 1}, 0}, {point{0, 0.25, 2}, -0.5},
		{point{0, 9e4, 0.01}, 0.3}, {point{0, 1e6, 0.002}, -0.7}}
	for _, p := range moderate()[:8] {
		out = append(out, antiderivative{p, 3 * r.NormFloat64()})
	}
	return out
}

// function is the type of an answer for Convolve or DerivativeMu. The right answers for both are
// functions of μ/s and of the width s. A widthFunc computes s from σ² and λ.
type (
	widthFunc     = func(s2, l float64) float64
	function      = func(mu, sigma2, lambda float64) float64
	integrandFunc = func(mu, sigma2, lambda, z float64) float64
	squareFunc    = func(mu, sigma2, lambda float64) (c, centre, rest float64)
	constantFunc  = func(F func(mu float64) float64) float64
)

// question returns a judge.Question that judges the named function. The argument `right` computes
// the right result. The argument `unit` returns the number by which errors are divided.
func question(name string, hint int, right, unit func(point) float64,
	mistakes []judge.Mistake[function]) *judge.Question[function, point] {
	return &judge.Question[function, point]{
		Func: name, Name: name, Hint: hint,
		Invoke: func(f function, c *judge.Call, p point) []float64 {
			v := f(p.mu, p.sigma2, p.lambda)
			switch {
			case !math.IsNaN(v) && !math.IsInf(v, 0):
			case p.sigma2 == 0:
				c.Say(judge.Fail("no-variance", hint,
					"For %v, %s returned %g, which is not a finite number. "+noVariance, p, name, v))
			default:
				c.Say(judge.Fail("not-finite", hint,
					"For %v, %s returned %g, which is not a finite number. Perhaps a number overflows, you take the square root of a difference, or you divide by a number that can be 0.", p, name, v))
			}
			return []float64{v}
		},
		Right: func(p point) []float64 { return []float64{right(p)} },
		Unit:  func(p point, _ []float64) []float64 { return []float64{unit(p)} },
		Nearly: judge.Wrong{Key: "nearly", Hint: hint,
			Message: fmt.Sprintf("Nearly right: for {problem} your %s is {off}. Use the exact formula. Coarse sums, rounded constants and approximations are not accurate enough.", name)},
		Factor: judge.Wrong{Key: "factor", Hint: hint,
			Message: fmt.Sprintf("%s is right except for a constant factor. Check factors such as ½ and 1/√(2π).", name)},
		Mistakes: mistakes,
	}
}

// probit returns an answer that computes Φ(μ/s) with the width s.
func probit(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.NormCDF(mu / s(s2, l)) }
}

// density returns an answer that computes N(μ|0,s²), the density of width s.
func density(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/s(s2, l)) / s(s2, l) }
}

// logistic returns an answer that computes σ(μ/s) with the width s.
func logistic(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.Sigmoid(mu / s(s2, l)) }
}

// bell returns an answer that computes the derivative of σ(μ/s) with respect to μ.
func bell(s widthFunc) function {
	return func(mu, s2, l float64) float64 {
		return kernel.Sigmoid(mu/s(s2, l)) * kernel.Sigmoid(-mu/s(s2, l)) / s(s2, l)
	}
}

// width returns the correct denominator √(λ⁻² + σ²).
func width(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2) }

// mistakenWidths contains wrong formulas for the width s. A wrong width makes both of the learner's
// functions wrong.
var mistakenWidths = []judge.Mistake[widthFunc]{
	{Key: "standard-deviation-for-variance", Hint: 3,
		Answer:  func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + math.Sqrt(s2)) },
		Message: "Your square root contains σ in place of σ². The argument sigma2 is already the variance σ², and variances add."},
	{Key: "variance-squared", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2*s2) },
		Message: "Your square root contains σ⁴. The argument sigma2 is already σ², so do not square it."},
	{Key: "lambda-not-inverted", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(l*l + s2) },
		Message: "Your square root contains λ² in place of λ⁻². A large λ makes Φ(λa) steep, so it adds little to the width."},
	{Key: "lambda-not-inverted", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(l + s2) },
		Message: "Your square root contains λ in place of λ⁻². A large λ makes Φ(λa) steep, so it adds little to the width."},
	{Key: "lambda-not-squared", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/l + s2) },
		Message: "Your square root contains λ⁻¹ in place of λ⁻². 1/λ is the width of Φ(λa), and squares of widths are added."},
	{Key: "lambda-left-out", Hint: 3, Answer: func(s2, _ float64) float64 { return math.Sqrt(1 + s2) },
		Message: "Your result does not depend on λ: it is the right result for λ = 1."},
	{Key: "lambda-fixed", Hint: 3, Answer: func(s2, _ float64) float64 { return math.Sqrt(8/math.Pi + s2) },
		Message: "Your result does not depend on λ: it contains the fixed λ of exercise 4.25. In this exercise λ is an argument."},
	{Key: "lambda-lost", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) },
		Message: "You return Φ of μ/(1+λ²σ²)^½, or its derivative: a factor λ is missing in the numerator. Without this factor a larger λ makes the curve flatter."},
	{Key: "lambda-twice", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l)+s2) / l },
		Message: "Your result contains λμ and also λ⁻² in the square root, so λ occurs twice. For σ² = 0 your result is Φ(λ²μ), or its derivative."},
	{Key: "lambda-not-with-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1+s2) / l },
		Message: "You return Φ of λμ/(1+σ²)^½, or its derivative: the σ² in the square root lacks the factor λ²."},
	{Key: "lambda-not-with-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1+l*s2) / l },
		Message: "You return Φ of λμ/(1+λσ²)^½, or its derivative: the λ in the square root must be squared."},
	{Key: "no-root", Hint: 3, Answer: func(s2, l float64) float64 { return 1/(l*l) + s2 },
		Message: "Your μ is divided by a variance. Divide μ by the square root of the variance, the standard deviation."},
	{Key: "widths-added", Hint: 3, Answer: func(s2, l float64) float64 { return 1/l + math.Sqrt(s2) },
		Message: "Your width is the sum of the widths 1/λ and σ. Add their squares, because the variance of a sum of independent variables is the sum of the variances."},
	{Key: "no-convolution", Hint: 1, Answer: func(_, l float64) float64 { return 1 / l },
		Message: "This is Φ(λμ), or its derivative: the probit function at the mean, as if the Gaussian had width 0. A larger σ² must make the curve flatter."},
	{Key: "step-for-probit", Hint: 2, Answer: func(s2, _ float64) float64 { return math.Sqrt(s2) },
		Message: "You return Φ(μ/σ), or its derivative. This is the result for a step function in place of Φ(λa). The width 1/λ of Φ(λa) is missing."},
	{Key: "half-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2/2) },
		Message: "The σ² in your square root has an extra factor ½. Check the factors ½ when you add the exponents."},
	{Key: "double-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + 2*s2) },
		Message: "The σ² in your square root has an extra factor 2. Check the factors ½ when you add the exponents."},
	{Key: "kappa-approximation", Hint: 1, Answer: func(s2, _ float64) float64 { return math.Sqrt(1 + math.Pi*s2/8) },
		Message: "Your formula contains the factor κ(σ²) of (4.154), with the fixed λ of exercise 4.25. In this exercise λ is an argument."},
}

// withMistakenWidths appends to `list` the mistakes that Convolve and DerivativeMu share. The
// function `shape` returns the answer with a given width. The function `approximate` returns a
// logistic approximation of this answer.
func withMistakenWidths(list []judge.Mistake[function], shape, approximate func(widthFunc) function) []judge.Mistake[function] {
	for _, w := range []widthFunc{ // for each of these widths s, σ(μ/s) is (4.153) or a similar approximation
		func(s2, _ float64) float64 { return math.Sqrt(1 + math.Pi*s2/8) },
		func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) },
		width,
	} {
		list = append(list, judge.Mistake[function]{Key: "kappa-approximation", Hint: 1, Answer: approximate(w),
			Message: "You return a logistic sigmoid, as in the approximation (4.153), or its derivative. (4.153) follows from the exact formula by replacing Φ with σ on both sides. Return the exact integral of Φ, without κ and without the sigmoid."})
	}
	for _, s := range mistakenWidths {
		list = append(list,
			judge.Mistake[function]{Key: s.Key, Hint: s.Hint, Message: s.Message, Answer: shape(s.Answer)})
	}
	return list
}

// scaled returns an answer that computes f(u, s), where s is the right width and u = μ/s.
func scaled(f func(u, s float64) float64) function {
	return func(mu, s2, l float64) float64 { return f(mu/width(s2, l), width(s2, l)) }
}

var integralQuestion = question("Convolve", 3,
	func(p point) float64 { return kernel.NormCDF(p.mu / p.width()) },
	func(point) float64 { return 1 },
	withMistakenWidths([]judge.Mistake[function]{
		{Key: "falls", Hint: 1, Answer: scaled(func(u, _ float64) float64 { return kernel.NormCDF(-u) }),
			Message: "You return one minus the integral, which decreases as μ increases. But Φ is an increasing function, so check the signs."},
		{Key: "constant-of-integration", Hint: 3,
			Answer:  scaled(func(u, _ float64) float64 { return math.Erf(u/math.Sqrt2) / 2 }),
			Message: "You return the integral minus ½. Its derivative is right, but it ranges from −½ to ½. The limit μ → −∞ determines the constant of integration."},
		{Key: "constant-of-integration", Hint: 3,
			Answer:  scaled(func(u, _ float64) float64 { return kernel.NormCDF(u) + 0.5 }),
			Message: "You return the integral plus ½. Its derivative is right, but it ranges from ½ to 1½. The limit μ → −∞ determines the constant of integration."},
		{Key: "erf-convention", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erfc(-u) / 2 }),
			Message: "You return ½{1+erf(u)} with math.Erf. Φ(u) is ½{1+erf(u/√2)}, with a √2 in the argument (exercise 4.21)."},
		{Key: "erf-for-probit", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erf(u / math.Sqrt2) }),
			Message: "You return erf(u/√2), which ranges from −1 to 1. Φ(u) is ½{1+erf(u/√2)}."},
		{Key: "erf-for-probit", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erf(u) }),
			Message: "You return erf(u), which ranges from −1 to 1. Φ(u) is ½{1+erf(u/√2)}."},
		{Key: "derivative-for-value", Hint: 2, Answer: density(width),
			Message: "You return the derivative of the integral with respect to μ. Return the integral itself."},
		{Key: "density", Hint: 2, Answer: scaled(func(u, _ float64) float64 { return kernel.NormPDF(u) }),
			Message: "You return the standard normal density. Φ is the integral of this density from −∞."},
	}, probit, logistic))

var slopeQuestion = question("DerivativeMu", 2,
	func(p point) float64 { return kernel.NormPDF(p.mu/p.width()) / p.width() },
	func(p point) float64 { return kernel.NormPDF(0) / p.width() },
	withMistakenWidths([]judge.Mistake[function]{
		{Key: "sign", Hint: 1, Answer: scaled(func(u, s float64) float64 { return -kernel.NormPDF(u) / s }),
			Message: "Your derivative has the wrong sign. The integral increases with μ, since Φ is an increasing function."},
		{Key: "inner-derivative", Hint: 3, Answer: scaled(func(u, _ float64) float64 { return kernel.NormPDF(u) }),
			Message: "You return the standard normal density, and its argument is right. The inner derivative of the chain rule is missing."},
		{Key: "inner-derivative", Hint: 3,
			Answer:  func(mu, s2, l float64) float64 { return l * kernel.NormPDF(mu/width(s2, l)) },
			Message: "The factor in front of your density is λ, as in the derivative of Φ(λμ). The Gaussian integral over z contributes a factor that contains σ²."},
		{Key: "inner-derivative", Hint: 3,
			Answer:  func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/width(s2, l)) / math.Sqrt(s2) },
			Message: "The factor in front of your density is 1/σ, as in N(a|μ,σ²). After the integration over z the factor must contain the full width."},
		{Key: "variance-in-front", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return kernel.NormPDF(u) / (s * s) }),
			Message: "The factor in front of your density is the inverse of a variance. A normal density contains the inverse of the standard deviation."},
		{Key: "times-sigma", Hint: 2,
			Answer:  func(mu, s2, l float64) float64 { return math.Sqrt(s2) * density(width)(mu, s2, l) },
			Message: "Your derivative contains an extra factor σ. With a = μ + σz and fixed z, the derivative with respect to μ equals the derivative with respect to the variable a."},
		{Key: "exponent-half", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return math.Exp(-u*u) / (s * math.Sqrt(2*math.Pi)) }),
			Message: "In your result the ½ in the exponent is missing. A normal density contains exp(−½u²)."},
		{Key: "peak-not-normalised", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return math.Exp(-u*u/2) / s }),
			Message: "In your result the factor 1/√(2π) is missing. The derivative of Φ is the standard normal density, with the peak 1/√(2π)."},
		{Key: "value-for-derivative", Hint: 1, Answer: probit(width),
			Message: "You return the integral itself. Return its derivative with respect to μ."},
		{Key: "with-respect-to-variance", Hint: 1,
			Answer:  scaled(func(u, s float64) float64 { return -u / (2 * s * s) * kernel.NormPDF(u) }),
			Message: "You return the derivative with respect to σ². Return the derivative with respect to μ."},
		{Key: "second-derivative", Hint: 2,
			Answer:  scaled(func(u, s float64) float64 { return -u / (s * s) * kernel.NormPDF(u) }),
			Message: "You return the second derivative. Differentiate only once: after the change of variable only Φ depends on μ, and its derivative is a density."},
	}, density, bell))

var integrandQuestion = &judge.Question[integrandFunc, place]{
	Func: "Integrand", Name: "Integrand", Key: "integrand", Hint: 2,
	Invoke: func(f integrandFunc, _ *judge.Call, p place) []float64 {
		return []float64{f(p.mu, p.sigma2, p.lambda, p.z)}
	},
	Right: func(p place) []float64 { return []float64{p.lambda * kernel.NormPDF(p.u()) * kernel.NormPDF(p.z)} },
	Unit:  func(p place, _ []float64) []float64 { return []float64{p.lambda / (2 * math.Pi)} }, // the peak
	Mistakes: []judge.Mistake[integrandFunc]{
		{Key: "no-lambda", Hint: 2, Answer: fromIntegrand(func(p place, u float64) float64 { return kernel.NormPDF(u) }),
			Message: "The inner derivative λ is missing: the derivative of the argument λμ+λσz with respect to μ is λ."},
		{Key: "times-sigma", Hint: 2,
			Message: "Your result contains an extra factor σ, as if you differentiated the argument with respect to z. Differentiate with respect to μ at fixed z.",
			Answer:  fromIntegrand(func(p place, u float64) float64 { return p.lambda * p.sigma() * kernel.NormPDF(u) })},
		{Key: "weight-lost", Hint: 2,
			Answer:  func(mu, s2, l, z float64) float64 { return l * kernel.NormPDF(l*(mu+math.Sqrt(s2)*z)) },
			Message: "In your result the factor N(z|0,1) is missing. It does not depend on μ, so it stays unchanged."},
		{Key: "not-differentiated", Hint: 2,
			Answer:  fromIntegrand(func(p place, u float64) float64 { return kernel.NormCDF(u) }),
			Message: "You return the integrand itself. Return its derivative with respect to μ."},
		{Key: "phi-not-differentiated", Hint: 2,
			Answer:  fromIntegrand(func(p place, u float64) float64 { return p.lambda * kernel.NormCDF(u) }),
			Message: "Your result contains the inner derivative λ but still Φ itself. The outer derivative Φ′ is the standard normal density."},
		{Key: "variance-for-sigma", Hint: 2,
			Message: "Your result contains μ+σ²z in place of μ+σz. The substitution is a = μ+σz with the standard deviation, but the argument sigma2 is σ².",
			Answer: fromIntegrand(func(p place, _ float64) float64 {
				return p.lambda * kernel.NormPDF(p.lambda*(p.mu+
					p.sigma2*p.z))
			})},
		{Key: "lambda-lost-inside", Hint: 2,
			Answer:  fromIntegrand(func(p place, u float64) float64 { return p.lambda * kernel.NormPDF(u/p.lambda) }),
			Message: "In your result the factor λ is missing in the argument of the density. Evaluate the density at λ(μ+σz), like Φ."},
		{Key: "with-respect-to-z", Hint: 2,
			Message: "You return the derivative with respect to z. Return the derivative with respect to μ, which occurs only in Φ.",
			Answer:  fromIntegrand(func(p place, u float64) float64 { return p.lambda*p.sigma()*kernel.NormPDF(u) - p.z*kernel.NormCDF(u) })},
		{Key: "exponent-half", Hint: 2,
			Message: "In your result the ½ in the exponents is missing. A normal density contains exp(−½u²).",
			Answer:  fromIntegrand(func(p place, u float64) float64 { return p.lambda * math.Exp(-u*u-p.z*p.z/2) / math.Sqrt(2*math.Pi) })},
	},
}

// fromIntegrand returns a version of Integrand that computes f(p, u)·N(z|0,1) with u = λμ+λσz.
func fromIntegrand(f func(p place, u float64) float64) integrandFunc {
	return func(mu, s2, l, z float64) float64 {
		p := place{point{mu, s2, l}, z}
		return f(p, p.u()) * kernel.NormPDF(z)
	}
}

var squareQuestion = &judge.Question[squareFunc, point]{
	Func: "Square", Name: "Square", Key: "square", Hint: 3, Entries: []string{"c", "centre", "rest"},
	Invoke: func(f squareFunc, _ *judge.Call, p point) []float64 { return three(f, p) },
	Right:  func(p point) []float64 { return three(rightSquare, p) },
	Unit: func(p point, right []float64) []float64 {
		return []float64{right[0], 1, 1 + p.lambda*p.lambda*p.mu*p.mu}
	},
	Mistakes: []judge.Mistake[squareFunc]{
		{Key: "halves", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c / 2, z, r / 2 }),
			Message: "Your centre is right, but the numbers c and rest contain the factor ½ of the exponent. Complete the square of λ²(μ+σz)² + z², without the ½."},
		{Key: "centre-sign", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, -z, r }),
			Message: "Your centre has the wrong sign. The term −2c·centre·z must equal +2λ²μσz."},
		{Key: "nothing-taken-off", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, z, r + c*z*z }),
			Message: "Your number rest is λ²μ². Subtract c·centre², because c(z−centre)² already contains this term."},
		{Key: "added-twice", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, z, r + 2*c*z*z }),
			Message: "Your number rest is λ²μ² plus c·centre². Subtract c·centre², because the completed square already contains this term."},
		{Key: "centre-not-divided", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, z * c, r }),
			Message: "Your centre is c times the right centre. Factor c out of both terms with z before you complete the square."},
		{Key: "off-without-c", Hint: 3,
			Message: "Your number rest is λ²μ² minus centre². Subtract c·centre², because c is a factor of the whole square.",
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, z, r + c*z*z - z*z })},
		{Key: "one-lost", Hint: 3,
			Message: "In your result the term z², which N(z|0,1) contributes, is missing. Your numbers complete the square of λ²(μ+σz)² alone.",
			Answer:  func(mu, s2, l float64) (c, centre, rest float64) { return l * l * s2, -mu / math.Sqrt(s2), 0 }},
		{Key: "centre-doubled", Hint: 3,
			Answer:  changedSquare(func(c, z, r float64) (float64, float64, float64) { return c, 2 * z, r }),
			Message: "Your centre is twice the right centre. The term −2c·centre·z of c(z−centre)² already contains a factor 2."},
		{Key: "lambda-not-squared", Hint: 3,
			Message: "Your result contains λ in place of λ². The square of λ(μ+σz) also squares λ.",
			Answer:  func(mu, s2, l float64) (c, centre, rest float64) { return rightSquare(mu, s2, math.Sqrt(l)) }},
	},
}

func three(f squareFunc, p point) []float64 {
	c, centre, rest := f(p.mu, p.sigma2, p.lambda)
	return []float64{c, centre, rest}
}

// rightSquare is the right answer for the function Square.
func rightSquare(mu, s2, l float64) (c, centre, rest float64) {
	c = 1 + l*l*s2
	return c, -l * l * mu * math.Sqrt(s2) / c, l * l * mu * mu / c
}

// changedSquare returns a version of Square that applies f to the right results.
func changedSquare(f func(c, centre, rest float64) (float64, float64, float64)) squareFunc {
	return func(mu, s2, l float64) (c, centre, rest float64) { return f(rightSquare(mu, s2, l)) }
}

var constantQuestion = &judge.Question[constantFunc, antiderivative]{
	Func: "Constant", Name: "Constant", Key: "constant", Hint: 3,
	Invoke: func(f constantFunc, _ *judge.Call, a antiderivative) []float64 { return []float64{f(a.value)} },
	Right:  func(a antiderivative) []float64 { return []float64{-a.plus} },
	Unit:   func(antiderivative, []float64) []float64 { return []float64{1} },
	Mistakes: append([]judge.Mistake[constantFunc]{
		{Key: "at-zero", Hint: 3, Answer: func(f func(float64) float64) float64 { return -f(0) },
			Message: "You return −F(0), as if the integral I(μ) vanished at μ = 0. But I(0) is ½, and I(μ) vanishes for μ → −∞."},
		{Key: "limit-sign", Hint: 3, Answer: func(f func(float64) float64) float64 { return f(math.Inf(-1)) },
			Message: "You return the limit of F for μ → −∞. Return its negative, because F + C must vanish for μ → −∞."},
		{Key: "other-limit", Hint: 3, Answer: func(f func(float64) float64) float64 { return -f(math.Inf(1)) },
			Message: "With your C, F + C vanishes for μ → +∞. It must vanish for μ → −∞, where Φ(λa) is 0."},
		{Key: "one-at-left", Hint: 3, Answer: func(f func(float64) float64) float64 { return 1 - f(math.Inf(-1)) },
			Message: "With your C, F + C tends to 1 for μ → −∞. It must tend to 0."},
		{Key: "always-zero", Hint: 3, Answer: func(func(float64) float64) float64 { return 0 },
			Message: "Your C is 0, which is right only if F vanishes for μ → −∞, like a distribution function. F may be any antiderivative, such as one in terms of erf."},
		{Key: "always-half", Hint: 3, Answer: func(func(float64) float64) float64 { return 0.5 },
			Message: "Your C is ½, which is right only if F tends to −½ for μ → −∞, like ½ erf. F may be any antiderivative."},
	}, tooNear()...),
}

// tooNear returns wrong answers for the function Constant. Each answer returns −F(μ) for a fixed μ < 0.
// Since C = I(μ) − F(μ), this result is wrong for every problem in which I(μ) is not yet 0.
func tooNear() (list []judge.Mistake[constantFunc]) {
	for _, mu := range []float64{-1, -2, -3, -5, -6, -8, -10, -12, -20, -30, -50, -100, -200, -500, -1000, -2000,
		-5000} {
		list = append(list,
			judge.Mistake[constantFunc]{Key: "too-near", Hint: 3,
				Answer:  func(f func(float64) float64) float64 { return -f(mu) },
				Message: "You return −F at a μ that is not far enough to the left: for {problem} the integral I(μ) is not yet 0 there. Use the limit; F accepts −Inf."})
	}
	return list
}

func init() {
	judge.Known(exercise, integralQuestion, func(f function) *verify.Report { return Check(f, density(width)) })
	judge.Known(exercise, slopeQuestion, func(f function) *verify.Report { return Check(probit(width), f) })
	judge.Known(exercise, integrandQuestion,
		func(f integrandFunc) *verify.Report { return CheckSteps(f, rightSquare, atLeft) })
	judge.Known(exercise, squareQuestion, func(f squareFunc) *verify.Report { return CheckSteps(derived, f, atLeft) })
	judge.Known(exercise, constantQuestion, func(f constantFunc) *verify.Report {
		return CheckSteps(derived, rightSquare,
			f)
	})
}

// derived is the right answer for the function Integrand, and atLeft is the right answer for the
// function Constant.
func derived(mu, s2, l, z float64) float64 {
	return integrandQuestion.Right(place{point{mu, s2, l}, z})[0]
}

func atLeft(f func(float64) float64) float64 { return -f(math.Inf(-1)) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex26", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
