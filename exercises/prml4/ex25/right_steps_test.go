package ex25_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
)

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name    string
		sigmoid func() float64
		probit  func(lambda float64) float64
	}{
		{"reference", SigmoidSlope, ProbitSlope},
		{"half of a half, library density", func() float64 { return 0.5 * (1 - 0.5) }, func(l float64) float64 { return l * distuv.UnitNormal.Prob(0) }},
		{"e^0/(1+e^0)², by erf", func() float64 { return math.Exp(0) / math.Pow(1+math.Exp(0), 2) }, func(l float64) float64 {
			return 0.5 * 2 / math.Sqrt(math.Pi) * l / math.Sqrt2
		}},
		{"hyperbolic cosine, a density of width 1/λ", func() float64 { return math.Pow(2*math.Cosh(0), -2) }, func(l float64) float64 {
			return distuv.Normal{Mu: 0, Sigma: 1 / l}.Prob(0)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex25.CheckSteps(tc.sigmoid, tc.probit)) })
	}
}
