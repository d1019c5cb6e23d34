package ex26

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A function is either of the two that Check judges. A widthFunc is the width in which it measures
// μ.
type (
	widthFunc     = func(s2, l float64) float64
	function      = func(mu, sigma2, lambda float64) float64
	integrandFunc = func(mu, sigma2, lambda, z float64) float64
	squareFunc    = func(mu, sigma2, lambda float64) (c, centre, rest float64)
	constantFunc  = func(F func(mu float64) float64) float64
)

// question judges a function with values up to unit.
func question(name string, hint int, right, unit func(point) float64,
	mistakes []judge.Mistake[function]) *judge.Question[function, point] {
	return &judge.Question[function, point]{
		Func: name, Name: name, Hint: hint,
		Ask: func(f function, c *judge.Call, p point) []float64 {
			v := f(p.mu, p.sigma2, p.lambda)
			switch {
			case !math.IsNaN(v) && !math.IsInf(v, 0):
			case p.sigma2 == 0:
				c.Say(judge.Fail("no-variance", hint, "For %v %s returned %g. "+noVariance, p, name, v))
			default:
				c.Say(judge.Fail("not-finite", hint,
					"For %v %s returned %g. Look for the root of a difference, or a division by something that can be 0.", p, name, v))
			}
			return []float64{v}
		},
		Right: func(p point) []float64 { return []float64{right(p)} },
		Unit:  func(p point, _ []float64) []float64 { return []float64{unit(p)} },
		Nearly: judge.Wrong{Key: "nearly", Hint: hint,
			Message: "Nearly: for {problem} your " + name +
				" is {off}. A coarse sum, rounded constants, or an approximation? There is an exact formula."},
		Factor: judge.Wrong{Key: "factor", Hint: hint,
			Message: name +
				" is right up to one number that multiplies it everywhere. Is a factor lost or doubled, such as ½ or 1/√(2π)?"},
		Mistakes: mistakes,
	}
}

// probit returns Φ(μ/s) for some width s of σ² and λ, and density returns N(μ|0,s²).
func probit(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.NormCDF(mu / s(s2, l)) }
}

func density(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/s(s2, l)) / s(s2, l) }
}

// logistic returns σ(μ/s), and bell returns its derivative.
func logistic(s widthFunc) function {
	return func(mu, s2, l float64) float64 { return kernel.Sigmoid(mu / s(s2, l)) }
}

func bell(s widthFunc) function {
	return func(mu, s2, l float64) float64 {
		return kernel.Sigmoid(mu/s(s2, l)) * kernel.Sigmoid(-mu/s(s2, l)) / s(s2, l)
	}
}

// width returns the right width.
func width(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2) }

