package ex25_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func() float64
	}{
		{"reference", LambdaSquared},
		{"π/8", func() float64 { return math.Pi / 8 }},
		{"squared root", func() float64 { return math.Pow(math.Sqrt(math.Pi/8), 2) }},
		{"2π/16", func() float64 { return 2 * math.Pi / 16 }},
		{"by the density", func() float64 {
			peak := 1 / math.Sqrt(2*math.Pi)
			return math.Pow(0.25/peak, 2)
		}},
		{"by bisection", func() float64 {
			lo, hi := 0.0, 1.0
			for range 200 {
				if mid := (lo + hi) / 2; math.Sqrt(mid/(2*math.Pi)) < 0.25 {
					lo = mid
				} else {
					hi = mid
				}
			}
			return lo
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex25.Check(tc.answer)) })
	}
}

func TestWrong(t *testing.T) {
	constant := func(v float64) func() float64 { return func() float64 { return v } }
	call := 0.0
	for _, tc := range []struct {
		name, key string
		answer    func() float64
	}{
		{"λ for λ²", "lambda-for-lambda-squared", constant(math.Sqrt(math.Pi / 8))},
		{"squared twice", "squared-twice", constant(math.Pow(math.Pi/8, 2))},
		{"8/π", "inverse", constant(8 / math.Pi)},
		{"1/λ", "inverse-lambda", constant(math.Sqrt(8 / math.Pi))},
		{"π/4", "density-peak-is-one", constant(math.Pi / 4)},
		{"1/16", "slope-of-probit-is-one", constant(1.0 / 16)},
		{"π/2", "slope-of-sigmoid-is-half", constant(math.Pi / 2)},
		{"π/16", "erf-convention", constant(math.Pi / 16)},
		{"equal variances", "same-variance", constant(3 / (math.Pi * math.Pi))},
		{"minimax λ²", "minimax", constant(0.587632 * 0.587632)}, // scalar_facts: minimax_lambda
		{"minimax λ", "minimax-lambda", constant(0.587632)},
		{"1/1.702²", "one-point-seven", constant(1 / (1.702 * 1.702))},
		{"1/1.702", "one-point-seven-lambda", constant(1 / 1.702)},
		{"κ", "kappa", constant(1 / math.Sqrt(1+math.Pi/8))},
		{"rounded", "rounded", constant(0.3927)},
		{"integer division", "zero", func() float64 { n, d := 1, 8; return float64(n/d) * math.Pi }},
		{"negative", "negative", constant(-math.Pi / 8)},
		{"not a number", "not-finite", constant(math.NaN())},
		{"infinite", "not-finite", constant(math.Inf(1))},
		{"something else, flatter", "slope", constant(0.2)},
		{"something else, steeper", "gap", constant(3)},
		{"changes", "not-constant", func() float64 { call++; return call }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex25.Exercise(), ex25.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex25.Check(func() float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex25.Check(func() float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex25.Check(nil), verify.Crashed)
}

func ExampleCheck() {
	fmt.Println(ex25.Check(func() float64 { return 8 / math.Pi }).Parts[1].Message)
	// Output: Your number is the reciprocal: 1/λ². Which curve is stretched, and which one stays?
}
