package ex13_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
)

type linkFunc = func(v, t float64) float64

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name                   string
		byOutput, byActivation linkFunc
	}{
		{"reference", ByOutput, ByActivation},
		{"two fractions, tanh", func(y, t float64) float64 { return -t/y + (1-t)/(1-y) },
			func(a, t float64) float64 { return (1+math.Tanh(a/2))/2 - t }},
		{"by cases", func(y, t float64) float64 {
			if t == 1 {
				return -1 / y
			}
			return 1 / (1 - y)
		}, func(a, t float64) float64 {
			if t == 1 {
				return -sigmoid(-a)
			}
			return sigmoid(a)
		}},
		{"one power, both terms kept", func(y, t float64) float64 { return -math.Pow(t-1+y, -1) },
			func(a, t float64) float64 { return (1-t)*sigmoid(a) - t*sigmoid(-a) }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex13.CheckSteps(tc.byOutput, tc.byActivation)) })
	}
}
