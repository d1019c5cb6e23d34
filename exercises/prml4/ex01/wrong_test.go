package ex01_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func mean(m *mat.Dense) []float64 {
	n, d := m.Dims()
	out := make([]float64, d)
	for i := range n {
		floats.AddScaled(out, 1/float64(n), m.RawRowView(i))
	}
	return out
}

// betweenMeans is the hyperplane midway between the means, at right angles to the
// line that joins them.
func betweenMeans(x, y *mat.Dense) ([]float64, float64) {
	m1, m2 := mean(x), mean(y)
	w := floats.SubTo(make([]float64, len(m1)), m1, m2)
	return w, -(floats.Dot(w, m1) + floats.Dot(w, m2)) / 2
}

func TestWrongSeparate(t *testing.T) {
	after := func(f func(w []float64, w0 *float64)) separator {
		return func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			if ok {
				f(w, &w0)
			}
			return w, w0, ok
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    separator
	}{
		{"always", "always-ok", func(x, y *mat.Dense) ([]float64, float64, bool) { w, w0 := betweenMeans(x, y); return w, w0, true }},
		{"between the means", "not-separating", func(x, y *mat.Dense) ([]float64, float64, bool) { w, w0 := betweenMeans(x, y); return w, w0, true }},
		{"never", "never-ok", func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }},
		{"impatient perceptron", "gives-up", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			if _, _, quick := perceptron(x, y, 1000); !quick && ok && x.RawMatrix().Rows == 30 {
				return nil, 0, false
			}
			return w, w0, ok
		}},
		{"very impatient perceptron", "missed", func(x, y *mat.Dense) ([]float64, float64, bool) { return perceptron(x, y, 5) }},
		{"touching accepted", "non-strict", func(x, y *mat.Dense) ([]float64, float64, bool) {
			if w, w0, ok := Separate(x, y); ok {
				return w, w0, ok
			}
			// pulled apart by a hair's breadth, the sets that touch are separable
			hair := 1e-5 * spread(x, y)
			for _, direction := range [][]float64{{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}} {
				if _, d := x.Dims(); d == 2 {
					away := mat.DenseCopyOf(y)
					away.Apply(func(_, j int, v float64) float64 { return v + hair*direction[j] }, away)
					if w, w0, ok := Separate(x, away); ok {
						return w, w0, ok
					}
				}
			}
			return nil, 0, false
		}},
		{"through the nearest point of x", "non-strict", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			if ok {
				w0 = math.Inf(-1)
				for i := range x.RawMatrix().Rows {
					w0 = math.Max(w0, -floats.Dot(w, x.RawRowView(i)))
				}
			}
			return w, w0, ok
		}},
		{"fixed tolerance for the gap", "absolute-threshold", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, _ := Separate(x, y)
			return w, w0, gap(x, y) > 1e-6
		}},
		{"tolerance for the gap, relative to the coordinates", "far-from-origin", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, _ := Separate(x, y)
			return w, w0, gap(x, y) > 1e-6*reach(x, y)
		}},
		{"fixed tolerance for a common point", "absolute-threshold", func(x, y *mat.Dense) ([]float64, float64, bool) {
			if w, w0, ok := Separate(x, y); ok {
				return w, w0, true
			}
			w, w0 := betweenMeans(x, y)
			return w, w0, apart(x, y) > 1e-12
		}},
		{"points of x only tested", "false-plane", func(x, y *mat.Dense) ([]float64, float64, bool) {
			if w, w0, ok := Separate(x, y); ok {
				return w, w0, ok
			}
			w, w0 := betweenMeans(x, y)
			for i := range x.RawMatrix().Rows {
				if floats.Dot(w, x.RawRowView(i))+w0 <= 0 {
					return nil, 0, false
				}
			}
			return w, w0, true
		}},
		{"sides exchanged", "sides-swapped", after(func(w []float64, w0 *float64) { floats.Scale(-1, w); *w0 = -*w0 })},
		{"w from x to y", "sides-swapped", after(func(w []float64, _ *float64) { floats.Scale(-1, w) })},
		{"no bias", "bias-off", after(func(_ []float64, w0 *float64) { *w0 = 0 })},
		{"sign of the bias", "bias-off", after(func(_ []float64, w0 *float64) { *w0 = -*w0 })},
		{"zero", "zero-w", after(func(w []float64, w0 *float64) { clear(w); *w0 = 1 })},
		{"nothing", "empty", func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, true }},
		{"bias in w", "wrong-length", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			return append(w, w0), w0, ok
		}},
		{"not a number", "not-finite", after(func(w []float64, _ *float64) { w[0] = math.NaN() })},
		{"infinite bias", "not-finite", after(func(_ []float64, w0 *float64) { *w0 = math.Inf(1) })},
		{"huge", "not-separating", after(func(w []float64, w0 *float64) {
			for j := range w {
				w[j] = math.MaxFloat64
			}
			*w0 = -math.MaxFloat64
		})},
		{"x moved", "mutates-inputs", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			x.Scale(2, x)
			return w, w0, ok
		}},
		{"changes", "not-constant", after(func(_ []float64, w0 *float64) { calls++; *w0 += 1e-7 * calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex01.Exercise(), ex01.Check(tc.answer, CommonPoint), tc.key) })
	}
}