// slips holds mistaken widths, which spoil both functions.
var slips = []judge.Mistake[widthFunc]{
	{Key: "standard-deviation-for-variance", Hint: 3,
		Answer:  func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + math.Sqrt(s2)) },
		Message: "Under the root stands σ where σ² belongs. The argument sigma2 is σ² already, the variance: variances add, standard deviations do not."},
	{Key: "variance-squared", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2*s2) },
		Message: "Under the root stands σ⁴: the argument sigma2 is σ² already, and was squared once more."},
	{Key: "lambda-not-inverted", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(l*l + s2) },
		Message: "Under the root stands λ² where λ⁻² belongs. A large λ makes Φ(λa) steep, so that it adds little to the width."},
	{Key: "lambda-not-inverted", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(l + s2) },
		Message: "Under the root stands λ where λ⁻² belongs. A large λ makes Φ(λa) steep, so that it adds little to the width."},
	{Key: "lambda-not-squared", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/l + s2) },
		Message: "Under the root stands λ⁻¹ where λ⁻² belongs: 1/λ is the width of Φ(λa), and squares of widths are added."},
	{Key: "lambda-left-out", Hint: 3, Answer: func(s2, _ float64) float64 { return math.Sqrt(1 + s2) },
		Message: "λ has no effect on your number: Φ(λa) was taken with λ = 1."},
	{Key: "lambda-fixed", Hint: 3, Answer: func(s2, _ float64) float64 { return math.Sqrt(8/math.Pi + s2) },
		Message: "λ has no effect on your number: it holds one fixed λ, that of exercise 4.25. Here λ is an argument."},
	{Key: "lambda-lost", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) },
		Message: "This divides μ by (1+λ²σ²)^½: when the root was brought to that form, a factor λ was lost. Without it the curve is flatter the larger λ is."},
	{Key: "lambda-twice", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l)+s2) / l },
		Message: "μ is multiplied by λ, and λ⁻² stands under the root as well: λ comes in twice. For σ² = 0 you would have Φ(λ²μ), or its derivative."},
	{Key: "lambda-not-with-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1+s2) / l },
		Message: "This is Φ of λμ/(1+σ²)^½, or its derivative: when λ was brought out of the root, σ² stayed as it was."},
	{Key: "lambda-not-with-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1+l*s2) / l },
		Message: "This is Φ of λμ/(1+λσ²)^½, or its derivative: under the root λ is squared, too."},
	{Key: "no-root", Hint: 3, Answer: func(s2, l float64) float64 { return 1/(l*l) + s2 },
		Message: "μ is divided by a variance, without the root. What brings μ to a standard scale is a standard deviation."},
	{Key: "widths-added", Hint: 3, Answer: func(s2, l float64) float64 { return 1/l + math.Sqrt(s2) },
		Message: "The widths 1/λ and σ are added as they are. It is their squares that add: a sum of independent variables has the sum of their variances."},
	{Key: "no-convolution", Hint: 1, Answer: func(_, l float64) float64 { return 1 / l },
		Message: "This is Φ(λμ), or its derivative: the probit function at the mean, as if the Gaussian had no width. σ² must flatten the curve."},
	{Key: "step-for-probit", Hint: 2, Answer: func(s2, _ float64) float64 { return math.Sqrt(s2) },
		Message: "This is Φ(μ/σ), or its derivative: what comes out for a step instead of Φ(λa). 1/λ is a width of its own."},
	{Key: "half-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2/2) },
		Message: "Under the root σ² comes in with a factor ½. When the exponents were added, was one ½ taken out twice?"},
	{Key: "double-variance", Hint: 3, Answer: func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + 2*s2) },
		Message: "Under the root σ² comes in with a factor 2. When the exponents were added, did one of them lose its ½?"},
	{Key: "kappa-approximation", Hint: 1, Answer: func(s2, _ float64) float64 { return math.Sqrt(1 + math.Pi*s2/8) },
		Message: "The factor κ(σ²) of (4.154) is in your formula. It holds one fixed λ, that of exercise 4.25; here λ is an argument."},
}

// slipped adds the mistakes that both functions share. shape makes the function from a width, and
// approximate makes its approximation from a width.
func slipped(list []judge.Mistake[function], shape, approximate func(widthFunc) function) []judge.Mistake[function] {
	for _, w := range []widthFunc{ // with these widths a logistic sigmoid is (4.153), or looks like it
		func(s2, _ float64) float64 { return math.Sqrt(1 + math.Pi*s2/8) },
		func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) },
		width,
	} {
		list = append(list, judge.Mistake[function]{Key: "kappa-approximation", Hint: 1, Answer: approximate(w),
			Message: "This is the approximation of (4.153), a logistic sigmoid, or its derivative. It is made from the formula that you are to find, by replacing Φ with σ on both sides; the integral of Φ itself has an exact form, without κ and without σ."})
	}
	for _, s := range slips {
		list = append(list,
			judge.Mistake[function]{Key: s.Key, Hint: s.Hint, Message: s.Message, Answer: shape(s.Answer)})
	}
	return list
}

