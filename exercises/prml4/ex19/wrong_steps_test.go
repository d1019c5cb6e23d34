package ex19_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSteps(t *testing.T) {
	calls := 0.0
	slope := func(f curveFunc) *verify.Report { return ex19.CheckSteps(f, LogBend) }
	bend := func(f curveFunc) *verify.Report { return ex19.CheckSteps(LogSlope, f) }
	for _, tc := range []struct {
		name, key string
		check     func(curveFunc) *verify.Report
		answer    curveFunc
	}{
		{"density", "slope-density", slope, pdf},
		{"1/Φ", "slope-reciprocal", slope, func(x float64) float64 { return 1 / cdf(x) }},
		{"product", "slope-product", slope, func(x float64) float64 { return pdf(x) * cdf(x) }},
		{"upside down", "slope-inverted", slope, func(x float64) float64 { return cdf(x) / pdf(x) }},
		{"1 − Φ below", "slope-other-side", slope, func(x float64) float64 { return pdf(x) / cdf(-x) }},
		{"log odds", "slope-both", slope, func(x float64) float64 { return pdf(x) / cdf(x) / cdf(-x) }},
		{"logistic", "slope-logistic", slope, func(x float64) float64 { return sigmoid(-x) }},
		{"sign", "slope-sign", slope, func(x float64) float64 { return -m(x) }},
		{"erf for Φ", "slope-factor", slope, func(x float64) float64 { return 2 * m(x) }},
		{"no ½ in the exponent", "slope-value", slope, func(x float64) float64 { return math.Exp(-x*x) / cdf(x) }},
		{"Φ rounded to 0", "slope-far-not-finite", slope, func(x float64) float64 { return pdf(x) / ((1 + math.Erf(x/math.Sqrt2)) / 2) }},
		{"guarded by a floor", "slope-far-value", slope, func(x float64) float64 { return pdf(x) / math.Max(cdf(x), 1e-15) }},
		{"density, far out", "slope-far-in-the-middle", slope, pdf},
		{"not its derivative", "not-its-derivative", slope, pdf},
		{"rounded", "slope-nearly", slope, func(x float64) float64 { return math.Round(1e6*m(x)) / 1e6 }},
		{"not a number", "slope-not-finite", slope, math.Log},
		{"changes", "slope-not-constant", slope, func(x float64) float64 { calls++; return calls }},
		{"−m²", "bend-square-only", bend, func(x float64) float64 { return -m(x) * m(x) }},
		{"−xm", "bend-density-only", bend, func(x float64) float64 { return -x * m(x) }},
		{"m(x−m)", "bend-density-sign", bend, func(x float64) float64 { return m(x) * (x - m(x)) }},
		{"m(m−x)", "bend-square-sign", bend, func(x float64) float64 { return m(x) * (m(x) - x) }},
		{"of −ln Φ", "bend-positive", bend, func(x float64) float64 { return m(x) * (x + m(x)) }},
		{"of −ln Φ, seen by its sign", "not-its-derivative", bend, func(x float64) float64 { return m(x) * (x + m(x)) }},
		{"expected", "bend-expected", bend, func(x float64) float64 { return -m(x) * m(-x) }},
		{"first derivative", "bend-first", bend, m},
		{"Φ″", "bend-density-slope", bend, func(x float64) float64 { return -x * pdf(x) }},
		{"logistic", "bend-logistic", bend, func(x float64) float64 { return -sigmoid(x) * sigmoid(-x) }},
		{"half", "bend-factor", bend, func(x float64) float64 { return LogBend(x) / 2 }},
		{"Φ² underflows", "bend-far-not-finite", bend, func(x float64) float64 {
			return -(x*pdf(x)*cdf(x) + pdf(x)*pdf(x)) / (cdf(x) * cdf(x))
		}},
		{"cut off", "bend-far-value", bend, func(x float64) float64 { return LogBend(math.Max(x, -5)) }},
		{"zero", "bend-value", bend, func(float64) float64 { return 0 }},
		{"huge", "bend-value", bend, func(x float64) float64 { return -math.MaxFloat64 }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex19.Exercise(), tc.check(tc.answer), tc.key) })
	}
	both := ex19.CheckSteps(func(x float64) float64 { return -m(x) }, func(x float64) float64 { return -LogBend(x) })
	gate.Wrong(t, ex19.Exercise(), both, "not-concave")
}

func TestNoSteps(t *testing.T) {
	todo := func(float64) float64 { panic(verify.TODO) }
	own := func(float64) float64 { panic("my own") }
	gate.Outcome(t, ex19.CheckSteps(todo, todo), verify.NotAttempted)
	gate.Outcome(t, ex19.CheckSteps(own, own), verify.Crashed)
	gate.Outcome(t, ex19.CheckSteps(nil, nil), verify.Crashed)
	half := ex19.CheckSteps(LogSlope, todo)
	if half.Passed() || half.Count(verify.Right) != 2 || half.Count(verify.NotAttempted) != 3 {
		t.Errorf("one of two functions written: want two parts Right and the rest NotAttempted:\n%s", half)
	}
	if a, b := ex19.CheckSteps(LogSlope, LogBend).String(), ex19.CheckSteps(LogSlope, LogBend).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	square := func(x float64) float64 { return -LogSlope(x) * LogSlope(x) }
	fmt.Println(ex19.CheckSteps(LogSlope, square).Parts[2].Message)
	// Output: This is −(N/Φ)²: the quotient rule's other term, with N′(x) = −x N(x), is missing.
}
