package ex13_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSteps(t *testing.T) {
	calls := 0.0
	output := func(f linkFunc) *verify.Report { return ex13.CheckSteps(f, ByActivation) }
	activation := func(f linkFunc) *verify.Report { return ex13.CheckSteps(ByOutput, f) }
	of := func(f linkFunc) linkFunc { return func(a, t float64) float64 { return f(sigmoid(a), t) } }
	squared := of(func(y, t float64) float64 { return (y - t) * y * (1 - y) })
	for _, tc := range []struct {
		name, key string
		check     func(linkFunc) *verify.Report
		answer    linkFunc
	}{
		{"inner −1", "output-inner-sign", output, func(y, t float64) float64 { return -t/y - (1-t)/(1-y) }},
		{"first term", "output-first-term", output, func(y, t float64) float64 { return -t / y }},
		{"y − t", "output-residual", output, func(y, t float64) float64 { return y - t }},
		{"multiplied", "output-multiplied", output, func(y, t float64) float64 { return (y - t) * y * (1 - y) }},
		{"the error", "output-not-differentiated", output, func(y, t float64) float64 { return -t*math.Log(y) - (1-t)*math.Log(1-y) }},
		{"exchanged", "output-wrong-side", output, func(y, t float64) float64 { return (1-t)/y - t/(1-y) }},
		{"log likelihood", "output-sign", output, func(y, t float64) float64 { return -ByOutput(y, t) }},
		{"half", "output-factor", output, func(y, t float64) float64 { return ByOutput(y, t) / 2 }},
		{"y²", "output-value", output, func(y, t float64) float64 { return (y - t) / (y * y) }},
		{"not linked", "not-linked", output, func(y, t float64) float64 { return y - t }},
		{"not a number", "output-not-finite", output, func(y, t float64) float64 { return math.Log(y - 1) }},
		{"changes", "output-not-constant", output, func(y, t float64) float64 { calls++; return calls }},
		{"squared error", "activation-squared-error", activation, squared},
		{"by output", "activation-by-output", activation, of(func(y, t float64) float64 { return ByOutput(math.Min(math.Max(y, 1e-12), 1-1e-12), t) })},
		{"no target", "activation-target-lost", activation, of(func(y, _ float64) float64 { return y })},
		{"no sigmoid", "activation-no-sigmoid", activation, func(a, t float64) float64 { return a - t }},
		{"middle link", "activation-slope", activation, of(func(y, _ float64) float64 { return y * (1 - y) })},
		{"t − y", "activation-sign", activation, func(a, t float64) float64 { return -ByActivation(a, t) }},
		{"−1 and 1", "activation-plus-minus-one", activation, of(func(y, t float64) float64 { return y - (2*t - 1) })},
		{"mean of two", "activation-factor", activation, func(a, t float64) float64 { return ByActivation(a, t) / 2 }},
		{"rounded", "activation-nearly", activation, func(a, t float64) float64 { return math.Round(1e6*ByActivation(a, t)) / 1e6 }},
		{"overflows", "far-not-finite", activation, func(a, t float64) float64 { return math.Exp(a)/(1+math.Exp(a)) - t }},
		{"clipped", "far-value", activation, func(a, t float64) float64 {
			if math.Abs(a) > 30 {
				return 0
			}
			return ByActivation(a, t)
		}},
		{"product of the links", "far-not-finite", activation, of(func(y, t float64) float64 { return ByOutput(y, t) * y * (1 - y) })},
		{"squared error, far out", "far-in-the-middle", activation, squared},
		{"zero", "activation-value", activation, func(_, _ float64) float64 { return 0 }},
		{"huge", "activation-value", activation, func(a, t float64) float64 { return math.Copysign(math.MaxFloat64, a) }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex13.Exercise(), tc.check(tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	todo := func(_, _ float64) float64 { panic(verify.TODO) }
	own := func(_, _ float64) float64 { panic("my own") }
	gate.Outcome(t, ex13.CheckSteps(todo, todo), verify.NotAttempted)
	gate.Outcome(t, ex13.CheckSteps(own, own), verify.Crashed)
	gate.Outcome(t, ex13.CheckSteps(nil, nil), verify.Crashed)
	half := ex13.CheckSteps(todo, ByActivation)
	if half.Passed() || half.Count(verify.Right) != 2 || half.Count(verify.NotAttempted) != 2 {
		t.Errorf("one of two functions written: want two parts Right and the rest NotAttempted:\n%s", half)
	}
	if a, b := ex13.CheckSteps(ByOutput, ByActivation).String(), ex13.CheckSteps(ByOutput, ByActivation).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	squared := func(a, t float64) float64 {
		y := 1 / (1 + math.Exp(-a))
		return (y - t) * y * (1 - y)
	}
	fmt.Println(ex13.CheckSteps(ByOutput, squared).Parts[1].Message)
	// Output: A factor y(1−y) is too much: this is the derivative of the squared error ½(y−t)². For the cross-entropy that factor cancels.
}