// scaled returns f of u = μ/s and s, where s is the right width.
func scaled(f func(u, s float64) float64) function {
	return func(mu, s2, l float64) float64 { return f(mu/width(s2, l), width(s2, l)) }
}

var askIntegral = question("Convolve", 3,
	func(p point) float64 { return kernel.NormCDF(p.mu / p.width()) },
	func(point) float64 { return 1 },
	slipped([]judge.Mistake[function]{
		{Key: "falls", Hint: 1, Answer: scaled(func(u, _ float64) float64 { return kernel.NormCDF(-u) }),
			Message: "This is one minus the integral: it falls as μ grows. Φ(λa) rises with a. Was the sign in erfc turned?"},
		{Key: "constant-of-integration", Hint: 3,
			Answer:  scaled(func(u, _ float64) float64 { return math.Erf(u/math.Sqrt2) / 2 }),
			Message: "This is the integral minus ½: it has the right derivative, and goes from −½ to ½. The limit μ → −∞ fixes the constant of integration."},
		{Key: "constant-of-integration", Hint: 3,
			Answer:  scaled(func(u, _ float64) float64 { return kernel.NormCDF(u) + 0.5 }),
			Message: "This is the integral plus ½: it has the right derivative, and goes from ½ to 1½. The limit μ → −∞ fixes the constant of integration."},
		{Key: "erf-convention", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erfc(-u) / 2 }),
			Message: "This is ½{1+erf(u)} with Go's erf. Φ(u) is ½{1+erf(u/√2)}: a √2 lies between them (exercise 4.21)."},
		{Key: "erf-for-probit", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erf(u / math.Sqrt2) }),
			Message: "This is erf(u/√2), from −1 to 1. Φ is half of it, plus ½."},
		{Key: "erf-for-probit", Hint: 4, Answer: scaled(func(u, _ float64) float64 { return math.Erf(u) }),
			Message: "This is erf(u), from −1 to 1. Φ(u) is ½{1+erf(u/√2)}."},
		{Key: "derivative-for-value", Hint: 2, Answer: density(width),
			Message: "This is the derivative with respect to μ; it still has to be integrated."},
		{Key: "density", Hint: 2, Answer: scaled(func(u, _ float64) float64 { return kernel.NormPDF(u) }),
			Message: "This is the standard normal density. Φ is its integral from −∞."},
	}, probit, logistic))

var askSlope = question("DerivativeMu", 2,
	func(p point) float64 { return kernel.NormPDF(p.mu/p.width()) / p.width() },
	func(p point) float64 { return kernel.NormPDF(0) / p.width() },
	slipped([]judge.Mistake[function]{
		{Key: "sign", Hint: 1, Answer: scaled(func(u, s float64) float64 { return -kernel.NormPDF(u) / s }),
			Message: "Your derivative is negative, and right apart from its sign: the integral rises with μ, since Φ(λa) rises with a."},
		{Key: "inner-derivative", Hint: 3, Answer: scaled(func(u, _ float64) float64 { return kernel.NormPDF(u) }),
			Message: "This is the standard normal density at the right place; the inner derivative, the chain rule's factor, is missing."},
		{Key: "inner-derivative", Hint: 3,
			Answer:  func(mu, s2, l float64) float64 { return l * kernel.NormPDF(mu/width(s2, l)) },
			Message: "The factor in front is λ, as if Φ(λμ) were differentiated. The Gaussian integral over z leaves another factor behind, in which σ² occurs."},
		{Key: "inner-derivative", Hint: 3,
			Answer:  func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/width(s2, l)) / math.Sqrt(s2) },
			Message: "The factor in front is 1/σ: the normalisation of N(a|μ,σ²) was left standing, but the integral over z brings the full width in."},
		{Key: "variance-in-front", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return kernel.NormPDF(u) / (s * s) }),
			Message: "The factor in front is the inverse of a variance. A normal density has the inverse of the standard deviation there, its root."},
		{Key: "times-sigma", Hint: 2,
			Answer:  func(mu, s2, l float64) float64 { return math.Sqrt(s2) * density(width)(mu, s2, l) },
			Message: "A factor σ is too much. With a = μ + σz the derivative with respect to μ, at fixed z, is that with respect to a; σ would come in if z were moved."},
		{Key: "exponent-half", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return math.Exp(-u*u) / (s * math.Sqrt(2*math.Pi)) }),
			Message: "The ½ in the exponent is missing: a normal density is e to the minus ½ u²."},
		{Key: "peak-not-normalised", Hint: 3,
			Answer:  scaled(func(u, s float64) float64 { return math.Exp(-u*u/2) / s }),
			Message: "The factor 1/√(2π) is missing: the derivative of Φ is the standard normal density, whose peak is not 1."},
		{Key: "value-for-derivative", Hint: 1, Answer: probit(width),
			Message: "This is the integral itself, not its derivative."},
		{Key: "with-respect-to-variance", Hint: 1,
			Answer:  scaled(func(u, s float64) float64 { return -u / (2 * s * s) * kernel.NormPDF(u) }),
			Message: "This is the derivative with respect to σ². Return the one with respect to μ."},
		{Key: "second-derivative", Hint: 2,
			Answer:  scaled(func(u, s float64) float64 { return -u / (s * s) * kernel.NormPDF(u) }),
			Message: "This is the second derivative: it was differentiated once too often. Only Φ depends on μ after the change of variable; its derivative is a density."},
	}, density, bell))

