package ex26

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// An antiderivative of dI/dμ, which is N(μ|0, λ⁻²+σ²).
type antiderivative struct {
	point
	plus float64 // what it is more than I
}

// at is its value, with the limits at ±∞.
func (a antiderivative) at(mu float64) float64 { return kernel.NormCDF(mu/a.width()) + a.plus }

// antiderivatives: I itself, I − ½ (what erf gives), and others; narrow and wide.
func antiderivatives() []antiderivative {
	r := instance.Source(426, 3)
	out := []antiderivative{{point{0, 2, 0.5}, 0.8}, {point{0, 1, 1}, 0}, {point{0, 0.25, 2}, -0.5}, {point{0, 9e4, 0.01}, 0.3}}
	for _, p := range moderate()[:8] {
		out = append(out, antiderivative{p, 3 * r.NormFloat64()})
	}
	return out
}

func constantStep(constant func(F func(mu float64) float64) float64) steps.Step[antiderivative] {
	// of makes the values of a mistaken rule.
	of := func(f func(a antiderivative) float64) func(antiderivative) []float64 {
		return func(a antiderivative) []float64 { return []float64{f(a)} }
	}
	below := func(mu float64) func(antiderivative) []float64 {
		return of(func(a antiderivative) float64 { return -a.at(mu) })
	}
	const near = "This is −F at one μ that is not far enough to the left: where (λ⁻²+σ²)^½ is large, I has not fallen to 0 there. The limit is meant; F takes −Inf, too."
	list := []learner.Mistake[antiderivative]{
		{Key: "at-zero", Hint: 3, Value: below(0), Message: "This is −F(0), as if I vanished at μ = 0. There it is ½; it vanishes for μ → −∞."},
		{Key: "limit-sign", Hint: 3, Value: of(func(a antiderivative) float64 { return a.plus }),
			Message: "This is the limit of F for μ → −∞, with the wrong sign: F + C has to vanish there."},
		{Key: "other-limit", Hint: 3, Value: of(func(a antiderivative) float64 { return -1 - a.plus }),
			Message: "This makes F + C vanish for μ → +∞. There I is 1: Φ(λa) is 1 where the Gaussian lies. It vanishes on the other side."},
		{Key: "one-at-left", Hint: 3, Value: of(func(a antiderivative) float64 { return 1 - a.plus }),
			Message: "This makes F + C equal to 1 for μ → −∞. There I is 0."},
		{Key: "always-zero", Hint: 3, Value: of(func(antiderivative) float64 { return 0 }),
			Message: "The constant is 0 only if F vanishes for μ → −∞, as Φ(μ/s) does. Here F may be another antiderivative, such as one made with erf."},
		{Key: "always-half", Hint: 3, Value: of(func(antiderivative) float64 { return 0.5 }),
			Message: "½ is the constant for an F made with ½ erf, which is −½ for μ → −∞. Here F may be another."},
	}
	for _, mu := range []float64{-1, -5, -10, -20, -100} {
		list = append(list, learner.Mistake[antiderivative]{Key: "too-near", Hint: 3, Message: near, Value: below(mu)})
	}
	return steps.Step[antiderivative]{
		Name: "Constant", Key: "constant", Hint: 3, Problems: antiderivatives,
		Where: func(a antiderivative) string {
			return fmt.Sprintf("an F with σ² = %.3g and λ = %.3g", a.sigma2, a.lambda)
		},
		Ask:  func(a antiderivative) ([]float64, *verify.Verdict) { return []float64{constant(a.at)}, nil },
		Unit: func(antiderivative, []float64) []float64 { return []float64{1} },
		Routes: []steps.Route[antiderivative]{
			{Name: "the limit", Tol: 1e-9, Value: of(func(a antiderivative) float64 { return -a.plus })},
			{Name: "I − F, with I by quadrature", Tol: 1e-8, Value: of(func(a antiderivative) float64 {
				a.mu = 0.7 * a.width()
				return integral(a.point) - a.at(a.mu)
			})},
		},
		Mistakes: list,
		Right:    "F + C is I for every F: it vanishes for μ → −∞, and agrees with quadrature elsewhere.",
	}
}
