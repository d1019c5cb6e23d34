package ex20_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsBlock(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    blockFunc
	}{
		{"(4.110) as printed", "block-printed-sign", entry(func(y []float64, j, k int) float64 { return -y[k] * (delta(k, j) - y[j]) })},
		{"plus beside the diagonal", "block-off-diagonal-sign", entry(func(y []float64, j, k int) float64 { return delta(j, k)*y[k]*(1-2*y[k]) + y[j]*y[k] })},
		{"no I", "block-no-identity", entry(func(y []float64, j, k int) float64 { return -y[j] * y[k] })},
		{"diagonal", "block-diagonal-only", entry(func(y []float64, j, k int) float64 { return delta(j, k) * y[k] * (1 - y[k]) })},
		{"diag y", "block-outputs-on-diagonal", entry(func(y []float64, j, k int) float64 { return delta(j, k) * y[k] })},
		{"y(1−y) everywhere", "block-sigmoid-everywhere", entry(func(y []float64, j, k int) float64 { return y[k] * (1 - y[j]) })},
		{"y − t", "block-first-derivative", entry(func(y []float64, j, k int) float64 { return y[j] - delta(j, k) })},
		{"half", "block-factor", entry(func(y []float64, j, k int) float64 { return y[k] * (delta(k, j) - y[j]) / 2 })},
		{"y² on the diagonal", "block-value", entry(func(y []float64, j, k int) float64 { return delta(j, k)*2*y[k]*y[k] - y[j]*y[k] })},
		{"rounded", "block-nearly", entry(func(y []float64, j, k int) float64 { return y[k]*(delta(k, j)-y[j]) + 1e-7 })},
		{"nil", "empty", func([]float64) *mat.Dense { return nil }},
		{"a row", "wrong-shape", func(y []float64) *mat.Dense { return mat.NewDense(1, len(y), nil) }},
		{"not a number", "not-finite", entry(func([]float64, int, int) float64 { return math.NaN() })},
		{"changes y", "mutates-inputs", func(y []float64) *mat.Dense { floats.Scale(2, y); return Block(y) }},
		{"changes", "block-not-constant", entry(func([]float64, int, int) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex20.Exercise(), ex20.CheckSteps(tc.answer, Spread), tc.key) })
	}
}

func TestWrongStepsSpread(t *testing.T) {
	calls := 0.0
	negative := moments(func(mean, square float64) float64 { return mean*mean - square })
	for _, tc := range []struct {
		name, key string
		answer    spreadFunc
	}{
		{"plus", "spread-plus", moments(func(mean, square float64) float64 { return square + mean*mean })},
		{"mean of squares", "spread-mean-of-squares", moments(func(_, square float64) float64 { return square })},
		{"mean of squares is not flat", "spread-not-flat", moments(func(_, square float64) float64 { return square })},
		{"mean not squared", "spread-mean-not-squared", moments(func(mean, square float64) float64 { return square - mean })},
		{"diagonal", "spread-diagonal-only", func(y, s []float64) (sum float64) {
			for k := range y {
				sum += y[k] * (1 - y[k]) * s[k] * s[k]
			}
			return sum
		}},
		{"equal weights", "spread-unweighted", func(_, s []float64) float64 { return stat.PopVariance(s, nil) }},
		{"root", "spread-standard-deviation", func(y, s []float64) float64 { return math.Sqrt(Spread(y, s)) }},
		{"not squared", "spread-centred-once", func(_, _ []float64) float64 { return 0 }},
		{"sign", "spread-sign", negative},
		{"negative", "spread-negative", negative},
		{"half", "spread-factor", moments(func(mean, square float64) float64 { return (square - mean*mean) / 2 })},
		{"no squares", "spread-value", moments(func(mean, _ float64) float64 { return mean })},
		{"not a number", "spread-not-finite", func(_, s []float64) float64 { return math.Log(-1) }},
		{"huge", "spread-value", func(_, s []float64) float64 { return math.MaxFloat64 }},
		{"centres s", "mutates-inputs", func(y, s []float64) float64 {
			v := Spread(y, s)
			floats.AddConst(1, s)
			return v
		}},
		{"changes", "spread-not-constant", func(y, s []float64) float64 { calls++; return calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex20.Exercise(), ex20.CheckSteps(Block, tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex20.CheckSteps(func([]float64) *mat.Dense { panic(verify.TODO) }, func(_, _ []float64) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex20.CheckSteps(func([]float64) *mat.Dense { panic("my own") }, func(_, _ []float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex20.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex20.CheckSteps(Block, Spread).String(), ex20.CheckSteps(Block, Spread).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	squares := func(y, s []float64) (sum float64) {
		for k := range y {
			sum += y[k] * s[k] * s[k]
		}
		return sum
	}
	fmt.Println(ex20.CheckSteps(Block, squares).Parts[1].Message)
	// Output: This is the mean of the squares alone: the part −y_j y_k of B is left out. With it the square of the mean comes off.
}
