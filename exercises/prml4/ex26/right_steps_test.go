package ex26_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
)

type (
	integrandFunc = func(mu, sigma2, lambda, z float64) float64
	squareFunc    = func(mu, sigma2, lambda float64) (c, centre, rest float64)
	constantFunc  = func(F func(mu float64) float64) float64
)

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name      string
		integrand integrandFunc
		square    squareFunc
		constant  constantFunc
	}{
		{"reference", Integrand, Square, Constant},
		{"two densities, by coefficients, far to the left", func(mu, s2, l, z float64) float64 {
			return l * density(l*mu+l*math.Sqrt(s2)*z) * density(z)
		}, func(mu, s2, l float64) (float64, float64, float64) {
			a, b, d := 1+l*l*s2, 2*l*l*mu*math.Sqrt(s2), l*l*mu*mu // az² + bz + d
			return a, -b / (2 * a), d - b*b/(4*a)
		}, func(F func(mu float64) float64) float64 { return -F(-1e5) }},
		{"with Square inside, with the width, by symmetry", func(mu, s2, l, z float64) float64 {
			c, centre, rest := Square(mu, s2, l)
			return l / (2 * math.Pi) * math.Exp(-(c*(z-centre)*(z-centre)+rest)/2)
		}, func(mu, s2, l float64) (float64, float64, float64) {
			w := width(s2, l)
			c := l * l * w * w
			return c, -mu * math.Sqrt(s2) / (w * w), mu * mu / (w * w)
		}, func(F func(mu float64) float64) float64 { return 0.5 - F(0) }},
		{"difference quotient, three values, from the right", func(mu, s2, l, z float64) float64 {
			f := func(mu float64) float64 { return phi(l*(mu+math.Sqrt(s2)*z)) * density(z) }
			h := 1e-3 / l
			return (8*(f(mu+h)-f(mu-h)) - f(mu+2*h) + f(mu-2*h)) / (12 * h)
		}, func(mu, s2, l float64) (float64, float64, float64) {
			q := func(z float64) float64 { return math.Pow(l*(mu+math.Sqrt(s2)*z), 2) + z*z }
			c := (q(1)+q(-1))/2 - q(0)
			centre := (q(-1) - q(1)) / (4 * c)
			return c, centre, q(0) - c*centre*centre
		}, func(F func(mu float64) float64) float64 { return 1 - F(math.Inf(1)) }},
		{"mean of both ends", Integrand, Square, func(F func(mu float64) float64) float64 {
			return 0.5 - (F(-1e6)+F(1e6))/2
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex26.CheckSteps(tc.integrand, tc.square, tc.constant)) })
	}
}
