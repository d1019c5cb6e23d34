package ex12_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex12"
)

type function = func(a float64) float64

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

func TestFunctions(t *testing.T) { gate.Functions(t, ex12.Exercise(), gate.Of(ex12.Check, DSigmoid)) }

func TestRight(t *testing.T) {
	gate.Rights(t, ex12.Check, map[string]function{
		"reference":                    DSigmoid,
		"σ(1−σ), as printed in (4.88)": func(a float64) float64 { y := sigmoid(a); return y * (1 - y) },
		"σ − σ²":                       func(a float64) float64 { y := sigmoid(a); return y - y*y },
		"σ(a)σ(−a)":                    func(a float64) float64 { return sigmoid(a) * sigmoid(-a) },
		"1/(2 + e^a + e^−a)":           func(a float64) float64 { return 1 / (2 + math.Exp(a) + math.Exp(-a)) },
		"hyperbolic cosine":            func(a float64) float64 { return math.Pow(2*math.Cosh(a/2), -2) },
		"hyperbolic tangent":           func(a float64) float64 { h := math.Tanh(a / 2); return (1 - h) * (1 + h) / 4 },
		"from the logarithm":           func(a float64) float64 { return math.Exp(-math.Abs(a) - 2*math.Log1p(math.Exp(-math.Abs(a)))) },
		"e^a/(1+e^a)² for a < 0, and e^−a·σ² for a ≥ 0": func(a float64) float64 {
			if a < 0 {
				return math.Exp(a) / math.Pow(1+math.Exp(a), 2)
			}
			return math.Exp(-a) * math.Pow(sigmoid(a), 2)
		},
	})
}

// TestNotedLoss checks that three answers get three different notes. The first answer loses no
// digits. The second loses digits for large positive a, and the third for large |a|.
func TestNotedLoss(t *testing.T) {
	seen := map[string]bool{}
	for _, answer := range []function{
		DSigmoid,
		// this answer loses digits for large positive a
		func(a float64) float64 { return sigmoid(a) * (1 - sigmoid(a)) },
		// this answer loses digits for large |a|
		func(a float64) float64 { return (1 - math.Pow(math.Tanh(a/2), 2)) / 4 },
	} {
		seen[ex12.Check(answer).Parts[3].Message] = true
	}
	if len(seen) != 3 {
		t.Errorf("three answers with different losses of digits get %d different messages, want 3: %v", len(seen), seen)
	}
}

// TestWrong checks wrong answers. Except for `sigmoid`, they are not in the table of mistakes in
// check.go. For each answer, the report must contain the expected key, that is, the name of the
// mistake.
func TestWrong(t *testing.T) {
	scaled := func(c float64) function { return func(a float64) float64 { return c * DSigmoid(a) } }
	// `beyond` returns an answer that is right for |a| ≤ limit and returns `value` for all other
	// arguments a
	beyond := func(limit, value float64) function {
		return func(a float64) float64 {
			if math.Abs(a) > limit {
				return value
			}
			return DSigmoid(a)
		}
	}
	gate.Wrongs(t, ex12.Exercise(), ex12.Check, map[string][]function{
		"overflow": {
			func(a float64) float64 { return math.Exp(-a) / math.Pow(1+math.Exp(-a), 2) },
			func(a float64) float64 { return math.Exp(-a) * math.Pow(sigmoid(a), 2) },
		},
		"overflow-right": {func(a float64) float64 { return math.Exp(a) / math.Pow(1+math.Exp(a), 2) }},
		"negative":       {scaled(-1), scaled(-2)},
		"factor":         {scaled(0.5), func(a float64) float64 { return math.Pow(math.Cosh(a/2), -2) }},
		"odd":            {math.Tanh},
		"rounded": {
			func(a float64) float64 { return (sigmoid(a+1e-5) - sigmoid(a-1e-5)) / 2e-5 },
			func(a float64) float64 { return (sigmoid(a+1e-3) - sigmoid(a)) / 1e-3 },
			func(a float64) float64 { return float64(float32(DSigmoid(a))) + 1e-7 },
			func(a float64) float64 { // Richardson extrapolation gives 12 right decimals, but Check requires about 15
				d := func(h float64) float64 { return (sigmoid(a+h) - sigmoid(a-h)) / (2 * h) }
				return (4*d(1e-3) - d(2e-3)) / 3
			},
		},
		"slope": {func(float64) float64 { return math.MaxFloat64 },
			func(a float64) float64 { return DSigmoid(a) + 0.01*math.Sin(a) }},
		"not-even": {func(a float64) float64 { return DSigmoid(a) * (1 + 1e-3*math.Max(0, a)) }},
		"area": {func(a float64) float64 {
			// this answer is wrong only between 8.2 and 8.8
			if a > 8.2 && a < 8.8 {
				return 0
			}
			return DSigmoid(a)
		}},
		"clipped": {
			func(a float64) float64 { y := math.Min(1-1e-12, math.Max(1e-12, sigmoid(a))); return y * (1 - y) },
			func(a float64) float64 { return DSigmoid(math.Min(10, math.Max(-10, a))) },
		},
		"tails":         {beyond(10, 0), beyond(30, 0)},
		"in-the-middle": {sigmoid},
		"not-finite":    {beyond(30, math.NaN())},
	})
}

func ExampleCheck() {
	fmt.Println(ex12.Check(func(a float64) float64 { return sigmoid(a) * (1 + sigmoid(a)) }).Parts[1].Message)
	// Output: This is σ(1+σ). Where σ approaches 1 the slope must vanish, so the second factor has the wrong sign.
}
