package ex07_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSigmoid(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    func(a float64) float64
	}{
		{"e^a/(1+e^a)", "overflow", func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(a)) }},
		{"e^(a/2)/(2 cosh(a/2))", "overflow-left", func(a float64) float64 {
			if a > 0 {
				return 1 / (1 + math.Exp(-a))
			}
			return math.Exp(-a) / (math.Exp(-a) * (1 + math.Exp(-a)))
		}},
		{"e^(a/2)/(e^(a/2)+e^(−a/2))", "overflow", func(a float64) float64 { return math.Exp(a/2) / (math.Exp(a/2) + math.Exp(-a/2)) }},
		{"1 − σ(−a)", "complement", func(a float64) float64 { return 1 - 1/(1+math.Exp(a)) }},
		{"1 − σ(−a) on the left", "complement", func(a float64) float64 {
			if a < 0 {
				return 1 - Sigmoid(-a)
			}
			return Sigmoid(a)
		}},
		{"tanh", "tanh-tail", func(a float64) float64 { return 0.5 + 0.5*math.Tanh(a/2) }},
		{"1 − e^−a/(1+e^−a)", "tail-lost", func(a float64) float64 {
			if a < -300 {
				return 0
			}
			return 1 - math.Exp(-a)/(1+math.Exp(-a))
		}},
		{"exponential of ln σ", "digits", func(a float64) float64 {
			if a < -700 {
				return Sigmoid(a)
			}
			return math.Exp(-math.Log1p(math.Exp(-a)))
		}},
		{"a clipped", "clipped", func(a float64) float64 { return Sigmoid(math.Max(-30, math.Min(30, a))) }},
		{"σ clipped", "clipped", func(a float64) float64 { return math.Max(1e-12, math.Min(1-1e-12, Sigmoid(a))) }},
		{"clipped at ±800", "far", func(a float64) float64 {
			if a > 800 {
				return 2
			}
			return Sigmoid(a)
		}},
		{"1/(1+e^a)", "sign", func(a float64) float64 { return 1 / (1 + math.Exp(a)) }},
		{"1/(1−e^−a)", "denominator-minus", func(a float64) float64 { return 1 / (1 - math.Exp(-a)) }},
		{"power of math.E", "digits", func(a float64) float64 { return 1 / (1 + math.Pow(math.E, -a)) }},
		{"e^a", "one-missing", math.Exp},
		{"1+e^−a", "upside-down", func(a float64) float64 { return 1 + math.Exp(-a) }},
		{"e^a/(1+e^−a)", "exp-for-sum", func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(-a)) }},
		{"tanh a", "tanh", math.Tanh},
		{"tanh a/2", "tanh", func(a float64) float64 { return math.Tanh(a / 2) }},
		{"odd", "odd", math.Tanh},
		{"(1+tanh a)/2", "twice-as-steep", func(a float64) float64 { return (1 + math.Tanh(a)) / 2 }},
		{"σ(a/2)", "half-as-steep", func(a float64) float64 { return Sigmoid(a / 2) }},
		{"Φ(a)", "probit", func(a float64) float64 { return 0.5 * math.Erfc(-a/math.Sqrt2) }},
		{"σ(1−σ)", "derivative", func(a float64) float64 { return Sigmoid(a) * Sigmoid(-a) }},
		{"ln σ", "logarithm", func(a float64) float64 { return -math.Log1p(math.Exp(-a)) }},
		{"step", "step", func(a float64) float64 {
			if a >= 0 {
				return 1
			}
			return 0
		}},
		{"integer a", "constant-half", func(float64) float64 { return 0.5 }},
		{"|a| without sides", "even", func(a float64) float64 { return Sigmoid(math.Abs(a)) }},
		{"arctan", "value", func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		{"arctan is symmetric, digits are not counted", "wrong-in-the-middle", func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		{"falling arctan", "falling", func(a float64) float64 { return 0.5 - math.Atan(a)/math.Pi }},
		{"a line", "range", func(a float64) float64 { return 0.5 + a/4 }},
		{"½ off", "half", func(a float64) float64 { return Sigmoid(a + 0.1) }},
		{"a kink", "not-symmetric", func(a float64) float64 {
			if a < -1 {
				return Sigmoid(a) * 0.99
			}
			return Sigmoid(a)
		}},
		{"float32", "rounded", func(a float64) float64 { return float64(float32(Sigmoid(a))) }},
		{"2.71828", "rounded", func(a float64) float64 { return 1 / (1 + math.Pow(2.7182818, -a)) }},
		{"not a number", "not-finite", func(float64) float64 { return math.NaN() }},
		{"infinite", "not-finite", func(float64) float64 { return math.Inf(1) }},
		{"huge", "range", func(float64) float64 { return math.MaxFloat64 }},
		{"changes", "not-constant", func(a float64) float64 { calls++; return Sigmoid(a) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex07.Exercise(), ex07.Check(tc.answer, Logit), tc.key) })
	}
}

