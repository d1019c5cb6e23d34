package ex05_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func difference(y, r, _ float64) float64 { return y - r }

func pair(x []float64, j, l int) float64 { return x[j] * x[l] }

func TestWrong(t *testing.T) {
	factor := func(f func(y, r, g float64) float64) gradientFunc { return by(f, pair) }
	entry := func(f func(x []float64, j, l int) float64) gradientFunc { return by(difference, f) }
	after := func(f func(list []*mat.Dense, n int) []*mat.Dense) gradientFunc {
		return func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return f(GradientW(W, w, w0, X, R), X.RawMatrix().Rows)
		}
	}
	scale := func(c float64) gradientFunc {
		return after(func(list []*mat.Dense, _ int) []*mat.Dense {
			for _, m := range list {
				m.Scale(c, m)
			}
			return list
		})
	}
	zero := func(m *mat.Dense) *mat.Dense { r, c := m.Dims(); return mat.NewDense(r, c, nil) }
	zeros := func(W []*mat.Dense) []*mat.Dense {
		out := make([]*mat.Dense, len(W))
		for i := range W {
			out[i] = zero(W[i])
		}
		return out
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    gradientFunc
	}{
		{"r − y", "sign", factor(func(y, r, _ float64) float64 { return r - y })},
		{"diagonal only", "diagonal-only", entry(func(x []float64, j, l int) float64 {
			if j != l {
				return 0
			}
			return x[j] * x[j]
		})},
		{"off the diagonal doubled", "doubled-off-diagonal", entry(func(x []float64, j, l int) float64 {
			if j != l {
				return 2 * x[j] * x[l]
			}
			return x[j] * x[j]
		})},
		{"upper triangle", "upper-triangle", entry(func(x []float64, j, l int) float64 {
			if j > l {
				return 0
			}
			return x[j] * x[l]
		})},
		{"upper triangle doubled", "upper-triangle", entry(func(x []float64, j, l int) float64 {
			switch {
			case j > l:
				return 0
			case j == l:
				return x[j] * x[j]
			}
			return 2 * x[j] * x[l]
		})},
		{"no xxᵀ", "product-left-out", entry(func([]float64, int, int) float64 { return 1 })},
		{"x in rows", "one-factor", entry(func(x []float64, j, _ int) float64 { return x[j] })},
		{"x in columns", "one-factor", entry(func(x []float64, _, l int) float64 { return x[l] })},
		{"xᵀx", "inner-product", entry(func(x []float64, j, l int) float64 {
			if j != l {
				return 0
			}
			return floats.Dot(x, x)
		})},
		{"twice", "twice", scale(2)},
		{"squared error", "squared-error", factor(func(y, r, _ float64) float64 { return (y - r) * y * (1 - y) })},
		{"own class only", "own-class-only", factor(func(y, r, _ float64) float64 { return r * (y - 1) })},
		{"no targets", "targets-left-out", factor(func(y, _, _ float64) float64 { return y })},
		{"no outputs", "outputs-left-out", factor(func(_, r, _ float64) float64 { return -r })},
		{"scores", "scores-for-outputs", factor(func(_, r, g float64) float64 { return g - r })},
		{"sigmoids", "sigmoids", factor(func(_, r, g float64) float64 { return 1/(1+math.Exp(-g)) - r })},
		{"linear outputs", "quadratic-left-out", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return GradientW(zeros(W), w, w0, X, R)
		}},
		{"quadratic outputs", "linear-left-out", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return GradientW(W, zero(w), make([]float64, len(w0)), X, R)
		}},
		{"no wᵀx", "linear-left-out", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return GradientW(W, zero(w), w0, X, R)
		}},
		{"no bias", "bias-left-out", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return GradientW(W, w, make([]float64, len(w0)), X, R)
		}},
		{"diagonals in the discriminant", "diagonal-model", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			V := zeros(W)
			for i := range V {
				for j := range V[i].RawMatrix().Rows {
					V[i].Set(j, j, W[i].At(j, j))
				}
			}
			return GradientW(V, w, w0, X, R)
		}},
		{"last point", "last-point", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			n, d := X.Dims()
			return GradientW(W, w, w0, mat.DenseCopyOf(X.Slice(n-1, n, 0, d)), mat.DenseCopyOf(R.Slice(n-1, n, 0, len(W))))
		}},
		{"last class 0", "last-class-fixed", after(func(list []*mat.Dense, _ int) []*mat.Dense { list[len(list)-1].Zero(); return list })},
		{"first class for all", "classes-mixed", after(func(list []*mat.Dense, _ int) []*mat.Dense {
			for i := range list {
				list[i] = list[0]
			}
			return list
		})},
		{"zero", "zero", scale(0)},
		{"divided by N", "averaged", after(func(list []*mat.Dense, n int) []*mat.Dense {
			for _, m := range list {
				m.Scale(1/float64(n), m)
			}
			return list
		})},
		{"half", "factor", scale(0.5)},
		{"last row of X forgotten", "derivative", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			n, d := X.Dims()
			if n == 1 {
				return zeros(W)
			}
			return GradientW(W, w, w0, mat.DenseCopyOf(X.Slice(0, n-1, 0, d)), mat.DenseCopyOf(R.Slice(0, n-1, 0, len(W))))
		}},
		{"an entry off", "features", after(func(list []*mat.Dense, _ int) []*mat.Dense { list[0].Set(0, 0, 1.01*list[0].At(0, 0)); return list })},
		{"rows of x", "not-symmetric", entry(func(x []float64, j, _ int) float64 { return x[j] })},
		{"uphill", "error-rises", scale(-3)},
		{"overflow", "overflow", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return by2(W, w, w0, X, R, func(g []float64) []float64 {
				y := make([]float64, len(g))
				for i, v := range g {
					y[i] = math.Exp(v)
				}
				floats.Scale(1/floats.Sum(y), y)
				return y
			})
		}},
		{"clipped", "tails", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return by2(W, w, w0, X, R, func(g []float64) []float64 {
				c := make([]float64, len(g))
				for i, v := range g {
					c[i] = math.Max(-100, math.Min(100, v))
				}
				return softmax(c)
			})
		}},
		{"wrong everywhere", "wrong-in-the-middle", scale(0.5)},
		{"K − 1 matrices", "reference-class", after(func(list []*mat.Dense, _ int) []*mat.Dense { return list[:len(list)-1] })},
		{"one too many", "wrong-length", after(func(list []*mat.Dense, _ int) []*mat.Dense { return append(list, list[0]) })},
		{"nothing", "empty", func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { return nil }},
		{"nil matrix", "empty", after(func(list []*mat.Dense, _ int) []*mat.Dense { list[1] = nil; return list })},
		{"rows", "wrong-shape", after(func(list []*mat.Dense, _ int) []*mat.Dense { list[0] = mat.NewDense(1, 7, nil); return list })},
		{"not a number", "not-finite", scale(math.NaN())},
		{"huge", "derivative", after(func(list []*mat.Dense, _ int) []*mat.Dense { list[0].Set(0, 0, math.MaxFloat64); return list })},
		{"result in W", "mutates-inputs", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			copy(W, GradientW(W, w, w0, X, R))
			return W
		}},
		{"writes into R", "mutates-inputs", func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			R.Scale(-1, R)
			return GradientW(W, w, w0, X, R)
		}},
		{"grows", "not-constant", after(func(list []*mat.Dense, _ int) []*mat.Dense { calls++; list[0].Set(0, 0, calls); return list })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex05.Exercise(), ex05.Check(tc.answer), tc.key) })
	}
}

// by2 is the reference with another softmax.
func by2(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense, soft func(g []float64) []float64) []*mat.Dense {
	n, d := X.Dims()
	g := discriminants(W, w, w0, X)
	out := make([]*mat.Dense, len(W))
	for i := range out {
		out[i] = mat.NewDense(d, d, nil)
		for t := range n {
			x := mat.NewVecDense(d, X.RawRowView(t))
			out[i].RankOne(out[i], soft(g.RawRowView(t))[i]-R.At(t, i), x, x)
		}
	}
	return out
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex05.Check(func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex05.Check(func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex05.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex05.Check(GradientW).String(), ex05.Check(GradientW).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	tied := by(difference, func(x []float64, j, l int) float64 {
		if j == l {
			return x[j] * x[j]
		}
		return 2 * x[j] * x[l]
	})
	fmt.Println(ex05.Check(tied).Parts[1].Key)
	// Output: doubled-off-diagonal
}
