package ex13_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// after changes the reference's answer.
func after(f func(g []float64, w []float64, Phi *mat.Dense)) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		g := Gradient(w, Phi, t)
		f(g, w, Phi)
		return g
	}
}

func scale(c float64) gradientFunc {
	return after(func(g, _ []float64, _ *mat.Dense) { floats.Scale(c, g) })
}

// rows is the reference on rows from … to−1.
func rows(from, to func(n int) int) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		n, m := Phi.Dims()
		i, j := from(n), to(n)
		if i >= j {
			return make([]float64, m)
		}
		return Gradient(w, mat.DenseCopyOf(Phi.Slice(i, j, 0, m)), t[i:j])
	}
}

func TestWrong(t *testing.T) {
	none := func(int) int { return 0 }
	all := func(n int) int { return n }
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    gradientFunc
	}{
		{"t − y", "sign", scale(-1)},
		{"divided by N", "averaged", after(func(g, _ []float64, Phi *mat.Dense) { floats.Scale(1/float64(Phi.RawMatrix().Rows), g) })},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"divided by N−1", "factor", after(func(g, _ []float64, Phi *mat.Dense) { floats.Scale(1/math.Max(1, float64(Phi.RawMatrix().Rows-1)), g) })},
		{"log to base 2", "factor", scale(1 / math.Ln2)},
		{"squared error", "squared-error", bySum(func(a, t float64) float64 { y := sigmoid(a); return (y - t) * y * (1 - y) })},
		{"squared error without ½", "squared-error", bySum(func(a, t float64) float64 { y := sigmoid(a); return 2 * (y - t) * y * (1 - y) })},
		{"dE/dy times φ", "chain-rule-stops-at-y", bySum(func(a, t float64) float64 { y := sigmoid(a); return (y - t) / (y * (1 - y)) })},
		{"targets ±1", "plus-minus-one", bySum(func(a, t float64) float64 { return sigmoid(a) - (2*t - 1) })},
		{"a − t", "sigmoid-left-out", bySum(func(a, t float64) float64 { return a - t })},
		{"threshold", "thresholded", bySum(func(a, t float64) float64 { return math.Round(sigmoid(a)) - t })},
		{"σ(−a)", "classes-swapped", bySum(func(a, t float64) float64 { return sigmoid(-a) - t })},
		{"first term only", "one-term-only", bySum(func(a, t float64) float64 { return -t * sigmoid(-a) })},
		{"second term only", "one-term-only", bySum(func(a, t float64) float64 { return (1 - t) * sigmoid(a) })},
		{"inner sign", "inner-sign", bySum(func(a, t float64) float64 { return -t*sigmoid(-a) - (1-t)*sigmoid(a) })},
		{"no targets", "target-left-out", bySum(func(a, _ float64) float64 { return sigmoid(a) })},
		{"absolute residuals", "absolute", bySum(func(a, t float64) float64 { return math.Abs(sigmoid(a) - t) })},
		{"no features", "features-left-out", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g, n := make([]float64, len(w)), len(t)
			for i := range n {
				floats.AddConst(sigmoid(floats.Dot(w, Phi.RawRowView(i)))-t[i], g)
			}
			return g
		}},
		{"last row only", "last-row", rows(func(n int) int { return n - 1 }, all)},
		{"first row only", "first-row", rows(none, func(int) int { return 1 })},
		{"last row forgotten", "row-forgotten", rows(none, func(n int) int { return n - 1 })},
		{"first row forgotten", "row-forgotten", rows(func(int) int { return 1 }, all)},
		{"bias entry 0", "bias-forgotten", after(func(g, _ []float64, _ *mat.Dense) { g[0] = 0 })},
		{"bias not in the activation", "bias-forgotten", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return Gradient(append([]float64{0}, w[1:]...), Phi, t)
		}},
		{"zero", "zero", scale(0)},
		{"with a prior", "prior", after(func(g, w []float64, _ *mat.Dense) { floats.Add(g, w) })},
		{"an entry off", "derivative", after(func(g, _ []float64, _ *mat.Dense) { g[len(g)-1] *= 1.001 })},
		{"not zero at the minimum", "not-zero-at-minimum", after(func(g, _ []float64, _ *mat.Dense) { g[0] += 1e-4 })},
		{"uphill", "uphill", scale(-3)},
		{"zero away from the minimum", "zero-away-from-minimum", scale(0)},
		{"one per point", "transposed", func(_ []float64, _ *mat.Dense, t []float64) []float64 { return make([]float64, len(t)) }},
		{"transposed where it fits", "transposed", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			n, m := Phi.Dims()
			if n != m {
				return Gradient(w, Phi, t)
			}
			r := mat.NewVecDense(n, nil)
			for i := range n {
				r.SetVec(i, sigmoid(floats.Dot(w, Phi.RawRowView(i)))-t[i])
			}
			var g mat.VecDense
			g.MulVec(Phi, r)
			return g.RawVector().Data
		}},
		{"one too many", "wrong-length", func(w []float64, _ *mat.Dense, _ []float64) []float64 { return make([]float64, len(w)+50) }},
		{"nil", "empty", func([]float64, *mat.Dense, []float64) []float64 { return nil }},
		{"e^a/(1+e^a)", "overflow", bySum(func(a, t float64) float64 { return math.Exp(a)/(1+math.Exp(a)) - t })},
		{"fraction not cancelled", "overflow", bySum(func(a, t float64) float64 {
			y := sigmoid(a)
			return (-t/y + (1-t)/(1-y)) * y * (1 - y)
		})},
		{"clipped outputs", "tails", bySum(func(a, t float64) float64 { return math.Min(1-1e-7, math.Max(1e-7, sigmoid(a))) - t })},
		{"wrong everywhere", "wrong-in-the-middle", scale(0.5)},
		{"not a number", "not-finite", scale(math.NaN())},
		{"infinite", "not-finite", scale(math.Inf(1))},
		{"huge", "derivative", after(func(g, _ []float64, _ *mat.Dense) {
			for i := range g {
				g[i] = math.MaxFloat64
			}
		})},
		{"changes t", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			for i := range t {
				t[i] = 2*t[i] - 1
			}
			return g
		}},
		{"result in w", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			copy(w, Gradient(w, Phi, t))
			return w
		}},
		{"scales Φ", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			Phi.Scale(2, Phi)
			return g
		}},
		{"grows", "not-constant", after(func(g, _ []float64, _ *mat.Dense) { calls++; g[0] += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex13.Exercise(), ex13.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex13.Check(func([]float64, *mat.Dense, []float64) []float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex13.Check(func([]float64, *mat.Dense, []float64) []float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex13.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex13.Check(Gradient).String(), ex13.Check(Gradient).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	squares := bySum(func(a, t float64) float64 { y := sigmoid(a); return (y - t) * y * (1 - y) })
	fmt.Println(ex13.Check(squares).Parts[1].Message)
	// Output: A factor y(1−y) is left: this is the gradient of the sum of squares ½Σ(y−t)². In the cross-entropy the derivative of the logarithms divides by it.
}
