package ex12_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex12"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	calls := 0.0
	scaled := func(c float64) func(float64) float64 {
		return func(a float64) float64 { return c * DSigmoid(a) }
	}
	for _, tc := range []struct {
		name, key string
		answer    func(a float64) float64
	}{
		{"σ(1+σ)", "plus", func(a float64) float64 { return sigmoid(a) * (1 + sigmoid(a)) }},
		{"e^−a/(1+e^−a)²", "overflow", func(a float64) float64 { return math.Exp(-a) / math.Pow(1+math.Exp(-a), 2) }},
		{"e^−a σ²", "overflow", func(a float64) float64 { return math.Exp(-a) * math.Pow(sigmoid(a), 2) }},
		{"e^a/(1+e^a)²", "overflow-right", func(a float64) float64 { return math.Exp(a) / math.Pow(1+math.Exp(a), 2) }},
		{"σ²−σ", "negative", func(a float64) float64 { return sigmoid(a)*sigmoid(a) - sigmoid(a) }},
		{"negative and doubled", "negative", scaled(-2)},
		{"σ", "sigma", sigmoid},
		{"1−σ", "complement", func(a float64) float64 { return 1 - sigmoid(a) }},
		{"σ²", "sigma-squared", func(a float64) float64 { return math.Pow(1+math.Exp(-a), -2) }},
		{"−σ²", "sigma-squared", func(a float64) float64 { return -math.Pow(1+math.Exp(-a), -2) }},
		{"(1−σ)²", "complement-squared", func(a float64) float64 { return math.Pow(sigmoid(-a), 2) }},
		{"a(1−a)", "takes-y", func(y float64) float64 { return y * (1 - y) }},
		{"−e^−a/(1+e^−a)", "square-missing", func(a float64) float64 { return -math.Exp(-a) / (1 + math.Exp(-a)) }},
		{"−e^−a", "inner-only", func(a float64) float64 { return -math.Exp(-a) }},
		{"e^−a", "exp-for-square", func(a float64) float64 { return math.Exp(-a) }},
		{"e^a/(1+e^−a)²", "sign-of-exponent", func(a float64) float64 { return math.Exp(a) / math.Pow(1+math.Exp(-a), 2) }},
		{"1/(σ(1−σ))", "reciprocal", func(a float64) float64 { return 1 / (sigmoid(a) * sigmoid(-a)) }},
		{"slope of the logit", "reciprocal", func(a float64) float64 { return 1 / (a * (1 - a)) }},
		{"second derivative", "second-derivative", func(a float64) float64 { return DSigmoid(a) * (1 - 2*sigmoid(a)) }},
		{"normal density", "probit", func(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }},
		{"1−tanh²", "tanh", func(a float64) float64 { return math.Pow(math.Cosh(a), -2) }},
		{"cosh of a", "twice-as-steep", func(a float64) float64 { return math.Pow(2*math.Cosh(a), -2) }},
		{"¼", "quarter", func(float64) float64 { return 0.25 }},
		{"rounded outputs", "zero", func(a float64) float64 { y := math.Round(sigmoid(a)); return y * (1 - y) }},
		{"ln", "logarithm", func(a float64) float64 { return math.Log(sigmoid(a) * sigmoid(-a)) }},
		{"1/cosh²(a/2)", "factor", func(a float64) float64 { return math.Pow(math.Cosh(a/2), -2) }},
		{"½", "factor", scaled(0.5)},
		{"1−σ²", "slope", func(a float64) float64 { return 1 - math.Pow(sigmoid(a), 2) }},
		{"1−2σ", "not-positive", func(a float64) float64 { return 1 - 2*sigmoid(a) }},
		{"odd", "odd", math.Tanh},
		{"difference quotient", "rounded", func(a float64) float64 { return (sigmoid(a+1e-5) - sigmoid(a-1e-5)) / 2e-5 }},
		{"one-sided difference quotient", "slope", func(a float64) float64 { return (sigmoid(a+1e-3) - sigmoid(a)) / 1e-3 }},
		{"float32", "slope", func(a float64) float64 { return float64(float32(DSigmoid(a))) + 1e-7 }},
		{"not even", "not-even", func(a float64) float64 { return DSigmoid(a) * (1 + 1e-3*math.Max(0, a)) }},
		{"twice the area", "area", scaled(2)},
		{"σ clipped", "clipped", func(a float64) float64 {
			y := math.Min(1-1e-12, math.Max(1e-12, sigmoid(a)))
			return y * (1 - y)
		}},
		{"a clipped", "clipped", func(a float64) float64 { return DSigmoid(math.Min(10, math.Max(-10, a))) }},
		{"cut off", "tails", func(a float64) float64 {
			if math.Abs(a) > 10 {
				return 0
			}
			return DSigmoid(a)
		}},
		{"wrong everywhere", "wrong-in-the-middle", sigmoid},
		{"not a number", "not-finite", func(float64) float64 { return math.NaN() }},
		{"infinite", "not-finite", func(float64) float64 { return math.Inf(1) }},
		{"huge", "slope", func(float64) float64 { return math.MaxFloat64 }},
		{"NaN outside only", "area", func(a float64) float64 {
			if math.Abs(a) > 10 {
				return math.NaN()
			}
			return DSigmoid(a)
		}},
		{"changes", "not-constant", func(a float64) float64 { calls++; return DSigmoid(a) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex12.Exercise(), ex12.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex12.Check(func(float64) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex12.Check(func(float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex12.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex12.Check(DSigmoid).String(), ex12.Check(DSigmoid).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex12.Check(func(a float64) float64 { return sigmoid(a) * (1 + sigmoid(a)) }).Parts[0].Message)
	// Output: This is σ(1+σ). Where σ nears 1 the curve is flat, so the other factor must vanish there: check its sign.
}