func TestWrongCommonPoint(t *testing.T) {
	after := func(f func(alpha, beta []float64)) finder {
		return func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			if ok {
				f(alpha, beta)
			}
			return alpha, beta, ok
		}
	}
	even := func(n int) []float64 {
		v := make([]float64, n)
		floats.AddConst(1/float64(n), v)
		return v
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    finder
	}{
		{"always", "always-ok", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), true
		}},
		{"means", "means", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), true
		}},
		{"never", "never-ok", func(_, _ *mat.Dense) ([]float64, []float64, bool) { return nil, nil, false }},
		{"weights of any sign", "negative-weights", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			p := problemOf(x, y)
			var svd mat.SVD
			svd.Factorize(p.A, mat.SVDThin)
			var z mat.VecDense
			svd.SolveVecTo(&z, p.b, svd.Rank(1e-12))
			var r mat.VecDense
			r.MulVec(p.A, &z)
			r.SubVec(&r, p.b)
			n := x.RawMatrix().Rows
			return z.RawVector().Data[:n], z.RawVector().Data[n:], mat.Norm(&r, 2) < 1e-9
		}},
		{"sum free", "weights-sum", after(func(alpha, beta []float64) { floats.Scale(2, alpha); floats.Scale(2, beta) })},
		{"all zero", "zero-weights", after(func(alpha, beta []float64) { clear(alpha); clear(beta) })},
		{"sum of beta off", "weights-sum", after(func(_, beta []float64) { beta[0] += 1e-3 })},
		{"touching refused", "touching-missed", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			if !inner(x, y) {
				return nil, nil, false
			}
			return CommonPoint(x, y)
		}},
		{"given points only", "missed", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta := make([]float64, x.RawMatrix().Rows), make([]float64, y.RawMatrix().Rows)
			for i := range alpha {
				for j := range beta {
					if floats.Equal(x.RawRowView(i), y.RawRowView(j)) {
						alpha[i], beta[j] = 1, 1
						return alpha, beta, true
					}
				}
			}
			return nil, nil, false
		}},
		{"one weight moved", "not-common", after(func(alpha, _ []float64) {
			if best := floats.MaxIdx(alpha); len(alpha) > 1 {
				alpha[best] -= 0.1
				alpha[(best+1)%len(alpha)] += 0.1
			}
		})},
		{"coarse tolerance", "tolerance", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			if !ok && x.RawMatrix().Rows == 30 { // the narrow gap
				return even(30), even(30), true
			}
			return alpha, beta, ok
		}},
		{"fixed tolerance for the gap", "absolute-threshold", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			if alpha, beta, ok := CommonPoint(x, y); ok {
				return alpha, beta, true
			}
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), gap(x, y) < 1e-6
		}},
		{"tolerance for the gap, relative to the coordinates", "far-from-origin", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			if alpha, beta, ok := CommonPoint(x, y); ok {
				return alpha, beta, true
			}
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), gap(x, y) < 1e-6*reach(x, y)
		}},
		{"fixed tolerance for a common point", "absolute-threshold", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return alpha, beta, ok && apart(x, y) <= 1e-12
		}},
		{"boxes that overlap", "false-point", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			if !ok && x.RawMatrix().Rows == 25 {
				return even(25), even(4), true
			}
			return alpha, beta, ok
		}},
		{"swapped", "weights-swapped", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return beta, alpha, ok
		}},
		{"the point itself", "points-for-weights", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			_, d := x.Dims()
			_, _, ok := CommonPoint(x, y)
			return make([]float64, d), make([]float64, d), ok
		}},
		{"nothing", "empty", func(_, _ *mat.Dense) ([]float64, []float64, bool) { return nil, nil, true }},
		{"too long", "wrong-length", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return append(alpha, 0), beta, ok
		}},
		{"not a number", "not-finite", after(func(_, beta []float64) { beta[0] = math.NaN() })},
		{"huge", "weights-sum", after(func(alpha, _ []float64) { alpha[0] = math.MaxFloat64 })},
		{"y centred in place", "mutates-inputs", func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			y.Scale(3, y)
			return alpha, beta, ok
		}},
		{"changes", "not-constant", after(func(alpha, _ []float64) { calls++; alpha[0] += 1e-8 * calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex01.Exercise(), ex01.Check(Separate, tc.answer), tc.key) })
	}
}

