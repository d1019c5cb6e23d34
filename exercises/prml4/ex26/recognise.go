package ex26

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// at is what a mistaken formula makes of all points.
func at(f function) func([]point) []float64 {
	return func(points []point) []float64 {
		v := make([]float64, len(points))
		for i, p := range points {
			v[i] = f(p.mu, p.sigma2, p.lambda)
		}
		return v
	}
}

// probit is Φ(μ/s) for a mistaken s; density is N(μ|0,s²).
func probit(s func(s2, l float64) float64) func([]point) []float64 {
	return at(func(mu, s2, l float64) float64 { return kernel.NormCDF(mu / s(s2, l)) })
}

func density(s func(s2, l float64) float64) func([]point) []float64 {
	return at(func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/s(s2, l)) / s(s2, l) })
}

// width is (λ⁻²+σ²)^½.
func width(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2) }

// A slip is a mistaken width, which spoils both functions alike.
type slip struct {
	key     string
	hint    int
	message string
	width   func(s2, l float64) float64
}

var slips = []slip{
	{"standard-deviation-for-variance", 3, "Under the root stands σ where σ² belongs. The argument sigma2 is σ² already, the variance: variances add, standard deviations do not.",
		func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + math.Sqrt(s2)) }},
	{"variance-squared", 3, "Under the root stands σ⁴: the argument sigma2 is σ² already, and was squared once more.",
		func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2*s2) }},
	{"lambda-not-inverted", 3, "Under the root stands λ² where λ⁻² belongs. A large λ makes Φ(λa) steep, so that it adds little to the width.",
		func(s2, l float64) float64 { return math.Sqrt(l*l + s2) }},
	{"lambda-not-inverted", 3, "Under the root stands λ where λ⁻² belongs. A large λ makes Φ(λa) steep, so that it adds little to the width.",
		func(s2, l float64) float64 { return math.Sqrt(l + s2) }},
	{"lambda-not-squared", 3, "Under the root stands λ⁻¹ where λ⁻² belongs: 1/λ is the width of Φ(λa), and squares of widths are added.",
		func(s2, l float64) float64 { return math.Sqrt(1/l + s2) }},
	{"lambda-left-out", 3, "λ has no effect on your number: Φ(λa) was taken with λ = 1.",
		func(s2, _ float64) float64 { return math.Sqrt(1 + s2) }},
	{"lambda-lost", 3, "This divides μ by (1+λ²σ²)^½: when λ⁻²+σ² was brought to that form, the factor λ in front of μ was lost.",
		func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) }},
	{"lambda-twice", 3, "μ is multiplied by λ, and λ⁻² stands under the root as well: λ comes in twice. Either μ/(λ⁻²+σ²)^½ or λμ/(1+λ²σ²)^½.",
		func(s2, l float64) float64 { return math.Sqrt(1/(l*l)+s2) / l }},
	{"lambda-not-with-variance", 3, "This is Φ of λμ/(1+σ²)^½, or its derivative: when λ was brought in front, σ² under the root should have become λ²σ².",
		func(s2, l float64) float64 { return math.Sqrt(1+s2) / l }},
	{"lambda-not-with-variance", 3, "This is Φ of λμ/(1+λσ²)^½, or its derivative: under the root λ is squared, too.",
		func(s2, l float64) float64 { return math.Sqrt(1+l*s2) / l }},
	{"no-root", 3, "μ is divided by λ⁻²+σ² itself, a variance. What brings μ to a standard scale is its root.",
		func(s2, l float64) float64 { return 1/(l*l) + s2 }},
	{"widths-added", 3, "The widths 1/λ and σ are added as they are. It is their squares that add: a sum of independent variables has the sum of their variances.",
		func(s2, l float64) float64 { return 1/l + math.Sqrt(s2) }},
	{"no-convolution", 1, "This is Φ(λμ), or its derivative: the probit function at the mean, as if the Gaussian had no width. σ² must flatten the curve.",
		func(_, l float64) float64 { return 1 / l }},
	{"step-for-probit", 2, "This is Φ(μ/σ), or its derivative: what comes out for a step instead of Φ(λa). 1/λ is a width of its own.",
		func(s2, _ float64) float64 { return math.Sqrt(s2) }},
	{"half-variance", 3, "Under the root σ² comes in with a factor ½. When the exponents were added, was one ½ taken out twice?",
		func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2/2) }},
	{"double-variance", 3, "Under the root σ² comes in with a factor 2. When the exponents were added, did one of them lose its ½?",
		func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + 2*s2) }},
}