func TestWrongLogit(t *testing.T) {
	odds := func(y float64) float64 { return y / (1 - y) }
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    func(y float64) float64
	}{
		{"ln (1−y)/y", "logit-sign", func(y float64) float64 { return math.Log((1 - y) / y) }},
		{"ln(1/y − 1)", "logit-sign", func(y float64) float64 { return math.Log(1/y - 1) }},
		{"1/σ(y)", "reciprocal", func(y float64) float64 { return 1 / Sigmoid(y) }},
		{"σ(y)", "same-function", Sigmoid},
		{"odds", "odds", odds},
		{"ln y", "log-missing-complement", math.Log},
		{"ln y / ln(1−y)", "ratio-of-logs", func(y float64) float64 { return math.Log(y) / math.Log(1-y) }},
		{"(ln y)/(1−y)", "parenthesis", func(y float64) float64 { return math.Log(y) / (1 - y) }},
		{"ln y + ln(1−y)", "sum-of-logs", func(y float64) float64 { return math.Log(y) + math.Log(1-y) }},
		{"1 + ln y", "minus-one-outside", func(y float64) float64 { return 1 - math.Log(1/y) }},
		{"entropy", "entropy", func(y float64) float64 { return -y*math.Log(y) - (1-y)*math.Log(1-y) }},
		{"base 10", "base-10", func(y float64) float64 { return math.Log10(odds(y)) }},
		{"base 2", "base-2", func(y float64) float64 { return math.Log2(odds(y)) }},
		{"artanh, not doubled", "half", func(y float64) float64 { return math.Atanh(2*y - 1) }},
		{"twice", "twice", func(y float64) float64 { return 2 * math.Log(odds(y)) }},
		{"Φ⁻¹", "probit", func(y float64) float64 { return math.Sqrt2 * math.Erfinv(2*y-1) }},
		{"1 + the logit", "logit-half", func(y float64) float64 { return 1 + Logit(y) }},
		{"one side shrunk", "logit-not-odd", func(y float64) float64 { return math.Min(Logit(y), 0.9*Logit(y)) }},
		{"a polynomial", "logit-value", func(y float64) float64 { return 4 * (y - 0.5) }},
		{"float32", "logit-rounded", func(y float64) float64 { return float64(float32(Logit(y))) }},
		{"y clipped", "logit-ends", func(y float64) float64 { return Logit(math.Max(1e-7, math.Min(1-1e-7, y))) }},
		{"1e-12 inside the logarithms", "logit-rounded", func(y float64) float64 { return math.Log((y + 1e-12) / (1 - y + 1e-12)) }},
		{"1e-16 inside the logarithms", "logit-ends", func(y float64) float64 { return math.Log((y + 1e-16) / (1 - y + 1e-16)) }},
		{"artanh to the ends", "logit-not-finite", func(y float64) float64 { return 2 * math.Atanh(2*y-1) }},
		{"not a number", "logit-not-finite", func(float64) float64 { return math.NaN() }},
		{"infinite", "logit-not-finite", func(float64) float64 { return math.Inf(-1) }},
		{"huge", "logit-value", func(float64) float64 { return -math.MaxFloat64 }},
		{"changes", "not-constant", func(y float64) float64 { calls++; return Logit(y) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex07.Exercise(), ex07.Check(Sigmoid, tc.answer), tc.key) })
	}
}

// TestBothTurned: two functions with the same wrong sign undo each other, and are
// wrong all the same.
func TestBothTurned(t *testing.T) {
	r := ex07.Check(func(a float64) float64 { return Sigmoid(-a) }, func(y float64) float64 { return -Logit(y) })
	gate.Wrong(t, ex07.Exercise(), r, "sign")
	gate.Wrong(t, ex07.Exercise(), r, "logit-sign")
	if last := r.Parts[len(r.Parts)-1]; last.Outcome != verify.Right {
		t.Errorf("two functions that undo each other:\n%s", r)
	}
	gate.Wrong(t, ex07.Exercise(), ex07.Check(Sigmoid, func(y float64) float64 { return -Logit(y) }), "not-inverse")
}

func TestNoAnswer(t *testing.T) {
	todo := func(float64) float64 { panic(verify.TODO) }
	own := func(float64) float64 { panic("my own") }
	gate.Outcome(t, ex07.Check(todo, todo), verify.NotAttempted)
	gate.Outcome(t, ex07.Check(own, own), verify.Crashed)
	gate.Outcome(t, ex07.Check(nil, nil), verify.Crashed)
	half := ex07.Check(Sigmoid, todo)
	if half.Passed() || half.Count(verify.NotAttempted) != 3 || half.Count(verify.Right) != 4 {
		t.Errorf("one of two functions written: want three parts NotAttempted and four Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex07.Check(Sigmoid, Logit).String(), ex07.Check(Sigmoid, Logit).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex07.Check(func(a float64) float64 { return 1 / (1 + math.Exp(a)) }, Logit).Parts[0].Message)
	// Output: This is 1/(1+e^a), which is σ(−a) = 1 − σ(a): it falls from 1 to 0. The exponent has lost its minus.
}