// inner tells whether the hulls still meet when y is moved a little, whichever way.
func inner(x, y *mat.Dense) bool {
	_, d := x.Dims()
	size := spread(x, y)
	for j := range d {
		for _, step := range []float64{-1e-4 * size, 1e-4 * size} {
			moved := mat.DenseCopyOf(y)
			for i := range moved.RawMatrix().Rows {
				moved.Set(i, j, moved.At(i, j)+step)
			}
			if _, _, ok := CommonPoint(x, moved); !ok {
				return false
			}
		}
	}
	return true
}

func TestEither(t *testing.T) {
	neverPlane := func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }
	always := func(x, y *mat.Dense) ([]float64, float64, bool) { w, w0 := betweenMeans(x, y); return w, w0, true }
	gate.Wrong(t, ex01.Exercise(), ex01.Check(neverPlane, CommonPoint), "neither")
	anyPoint := func(x, y *mat.Dense) ([]float64, []float64, bool) {
		alpha, beta, _ := CommonPoint(x, y)
		if alpha == nil {
			alpha, beta = make([]float64, x.RawMatrix().Rows), make([]float64, y.RawMatrix().Rows)
		}
		return alpha, beta, true
	}
	gate.Wrong(t, ex01.Exercise(), ex01.Check(always, anyPoint), "both")
}

func TestNoAnswer(t *testing.T) {
	todoPlane := func(_, _ *mat.Dense) ([]float64, float64, bool) { panic(verify.TODO) }
	todoPoint := func(_, _ *mat.Dense) ([]float64, []float64, bool) { panic(verify.TODO) }
	gate.Outcome(t, ex01.Check(todoPlane, todoPoint), verify.NotAttempted)
	gate.Outcome(t, ex01.Check(func(_, _ *mat.Dense) ([]float64, float64, bool) { panic("my own") }, func(_, _ *mat.Dense) ([]float64, []float64, bool) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex01.Check(nil, nil), verify.Crashed)
	half := ex01.Check(Separate, todoPoint)
	if half.Passed() || half.Count(verify.NotAttempted) != 3 || half.Count(verify.Right) != 2 {
		t.Errorf("one of two functions written: want three parts NotAttempted and two Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex01.Check(Separate, CommonPoint).String(), ex01.Check(Separate, CommonPoint).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	noBias := func(x, y *mat.Dense) ([]float64, float64, bool) {
		w, _, ok := Separate(x, y)
		return w, 0, ok
	}
	fmt.Println(ex01.Check(noBias, CommonPoint).Parts[0].Key)
	// Output: bias-off
}
