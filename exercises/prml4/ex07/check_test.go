package ex07_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type function = func(float64) float64

func checkSigmoid(f function) *verify.Report { return ex07.Check(f, Logit) }
func checkLogit(f function) *verify.Report   { return ex07.Check(Sigmoid, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex07.Exercise(), gate.Of(checkSigmoid, Sigmoid), gate.Of(checkLogit, Logit))
}

// leftRight returns the function that is left(a) for a < 0 and right(a) otherwise.
func leftRight(left, right function) function {
	return func(a float64) float64 {
		if a < 0 {
			return left(a)
		}
		return right(a)
	}
}

// nearFar returns the function that is near(a) for |a| ≤ limit and far(a) otherwise.
func nearFar(limit float64, near, far function) function {
	return func(a float64) float64 {
		if math.Abs(a) > limit {
			return far(a)
		}
		return near(a)
	}
}

// expOver returns e^a/(1+e^a).
func expOver(a float64) float64 { return math.Exp(a) / (1 + math.Exp(a)) }

func TestRight(t *testing.T) {
	gate.Rights(t, checkSigmoid, map[string]function{
		"reference": Sigmoid,
		"different formulas for a < 0 and a ≥ 0": leftRight(expOver, Sigmoid),
		"the power −1 of 1+e^−a":                 func(a float64) float64 { return math.Pow(1+math.Exp(-a), -1) },
		"1/(2 + expm1(−a))":                      func(a float64) float64 { return 1 / (2 + math.Expm1(-a)) },
		"tanh for a ≥ 0":                         leftRight(expOver, func(a float64) float64 { return (1 + math.Tanh(a/2)) / 2 }),
		"exactly 0 and 1 beyond ±700": nearFar(700, Sigmoid,
			func(a float64) float64 { return math.Max(0, math.Copysign(1, a)) }),
		"hyperbolic functions": nearFar(600, func(a float64) float64 { return math.Exp(a/2) / (2 * math.Cosh(a/2)) },
			Sigmoid),
	})
	gate.Rights(t, checkLogit, map[string]function{
		"difference of logarithms, with Log1p":    func(y float64) float64 { return math.Log(y) - math.Log1p(-y) },
		"difference of logarithms, without Log1p": func(y float64) float64 { return math.Log(y) - math.Log(1-y) },
		"minus the logarithm of the inverse odds": func(y float64) float64 { return -math.Log((1 - y) / y) },
		"minus the logarithm of 1/y−1":            func(y float64) float64 { return -math.Log(1/y - 1) },
		"all digits near ½": func(y float64) float64 {
			if y < 0.25 {
				return Logit(y)
			}
			return math.Log1p((2*y - 1) / (1 - y))
		},
		"artanh in the middle": func(y float64) float64 {
			if math.Abs(y-0.5) < 0.25 {
				return 2 * math.Atanh(2*y-1)
			}
			return Logit(y)
		},
		"Newton's method": newton,
	})
}

// newton solves ln σ(a) = ln y for y ≤ ½. For y > ½ it returns −newton(1−y). ln σ(a) increases and is
// concave, so Newton's method never passes the root if it starts to the left of the root.
func newton(y float64) float64 {
	if y > 0.5 {
		return -newton(1 - y)
	}
	target := math.Log(y)
	a := target // to the left of the root, because σ(a) < e^a
	for range 60 {
		value := a - math.Log1p(math.Exp(a)) // `value` is ln σ(a), in a form that does not overflow for a ≤ 0
		slope := 1 / (1 + math.Exp(a))       // σ(−a)
		a += (target - value) / slope
	}
	return a
}

// TestLargeMiss checks that the report rounds an error above 1 to one significant digit. Rounded to
// powers of ten, the two errors of this clipped logit would be 1000 and 10.
func TestLargeMiss(t *testing.T) {
	clipped := func(y float64) float64 { return Logit(math.Max(0.001, math.Min(y, 0.999))) }
	var said []string
	for _, p := range ex07.Check(Sigmoid, clipped).Parts {
		said = append(said, p.Message)
	}
	text := strings.Join(said, "\n")
	// the errors are 684 at y = 1e−300 and 8.1 at a = −15
	for _, want := range []string{"it is off by about 700.", "it is off by about 8."} {
		if !strings.Contains(text, want) {
			t.Errorf("want a message that contains %q, got the messages\n%s", want, text)
		}
	}
}

