package ex06_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsRight(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    rightFunc
	}{
		{"no N", "right-no-n", weightedMeans(func(_, _ float64) (float64, float64) { return 1, -1 })},
		{"classes swapped", "right-swapped", weightedMeans(func(a, b float64) (float64, float64) { return -a - b, a + b })},
		{"plus", "right-plus", weightedMeans(func(a, b float64) (float64, float64) { return a + b, a + b })},
		{"targets ±1", "right-plus-minus-one", weightedMeans(func(a, b float64) (float64, float64) { return a, -b })},
		{"targets 1 and 0", "right-one-of-k", weightedMeans(func(a, _ float64) (float64, float64) { return a, 0 })},
		{"means for sums", "right-means-for-sums", weightedMeans(func(a, b float64) (float64, float64) { return (a + b) / a, -(a + b) / b })},
		{"targets inverted", "right-targets-inverted", weightedMeans(func(a, b float64) (float64, float64) { return a * a / (a + b), -b * b / (a + b) })},
		{"N1N2/N", "right-between-factor", weightedMeans(func(a, b float64) (float64, float64) { return a * b / (a + b), -a * b / (a + b) })},
		{"half", "right-factor", weightedMeans(func(a, b float64) (float64, float64) { return (a + b) / 2, -(a + b) / 2 })},
		{"N−1", "right-value", weightedMeans(func(a, b float64) (float64, float64) { return a + b - 1, 1 - a - b })},
		{"no N, put in", "not-the-derivative", weightedMeans(func(_, _ float64) (float64, float64) { return 1, -1 })},
		{"nil", "empty", func(_, _ *mat.Dense) []float64 { return nil }},
		{"with the bias", "wrong-length", func(X1, X2 *mat.Dense) []float64 { return append([]float64{0}, RightSide(X1, X2)...) }},
		{"not a number", "not-finite", weightedMeans(func(_, _ float64) (float64, float64) { return math.NaN(), 0 })},
		{"huge", "right-value", func(X1, X2 *mat.Dense) []float64 {
			v := RightSide(X1, X2)
			v[0] = math.MaxFloat64
			return v
		}},
		{"changes X1", "mutates-inputs", func(X1, X2 *mat.Dense) []float64 {
			v := RightSide(X1, X2)
			X1.Scale(2, X1)
			return v
		}},
		{"changes", "right-not-constant", weightedMeans(func(a, b float64) (float64, float64) { calls++; return calls, 0 })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex06.Exercise(), ex06.CheckSteps(tc.answer, BestBias), tc.key) })
	}
}

func TestWrongStepsBias(t *testing.T) {
	calls := 0.0
	of := func(f func(n1, n2, a, b float64) float64) biasFunc {
		return func(X1, X2 *mat.Dense, w []float64) float64 {
			n1, n2, _ := sizes(X1, X2)
			return f(n1, n2, floats.Dot(w, mean(X1)), floats.Dot(w, mean(X2)))
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    biasFunc
	}{
		{"+wᵀm", "bias-turned", of(func(n1, n2, a, b float64) float64 { return (n1*a + n2*b) / (n1 + n2) })},
		{"midpoint", "bias-midpoint", of(func(n1, n2, a, b float64) float64 { return -(a + b) / 2 })},
		{"not divided by N", "bias-not-divided", of(func(n1, n2, a, b float64) float64 { return -(n1*a + n2*b) })},
		{"targets ±1", "bias-plus-minus-one", of(func(n1, n2, a, b float64) float64 { return (n1 - n2 - n1*a - n2*b) / (n1 + n2) })},
		{"targets 1 and 0", "bias-one-of-k", of(func(n1, n2, a, b float64) float64 { return (n1 - n1*a - n2*b) / (n1 + n2) })},
		{"class 1", "bias-first-class", of(func(n1, n2, a, b float64) float64 { return -a })},
		{"class 2", "bias-second-class", of(func(n1, n2, a, b float64) float64 { return -b })},
		{"means added", "bias-means-added", of(func(n1, n2, a, b float64) float64 { return -a - b })},
		{"zero", "bias-zero", of(func(n1, n2, a, b float64) float64 { return 0 })},
		{"half", "bias-factor", of(func(n1, n2, a, b float64) float64 { return -(n1*a + n2*b) / (n1 + n2) / 2 })},
		{"a fifth too much", "bias-factor", func(X1, X2 *mat.Dense, w []float64) float64 { return 1.2 * BestBias(X1, X2, w) }},
		{"weights exchanged", "bias-value", of(func(n1, n2, a, b float64) float64 { return -(n2*a + n1*b) / (n1 + n2) })},
		{"midpoint, put in", "not-the-derivative", of(func(n1, n2, a, b float64) float64 { return -(a + b) / 2 })},
		{"not a number", "bias-not-finite", of(func(n1, n2, a, b float64) float64 { return math.NaN() })},
		{"huge", "bias-value", of(func(n1, n2, a, b float64) float64 { return math.MaxFloat64 })},
		{"changes w", "mutates-inputs", func(X1, X2 *mat.Dense, w []float64) float64 {
			v := BestBias(X1, X2, w)
			floats.Scale(2, w)
			return v
		}},
		{"changes", "bias-not-constant", of(func(n1, n2, a, b float64) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex06.Exercise(), ex06.CheckSteps(RightSide, tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex06.CheckSteps(func(_, _ *mat.Dense) []float64 { panic(verify.TODO) }, func(_, _ *mat.Dense, _ []float64) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex06.CheckSteps(func(_, _ *mat.Dense) []float64 { panic("my own") }, func(_, _ *mat.Dense, _ []float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex06.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex06.CheckSteps(RightSide, BestBias).String(), ex06.CheckSteps(RightSide, BestBias).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	midpoint := func(X1, X2 *mat.Dense, w []float64) float64 {
		return -(floats.Dot(w, mean(X1)) + floats.Dot(w, mean(X2))) / 2
	}
	fmt.Println(ex06.CheckSteps(RightSide, midpoint).Parts[0].Message)
	// Output: This puts the zero half-way between the class means. The sum over all points weights them with N1 and N2: it lies at the mean of all points.
}
