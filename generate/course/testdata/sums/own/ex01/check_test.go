package ex01_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"example.org/sums/own/ex01"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex01.Exercise(), gate.Of(ex01.Check, Squares))
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex01.Check, map[string]func([]float64) float64{
		"reference": Squares,
		"backwards": func(x []float64) (sum float64) {
			for i := len(x) - 1; i >= 0; i-- {
				sum += x[i] * x[i]
			}
			return sum
		},
		"power": func(x []float64) (sum float64) {
			for _, v := range x {
				sum += math.Pow(v, 2)
			}
			return sum
		},
		"length": func(x []float64) (sum float64) {
			for _, v := range x {
				sum = math.Hypot(sum, v)
			}
			return sum * sum
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Known(t, ex01.Exercise())
	gate.Wrongs(t, ex01.Exercise(), ex01.Check, map[string][]func([]float64) float64{
		"value": {func(x []float64) float64 { return Squares(x) + 1 }},
	})
}

// TestEquation compares the two sides of an equation of the table on random numbers.
func TestEquation(t *testing.T) {
	equation.Check(t, "own-1.1", func(r *rand.Rand) (left, right any) {
		x := make([]float64, 1+r.IntN(9))
		for i := range x {
			x[i] = r.NormFloat64()
		}
		mean, variance := stat.PopMeanVariance(x, nil)
		return Squares(x), float64(len(x)) * (mean*mean + variance)
	})
}
