package ex02_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func norm(w []float64) float64 { return floats.Norm(w, 2) }

func TestWrongDistance(t *testing.T) {
	calls := 0.0
	scale := func(c float64) distanceFunc {
		return func(x, w []float64, w0 float64) float64 { return c * Distance(x, w, w0) }
	}
	constant := func(c float64) distanceFunc {
		return func([]float64, []float64, float64) float64 { return c }
	}
	for _, tc := range []struct {
		name, key string
		answer    distanceFunc
	}{
		{"g(x)", "no-norm", func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0 }},
		{"squared norm", "squared-norm", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) + w0) / floats.Dot(w, w) }},
		{"absolute value", "no-sign", func(x, w []float64, w0 float64) float64 { return math.Abs(Distance(x, w, w0)) }},
		{"other sign", "sign-flipped", scale(-1)},
		{"no w0", "bias-left-out", func(x, w []float64, _ float64) float64 { return floats.Dot(w, x) / norm(w) }},
		{"−w0", "bias-subtracted", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) - w0) / norm(w) }},
		{"wᵀx/‖w‖ + w0", "bias-not-divided", func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x)/norm(w) + w0 }},
		{"wᵀx + w0/‖w‖", "weights-not-divided", func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0/norm(w) }},
		{"1-norm", "one-norm", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) + w0) / floats.Norm(w, 1) }},
		{"sum of weights", "sum-of-weights", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) + w0) / floats.Sum(w) }},
		{"w0 in the norm", "bias-in-norm", func(x, w []float64, w0 float64) float64 {
			return (floats.Dot(w, x) + w0) / norm(append([]float64{w0}, w...))
		}},
		{"‖x‖ for ‖w‖", "norm-of-x", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) + w0) / norm(x) }},
		{"times ‖w‖", "multiplied", func(x, w []float64, w0 float64) float64 { return (floats.Dot(w, x) + w0) * norm(w) }},
		{"‖x‖", "distance-to-origin", func(x, _ []float64, _ float64) float64 { return norm(x) }},
		{"zero", "zero", constant(0)},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"last coordinate forgotten", "off-plane", func(x, w []float64, w0 float64) float64 {
			d := len(w) - 1
			return (floats.Dot(w[:d], x[:d]) + w0) / norm(w)
		}},
		{"one", "off-plane", constant(1)},
		{"too far", "too-far", scale(1.1)},
		{"too near", "too-near", scale(0.5)},
		{"not zero on the plane", "on-plane", func(x, w []float64, w0 float64) float64 { return Distance(x, w, w0) + 1e-6*norm(x) }},
		{"sign of w0", "sign-of-bias", func(x, w []float64, w0 float64) float64 {
			return math.Copysign(Distance(x, w, w0), w0)
		}},
		{"sign of the first coordinate", "sign", func(x, w []float64, w0 float64) float64 {
			return math.Copysign(Distance(x, w, w0), x[0])
		}},
		{"depends on the length of w", "scale", func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0 }},
		{"absolute value again", "not-odd", func(x, w []float64, w0 float64) float64 { return math.Abs(Distance(x, w, w0)) }},
		{"not a number", "not-finite", constant(math.NaN())},
		{"infinite", "not-finite", constant(math.Inf(-1))},
		{"huge", "off-plane", constant(math.MaxFloat64)},
		{"normalises w in place", "mutates-inputs", func(x, w []float64, w0 float64) float64 {
			n := norm(w)
			floats.Scale(1/n, w)
			return floats.Dot(w, x) + w0/n
		}},
		{"writes into x", "mutates-inputs", func(x, w []float64, w0 float64) float64 {
			r := Distance(x, w, w0)
			floats.AddScaled(x, -r/norm(w), w)
			return r
		}},
		{"grows", "not-constant", func(x, w []float64, w0 float64) float64 { calls++; return Distance(x, w, w0) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex02.Exercise(), ex02.Check(tc.answer, OriginDistance), tc.key) })
	}
}

