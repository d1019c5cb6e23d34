package ex12_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex12"
)

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(a float64) float64
	}{
		{"reference", DSigmoid},
		{"σ(1−σ), as (4.88) is printed", func(a float64) float64 { y := sigmoid(a); return y * (1 - y) }},
		{"σ − σ²", func(a float64) float64 { y := sigmoid(a); return y - y*y }},
		{"σ(a)σ(−a)", func(a float64) float64 { return sigmoid(a) * sigmoid(-a) }},
		{"1/(2 + e^a + e^−a)", func(a float64) float64 { return 1 / (2 + math.Exp(a) + math.Exp(-a)) }},
		{"hyperbolic cosine", func(a float64) float64 { return math.Pow(2*math.Cosh(a/2), -2) }},
		{"hyperbolic tangent", func(a float64) float64 { h := math.Tanh(a / 2); return (1 - h) * (1 + h) / 4 }},
		{"from the logarithm", func(a float64) float64 {
			return math.Exp(-math.Abs(a) - 2*math.Log1p(math.Exp(-math.Abs(a))))
		}},
		{"σ² to the left, (1−σ)² to the right of a quotient", func(a float64) float64 {
			if a < 0 {
				return math.Exp(a) / math.Pow(1+math.Exp(a), 2)
			}
			return math.Exp(-a) * math.Pow(sigmoid(a), 2)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex12.Check(tc.answer)) })
	}
}

// TestNotedLoss: digits lost in a tail are right, and noted, each loss in its
// own words.
func TestNotedLoss(t *testing.T) {
	seen := map[string]string{}
	for name, answer := range map[string]func(a float64) float64{
		"none":  DSigmoid,
		"right": func(a float64) float64 { return sigmoid(a) * (1 - sigmoid(a)) },
		"both":  func(a float64) float64 { return (1 - math.Pow(math.Tanh(a/2), 2)) / 4 },
	} {
		parts := ex12.Check(answer).Parts
		message := parts[len(parts)-1].Message
		if other, ok := seen[message]; ok {
			t.Errorf("digits lost on %s and %s: the same message %q", name, other, message)
		}
		seen[message] = name
	}
}
