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

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name     string
		features featuresFunc
		weights  weightsFunc
	}{
		{"reference", Features, Weights},
		{"1 − (x−3)²", one(func(x float64) float64 { return (x - 3) * (x - 3) }), w(1, -1)},
		{"(x−2)(x−4), no bias", one(func(x float64) float64 { return (x - 2) * (x - 4) }), w(-1)},
		{"a constant feature for the bias", func(x float64) []float64 { return []float64{1, x, x * x} }, w(-8, 6, -1)},
		{"powers to the third, other scale", func(x float64) []float64 { return []float64{x, x * x, x * x * x} }, w(-80, 60, -10, 0)},
		{"distance from the middle", one(func(x float64) float64 { return math.Abs(x - 3) }), w(1, -1)},
		{"Gaussian bump", one(func(x float64) float64 { return math.Exp(-(x - 3) * (x - 3)) }), w(-math.Exp(-1), 1)},
		{"two indicators", func(x float64) []float64 { return []float64{step(x, 2), step(x, 4)} }, w(-0.5, 1, -1)},
		{"the indicator itself", one(func(x float64) float64 {
			if x > 2 && x < 4 {
				return 1
			}
			return -1
		}), w(1)},
		{"two hinges", func(x float64) []float64 { return []float64{math.Max(0, x-3), math.Max(0, 3-x)} }, w(1, -1, -1)},
		{"Cauchy bump", one(func(x float64) float64 { return 1 / (1 + (x-3)*(x-3)) }), w(-0.5, 1)},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex09.Check(tc.features, tc.weights)) })
	}
}
