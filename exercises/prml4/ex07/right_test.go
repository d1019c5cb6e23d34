package ex07_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name           string
		sigmoid, logit func(float64) float64
	}{
		{"reference", Sigmoid, Logit},
		{"both sides apart, difference of logarithms", func(a float64) float64 {
			if a >= 0 {
				return 1 / (1 + math.Exp(-a))
			}
			return math.Exp(a) / (1 + math.Exp(a))
		}, func(y float64) float64 { return math.Log(y) - math.Log1p(-y) }},
		{"exponential of −|a|, minus the log of the inverse odds", func(a float64) float64 {
			e := math.Exp(-math.Abs(a))
			if a < 0 {
				return e / (1 + e)
			}
			return 1 / (1 + e)
		}, func(y float64) float64 { return -math.Log((1 - y) / y) }},
		{"a power, log of 1/y−1", func(a float64) float64 { return math.Pow(1+math.Exp(-a), -1) },
			func(y float64) float64 { return -math.Log(1/y - 1) }},
		{"1 + expm1, plain difference of logarithms", func(a float64) float64 { return 1 / (2 + math.Expm1(-a)) },
			func(y float64) float64 { return math.Log(y) - math.Log(1-y) }},
		{"tanh to the right only, artanh in the middle", func(a float64) float64 {
			if a < 0 {
				return math.Exp(a) / (1 + math.Exp(a))
			}
			return (1 + math.Tanh(a/2)) / 2
		}, func(y float64) float64 {
			if math.Abs(y-0.5) < 0.25 {
				return 2 * math.Atanh(2*y-1)
			}
			return math.Log(y / (1 - y))
		}},
		{"hyperbolic functions, Newton's method", func(a float64) float64 {
			if math.Abs(a) > 600 {
				return 1 / (1 + math.Exp(-a))
			}
			return math.Exp(a/2) / (2 * math.Cosh(a/2))
		}, newton},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex07.Check(tc.sigmoid, tc.logit)) })
	}
}

// newton solves ln σ(a) = ln y, or ln σ(−a) = ln(1−y), whichever is the smaller;
// both are concave in a, and a start to the left of the root climbs to it.
func newton(y float64) float64 {
	if y > 0.5 {
		return -newton(1 - y)
	}
	target := math.Log(y)
	a := target // σ(a) < e^a
	for range 60 {
		value := a - math.Log1p(math.Exp(a)) // ln σ(a) for a ≤ 0
		slope := 1 / (1 + math.Exp(a))       // σ(−a)
		a += (target - value) / slope
	}
	return a
}
