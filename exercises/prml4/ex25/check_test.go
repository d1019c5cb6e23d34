package ex25_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	constantFunc = func() float64
	slopeFunc    = func(lambda float64) float64
)

func checkSigmoid(f constantFunc) *verify.Report { return ex25.CheckSteps(f, ProbitSlope) }
func checkProbit(f slopeFunc) *verify.Report     { return ex25.CheckSteps(SigmoidSlope, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex25.Exercise(), gate.Of(ex25.Check, LambdaSquared), gate.Of(checkSigmoid, SigmoidSlope),
		gate.Of(checkProbit, ProbitSlope))
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex25.Check, map[string]constantFunc{
		"reference":      LambdaSquared,
		"π/8":            func() float64 { return math.Pi / 8 },
		"by the density": func() float64 { return math.Pow(0.25*math.Sqrt(2*math.Pi), 2) },
		"by bisection": func() float64 {
			lo, hi := 0.0, 1.0
			for range 200 {
				if mid := (lo + hi) / 2; math.Sqrt(mid/(2*math.Pi)) < 0.25 {
					lo = mid
				} else {
					hi = mid
				}
			}
			return lo
		},
	})
	gate.Rights(t, checkSigmoid, map[string]constantFunc{
		"half of a half":    func() float64 { return 0.5 * (1 - 0.5) },
		"e^0/(1+e^0)²":      func() float64 { return math.Exp(0) / math.Pow(1+math.Exp(0), 2) },
		"hyperbolic cosine": func() float64 { return math.Pow(2*math.Cosh(0), -2) },
	})
	gate.Rights(t, checkProbit, map[string]slopeFunc{
		"density from distuv":                 func(l float64) float64 { return l * distuv.UnitNormal.Prob(0) },
		"by erf":                              func(l float64) float64 { return 0.5 * 2 / math.Sqrt(math.Pi) * l / math.Sqrt2 },
		"density with standard deviation 1/λ": func(l float64) float64 { return distuv.Normal{Mu: 0, Sigma: 1 / l}.Prob(0) },
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	constant := func(v float64) constantFunc { return func() float64 { return v } }
	times := func(c float64) slopeFunc { return func(l float64) float64 { return c * ProbitSlope(l) } }
	gate.Wrongs(t, ex25.Exercise(), ex25.Check, map[string][]constantFunc{
		"rounded":  {constant(0.3927), constant(22. / 7 / 8)},
		"zero":     {func() float64 { n, d := 1, 8; return float64(n/d) * math.Pi }},
		"negative": {constant(-math.Pi / 8)},
		"slope":    {constant(0.2)},
		"gap":      {constant(3)},
	})
	gate.Wrongs(t, ex25.Exercise(), checkSigmoid, map[string][]constantFunc{
		"sigmoid-sign": {constant(-0.25)}, "sigmoid-value": {constant(0.3)}, "sigmoid-nearly": {constant(0.250001)},
	})
	gate.Wrongs(t, ex25.Exercise(), checkProbit, map[string][]slopeFunc{
		"probit-sign": {times(-1)}, "probit-factor": {times(0.5)}, "probit-nearly": {times(1.00001)},
		"probit-value": {func(float64) float64 { return math.MaxFloat64 }},
	})
	// A λ² with rounded decimals changes the slope noticeably, but not the largest distance between
	// the curves.
	if gap := ex25.Check(constant(0.3927)).Parts[2]; gap.Outcome != verify.Right {
		t.Errorf("the part on the gap should accept a rounded λ², but its message is %s", gap.Message)
	}
}

func ExampleCheck() {
	fmt.Println(ex25.Check(func() float64 { return 8 / math.Pi }).Parts[1].Message)
	// Output: Your number is the reciprocal: 1/λ². λ scales the argument of Φ, not of σ.
}

func ExampleCheckSteps() {
	flat := func(lambda float64) float64 { return 1 / math.Sqrt(2*math.Pi) }
	fmt.Println(ex25.CheckSteps(SigmoidSlope, flat).Parts[1].Message)
	// Output: Your slope does not contain λ: the inner derivative of Φ(λa) is missing.
}

/*
Equivalent mutants

LambdaSquared: lambda := math.Sqrt(2*math.Pi) / 4 → lambda := -(math.Sqrt(2*math.Pi) / 4)
    The function returns λ², which does not depend on the sign.
*/
