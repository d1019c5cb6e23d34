package ex02_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	// after applies f to the reference's prediction.
	after := func(f func(y []float64) []float64) func(X, T *mat.Dense, x []float64) []float64 {
		return func(X, T *mat.Dense, x []float64) []float64 { return f(Predict(X, T, x)) }
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    func(X, T *mat.Dense, x []float64) []float64
	}{
		{"mean of the targets", "mean", func(_, T *mat.Dense, _ []float64) []float64 { return means(T) }},
		{"no bias column", "no-bias", func(X, T *mat.Dense, x []float64) []float64 {
			var W, y mat.Dense
			W.Mul(pinv(X), T)
			y.Mul(mat.NewDense(1, len(x), x), &W)
			return y.RawRowView(0)
		}},
		{"bias fitted, not used", "bias-not-used", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			return floats.SubTo(y, y, Predict(X, T, make([]float64, len(x))))
		}},
		{"penalised, bias too", "ridge-bias", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 0.1, true) }},
		{"a small number on the diagonal", "ridge-bias", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 1e-5, true) }},
		{"penalised, bias free", "ridge", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 0.1, false) }},
		{"targets centred, not restored", "targets-not-restored", func(X, T *mat.Dense, x []float64) []float64 {
			y := centred(X, T, x)
			return floats.SubTo(y, y, means(T))
		}},
		{"x not centred", "x-not-centred", func(X, T *mat.Dense, x []float64) []float64 {
			y, mean := Predict(X, T, x), means(X)
			moved := floats.AddTo(make([]float64, len(x)), x, mean)
			return floats.AddTo(y, y, floats.SubTo(make([]float64, len(y)), Predict(X, T, moved), Predict(X, T, x)))
		}},
		{"bias of the first point alone", "bias-off", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			floats.Sub(y, Predict(X, T, X.RawRowView(0)))
			return floats.AddTo(y, y, T.RawRowView(0))
		}},
		{"divided by N once", "scaled", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			floats.Scale(1/float64(T.RawMatrix().Rows), y)
			return y
		}},
		{"nearest neighbour", "nearest-neighbour", func(X, T *mat.Dense, x []float64) []float64 { return T.RawRowView(nearest(X, x)) }},
		{"inverse distances", "interpolates", inverseDistance},
		{"fit of the nearest training input", "training-only", func(X, T *mat.Dense, x []float64) []float64 {
			return Predict(X, T, X.RawRowView(nearest(X, x)))
		}},
		{"softmax", "softmax", after(softmax)},
		{"clipped", "clipped", after(func(y []float64) []float64 {
			for i, v := range y {
				y[i] = math.Min(1, math.Max(0, v))
			}
			return y
		})},
		{"absolute values", "not-linear", after(func(y []float64) []float64 {
			for i, v := range y {
				y[i] = math.Abs(v)
			}
			return y
		})},
		{"class chosen", "hard-decision", after(func(y []float64) []float64 {
			best := floats.MaxIdx(y)
			clear(y)
			y[best] = 1
			return y
		})},
		{"divided by the sum", "normalised", after(func(y []float64) []float64 {
			floats.Scale(1/floats.Sum(y), y)
			return y
		})},
		{"projected onto sum 1", "projected", after(toSumOne)},
		{"last entry makes the sum 1", "sum-forced", after(func(y []float64) []float64 {
			y[len(y)-1] += 1 - floats.Sum(y)
			return y
		})},
		{"normalised where the sum is not 0", "constraint", after(func(y []float64) []float64 {
			floats.Scale(1/floats.Sum(y), y)
			return y
		})},
		{"clipped at 1 only", "sum", after(func(y []float64) []float64 {
			for i, v := range y {
				y[i] = math.Min(1, v)
			}
			return y
		})},
		{"a slope added", "not-least-squares", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			for i := range y {
				y[i] += 0.1 * x[0]
			}
			return y
		}},
		{"gradient descent stopped early", "not-least-squares", descent},
		{"one prediction per training input", "transposed", func(X, T *mat.Dense, _ []float64) []float64 { return make([]float64, X.RawMatrix().Rows) }},
		{"weights of one output", "weights-returned", func(X, T *mat.Dense, x []float64) []float64 { return make([]float64, len(x)+1) }},
		{"all outputs flattened", "wrong-length", func(X, T *mat.Dense, _ []float64) []float64 { return make([]float64, len(T.RawMatrix().Data)) }},
		{"nothing", "empty", func(_, _ *mat.Dense, _ []float64) []float64 { return nil }},
		{"not a number", "not-finite", after(func(y []float64) []float64 { y[0] = math.NaN(); return y })},
		{"huge numbers", "not-linear", after(func(y []float64) []float64 { // their squares overflow
			for i, v := range y {
				y[i] = math.Copysign(math.MaxFloat64, v)
			}
			return y
		})},
		{"infinite", "not-finite", after(func(y []float64) []float64 { y[0] = math.Inf(-1); return y })},
		{"writes into T", "mutates-inputs", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			T.Set(0, 0, 7)
			return y
		}},
		{"centres X in place", "mutates-inputs", func(X, T *mat.Dense, x []float64) []float64 {
			y, mean := Predict(X, T, x), means(X)
			for i := range X.RawMatrix().Rows {
				floats.Sub(X.RawRowView(i), mean)
			}
			return y
		}},
		{"centres x in place", "mutates-inputs", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			floats.Sub(x, means(X))
			return y
		}},
		{"changes", "not-constant", after(func(y []float64) []float64 { calls++; y[0] += calls; return y })},
		{"the mean where points are few", "singular", func(X, T *mat.Dense, x []float64) []float64 {
			if n, d := X.Dims(); n < d+1 {
				return means(T)
			}
			return Predict(X, T, x)
		}},
		{"W for Wᵀ", "transposed", func(X, T *mat.Dense, x []float64) []float64 {
			var y mat.VecDense
			y.MulVec(weights(X, T), mat.NewVecDense(len(x)+1, append([]float64{1}, x...)))
			return y.RawVector().Data
		}},
		{"1 first in X, last in x", "bias-misplaced", func(X, T *mat.Dense, x []float64) []float64 {
			var y mat.VecDense
			y.MulVec(weights(X, T).T(), mat.NewVecDense(len(x)+1, append(append([]float64(nil), x...), 1)))
			return y.RawVector().Data
		}},
		{"nothing for a single output", "not-linear-in-targets", func(X, T *mat.Dense, x []float64) []float64 {
			if _, k := T.Dims(); k == 1 {
				return []float64{0}
			}
			return Predict(X, T, x)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex02.Exercise(), ex02.Check(tc.answer), tc.key) })
	}
}

