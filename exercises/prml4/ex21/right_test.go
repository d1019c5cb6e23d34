package ex21_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex21"
)

type scalar = func(a float64) float64

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name        string
		probit, erf scalar
	}{
		{"reference", Probit, ErfPRML},
		{"erf in both", func(a float64) float64 { return 0.5 * (1 + math.Erf(a/math.Sqrt2)) }, func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) }},
		{"distuv's normal distribution", distuv.UnitNormal.CDF, func(a float64) float64 {
			return math.Sqrt2 * (distuv.UnitNormal.CDF(a) - distuv.UnitNormal.CDF(-a))
		}},
		{"case by sign, roots in other places", func(a float64) float64 {
			if a < 0 {
				return math.Erfc(-a*math.Sqrt(0.5)) / 2
			}
			return 1 - math.Erfc(a*math.Sqrt(0.5))/2
		}, func(a float64) float64 { return 2 / math.Sqrt2 * (1 - math.Erfc(a/math.Sqrt2)) }},
		{"Φ by (4.116) from the chapter's erf", func(a float64) float64 { return 0.5 * (1 + ErfPRML(a)/math.Sqrt2) }, ErfPRML},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex21.Check(tc.probit, tc.erf)) })
	}
}

// TestNotedLoss: 1 + erf is right, and its loss of digits is noted.
func TestNotedLoss(t *testing.T) {
	lossy := ex21.Check(func(a float64) float64 { return 0.5 * (1 + math.Erf(a/math.Sqrt2)) }, ErfPRML)
	if exact := ex21.Check(Probit, ErfPRML); lossy.Parts[1].Message == exact.Parts[1].Message {
		t.Errorf("the report makes no difference between them: %s", exact.Parts[1].Message)
	}
}
