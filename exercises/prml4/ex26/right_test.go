package ex26_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
)

type function = func(mu, sigma2, lambda float64) float64

func phi(u float64) float64     { return math.Erfc(-u/math.Sqrt2) / 2 }
func density(u float64) float64 { return math.Exp(-u*u/2) / math.Sqrt(2*math.Pi) }
func width(s2, l float64) float64 {
	return math.Sqrt(1/(l*l) + s2)
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		convolve, derivative function
	}{
		{"reference", Convolve, DerivativeMu},
		{"λμ/(1+λ²σ²)^½, λ in front", func(mu, s2, l float64) float64 {
			return phi(l * mu / math.Sqrt(1+l*l*s2))
		}, func(mu, s2, l float64) float64 {
			c := 1 + l*l*s2
			return l / math.Sqrt(2*math.Pi*c) * math.Exp(-l*l*mu*mu/(2*c))
		}},
		{"½(1+erf), hypotenuse", func(mu, s2, l float64) float64 {
			return 0.5 * (1 + math.Erf(mu/math.Hypot(1/l, math.Sqrt(s2))/math.Sqrt2))
		}, func(mu, s2, l float64) float64 {
			s := math.Hypot(1/l, math.Sqrt(s2))
			return density(mu/s) / s
		}},
		{"erf with the root of twice the variance", func(mu, s2, l float64) float64 {
			return 0.5 + 0.5*math.Erf(mu/math.Sqrt(2*(math.Pow(l, -2)+s2)))
		}, func(mu, s2, l float64) float64 {
			v := math.Pow(l, -2) + s2
			return math.Exp(-mu*mu/(2*v)-0.5*math.Log(v)) * math.Sqrt2 / 2 / math.Sqrt(math.Pi)
		}},
		{"difference quotient of the formula", Convolve, func(mu, s2, l float64) float64 {
			h := 1e-4 * width(s2, l)
			return (8*(Convolve(mu+h, s2, l)-Convolve(mu-h, s2, l)) - Convolve(mu+2*h, s2, l) + Convolve(mu-2*h, s2, l)) / (12 * h)
		}},
		{"own quadrature", func(mu, s2, l float64) float64 {
			return grid(s2, l, func(a float64) float64 { return phi(l * (mu + a)) })
		}, func(mu, s2, l float64) float64 {
			return grid(s2, l, func(a float64) float64 { return l * density(l*(mu+a)) })
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex26.Check(tc.convolve, tc.derivative)) })
	}
}

// grid integrates f(σz) N(z|0,1) over z with a step that suits λ and σ.
func grid(s2, l float64, f func(a float64) float64) float64 {
	sigma := math.Sqrt(s2)
	h := 0.25 / (1 + l*sigma)
	sum := 0.0
	for i := -int(8.5 / h); i <= int(8.5/h); i++ {
		z := float64(i) * h
		sum += h * f(sigma*z) * density(z)
	}
	return sum
}