// weights is the W of the reference, (D+1)×K.
func weights(X, T *mat.Dense) *mat.Dense {
	var W mat.Dense
	W.Mul(pinv(withOnes(X)), T)
	return &W
}

func ridge(X, T *mat.Dense, x []float64, lambda float64, bias bool) []float64 {
	B := withOnes(X)
	_, p := B.Dims()
	var gram, right, W mat.Dense
	gram.Mul(B.T(), B)
	for j := range p {
		if j > 0 || bias {
			gram.Set(j, j, gram.At(j, j)+lambda)
		}
	}
	right.Mul(B.T(), T)
	_ = W.Solve(&gram, &right)
	return apply(&W, x)
}

func nearest(X *mat.Dense, x []float64) int {
	n, _ := X.Dims()
	best := 0
	for i := range n {
		if floats.Distance(X.RawRowView(i), x, 2) < floats.Distance(X.RawRowView(best), x, 2) {
			best = i
		}
	}
	return best
}

// inverseDistance is the mean of the targets weighted by 1/distance².
func inverseDistance(X, T *mat.Dense, x []float64) []float64 {
	n, k := T.Dims()
	y, total := make([]float64, k), 0.0
	for i := range n {
		d := floats.Distance(X.RawRowView(i), x, 2)
		if d == 0 {
			return T.RawRowView(i)
		}
		floats.AddScaled(y, 1/(d*d), T.RawRowView(i))
		total += 1 / (d * d)
	}
	floats.Scale(1/total, y)
	return y
}

func softmax(y []float64) []float64 {
	top := floats.Max(y)
	for i, v := range y {
		y[i] = math.Exp(math.Max(v-top, -700)) // stays positive
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

func toSumOne(y []float64) []float64 {
	floats.AddConst((1-floats.Sum(y))/float64(len(y)), y)
	return y
}

// descent takes too few steps along the gradient.
func descent(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	_, p := B.Dims()
	_, k := T.Dims()
	W := mat.NewDense(p, k, nil)
	step := 1 / math.Pow(mat.Norm(B, 2), 2)
	for range 200 {
		var residual, gradient mat.Dense
		residual.Mul(B, W)
		residual.Sub(&residual, T)
		gradient.Mul(B.T(), &residual)
		gradient.Scale(step, &gradient)
		W.Sub(W, &gradient)
	}
	return apply(W, x)
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex02.Check(func(_, _ *mat.Dense, _ []float64) []float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex02.Check(func(_, _ *mat.Dense, _ []float64) []float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex02.Check(nil), verify.Crashed)
}

// TestOwnPanicInRankPart: a panic that is not gonum's stays the learner's own,
// with its place, although the part looks at panics.
func TestOwnPanicInRankPart(t *testing.T) {
	r := ex02.Check(func(X, T *mat.Dense, x []float64) []float64 {
		if n, d := X.Dims(); n < d+1 {
			panic("too few points for me")
		}
		return Predict(X, T, x)
	})
	if got := r.Parts[3]; got.Outcome != verify.Crashed || got.Key != "panic" {
		t.Errorf("got %v with key %q:\n%s", got.Outcome, got.Key, r)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex02.Check(Predict).String(), ex02.Check(Predict).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	mean := func(_, T *mat.Dense, _ []float64) []float64 { return means(T) }
	fmt.Println(ex02.Check(mean).Parts[1].Message)
	// Output: You return the mean of the targets for every x. It satisfies the constraint, but it is the best constant: the inputs are not used.
}
