package ex21_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex21"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type scalar = func(a float64) float64

func checkProbit(f scalar) *verify.Report { return ex21.Check(f, ErfPRML) }
func checkErf(f scalar) *verify.Report    { return ex21.Check(Probit, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex21.Exercise(), gate.Of(checkProbit, Probit), gate.Of(checkErf, ErfPRML))
}

func byErf(a float64) float64 { return 0.5 * (1 + math.Erf(a/math.Sqrt2)) }

func TestRight(t *testing.T) {
	gate.Rights(t, checkProbit, map[string]scalar{
		"reference":                    Probit,
		"erf":                          byErf,
		"distuv's normal distribution": distuv.UnitNormal.CDF,
		"Simpson's rule from 0": func(a float64) float64 {
			const n = 20000
			h, sum := a/n, 0.0
			if math.IsInf(a, 0) {
				return byErf(a)
			}
			for i := range n + 1 {
				z := float64(i) * h
				v := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
				switch {
				case i == 0 || i == n:
					sum += v
				case i%2 == 1:
					sum += 4 * v
				default:
					sum += 2 * v
				}
			}
			return 0.5 + sum*h/3
		},
		"a separate formula for a < 0": func(a float64) float64 {
			if a < 0 {
				return math.Erfc(-a*math.Sqrt(0.5)) / 2
			}
			return 1 - math.Erfc(a*math.Sqrt(0.5))/2
		},
		"Φ computed by (4.116) from the chapter's erf": func(a float64) float64 { return 0.5 * (1 + ErfPRML(a)/math.Sqrt2) },
	})
	gate.Rights(t, checkErf, map[string]scalar{
		"erf":                 func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) },
		"difference of areas": func(a float64) float64 { return math.Sqrt2 * (distuv.UnitNormal.CDF(a) - distuv.UnitNormal.CDF(-a)) },
		"erfc":                func(a float64) float64 { return 2 / math.Sqrt2 * (1 - math.Erfc(a/math.Sqrt2)) },
	})
}

// TestNotedLoss checks an answer that computes Φ from 1 + erf. TestRight checks that the report
// accepts this answer. The third part of the report must also contain a note about the lost digits, so
// the message of this part must differ from its message for the exact answer.
func TestNotedLoss(t *testing.T) {
	if lossy, exact := checkProbit(byErf), checkProbit(Probit); lossy.Parts[2].Message == exact.Parts[2].Message {
		t.Errorf("the answer that loses digits needs a note, but both answers have the same message: %s", exact.Parts[2].Message)
	}
}

// TestWrong checks wrong answers. Some of them equal a mistake in the tables of check.go, but test
// the verdicts of other parts of the report or compute the mistake in a different way. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	// notANumberAt returns a function that returns NaN at the given argument, and f(a) at every
	// other argument a
	notANumberAt := func(f scalar, at float64) scalar {
		return func(a float64) float64 {
			if a == at {
				return math.NaN()
			}
			return f(a)
		}
	}
	gate.Wrongs(t, ex21.Exercise(), checkProbit, map[string][]scalar{
		"rounded":           {func(a float64) float64 { return 0.5 * (1 + math.Erf(a/1.4142)) }},
		"value":             {func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		"not-a-probability": {func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }},
		"not-symmetric":     {func(a float64) float64 { return math.Pow(Probit(a), 1.1) }},
		"limits": {
			func(a float64) float64 { return 0.5 * (1 + math.Erf(a)/math.Sqrt2) },
			notANumberAt(Probit, math.Inf(1)),
			func(a float64) float64 { return math.Min(1-1e-10, math.Max(1e-10, Probit(a))) },
		},
		"not-rising": {func(a float64) float64 {
			if math.IsInf(a, 0) {
				return Probit(a)
			}
			return 1 - Probit(a)
		}},
		"usual-relation": {func(a float64) float64 { return (1 + ErfPRML(a/math.Sqrt2)) / 2 }},
		"not-finite":     {func(a float64) float64 { return math.Sqrt2 * math.Erfinv(2*a-1) }},
	})
	gate.Wrongs(t, ex21.Exercise(), checkErf, map[string][]scalar{
		"usual-erf": {func(a float64) float64 { return 2*Probit(math.Sqrt2*a) - 1 }},
		"not-odd": {func(a float64) float64 { return math.Abs(ErfPRML(a)) },
			func(a float64) float64 { return math.Sqrt2 * 2 * Probit(a) }},
		"usual-limit":    {math.Erf},
		"limits":         {func(a float64) float64 { return 3 * math.Erf(a) }},
		"usual-relation": {math.Erf},
		"relation":       {func(a float64) float64 { return 0.9 * ErfPRML(a) }},
		"rounded":        {func(a float64) float64 { return 1.41421 * (2*Probit(a) - 1) }},
		"value":          {math.Tanh},
	})
	gate.Wrong(t, ex21.Exercise(), ex21.Check(func(float64) float64 { return 0.5 }, func(float64) float64 { return 0 }),
		"constant")
}

func TestOneOfTwo(t *testing.T) {
	half := checkErf(func(float64) float64 { panic(verify.TODO) })
	if half.Passed() || half.Count(verify.Right) != 3 || half.Count(verify.NotAttempted) != 4 {
		t.Errorf("only one of the two functions is written: want three parts Right and four parts NotAttempted, got\n%s", half)
	}
}

func ExampleCheck() {
	literal := func(a float64) float64 { return 0.5 * (1 + math.Erf(a)/math.Sqrt2) }
	fmt.Println(ex21.Check(literal, ErfPRML).Parts[1].Key)
	// Output: mixed-definitions
}
