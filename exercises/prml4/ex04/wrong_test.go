package ex04_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex04"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// fisher is S_W⁻¹(m2 − m1), by covariances.
func fisher(X1, X2 *mat.Dense) []float64 {
	_, d := X1.Dims()
	within := mat.NewSymDense(d, nil)
	for _, X := range []*mat.Dense{X1, X2} {
		if n, _ := X.Dims(); n > 1 {
			var s mat.SymDense
			stat.CovarianceMatrix(&s, X, nil)
			s.ScaleSym(float64(n-1), &s)
			within.AddSym(within, &s)
		}
	}
	var w mat.VecDense
	_ = w.SolveVec(within, mat.NewVecDense(d, difference(X1, X2)))
	return w.RawVector().Data
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func TestWrong(t *testing.T) {
	after := func(f func(w []float64)) directionFunc {
		return func(X1, X2 *mat.Dense) []float64 {
			w := Direction(X1, X2)
			f(w)
			return w
		}
	}
	perSum := func(c1, c2 func(n1, n2 float64) float64) directionFunc {
		return unit(columns(func(x1, x2 []float64) float64 {
			n1, n2 := float64(len(x1)), float64(len(x2))
			return floats.Sum(x2)/c2(n1, n2) - floats.Sum(x1)/c1(n1, n2)
		}))
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    directionFunc
	}{
		{"not normalised", "not-normalised", difference},
		{"divided by the squared length", "divided-by-square", func(X1, X2 *mat.Dense) []float64 {
			w := difference(X1, X2)
			floats.Scale(1/floats.Dot(w, w), w)
			return w
		}},
		{"sum of the entries' sizes is 1", "other-norm", func(X1, X2 *mat.Dense) []float64 {
			w := difference(X1, X2)
			floats.Scale(1/floats.Norm(w, 1), w)
			return w
		}},
		{"largest entry is 1", "other-norm", func(X1, X2 *mat.Dense) []float64 {
			w := difference(X1, X2)
			floats.Scale(1/floats.Norm(w, math.Inf(1)), w)
			return w
		}},
		{"½ from the multiplier left", "length", after(func(w []float64) { floats.Scale(0.5, w) })},
		{"Fisher", "fisher", unit(fisher)},
		{"Fisher, not normalised", "fisher", fisher},
		{"Fisher, turned", "fisher", unit(func(X1, X2 *mat.Dense) []float64 { return fisher(X2, X1) })},
		{"m1 − m2", "opposite", func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }},
		{"m1 − m2 is a minimum", "minimum", func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }},
		{"medians", "medians", unit(columns(func(x1, x2 []float64) float64 { return median(x2) - median(x1) }))},
		{"m1 + m2", "sum-of-means", unit(columns(func(x1, x2 []float64) float64 { return mean(x1) + mean(x2) }))},
		{"sums", "sums", perSum(func(_, _ float64) float64 { return 1 }, func(_, _ float64) float64 { return 1 })},
		{"both divided by N", "sums", perSum(func(n1, n2 float64) float64 { return n1 + n2 }, func(n1, n2 float64) float64 { return n1 + n2 })},
		{"counts exchanged", "wrong-counts", perSum(func(_, n2 float64) float64 { return n2 }, func(n1, _ float64) float64 { return n1 })},
		{"N−1", "n-minus-1", perSum(func(n1, _ float64) float64 { return math.Max(1, n1-1) }, func(_, n2 float64) float64 { return math.Max(1, n2-1) })},
		{"m2 alone", "one-class", unit(columns(func(_, x2 []float64) float64 { return mean(x2) }))},
		{"m1 alone", "one-class", unit(columns(func(x1, _ []float64) float64 { return mean(x1) }))},
		{"mean of all", "from-total-mean", unit(columns(func(x1, x2 []float64) float64 { return floats.Sum(x1) + floats.Sum(x2) }))},
		{"first points", "first-points", unit(columns(func(x1, x2 []float64) float64 { return x2[0] - x1[0] }))},
		{"signs only", "signs", unit(columns(func(x1, x2 []float64) float64 { return math.Copysign(1, mean(x2)-mean(x1)) }))},
		{"best column only", "largest-column", after(func(w []float64) {
			abs := make([]float64, len(w))
			for j, v := range w {
				abs[j] = math.Abs(v)
			}
			best := floats.MaxIdx(abs)
			s := math.Copysign(1, w[best])
			clear(w)
			w[best] = s
		})},
		{"divided by the spread", "standardised", unit(columns(func(x1, x2 []float64) float64 {
			spread := func(x []float64) float64 { return stat.MomentAbout(2, x, mean(x), nil) * float64(len(x)) }
			return (mean(x2) - mean(x1)) / (spread(x1) + spread(x2))
		}))},
		{"principal component", "principal", func(X1, X2 *mat.Dense) []float64 {
			var all, v mat.Dense
			all.Stack(X1, X2)
			var pc stat.PC
			pc.PrincipalComponents(&all, nil)
			pc.VectorsTo(&v)
			return mat.Col(nil, 0, &v)
		}},
		{"first axis", "direction", after(func(w []float64) { clear(w); w[0] = 1 })},
		{"first axis is not the best", "not-largest", after(func(w []float64) { clear(w); w[0] = 1 })},
		{"a small turn", "not-stationary", after(func(w []float64) {
			w[0] += 1e-4
			floats.Scale(1/floats.Norm(w, 2), w)
		})},
		{"absolute values", "direction", after(func(w []float64) {
			for j := range w {
				w[j] = math.Abs(w[j])
			}
		})},
		{"zero vector", "zero-vector", after(func(w []float64) { clear(w) })},
		{"means along the rows", "one-per-point", func(X1, X2 *mat.Dense) []float64 { return make([]float64, X2.RawMatrix().Rows) }},
		{"a bias too", "wrong-length", func(X1, X2 *mat.Dense) []float64 { return append(Direction(X1, X2), 0) }},
		{"nothing", "empty", func(_, _ *mat.Dense) []float64 { return nil }},
		{"not a number", "not-finite", after(func(w []float64) { w[0] = math.NaN() })},
		{"infinite", "not-finite", after(func(w []float64) { w[0] = math.Inf(1) })},
		{"huge", "length", after(func(w []float64) { floats.Scale(1e300, w) })},
		{"writes the difference into X1", "mutates-inputs", func(X1, X2 *mat.Dense) []float64 {
			w := Direction(X1, X2)
			X1.SetRow(0, w)
			return w
		}},
		{"changes", "not-constant", after(func(w []float64) { calls++; w[0] += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex04.Exercise(), ex04.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex04.Check(func(_, _ *mat.Dense) []float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex04.Check(func(_, _ *mat.Dense) []float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex04.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex04.Check(Direction).String(), ex04.Check(Direction).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	turned := func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }
	fmt.Println(ex04.Check(turned).Parts[3].Message)
	// Output: On your w, brought to length 1, the projected mean of class 2 lies below that of class 1: wᵀ(m2 − m1) is negative, and other unit vectors make it positive.
}
