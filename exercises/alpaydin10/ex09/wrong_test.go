package ex09_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	square := func(centre float64) featuresFunc {
		return one(func(x float64) float64 { return (x - centre) * (x - centre) })
	}
	x := one(func(x float64) float64 { return x })
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		features  featuresFunc
		weights   weightsFunc
	}{
		{"x − 3", "linear-in-x", x, w(-m, 1)},
		{"3 − x", "linear-in-x", x, w(m, -1)},
		{"two linear features", "linear-in-x", func(x float64) []float64 { return []float64{x - a, b - x} }, w(0, 1, 2)},
		{"flipped", "class-flipped", Features, w(a*b, -a-b, 1)},
		{"(x−3)² − 1", "class-flipped", square(m), w(-h*h, 1)},
		{"centre 0", "centre-off", square(0), w(h*h, -1)},
		{"centre −3", "centre-off", square(-m), w(h*h, -1)},
		{"centre 2", "centre-off", square(a), w(h*h, -1)},
		{"width 4", "width-off", square(m), w(4*h*h, -1)},
		{"2 for 1", "width-off", square(m), w(h*h+1, -1)},
		{"bias forgotten", "width-off", Features, w(a+b, -1)},
		{"bias 0", "width-off", Features, w(0, a+b, -1)},
		{"12 for 6", "interval-off", Features, w(-a*b, a+b+6, -1)},
		{"rounded", "edge", one(func(x float64) float64 { return math.Exp(-(x - m) * (x - m) / (h * h)) }), w(-0.368, 1)},
		{"bias sign", "width-off", Features, w(a*b, a+b, -1)},
		{"middle sign", "centre-off", Features, w(-a*b, -a-b, -1)},
		{"bias last", "bias-last", Features, w(a+b, -1, -a*b)},
		{"a wave", "several-intervals", one(func(x float64) float64 { return math.Sin(math.Pi * (x - a) / (b - a)) }), w(0, 1)},
		{"a cubic", "wrong-far-out", one(func(x float64) float64 { return (x - a) * (x - b) * (x + 100) }), w(0, -1)},
		{"a slow wave", "wrong-far-out", one(func(x float64) float64 { return math.Cos((x - m) / 50) }), w(-math.Cos(h/50), 1)},
		{"one step", "one-boundary", one(func(x float64) float64 { return step(x, a) }), w(-0.5, 1)},
		{"one sigmoid, no threshold", "always", one(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }), w(1, 1)},
		{"never", "never", square(m), w(-1, -1)},
		{"zero weights", "never", Features, w(0, 0, 0)},
		{"roughly rounded", "misclassified", one(func(x float64) float64 { return math.Exp(-(x - m) * (x - m) / (h * h)) }), w(-math.Exp(-(h+0.0108)*(h+0.0108)/(h*h)), 1)},
		{"no features", "empty", func(float64) []float64 { return nil }, w(1)},
		{"no weights", "empty", Features, w()},
		{"too many weights", "wrong-length", Features, w(1, 2, 3, 4, 5)},
		{"number of features varies", "wrong-length", func(x float64) []float64 {
			if x < 0 {
				return []float64{x}
			}
			return []float64{x, x * x}
		}, weights},
		{"exponential overflows", "not-finite", func(x float64) []float64 { return []float64{x, math.Exp(x)} }, w(-8, 6, -1)},
		{"logarithm of a negative number", "not-finite", one(math.Log), w(1, 1)},
		{"weight not a number", "not-finite", Features, w(math.NaN(), 6, -1)},
		{"huge weights", "not-finite", Features, w(0, math.MaxFloat64, -math.MaxFloat64)},
		{"weights grow", "not-constant", Features, func() []float64 { calls++; return []float64{-8 * calls, 6 * calls, -calls} }},
		{"features grow", "not-constant", one(func(x float64) float64 { calls++; return x * calls }), w(1, 1)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex09.Exercise(), ex09.Check(tc.features, tc.weights), tc.key)
		})
	}
}

func TestNoAnswer(t *testing.T) {
	todo, todoWeights := func(float64) []float64 { panic(verify.TODO) }, func() []float64 { panic(verify.TODO) }
	gate.Outcome(t, ex09.Check(todo, todoWeights), verify.NotAttempted)
	gate.Outcome(t, ex09.Check(Features, todoWeights), verify.NotAttempted)
	gate.Outcome(t, ex09.Check(func(float64) []float64 { panic("my own") }, Weights), verify.Crashed)
	gate.Outcome(t, ex09.Check(nil, nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex09.Check(Features, Weights).String(), ex09.Check(Features, Weights).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	line := func(x float64) []float64 { return []float64{x} }
	fmt.Println(ex09.Check(line, func() []float64 { return []float64{-3, 1} }).Parts[2].Message)
	// Output: Your g is linear in x itself: a straight line, which changes its sign once. Two boundaries need a g that bends; the features may bend, although g is linear in them.
}
