package ex26

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// squareFunc is the learner's Square.
type squareFunc = func(mu, sigma2, lambda float64) (c, centre, rest float64)

// completed makes three numbers from λ², σ and μ.
func completed(f func(l2, s, mu float64) (c, centre, rest float64)) func(point) []float64 {
	return func(p point) []float64 {
		c, centre, rest := f(p.lambda*p.lambda, math.Sqrt(p.sigma2), p.mu)
		return []float64{c, centre, rest}
	}
}

// parabola is λ²(μ+σz)² + z².
func (p point) parabola(z float64) float64 {
	u := p.lambda * (p.mu + math.Sqrt(p.sigma2)*z)
	return u*u + z*z
}

func squareStep(square squareFunc) steps.Step[point] {
	return steps.Step[point]{
		Name: "Square", Key: "square", Hint: 3, Entries: []string{"c", "centre", "rest"},
		Problems: func() []point { return append(moderate(), point{0.7, 0, 1.3}) },
		Where: func(p point) string {
			return fmt.Sprintf("μ = %.3g, σ² = %.3g and λ = %.3g", p.mu, p.sigma2, p.lambda)
		},
		Ask: func(p point) ([]float64, *verify.Verdict) {
			c, centre, rest := square(p.mu, p.sigma2, p.lambda)
			return []float64{c, centre, rest}, nil
		},
		Unit: func(p point, right []float64) []float64 {
			return []float64{right[0], 1, 1 + p.lambda*p.lambda*p.mu*p.mu}
		},
		Routes: []steps.Route[point]{
			{Name: "the algebra", Tol: 1e-9, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, -l2 * mu * s / c, l2 * mu * mu / c
			})},
			{Name: "the parabola through three values of λ²(μ+σz)² + z²", Tol: 1e-9, Value: func(p point) []float64 {
				left, middle, right := p.parabola(-1), p.parabola(0), p.parabola(1)
				c := (right-middle)/2 + (left-middle)/2
				centre := (left - right) / (4 * c)
				return []float64{c, centre, p.parabola(centre)} // the square vanishes there
			}},
		},
		Mistakes: []learner.Mistake[point]{
			{Key: "halves", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c / 2, -l2 * mu * s / c, l2 * mu * mu / c / 2
			}), Message: "The centre is right, and c and rest have a factor ½: that of the exponent. It stands outside here; asked for is the square of λ²(μ+σz)² + z² itself."},
			{Key: "centre-sign", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, l2 * mu * s / c, l2 * mu * mu / c
			}), Message: "The sign of the centre is turned: in (z−centre)² the term with z is −2·centre·z, and it must come out as +2λ²μσz."},
			{Key: "nothing-taken-off", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, -l2 * mu * s / c, l2 * mu * mu
			}), Message: "The rest is λ²μ², as it stood before: what the completed square adds, c·centre², has to be taken off again."},
			{Key: "added-twice", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, -l2 * mu * s / c, l2*mu*mu + l2*mu*s*l2*mu*s/c
			}), Message: "In the rest c·centre² is added. The square has put it in already: it has to be taken off."},
			{Key: "centre-not-divided", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				return 1 + l2*s*s, -l2 * mu * s, l2 * mu * mu / (1 + l2*s*s)
			}), Message: "The centre is not divided by c: take the factor c out of both terms with z before completing the square."},
			{Key: "off-without-c", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, -l2 * mu * s / c, l2*mu*mu - l2*mu*s/c*l2*mu*s/c
			}), Message: "In the rest centre² is taken off without its factor c, which stands before the whole square."},
			{Key: "one-lost", Hint: 3, Value: func(p point) []float64 {
				if p.sigma2 == 0 {
					return nil // no square of z is left there
				}
				return []float64{p.lambda * p.lambda * p.sigma2, -p.mu / math.Sqrt(p.sigma2), 0}
			}, Message: "The term z², from N(z|0,1), is lost: only the square that stood in Φ is left."},
			{Key: "centre-doubled", Hint: 3, Value: completed(func(l2, s, mu float64) (float64, float64, float64) {
				c := 1 + l2*s*s
				return c, -2 * l2 * mu * s / c, l2 * mu * mu / c
			}), Message: "The centre is twice as far out as it should be: in c(z−centre)² the term with z has a 2 already."},
		},
		Right: "c(z−centre)² + rest is λ²(μ+σz)² + z² for every z, by algebra and through three points.",
	}
}

// judgeVolume uses the learner's numbers for what they are good for: the integral
// of exp(−½c(z−centre)²) is √(2π/c), wherever the centre lies.
func judgeVolume(square squareFunc) verify.Verdict {
	for _, p := range moderate() {
		c, centre, rest := square(p.mu, p.sigma2, p.lambda)
		if !(c > 0) || math.IsInf(c, 0) {
			return verify.Fail("square-c-not-positive", 3, "At μ = %.3g, σ² = %.3g, λ = %.3g your c is %g. It is a sum of squares, one of which is 1.", p.mu, p.sigma2, p.lambda, c)
		}
		got := p.lambda / math.Sqrt(2*math.Pi*c) * math.Exp(-rest/2)
		if f := verify.Close(got*p.width(), slope(p)*p.width(), verify.Tolerance{Abs: 1e-8}); !f.OK {
			return verify.Fail("square-integral", 3, "At μ = %.3g, σ² = %.3g, λ = %.3g the integral λ/(2π)·√(2π/c)·exp(−rest/2), with your c and rest, is not dI/dμ by quadrature: relative to its height it is %s.", p.mu, p.sigma2, p.lambda, f.Off())
		}
		if math.IsNaN(centre) {
			return verify.Fail("square-not-finite", 3, "Your centre is %g.", centre)
		}
	}
	return verify.Pass("λ/(2π)·√(2π/c)·exp(−rest/2) is dI/dμ, by quadrature; the centre does not matter for it.")
}
