package ex23_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex23"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongBIC(t *testing.T) {
	calls := 0.0
	of := func(f func(l, m, n float64) float64) bicFunc {
		return func(l float64, M, N int) float64 { return f(l, float64(M), float64(N)) }
	}
	for _, tc := range []struct {
		name, key string
		answer    bicFunc
	}{
		{"M ln N", "half-missing", of(func(l, m, n float64) float64 { return l - m*math.Log(n) })},
		{"AIC", "aic", of(func(l, m, _ float64) float64 { return l - m })},
		{"AIC, −2", "aic", of(func(l, m, _ float64) float64 { return -2*l + 2*m })},
		{"−2 ln L + M ln N", "deviance-scale", of(func(l, m, n float64) float64 { return -2*l + m*math.Log(n) })},
		{"negative", "sign", of(func(l, m, n float64) float64 { return -l + m*math.Log(n)/2 })},
		{"penalty added", "penalty-sign", of(func(l, m, n float64) float64 { return l + m*math.Log(n)/2 })},
		{"1/2 of whole numbers", "no-penalty", func(l float64, M, N int) float64 {
			one, two := 1, 2
			return l - float64(one/two*M)*math.Log(float64(N))
		}},
		{"M forgotten", "one-parameter", of(func(l, _, n float64) float64 { return l - math.Log(n)/2 })},
		{"M and N swapped", "roles-swapped", of(func(l, m, n float64) float64 { return l - n*math.Log(m)/2 })},
		{"no logarithm", "log-missing", of(func(l, m, n float64) float64 { return l - n*m/2 })},
		{"base 10", "base", of(func(l, m, n float64) float64 { return l - m*math.Log10(n)/2 })},
		{"base 2", "base", of(func(l, m, n float64) float64 { return l - m*math.Log2(n)/2 })},
		{"2π kept", "two-pi-kept", of(func(l, m, n float64) float64 { return l - m*math.Log(n)/2 + m*math.Log(2*math.Pi)/2 })},
		{"M/2 of whole numbers", "whole-number-half", func(l float64, M, N int) float64 { return l - float64(M/2)*math.Log(float64(N)) }},
		{"M+1", "off-by-one", of(func(l, m, n float64) float64 { return l - (m+1)*math.Log(n)/2 })},
		{"M−1", "off-by-one", of(func(l, m, n float64) float64 { return l - (m-1)*math.Log(n)/2 })},
		{"N−1", "off-by-one", func(l float64, M, N int) float64 { return BIC(l, M, N-1) }},
		{"root of N", "drifts", of(func(l, m, n float64) float64 { return l - m*math.Sqrt(n) })},
		{"penalty too small", "drifts", of(func(l, m, n float64) float64 { return l - m/8*math.Log(n) })},
		{"a constant added", "bic", of(func(l, m, n float64) float64 { return l - m*math.Log(n)/2 + 0.01 })},
		{"not a number", "not-finite", func(float64, int, int) float64 { return math.NaN() }},
		{"infinite", "not-finite", func(float64, int, int) float64 { return math.Inf(-1) }},
		{"huge", "bic", func(float64, int, int) float64 { return math.MaxFloat64 }},
		{"changes", "not-constant", func(l float64, M, N int) float64 { calls++; return BIC(l, M, N) + calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex23.Exercise(), ex23.Check(tc.answer, Dropped), tc.key) })
	}
}