// TestWrong checks wrong answers, most of which are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	// `replaced` returns a function that equals f, except that its value between the numbers `from`
	// and `to` is the number `value`.
	replaced := func(f function, from, to, value float64) function {
		return func(x float64) float64 {
			if x > from && x < to {
				return value
			}
			return f(x)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	gate.Wrongs(t, ex07.Exercise(), checkSigmoid, map[string][]function{
		"overflow": {expOver, func(a float64) float64 { return math.Exp(a/2) / (math.Exp(a/2) + math.Exp(-a/2)) },
			replaced(Sigmoid, 703, 708, nan)},
		"overflow-left": {
			leftRight(func(a float64) float64 { return math.Exp(-a) / (math.Exp(-a) * (1 + math.Exp(-a))) }, Sigmoid),
			replaced(Sigmoid, -708.5, -703, nan),
		},
		"sign": {func(a float64) float64 { return math.Exp(-a) / (1 + math.Exp(-a)) }},
		"tail-lost": {
			func(a float64) float64 { return 1 - math.Exp(-math.Min(a, 700))/(1+math.Exp(-math.Min(a, 700))) },
			replaced(Sigmoid, -inf, -20, 0), replaced(Sigmoid, -inf, -38, 0),
		},
		"one-missing": {func(a float64) float64 {
			return map[bool]function{true: math.Exp,
				false: Sigmoid}[a < -20](a)
		}},
		"digits": {
			func(a float64) float64 { return math.Exp(-math.Log1p(math.Exp(-a))) },
			func(a float64) float64 { return 1 / (1 + math.Pow(math.E, -a)) },
			func(a float64) float64 { return 1 / (1 + math.Pow(2.718281828459, -a)) },
			func(a float64) float64 { return Sigmoid(a) * (1 - map[bool]float64{true: 0.01}[a < -300]) },
		},
		"cut-off": {replaced(Sigmoid, 30, inf, 1)},
		"clipped": {
			func(a float64) float64 { return Sigmoid(math.Max(-30, math.Min(30, a))) },
			func(a float64) float64 { return math.Max(1e-12, math.Min(1-1e-12, Sigmoid(a))) },
			func(a float64) float64 { return math.Min(1-1e-12, Sigmoid(a)) },
			func(a float64) float64 { return math.Max(1e-300, Sigmoid(a)) },
		},
		"far":           {replaced(Sigmoid, 800, inf, 2), replaced(Sigmoid, -inf, -705, 0.5)},
		"not-finite":    {replaced(Sigmoid, 9, inf, inf)},
		"odd":           {math.Tanh},
		"even":          {func(a float64) float64 { return Sigmoid(math.Abs(a)) }},
		"half":          {func(a float64) float64 { return Sigmoid(a + 0.1) }},
		"not-symmetric": {func(a float64) float64 { return Sigmoid(a) * (1 - map[bool]float64{true: 0.01}[a < -1]) }},
		"value":         {func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		"falling":       {func(a float64) float64 { return 0.5 - math.Atan(a)/math.Pi }},
		"range":         {func(a float64) float64 { return 0.5 + a/4 }},
		"in-the-middle": {func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		"rounded": {func(a float64) float64 { return float64(float32(Sigmoid(a))) },
			func(a float64) float64 { return 1 / (1 + math.Pow(2.7182818, -a)) }},
	})
	gate.Wrongs(t, ex07.Exercise(), checkLogit, map[string][]function{
		"logit-sign":    {func(y float64) float64 { return math.Log(1/y - 1) }},
		"half":          {func(y float64) float64 { return math.Atanh(2*y - 1) }},
		"logit-half":    {func(y float64) float64 { return 1 + Logit(y) }},
		"logit-not-odd": {func(y float64) float64 { return math.Min(Logit(y), 0.9*Logit(y)) }},
		"logit-value": {func(y float64) float64 { return 4 * (y - 0.5) },
			func(float64) float64 { return -math.MaxFloat64 }},
		"logit-rounded": {
			func(y float64) float64 { return float64(float32(Logit(y))) },
			func(y float64) float64 { return math.Log((y + 1e-12) / (1 - y + 1e-12)) },
			func(y float64) float64 { return Logit(y) * (1 + map[bool]float64{true: 1e-6}[y > 1-1e-9]) },
		},
		"logit-ends": {
			func(y float64) float64 { return Logit(math.Max(1e-7, math.Min(1-1e-7, y))) },
			func(y float64) float64 { return Logit(math.Min(1-1e-15, y)) },
			func(y float64) float64 { return math.Log((y + 1e-16) / (1 - y + 1e-16)) },
		},
		"not-finite":  {func(y float64) float64 { return 2 * math.Atanh(2*y-1) }, replaced(Logit, 1-5e-16, inf, inf)},
		"not-inverse": {func(y float64) float64 { return -Logit(y) }, func(y float64) float64 { return 2 * Logit(y) }},
	})
}

// TestMessages checks for two answers that a message says what is wrong with the answer, and that
// this message does not also make a statement that is false for the answer.
func TestMessages(t *testing.T) {
	for _, tc := range []struct {
		name, key, says, never string
		answer                 function
	}{
		{"outputs clipped at 1 − 1e-12", "clipped", "too far from the right value", "your σ(a) is 1.",
			func(a float64) float64 { return math.Min(1-1e-12, Sigmoid(a)) }},
		{"rounded e", "digits", "rounded number e", "subtract",
			func(a float64) float64 { return 1 / (1 + math.Pow(2.718281828459, -a)) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, p := range checkSigmoid(tc.answer).Parts {
				if p.Key == tc.key && strings.Contains(p.Message, tc.says) && !strings.Contains(p.Message, tc.never) {
					return
				}
			}
			t.Errorf("want a part with the key %q whose message contains %q, but not %q:\n%s", tc.key, tc.says, tc.never, checkSigmoid(tc.answer))
		})
	}
}

// TestBothTurned checks two functions with the same wrong sign. The report must call both functions
// wrong, although each function is the inverse of the other.
func TestBothTurned(t *testing.T) {
	r := ex07.Check(func(a float64) float64 { return Sigmoid(-a) }, func(y float64) float64 { return -Logit(y) })
	gate.Wrong(t, ex07.Exercise(), r, "sign")
	gate.Wrong(t, ex07.Exercise(), r, "logit-sign")
	if last := r.Parts[len(r.Parts)-1]; last.Outcome != verify.Right {
		t.Errorf("want the last part right for two inverse functions with wrong signs:\n%s", r)
	}
}

// TestLogitNearHalf checks what the exercise text says about digits that are lost near ½. If
// d = y − ½ is between 3.5·10⁻⁹ and 7·10⁻⁹, ln{y/(1−y)} loses about eight digits, but
// ln{1+(2y−1)/(1−y)} loses none. The exact value is logit(½+d) = 4d·(1 + 4d²/3 + …). The test omits
// the terms after 4d, which are smaller than the rounding errors. The subtraction y − ½ is exact.
func TestLogitNearHalf(t *testing.T) {
	worst, kept := 0.0, 0.0
	for i := range 1000 {
		y := 0.5 + 3.5e-9*(1+float64(i)/1000)
		want := 4 * (y - 0.5)
		worst = math.Max(worst, math.Abs(Logit(y)/want-1))
		kept = math.Max(kept, math.Abs(math.Log1p((2*y-1)/(1-y))/want-1))
	}
	if worst < 2e-9 || worst > 2e-8 {
		t.Errorf("ln{y/(1−y)} has the relative error %.1e, want an error from 2e-9 to 2e-8", worst)
	}
	if kept > 1e-15 {
		t.Errorf("ln{1+(2y−1)/(1−y)} has the relative error %.1e, want at most 1e-15", kept)
	}
}

func ExampleCheck() {
	fmt.Println(ex07.Check(func(a float64) float64 { return 1 / (1 + math.Exp(a)) }, Logit).Parts[1].Message)
	// Output: This is 1/(1+e^a), or e^−a/(1+e^−a), which is σ(−a) = 1 − σ(a). It falls from 1 to 0, as with a wrong sign in the exponent.
}