var askIntegrand = &judge.Question[integrandFunc, place]{
	Func: "Integrand", Name: "Integrand", Key: "integrand", Hint: 2,
	Ask: func(f integrandFunc, _ *judge.Call, p place) []float64 {
		return []float64{f(p.mu, p.sigma2, p.lambda, p.z)}
	},
	Right: func(p place) []float64 { return []float64{p.lambda * kernel.NormPDF(p.u()) * kernel.NormPDF(p.z)} },
	Unit:  func(p place, _ []float64) []float64 { return []float64{p.lambda / (2 * math.Pi)} }, // the peak
	Mistakes: []judge.Mistake[integrandFunc]{
		{Key: "no-lambda", Hint: 2, Answer: formed(func(p place, u float64) float64 { return kernel.NormPDF(u) }),
			Message: "The inner derivative is missing: the argument λμ+λσz of Φ changes λ times as fast as μ."},
		{Key: "times-sigma", Hint: 2,
			Message: "A factor σ is too much: that is the inner derivative with respect to z. It is μ that moves, and z stays.",
			Answer:  formed(func(p place, u float64) float64 { return p.lambda * p.sigma() * kernel.NormPDF(u) })},
		{Key: "weight-lost", Hint: 2,
			Answer:  func(mu, s2, l, z float64) float64 { return l * kernel.NormPDF(l*(mu+math.Sqrt(s2)*z)) },
			Message: "The factor N(z|0,1) is lost. It does not depend on μ and stays as it is."},
		{Key: "not-differentiated", Hint: 2,
			Answer:  formed(func(p place, u float64) float64 { return kernel.NormCDF(u) }),
			Message: "This is what stands under the integral, not yet differentiated."},
		{Key: "phi-not-differentiated", Hint: 2,
			Answer:  formed(func(p place, u float64) float64 { return p.lambda * kernel.NormCDF(u) }),
			Message: "The inner derivative λ is there, and the outer one is not: Φ′ is the standard normal density, and Φ itself still stands there."},
		{Key: "variance-for-sigma", Hint: 2,
			Message: "Inside Φ stands μ+σ²z. The substitution is a = μ+σz, with the standard deviation; the argument sigma2 is σ².",
			Answer: formed(func(p place, _ float64) float64 {
				return p.lambda * kernel.NormPDF(p.lambda*(p.mu+
					p.sigma2*p.z))
			})},
		{Key: "lambda-lost-inside", Hint: 2,
			Answer:  formed(func(p place, u float64) float64 { return p.lambda * kernel.NormPDF(u/p.lambda) }),
			Message: "λ is lost inside the density: it is evaluated at λ(μ+σz), as Φ was."},
		{Key: "with-respect-to-z", Hint: 2,
			Message: "This is the derivative with respect to z, by the product rule. Return the one with respect to μ, which stands in Φ only.",
			Answer:  formed(func(p place, u float64) float64 { return p.lambda*p.sigma()*kernel.NormPDF(u) - p.z*kernel.NormCDF(u) })},
		{Key: "exponent-half", Hint: 2,
			Message: "The ½ in the exponents is missing: a normal density is e to the minus ½ u².",
			Answer:  formed(func(p place, u float64) float64 { return p.lambda * math.Exp(-u*u-p.z*p.z/2) / math.Sqrt(2*math.Pi) })},
	},
}