func TestWrongDropped(t *testing.T) {
	calls := 0.0
	// sum is ½ of the four terms with these factors.
	sum := func(q, v, a, n float64) droppedFunc {
		return func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			quad, prior, posterior, penalty := parts(mode, m, V0, H, N)
			return (q*quad + v*prior + a*posterior + n*penalty) / 2
		}
	}
	plus := func(g func(m, n float64) float64) droppedFunc {
		return func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			return Dropped(mode, m, V0, H, N) + g(float64(len(m)), float64(N))
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    droppedFunc
	}{
		{"ln|H|, as printed", "prior-precision-missing", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, v, _, n := parts(mode, m, V0, H, N)
			h, _ := mat.LogDet(H)
			return (-q - v - h + n) / 2
		}},
		{"ln|H| where H is singular", "singular", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			if N < len(m) {
				return math.Inf(1)
			}
			return Dropped(mode, m, V0, H, N)
		}},
		{"a little less where H is singular", "singular", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			if N < len(m) {
				return Dropped(mode, m, V0, H, N) - 0.1
			}
			return Dropped(mode, m, V0, H, N)
		}},
		{"no quadratic term", "quadratic-missing", sum(0, -1, -1, 1)},
		{"+ quadratic term", "quadratic-sign", sum(1, -1, -1, 1)},
		{"quadratic term without ½", "quadratic-half", sum(-2, -1, -1, 1)},
		{"V0 in the quadratic term", "covariance-for-precision", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			_, v, a, n := parts(mode, m, V0, H, N)
			var d mat.VecDense
			d.SubVec(mat.NewVecDense(len(m), mode), mat.NewVecDense(len(m), m))
			q := mat.Inner(&d, V0, &d)
			return (-q - v - a + n) / 2
		}},
		{"H + V0", "covariance-for-precision", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, v, _, n := parts(mode, m, V0, H, N)
			var s mat.Dense
			s.Add(H, V0)
			a, _ := mat.LogDet(&s)
			return (-q - v - a + n) / 2
		}},
		{"mean taken as 0", "prior-mean-ignored", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			return Dropped(mode, make([]float64, len(m)), V0, H, N)
		}},
		{"no ln|V0|", "prior-normalisation", sum(-1, 0, -1, 1)},
		{"+ ln|V0|", "prior-normalisation", sum(-1, 1, -1, 1)},
		{"+ ln|A|", "determinant-sign", sum(-1, -1, 1, 1)},
		{"ln|A| without ½", "determinant-half", sum(-1, -1, -2, 1)},
		{"no ln|A|", "determinant-missing", sum(-1, -1, 0, 1)},
		{"no M ln N", "penalty-not-subtracted", sum(-1, -1, -1, 0)},
		{"− M ln N", "penalty-sign", sum(-1, -1, -1, -1)},
		{"ln N without M", "penalty-once", plus(func(m, n float64) float64 { return (1 - m) / 2 * math.Log(n) })},
		{"+ M/2 ln 2π", "two-pi", plus(func(m, _ float64) float64 { return m / 2 * math.Log(2*math.Pi) })},
		{"− M/2 ln 2π", "two-pi", plus(func(m, _ float64) float64 { return -m / 2 * math.Log(2*math.Pi) })},
		{"BIC − Laplace", "difference-turned", sum(1, 1, 1, -1)},
		{"0", "zero", sum(0, 0, 0, 0)},
		{"nearly", "dropped", plus(func(m, _ float64) float64 { return 1e-3 })},
		{"grows with N", "grows", plus(func(_, n float64) float64 { return 0.1 * math.Log(n) })},
		{"huge", "dropped", func(_, _ []float64, _, _ *mat.SymDense, _ int) float64 { return math.MaxFloat64 }},
		{"not a number", "not-finite", plus(func(_, _ float64) float64 { return math.NaN() })},
		{"infinite", "not-finite", plus(func(_, _ float64) float64 { return math.Inf(1) })},
		{"changes", "not-constant", plus(func(_, _ float64) float64 { calls++; return calls })},
		{"mode − m in place", "mutates-inputs", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			v := Dropped(mode, m, V0, H, N)
			for i := range mode {
				mode[i] -= m[i]
			}
			return v
		}},
		{"adds to H in place", "mutates-inputs", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			v := Dropped(mode, m, V0, H, N)
			H.AddSym(H, V0)
			return v
		}},
		{"inverts V0 in place", "mutates-inputs", func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			v := Dropped(mode, m, V0, H, N)
			V0.ScaleSym(2, V0)
			return v
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex23.Exercise(), ex23.Check(BIC, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todo := func(_, _ []float64, _, _ *mat.SymDense, _ int) float64 { panic(verify.TODO) }
	gate.Outcome(t, ex23.Check(func(float64, int, int) float64 { panic(verify.TODO) }, todo), verify.NotAttempted)
	gate.Outcome(t, ex23.Check(func(float64, int, int) float64 { panic("my own") }, func(_, _ []float64, _, _ *mat.SymDense, _ int) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex23.Check(nil, nil), verify.Crashed)
	half := ex23.Check(BIC, todo)
	if half.Passed() || half.Count(verify.Right) != 2 || half.Count(verify.NotAttempted) != 4 {
		t.Errorf("one of two functions written: want two parts Right and the rest NotAttempted:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex23.Check(BIC, Dropped).String(), ex23.Check(BIC, Dropped).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	aic := func(logLik float64, M, _ int) float64 { return logLik - float64(M) }
	fmt.Println(ex23.Check(aic, Dropped).Parts[0].Message)
	// Output: This is Akaike's criterion, ln p(D|θ) − M (1.73). Its penalty does not grow with N, and it does not approximate ln p(D).
}