func TestWrongOrigin(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    originFunc
	}{
		{"w0", "origin-no-norm", func(_ []float64, w0 float64) float64 { return w0 }},
		{"|w0|", "origin-no-norm", func(_ []float64, w0 float64) float64 { return math.Abs(w0) }},
		{"−w0", "origin-no-norm", func(_ []float64, w0 float64) float64 { return -w0 }},
		{"squared norm", "origin-squared-norm", func(w []float64, w0 float64) float64 { return w0 / floats.Dot(w, w) }},
		{"times ‖w‖", "origin-multiplied", func(w []float64, w0 float64) float64 { return w0 * norm(w) }},
		{"inverted", "origin-inverted", func(w []float64, w0 float64) float64 {
			if w0 == 0 {
				return 0
			}
			return norm(w) / w0
		}},
		{"1-norm", "origin-one-norm", func(w []float64, w0 float64) float64 { return w0 / floats.Norm(w, 1) }},
		{"w0 in the norm", "origin-bias-in-norm", func(w []float64, w0 float64) float64 {
			return w0 / norm(append([]float64{w0}, w...))
		}},
		{"w0/w1", "origin-first-weight", func(w []float64, w0 float64) float64 { return -w0 / w[0] }},
		{"‖w‖", "through-origin", func(w []float64, _ float64) float64 { return norm(w) }},
		{"‖w‖, 0 where w0 is", "origin-norm-only", func(w []float64, w0 float64) float64 {
			if w0 == 0 {
				return 0
			}
			return norm(w)
		}},
		{"zero", "origin-zero", func([]float64, float64) float64 { return 0 }},
		{"half", "origin-factor", func(w []float64, w0 float64) float64 { return w0 / (2 * norm(w)) }},
		{"half of the size", "origin-factor", func(w []float64, w0 float64) float64 { return math.Abs(w0) / (2 * norm(w)) }},
		{"signed by the first weight", "mixed-signs", func(w []float64, w0 float64) float64 { return math.Copysign(w0/norm(w), w[0]) }},
		{"first weight left out of the norm", "origin-distance", func(w []float64, w0 float64) float64 { return w0 / norm(append([]float64{1}, w[1:]...)) }},
		{"1/‖w‖ not finite at w0 = 0", "not-finite", func(w []float64, w0 float64) float64 { return norm(w) / w0 }},
		{"not a number", "not-finite", func([]float64, float64) float64 { return math.NaN() }},
		{"huge", "through-origin", func([]float64, float64) float64 { return math.MaxFloat64 }},
		{"normalises w in place", "mutates-inputs", func(w []float64, w0 float64) float64 {
			n := norm(w)
			floats.Scale(1/n, w)
			return w0 / n
		}},
		{"grows", "not-constant", func(w []float64, w0 float64) float64 { calls++; return OriginDistance(w, w0) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex02.Exercise(), ex02.Check(Distance, tc.answer), tc.key) })
	}
}

// TestConventions: each sign is accepted and named differently.
func TestConventions(t *testing.T) {
	seen := map[string]bool{}
	for _, origin := range []originFunc{
		OriginDistance,
		func(w []float64, w0 float64) float64 { return -OriginDistance(w, w0) },
		func(w []float64, w0 float64) float64 { return math.Abs(OriginDistance(w, w0)) },
	} {
		r := ex02.Check(Distance, origin)
		gate.Right(t, r)
		seen[r.Parts[len(r.Parts)-1].Message] = true
	}
	if len(seen) != 3 {
		t.Errorf("three conventions earn %d messages: %v", len(seen), seen)
	}
}

func TestNoAnswer(t *testing.T) {
	todo, todoOrigin := func(_, _ []float64, _ float64) float64 { panic(verify.TODO) }, func([]float64, float64) float64 { panic(verify.TODO) }
	gate.Outcome(t, ex02.Check(todo, todoOrigin), verify.NotAttempted)
	gate.Outcome(t, ex02.Check(func(_, _ []float64, _ float64) float64 { panic("my own") }, func([]float64, float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex02.Check(nil, nil), verify.Crashed)
	half := ex02.Check(Distance, todoOrigin)
	if half.Passed() || half.Count(verify.NotAttempted) != 2 || half.Count(verify.Right) != len(half.Parts)-2 {
		t.Errorf("one of two functions written: want two parts NotAttempted and the rest Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex02.Check(Distance, OriginDistance).String(), ex02.Check(Distance, OriginDistance).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	g := func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0 }
	fmt.Println(ex02.Check(g, OriginDistance).Parts[1].Message)
	// Output: Your number is g(x) = wᵀx + w0 itself. It tells the side, but not how far: with 2w and 2w0 the plane is the same and g is doubled.
}