// formed is an Integrand: f of p and u = λμ+λσz, times N(z|0,1).
func formed(f func(p place, u float64) float64) integrandFunc {
	return func(mu, s2, l, z float64) float64 {
		p := place{point{mu, s2, l}, z}
		return f(p, p.u()) * kernel.NormPDF(z)
	}
}

var askSquare = &judge.Question[squareFunc, point]{
	Func: "Square", Name: "Square", Key: "square", Hint: 3, Entries: []string{"c", "centre", "rest"},
	Ask:   func(f squareFunc, _ *judge.Call, p point) []float64 { return three(f, p) },
	Right: func(p point) []float64 { return three(completed, p) },
	Unit: func(p point, right []float64) []float64 {
		return []float64{right[0], 1, 1 + p.lambda*p.lambda*p.mu*p.mu}
	},
	Mistakes: []judge.Mistake[squareFunc]{
		{Key: "halves", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c / 2, z, r / 2 }),
			Message: "The centre is right, and c and rest have a factor ½: that of the exponent. It stands outside here; complete the square of λ²(μ+σz)² + z² itself."},
		{Key: "centre-sign", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, -z, r }),
			Message: "The sign of the centre is turned: in (z−centre)² the term with z is −2·centre·z, and it must come out as +2λ²μσz."},
		{Key: "nothing-taken-off", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, z, r + c*z*z }),
			Message: "The rest is λ²μ², as it stood before: what the completed square adds, c·centre², has to be taken off again."},
		{Key: "added-twice", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, z, r + 2*c*z*z }),
			Message: "In the rest c·centre² is added. The square has put it in already: it has to be taken off."},
		{Key: "centre-not-divided", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, z * c, r }),
			Message: "The centre is not divided by c: take the factor c out of both terms with z before completing the square."},
		{Key: "off-without-c", Hint: 3,
			Message: "In the rest centre² is taken off without its factor c, which stands before the whole square.",
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, z, r + c*z*z - z*z })},
		{Key: "one-lost", Hint: 3,
			Message: "The term z², from N(z|0,1), is lost: only the square that stood in Φ is left.",
			Answer:  func(mu, s2, l float64) (c, centre, rest float64) { return l * l * s2, -mu / math.Sqrt(s2), 0 }},
		{Key: "centre-doubled", Hint: 3,
			Answer:  squared(func(c, z, r float64) (float64, float64, float64) { return c, 2 * z, r }),
			Message: "The centre is twice as far out as it should be: in c(z−centre)² the term with z has a 2 already."},
		{Key: "lambda-not-squared", Hint: 3,
			Message: "λ stands where λ² belongs: the whole bracket is squared, and λ with it.",
			Answer:  func(mu, s2, l float64) (c, centre, rest float64) { return completed(mu, s2, math.Sqrt(l)) }},
	},
}

func three(f squareFunc, p point) []float64 {
	c, centre, rest := f(p.mu, p.sigma2, p.lambda)
	return []float64{c, centre, rest}
}

