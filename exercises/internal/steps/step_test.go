package steps_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// powers is a step with two named numbers of very different size: x and 1000x².
func powers(f func(x float64) []float64) steps.Step[float64] {
	right := func(x float64) []float64 { return []float64{x, 1000 * x * x} }
	return steps.Step[float64]{
		Name: "Powers", Key: "powers", Hint: 2, Right: "x and 1000x².", Entries: []string{"first", "second"},
		Problems: func() []float64 { return []float64{0, 2, -3} },
		Where:    func(x float64) string { return fmt.Sprintf("x = %g", x) },
		Ask:      func(x float64) ([]float64, *verify.Verdict) { return f(x), nil },
		Unit:     func(x float64, right []float64) []float64 { return []float64{math.Abs(x), 1000} },
		Routes: []steps.Route[float64]{
			{Name: "the formula", Tol: 1e-9, Value: right},
			{Name: "another way", Tol: 1e-9, Value: right},
		},
		Mistakes: []learner.Mistake[float64]{
			{Key: "other-length", Hint: 1, Message: "one", Value: func(float64) []float64 { return []float64{1} }},
			{Key: "not-told", Hint: 1, Message: "none", Value: func(float64) []float64 { return nil }},
			{Key: "cube", Hint: 1, Message: "cubed", Value: func(x float64) []float64 { return []float64{x, 1000 * x * x * x} }},
		},
	}
}

func TestJudge(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key, says string // key "" for Right
		answer          func(x float64) []float64
	}{
		{"right", "", "x and 1000x².", func(x float64) []float64 { return []float64{x, 1000 * x * x} }},
		{"a mistake", "powers-cube", "cubed", func(x float64) []float64 { return []float64{x, 1000 * x * x * x} }},
		{"a mistake in one place only", "powers-value", "x = 2", func(x float64) []float64 {
			if x < 0 {
				return []float64{x, 1000 * x * x}
			}
			return []float64{x, 1000 * x * x * x}
		}},
		{"the small number", "powers-value", "the first of your Powers", func(x float64) []float64 { return []float64{2 * x, 1000 * x * x} }},
		{"sign", "powers-sign", "sign", func(x float64) []float64 { return []float64{-x, -1000 * x * x} }},
		{"factor", "powers-factor", "multiplies", func(x float64) []float64 { return []float64{x / 2, 500 * x * x} }},
		{"zero", "powers-value", "", func(x float64) []float64 { return []float64{0, 0} }},
		{"nearly", "powers-nearly", "Nearly", func(x float64) []float64 { return []float64{x, 1000*x*x + 0.01} }},
		{"nearly in one place only", "powers-value", "x = -3", func(x float64) []float64 {
			if x > 0 {
				return []float64{x, 1000*x*x + 0.01}
			}
			return []float64{x, -1000 * x * x}
		}},
		{"nil", "powers-empty", "Nothing", func(x float64) []float64 { return nil }},
		{"too many", "powers-wrong-length", "3 numbers", func(x float64) []float64 { return make([]float64, 3) }},
		{"not a number", "powers-not-finite", "NaN", func(x float64) []float64 { return []float64{x, math.NaN()} }},
		{"infinite", "powers-not-finite", "+Inf", func(x float64) []float64 { return []float64{math.Inf(1), x} }},
		{"huge", "powers-value", "", func(x float64) []float64 { return []float64{math.MaxFloat64, -math.MaxFloat64} }},
		{"changes", "powers-not-constant", "Two calls", func(x float64) []float64 { calls++; return []float64{x, 1000*x*x + calls} }},
		{"changes its length", "powers-not-constant", "Two calls", func(x float64) []float64 {
			calls++
			return make([]float64, 2+int(calls)%2)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			calls = 1
			v := powers(tc.answer).Judge()
			if v.Key != tc.key || (v.Outcome == verify.Right) != (tc.key == "") || !strings.Contains(v.Message, tc.says) {
				t.Errorf("got %+v, want the key %q and a message with %q", v, tc.key, tc.says)
			}
		})
	}
}

// TestAsk: a verdict of Ask comes first.
func TestAsk(t *testing.T) {
	s := powers(nil)
	s.Ask = func(float64) ([]float64, *verify.Verdict) { return nil, learner.Fail("own", 1, "mine") }
	if v := s.Judge(); v.Key != "own" {
		t.Errorf("got %+v", v)
	}
}

// TestSecondRoute: one route does not outvote the other.
func TestSecondRoute(t *testing.T) {
	s := powers(func(x float64) []float64 { return []float64{x, 1000 * x * x} })
	s.Routes[1].Value = func(x float64) []float64 { return []float64{x, 0} }
	if v := s.Judge(); v.Key != "powers-value" || !strings.Contains(v.Message, "another way") {
		t.Errorf("got %+v", v)
	}
}

func TestExtremes(t *testing.T) {
	for _, tc := range []struct {
		name, key string // key "" for Right
		answer    func(x float64) []float64
	}{
		{"right", "", func(x float64) []float64 { return []float64{x, 1000 * x * x} }},
		{"wrong everywhere", "far-in-the-middle", func(x float64) []float64 { return []float64{x, 1000 * x * x * x} }},
		{"wrong far out", "far-value", func(x float64) []float64 { return []float64{x, 1000 * math.Pow(math.Min(x, 50), 2)} }},
		{"overflows", "far-not-finite", func(x float64) []float64 {
			if x > 50 {
				return []float64{x, math.Inf(1)}
			}
			return []float64{x, 1000 * x * x}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := powers(tc.answer).Extremes("far", 1, func() []float64 { return []float64{100, 1} }, "far out, too.")
			if v.Key != tc.key || (v.Outcome == verify.Right) != (tc.key == "") {
				t.Errorf("got %+v, want the key %q", v, tc.key)
			}
		})
	}
}

// TestOneNumber: where a step is a single number there is no factor to recognise,
// but a sign.
func TestOneNumber(t *testing.T) {
	for got, key := range map[float64]string{2: "", 1: "powers-value", -2: "powers-sign"} {
		s := steps.Step[float64]{
			Name: "Two", Key: "powers", Problems: func() []float64 { return []float64{0} },
			Where:  func(float64) string { return "it" },
			Ask:    func(float64) ([]float64, *verify.Verdict) { return []float64{got}, nil },
			Routes: []steps.Route[float64]{{Name: "two", Tol: 1e-9, Value: func(float64) []float64 { return []float64{2} }}},
		}
		if v := s.Judge(); v.Key != key {
			t.Errorf("%g: got %+v, want the key %q", got, v, key)
		}
	}
}
