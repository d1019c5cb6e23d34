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

func TestWrongMatrix(t *testing.T) {
	weighted := func(f func(n1, n2, n float64) (a, b float64)) matrixFunc {
		return func(X1, X2 *mat.Dense) *mat.Dense {
			a, b := f(sizes(X1, X2))
			return combine(a, within(X1, X2), b, between(X1, X2))
		}
	}
	after := func(f func(m *mat.Dense)) matrixFunc {
		return func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			f(m)
			return m
		}
	}
	zero := func(X *mat.Dense) []float64 { return make([]float64, X.RawMatrix().Cols) }
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    matrixFunc
	}{
		{"S_W alone", "within-only", within},
		{"S_W + S_B", "between-unweighted", weighted(func(_, _, _ float64) (float64, float64) { return 1, 1 })},
		{"N1N2/N²", "wrong-factor", weighted(func(n1, n2, n float64) (float64, float64) { return 1, n1 * n2 / n / n })},
		{"N1N2", "wrong-factor", weighted(func(n1, n2, _ float64) (float64, float64) { return 1, n1 * n2 })},
		{"N", "wrong-factor", weighted(func(_, _, n float64) (float64, float64) { return 1, n })},
		{"N/(N1N2)", "wrong-factor", weighted(func(n1, n2, n float64) (float64, float64) { return 1, n / n1 / n2 })},
		{"(N1²+N2²)/N", "wrong-factor", weighted(func(n1, n2, n float64) (float64, float64) { return 1, (n1*n1 + n2*n2) / n })},
		{"minus", "between-subtracted", weighted(func(n1, n2, n float64) (float64, float64) { return 1, -n1 * n2 / n })},
		{"S_B alone", "between-only", weighted(func(n1, n2, n float64) (float64, float64) { return 0, n1 * n2 / n })},
		{"covariance", "covariance", weighted(func(n1, n2, n float64) (float64, float64) { return 1 / n, n1 * n2 / n / n })},
		{"divided by N−1", "m-factor", weighted(func(n1, n2, n float64) (float64, float64) { return 1 / (n - 1), n1 * n2 / n / (n - 1) })},
		{"doubled", "m-factor", after(func(m *mat.Dense) { m.Scale(2, m) })},
		{"S_W divided by N alone", "within-divided", weighted(func(n1, n2, n float64) (float64, float64) { return 1 / n, n1 * n2 / n })},
		{"covariances for scatters", "covariances-summed", func(X1, X2 *mat.Dense) *mat.Dense {
			n1, n2, n := sizes(X1, X2)
			return combine(1, covariances(X1, X2), n1*n2/n, between(X1, X2))
		}},
		{"covariances alone", "covariances-summed", covariances},
		{"not centred", "not-centred", func(X1, X2 *mat.Dense) *mat.Dense { return gram(stack(X1, X2), zero(X1)) }},
		{"plus N mmᵀ", "plus-mean", func(X1, X2 *mat.Dense) *mat.Dense {
			_, _, n := sizes(X1, X2)
			all := stack(X1, X2)
			m := mean(all)
			return combine(1, gram(all, zero(X1)), n, gram(mat.NewDense(1, len(m), m), zero(X1)))
		}},
		{"bias inside", "bias-inside", func(X1, _ *mat.Dense) *mat.Dense {
			d := X1.RawMatrix().Cols
			return mat.NewDense(d+1, d+1, nil)
		}},
		{"an entry off", "m-equation", after(func(m *mat.Dense) { m.Set(0, 0, 1.01*m.At(0, 0)) })},
		{"right on w only", "m-total", func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			w, _ := Fit(X1, X2)
			if len(w) > 1 { // a row orthogonal to w is added
				m.Set(0, 0, m.At(0, 0)+m.At(0, 0)*w[1]/math.Hypot(w[0], w[1]))
				m.Set(0, 1, m.At(0, 1)-NormalMatrix(X1, X2).At(0, 0)*w[0]/math.Hypot(w[0], w[1]))
			}
			return m
		}},
		{"nil", "empty", func(_, _ *mat.Dense) *mat.Dense { return nil }},
		{"empty", "empty", func(_, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		{"N×N", "wrong-shape", func(X1, X2 *mat.Dense) *mat.Dense {
			n := X1.RawMatrix().Rows + X2.RawMatrix().Rows
			return mat.NewDense(n, n, nil)
		}},
		{"not a number", "not-finite", after(func(m *mat.Dense) { m.Set(0, 0, math.NaN()) })},
		{"huge", "m-equation", after(func(m *mat.Dense) {
			m.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, m)
		})},
		{"centres X1 in place", "mutates-inputs", func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			c := mean(X1)
			X1.Apply(func(_, j int, v float64) float64 { return v - c[j] }, X1)
			return m
		}},
		{"changes", "not-constant", after(func(m *mat.Dense) { calls++; m.Set(0, 0, m.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex06.Exercise(), ex06.Check(tc.answer, Fit), tc.key) })
	}
}

// covariances is S_1/N1 + S_2/N2.
func covariances(X1, X2 *mat.Dense) *mat.Dense {
	n1, n2, _ := sizes(X1, X2)
	return combine(1/n1, gram(X1, mean(X1)), 1/n2, gram(X2, mean(X2)))
}

