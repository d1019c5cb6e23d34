package ex09_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex09"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	priorsFunc     = func(labels []int, K int) []float64
	slopesFunc     = func(pi []float64, lambda float64, labels []int) []float64
	multiplierFunc = func(labels []int, K int) float64
)

func checkSlopes(f slopesFunc) *verify.Report         { return ex09.CheckSteps(f, Multiplier) }
func checkMultiplier(f multiplierFunc) *verify.Report { return ex09.CheckSteps(Slopes, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex09.Exercise(), gate.Of(ex09.Check, Priors), gate.Of(checkSlopes, Slopes),
		gate.Of(checkMultiplier, Multiplier))
}

// TestDigits checks the tolerance on each problem: Check must accept a tenth of the error that the
// statement allows, and must reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, ex09.Check, Priors, func(_, _ []any) float64 { return 1e-11 })
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex09.Check, map[string]priorsFunc{
		"reference": Priors,
		"counts, divided by their sum N": func(labels []int, K int) []float64 {
			pi := instance.Counts(labels, K)
			floats.Scale(1/floats.Sum(pi), pi)
			return pi
		},
		"column means of 1-of-K targets": func(labels []int, K int) []float64 { return instance.Mean(instance.OneOfK(labels, K)) },
		"a running mean": func(labels []int, K int) []float64 {
			pi := make([]float64, K)
			for n, label := range labels {
				floats.Scale(float64(n)/float64(n+1), pi)
				pi[label] += 1 / float64(n+1)
			}
			return pi
		},
	})
	gate.Rights(t, checkSlopes, map[string]slopesFunc{
		"reference": Slopes,
		"counts over π": func(pi []float64, lambda float64, labels []int) []float64 {
			g := floats.DivTo(make([]float64, len(pi)), instance.Counts(labels, len(pi)), pi)
			floats.AddConst(lambda, g)
			return g
		},
	})
	gate.Rights(t, checkMultiplier, map[string]multiplierFunc{
		"reference":                         Multiplier,
		"minus the sum of the class counts": func(labels []int, K int) float64 { return -floats.Sum(instance.Counts(labels, K)) },
		"from one condition": func(labels []int, K int) float64 {
			return -instance.Counts(labels, K)[labels[0]] / Priors(labels, K)[labels[0]]
		},
	})
}

// counted returns an answer that replaces each count n with convert(n). For example, `convert` may
// store n in an integer type that is too small.
func counted(convert func(n float64) float64) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi, n := Priors(labels, K), float64(len(labels))
		for k, v := range pi {
			pi[k] = convert(math.Round(v*n)) / n
		}
		return pi
	}
}

// TestWrong checks wrong answers. Except for the multiplier N, they are not in the tables of mistakes
// in check.go. For each answer, the report must contain the expected key, that is, the name of the
// mistake.
func TestWrong(t *testing.T) {
	// `then` returns an answer that applies f to the right probabilities and divides the result
	// by its sum
	then := func(f func(pi []float64, labels []int)) priorsFunc {
		return func(labels []int, K int) []float64 {
			pi := Priors(labels, K)
			f(pi, labels)
			floats.Scale(1/floats.Sum(pi), pi)
			return pi
		}
	}
	smooth := func(alpha float64) priorsFunc {
		return then(func(pi []float64, labels []int) { floats.AddConst(alpha/float64(len(labels)), pi) })
	}
	gate.Wrongs(t, ex09.Exercise(), ex09.Check, map[string][]priorsFunc{
		"smoothed": {smooth(1), smooth(0.5), smooth(1e-6)},
		"sum": {func(labels []int, K int) []float64 { pi := Priors(labels, K); floats.Scale(1.1, pi); return pi },
			counted(func(n float64) float64 { return float64(uint8(int(n))) }),
			counted(func(n float64) float64 { return float64(uint16(int(n))) }),
			counted(func(n float64) float64 { return float64(int16(int(n))) })},
		"negative": {func(labels []int, K int) []float64 { pi := Priors(labels, K); pi[0] = -pi[0]; return pi }},
		"impossible": {func(labels []int, K int) []float64 { // this answer uses only the last digit of a label
			pi := Priors(labels, K)
			for k := 10; k < K; k++ {
				pi[k%10] += pi[k]
				pi[k] = 0
			}
			return pi
		}, then(func(pi []float64, _ []int) { clear(pi); pi[0] = 1 })},
		"empty-class": {then(func(pi []float64, _ []int) { pi[floats.MinIdx(pi)] += 1e-6 })},
		"rounded": {then(func(pi []float64, _ []int) { pi[0] *= 1.0001 }),
			then(func(pi []float64, _ []int) { pi[0] *= 1 + 1e-9 })},
		"value":         {then(func(pi []float64, _ []int) { pi[0] += 0.1 })},
		"not-largest":   {then(func(pi []float64, _ []int) { pi[0] += 0.3 })},
		"order":         {then(func(pi []float64, labels []int) { pi[labels[len(labels)-1]] *= 0.9 })},
		"one-per-point": {func(labels []int, _ int) []float64 { return make([]float64, len(labels)) }},
		"wrong-length":  {func(labels []int, K int) []float64 { return Priors(labels, slices.Max(labels)+1) }},
	})
	scaled := func(c float64) slopesFunc {
		return func(pi []float64, l float64, labels []int) []float64 {
			g := Slopes(pi, l, labels)
			floats.Scale(c, g)
			return g
		}
	}
	gate.Wrongs(t, ex09.Exercise(), checkSlopes, map[string][]slopesFunc{
		"slopes-sign":    {scaled(-1)},
		"slopes-factor":  {scaled(2)},
		"slopes-nearly":  {scaled(1.00001)},
		"slopes-value":   {func(pi []float64, l float64, labels []int) []float64 { return Slopes(pi, l/2, labels) }},
		"not-stationary": {func(pi []float64, l float64, labels []int) []float64 { return Slopes(pi, -l, labels) }},
	})
	gate.Wrongs(t, ex09.Exercise(), checkMultiplier, map[string][]multiplierFunc{
		"multiplier-factor": {func(labels []int, _ int) float64 { return -float64(len(labels)) / 2 }},
		"multiplier-value":  {func([]int, int) float64 { return 0 }},
		"not-stationary":    {func(labels []int, _ int) float64 { return float64(len(labels)) }},
	})
}

func ExampleCheck() {
	uniform := func(_ []int, K int) []float64 { return slices.Repeat([]float64{1 / float64(K)}, K) }
	fmt.Println(ex09.Check(uniform).Parts[2].Message)
	// Output: All your π_k are 1/K, as if there were no data. They must depend on the labels.
}
