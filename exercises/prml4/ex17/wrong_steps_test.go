package ex17_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSteps(t *testing.T) {
	calls := 0.0
	// with hands over the right pieces and exp(a_k), exp(a_j), Σ exp(a_i).
	with := func(f func(n, d, ek, ej, sum float64) (float64, float64)) piecesFunc {
		return func(a []float64, k, j int) (float64, float64) {
			n, d := Pieces(a, k, j)
			return f(n, d, math.Exp(a[k]), math.Exp(a[j]), math.Exp(floats.LogSumExp(a)))
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    piecesFunc
	}{
		{"numerator for every j", "pieces-numerator-always", with(func(n, d, ek, ej, sum float64) (float64, float64) { return ek, d })},
		{"exp(a_j) twice", "pieces-numerator-j", with(func(n, d, ek, ej, sum float64) (float64, float64) { return ej, d })},
		{"numerator constant", "pieces-numerator-never", with(func(n, d, ek, ej, sum float64) (float64, float64) { return 0, d })},
		{"denominator for j = k", "pieces-denominator-only-own", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, n })},
		{"denominator by k", "pieces-denominator-k", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, ek })},
		{"whole sum", "pieces-denominator-whole", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, sum })},
		{"exchanged", "pieces-exchanged", with(func(n, d, ek, ej, sum float64) (float64, float64) { return d, n })},
		{"δ alone", "pieces-identity", func(a []float64, k, j int) (float64, float64) {
			_, d := Pieces(a, k, j)
			if k == j {
				return 1, d
			}
			return 0, d
		}},
		{"divided", "pieces-divided", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n / sum, d / sum })},
		{"power rule", "pieces-power-rule", func(a []float64, k, j int) (float64, float64) {
			e := a[j] * math.Exp(a[j]-1)
			if k == j {
				return e, e
			}
			return 0, e
		}},
		{"signs", "pieces-sign", with(func(n, d, ek, ej, sum float64) (float64, float64) { return -n, -d })},
		{"twice", "pieces-factor", with(func(n, d, ek, ej, sum float64) (float64, float64) { return 2 * n, 2 * d })},
		{"denominator's sign", "pieces-value", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, -d })},
		{"denominator's sign, put together", "pieces-quotient", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, -d })},
		{"rounded", "pieces-nearly", with(func(n, d, ek, ej, sum float64) (float64, float64) { return n, d * (1 + 1e-5) })},
		{"not a number", "pieces-not-finite", with(func(n, d, ek, ej, sum float64) (float64, float64) { return math.Inf(1), d })},
		{"huge", "pieces-value", with(func(n, d, ek, ej, sum float64) (float64, float64) { return math.MaxFloat64, d })},
		{"changes a", "mutates-inputs", func(a []float64, k, j int) (float64, float64) {
			n, d := Pieces(a, k, j)
			a[j]++
			return n, d
		}},
		{"changes", "pieces-not-constant", with(func(n, d, ek, ej, sum float64) (float64, float64) { calls++; return calls, d })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex17.Exercise(), ex17.CheckSteps(tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex17.CheckSteps(func([]float64, int, int) (float64, float64) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex17.CheckSteps(func([]float64, int, int) (float64, float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex17.CheckSteps(nil), verify.Crashed)
	if a, b := ex17.CheckSteps(Pieces).String(), ex17.CheckSteps(Pieces).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	always := func(a []float64, k, j int) (numerator, denominator float64) {
		return math.Exp(a[k]), math.Exp(a[j])
	}
	fmt.Println(ex17.CheckSteps(always).Parts[0].Message)
	// Output: The numerator's derivative is exp(a_k) for every j. Only a_k occurs in the numerator: for j ≠ k nothing in it moves.
}