// approximation is (4.153) or what looks like it.
const approximation = "This is the approximation of (4.153), a logistic sigmoid. It is made from the formula that you are to find, by replacing Φ with σ on both sides; the integral of Φ itself has an exact form, without κ and without σ."

var integralMistakes = func() []learner.Mistake[[]point] {
	list := []learner.Mistake[[]point]{
		{Key: "kappa-approximation", Hint: 1, Message: approximation, Value: at(func(mu, s2, _ float64) float64 {
			return kernel.Sigmoid(mu / math.Sqrt(1+math.Pi*s2/8))
		})},
		{Key: "kappa-approximation", Hint: 1, Message: approximation, Value: at(func(mu, s2, l float64) float64 {
			return kernel.Sigmoid(mu / math.Sqrt(1+l*l*s2))
		})},
		{Key: "kappa-approximation", Hint: 1, Message: approximation, Value: at(func(mu, s2, l float64) float64 {
			return kernel.Sigmoid(mu / width(s2, l))
		})},
		{Key: "kappa-approximation", Hint: 1, Value: at(func(mu, s2, _ float64) float64 { return kernel.NormCDF(mu / math.Sqrt(1+math.Pi*s2/8)) }),
			Message: "The factor κ(σ²) of (4.154) is in your formula. It holds a fixed λ, λ² = π/8; here λ is an argument."},
		{Key: "falls", Hint: 1, Value: at(func(mu, s2, l float64) float64 { return kernel.NormCDF(-mu / width(s2, l)) }),
			Message: "This is one minus the integral: it falls as μ grows. Φ(λa) rises with a. Was the sign in erfc turned?"},
		{Key: "constant-of-integration", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return math.Erf(mu/width(s2, l)/math.Sqrt2) / 2 }),
			Message: "This is the integral minus ½: it has the right derivative, and goes from −½ to ½. The limit μ → −∞ fixes the constant of integration."},
		{Key: "constant-of-integration", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return kernel.NormCDF(mu/width(s2, l)) + 0.5 }),
			Message: "This is the integral plus ½: it has the right derivative, and goes from ½ to 1½. The limit μ → −∞ fixes the constant of integration."},
		{Key: "erf-convention", Hint: 4, Value: at(func(mu, s2, l float64) float64 { return math.Erfc(-mu/width(s2, l)) / 2 }),
			Message: "This is ½{1+erf(u)} with Go's erf. Φ(u) is ½{1+erf(u/√2)}: a √2 lies between them (exercise 4.21)."},
		{Key: "erf-for-probit", Hint: 4, Value: at(func(mu, s2, l float64) float64 { return math.Erf(mu / width(s2, l) / math.Sqrt2) }),
			Message: "This is erf(u/√2), from −1 to 1. Φ is half of it, plus ½."},
		{Key: "erf-for-probit", Hint: 4, Value: at(func(mu, s2, l float64) float64 { return math.Erf(mu / width(s2, l)) }),
			Message: "This is erf(u), from −1 to 1. Φ(u) is ½{1+erf(u/√2)}."},
		{Key: "derivative-for-value", Hint: 2, Value: density(width),
			Message: "This is the derivative with respect to μ; it still has to be integrated."},
		{Key: "density", Hint: 2, Value: at(func(mu, s2, l float64) float64 { return kernel.NormPDF(mu / width(s2, l)) }),
			Message: "This is the standard normal density. Φ is its integral from −∞."},
	}
	for _, s := range slips {
		list = append(list, learner.Mistake[[]point]{Key: s.key, Hint: s.hint, Message: s.message, Value: probit(s.width)})
	}
	return list
}()

