package ex16_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex16"
)

type likelihoodFunc = func(p, pi []float64) float64

func TestRight(t *testing.T) {
	xlogy := func(x, y float64) float64 {
		if x == 0 {
			return 0
		}
		return x * math.Log(y)
	}
	for _, tc := range []struct {
		name   string
		answer likelihoodFunc
	}{
		{"reference", LogLikelihood},
		{"two sums", func(p, pi []float64) float64 {
			ones, zeros := 0.0, 0.0
			for n := range p {
				ones += xlogy(pi[n], p[n])
				zeros += xlogy(1-pi[n], 1-p[n])
			}
			return ones + zeros
		}},
		{"logarithms of powers: 0⁰ is 1", func(p, pi []float64) float64 {
			l := 0.0
			for n := range p {
				l += math.Log(math.Pow(p[n], pi[n])) + math.Log(math.Pow(1-p[n], 1-pi[n]))
			}
			return l
		}},
		{"mean over the two labels of each point", func(p, pi []float64) float64 {
			l := 0.0
			for n := range p {
				for _, label := range []struct{ share, probability float64 }{{pi[n], p[n]}, {1 - pi[n], 1 - p[n]}} {
					if label.share != 0 {
						l += label.share * math.Log(label.probability)
					}
				}
			}
			return l
		}},
		{"base 2, converted", func(p, pi []float64) float64 {
			l := 0.0
			for n := range p {
				if pi[n] > 0 {
					l += pi[n] * math.Log2(p[n])
				}
				if pi[n] < 1 {
					l += (1 - pi[n]) * math.Log2(1-p[n])
				}
			}
			return l * math.Ln2
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex16.Check(tc.answer)) })
	}
}
