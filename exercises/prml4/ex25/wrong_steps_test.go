package ex25_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSteps(t *testing.T) {
	calls := 0.0
	sigmoid := func(v float64) *verify.Report {
		return ex25.CheckSteps(func() float64 { return v }, ProbitSlope)
	}
	probit := func(f func(l float64) float64) *verify.Report { return ex25.CheckSteps(SigmoidSlope, f) }
	peak := 1 / math.Sqrt(2*math.Pi)
	for _, tc := range []struct {
		name, key string
		report    *verify.Report
	}{
		{"value of σ", "sigmoid-value-for-slope", sigmoid(0.5)},
		{"one", "sigmoid-one", sigmoid(1)},
		{"1/4 of whole numbers", "sigmoid-integer-division", sigmoid(0)},
		{"⅛", "sigmoid-cubed", sigmoid(0.125)},
		{"σ(1+σ)", "sigmoid-plus", sigmoid(0.75)},
		{"negative", "sigmoid-sign", sigmoid(-0.25)},
		{"another number", "sigmoid-value", sigmoid(0.3)},
		{"rounded", "sigmoid-nearly", sigmoid(0.250001)},
		{"NaN", "sigmoid-not-finite", sigmoid(math.NaN())},
		{"changes", "sigmoid-not-constant", ex25.CheckSteps(func() float64 { calls++; return calls }, ProbitSlope)},
		{"no λ", "probit-no-lambda", probit(func(float64) float64 { return peak })},
		{"divided", "probit-divided", probit(func(l float64) float64 { return peak / l })},
		{"squared", "probit-squared", probit(func(l float64) float64 { return l * l * peak })},
		{"peak 1", "probit-peak-one", probit(func(l float64) float64 { return l })},
		{"value of Φ", "probit-value-for-slope", probit(func(float64) float64 { return 0.5 })},
		{"erf", "probit-erf", probit(func(l float64) float64 { return l / math.Sqrt(math.Pi) })},
		{"no root", "probit-no-root", probit(func(l float64) float64 { return l / (2 * math.Pi) })},
		{"upside down", "probit-upside-down", probit(func(l float64) float64 { return l * math.Sqrt(2*math.Pi) })},
		{"at a = 1", "probit-density-elsewhere", probit(func(l float64) float64 { return l * peak * math.Exp(-l*l/2) })},
		{"σ(λa)", "probit-sigmoid", probit(func(l float64) float64 { return l / 4 })},
		{"sign", "probit-sign", probit(func(l float64) float64 { return -l * peak })},
		{"half", "probit-factor", probit(func(l float64) float64 { return l * peak / 2 })},
		{"rounded peak", "probit-nearly", probit(func(l float64) float64 { return 0.39894 * l })},
		{"huge", "probit-value", probit(func(float64) float64 { return math.MaxFloat64 })},
		{"infinite", "probit-not-finite", probit(func(l float64) float64 { return math.Inf(1) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex25.Exercise(), tc.report, tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex25.CheckSteps(func() float64 { panic(verify.TODO) }, func(float64) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex25.CheckSteps(func() float64 { panic("my own") }, func(float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex25.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex25.CheckSteps(SigmoidSlope, ProbitSlope).String(), ex25.CheckSteps(SigmoidSlope, ProbitSlope).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	flat := func(lambda float64) float64 { return 1 / math.Sqrt(2*math.Pi) }
	fmt.Println(ex25.CheckSteps(SigmoidSlope, flat).Parts[1].Message)
	// Output: λ is not in it: the inner derivative of Φ(λa) is missing. The larger λ, the steeper the curve.
}
