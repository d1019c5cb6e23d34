package ex17_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
)

type piecesFunc = func(a []float64, k, j int) (numerator, denominator float64)

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer piecesFunc
	}{
		{"reference", Pieces},
		{"two cases", func(a []float64, k, j int) (float64, float64) {
			if j != k {
				return 0, math.Exp(a[j])
			}
			return math.Exp(a[k]), math.Exp(a[k])
		}},
		{"identity matrix", func(a []float64, k, j int) (float64, float64) {
			I := mat.NewDense(len(a), len(a), nil)
			for i := range a {
				I.Set(i, i, 1)
			}
			sum := 0.0
			for i := range a {
				sum += I.At(i, j) * math.Exp(a[i])
			}
			return I.At(k, j) * math.Exp(a[k]), sum
		}},
		{"difference quotients", func(a []float64, k, j int) (float64, float64) {
			const h = 1e-2
			d := math.Exp(a[j]) * (8*(math.Exp(h)-math.Exp(-h)) - math.Exp(2*h) + math.Exp(-2*h)) / (12 * h)
			if k == j {
				return d, d
			}
			return 0, d
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex17.CheckSteps(tc.answer)) })
	}
}
