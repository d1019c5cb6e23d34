package ex18_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// each makes residuals r(y_k, t_k).
func each(r func(y, t float64) float64) gradientFunc {
	return pull(func(a, t []float64) []float64 {
		y := softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k])
		}
		return y
	})
}

// byActivation makes residuals r(a_k, t_k).
func byActivation(r func(a, t float64) float64) gradientFunc {
	return pull(func(a, t []float64) []float64 {
		for k := range a {
			a[k] = r(a[k], t[k])
		}
		return a
	})
}

// after changes the reference's answer.
func after(f func(G, W, Phi *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		G := Gradient(W, Phi, T)
		f(G, W, Phi)
		return G
	}
}

func scale(c float64) gradientFunc { return after(func(G, _, _ *mat.Dense) { G.Scale(c, G) }) }

// rows is the reference on the rows from … to−1.
func rows(from, to func(n int) int) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		_, k := T.Dims()
		i, j := from(n), to(n)
		if i >= j {
			return mat.NewDense(m, k, nil)
		}
		return Gradient(W, mat.DenseCopyOf(Phi.Slice(i, j, 0, m)), mat.DenseCopyOf(T.Slice(i, j, 0, k)))
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
		{"T − Y", "sign", scale(-1)},
		{"divided by N", "averaged", after(func(G, _, Phi *mat.Dense) { G.Scale(1/float64(Phi.RawMatrix().Rows), G) })},
		{"divided by NK", "averaged", after(func(G, W, Phi *mat.Dense) {
			G.Scale(1/float64(Phi.RawMatrix().Rows*W.RawMatrix().Cols), G)
		})},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"own class only", "own-class-only", each(func(y, t float64) float64 { return -t * (1 - y) })},
		{"other classes only", "other-classes-only", each(func(y, t float64) float64 { return (1 - t) * y })},
		{"one sigmoid per class", "sigmoids", byActivation(func(a, t float64) float64 { return 1/(1+math.Exp(-a)) - t })},
		{"A − T", "softmax-left-out", byActivation(func(a, t float64) float64 { return a - t })},
		{"exp alone", "unnormalised", byActivation(func(a, t float64) float64 { return math.Exp(a) - t })},
		{"softmax over the points", "softmax-over-points", func(W, Phi, T *mat.Dense) *mat.Dense {
			var A, G mat.Dense
			A.Mul(Phi, W)
			_, k := A.Dims()
			for c := range k {
				A.SetCol(c, softmax(mat.Col(nil, c, &A)))
			}
			A.Sub(&A, T)
			G.Mul(Phi.T(), &A)
			return &G
		}},
		{"winner takes all", "thresholded", pull(func(a, t []float64) []float64 {
			y := make([]float64, len(a))
			y[floats.MaxIdx(a)] = 1
			floats.Sub(y, t)
			return y
		})},
		{"squared error", "squared-error", pull(func(a, t []float64) []float64 {
			y := softmax(a)
			r := make([]float64, len(a))
			for j := range r {
				for k := range r {
					d := -y[k] * y[j]
					if j == k {
						d += y[k]
					}
					r[j] += (y[k] - t[k]) * d
				}
			}
			return r
		})},
		{"factor y(1−y)", "factor-left", each(func(y, t float64) float64 { return (y - t) * y * (1 - y) })},
		{"−t/y", "chain-rule-stops-at-y", each(func(y, t float64) float64 { return -t / y })},
		{"no targets", "target-left-out", each(func(y, _ float64) float64 { return y })},
		{"no outputs", "outputs-left-out", each(func(_, t float64) float64 { return -t })},
		{"absolute", "absolute", each(func(y, t float64) float64 { return math.Abs(y - t) })},
		{"K×M", "transposed", func(W, Phi, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(Gradient(W, Phi, T).T()) }},
		{"transposed where it fits", "transposed", func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			if m, k := W.Dims(); m == k {
				return mat.DenseCopyOf(G.T())
			}
			return G
		}},
		{"residuals", "not-summed", func(W, Phi, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(T) }},
		{"last class held", "class-forgotten", after(func(G, _, _ *mat.Dense) {
			m, k := G.Dims()
			G.SetCol(k-1, make([]float64, m))
		})},
		{"first class left out", "class-forgotten", after(func(G, _, _ *mat.Dense) {
			m, _ := G.Dims()
			G.SetCol(0, make([]float64, m))
		})},
		{"bias left out", "bias-forgotten", after(func(G, _, _ *mat.Dense) { clear(G.RawRowView(0)) })},
		{"prior", "prior", after(func(G, W, _ *mat.Dense) { G.Add(G, W) })},
		{"last row only", "last-row", rows(func(n int) int { return n - 1 }, all)},
		{"first row only", "first-row", rows(none, func(int) int { return 1 })},
		{"last row forgotten", "row-forgotten", rows(none, func(n int) int { return n - 1 })},
		{"first row forgotten", "row-forgotten", rows(func(int) int { return 1 }, all)},
		{"zero", "zero", scale(0)},
		{"an entry off", "derivative", after(func(G, _, _ *mat.Dense) { G.Set(0, 0, 1.001*G.At(0, 0)) })},
		{"rows do not sum to 0", "rows", after(func(G, _, _ *mat.Dense) { G.Set(0, 0, G.At(0, 0)+0.1) })},
		{"two classes only wrong", "two-classes", func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			if _, k := W.Dims(); k == 2 {
				G.Set(0, 1, 0.1)
			}
			return G
		}},
		{"one class", "one-class", func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			if _, k := W.Dims(); k == 1 {
				G.Set(0, 0, 1)
			}
			return G
		}},
		{"plain exponentials", "overflow", pull(func(a, t []float64) []float64 {
			s := 0.0
			for k := range a {
				a[k] = math.Exp(a[k])
				s += a[k]
			}
			floats.Scale(1/s, a)
			floats.Sub(a, t)
			return a
		})},
		{"clipped outputs", "tails", each(func(y, t float64) float64 { return math.Min(1-1e-8, math.Max(1e-8, y)) - t })},
		{"wrong everywhere", "wrong-in-the-middle", scale(2)},
		{"one column too many", "wrong-shape", func(W, _, _ *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			return mat.NewDense(m+1, k+1, nil)
		}},
		{"nil", "empty", func(_, _, _ *mat.Dense) *mat.Dense { return nil }},
		{"empty", "empty", func(_, _, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		{"not a number", "not-finite", scale(math.NaN())},
		{"infinite", "not-finite", after(func(G, _, _ *mat.Dense) { G.Set(0, 0, math.Inf(-1)) })},
		{"huge", "derivative", after(func(G, _, _ *mat.Dense) {
			G.Apply(func(i, j int, _ float64) float64 { return math.Copysign(math.MaxFloat64, float64(1-2*(j%2))) }, G)
		})},
		{"residuals into T", "mutates-inputs", func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			T.Scale(-1, T)
			return G
		}},
		{"result in W", "mutates-inputs", func(W, Phi, T *mat.Dense) *mat.Dense {
			W.Copy(Gradient(W, Phi, T))
			return W
		}},
		{"grows", "not-constant", after(func(G, _, _ *mat.Dense) { calls++; G.Set(0, 0, G.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex18.Exercise(), ex18.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex18.Check(func(_, _, _ *mat.Dense) *mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex18.Check(func(_, _, _ *mat.Dense) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex18.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex18.Check(Gradient).String(), ex18.Check(Gradient).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	ownClass := each(func(y, t float64) float64 { return -t * (1 - y) })
	fmt.Println(ex18.Check(ownClass).Parts[1].Message)
	// Output: Each point acts on the weights of its own class only, as if output k depended on activation k alone. Through the common denominator every activation moves the true class's output: the chain rule is a sum over k.
}
