package ex09_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	featuresFunc = func(x float64) []float64
	weightsFunc  = func() []float64
)

// one makes a single feature of a function.
func one(f func(x float64) float64) featuresFunc {
	return func(x float64) []float64 { return []float64{f(x)} }
}

func w(values ...float64) weightsFunc { return func() []float64 { return values } }

func step(x, at float64) float64 {
	if x > at {
		return 1
	}
	return 0
}

// The interval of the variant that is judged, (2, 4) in the common one.
var (
	a, b = ex09.Interval()
	m, h = (a + b) / 2, (b - a) / 2
)

// weights is Weights for that interval: those of −(x−a)(x−b).
var weights = w(-a*b, a+b, -1)

func TestRight(t *testing.T) {
	if gate.Seed() == 0 { // the gate of the notebooks judges the reference answers of variants
		t.Run("reference", func(t *testing.T) { gate.Right(t, ex09.Check(Features, Weights)) })
	}
	for _, tc := range []struct {
		name     string
		features featuresFunc
		weights  weightsFunc
	}{
		{"reference with the weights of the variant", Features, weights},
		{"1 − (x−3)²", one(func(x float64) float64 { return (x - m) * (x - m) }), w(h*h, -1)},
		{"(x−2)(x−4), no bias", one(func(x float64) float64 { return (x - a) * (x - b) }), w(-1)},
		{"a constant feature for the bias", func(x float64) []float64 { return []float64{1, x, x * x} }, w(-a*b, a+b, -1)},
		{"powers to the third, other scale", func(x float64) []float64 { return []float64{x, x * x, x * x * x} }, w(-10*a*b, 10*(a+b), -10, 0)},
		{"distance from the middle", one(func(x float64) float64 { return math.Abs(x - m) }), w(h, -1)},
		{"Gaussian bump", one(func(x float64) float64 { return math.Exp(-(x - m) * (x - m)) }), w(-math.Exp(-h*h), 1)},
		{"two indicators", func(x float64) []float64 { return []float64{step(x, a), step(x, b)} }, w(-0.5, 1, -1)},
		{"the indicator itself", one(func(x float64) float64 {
			if x > a && x < b {
				return 1
			}
			return -1
		}), w(1)},
		{"two hinges", func(x float64) []float64 { return []float64{math.Max(0, x-m), math.Max(0, m-x)} }, w(h, -1, -1)},
		{"Cauchy bump", one(func(x float64) float64 { return 1 / (1 + (x-m)*(x-m)) }), w(-1/(1+h*h), 1)},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex09.Check(tc.features, tc.weights)) })
	}
}
