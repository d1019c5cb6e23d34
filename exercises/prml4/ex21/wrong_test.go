package ex21_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex21"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

func TestWrongProbit(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    scalar
	}{
		{"(4.116) with the library's erf", "mixed-definitions", func(a float64) float64 { return 0.5 * (1 + math.Erf(a)/math.Sqrt2) }},
		{"no √2", "missing-root-two", func(a float64) float64 { return 0.5 * (1 + math.Erf(a)) }},
		{"√2 upside down", "root-two-upside-down", func(a float64) float64 { return 0.5 * (1 + math.Erf(a*math.Sqrt2)) }},
		{"a/2", "half-inside", func(a float64) float64 { return 0.5 * (1 + math.Erf(a/2)) }},
		{"no ½", "missing-half", func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }},
		{"½ of one term", "half-of-one-term", func(a float64) float64 { return 0.5 + math.Erf(a/math.Sqrt2) }},
		{"no 1", "one-left-out", func(a float64) float64 { return 0.5 * math.Erf(a/math.Sqrt2) }},
		{"erf(a/√2)", "erf-itself", func(a float64) float64 { return math.Erf(a / math.Sqrt2) }},
		{"erf(a)", "erf-itself", math.Erf},
		{"upper tail", "upper-tail", func(a float64) float64 { return 0.5 * math.Erfc(a/math.Sqrt2) }},
		{"1 − erf for 1 + erf", "upper-tail", func(a float64) float64 { return 0.5 * (1 - math.Erf(a/math.Sqrt2)) }},
		{"density", "density", func(a float64) float64 { return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) }},
		{"no 1/√(2π)", "not-normalised", func(a float64) float64 { return math.Sqrt(math.Pi/2) * (1 + math.Erf(a/math.Sqrt2)) }},
		{"sigmoid", "logistic", sigmoid},
		{"σ(1.702a)", "logistic", func(a float64) float64 { return sigmoid(1.702 * a) }},
		{"σ(√(8/π)a)", "logistic", func(a float64) float64 { return sigmoid(math.Sqrt(8/math.Pi) * a) }},
		{"rounded constant", "rounded", func(a float64) float64 { return 0.5 * (1 + math.Erf(a/1.4142)) }},
		{"another curve", "value", func(a float64) float64 { return 0.5 + math.Atan(a)/math.Pi }},
		{"outside [0,1]", "not-a-probability", func(a float64) float64 { return 1 + math.Erf(a/math.Sqrt2) }},
		{"not symmetric", "not-symmetric", func(a float64) float64 { return math.Pow(Probit(a), 1.1) }},
		{"wrong limits", "limits", func(a float64) float64 { return 0.5 * (1 + math.Erf(a)/math.Sqrt2) }},
		{"falls", "not-rising", func(a float64) float64 { return 1 - Probit(a) + math.Copysign(1, a)*boolean(math.IsInf(a, 0)) }},
		{"constant", "constant", func(float64) float64 { return 0.5 }},
		{"inverse", "not-finite", func(a float64) float64 { return math.Sqrt2 * math.Erfinv(2*a-1) }},
		{"infinite", "not-finite", func(float64) float64 { return math.Inf(1) }},
		{"huge", "value", func(float64) float64 { return math.MaxFloat64 }},
		{"changes", "not-constant", func(a float64) float64 { calls++; return Probit(a) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			erf := ErfPRML
			if tc.key == "constant" {
				erf = func(float64) float64 { return 0 }
			}
			gate.Wrong(t, ex21.Exercise(), ex21.Check(tc.answer, erf), tc.key)
		})
	}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestWrongErf(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    scalar
	}{
		{"the usual erf", "usual-erf", math.Erf},
		{"the usual erf from Φ", "usual-erf", func(a float64) float64 { return 2*Probit(math.Sqrt2*a) - 1 }},
		{"2Φ − 1", "root-two-outside", func(a float64) float64 { return 2*Probit(a) - 1 }},
		{"√2 only outside", "root-two-inside", func(a float64) float64 { return math.Sqrt2 * math.Erf(a) }},
		{"(2Φ − 1)/√2", "root-two-divides", func(a float64) float64 { return (2*Probit(a) - 1) / math.Sqrt2 }},
		{"both upside down", "root-two-upside-down", func(a float64) float64 { return math.Erf(math.Sqrt2*a) / math.Sqrt2 }},
		{"inner upside down", "root-two-upside-down", func(a float64) float64 { return math.Sqrt2 * math.Erf(math.Sqrt2*a) }},
		{"2√2Φ", "one-left-out", func(a float64) float64 { return math.Sqrt2 * 2 * Probit(a) }},
		{"√2(Φ − 1)", "one-left-out", func(a float64) float64 { return math.Sqrt2 * (Probit(a) - 1) }},
		{"√2(Φ − ½)", "root-two-divides", func(a float64) float64 { return math.Sqrt2 * (Probit(a) - 0.5) }},
		{"Φ", "probit-itself", Probit},
		{"no 2/√π", "prefactor", func(a float64) float64 { return math.Sqrt(2*math.Pi) * (Probit(a) - 0.5) }},
		{"1 − 2Φ", "sign", func(a float64) float64 { return math.Sqrt2 * (1 - 2*Probit(a)) }},
		{"complement", "complement", func(a float64) float64 { return math.Sqrt2 * math.Erfc(a/math.Sqrt2) }},
		{"not odd", "not-odd", func(a float64) float64 { return math.Abs(ErfPRML(a)) }},
		{"limit 1", "usual-limit", math.Erf},
		{"limit 3", "limits", func(a float64) float64 { return 3 * math.Erf(a) }},
		{"relation of the usual erf", "usual-relation", math.Erf},
		{"no relation", "relation", func(a float64) float64 { return 0.9 * ErfPRML(a) }},
		{"rounded", "rounded", func(a float64) float64 { return 1.41421 * (2*Probit(a) - 1) }},
		{"odd, something else", "value", math.Tanh},
		{"not a number", "not-finite", func(float64) float64 { return math.NaN() }},
		{"changes", "not-constant", func(a float64) float64 { calls++; return ErfPRML(a) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex21.Exercise(), ex21.Check(Probit, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todo := func(float64) float64 { panic(verify.TODO) }
	own := func(float64) float64 { panic("my own") }
	gate.Outcome(t, ex21.Check(todo, todo), verify.NotAttempted)
	gate.Outcome(t, ex21.Check(own, own), verify.Crashed)
	gate.Outcome(t, ex21.Check(nil, nil), verify.Crashed)
	if half := ex21.Check(Probit, todo); half.Passed() || half.Count(verify.Right) != 2 || half.Count(verify.NotAttempted) != 3 {
		t.Errorf("one of two functions written: want two parts Right and the rest NotAttempted:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex21.Check(Probit, ErfPRML).String(), ex21.Check(Probit, ErfPRML).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	literal := func(a float64) float64 { return 0.5 * (1 + math.Erf(a)/math.Sqrt2) }
	fmt.Println(ex21.Check(literal, ErfPRML).Parts[0].Key)
	// Output: mixed-definitions
}
