package ex19_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
)

type curveFunc = func(x float64) float64

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name        string
		slope, bend curveFunc
	}{
		{"reference", LogSlope, LogBend},
		{"quotient rule, unsimplified", func(x float64) float64 { return pdf(x) / cdf(x) },
			func(x float64) float64 { return -x*pdf(x)/cdf(x) - math.Pow(pdf(x)/cdf(x), 2) }},
		{"through logarithms", func(x float64) float64 { return math.Exp(math.Log(pdf(x)) - math.Log(cdf(x))) },
			func(x float64) float64 { m := math.Exp(math.Log(pdf(x)) - math.Log(cdf(x))); return -m*x - m*m }},
		{"library density", func(x float64) float64 { return distuv.UnitNormal.Prob(x) / distuv.UnitNormal.CDF(x) },
			func(x float64) float64 {
				m := distuv.UnitNormal.Prob(x) / distuv.UnitNormal.CDF(x)
				return -(m + x) * m
			}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex19.CheckSteps(tc.slope, tc.bend)) })
	}
}