func TestWrongFit(t *testing.T) {
	with := func(f func(n1, n2, n float64) (t1, t2 float64)) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			t1, t2 := f(sizes(X1, X2))
			return direct(X1, X2, t1, t2)
		}
	}
	after := func(f func(w []float64, w0 *float64)) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			f(w, &w0)
			return w, w0
		}
	}
	bias := func(f func(a1, a2, a float64) float64) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, _ := Fit(X1, X2)
			return w, f(floats.Dot(w, mean(X1)), floats.Dot(w, mean(X2)), floats.Dot(w, mean(stack(X1, X2))))
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    fitFunc
	}{
		{"1-of-K", "one-of-k", with(func(_, _, _ float64) (float64, float64) { return 1, 0 })},
		{"±1", "plus-minus-one", with(func(_, _, _ float64) (float64, float64) { return 1, -1 })},
		{"N/N2, −N/N1", "targets-exchanged", with(func(n1, n2, n float64) (float64, float64) { return n / n2, -n / n1 })},
		{"N1/N, −N2/N", "targets-upside-down", with(func(n1, n2, n float64) (float64, float64) { return n1 / n, -n2 / n })},
		{"both positive", "both-positive", with(func(n1, n2, n float64) (float64, float64) { return n / n1, n / n2 })},
		{"classes exchanged", "classes-exchanged", with(func(n1, n2, n float64) (float64, float64) { return -n / n1, n / n2 })},
		{"the printed direction", "printed-sign", with(func(n1, n2, n float64) (float64, float64) { return -n / n1, n / n2 })},
		{"without N", "without-n", with(func(n1, n2, _ float64) (float64, float64) { return 1 / n1, -1 / n2 })},
		{"S_W for M", "within-only", func(X1, X2 *mat.Dense) ([]float64, float64) {
			_, _, n := sizes(X1, X2)
			return solved(within(X1, X2), X1, X2, n)
		}},
		{"Fisher's direction", "fisher-itself", func(X1, X2 *mat.Dense) ([]float64, float64) { return solved(within(X1, X2), X1, X2, 1) }},
		{"Fisher's direction, length 1", "length", func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := solved(within(X1, X2), X1, X2, 1)
			l := floats.Norm(w, 2)
			floats.Scale(1/l, w)
			return w, w0 / l
		}},
		{"difference of means", "means-only", func(X1, X2 *mat.Dense) ([]float64, float64) {
			w := mean(X1)
			floats.Sub(w, mean(X2))
			return w, -floats.Dot(w, mean(stack(X1, X2)))
		}},
		{"no bias", "no-bias", func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			t := mat.NewDense(int(n), 1, nil)
			for i := range int(n) {
				t.Set(i, 0, -n/n2)
				if i < int(n1) {
					t.Set(i, 0, n/n1)
				}
			}
			var W mat.Dense
			_ = W.Solve(stack(X1, X2), t)
			return mat.Col(nil, 0, &W), 0
		}},
		{"midpoint", "midpoint", bias(func(a1, a2, _ float64) float64 { return -(a1 + a2) / 2 })},
		{"+wᵀm", "bias-sign", bias(func(_, _, a float64) float64 { return a })},
		{"through m1", "one-mean", bias(func(a1, _, _ float64) float64 { return -a1 })},
		{"w0 = 0", "no-bias", bias(func(_, _, _ float64) float64 { return 0 })},
		{"weights of the means exchanged", "weights-exchanged", func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, _ := Fit(X1, X2)
			n1, n2, n := sizes(X1, X2)
			return w, -(n2*floats.Dot(w, mean(X1)) + n1*floats.Dot(w, mean(X2))) / n
		}},
		{"bias a little off", "bias", after(func(_ []float64, w0 *float64) { *w0 += 0.01 })},
		{"one weight off", "not-least-squares", after(func(w []float64, _ *float64) { w[0] *= 1.1 })},
		{"one weight off turns w", "not-fisher", after(func(w []float64, _ *float64) { w[0] *= 1.1 })},
		{"zero", "zero-weights", after(func(w []float64, w0 *float64) { clear(w); *w0 = 0 })},
		{"doubled", "length", after(func(w []float64, w0 *float64) { floats.Scale(2, w); *w0 *= 2 })},
		{"doubled does not fit M", "not-together", after(func(w []float64, w0 *float64) { floats.Scale(2, w); *w0 *= 2 })},
		{"nothing", "empty", func(_, _ *mat.Dense) ([]float64, float64) { return nil, 0 }},
		{"bias in w", "wrong-length", func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			return append(w, w0), w0
		}},
		{"not a number", "not-finite", after(func(w []float64, _ *float64) { w[0] = math.NaN() })},
		{"infinite bias", "not-finite", after(func(_ []float64, w0 *float64) { *w0 = math.Inf(-1) })},
		{"huge", "not-least-squares", after(func(w []float64, w0 *float64) { w[0], *w0 = math.MaxFloat64, math.MaxFloat64 })},
		{"writes into X2", "mutates-inputs", func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			X2.Set(0, 0, 7)
			return w, w0
		}},
		{"changes", "not-constant", after(func(_ []float64, w0 *float64) { calls++; *w0 += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex06.Exercise(), ex06.Check(NormalMatrix, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todoMatrix := func(_, _ *mat.Dense) *mat.Dense { panic(verify.TODO) }
	todoFit := func(_, _ *mat.Dense) ([]float64, float64) { panic(verify.TODO) }
	gate.Outcome(t, ex06.Check(todoMatrix, todoFit), verify.NotAttempted)
	gate.Outcome(t, ex06.Check(func(_, _ *mat.Dense) *mat.Dense { panic("my own") }, func(_, _ *mat.Dense) ([]float64, float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex06.Check(nil, nil), verify.Crashed)
	half := ex06.Check(NormalMatrix, todoFit)
	if half.Passed() || half.Count(verify.NotAttempted) != 5 || half.Count(verify.Right) != 2 {
		t.Errorf("one of two functions written: want five parts NotAttempted and two Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex06.Check(NormalMatrix, Fit).String(), ex06.Check(NormalMatrix, Fit).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex06.Check(within, Fit).Parts[1].Key)
	// Output: within-only
}