// completed is the right Square.
func completed(mu, s2, l float64) (c, centre, rest float64) {
	c = 1 + l*l*s2
	return c, -l * l * mu * math.Sqrt(s2) / c, l * l * mu * mu / c
}

// squared is a Square computed from the numbers of the right Square.
func squared(f func(c, centre, rest float64) (float64, float64, float64)) squareFunc {
	return func(mu, s2, l float64) (c, centre, rest float64) { return f(completed(mu, s2, l)) }
}

var askConstant = &judge.Question[constantFunc, antiderivative]{
	Func: "Constant", Name: "Constant", Key: "constant", Hint: 3,
	Ask:   func(f constantFunc, _ *judge.Call, a antiderivative) []float64 { return []float64{f(a.at)} },
	Right: func(a antiderivative) []float64 { return []float64{-a.plus} },
	Unit:  func(antiderivative, []float64) []float64 { return []float64{1} },
	Mistakes: append([]judge.Mistake[constantFunc]{
		{Key: "at-zero", Hint: 3, Answer: func(f func(float64) float64) float64 { return -f(0) },
			Message: "This is −F(0), as if I vanished at μ = 0. There it is ½; it vanishes for μ → −∞."},
		{Key: "limit-sign", Hint: 3, Answer: func(f func(float64) float64) float64 { return f(math.Inf(-1)) },
			Message: "This is the limit of F for μ → −∞, with the wrong sign: F + C has to vanish there."},
		{Key: "other-limit", Hint: 3, Answer: func(f func(float64) float64) float64 { return -f(math.Inf(1)) },
			Message: "This makes F + C vanish for μ → +∞. There I is 1: Φ(λa) is 1 where the Gaussian lies. It vanishes on the other side."},
		{Key: "one-at-left", Hint: 3, Answer: func(f func(float64) float64) float64 { return 1 - f(math.Inf(-1)) },
			Message: "This makes F + C equal to 1 for μ → −∞. There I is 0."},
		{Key: "always-zero", Hint: 3, Answer: func(func(float64) float64) float64 { return 0 },
			Message: "The constant is 0 only if F vanishes for μ → −∞, as a distribution function does. Here F may be another antiderivative, such as one made with erf."},
		{Key: "always-half", Hint: 3, Answer: func(func(float64) float64) float64 { return 0.5 },
			Message: "½ is the constant for an F made with ½ erf, which is −½ for μ → −∞. Here F may be another."},
	}, tooNear()...),
}

// tooNear returns answers that use F at places where I has not fallen to 0 for every problem.
func tooNear() (list []judge.Mistake[constantFunc]) {
	for _, mu := range []float64{-1, -2, -3, -5, -6, -8, -10, -12, -20, -30, -50, -100, -200, -500, -1000, -2000,
		-5000} {
		list = append(list,
			judge.Mistake[constantFunc]{Key: "too-near", Hint: 3,
				Answer:  func(f func(float64) float64) float64 { return -f(mu) },
				Message: "This is −F at one μ that is not far enough to the left: for {problem} I has not fallen to 0 there. The limit is meant; F takes −Inf, too."})
	}
	return list
}

func init() {
	judge.Known(exercise, askIntegral, func(f function) *verify.Report { return Check(f, density(width)) })
	judge.Known(exercise, askSlope, func(f function) *verify.Report { return Check(probit(width), f) })
	judge.Known(exercise, askIntegrand,
		func(f integrandFunc) *verify.Report { return CheckSteps(f, completed, atLeft) })
	judge.Known(exercise, askSquare, func(f squareFunc) *verify.Report { return CheckSteps(derived, f, atLeft) })
	judge.Known(exercise, askConstant, func(f constantFunc) *verify.Report { return CheckSteps(derived, completed, f) })
}

// derived is the right Integrand, and atLeft is the right Constant.
func derived(mu, s2, l, z float64) float64 { return askIntegrand.Right(place{point{mu, s2, l}, z})[0] }

func atLeft(f func(float64) float64) float64 { return -f(math.Inf(-1)) }