var slopeMistakes = func() []learner.Mistake[[]point] {
	list := []learner.Mistake[[]point]{
		{Key: "sign", Hint: 1, Value: at(func(mu, s2, l float64) float64 { return -kernel.NormPDF(mu/width(s2, l)) / width(s2, l) }),
			Message: "Your derivative is negative, and right apart from its sign: the integral rises with μ, since Φ(λa) rises with a."},
		{Key: "inner-derivative", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return kernel.NormPDF(mu / width(s2, l)) }),
			Message: "This is the standard normal density at the right place; the inner derivative, the chain rule's factor, is missing."},
		{Key: "inner-derivative", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return l * kernel.NormPDF(mu/width(s2, l)) }),
			Message: "The factor in front is λ, as if Φ(λμ) were differentiated. The Gaussian integral over z leaves another factor behind, in which σ² occurs."},
		{Key: "inner-derivative", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/width(s2, l)) / math.Sqrt(s2) }),
			Message: "The factor in front is 1/σ: the normalisation of N(a|μ,σ²) was left standing, but the integral over z brings the full width in."},
		{Key: "variance-in-front", Hint: 3, Value: at(func(mu, s2, l float64) float64 { return kernel.NormPDF(mu/width(s2, l)) / (1/(l*l) + s2) }),
			Message: "The factor in front is 1/(λ⁻²+σ²), the inverse of a variance. A normal density has the inverse of the standard deviation there, its root."},
		{Key: "times-sigma", Hint: 2, Value: at(func(mu, s2, l float64) float64 {
			return math.Sqrt(s2) * kernel.NormPDF(mu/width(s2, l)) / width(s2, l)
		}), Message: "A factor σ is too much. With a = μ + σz the derivative with respect to μ, at fixed z, is that with respect to a; σ would come in if z were moved."},
		{Key: "exponent-half", Hint: 3, Value: at(func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return math.Exp(-mu*mu/(w*w)) / (w * math.Sqrt(2*math.Pi))
		}), Message: "The ½ in the exponent is missing: a normal density is e to the minus ½ u²."},
		{Key: "peak-not-normalised", Hint: 3, Value: at(func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return math.Exp(-mu*mu/(2*w*w)) / w
		}), Message: "The factor 1/√(2π) is missing: the derivative of Φ is the standard normal density, whose peak is not 1."},
		{Key: "value-for-derivative", Hint: 1, Value: probit(width), Message: "This is the integral itself, not its derivative."},
		{Key: "with-respect-to-variance", Hint: 1, Value: at(func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return -mu / (2 * w * w * w) * kernel.NormPDF(mu/w)
		}), Message: "This is the derivative with respect to σ². Asked for is the one with respect to μ."},
		{Key: "second-derivative", Hint: 2, Value: at(func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return -mu / (w * w * w) * kernel.NormPDF(mu/w)
		}), Message: "This is the second derivative: it was differentiated once too often. Only Φ depends on μ after the change of variable; its derivative is a density."},
		{Key: "kappa-approximation", Hint: 1, Message: approximation, Value: at(func(mu, s2, _ float64) float64 {
			k := 1 / math.Sqrt(1+math.Pi*s2/8)
			return k * kernel.Sigmoid(k*mu) * kernel.Sigmoid(-k*mu)
		})},
	}
	for _, s := range slips {
		list = append(list, learner.Mistake[[]point]{Key: s.key, Hint: s.hint, Message: s.message, Value: density(s.width)})
	}
	return list
}()
