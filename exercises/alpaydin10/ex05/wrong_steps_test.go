package ex05_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsScore(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    scoreFunc
	}{
		{"own class", "score-own-class", each(func(y, r, _ float64) float64 { return r * (y - 1) })},
		{"own class, put together", "chain", each(func(y, r, _ float64) float64 { return r * (y - 1) })},
		{"no target", "score-no-target", each(func(y, _, _ float64) float64 { return y })},
		{"by the output", "score-by-output", each(func(y, r, _ float64) float64 { return -r / math.Max(y, 1e-300) })},
		{"the diagonal of the softmax", "score-own-class", each(func(y, r, _ float64) float64 { return -r * (1 - y) })},
		{"squared error", "score-squared-error", each(func(y, r, _ float64) float64 { return (y - r) * y * (1 - y) })},
		{"sigmoids", "score-sigmoids", each(func(_, r, g float64) float64 { return 1/(1+math.Exp(-g)) - r })},
		{"no softmax", "score-scores", each(func(_, r, g float64) float64 { return g - r })},
		{"r − y", "score-sign", each(func(y, r, _ float64) float64 { return r - y })},
		{"half", "score-factor", each(func(y, r, _ float64) float64 { return (y - r) / 2 })},
		{"log y", "score-value", each(func(y, r, _ float64) float64 { return math.Log(y) - r })},
		{"overflows", "not-finite", func(g, r []float64) []float64 {
			d, sum := make([]float64, len(g)), 0.0
			for i := range g {
				d[i] = math.Exp(g[i])
				sum += d[i]
			}
			for i := range d {
				d[i] = d[i]/sum - r[i]
			}
			return d
		}},
		{"wrong, far out", "far-in-the-middle", each(func(y, _, _ float64) float64 { return y })},
		{"clipped", "far-value", func(g, r []float64) []float64 {
			c := append([]float64(nil), g...)
			for i := range c {
				c[i] = math.Max(-50, math.Min(50, c[i]))
			}
			return ByScore(c, r)
		}},
		{"nil", "empty", func(_, _ []float64) []float64 { return nil }},
		{"K−1", "wrong-length", func(g, r []float64) []float64 { return ByScore(g, r)[1:] }},
		{"huge", "score-value", each(func(_, _, _ float64) float64 { return math.MaxFloat64 })},
		{"writes into g", "mutates-inputs", func(g, r []float64) []float64 { copy(g, ByScore(g, r)); return g }},
		{"changes", "score-not-constant", each(func(_, _, _ float64) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex05.Exercise(), ex05.CheckSteps(tc.answer, ByEntries), tc.key) })
	}
}

func TestWrongStepsEntries(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    entriesFunc
	}{
		{"tied entries", "entries-tied", entry(func(x []float64, j, l int) float64 {
			if j == l {
				return x[j] * x[j]
			}
			return 2 * x[j] * x[l]
		})},
		{"doubled", "entries-doubled", entry(func(x []float64, j, l int) float64 { return 2 * x[j] * x[l] })},
		{"doubled, put together", "chain", entry(func(x []float64, j, l int) float64 { return 2 * x[j] * x[l] })},
		{"diagonal", "entries-diagonal", entry(func(x []float64, j, l int) float64 {
			if j == l {
				return x[j] * x[j]
			}
			return 0
		})},
		{"rows", "entries-rows", entry(func(x []float64, j, _ int) float64 { return x[j] })},
		{"columns", "entries-columns", entry(func(x []float64, _, l int) float64 { return x[l] })},
		{"sums", "entries-added", entry(func(x []float64, j, l int) float64 { return x[j] + x[l] })},
		{"xᵀx", "entries-trace", entry(func(x []float64, _, _ int) float64 { return floats.Dot(x, x) })},
		{"sign", "entries-sign", entry(func(x []float64, j, l int) float64 { return -x[j] * x[l] })},
		{"half", "entries-factor", entry(func(x []float64, j, l int) float64 { return x[j] * x[l] / 2 })},
		{"ones", "entries-value", entry(func([]float64, int, int) float64 { return 1 })},
		{"nil", "empty", func([]float64) *mat.Dense { return nil }},
		{"a column", "wrong-shape", func(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, nil) }},
		{"not a number", "not-finite", entry(func([]float64, int, int) float64 { return math.NaN() })},
		{"scales x", "mutates-inputs", func(x []float64) *mat.Dense { m := ByEntries(x); floats.Scale(2, x); return m }},
		{"changes", "entries-not-constant", entry(func([]float64, int, int) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex05.Exercise(), ex05.CheckSteps(ByScore, tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex05.CheckSteps(func(_, _ []float64) []float64 { panic(verify.TODO) }, func([]float64) *mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex05.CheckSteps(func(_, _ []float64) []float64 { panic("my own") }, func([]float64) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex05.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex05.CheckSteps(ByScore, ByEntries).String(), ex05.CheckSteps(ByScore, ByEntries).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	doubled := func(x []float64) *mat.Dense {
		m := ByEntries(x)
		m.Scale(2, m)
		return m
	}
	fmt.Println(ex05.CheckSteps(ByScore, doubled).Parts[2].Message)
	// Output: Everything is doubled. It is the derivative with respect to x that has a 2; in the entries of W the score is linear.
}
