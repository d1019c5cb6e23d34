package ex16_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex16"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// sum is Σ r(p_n, π_n).
func sum(r func(p, pi float64) float64) likelihoodFunc {
	return func(p, pi []float64) float64 {
		s := 0.0
		for n := range p {
			s += r(p[n], pi[n])
		}
		return s
	}
}

func plain(p, pi float64) float64 { return pi*math.Log(p) + (1-pi)*math.Log(1-p) }

func scale(c float64) likelihoodFunc {
	return func(p, pi []float64) float64 { return c * LogLikelihood(p, pi) }
}

func TestWrong(t *testing.T) {
	calls := 0.0
	only := func(p, pi float64) float64 { return LogLikelihood([]float64{p}, []float64{pi}) }
	for _, tc := range []struct {
		name, key string
		answer    likelihoodFunc
	}{
		{"logarithm of the mixture", "mixture", sum(func(p, pi float64) float64 { return math.Log(pi*p + (1-pi)*(1-p)) })},
		{"error", "sign", scale(-1)},
		{"mean", "averaged", func(p, pi []float64) float64 { return LogLikelihood(p, pi) / float64(len(p)) }},
		{"mean error", "averaged", func(p, pi []float64) float64 { return -LogLikelihood(p, pi) / float64(len(p)) }},
		{"base 2", "base", scale(1 / math.Ln2)},
		{"base 10", "base", scale(1 / math.Ln10)},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"likelihood", "likelihood", func(p, pi []float64) float64 { return math.Exp(LogLikelihood(p, pi)) }},
		{"product underflows", "underflow", func(p, pi []float64) float64 {
			l := 1.0
			for n := range p {
				l *= math.Pow(p[n], pi[n]) * math.Pow(1-p[n], 1-pi[n])
			}
			return l
		}},
		{"first term only", "one-term-only", sum(func(p, pi float64) float64 { return pi * math.Log(p) })},
		{"second term only", "one-term-only", sum(func(p, pi float64) float64 { return (1 - pi) * math.Log(1-p) })},
		{"minus between", "inner-sign", sum(func(p, pi float64) float64 { return pi*math.Log(p) - (1-pi)*math.Log(1-p) })},
		{"weights swapped", "classes-swapped", sum(func(p, pi float64) float64 { return plain(p, 1-pi) })},
		{"roles swapped", "roles-swapped", sum(func(p, pi float64) float64 { return only(pi, p) })},
		{"roles swapped, logarithm of certain labels", "log-of-zero", sum(func(p, pi float64) float64 { return plain(pi, p) })},
		{"no weights", "no-weights", sum(func(p, _ float64) float64 { return math.Log(p) + math.Log(1-p) })},
		{"rounded labels", "thresholded", sum(func(p, pi float64) float64 { return only(p, math.Round(pi)) })},
		{"squares", "squared-error", sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) })},
		{"squares, positive", "squared-error", sum(func(p, pi float64) float64 { return (p - pi) * (p - pi) })},
		{"half squares", "squared-error", sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) / 2 })},
		{"minus divergence", "relative-entropy", sum(func(p, pi float64) float64 { return only(p, pi) - only(pi, pi) })},
		{"divergence", "relative-entropy", sum(func(p, pi float64) float64 { return only(pi, pi) - only(p, pi) })},
		{"last point forgotten", "row-forgotten", func(p, pi []float64) float64 { return LogLikelihood(p[:len(p)-1], pi[:len(p)-1]) }},
		{"first point forgotten", "row-forgotten", func(p, pi []float64) float64 { return LogLikelihood(p[1:], pi[1:]) }},
		{"last point only", "one-row", func(p, pi []float64) float64 { return LogLikelihood(p[len(p)-1:], pi[len(p)-1:]) }},
		{"first point only", "one-row", func(p, pi []float64) float64 { return LogLikelihood(p[:1], pi[:1]) }},
		{"zero", "zero", scale(0)},
		{"nearly", "average", func(p, pi []float64) float64 { return LogLikelihood(p, pi) * 1.001 }},
		{"certain labels only wrong", "certain", sum(func(p, pi float64) float64 {
			if pi == 1 {
				return 1.1 * math.Log(p)
			}
			return only(p, pi)
		})},
		{"shares", "shares", sum(func(p, pi float64) float64 { return math.Sqrt(pi)*math.Log(p) + math.Sqrt(1-pi)*math.Log(1-p) })},
		{"not greatest at p = π", "not-best", sum(func(p, pi float64) float64 { return 2*only(p, pi) + math.Log(p) })},
		{"0·ln 0", "zero-times-log", sum(plain)},
		{"0·ln 0 left at impossible labels", "zero-times-log", func(p, pi []float64) float64 {
			l := LogLikelihood(p, pi)
			if math.IsInf(l, -1) {
				return math.NaN()
			}
			return l
		}},
		{"clipped outputs", "impossible-label", sum(func(p, pi float64) float64 { return only(math.Min(1-1e-15, math.Max(1e-15, p)), pi) })},
		{"−Inf at every 0", "label-that-never-occurs", func(p, pi []float64) float64 {
			for n := range p {
				if p[n] == 0 || p[n] == 1 {
					return math.Inf(-1)
				}
			}
			return LogLikelihood(p, pi)
		}},
		{"a small number added under the logarithm", "limits", sum(func(p, pi float64) float64 {
			if p == 0 || p == 1 {
				return only(p, pi) + 1e-3
			}
			return only(p, pi)
		})},
		{"wrong everywhere", "wrong-in-the-middle", scale(2)},
		{"not a number", "not-finite", scale(math.NaN())},
		{"infinite", "not-finite", scale(math.Inf(1))},
		{"huge", "average", func(_, _ []float64) float64 { return -math.MaxFloat64 }},
		{"labels drawn", "not-constant", func(p, pi []float64) float64 { calls++; return LogLikelihood(p, pi) - calls }},
		{"rounds in place", "mutates-inputs", func(p, pi []float64) float64 {
			l := LogLikelihood(p, pi)
			for n := range pi {
				pi[n] = math.Round(pi[n])
			}
			return l
		}},
		{"clips in place", "mutates-inputs", func(p, pi []float64) float64 {
			for n := range p {
				p[n] = math.Max(0.1, p[n])
			}
			return LogLikelihood(p, pi)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex16.Exercise(), ex16.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex16.Check(func(_, _ []float64) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex16.Check(func(_, _ []float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex16.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex16.Check(LogLikelihood).String(), ex16.Check(LogLikelihood).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex16.Check(sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) })).Parts[2].Message)
	// Output: This is a sum of squares: the log likelihood of Gaussian noise, not of labels.
}
