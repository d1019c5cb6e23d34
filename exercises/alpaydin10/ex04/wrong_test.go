package ex04_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex04"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongMerge(t *testing.T) {
	calls := 0.0
	entry := func(f func(a, b float64, j int) float64) mergeFunc {
		return func(w1, w2 []float64) []float64 {
			w := make([]float64, len(w1))
			for j := range w {
				w[j] = f(w1[j], w2[j], j)
			}
			return w
		}
	}
	after := func(f func(w []float64)) mergeFunc {
		return func(w1, w2 []float64) []float64 {
			w := Merge(w1, w2)
			f(w)
			return w
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    mergeFunc
	}{
		{"w1", "first-only", entry(func(a, _ float64, _ int) float64 { return a })},
		{"w2", "second-only", entry(func(_, b float64, _ int) float64 { return b })},
		{"sum", "sum", entry(func(a, b float64, _ int) float64 { return a + b })},
		{"w2 − w1", "classes-swapped", entry(func(a, b float64, _ int) float64 { return b - a })},
		{"mean", "mean", entry(func(a, b float64, _ int) float64 { return (a + b) / 2 })},
		{"half", "half", entry(func(a, b float64, _ int) float64 { return (a - b) / 2 })},
		{"twice", "twice", entry(func(a, b float64, _ int) float64 { return 2 * (a - b) })},
		{"bias of w1", "bias-not-merged", func(w1, w2 []float64) []float64 {
			w := Merge(w1, w2)
			w[0] = w1[0]
			return w
		}},
		{"no bias", "bias-left-out", after(func(w []float64) { w[0] = 0 })},
		{"biases added", "bias-added", func(w1, w2 []float64) []float64 {
			w := Merge(w1, w2)
			w[0] = w1[0] + w2[0]
			return w
		}},
		{"last entry 0", "last-left-out", after(func(w []float64) { w[len(w)-1] = 0 })},
		{"ratio", "ratio", entry(func(a, b float64, _ int) float64 { return a / b })},
		{"product", "product", entry(func(a, b float64, _ int) float64 { return a * b })},
		{"absolute", "absolute", entry(func(a, b float64, _ int) float64 { return math.Abs(a - b) })},
		{"zeros", "zero", entry(func(float64, float64, int) float64 { return 0 })},
		{"a quarter off", "posterior", after(func(w []float64) { w[0] += 0.25 })},
		{"sum again", "not-invariant", entry(func(a, b float64, _ int) float64 { return a + b })},
		{"w1 again", "swap", entry(func(a, _ float64, _ int) float64 { return a })},
		{"both", "concatenated", func(w1, w2 []float64) []float64 { return append(append([]float64(nil), w1...), w2...) }},
		{"nil", "empty", func(_, _ []float64) []float64 { return nil }},
		{"two entries too many", "wrong-length", func(w1, w2 []float64) []float64 { return append([]float64{0, 0, 0}, Merge(w1, w2)[1:]...) }},
		{"not a number", "not-finite", after(func(w []float64) { w[0] = math.NaN() })},
		{"infinite", "not-finite", after(func(w []float64) { w[0] = math.Inf(1) })},
		{"huge", "posterior", after(func(w []float64) {
			for j := range w {
				w[j] = math.MaxFloat64
			}
		})},
		{"result in w1", "mutates-inputs", func(w1, w2 []float64) []float64 {
			floats.Sub(w1, w2)
			return w1
		}},
		{"result in w2", "mutates-inputs", func(w1, w2 []float64) []float64 { return floats.SubTo(w2, w1, w2) }},
		{"grows", "not-constant", after(func(w []float64) { calls++; w[0] += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex04.Exercise(), ex04.Check(tc.answer, Split), tc.key) })
	}
}

func TestWrongSplit(t *testing.T) {
	calls := 0.0
	pair := func(a, b float64) splitFunc {
		return func(w []float64) ([]float64, []float64) { return scaled(w, a), scaled(w, b) }
	}
	for _, tc := range []struct {
		name, key string
		answer    splitFunc
	}{
		{"w and w", "equal-pair", pair(1, 1)},
		{"halves of w", "equal-pair", pair(0.5, 0.5)},
		{"w and −w", "pair-twice", pair(1, -1)},
		{"0 and w", "pair-swapped", pair(0, 1)},
		{"w/2 and 0", "pair-half", pair(0.5, 0)},
		{"bias in both", "pair-bias", func(w []float64) ([]float64, []float64) {
			w1, w2 := Split(w)
			w2[0] = w[0]
			return w1, w2
		}},
		{"w and 1 − w", "split-posterior", func(w []float64) ([]float64, []float64) {
			w2 := scaled(w, -1)
			floats.AddConst(1, w2)
			return scaled(w, 1), w2
		}},
		{"huge", "split-posterior", func(w []float64) ([]float64, []float64) {
			w1, w2 := Split(w)
			floats.AddConst(math.MaxFloat64, w1)
			return w1, w2
		}},
		{"only one", "empty", func(w []float64) ([]float64, []float64) { return w, nil }},
		{"nothing", "empty", func([]float64) ([]float64, []float64) { return nil, nil }},
		{"cut in two", "wrong-length", func(w []float64) ([]float64, []float64) { return w[:(len(w)+1)/2], w[len(w)/2:] }},
		{"not a number", "not-finite", pair(math.NaN(), 0)},
		{"in place", "mutates-inputs", func(w []float64) ([]float64, []float64) {
			floats.Scale(0.5, w)
			return w, scaled(w, -1)
		}},
		{"grows", "not-constant", func(w []float64) ([]float64, []float64) {
			calls++
			w1, w2 := Split(w)
			floats.AddConst(calls, w1)
			floats.AddConst(calls, w2)
			return w1, w2
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex04.Exercise(), ex04.Check(Merge, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todo, todoSplit := func(_, _ []float64) []float64 { panic(verify.TODO) }, func([]float64) (w1, w2 []float64) { panic(verify.TODO) }
	gate.Outcome(t, ex04.Check(todo, todoSplit), verify.NotAttempted)
	gate.Outcome(t, ex04.Check(func(_, _ []float64) []float64 { panic("my own") }, func([]float64) (w1, w2 []float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex04.Check(nil, nil), verify.Crashed)
	half := ex04.Check(Merge, todoSplit)
	if half.Passed() || half.Count(verify.NotAttempted) != 2 || half.Count(verify.Right) != 4 {
		t.Errorf("one of two functions written: want two parts NotAttempted and four Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex04.Check(Merge, Split).String(), ex04.Check(Merge, Split).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	first := func(w1, _ []float64) []float64 { return w1 }
	fmt.Println(ex04.Check(first, Split).Parts[1].Message)
	// Output: You return w1: as if the first class were judged alone. Softmax compares; what the second class scores matters as much.
}
